/* SPDX-License-Identifier: MIT */
/* What a change of the configuration looks like: a diff, without secrets. */
#include "config/config_diff.h"

#include <stdlib.h>
#include <string.h>

#include "config/edit.h"
#include "config/line_diff.h"
#include "runtime/text/bytes.h"
#include "tap.h"
#include "tests/config/check.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static char *dir;

void setUp(void)
{
    dir = check_mkdir();
}

void tearDown(void)
{
    check_rmdir(dir);
}

static void diff(const char *a, const char *b, const char *want)
{
    struct bytes out = {0};

    line_diff(&out, "f", slice_cstr(a), slice_cstr(b), 0, 100);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(want, out.ptr);
    bytes_finish(&out);
}

static void a_diff_is_unified(void)
{
    diff("a\n", "a\n", "");
    diff("", "a\n", "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+a\n");
    diff("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n",
         "--- a/f\n+++ b/f\n@@ -1,5 +1,5 @@\n a\n b\n-c\n+X\n d\n e\n");
    diff("a", "a\nb",
         "--- a/f\n+++ b/f\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n"
         "+a\n+b\n\\ No newline at end of file\n");
    diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1x\n2\n3\n4\n5\n6\n7\n8\n9x\n",
         "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-1\n+1x\n 2\n 3\n 4\n"
         "@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+9x\n");
}

static const struct config_edit to_m = {.key = "model", .value = "m"};
static const struct role_change to_show = {
    .role = "research", .edits = &to_m, .count = 1, .is_dry = true};

typedef int load_fn(const char *path, char *const *env, struct config **out,
                    struct config_error *e);

/* The diff of a change of that file; the caller's to free. */
static char *diff_of(const char *text, load_fn *load_by, char *const *env)
{
    struct config *c = NULL;
    struct role_changed made;
    struct config_error e;
    char *diff;

    check_write(check_path(dir, "f.yaml"), text, strlen(text));
    if (load_by(check_path(dir, "f.yaml"), env, &c, &e) ||
        config_change(c, env, &to_show, &made, &e))
        TEST_FAIL_MESSAGE(e.text);
    TEST_ASSERT_EQUAL(load_by == config_load, c->is_trusted);
    diff = made.diff;
    made.diff = NULL;
    role_changed_finish(&made);
    config_destroy(c);
    return diff;
}

/* Whatever a value looks like, and wherever it stands. The second word is
 * what of it would be seen. */
static const char *const secrets[][2] = {
    {"dashboard:\n  token: hush\n", "hush"},
    {"dashboard:\n  token: hush\nroles: []\n", "hush"},
    {"{dashboard: {token: hush}, roles: [{id: research}]}\n", "hush"},
    {"{dashboard: { host: localhost, token: hush },\n roles: "
     "[{id: research}]}\n",
     "hush"},
    {"{\"dashboard\": {\"token\": \"hu\\u0073h\"}, \"roles\": []}\n", "u0073"},
    {"{dashboard: {token: 'it''s hush'}, roles: []}\n", "hush"},
    {"{dashboard: {token: \"hush\n hush\"}, roles: []}\n", "hush"},
    {"roles:\n- id: research\ndashboard: {token: hush}\n", "hush"},
    {"roles:\n- id: research\ndashboard:\n  token: >-\n    hush\n    hush\n",
     "hush"},
    {"{roles: &r [{id: research, description: &t hush}],"
     " dashboard: {token: *t}}\n",
     "hush"},
    {"roles:\n- id: research\n  description: &t hush\n"
     "dashboard:\n  token: *t\n",
     "hush"},
    {"{x: &d {token: hush}, dashboard: *d, roles: []}\n", "hush"},
    {"{x: &d {token: hush}, dashboard: {<<: *d}, roles: []}\n", "hush"},
    {"{dashboard: {? token : !!str hush}, roles: []}\n", "hush"},
    {"{notifications: {webhook: 'https://example.org/hush'}, roles: []}\n",
     "hush"},
};

static void have_no_secret(load_fn *load_by, char *const *env)
{
    for (size_t i = 0; i < COUNT(secrets); i++) {
        char *diff = diff_of(secrets[i][0], load_by, env);

        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(diff, "model: m"), diff);
        TEST_ASSERT_NULL_MESSAGE(strstr(diff, secrets[i][1]), diff);
        free(diff);
    }
}

static void a_diff_has_no_secret(void)
{
    have_no_secret(config_load, NULL);
}

/* Of a project that is not trusted, or where a variable says otherwise. */
static void a_secret_that_does_not_hold_is_one(void)
{
    char *home = bytes_text("KUROMAJUTSU_HOME=%s/state", dir);
    char *untrusted[] = {home, NULL};
    char *other[] = {(char *)"KUROMAJUTSU_TOKEN=else", NULL};

    have_no_secret(config_examine, untrusted);
    have_no_secret(config_load, other);
    free(home);
}

/* And nothing else is, however short it is; lines keep their numbers. */
static void a_diff_hides_no_more_than_secrets(void)
{
    char *diff = diff_of("{dashboard: {token: m, port: 7}, roles:"
                         " [{id: research, name: m}]}\n",
                         config_load, NULL);

    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(diff, "\n+{dashboard: {token: {secret}, port: 7}, roles:"
                     " [{id: research, name: m, model: m}]}\n"),
        diff);
    free(diff);
    diff = diff_of("dashboard:\n  token: |-\n    hush\n\nroles:\n"
                   "  - id: research\n",
                   config_load, NULL);
    TEST_ASSERT_NOT_NULL_MESSAGE(
        strstr(diff, "@@ -5,2 +5,3 @@\n roles:\n   - id: research\n"
                     "+    model: m\n"),
        diff);
    free(diff);
}

int main(void)
{
    TAP_BEGIN();
    TEST(a_diff_is_unified);
    TEST(a_diff_has_no_secret);
    TEST(a_secret_that_does_not_hold_is_one);
    TEST(a_diff_hides_no_more_than_secrets);
    return TAP_END();
}

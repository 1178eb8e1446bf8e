/* SPDX-License-Identifier: MIT */
#include "tests/config/check.h"

#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

struct config *check_load(const char *text, char *const *env)
{
    struct config_error e;
    struct config *c = NULL;

    if (config_parse("f.yaml", text, strlen(text), env, &c, &e))
        TEST_FAIL_MESSAGE(e.text);
    return c;
}

/* Kana, or an ideograph: what no English text has. */
static bool is_japanese(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0xe3 && (unsigned char)*text <= 0xe9)
            return true;
    return false;
}

static void check_told(int rc, struct config *c, const struct config_error *e,
                       const char *want)
{
    config_destroy(c);
    TEST_ASSERT_EQUAL_STRING(want, e->text);
    TEST_ASSERT_TRUE_MESSAGE(is_japanese(e->ja), e->ja);
    TEST_ASSERT_LESS_THAN_INT(0, rc);
    TEST_ASSERT_NULL(c);
}

void check_error(const char *text, char *const *env, const char *want)
{
    struct config_error e;
    struct config *c = NULL;
    int rc = config_parse("f.yaml", text, strlen(text), env, &c, &e);

    check_told(rc, c, &e, want);
}

void check_error_n(const char *text, size_t len, const char *want)
{
    struct config_error e;
    struct config *c = NULL;
    int rc = config_parse("f.yaml", text, len, NULL, &c, &e);

    check_told(rc, c, &e, want);
}

void check_warnings(const char *text, const char *want)
{
    char *const env[] = {"KUROMAJUTSU_LANGUAGE=en", NULL};
    struct config *c = check_load(text, env);
    char all[4096] = "";

    for (size_t i = 0; i < c->warning_count; i++) {
        strcat(all, i ? "\n" : "");
        strcat(all, c->warnings[i]);
    }
    TEST_ASSERT_EQUAL_STRING(want, all);
    config_destroy(c);
}

char *check_mkdir(void)
{
    /* Every edit is synced: on a busy disk that is a second each. */
    const char *memory = "/dev/shm", *tmp = getenv("TMPDIR");
    const char *base = access(memory, W_OK) == 0 ? memory : tmp ? tmp : "/tmp";
    char *dir = NULL, *real;

    if (asprintf(&dir, "%s/config-XXXXXX", base) < 0)
        abort();
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    real = realpath(dir, NULL);
    free(dir);
    return real;
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void check_rmdir(char *dir)
{
    TEST_ASSERT_EQUAL_INT(0, nftw(dir, remove_one, 8, FTW_DEPTH | FTW_PHYS));
    free(dir);
}

const char *check_path(const char *dir, const char *name)
{
    static char paths[4][PATH_MAX];
    static unsigned turn;
    char *path = paths[turn++ % 4];

    snprintf(path, PATH_MAX, "%s/%s", dir, name);
    return path;
}

void check_write(const char *path, const char *text, size_t len)
{
    FILE *f = fopen(path, "wb");

    TEST_ASSERT_NOT_NULL(f);
    TEST_ASSERT_EQUAL_size_t(len, fwrite(text, 1, len, f));
    fclose(f);
}

char *check_read(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    char *text = malloc(4 << 20);

    TEST_ASSERT_NOT_NULL(f);
    *len = fread(text, 1, (4 << 20) - 1, f);
    text[*len] = '\0';
    fclose(f);
    return text;
}

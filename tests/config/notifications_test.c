/* SPDX-License-Identifier: MIT */
#include "config/config.h"

#include <string.h>

#include "config/url.h"
#include "tap.h"
#include "tests/config/check.h"

#define SET                                                                    \
    "notifications.failed: expected a list, which may be empty, of browser, "  \
    "desktop, command, webhook, found "
#define URL                                                                    \
    "notifications.webhook: expected an address that begins with http:// or "  \
    "https://, of at most 4095 bytes, found "

static void people_are_told_where_they_look(void)
{
    struct config *c = check_load("", NULL);
    const struct config_notifications *n = &c->notifications;

    for (int i = 0; i < CONFIG_NOTIFY_KINDS; i++)
        TEST_ASSERT_EQUAL_INT64(CONFIG_BROWSER | CONFIG_DESKTOP,
                                n->channels[i]);
    TEST_ASSERT_NULL(n->command[0]);
    TEST_ASSERT_EQUAL_STRING("", n->webhook);
    TEST_ASSERT_EQUAL_INT64(10000, n->timeout_ms);
    TEST_ASSERT_EQUAL_INT64(30000, n->interval_ms);
    config_destroy(c);
}

static void each_kind_has_channels_of_its_own(void)
{
    struct config *c = check_load("notifications:\n"
                                  "  failed: [webhook, command, webhook]\n"
                                  "  groupDone: []\n"
                                  "  command: [/bin/tell, '', -x, 1]\n"
                                  "  webhook: https://h.example:1/a?b\n",
                                  NULL);
    const struct config_notifications *n = &c->notifications;

    TEST_ASSERT_EQUAL_INT64(CONFIG_COMMAND | CONFIG_WEBHOOK,
                            n->channels[CONFIG_NOTIFY_FAILED]);
    TEST_ASSERT_EQUAL_INT64(0, n->channels[CONFIG_NOTIFY_GROUP_DONE]);
    TEST_ASSERT_EQUAL_INT64(CONFIG_BROWSER | CONFIG_DESKTOP,
                            n->channels[CONFIG_NOTIFY_STALLED]);
    TEST_ASSERT_EQUAL_STRING("/bin/tell", n->command[0]);
    TEST_ASSERT_EQUAL_STRING("", n->command[1]);
    TEST_ASSERT_EQUAL_STRING("1", n->command[3]);
    TEST_ASSERT_NULL(n->command[4]);
    TEST_ASSERT_EQUAL_STRING("https://h.example:1/a?b", n->webhook);
    config_destroy(c);
}

static void what_is_no_channel_is_refused(void)
{
    check_error("notifications: {failed: browser}\n", NULL,
                "f.yaml:1:25: " SET "\"browser\"");
    check_error("notifications: {failed: [mail]}\n", NULL,
                "f.yaml:1:25: " SET "a list");
    check_error("notifications: {failed: }\n", NULL,
                "f.yaml:1:25: " SET "nothing");
    check_error("notifications: {command: ./x}\n", NULL,
                "f.yaml:1:26: notifications.command: expected a list of at "
                "most 64 words, found \"./x\"");
    check_error("notifications: {command: ['']}\n", NULL,
                "f.yaml:1:26: notifications.command: expected a list of at "
                "most 64 words, found a list");
}

static void what_is_no_address_is_refused(void)
{
    check_error("notifications: {webhook: 'ftp://h/'}\n", NULL,
                "f.yaml:1:26: " URL "the quoted text \"ftp://h/\"");
    check_error("notifications: {webhook: 'http://'}\n", NULL,
                "f.yaml:1:26: " URL "the quoted text \"http://\"");
    check_error("notifications: {webhook: 'http://me:secret@h/'}\n", NULL,
                "f.yaml:1:26: " URL "the quoted text \"http://me:secret@h/\"");
    check_error("notifications: {webhook: \"http://h/\\r\\nX: y\"}\n", NULL,
                "f.yaml:1:26: " URL "the quoted text \"http://h/\r\\nX: y\"");
}

static void expect(const char *text, bool is_tls, const char *host,
                   const char *port, const char *target)
{
    struct url u;

    TEST_ASSERT_TRUE_MESSAGE(url_read(&u, text), text);
    TEST_ASSERT_EQUAL_INT(is_tls, u.is_tls);
    TEST_ASSERT_TRUE_MESSAGE(slice_eq(u.host, slice_cstr(host)), text);
    TEST_ASSERT_TRUE_MESSAGE(slice_eq(u.port, slice_cstr(port)), text);
    TEST_ASSERT_TRUE_MESSAGE(slice_eq(u.target, slice_cstr(target)), text);
}

static void an_address_has_parts(void)
{
    expect("http://h", false, "h", "80", "");
    expect("https://h.example/", true, "h.example", "443", "/");
    expect("https://h:8443/a/b?c=d", true, "h", "8443", "/a/b?c=d");
    expect("http://[::1]:1?x", false, "::1", "1", "?x");
    expect("http://[::1]/", false, "::1", "80", "/");
}

static void what_has_no_parts_is_none(void)
{
    static const char *const wrong[] = {
        "",           "h",          "http:/h",      "HTTP://h",
        "http://:80", "http://h:",  "http://h:0",   "http://h:65536",
        "http://h:x", "http://[::", "http://[::]x", "http://a b/",
        "http://h/#", "http://@h",  "http://h:1:2", "http://h:000001"};
    struct url u;

    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        TEST_ASSERT_FALSE_MESSAGE(url_read(&u, wrong[i]), wrong[i]);
}

int main(void)
{
    TAP_BEGIN();
    TEST(people_are_told_where_they_look);
    TEST(each_kind_has_channels_of_its_own);
    TEST(what_is_no_channel_is_refused);
    TEST(what_is_no_address_is_refused);
    TEST(an_address_has_parts);
    TEST(what_has_no_parts_is_none);
    return TAP_END();
}

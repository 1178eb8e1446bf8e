/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "tap.h"
#include "transport/http/mcp/headers.h"

static bool decodes(const char *text, const char *wanted)
{
    struct bytes out = {0};
    bool is_good = headers_decode(slice_cstr(text), &out) &&
                   slice_eq(bytes_slice(&out), slice_cstr(wanted));

    bytes_finish(&out);
    return is_good;
}

static void test_base64_has_one_form(void)
{
    static const char *const bad[] = {"=?base64?SGVsbG8?=",
                                      "=?base64?SGVs!!!bG8=?=",
                                      "=?base64?=?=",
                                      "=?base64?====?=",
                                      "=?base64?SGVsbG9=?=",
                                      "=?base64?SGV=bG8=?=",
                                      "=?base64?SGVsbG8=SGVs?=",
                                      "=?base64?SGVs bG8=?="};
    struct bytes out = {0};

    TEST_ASSERT_TRUE(decodes("=?base64?SGVsbG8=?=", "Hello"));
    TEST_ASSERT_TRUE(decodes("=?base64?SGVsbA==?=", "Hell"));
    TEST_ASSERT_TRUE(decodes("=?base64?SGVs?=", "Hel"));
    TEST_ASSERT_TRUE(decodes("=?base64?"
                             "?=",
                             ""));
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        TEST_ASSERT_FALSE_MESSAGE(headers_decode(slice_cstr(bad[i]), &out),
                                  bad[i]);
    bytes_finish(&out);
}

static void test_what_is_not_wrapped_is_as_it_is(void)
{
    TEST_ASSERT_TRUE(decodes("SGVsbG8=", "SGVsbG8="));
    TEST_ASSERT_TRUE(decodes("=?base64?SGVs", "=?base64?SGVs"));
    TEST_ASSERT_TRUE(decodes("=?BASE64?SGVs?=", "=?BASE64?SGVs?="));
    TEST_ASSERT_TRUE(decodes("=?base64?=", "=?base64?="));
    TEST_ASSERT_TRUE(decodes("", ""));
}

static void test_accept(void)
{
    TEST_ASSERT_EQUAL_UINT(HEADERS_JSON | HEADERS_ANY,
                           headers_accept((struct slice){0}));
    TEST_ASSERT_EQUAL_UINT(HEADERS_JSON | HEADERS_ANY,
                           headers_accept(SLICE("*/*")));
    TEST_ASSERT_EQUAL_UINT(
        HEADERS_JSON | HEADERS_STREAM,
        headers_accept(SLICE("Text/Event-Stream ; q=0.9 ,application/json")));
    TEST_ASSERT_EQUAL_UINT(HEADERS_STREAM, headers_accept(SLICE("text/*")));
    TEST_ASSERT_EQUAL_UINT(0, headers_accept(SLICE("text/html,,;")));
}

static void test_content_type(void)
{
    TEST_ASSERT_TRUE(headers_is_json(SLICE("application/json")));
    TEST_ASSERT_TRUE(headers_is_json(SLICE("application/json ;charset=x")));
    TEST_ASSERT_FALSE(headers_is_json(SLICE("application/json5")));
    TEST_ASSERT_FALSE(headers_is_json(SLICE("text/plain;application/json")));
    TEST_ASSERT_FALSE(headers_is_json(SLICE("")));
    TEST_ASSERT_FALSE(headers_is_json((struct slice){0}));
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_base64_has_one_form);
    TEST(test_what_is_not_wrapped_is_as_it_is);
    TEST(test_accept);
    TEST(test_content_type);
    return TAP_END();
}

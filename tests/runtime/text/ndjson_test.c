/* SPDX-License-Identifier: MIT */
#include "runtime/text/ndjson.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

struct seen {
    struct bytes log;
    const char *last;
};

static void on_line(void *ctx, const struct ndjson_line *line)
{
    struct seen *s = ctx;
    char head[64];
    int n = snprintf(head, sizeof(head),
                     "%llu:%zu:", (unsigned long long)line->offset, line->len);

    s->last = line->ptr;
    bytes_append(&s->log, head, (size_t)n);
    if (!line->ptr)
        bytes_append(&s->log, "SKIPPED", 7);
    else if (line->len <= 64)
        bytes_append(&s->log, line->ptr, line->len);
    bytes_append(&s->log, "|", 1);
}

static void feed(struct ndjson *nd, struct seen *s, const char *text,
                 size_t len, size_t chunk)
{
    for (size_t i = 0; i < len; i += chunk) {
        size_t n = len - i < chunk ? len - i : chunk;
        char *copy = bytes_alloc(n);
        memcpy(copy, text + i, n);
        ndjson_feed(nd, copy, n, on_line, s);
        free(copy);
    }
}

/* Every chunking gives the same lines; wanted as on_line writes them. */
static void check(const char *text, size_t len, size_t limit, const char *want)
{
    for (size_t chunk = 1; chunk <= len + 1; chunk++) {
        struct ndjson nd;
        struct seen s = {0};
        ndjson_init(&nd, limit);
        feed(&nd, &s, text, len, chunk);
        ndjson_end(&nd, on_line, &s);
        bytes_append(&s.log, "", 1);
        TEST_ASSERT_EQUAL_STRING(want, s.log.ptr);
        TEST_ASSERT_EQUAL_UINT64(len, nd.bytes);
        TEST_ASSERT_EQUAL_UINT64(len, nd.scanned);
        ndjson_finish(&nd);
        bytes_finish(&s.log);
    }
}

#define CHECK(text, limit, want) check(text, sizeof(text) - 1, limit, want)

static void test_lines_with_offsets(void)
{
    CHECK("a\nbc\n{\"d\":1}\n", 0, "0:1:a|2:2:bc|5:7:{\"d\":1}|");
}

static void test_crlf(void)
{
    CHECK("ab\r\ncd\r\n", 0, "0:2:ab|4:2:cd|");
    CHECK("a\rb\n\r\r\n", 0, "0:3:a\rb|4:1:\r|");
}

static void test_empty_lines_are_not_handed_on(void)
{
    CHECK("\n\na\n\r\n\nb\n", 0, "2:1:a|7:1:b|");
    CHECK("", 0, "");
    CHECK("\n", 0, "");
}

static void test_last_line_without_newline(void)
{
    CHECK("a\nbc", 0, "0:1:a|2:2:bc|");
    CHECK("bc\r", 0, "0:2:bc|");
    CHECK("a\n\r", 0, "0:1:a|");
}

static void test_bytes_pass_unchanged(void)
{
    CHECK("\xff\xfe\x80\n\xe3\x81\n", 0, "0:3:\xff\xfe\x80|4:2:\xe3\x81|");
}

static void test_nul_is_a_byte_like_any(void)
{
    struct ndjson nd;
    struct seen s = {0};

    ndjson_init(&nd, 0);
    ndjson_feed(&nd, "a\0b\nc\n", 6, on_line, &s);
    TEST_ASSERT_EQUAL_MEMORY("0:3:a\0b|4:1:c|", s.log.ptr, s.log.len);
    ndjson_finish(&nd);
    bytes_finish(&s.log);
}

static void test_limit_is_on_the_text(void)
{
    CHECK("abcd\nabcde\nx\n", 4, "0:4:abcd|5:5:SKIPPED|11:1:x|");
    CHECK("abcd\r\nabcde\r\nx\n", 4, "0:4:abcd|6:5:SKIPPED|13:1:x|");
    CHECK("abcdefgh", 4, "0:8:SKIPPED|");
    CHECK("abcdefghi\r\n\nok\n", 4, "0:9:SKIPPED|12:2:ok|");
}

static void test_skipped_are_counted(void)
{
    struct ndjson nd;
    struct seen s = {0};
    const char *text = "123456\n1\n\n1234567\r\n12";

    ndjson_init(&nd, 4);
    feed(&nd, &s, text, strlen(text), 3);
    ndjson_end(&nd, on_line, &s);
    TEST_ASSERT_EQUAL_UINT64(2, nd.too_long);
    TEST_ASSERT_EQUAL_UINT64(4, nd.lines);
    TEST_ASSERT_EQUAL_UINT64(1, nd.empty);
    ndjson_finish(&nd);
    bytes_finish(&s.log);
}

static void test_whole_line_is_not_copied(void)
{
    static const char chunk[] = "first\nsecond\nthi";
    struct ndjson nd;
    struct seen s = {0};

    ndjson_init(&nd, 0);
    ndjson_feed(&nd, chunk, sizeof(chunk) - 1, on_line, &s);
    TEST_ASSERT_EQUAL_PTR(chunk + 6, s.last);
    ndjson_feed(&nd, "rd\n", 3, on_line, &s);
    TEST_ASSERT_EQUAL_PTR(nd.carry.ptr, s.last);
    ndjson_finish(&nd);
    bytes_finish(&s.log);
}

/* Linear: each byte is looked at once, and copied by a doubling buffer. */
static void giant(size_t size, size_t chunk, size_t limit, bool is_kept)
{
    struct ndjson nd;
    struct seen s = {0};
    char *text = bytes_alloc(size + 3);

    memset(text, 'x', size);
    memcpy(text + size, "\na\n", 3);
    ndjson_init(&nd, limit);
    feed(&nd, &s, text, size + 3, chunk);
    TEST_ASSERT_EQUAL_UINT64(size + 3, nd.scanned);
    TEST_ASSERT_EQUAL_UINT64(2, nd.lines);
    TEST_ASSERT_EQUAL_UINT64(is_kept ? 0 : 1, nd.too_long);
    TEST_ASSERT_TRUE(nd.carry.cap <= NDJSON_KEEP);
    ndjson_finish(&nd);
    bytes_finish(&s.log);
    free(text);
}

static void test_giant_lines(void)
{
    giant((size_t)5 << 20, 4096, 0, true);
    giant((size_t)5 << 20, 65536, 0, true);
    giant((size_t)50 << 20, 65536, (size_t)64 << 20, true);
    giant((size_t)50 << 20, 65536, 0, false);
}

/* While a line over the limit goes by, nothing of it is held. */
static void test_memory_is_bounded_by_the_limit(void)
{
    struct ndjson nd;
    struct seen s = {0};
    char chunk[1000];
    size_t most = 0;

    memset(chunk, 'x', sizeof(chunk));
    ndjson_init(&nd, 100000);
    for (int i = 0; i < 5000; i++) {
        ndjson_feed(&nd, chunk, sizeof(chunk), on_line, &s);
        most = nd.carry.cap > most ? nd.carry.cap : most;
    }
    TEST_ASSERT_TRUE(most <= 200002);
    TEST_ASSERT_EQUAL_size_t(0, nd.carry.cap);
    ndjson_feed(&nd, "\nok\n", 4, on_line, &s);
    bytes_append(&s.log, "", 1);
    TEST_ASSERT_EQUAL_STRING("0:5000000:SKIPPED|5000001:2:ok|", s.log.ptr);
    ndjson_finish(&nd);
    bytes_finish(&s.log);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_lines_with_offsets);
    TEST(test_crlf);
    TEST(test_empty_lines_are_not_handed_on);
    TEST(test_last_line_without_newline);
    TEST(test_bytes_pass_unchanged);
    TEST(test_nul_is_a_byte_like_any);
    TEST(test_limit_is_on_the_text);
    TEST(test_skipped_are_counted);
    TEST(test_whole_line_is_not_copied);
    TEST(test_giant_lines);
    TEST(test_memory_is_bounded_by_the_limit);
    return TAP_END();
}

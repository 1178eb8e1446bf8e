/* SPDX-License-Identifier: MIT */
/*
 * How much of a bare JSON parser's speed is left when its lines become events:
 * the same lines once through yyjson with a pool, once through a transcript in
 * 64 KiB chunks, in turns, in CPU time. Only the ratio travels well between
 * machines. Usage: bench_parse [megabytes [rounds]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <yyjson.h>

#include "actors/bytes.h"
#include "actors/transcript.h"

#define CHUNK ((size_t)64 << 10)
#define POOL ((size_t)1 << 20)
#define ROUNDS_MAX 99

static const char SESSION[] =
    "\"session_id\":\"ebb521c2-7d0b-4d57-9c0e-3f3a6a3f7c11\"";

static double cpu_seconds(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void add_delta(struct bytes *out, unsigned i)
{
    char line[512];
    int n = snprintf(
        line, sizeof(line),
        "{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
        "\"content\":[{\"type\":\"text\",\"text\":\"piece %u of an answer, "
        "with `code` and \\\"quotes\\\"\"}]},%s,\"timestamp_ms\":17790136%05u}"
        "\n",
        i, SESSION, i % 100000);

    bytes_append(out, line, (size_t)n);
}

static void add_thought(struct bytes *out, unsigned i)
{
    char line[512];
    int n = snprintf(
        line, sizeof(line),
        "{\"type\":\"thinking\",\"subtype\":\"delta\",\"text\":\"The file %u "
        "must be read before anything in it can be changed.\",%s,"
        "\"timestamp_ms\":17790136%05u}\n",
        i, SESSION, i % 100000);

    bytes_append(out, line, (size_t)n);
}

static void add_call(struct bytes *out, unsigned i)
{
    char line[1024];
    int n = snprintf(
        line, sizeof(line),
        "{\"type\":\"tool_call\",\"subtype\":\"started\",\"call_id\":"
        "\"call-%u\\nfc_%u\",\"tool_call\":{\"editToolCall\":{\"args\":{"
        "\"path\":\"/work/src/file%u.c\",\"streamContent\":\"int x;\\n\"}},"
        "\"toolCallId\":\"call-%u\"},\"model_call_id\":\"m-%u\",%s}\n"
        "{\"type\":\"tool_call\",\"subtype\":\"completed\",\"call_id\":"
        "\"call-%u\\nfc_%u\",\"tool_call\":{\"editToolCall\":{\"args\":{"
        "\"path\":\"/work/src/file%u.c\"},\"result\":{\"success\":{"
        "\"linesAdded\":1,\"diffString\":\"--- a/f\\n+++ b/f\\n@@ -1 +1 "
        "@@\\n-a\\n+b\",\"afterFullFileContent\":\"int x;\\n\"}}}},%s}\n",
        i, i, i % 500, i, i, SESSION, i, i, i % 500, SESSION);

    bytes_append(out, line, (size_t)n);
}

/* Twenty lines: fifteen of text, three of thinking, one call with its end. */
static struct bytes make_stream(size_t size)
{
    struct bytes out = {0};

    for (unsigned i = 0; out.len < size; i++) {
        if (i % 19 == 18)
            add_call(&out, i);
        else if (i % 19 >= 15)
            add_thought(&out, i);
        else
            add_delta(&out, i);
    }
    return out;
}

static double run_bare(const struct bytes *text, uint64_t *lines)
{
    void *pool = bytes_alloc(POOL);
    double start = cpu_seconds();
    char *p = text->ptr, *end = text->ptr + text->len;

    *lines = 0;
    while (p < end) {
        char *nl = memchr(p, '\n', (size_t)(end - p));
        yyjson_alc alc;
        yyjson_alc_pool_init(&alc, pool, POOL);
        yyjson_doc *doc = yyjson_read_opts(p, (size_t)(nl - p), 0, &alc, NULL);
        *lines += doc != NULL;
        yyjson_doc_free(doc);
        p = nl + 1;
    }
    double used = cpu_seconds() - start;
    free(pool);
    return used;
}

static void count(void *ctx, const struct event *ev)
{
    uint64_t *events = ctx;

    (void)ev;
    ++*events;
}

static double run_transcript(const struct bytes *text, uint64_t *events)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    double start = cpu_seconds();

    *events = 0;
    for (size_t i = 0; i < text->len; i += CHUNK) {
        size_t n = text->len - i < CHUNK ? text->len - i : CHUNK;
        transcript_feed(tr, text->ptr + i, n, count, events);
    }
    transcript_end(tr, count, events);
    double used = cpu_seconds() - start;
    transcript_destroy(tr);
    return used;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof(values[0]), by_value);
    return values[n / 2];
}

int main(int argc, char **argv)
{
    size_t megabytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 5;
    double bare[ROUNDS_MAX], ours[ROUNDS_MAX];
    uint64_t lines = 0, events = 0;

    if (megabytes == 0 || rounds == 0 || rounds > ROUNDS_MAX) {
        fprintf(stderr, "usage: %s [megabytes [rounds]]\n", argv[0]);
        return 2;
    }
    struct bytes text = make_stream(megabytes << 20);
    for (size_t i = 0; i < rounds; i++) {
        bare[i] = run_bare(&text, &lines);
        ours[i] = run_transcript(&text, &events);
    }
    double b = (double)lines / median(bare, rounds);
    double o = (double)lines / median(ours, rounds);
    printf("lines %llu of %.0f bytes, events %llu\n", (unsigned long long)lines,
           (double)text.len / (double)lines, (unsigned long long)events);
    printf("yyjson      %6.2f M lines/s of CPU\n", b / 1e6);
    printf("transcript  %6.2f M lines/s, %.2f M events/s\n", o / 1e6,
           (double)events / median(ours, rounds) / 1e6);
    printf("ratio       %6.1f %%\n", 100 * o / b);
    bytes_finish(&text);
    return 0;
}

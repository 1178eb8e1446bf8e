/* SPDX-License-Identifier: MIT */
/*
 * The benches of agents, one a run, each printing one number:
 *
 *   agents stream N LINES    lines per CPU-second of the hub, N agents at once
 *   agents stream_rate N L   lines per second
 *   agents stream_peak N L   peak resident memory of the hub, bytes
 *   agents line BYTES        ns of the hub's CPU for a run with such a line
 *   agents yyjson LINES      lines per CPU-second of bare yyjson
 *   agents parse LINES       the same of our parsers, without a hub
 *
 * The warden and the CLI are found beside this program.
 */
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <yyjson.h>

#include "actors/stream/transcript.h"
#include "bench/fleet.h"
#include "bench/lines.h"
#include "runtime/process/process.h"

static char warden[4096], chatter[4096];

static double clock_of(clockid_t id)
{
    struct timespec now;

    clock_gettime(id, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- bare figures ---------------------------------------------------------
 */

/* All lines of a run in memory; the caller frees it. */
static char *make_text(unsigned long lines, size_t *len)
{
    char *text = malloc(lines * LINES_MAX), *end = text;

    for (unsigned long i = 0; i < lines; i++)
        end += lines_make(end, i, lines);
    *len = (size_t)(end - text);
    return text;
}

/* Each line parsed with a pool and freed: the least a reader can do. */
static unsigned long parse_bare(char *text, size_t len)
{
    size_t pool_size = yyjson_read_max_memory_usage(LINES_MAX, 0);
    void *pool = malloc(pool_size);
    unsigned long good = 0;

    for (char *p = text; p < text + len;) {
        char *newline = memchr(p, '\n', len - (size_t)(p - text));
        yyjson_alc alc;
        yyjson_doc *doc;

        yyjson_alc_pool_init(&alc, pool, pool_size);
        doc = yyjson_read_opts(p, (size_t)(newline - p), 0, &alc, NULL);
        good += doc != NULL;
        yyjson_doc_free(doc);
        p = newline + 1;
    }
    free(pool);
    return good;
}

/* The agent's own reader, without the hub around it. */
static unsigned long parse_ours(char *text, size_t len)
{
    struct transcript *tr = transcript_create(&backend_cursor, NULL);
    unsigned long lines;

    for (size_t at = 0; at < len; at += PROCESS_CHUNK_BYTES) {
        size_t left = len - at;
        transcript_feed(tr, text + at,
                        left < PROCESS_CHUNK_BYTES ? left : PROCESS_CHUNK_BYTES,
                        NULL, NULL);
    }
    transcript_end(tr, NULL, NULL);
    lines = (unsigned long)transcript_state(tr)->lines;
    transcript_destroy(tr);
    return lines;
}

/* Lines per CPU-second of one of the two. */
static double parse_rate(unsigned long lines,
                         unsigned long (*parse)(char *text, size_t len))
{
    size_t len;
    char *text = make_text(lines, &len);
    double begun = clock_of(CLOCK_PROCESS_CPUTIME_ID), taken;
    unsigned long good = parse(text, len);

    taken = clock_of(CLOCK_PROCESS_CPUTIME_ID) - begun;
    free(text);
    return good == lines ? (double)lines / taken : -1;
}

/* ---- agents -----------------------------------------------------------------
 */

static double stream(const char *what, unsigned n, const char *lines)
{
    const char *const argv[] = {chatter, lines, NULL};
    struct fleet_order order = {.agents = n, .argv = argv, .warden = warden};
    struct fleet_report report;
    unsigned long wanted = n * strtoul(lines, NULL, 10);

    if (fleet_run(&order, &report) != 0)
        return -1;
    if (report.lines != wanted) {
        fprintf(stderr, "%lu lines of %lu\n", (unsigned long)report.lines,
                wanted);
        return -1;
    }
    fprintf(stderr, "%.2f s, %.2f s of CPU, %.1f MB/s, peak %.1f MB\n",
            report.seconds, report.cpu_seconds,
            (double)report.bytes / report.seconds / 1e6,
            (double)report.peak_bytes / 1e6);
    if (strcmp(what, "stream_rate") == 0)
        return (double)report.lines / report.seconds;
    if (strcmp(what, "stream_peak") == 0)
        return (double)report.peak_bytes;
    return (double)report.lines / report.cpu_seconds;
}

/* One line of so many bytes among two others; the limit is raised for it. */
static double line(const char *bytes)
{
    const char *const argv[] = {chatter, "3", bytes, NULL};
    struct fleet_order order = {
        .agents = 1, .argv = argv, .warden = warden, .line_limit = 1ull << 30};
    struct fleet_report report;

    if (fleet_run(&order, &report) != 0 || report.lines != 3)
        return -1;
    return report.cpu_seconds * 1e9;
}

static int usage(void)
{
    fputs("usage: agents yyjson|parse|line N\n"
          "       agents stream|stream_rate|stream_peak AGENTS LINES\n",
          stderr);
    return 2;
}

static void find_programs(const char *self)
{
    char path[4096];

    snprintf(path, sizeof(path), "%s", self);
    snprintf(chatter, sizeof(chatter), "%s/chatter", dirname(path));
    snprintf(path, sizeof(path), "%s", self);
    snprintf(warden, sizeof(warden), "%s/../kuromajutsu-warden", dirname(path));
}

int main(int argc, char **argv)
{
    const char *what = argc > 2 ? argv[1] : "";
    unsigned n = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    double result;

    find_programs(argv[0]);
    if (n == 0)
        return usage();
    if (strncmp(what, "stream", 6) == 0 && argc == 4)
        result = stream(what, n, argv[3]);
    else if (strcmp(what, "line") == 0 && argc == 3)
        result = line(argv[2]);
    else if (strcmp(what, "yyjson") == 0 && argc == 3)
        result = parse_rate(n, parse_bare);
    else if (strcmp(what, "parse") == 0 && argc == 3)
        result = parse_rate(n, parse_ours);
    else
        return usage();
    if (result < 0)
        return 1;
    printf("%.6f\n", result);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * A CLI that says what a flow (bench/flow.h) lets it say, one line of
 * stream-json for each event, and leaves when the flow is over:
 *
 *   web-source ... "web-source: FLOW NUMBER"
 *
 * or one of a crowd, which says something every STEP ms, from FIRST ms after
 * its start on, and leaves after COUNT events (0: never):
 *
 *   web-source ... "web-crowd: FIRST STEP COUNT"
 *
 * With any other prompt or question it is the puppet beside it, which knows
 * how to be asked for models and health.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/flow.h"
#include "bench/puppet.h"

#define PROMPT "web-source: "
#define CROWD "web-crowd: "
#define MS 1000000ull
#define TAIL                                                                   \
    "\"session_id\":\"ebb521c2-0d5e-4b2f-9a5b-3f6a8a1c7d10\","                 \
    "\"timestamp_ms\":1784819288883}\n"

/* A message is not endless: now and then a tool is used. */
enum { TEXTS_PER_TOOL = 50 };

static void tool(const char *subtype, unsigned source, uint32_t n,
                 const char *result)
{
    printf("{\"type\":\"tool_call\",\"subtype\":\"%s\","
           "\"call_id\":\"call-%u-%" PRIu32 "\",\"tool_call\":{"
           "\"readToolCall\":{\"args\":{\"path\":\"/src/%" PRIu32 ".c\"}%s}},"
           "\"model_call_id\":\"59ff63a6-1\"," TAIL,
           subtype, source, n, n % 97, result);
}

static void use_tool(unsigned source, uint32_t n)
{
    tool("started", source, n, "");
    tool("completed", source, n,
         ",\"result\":{\"success\":{\"content\":\"alpha\","
         "\"totalLines\":1}}");
}

static void say_text(unsigned source, uint32_t n)
{
    char text[FLOW_TEXT];

    if (n % TEXTS_PER_TOOL == 0)
        use_tool(source, n);
    flow_text(text, source, n);
    printf("{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
           "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}," TAIL,
           text);
}

static void say_event(struct flow *f, unsigned source, uint32_t n)
{
    if (f->is_of_tools) {
        use_tool(source, n);
        flow_stamp(f, source, n);
    } else {
        say_text(source, n);
    }
}

static void begin(void)
{
    static char buffer[64 * 1024];

    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    fputs("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/src\","
          "\"apiKeySource\":\"login\",\"model\":\"Auto\"," TAIL,
          stdout);
    fflush(stdout);
}

static int end(void)
{
    fputs("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
          "\"duration_ms\":1,\"result\":\"done\"," TAIL,
          stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}

/* What may go at once is written at once. */
static int run(struct flow *f, unsigned source)
{
    uint32_t n = 1, count;

    begin();
    while ((count = flow_wait(f, source, n)) > 0) {
        while (count-- > 0)
            say_event(f, source, n++);
        fflush(stdout);
    }
    return end();
}

static void sleep_until(uint64_t ns)
{
    const struct timespec due = {.tv_sec = (time_t)(ns / (1000 * MS)),
                                 .tv_nsec = (long)(ns % (1000 * MS))};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) != 0)
        continue;
}

/* Each event changes what a page shows of it: words, a call, its result. */
static void say_one(uint32_t n)
{
    char text[FLOW_TEXT];

    if (n % 3 == 0) {
        tool("started", 0, n / 3, "");
    } else if (n % 3 == 1) {
        tool("completed", 0, n / 3,
             ",\"result\":{\"success\":{\"content\":\"alpha\","
             "\"totalLines\":1}}");
    } else {
        flow_text(text, 0, n);
        printf("{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\","
               "\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}," TAIL,
               text);
    }
    fflush(stdout);
}

static int run_in_crowd(unsigned first, unsigned step, unsigned count)
{
    uint64_t due = flow_now() + first * MS;

    begin();
    for (uint32_t n = 0; count == 0 || n < count; n++, due += step * MS) {
        sleep_until(due);
        say_one(n);
    }
    return end();
}

/* The numbers behind a word in the prompt, which is the last argument. */
static const char *order_of(int argc, char **argv, const char *word)
{
    const char *found = argc > 1 ? strstr(argv[argc - 1], word) : NULL;

    return found != NULL ? found + strlen(word) : "";
}

int main(int argc, char **argv)
{
    char path[1024];
    unsigned source, first, step, count;

    if (sscanf(order_of(argc, argv, CROWD), "%u %u %u", &first, &step,
               &count) == 3)
        return run_in_crowd(first, step, count);
    if (sscanf(order_of(argc, argv, PROMPT), "%1023s %u", path, &source) == 2 &&
        source < FLOW_SOURCES)
        return run(flow_open(path), source);
    puppet_become(argv);
}

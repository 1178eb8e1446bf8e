/* SPDX-License-Identifier: MIT */
/*
 * A CLI that says what a flow (bench/flow.h) lets it say, one line of
 * stream-json for each event, and leaves when the flow is over:
 *
 *   web-source ... "web-source: FLOW NUMBER"
 *
 * With any other prompt or question it is the puppet beside it, which knows
 * how to be asked for models and health.
 */
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/flow.h"

#define PROMPT "web-source: "
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

/* What may go at once is written at once. */
static void run(struct flow *f, unsigned source)
{
    uint32_t n = 1, count;

    fputs("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/src\","
          "\"apiKeySource\":\"login\",\"model\":\"Auto\"," TAIL,
          stdout);
    fflush(stdout);
    while ((count = flow_wait(f, source, n)) > 0) {
        while (count-- > 0)
            say_event(f, source, n++);
        fflush(stdout);
    }
    fputs("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
          "\"duration_ms\":1,\"result\":\"done\"," TAIL,
          stdout);
    fflush(stdout);
}

static _Noreturn void be_puppet(char **argv)
{
    char here[3000], puppet[4096];
    ssize_t len = readlink("/proc/self/exe", here, sizeof(here) - 1);

    here[len > 0 ? len : 0] = '\0';
    snprintf(puppet, sizeof(puppet), "%s/../kuromajutsu-puppet", dirname(here));
    argv[0] = puppet;
    execv(puppet, argv);
    perror(puppet);
    exit(1);
}

int main(int argc, char **argv)
{
    static char buffer[64 * 1024];
    char *order = argc > 1 ? strstr(argv[argc - 1], PROMPT) : NULL;
    char path[1024];
    unsigned source;

    if (order == NULL ||
        sscanf(order, PROMPT "%1023s %u", path, &source) != 2 ||
        source >= FLOW_SOURCES)
        be_puppet(argv);
    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    run(flow_open(path), source);
    return 0;
}

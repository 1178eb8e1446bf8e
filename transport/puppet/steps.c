/* SPDX-License-Identifier: MIT */
#include "transport/puppet/steps.h"

#include <signal.h>
#include <string.h>

enum {
    HOUR_MS = 3600 * 1000,
    MANY = 1000 * 1000 * 1000,
    MAX_MB = 1024,
    MB = 1024 * 1024
};

#define OUTCOMES "success rejected error denied"
#define NEED(n, t)                                                             \
    {                                                                          \
        .name = n, .type = t, .is_required = true                              \
    }
#define TEXT(n)                                                                \
    {                                                                          \
        .name = n, .type = ARG_TEXT                                            \
    }
#define JSON(n)                                                                \
    {                                                                          \
        .name = n, .type = ARG_JSON                                            \
    }
#define NUM(n, lo, hi, def)                                                    \
    {                                                                          \
        .name = n, .type = ARG_NUMBER, .low = lo, .high = hi, .fallback = def  \
    }
#define FLAG(n, def)                                                           \
    {                                                                          \
        .name = n, .type = ARG_FLAG, .fallback = def                           \
    }
#define WORD(n, list, def)                                                     \
    {                                                                          \
        .name = n, .type = ARG_WORD, .words = list, .fallback = def            \
    }
#define SPEECH                                                                 \
    {                                                                          \
        NEED("text", ARG_TEXT), NUM("chunks", 0, 100000, 0),                   \
            NUM("delay", 0, HOUR_MS, 10), FLAG("complete", 1)                  \
    }
#define MCP_CALL                                                               \
    NEED("tool", ARG_TEXT), JSON("args"), {.name = "save", .type = ARG_SAVE},  \
        NUM("timeout", 1, HOUR_MS, 60000), FLAG("required", -1)

static const struct step_form forms[STEP_KINDS] = {
    [STEP_SAY] = {"say", SAY_TEXT, SPEECH},
    [STEP_THINK] = {"think", SAY_TEXT, SPEECH},
    [STEP_TOOL] = {"tool",
                   TOOL_NAME,
                   {NEED("name", ARG_TEXT), JSON("args"),
                    WORD("result", OUTCOMES, OUTCOME_SUCCESS), TEXT("output"),
                    JSON("answer"), TEXT("reason"), NUM("ms", 0, HOUR_MS, 5),
                    NUM("exit", 0, 255, 0)}},
    [STEP_EDIT] = {"edit",
                   EDIT_PATH,
                   {NEED("path", ARG_TEXT), TEXT("content"),
                    WORD("result", OUTCOMES, OUTCOME_SUCCESS), TEXT("old"),
                    FLAG("created", -1), TEXT("reason"),
                    NUM("ms", 0, HOUR_MS, 5), FLAG("write", 0)}},
    [STEP_MCP] = {"mcp", MCP_TOOL, {MCP_CALL}},
    [STEP_WAIT_MCP] = {"wait_mcp",
                       -1,
                       {MCP_CALL, NEED("until", ARG_TEXT), JSON("equals"),
                        NUM("every", 1, HOUR_MS, 200)}},
    [STEP_RESULT] = {"result",
                     RESULT_TEXT,
                     {TEXT("text"), FLAG("error", 0), NUM("status", 0, 599, 0),
                      TEXT("reason")}},
    [STEP_USAGE] = {"usage",
                    -1,
                    {NUM("input", 0, MANY, 0), NUM("output", 0, MANY, 0),
                     NUM("cache_read", 0, MANY, 0),
                     NUM("cache_write", 0, MANY, 0)}},
    [STEP_INIT] = {"init", -1, {{0}}},
    [STEP_RATE_LIMIT] = {"rate_limit",
                         LIMIT_STATUS,
                         {WORD("status", "allowed allowed_warning rejected", 2),
                          NUM("resets_in", 0, MANY, 3600), TEXT("type")}},
    [STEP_RETRY] = {"retry",
                    RETRY_ATTEMPT,
                    {NUM("attempt", 1, 1000, 1), NUM("max", 1, 1000, 10),
                     NUM("delay", 0, HOUR_MS, 600), NUM("status", 0, 599, 529),
                     TEXT("error")}},
    [STEP_RAW] = {"raw",
                  RAW_TEXT,
                  {TEXT("text"), TEXT("hex"), FLAG("newline", 1)}},
    [STEP_STDERR] = {"stderr", STDERR_TEXT, {NEED("text", ARG_TEXT)}},
    [STEP_SLEEP] = {"sleep",
                    SLEEP_MS,
                    {{.name = "ms",
                      .type = ARG_NUMBER,
                      .is_required = true,
                      .high = 24 * HOUR_MS}}},
    [STEP_SPIN] = {"spin",
                   SLEEP_MS,
                   {{.name = "ms",
                     .type = ARG_NUMBER,
                     .is_required = true,
                     .high = 24 * HOUR_MS}}},
    [STEP_REPEAT] = {"repeat",
                     -1,
                     {{.name = "times",
                       .type = ARG_NUMBER,
                       .is_required = true,
                       .high = MANY},
                      NEED("steps", ARG_STEPS)}},
    [STEP_FLOOD] = {"flood",
                    FLOOD_LINES,
                    {NUM("lines", 1, MANY, 10000), NUM("size", 1, MB, 200)}},
    [STEP_LINE] = {"line",
                   LINE_MB,
                   {NUM("mb", 1, MAX_MB, 1),
                    NUM("bytes", 1, MAX_MB *(long)MB, 0)}},
    [STEP_BAD_UTF8] = {"bad_utf8", BAD_UTF8_LINES, {NUM("lines", 1, MANY, 1)}},
    [STEP_TRICKLE] = {"trickle",
                      TRICKLE_LINES,
                      {NUM("lines", 0, MANY, 10),
                       NUM("every", 0, HOUR_MS, 100)}},
    [STEP_DAEMON] = {"daemon",
                     -1,
                     {FLAG("ignore_term", 0), FLAG("hold_stdout", 1),
                      NUM("seconds", 1, 86400, 600)}},
    [STEP_IGNORE_TERM] = {"ignore_term", IGNORE_TERM_ON, {FLAG("on", 1)}},
    [STEP_HANG] = {"hang", -1, {{0}}},
    [STEP_CRASH] = {"crash",
                    CRASH_SIGNAL,
                    {WORD("signal", "SEGV ABRT BUS FPE ILL KILL TERM INT HUP",
                          0)}},
    [STEP_EXIT] = {"exit", EXIT_CODE, {NUM("code", 0, 255, 0)}},
};

#undef OUTCOMES
#undef NEED
#undef TEXT
#undef JSON
#undef NUM
#undef FLAG
#undef WORD
#undef SPEECH
#undef MCP_CALL

const struct step_form *step_form(enum step_kind kind)
{
    return &forms[kind];
}

enum step_kind step_named(const char *name)
{
    enum step_kind kind = 0;

    while (kind < STEP_KINDS && strcmp(forms[kind].name, name))
        kind++;
    return kind;
}

void step_names(struct text *list)
{
    for (enum step_kind kind = 0; kind < STEP_KINDS; kind++)
        text_addf(list, "%s%s", kind ? ", " : "", forms[kind].name);
}

void step_arg_names(const struct step_form *form, struct text *list)
{
    if (form->args[0].type == ARG_NONE)
        text_adds(list, "nothing");
    for (int i = 0; i < STEP_ARGS && form->args[i].type != ARG_NONE; i++)
        text_addf(list, "%s%s", i ? ", " : "", form->args[i].name);
}

long step_word(const char *words, const char *word)
{
    size_t len = strlen(word);

    for (long place = 0; words; place++) {
        const char *end = strchrnul(words, ' ');
        if ((size_t)(end - words) == len && !memcmp(words, word, len))
            return place;
        words = *end ? end + 1 : NULL;
    }
    return -1;
}

int step_signal(long word)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL,
                                  SIGKILL, SIGTERM, SIGINT, SIGHUP};

    return signals[word];
}

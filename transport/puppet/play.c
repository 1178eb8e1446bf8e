/* SPDX-License-Identifier: MIT */
#include "transport/puppet/play.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void play_text(struct play *p, const struct arg *arg, struct text *out)
{
    if (arg->text)
        vars_expand(p->vars, arg->text, arg->len, out);
    if (!out->data)
        text_adds(out, "");
}

static bool utter(struct play *p, const struct step *s)
{
    struct text text = {0};

    play_text(p, &s->args[SAY_TEXT], &text);
    struct speech speech = {
        .text = text.data,
        .len = text.len,
        .chunks = s->args[SAY_CHUNKS].number,
        .delay = s->args[SAY_DELAY].number,
        .is_complete = s->args[SAY_COMPLETE].number,
        .is_final = p->is_final,
    };
    if (s->kind == STEP_SAY)
        teller_say(p->teller, &speech);
    else
        p->teller->lines->think(p->teller, &speech);
    text_finish(&text);
    return true;
}

static bool end(struct play *p, const struct step *s)
{
    struct text text = {0}, reason = {0};
    bool is_error = s->args[RESULT_ERROR].number;

    play_text(p, &s->args[RESULT_TEXT], &text);
    play_text(p, &s->args[RESULT_REASON], &reason);
    if (!reason.len)
        text_adds(&reason, is_error ? "api_error" : "completed");
    struct ending ending = {
        .text = s->args[RESULT_TEXT].is_set ? text.data : NULL,
        .is_error = is_error,
        .status = s->args[RESULT_STATUS].number,
        .reason = reason.data,
    };
    teller_end(p->teller, &ending);
    p->has_failed = is_error;
    text_finish(&text);
    text_finish(&reason);
    return true;
}

static bool usage(struct play *p, const struct step *s)
{
    for (int i = 0; i < 4; i++)
        p->teller->usage[i] += s->args[i].number;
    return true;
}

static bool init(struct play *p, const struct step *s)
{
    (void)s;
    p->teller->lines->init(p->teller);
    return true;
}

static bool rate_limit(struct play *p, const struct step *s)
{
    static const char *const words[] = {"allowed", "allowed_warning",
                                        "rejected"};
    struct text type = {0};

    play_text(p, &s->args[LIMIT_TYPE], &type);
    struct limit limit = {
        .status = words[s->args[LIMIT_STATUS].number],
        .type = type.len ? type.data : "five_hour",
        .resets_at = teller_wall_ms() / 1000 + s->args[LIMIT_RESETS_IN].number,
    };
    p->teller->lines->limit(p->teller, &limit);
    text_finish(&type);
    return true;
}

static bool retry(struct play *p, const struct step *s)
{
    struct text error = {0};

    play_text(p, &s->args[RETRY_ERROR], &error);
    struct retry r = {
        .attempt = s->args[RETRY_ATTEMPT].number,
        .max = s->args[RETRY_MAX].number,
        .delay = s->args[RETRY_DELAY].number,
        .status = s->args[RETRY_STATUS].number,
        .error = error.len ? error.data : "overloaded",
    };
    p->teller->lines->retry(p->teller, &r);
    text_finish(&error);
    return true;
}

static void add_hex(const char *hex, struct text *out)
{
    while (*hex) {
        char pair[3] = {0};
        if (isxdigit((unsigned char)hex[0]) && isxdigit((unsigned char)hex[1]))
            memcpy(pair, hex, 2);
        hex += *pair ? 2 : 1;
        char byte = (char)strtol(pair, NULL, 16);
        if (*pair)
            text_add(out, &byte, 1);
    }
}

static bool raw(struct play *p, const struct step *s)
{
    struct text bytes = {0}, hex = {0};

    play_text(p, &s->args[RAW_TEXT], &bytes);
    play_text(p, &s->args[RAW_HEX], &hex);
    add_hex(hex.data, &bytes);
    if (s->args[RAW_NEWLINE].number)
        text_adds(&bytes, "\n");
    out_add(&p->teller->out, bytes.data, bytes.len);
    text_finish(&bytes);
    text_finish(&hex);
    return true;
}

static bool say_stderr(struct play *p, const struct step *s)
{
    struct text text = {0};

    play_text(p, &s->args[STDERR_TEXT], &text);
    out_flush(&p->teller->out);
    fprintf(stderr, "%s\n", text.data);
    text_finish(&text);
    return true;
}

static bool pause_step(struct play *p, const struct step *s)
{
    teller_pause(p->teller, s->args[SLEEP_MS].number);
    return true;
}

static bool spin(struct play *p, const struct step *s)
{
    teller_spin(p->teller, s->args[SLEEP_MS].number);
    return true;
}

static bool leave(struct play *p, const struct step *s)
{
    p->exit_code = (int)s->args[EXIT_CODE].number;
    p->has_failed = false;
    return false;
}

static bool play_steps(struct play *p, const struct step *steps, size_t count,
                       bool is_repeated);

static bool repeat(struct play *p, const struct step *s)
{
    for (long i = 1; i <= s->args[REPEAT_TIMES].number; i++) {
        vars_set_number(p->vars, "index", i);
        if (!play_steps(p, s->body, s->body_count, true))
            return false;
    }
    return true;
}

/* A message is the last of its run if nothing is said or done between it and
 * the result: that is what its assistant line has to show. */
static bool is_last(const struct step *next, const struct step *end_of,
                    bool is_repeated)
{
    for (; next < end_of; next++) {
        if (next->kind == STEP_RESULT)
            return true;
        if (next->kind <= STEP_WAIT_MCP || next->kind == STEP_REPEAT)
            return false;
    }
    return !is_repeated;
}

static const play_fn players[STEP_KINDS] = {
    [STEP_SAY] = utter,
    [STEP_THINK] = utter,
    [STEP_TOOL] = play_tool,
    [STEP_EDIT] = play_edit,
    [STEP_MCP] = play_mcp,
    [STEP_WAIT_MCP] = play_wait_mcp,
    [STEP_RESULT] = end,
    [STEP_USAGE] = usage,
    [STEP_INIT] = init,
    [STEP_RATE_LIMIT] = rate_limit,
    [STEP_RETRY] = retry,
    [STEP_RAW] = raw,
    [STEP_STDERR] = say_stderr,
    [STEP_SLEEP] = pause_step,
    [STEP_SPIN] = spin,
    [STEP_REPEAT] = repeat,
    [STEP_FLOOD] = play_flood,
    [STEP_LINE] = play_line,
    [STEP_BAD_UTF8] = play_bad_utf8,
    [STEP_TRICKLE] = play_trickle,
    [STEP_DAEMON] = play_daemon,
    [STEP_IGNORE_TERM] = play_ignore_term,
    [STEP_HANG] = play_hang,
    [STEP_CRASH] = play_crash,
    [STEP_EXIT] = leave,
};

static bool play_steps(struct play *p, const struct step *steps, size_t count,
                       bool is_repeated)
{
    for (size_t i = 0; i < count; i++) {
        p->is_final = is_last(&steps[i + 1], steps + count, is_repeated);
        bool goes_on = players[steps[i].kind](p, &steps[i]);
        out_flush(&p->teller->out);
        if (!goes_on)
            return false;
    }
    return true;
}

int play_scenario(struct play *p)
{
    if (p->scenario->has_init) {
        p->teller->lines->init(p->teller);
        p->teller->lines->prompt(p->teller);
        out_flush(&p->teller->out);
    }
    play_steps(p, p->scenario->steps, p->scenario->count, false);
    return p->has_failed ? 1 : p->exit_code;
}

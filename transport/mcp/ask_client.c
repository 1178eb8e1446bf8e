/* SPDX-License-Identifier: MIT */
/*
 * What a client of the older era is asked while its call lasts. Our ids are
 * texts that begin with s: no client mixes them up with its own, which it
 * counts.
 */
#include "transport/mcp/inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

/* Of one session at a time: a client that never replies costs no more. */
#define MAX_QUESTIONS 64

static unsigned needs(struct slice method)
{
    return slice_eq(method, SLICE("sampling/createMessage")) ? MCP_CAN_SAMPLE
           : slice_eq(method, SLICE("elicitation/create"))   ? MCP_CAN_ELICIT
           : slice_eq(method, SLICE("roots/list"))           ? MCP_CAN_ROOTS
                                                             : 0;
}

static void put_id(struct bytes *out, const struct mcp_session *s, uint64_t ask)
{
    char text[64];
    int n = snprintf(text, sizeof(text), "\"s%" PRIx64 "-%" PRIu64 "\"",
                     s->options.serial, ask);

    bytes_append(out, text, (size_t)n);
}

int mcp_ask(struct mcp_session *s, uint64_t handle, struct slice method,
            struct slice params, uint64_t *ask)
{
    const struct mcp_pending *f = mcp_call_find(s, handle);
    struct bytes out = {0};

    if (!f)
        return -ENOENT;
    if (f->version == MCP_2026_07_28 || f->batch ||
        (f->can & needs(method)) == 0)
        return -ENOTSUP;
    if (s->question_count == MAX_QUESTIONS)
        return -EAGAIN;
    if (!s->questions)
        s->questions = bytes_zalloc(MAX_QUESTIONS * sizeof(s->questions[0]));
    *ask = ++s->last_ask;
    s->questions[s->question_count++] = (struct mcp_question){*ask, handle};
    JSON_RAW(&out, "{\"jsonrpc\":\"2.0\",\"id\":");
    put_id(&out, s, *ask);
    JSON_TEXT(&out, "method", method);
    if (params.len > 0) {
        JSON_KEY(&out, "params");
        json_raw(&out, params);
    }
    rpc_end(&out);
    mcp_send(s, &out, (struct mcp_line){.handle = handle});
    return 0;
}

static size_t find(const struct mcp_session *s, struct slice id)
{
    struct bytes text = {0};
    size_t i;

    for (i = 0; i < s->question_count; i++) {
        text.len = 0;
        put_id(&text, s, s->questions[i].ask);
        if (slice_eq(bytes_slice(&text), id))
            break;
    }
    bytes_finish(&text);
    return i;
}

void mcp_ask_on_response(struct mcp_session *s, const struct rpc_message *m)
{
    size_t i = find(s, bytes_slice(&m->id));

    if (i == s->question_count)
        return;
    struct mcp_reply reply = {.handle = s->questions[i].handle,
                              .ask = s->questions[i].ask,
                              .result = FIELD(m->message, "result"),
                              .error = FIELD(m->message, "error")};
    s->questions[i] = s->questions[--s->question_count];
    if (s->host.on_reply)
        s->host.on_reply(s->host.ctx, &reply);
}

void mcp_ask_forget(struct mcp_session *s, uint64_t handle)
{
    for (size_t i = s->question_count; i-- > 0;)
        if (s->questions[i].handle == handle)
            s->questions[i] = s->questions[--s->question_count];
}

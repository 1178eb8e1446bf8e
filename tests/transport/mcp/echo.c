/* SPDX-License-Identifier: MIT */
/*
 * mcp-echo: the transport library as a server on stdin and stdout, for real
 * clients to talk to. Every tool has one canned answer, and some do more:
 *
 *   wait_agent         for the agent "slow" three notices of progress, and the
 *                      answer when the next call comes (official clients lose
 *                      progress that arrives together with the answer); for
 *                      "never" no answer at all, until the client cancels
 *   get_agent_status   toolCallCount is how many calls were cancelled
 *   delete_group       tells that the list of tools has changed; for the group
 *                      "missing" the answer is GROUP_NOT_FOUND
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "tests/unity/json_text.h"
#include "transport/io/frame.h"
#include "transport/mcp/mcp.h"

static const char *const answers[][2] = {
#include "tests/transport/mcp/answers.inc"
};

struct echo {
    struct mcp_session *session;
    unsigned cancelled;
    uint64_t slow; /* the wait for "slow", or 0 */
};

static void on_output(void *ctx, const struct mcp_line *line)
{
    size_t done = 0;

    (void)ctx;
    while (done < line->text.len) {
        ssize_t n =
            write(STDOUT_FILENO, line->text.ptr + done, line->text.len - done);
        if (n < 0 && errno != EINTR)
            exit(0); /* the client has left */
        done += n > 0 ? (size_t)n : 0;
    }
}

static void answer(struct echo *e, uint64_t handle, enum order_kind name)
{
    mcp_answer(e->session, handle, slice_cstr(json_of(answers[name][1])),
               false);
}

/* True: the call is to be answered later, or never. */
static bool waits(struct echo *e, const struct mcp_call *call)
{
    yyjson_val *ids = FIELD(call->args, "agentIds");
    struct slice first = field_text(yyjson_arr_get_first(ids));
    bool is_slow = slice_eq(first, SLICE("slow"));

    if (call->tool->kind != ORDER_WAIT_AGENT)
        return false;
    for (int i = 1; is_slow && i <= 3; i++)
        mcp_progress(e->session, call->handle, i, 3, SLICE("still at work"));
    if (is_slow)
        e->slow = call->handle;
    return is_slow || slice_eq(first, SLICE("never"));
}

static void answer_status(struct echo *e, uint64_t handle)
{
    char text[300];
    int n = snprintf(text, sizeof(text),
                     "{\"agentId\":\"a\",\"groupId\":\"g\",\"role\":\"r\","
                     "\"model\":\"m\",\"status\":\"running\",\"startedAt\":"
                     "null,\"elapsed_ms\":0,\"toolCallCount\":%u,"
                     "\"result\":null}",
                     e->cancelled);

    mcp_answer(e->session, handle, slice_of(text, (size_t)n), false);
}

static bool refuse_missing(struct echo *e, const struct mcp_call *call)
{
    struct bytes body = {0};

    if (call->tool->kind != ORDER_DELETE_GROUP ||
        !slice_eq(FIELD_TEXT(call->args, "groupId"), SLICE("missing")))
        return false;
    code_put_error(&body, CODE_GROUP_NOT_FOUND, SLICE("no such group"),
                   SLICE_EMPTY);
    mcp_answer(e->session, call->handle, bytes_slice(&body), true);
    bytes_finish(&body);
    return true;
}

static void on_call(void *ctx, struct mcp_call *call)
{
    struct echo *e = ctx;

    answer(e, e->slow, ORDER_WAIT_AGENT);
    e->slow = 0;
    if (waits(e, call) || refuse_missing(e, call))
        return;
    if (call->tool->kind == ORDER_DELETE_GROUP)
        mcp_notify_changed(e->session, MCP_TOOLS);
    if (call->tool->kind == ORDER_GET_AGENT_STATUS)
        answer_status(e, call->handle);
    else
        answer(e, call->handle, call->tool->kind);
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct echo *e = ctx;

    (void)tag;
    (void)handle;
    e->cancelled++;
}

static bool on_text(void *ctx, struct slice text)
{
    struct echo *e = ctx;

    mcp_input(e->session, text);
    mcp_written(e->session, SIZE_MAX);
    return true;
}

static void serve(struct echo *e)
{
    struct frame frame;
    char chunk[65536];
    ssize_t n;

    frame_init(&frame, 0, on_text, e);
    while ((n = read(STDIN_FILENO, chunk, sizeof(chunk))) > 0)
        frame_feed(&frame, chunk, (size_t)n);
    frame_end(&frame);
    frame_finish(&frame);
}

int main(void)
{
    struct echo e = {0};
    struct tools *tools = tools_create(TOOLS_JAPANESE);

    signal(SIGPIPE, SIG_IGN);
    e.session =
        mcp_create(&(struct mcp_options){.tools = tools, .version = "0.0.1"},
                   &(struct mcp_host){.ctx = &e,
                                      .on_output = on_output,
                                      .on_call = on_call,
                                      .on_cancelled = on_cancelled});
    serve(&e);
    mcp_close(e.session);
    mcp_destroy(e.session);
    tools_destroy(tools);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * A client's bytes, lines of any content: the session never crashes, answers
 * no request twice, and writes nothing but JSON-RPC lines. A line beginning
 * with '!' is the host's: its bytes say what it does.
 */
#include <stdint.h>
#include <stdlib.h>

#include "tests/transport/mcp/watch.h"
#include "transport/io/frame.h"
#include "transport/mcp/mcp.h"

struct fuzz {
    struct watch watch;
    struct mcp_session *session;
    uint64_t last;
};

static void on_output(void *ctx, const struct mcp_line *line)
{
    watch_output(&((struct fuzz *)ctx)->watch, line->text);
}

static void on_call(void *ctx, struct mcp_call *call)
{
    ((struct fuzz *)ctx)->last = call->handle;
}

static void on_request(void *ctx, const struct mcp_request *request)
{
    ((struct fuzz *)ctx)->last = request->handle;
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    (void)tag;
    (void)ctx;
    (void)handle;
}

static void play_host(struct fuzz *f, struct slice text)
{
    for (size_t i = 1; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        uint64_t handle = f->last - c / 8;
        struct slice rest = slice_of(text.ptr + i, text.len - i);
        uint64_t ask;
        if (c % 8 == 0)
            mcp_answer(f->session, handle, SLICE("{\"a\":1}"), c & 8);
        else if (c % 8 == 1)
            mcp_answer(f->session, handle, rest, false);
        else if (c % 8 == 2)
            mcp_progress(f->session, handle, c, 0, rest);
        else if (c % 8 == 3)
            mcp_result(f->session, handle, rest);
        else if (c % 8 == 4)
            mcp_notify_updated(f->session, rest);
        else if (c % 8 == 5)
            mcp_ask(f->session, handle, SLICE("roots/list"), SLICE(""), &ask);
        else
            mcp_notify_changed(f->session, (enum mcp_list)(c % 3));
    }
}

static bool on_text(void *ctx, struct slice text)
{
    struct fuzz *f = ctx;

    if (text.ptr && text.ptr[0] == '!') {
        play_host(f, text);
        return true;
    }
    if (text.ptr)
        watch_input(&f->watch, text);
    mcp_input(f->session, text);
    mcp_written(f->session, SIZE_MAX);
    return true;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tools *tools;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    tools = tools_create(TOOLS_ENGLISH);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz *f = bytes_zalloc(sizeof(*f));
    struct frame frame;

    f->session = mcp_create(
        &(struct mcp_options){
            .tools = tools, .version = "1", .offers = ~0u, .max_calls = 8},
        &(struct mcp_host){.ctx = f,
                           .on_output = on_output,
                           .on_call = on_call,
                           /* Or else what toolsets offer are calls. */
                           .on_request = size % 2 == 0 ? on_request : NULL,
                           .on_cancelled = on_cancelled});
    frame_init(&frame, 4096, on_text, f);
    frame_feed(&frame, (const char *)data, size);
    frame_end(&frame);
    frame_finish(&frame);
    mcp_close(f->session);
    mcp_destroy(f->session);
    free(f);
    return 0;
}

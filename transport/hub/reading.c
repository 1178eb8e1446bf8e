/* SPDX-License-Identifier: MIT */
/*
 * One client, which waits for each answer before it asks again: so answers are
 * written with plain writes, and nothing else is kept waiting by them. The
 * client is this program's own parent; it is believed to be no agent, for what
 * can be asked here every process of this user can read anyway.
 */
#include "transport/hub/reading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "actors/projects/projects.h"
#include "actors/store/reader.h"
#include "actors/store/store.h"
#include "runtime/text/json.h"
#include "transport/session/calls.h"
#include "transport/wire/build.h"
#include "transport/wire/wire.h"

#define CHUNK ((size_t)64 << 10)

struct reading {
    struct reader_setup past;
    int socket;
    const struct tools *tools;
    bool is_greeted; /* the line before the first frame was there */
    struct calls calls;
    struct wire_reader in;
};

/* ---- out ---------------------------------------------------------------- */

static void put(const struct reading *r, enum wire_kind kind, unsigned flags,
                uint64_t handle, struct slice payload)
{
    struct bytes out = {0};
    size_t at = 0;
    ssize_t n = 1;

    wire_put(&out, kind, flags, handle, payload);
    while (at < out.len && (n > 0 || errno == EINTR)) {
        n = send(r->socket, out.ptr + at, out.len - at, MSG_NOSIGNAL);
        at += n > 0 ? (size_t)n : 0;
    }
    bytes_finish(&out);
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    (void)t;
    put(ctx, WIRE_ANSWER, a->is_error ? WIRE_IS_ERROR : 0, handle,
        bytes_slice(&a->json));
}

static const struct calls_client client = {.on_answer = on_answer};

static void welcome(const struct reading *r)
{
    struct bytes body = {0};

    JSON_RAW(&body, "{");
    JSON_TEXT(&body, "build", slice_cstr(build_id()));
    JSON_UINT(&body, "pid", (uint64_t)getpid());
    JSON_TEXT(&body, "agentId", SLICE_EMPTY);
    JSON_UINT(&body, "running", 0);
    JSON_RAW(&body, "}");
    put(r, WIRE_WELCOME, 0, 0, bytes_slice(&body));
    bytes_finish(&body);
}

/* ---- in ----------------------------------------------------------------- */

/* A wait would be for what no hub is there to tell. */
static enum order_kind kind_of(struct slice name)
{
    enum order_kind kind = order_find(name);

    return kind == ORDER_WAIT_AGENT ? ORDER_KINDS : kind;
}

static void on_call(struct rt_turn *t, struct reading *r,
                    const struct wire_frame *frame)
{
    yyjson_doc *doc = yyjson_read(frame->payload.ptr, frame->payload.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);

    calls_place(t, &r->calls,
                &(struct call){.client = &client,
                               .ctx = r,
                               .handle = frame->head.handle,
                               .kind = kind_of(FIELD_TEXT(root, "name")),
                               .doc = doc,
                               .args = FIELD(root, "args"),
                               .bytes = frame->payload.len});
}

/* False: it is not there yet, or never will be. */
static bool take_greeting(struct reading *r)
{
    const size_t len = strlen(WIRE_GREETING);

    if (r->is_greeted || r->in.buffer.len < len)
        return r->is_greeted;
    if (memcmp(r->in.buffer.ptr, WIRE_GREETING, len) != 0)
        return false;
    r->in.used = len;
    r->is_greeted = true;
    return true;
}

static enum rt_next on_ready(struct rt_turn *t, struct reading *r)
{
    struct wire_frame frame;
    char *space = wire_space(&r->in, CHUNK);
    ssize_t n = recv(r->socket, space, CHUNK, MSG_DONTWAIT);
    int found = 0;

    if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
        return RT_STOP;
    wire_filled(&r->in, n > 0 ? (size_t)n : 0);
    while (take_greeting(r) && (found = wire_next(&r->in, &frame)) > 0) {
        if (frame.head.kind == WIRE_HELLO)
            welcome(r);
        else if (frame.head.kind == WIRE_CALL)
            on_call(t, r, &frame);
    }
    return found < 0 ? RT_STOP : RT_OK;
}

/* ---- the actor ---------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct reading *r = state;

    if (calls_handle(t, &r->calls, m))
        return RT_OK;
    return m->kind == RT_READY ? on_ready(t, r) : RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct reading *r = state;
    const char *const none[] = {NULL};
    struct caller *nobody = caller_create("", "/", none);

    calls_init(&r->calls, reader_spawn(t, &r->past), r->tools, nobody);
    rt_obj_drop(&nobody->obj);
    return rt_watch(t, r->socket, EPOLLIN) == 0 ? RT_OK : RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct reading *r = state;

    rt_unwatch(t, r->socket);
    calls_finish(&r->calls);
    wire_finish(&r->in);
}

static const struct rt_behaviour behaviour = {.name = "reading",
                                              .size = sizeof(struct reading),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

int reading_run(const char *state_dir, const char *database, int socket,
                bool is_english)
{
    const struct rt_config config = {
        .workers = 1, .loops = 1, .home = RT_LOOP(0)};
    struct tools *tools =
        tools_create(is_english ? TOOLS_ENGLISH : TOOLS_JAPANESE);
    char *path = database != NULL ? bytes_text("%s", database)
                                  : bytes_text("%s/" STORE_FILE, state_dir);
    struct reading r = {.past = {.path = path,
                                 .state_dir = state_dir,
                                 .is_english = is_english,
                                 .question = projects_question},
                        .socket = socket,
                        .tools = tools};
    uint64_t leaks = rt_join(rt_start(&config, &behaviour, &r));

    if (leaks != 0)
        fprintf(stderr, "kuromajutsu-hub: %llu things were never freed\n",
                (unsigned long long)leaks);
    free(path);
    tools_destroy(tools);
    return leaks == 0 ? 0 : 1;
}

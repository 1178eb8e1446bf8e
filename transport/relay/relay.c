/* SPDX-License-Identifier: MIT */
/*
 * One thread, one poll. A round reads what is there from both sides, then
 * writes what came of it to both sides, so that many messages cost one write.
 *
 * The session is all here: the hub sees nothing of MCP, and its death cannot
 * hurt what was agreed with the client. What needs no hub (initialize,
 * server/discover, tools/list, ping) never waits for one.
 */
#include "transport/relay/relay.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "config/language.h"
#include "config/messages.h"
#include "runtime/text/moment.h"
#include "transport/io/frame.h"
#include "transport/io/outbox.h"
#include "transport/io/readahead.h"
#include "transport/relay/forward.h"
#include "transport/wire/build.h"
#include "transport/wire/memory.h"
#include "transport/wire/prompt.h"

#define CHUNK ((size_t)64 << 10)
#define OUT_MAX ((size_t)4 << 20) /* bytes unread by the client */
#define QUEUE ((size_t)256 << 10) /* likewise; then no more is asked */
#define STAYS_MS 1000             /* who is still here after it, stays */
#define DRAIN_MS                                                               \
    700              /* for answers, when the client has nothing more to say   \
                      */
#define FLUSH_MS 200 /* for its last bytes */

struct relay {
    struct forward forward;
    struct mcp_session *session;
    struct tools *tools;
    struct frame frame;
    struct nonblocking in, out;
    struct outbox queue; /* for it */
    struct readahead readahead;
    char *chunk;
    size_t chunk_len, chunk_used;
    int signals;
    int64_t start;      /* 0: a hub has been wanted */
    int64_t eof_at;     /* 0: stdin is open */
    bool is_input_over; /* all of it has been taken */
    bool must_end;
};

static void on_output(void *ctx, const struct mcp_line *line)
{
    struct relay *r = ctx;

    outbox_put(&r->queue, line->text);
}

static void on_call(void *ctx, struct mcp_call *call)
{
    struct relay *r = ctx;

    r->start = 0;
    call->tag = forward_call(&r->forward, call);
}

static void on_cancelled(void *ctx, uint64_t handle, uint64_t tag)
{
    struct relay *r = ctx;

    (void)handle;
    forward_cancel(&r->forward, tag);
}

static void on_ready(void *ctx)
{
    struct relay *r = ctx;

    r->start = 0;
    forward_want(&r->forward);
}

static bool may_take(const struct relay *r)
{
    return mcp_may_read(r->session) && forward_may_take(&r->forward);
}

static bool on_text(void *ctx, struct slice text)
{
    struct relay *r = ctx;

    mcp_input(r->session, text);
    return may_take(r);
}

/* What was read and could not be taken then, or has just been read. */
static void take_input(struct relay *r)
{
    if (r->chunk_used < r->chunk_len && may_take(r))
        r->chunk_used += frame_feed(&r->frame, r->chunk + r->chunk_used,
                                    r->chunk_len - r->chunk_used);
    if (r->chunk_used < r->chunk_len || !r->eof_at || r->is_input_over)
        return;
    frame_end(&r->frame);
    r->is_input_over = true;
}

static bool wants_input(const struct relay *r)
{
    return !r->eof_at && r->chunk_used == r->chunk_len;
}

/* False: there was nothing to be read. */
static bool read_input(struct relay *r)
{
    ssize_t n = nonblocking_read(&r->in, r->chunk, CHUNK);

    if (n == -EAGAIN)
        return false;
    r->chunk_used = 0;
    r->chunk_len = n > 0 ? (size_t)n : 0;
    if (n <= 0)
        r->eof_at = r->forward.now;
    return true;
}

static void flush_output(struct relay *r)
{
    ssize_t n = outbox_flush(&r->queue, &r->out);

    if (n < 0)
        r->must_end = true;
    else
        mcp_written(r->session, (size_t)n);
    /* A client that has just been answered may have asked again by now. */
    if (n > 0 && wants_input(r) && forward_pending(&r->forward) == 0 &&
        readahead_looks(&r->readahead))
        readahead_learn(&r->readahead, read_input(r));
}

/* Without a hub for a client that may be gone in a moment. Once: one that has
 * been found and has left since is not to be brought back by the clock. */
static void look_whether_it_stays(struct relay *r)
{
    if (r->start && !r->eof_at && r->forward.now - r->start >= STAYS_MS) {
        r->start = 0;
        forward_want(&r->forward);
    }
}

/* When stdin has ended: are there answers worth waiting for? */
static bool is_done(const struct relay *r)
{
    if (!r->eof_at)
        return false;
    if (r->forward.now - r->eof_at >= DRAIN_MS)
        return true;
    return r->is_input_over && forward_pending(&r->forward) == 0 &&
           outbox_left(&r->queue) == 0;
}

static int sooner(int a, int64_t b)
{
    if (b < 0)
        b = 0;
    return a < 0 || b < a ? (int)b : a;
}

static int due(const struct relay *r)
{
    int64_t now = r->forward.now;
    int due = forward_due(&r->forward);

    if (r->start && !r->eof_at)
        due = sooner(due, r->start + STAYS_MS - now);
    if (r->eof_at)
        due = sooner(due, r->eof_at + DRAIN_MS - now);
    return due;
}

#define GONE (POLLERR | POLLHUP | POLLNVAL)

enum { P_IN, P_OUT, P_SIGNAL, P_HUB, P_START, P_COUNT };

static void wait_for_something(struct relay *r, struct pollfd p[P_COUNT])
{
    const struct seeker *s = &r->forward.seeker;
    bool is_full = outbox_left(&r->queue) >= OUT_MAX;

    p[P_IN] =
        (struct pollfd){.fd = wants_input(r) ? r->in.fd : -1, .events = POLLIN};
    /* Without events it still tells when the client closes it. */
    p[P_OUT] = (struct pollfd){
        .fd = r->out.fd, .events = outbox_left(&r->queue) > 0 ? POLLOUT : 0};
    p[P_SIGNAL] = (struct pollfd){.fd = r->signals, .events = POLLIN};
    p[P_HUB] =
        (struct pollfd){.fd = is_full ? -1 : s->link.fd, .events = POLLIN};
    if (hublink_queued(&s->link) > 0)
        p[P_HUB].events |= POLLOUT;
    p[P_START] = (struct pollfd){
        .fd = s->state == SEEKER_SEEKING ? s->start.fd : -1, .events = POLLIN};
    if (poll(p, P_COUNT, due(r)) < 0)
        for (int i = 0; i < P_COUNT; i++)
            p[i].revents = 0;
    r->forward.now = moment_monotonic();
}

static void round_trip(struct relay *r)
{
    struct pollfd p[P_COUNT];

    wait_for_something(r, p);
    if (p[P_SIGNAL].revents || p[P_OUT].revents & GONE)
        r->must_end = true;
    if (p[P_IN].revents)
        read_input(r);
    /* Both may end at once, and no hub is started for one who has left. */
    r->forward.has_client = !r->eof_at && !r->must_end;
    if (p[P_HUB].revents & (POLLIN | POLLHUP | POLLERR))
        forward_read(&r->forward);
    take_input(r);
    look_whether_it_stays(r);
    forward_turn(&r->forward);
    flush_output(r);
    take_input(
        r); /* the queue may be shorter again, and nothing else wakes us */
    forward_turn(&r->forward);
}

static void serve(struct relay *r)
{
    r->start = r->forward.now = moment_monotonic();
    while (!r->must_end && !is_done(r))
        round_trip(r);
}

/* Waits are cancelled by mcp_close; what the client still reads, it gets. */
static void leave(struct relay *r)
{
    struct pollfd p = {.fd = r->out.fd, .events = POLLOUT};
    int64_t end = moment_monotonic() + FLUSH_MS;

    mcp_close(r->session);
    forward_turn(&r->forward);
    while (outbox_flush(&r->queue, &r->out) >= 0 &&
           outbox_left(&r->queue) > 0) {
        int64_t left = end - moment_monotonic();
        if (left <= 0 || poll(&p, 1, (int)left) <= 0)
            break;
    }
}

/* A descriptor of ours must not become stdout because that was not open. */
static void open_missing(void)
{
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) != fd)
            exit(1);
}

static int open_signals(void)
{
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;

    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        signal(ends[i], SIG_DFL); /* a signal ignored would not be told */
        sigaddset(&set, ends[i]);
    }
    signal(SIGPIPE, SIG_IGN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* What the command line, else the configuration, says that its client is
 * offered, and of that what the launcher of this process says it needs. */
static struct tools *choose_tools(const struct home *home, unsigned toolsets)
{
    bool is_english = home->language == CONFIG_EN;
    enum tools_language spoken = is_english ? TOOLS_ENGLISH : TOOLS_JAPANESE;
    const char *set = getenv("KUROMAJUTSU_TOOLS");
    struct tools *tools;

    toolsets = toolsets != 0 ? toolsets : home->toolsets;
    tools = tools_choose(spoken, toolsets, slice_cstr(set != NULL ? set : ""));
    if (tools != NULL)
        return tools;
    fprintf(stderr, MESSAGE(is_english, RELAY_NO_SET_OF_TOOLS), set);
    return tools_choose(spoken, toolsets, SLICE_EMPTY);
}

/* A configuration that was named and is not there. What is wrong with one is
 * told with the first call, for its hub may run; of this one there is no hub
 * that could be meant, and a client shows what its server said at its end. */
static bool is_missing(const struct seeker *s)
{
    if (s->home_error != -ENOENT)
        return false;
    fprintf(stderr, "kuromajutsu: %.*s\n", (int)s->reason.len, s->reason.ptr);
    return true;
}

int relay_main(const char *file, unsigned toolsets)
{
    struct relay r = {0};

    memory_init();
    /* What a burst took is given back: malloc would learn to keep it. */
    mallopt(M_MMAP_THRESHOLD, (int)QUEUE);
    mallopt(M_TRIM_THRESHOLD, (int)QUEUE);
    prompt_thread();
    open_missing();
    r.signals = open_signals();
    /* What cannot be had shows in the first use of it. */
    nonblocking_open_input(&r.in, STDIN_FILENO);
    nonblocking_open_output(&r.out, STDOUT_FILENO);
    forward_init(&r.forward, file);
    bool is_lost = is_missing(&r.forward.seeker);
    frame_init(&r.frame, 0, on_text, &r);
    r.chunk = bytes_alloc(CHUNK);
    r.tools = choose_tools(&r.forward.seeker.home, toolsets);
    r.session = mcp_create(&(struct mcp_options){.tools = r.tools,
                                                 .version = build_id(),
                                                 .max_calls = FORWARD_CALLS,
                                                 .queue_bytes = QUEUE},
                           &(struct mcp_host){.ctx = &r,
                                              .on_output = on_output,
                                              .on_call = on_call,
                                              .on_cancelled = on_cancelled,
                                              .on_ready = on_ready});
    r.forward.session = r.session;
    if (!is_lost) {
        serve(&r);
        leave(&r);
    }
    mcp_destroy(r.session);
    tools_destroy(r.tools);
    free(r.chunk);
    frame_finish(&r.frame);
    forward_finish(&r.forward);
    outbox_finish(&r.queue);
    nonblocking_close(&r.out);
    nonblocking_close(&r.in);
    close(r.signals);
    return is_lost ? 2 : 0;
}

unsigned relay_toolsets(const char *list)
{
    bool is_english = language_of(environ) == CONFIG_EN;
    struct slice wrong;
    unsigned toolsets = toolset_read(slice_cstr(list), &wrong);

    if (wrong.len == 0 && toolsets != 0)
        return toolsets;
    fprintf(stderr, MESSAGE(is_english, RELAY_NO_TOOLSET), (int)wrong.len,
            wrong.ptr);
    for (int i = 0; i < TOOLSETS; i++)
        fprintf(stderr, "%s%s", i > 0 ? ", " : "",
                toolset_name((enum toolset)i).ptr);
    fputs("\n", stderr);
    return 0;
}

/* SPDX-License-Identifier: MIT */
#include "transport/relay/forward.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "config/messages.h"
#include "runtime/text/json.h"

#define WINDOW 128 /* quick calls in flight; more are left in the pipe */
#define QUEUE_MAX ((size_t)4 << 20)   /* bytes to the hub, likewise */
#define REPEAT_MAX ((size_t)64 << 10) /* bytes of a call kept to repeat it */
#define REPEATS 2     /* a call that kills hubs is not given to a third */
#define MURDER_MS 500 /* but what a hub has had for longer does not kill it */
#define DEATHS 3
#define SOON_MS 10000

void forward_init(struct forward *f, const char *file)
{
    uint64_t id = 0;

    *f = (struct forward){0};
    seeker_init(&f->seeker, file);
    pending_calls_init(&f->calls, FORWARD_CALLS);
    if (getrandom(&id, sizeof(id), 0) != sizeof(id))
        perror("kuromajutsu: getrandom");
    snprintf(f->id, sizeof(f->id), "%016" PRIx64, id);
}

void forward_finish(struct forward *f)
{
    pending_calls_finish(&f->calls);
    seeker_finish(&f->seeker);
}

#define SAY(f, name) MESSAGE((f)->seeker.home.language == CONFIG_EN, name)

/* To the client, and out of the table: the session does not call back. */
static void refuse(struct forward *f, struct pending_call *call, enum code code,
                   struct slice message)
{
    struct bytes body = {0};
    uint64_t handle = call->handle;

    pending_calls_remove(&f->calls, call);
    code_put_error(&body, code, message, SLICE_EMPTY);
    mcp_answer_compact(f->session, handle, bytes_slice(&body), true);
    bytes_finish(&body);
}

static void write_payload(struct forward *f, struct bytes *out,
                          const struct mcp_call *call)
{
    JSON_RAW(out, "{\"name\":\"");
    json_raw(out, call->tool->text);
    JSON_RAW(out, "\",\"args\":");
    if (call->args)
        json_val(out, call->args);
    else
        JSON_RAW(out, "{}");
    JSON_BOOL(out, "progress", call->has_token);
    JSON_KEY(out, "key");
    JSON_RAW(out, "\"");
    json_raw(out, slice_cstr(f->id));
    JSON_RAW(out, "-");
    json_uint(out, ++f->counter);
    JSON_RAW(out, "\"}");
}

static void send_call(struct forward *f, struct pending_call *call)
{
    hublink_put(&f->seeker.link, WIRE_CALL, call->wire,
                bytes_slice(&call->payload));
    pending_calls_mark_sent(&f->calls, call, true);
    call->sent_at = f->now;
    if (call->payload.len > REPEAT_MAX)
        call->may_repeat = false;
    if (!call->may_repeat)
        bytes_clear(&call->payload, REPEAT_MAX);
}

uint64_t forward_call(struct forward *f, const struct mcp_call *given)
{
    struct pending_call *call =
        pending_calls_add(&f->calls, given->handle,
                          order_is_wait(given->tool->kind, given->args));

    call->may_repeat = true;
    write_payload(f, &call->payload, given);
    if (f->seeker.state == SEEKER_UP) {
        send_call(f, call);
        return call->wire;
    }
    pending_calls_mark_sent(&f->calls, call, false);
    seeker_want(&f->seeker, f->now);
    return call->wire;
}

void forward_cancel(struct forward *f, uint64_t wire)
{
    struct pending_call *call = pending_calls_by_wire(&f->calls, wire);

    if (!call)
        return;
    if (call->is_sent && f->seeker.state == SEEKER_UP)
        hublink_put(&f->seeker.link, WIRE_CANCEL, call->wire, SLICE_EMPTY);
    pending_calls_remove(&f->calls, call);
}

void forward_want(struct forward *f)
{
    seeker_want(&f->seeker, f->now);
}

size_t forward_pending(const struct forward *f)
{
    return pending_calls_count(&f->calls) - f->calls.waits;
}

/* Waits do not count, for what would end them comes through the same pipe. */
bool forward_may_take(const struct forward *f)
{
    return forward_pending(f) < WINDOW &&
           hublink_queued(&f->seeker.link) < QUEUE_MAX &&
           f->calls.unsent < QUEUE_MAX;
}

static void say_again(struct pending_call *call)
{
    if (call->is_again)
        return;
    call->is_again = true;
    call->payload.len--; /* the brace */
    JSON_RAW(&call->payload, ",\"again\":true}");
}

/*
 * The hub is gone. The next one is asked again: it finds by the key what the
 * one before had answered, so nothing is done twice. What became of a call that
 * was too large to be kept for that is not known, and the client must look.
 */
static void on_death(struct forward *f)
{
    struct pending_call *call = NULL;
    uint64_t after = 0;

    while ((call = pending_calls_next(&f->calls, after))) {
        after = call->handle;
        if (!call->is_sent)
            continue;
        if (f->now - call->sent_at > MURDER_MS)
            call->repeats = 0;
        if (call->may_repeat && call->repeats++ < REPEATS) {
            say_again(call);
            pending_calls_mark_sent(&f->calls, call, false);
        } else
            refuse(f, call, CODE_HUB_RESTARTED,
                   slice_cstr(SAY(f, RELAY_HUB_RESTARTED)));
    }
}

static void on_leaving(struct forward *f)
{
    struct pending_call *call = NULL;
    uint64_t after = 0;

    while ((call = pending_calls_next(&f->calls, after))) {
        after = call->handle;
        if (call->is_sent)
            refuse(f, call, CODE_HUB_UNAVAILABLE,
                   slice_cstr(SAY(f, RELAY_HUB_STOPPED)));
    }
}

/*
 * Those who wait need a hub in any case. Without them a new one is started
 * for a client that is there, unless the last was told to leave, or hubs die
 * as fast as they are started.
 */
static void on_lost(struct forward *f, bool is_ordered)
{
    f->deaths = f->now - f->up_since < SOON_MS ? f->deaths + 1 : 0;
    seeker_lost(&f->seeker);
    if (is_ordered)
        on_leaving(f);
    else
        on_death(f);
    if (pending_calls_count(&f->calls) > 0 ||
        (!is_ordered && f->has_client && f->deaths < DEATHS))
        seeker_want(&f->seeker, f->now);
}

static void on_answer(struct forward *f, const struct wire_frame *frame)
{
    struct pending_call *call =
        pending_calls_by_wire(&f->calls, frame->head.handle);

    if (!call)
        return;
    uint64_t handle = call->handle;
    pending_calls_remove(&f->calls, call);
    mcp_answer_compact(f->session, handle, frame->payload,
                       frame->head.flags & WIRE_IS_ERROR);
}

static void on_progress(struct forward *f, const struct wire_frame *frame)
{
    struct pending_call *call =
        pending_calls_by_wire(&f->calls, frame->head.handle);
    struct wire_progress p;

    if (!call || frame->payload.len != sizeof(p))
        return;
    memcpy(&p, frame->payload.ptr, sizeof(p));
    mcp_count(f->session, call->handle, p.done, p.total);
}

/* False: there is no more to be read of this hub. */
static bool on_frame(struct forward *f, const struct wire_frame *frame)
{
    switch (frame->head.kind) {
    case WIRE_ANSWER:
        on_answer(f, frame);
        return true;
    case WIRE_PROGRESS:
        on_progress(f, frame);
        return true;
    case WIRE_LEAVING:
        on_lost(f, true);
        return false;
    default: /* of a later build */
        return true;
    }
}

void forward_read(struct forward *f)
{
    struct hublink *link = &f->seeker.link;
    struct wire_frame frame;
    int found;

    if (f->seeker.state != SEEKER_UP)
        return;
    int error = hublink_read(link);
    while (error == 0 && (found = hublink_next(link, &frame)) != 0) {
        if (found < 0)
            error = found;
        else if (!on_frame(f, &frame))
            return;
    }
    if (error != 0)
        on_lost(f, false);
}

static void on_found(struct forward *f)
{
    struct pending_call *call = NULL;
    uint64_t after = 0;

    f->up_since = f->now;
    while ((call = pending_calls_next(&f->calls, after))) {
        after = call->handle;
        send_call(f, call);
    }
}

static void on_failed(struct forward *f)
{
    struct slice reason = bytes_slice(&f->seeker.reason);
    struct pending_call *call;

    fprintf(stderr, "kuromajutsu: %.*s\n", (int)reason.len, reason.ptr);
    while ((call = pending_calls_next(&f->calls, 0)))
        refuse(f, call, CODE_HUB_UNAVAILABLE, reason);
}

void forward_turn(struct forward *f)
{
    switch (seeker_turn(&f->seeker, f->now)) {
    case SEEKER_NOTHING:
        break;
    case SEEKER_FOUND:
        on_found(f);
        break;
    case SEEKER_FAILED:
        on_failed(f);
        break;
    }
    if (f->seeker.state == SEEKER_UP && hublink_queued(&f->seeker.link) > 0 &&
        hublink_flush(&f->seeker.link) != 0)
        on_lost(f, false);
}

int forward_due(const struct forward *f)
{
    return seeker_due(&f->seeker, f->now);
}

/* SPDX-License-Identifier: MIT */
/* What frames mean. Peers are programs of ours, checked like all others:
 * one that does not speak the wire is not spoken to any further. */
#include <errno.h>

#include "config/messages.h"
#include "runtime/text/json.h"
#include "transport/session/session_inside.h"

/* ---- calls ------------------------------------------------------------ */

static int on_call(struct rt_turn *t, struct session *s,
                   const struct wire_frame *frame)
{
    yyjson_doc *doc = yyjson_read(frame->payload.ptr, frame->payload.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice name = FIELD_TEXT(root, "name");
    struct call call = {.client = &session_client,
                        .ctx = s,
                        .handle = frame->head.handle,
                        .kind = order_find(name),
                        .doc = doc,
                        .args = FIELD(root, "args"),
                        .bytes = frame->payload.len,
                        .wants_progress =
                            yyjson_is_true(FIELD(root, "progress")),
                        .is_for_model = s->is_relay,
                        .key = FIELD_TEXT(root, "key"),
                        .is_repeated = yyjson_is_true(FIELD(root, "again"))};

    if (name.len == 0 || calls_find(&s->calls, call.handle) != 0) {
        yyjson_doc_free(doc);
        return -EPROTO;
    }
    if (session_refuse_unknown(t, s, call.handle)) {
        yyjson_doc_free(doc);
        return 0;
    }
    calls_place(t, &s->calls, &call);
    return 0;
}

/* An agent that could stop the hub would take all others with it. */
static int on_stop(struct rt_turn *t, struct session *s,
                   const struct wire_frame *frame)
{
    yyjson_doc *doc = yyjson_read(frame->payload.ptr, frame->payload.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct session_stop stop = {.keeps_agents =
                                    yyjson_is_true(FIELD(root, "keepAgents"))};
    bool is_good = yyjson_is_obj(root);
    bool is_english = calls_language(&s->calls, NULL) == TOOLS_ENGLISH;
    struct bytes body = {0};

    yyjson_doc_free(doc);
    if (!is_good)
        return -EPROTO;
    if (session_refuse_unknown(t, s, frame->head.handle))
        return 0;
    if (s->agent_id[0] == 0) {
        rt_tell(t, rt_parent(t), SESSION_STOP, &stop, sizeof(stop));
        return 0;
    }
    code_put_error(&body, CODE_NOT_PERMITTED,
                   slice_cstr(MESSAGE(is_english, STOP_NOT_OWN_HUB)),
                   SLICE_EMPTY);
    session_put(t, s, WIRE_ANSWER, WIRE_IS_ERROR, frame->head.handle,
                bytes_slice(&body));
    bytes_finish(&body);
    return 0;
}

int session_take_frame(struct rt_turn *t, struct session *s,
                       const struct wire_frame *frame)
{
    if (s->phase == SESSION_GREETED)
        return frame->head.kind == WIRE_HELLO ? session_take_hello(t, s, frame)
                                              : -EPROTO;
    switch (frame->head.kind) {
    case WIRE_CALL:
        return on_call(t, s, frame);
    case WIRE_CANCEL:
        calls_cancel(t, &s->calls, calls_find(&s->calls, frame->head.handle));
        return 0;
    case WIRE_STOP:
        return on_stop(t, s, frame);
    default:
        return -EPROTO;
    }
}

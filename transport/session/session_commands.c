/* SPDX-License-Identifier: MIT */
/* What frames mean. Peers are programs of ours, checked like all others:
 * one that does not speak the wire is not spoken to any further. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/json.h"
#include "transport/session/ancestry.h"
#include "transport/session/session_inside.h"

/* ---- hello ------------------------------------------------------------ */

static bool is_plain(yyjson_val *text)
{
    return yyjson_is_str(text) &&
           strlen(yyjson_get_str(text)) == yyjson_get_len(text);
}

/* Without one, the hub's own. False: it is no environment. */
static bool read_env(yyjson_val *list, const char *const *own,
                     const char ***env)
{
    size_t count = 0, i, max;
    yyjson_val *item;

    if (list != NULL && !yyjson_is_arr(list))
        return false;
    while (list == NULL && own[count] != NULL)
        count++;
    count += yyjson_arr_size(list);
    *env = bytes_zalloc((count + 1) * sizeof(**env));
    if (list == NULL)
        memcpy(*env, own, count * sizeof(**env));
    yyjson_arr_foreach(list, i, max, item)
    {
        if (!is_plain(item))
            return false;
        (*env)[i] = yyjson_get_str(item);
    }
    return true;
}

static bool open_calls(struct session *s, yyjson_val *hello)
{
    yyjson_val *cwd = FIELD(hello, "cwd");
    const struct caller *own = s->context->self;
    const char **env = NULL;
    struct caller *caller;
    bool is_good =
        (cwd == NULL || (is_plain(cwd) && yyjson_get_str(cwd)[0] == '/')) &&
        read_env(FIELD(hello, "env"), own->env, &env);

    if (is_good) {
        ancestry_agent(s->pid, s->context->socket, s->agent_id,
                       sizeof(s->agent_id));
        caller = caller_create(
            s->agent_id, cwd != NULL ? yyjson_get_str(cwd) : own->cwd, env);
        calls_init(&s->calls, s->registry, s->tools, caller);
        s->calls.is_closing = s->is_closing;
        rt_obj_drop(&caller->obj);
    }
    free(env);
    return is_good;
}

static void note_build(const struct session *s, yyjson_val *hello)
{
    struct slice build = FIELD_TEXT(hello, "build");

    if (!slice_eq(build, slice_cstr(s->context->build)))
        LOG_WARN(s->log, "session.build",
                 "process %d is of build %.*s, this hub of %s", s->pid,
                 (int)build.len, build.ptr, s->context->build);
}

static int on_hello(struct rt_turn *t, struct session *s,
                    const struct wire_frame *frame)
{
    yyjson_doc *doc = yyjson_read(frame->payload.ptr, frame->payload.len, 0);
    yyjson_val *hello = yyjson_doc_get_root(doc);
    struct slice client = FIELD_TEXT(hello, "client");
    struct session_hello said = {.is_relay = slice_eq(client, SLICE("relay"))};
    bool is_good = (said.is_relay || slice_eq(client, SLICE("command"))) &&
                   is_plain(FIELD(hello, "build")) && open_calls(s, hello);

    if (is_good) {
        note_build(s, hello);
        s->phase = SESSION_ASKING;
        rt_cancel(t, s->silence);
        rt_tell(t, rt_parent(t), SESSION_HELLO, &said, sizeof(said));
    }
    yyjson_doc_free(doc);
    return is_good ? 0 : -EPROTO;
}

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
                        .key = FIELD_TEXT(root, "key"),
                        .is_repeated = yyjson_is_true(FIELD(root, "again"))};

    if (name.len == 0 || calls_find(&s->calls, call.handle) != 0) {
        yyjson_doc_free(doc);
        return -EPROTO;
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
    bool is_english = tools_language(s->tools) == TOOLS_ENGLISH;
    struct bytes body = {0};

    yyjson_doc_free(doc);
    if (!is_good)
        return -EPROTO;
    if (s->agent_id[0] == 0) {
        rt_tell(t, rt_parent(t), SESSION_STOP, &stop, sizeof(stop));
        return 0;
    }
    code_put_error(&body, CODE_NESTING_NOT_ALLOWED,
                   is_english
                       ? SLICE("an agent cannot stop its own hub")
                       : SLICE("エージェントは自分のハブを停止できません"),
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
        return frame->head.kind == WIRE_HELLO ? on_hello(t, s, frame) : -EPROTO;
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

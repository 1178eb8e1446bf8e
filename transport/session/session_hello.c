/* SPDX-License-Identifier: MIT */
/*
 * Who a client is. An agent is known by its ancestry, and one that is outside
 * its tree (in a container, behind the user's own tmux) by the key that it was
 * given: who shows one is no more than that agent, so it is believed. Of whom
 * it cannot be known nothing is taken: a sub-agent that passed for the main
 * agent could start others, and rewrite what they are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config/messages.h"
#include "runtime/text/arena.h"
#include "runtime/text/json.h"
#include "transport/session/session_inside.h"

/* ---- what it says ------------------------------------------------------- */

static bool is_plain(yyjson_val *text)
{
    return yyjson_is_str(text) &&
           strlen(yyjson_get_str(text)) == yyjson_get_len(text);
}

/* What a hello says its agents shall have; without it, what the hub has. */
struct belongings {
    const char *cwd, **env;
    struct arena arena; /* of what was sent as bytes */
};

static bool read_env(yyjson_val *list, const char *const *own,
                     struct belongings *b)
{
    size_t count = 0, i, max;
    yyjson_val *item;

    if (list != NULL && !yyjson_is_arr(list))
        return false;
    while (list == NULL && own[count] != NULL)
        count++;
    count += yyjson_arr_size(list);
    b->env = bytes_zalloc((count + 1) * sizeof(*b->env));
    if (list == NULL)
        memcpy(b->env, own, count * sizeof(*b->env));
    yyjson_arr_foreach(list, i, max, item)
    {
        if (!is_plain(item))
            return false;
        b->env[i] = yyjson_get_str(item);
    }
    return true;
}

/* NULL: these are no bytes, or none that a name could have. */
static const char *take_bytes(struct belongings *b, yyjson_val *string)
{
    struct bytes out = {0};
    const char *text = NULL;

    if (yyjson_is_str(string) && wire_take_bytes(&out, field_text(string)) &&
        out.len > 0 && memchr(out.ptr, 0, out.len) == NULL)
        text = arena_copy(&b->arena, out.ptr, out.len);
    bytes_finish(&out);
    return text;
}

/* Of what is no text the hello has said only about what it is. */
static bool read_bytes(yyjson_val *bytes, struct belongings *b)
{
    yyjson_val *cwd = FIELD(bytes, "cwd"), *at, *string;
    size_t i, max, count = 0;

    while (b->env[count] != NULL)
        count++;
    if (cwd != NULL && (b->cwd = take_bytes(b, cwd)) == NULL)
        return false;
    yyjson_obj_foreach(FIELD(bytes, "env"), i, max, at, string)
    {
        size_t place = strtoul(yyjson_get_str(at), NULL, 10);

        if (place >= count || (b->env[place] = take_bytes(b, string)) == NULL)
            return false;
    }
    return true;
}

/* False: it is none of ours. */
static bool read_belongings(yyjson_val *hello, const struct caller *own,
                            struct belongings *b)
{
    yyjson_val *cwd = FIELD(hello, "cwd");

    b->cwd = cwd != NULL ? yyjson_get_str(cwd) : own->cwd;
    return (cwd == NULL || is_plain(cwd)) &&
           read_env(FIELD(hello, "env"), own->env, b) &&
           read_bytes(FIELD(hello, "bytes"), b) && b->cwd[0] == '/';
}

/* ---- who it is ---------------------------------------------------------- */

static const struct message reasons[] = {
    [ANCESTRY_ELSEWHERE] = BOTH(ANCESTRY_IN_CONTAINER),
    [ANCESTRY_GONE] = BOTH(ANCESTRY_HAS_ENDED),
    [ANCESTRY_UNSEEN] = BOTH(ANCESTRY_NOT_SEEN),
    [ANCESTRY_RESTLESS] = BOTH(ANCESTRY_ENDED_MEANWHILE),
    [ANCESTRY_DEEP] = BOTH(ANCESTRY_TOO_DEEP),
    [ANCESTRY_CUT] = BOTH(ANCESTRY_HIDDEN),
};

static bool is_unknown(const struct session *s)
{
    return s->ancestry != ANCESTRY_NONE && s->ancestry != ANCESTRY_AGENT;
}

bool session_refuse_unknown(struct rt_turn *t, struct session *s,
                            uint64_t handle)
{
    bool is_english = calls_language(&s->calls, NULL) == TOOLS_ENGLISH;
    struct answer *a;

    if (!is_unknown(s))
        return false;
    a = answer_refusal(0, CODE_CALLER_UNKNOWN,
                       MESSAGE(is_english, CALLER_NOT_KNOWN),
                       message_pick(is_english, reasons[s->ancestry]));
    session_put(t, s, WIRE_ANSWER, WIRE_IS_ERROR, handle,
                bytes_slice(&a->json));
    rt_obj_drop(&a->obj);
    return true;
}

static bool has_key(const struct session *s, yyjson_val *hello,
                    struct slice *id)
{
    struct slice key = FIELD_TEXT(hello, "key");

    return key.len > 0 && signing_key_open(&s->context->signing_key, key, id) &&
           id->len < sizeof(s->agent_id);
}

static void find_agent(struct session *s, yyjson_val *hello)
{
    const struct ancestry_peer peer = {
        .fd = s->fd, .pid = s->pid, .accepted = s->accepted};
    struct slice id;

    s->ancestry = ancestry_of(&peer, s->context->socket, s->agent_id,
                              sizeof(s->agent_id));
    if (s->ancestry != ANCESTRY_AGENT && has_key(s, hello, &id)) {
        s->ancestry = ANCESTRY_AGENT;
        slice_keep(s->agent_id, sizeof(s->agent_id), id);
    }
    if (is_unknown(s))
        LOG_WARN(s->log, "session.unknown", LOG_CALLER_REFUSED, s->pid,
                 message_pick(s->log->is_english, reasons[s->ancestry]));
}

static bool open_calls(struct session *s, yyjson_val *hello)
{
    struct belongings b = {0};
    struct caller *caller;
    bool is_good = read_belongings(hello, s->context->self, &b);

    if (is_good) {
        find_agent(s, hello);
        caller = caller_create(s->agent_id, b.cwd, b.env);
        caller->named = language_read(yyjson_get_str(FIELD(hello, "language")));
        caller->locale = language_read(yyjson_get_str(FIELD(hello, "locale")));
        calls_init(&s->calls, s->registry, s->tools, caller);
        s->calls.is_closing = s->is_closing;
        s->calls.is_language_auto = s->context->is_language_auto;
        rt_obj_drop(&caller->obj);
    }
    free(b.env);
    arena_finish(&b.arena);
    return is_good;
}

static void note_build(const struct session *s, yyjson_val *hello)
{
    struct slice build = FIELD_TEXT(hello, "build");

    if (!slice_eq(build, slice_cstr(s->context->build)))
        LOG_WARN(s->log, "session.build", LOG_BUILD_DIFFERS, s->pid,
                 (int)build.len, build.ptr, s->context->build);
}

int session_take_hello(struct rt_turn *t, struct session *s,
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
        s->is_relay = said.is_relay;
        s->phase = SESSION_ASKING;
        rt_cancel(t, s->silence);
        rt_tell(t, rt_parent(t), SESSION_HELLO, &said, sizeof(said));
    }
    yyjson_doc_free(doc);
    return is_good ? 0 : -EPROTO;
}

/* SPDX-License-Identifier: MIT */
/*
 * A message to one agent has its state in its own row; one to all has a receipt
 * of each that has read it. `done` of a mailbox is the message up to which all
 * broadcasts were read there, so that none is looked at again.
 */
#include "actors/mail/inside.h"
#include "runtime/text/json.h"

/* Of a content as JSON: an answer could not hold more. */
#define CONTENT_MAX ((size_t)2 << 20)
#define EVENT_CONTENT 4000 /* bytes of it that the feed has */

struct letter {
    struct slice sender, receiver, type, content;
    struct bytes metadata; /* as JSON */
};

/* ---- whether it may be sent -------------------------------------------- */

static bool is_too_long(struct slice content)
{
    struct bytes quoted = {0};
    bool is_so;

    json_string(&quoted, content);
    is_so = quoted.len > CONTENT_MAX;
    bytes_finish(&quoted);
    return is_so;
}

/* A private word without a receiver would be everybody's. */
static bool check_type(struct work *w, const struct letter *l)
{
    struct slice given = FIELD_TEXT(w->order->args, "message_type");

    if (l->receiver.len == 0 && slice_eq(given, SLICE("direct")))
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR, MAIL_DIRECT_NEEDS_RECEIVER);
    else if (l->receiver.len > 0 && slice_eq(given, SLICE("broadcast")))
        WORK_REFUSE_PLAIN(w, CODE_VALIDATION_ERROR,
                          MAIL_BROADCAST_HAS_RECEIVER);
    else if (is_too_long(l->content))
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, MAIL_TOO_LONG, l->content.len);
    return !work_is_refused(w);
}

static struct letter read_letter(const struct order *o)
{
    struct letter l = {.sender = FIELD_TEXT(o->args, "sender_id"),
                       .receiver =
                           slice_trim(FIELD_TEXT(o->args, "receiver_id")),
                       .type = FIELD_TEXT(o->args, "message_type"),
                       .content = FIELD_TEXT(o->args, "content")};

    if (l.type.len == 0)
        l.type = l.receiver.len > 0 ? SLICE("direct") : SLICE("broadcast");
    if (yyjson_is_obj(FIELD(o->args, "metadata")))
        json_val(&l.metadata, FIELD(o->args, "metadata"));
    else
        JSON_RAW(&l.metadata, "{}");
    return l;
}

/* ---- sending ----------------------------------------------------------- */

static void add_message(struct work *w, const struct letter *l, const char *id)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_messages(id, sender, receiver, type, content,"
           " metadata, created_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");

    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, l->sender);
    sql_text_or_null(&q, 3, l->receiver);
    sql_text(&q, 4, l->type);
    sql_text(&q, 5, l->content);
    sql_text(&q, 6, bytes_slice(&l->metadata));
    sql_int(&q, 7, (int64_t)w->now);
    sql_run(&q);
}

static void tell_sent(struct work *w, const struct letter *l, const char *id)
{
    struct bytes *out = work_event(w, "mail:sent");
    struct bytes content = {0};
    bool is_whole = bytes_append_capped(&content, l->content, EVENT_CONTENT);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(id));
    JSON_TEXT(out, "sender_id", l->sender);
    MAIL_TEXT_OR_NULL(out, "receiver_id", l->receiver.len > 0, l->receiver);
    JSON_TEXT(out, "message_type", l->type);
    JSON_TEXT(out, "content", bytes_slice(&content));
    if (!is_whole)
        JSON_BOOL(out, "truncated", true);
    JSON_KEY(out, "created_at");
    json_time(out, w->now);
    JSON_RAW(out, "}");
    bytes_finish(&content);
}

static int64_t count_recipients(struct work *w, struct slice sender)
{
    struct sql q = sql_open(
        w, "SELECT (SELECT count(*) FROM mail_agents m WHERE m.id <> ?1 AND"
           " NOT EXISTS (SELECT 1 FROM agents a WHERE a.id = m.id"
           " AND a.gone_at > 0)) + (SELECT count(*) FROM agents a"
           " WHERE a.gone_at = 0 AND a.id <> ?1 AND NOT EXISTS"
           " (SELECT 1 FROM mail_agents m WHERE m.id = a.id))");
    int64_t count = 0;

    sql_text(&q, 1, sender);
    if (sql_next(&q))
        count = sql_number(&q, 0);
    sql_close(&q);
    return count;
}

static void warn(struct work *w, struct bytes *out, enum mailbox_kind kind,
                 struct slice receiver)
{
    bool is_english = order_is_english(w->order);
    struct bytes text = {0};

    receiver = order_brief(receiver);
    bytes_format(&text,
                 kind == MAILBOX_ENDED
                     ? MESSAGE(is_english, MAIL_RECEIVER_ENDED)
                     : MESSAGE(is_english, MAIL_RECEIVER_UNKNOWN),
                 (int)receiver.len, receiver.ptr);
    JSON_TEXT(out, "warning", bytes_slice(&text));
    bytes_finish(&text);
}

static void put_sent(struct work *w, const struct letter *l, const char *id,
                     enum mailbox_kind kind)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(id));
    JSON_BOOL(out, "sent", true);
    JSON_KEY(out, "created_at");
    json_time(out, w->now);
    if (l->receiver.len == 0)
        JSON_UINT(out, "recipients", (uint64_t)count_recipients(w, l->sender));
    else if (kind != MAILBOX_KNOWN)
        warn(w, out, kind, l->receiver);
    JSON_RAW(out, "}");
}

static void send(struct work *w, const struct letter *l)
{
    struct mail_work *m = (struct mail_work *)w;
    enum mailbox_kind kind = MAILBOX_KNOWN;

    mailbox_touch(w, l->sender);
    if (l->receiver.len > 0) {
        kind = mailbox_find(w, l->receiver);
        if (kind == MAILBOX_UNKNOWN)
            mailbox_expect(w, l->receiver);
    }
    add_message(w, l, m->uuid);
    tell_sent(w, l, m->uuid);
    put_sent(w, l, m->uuid, kind);
    slice_keep(m->sender, sizeof(m->sender), l->sender);
    slice_keep(m->receiver, sizeof(m->receiver), l->receiver);
    m->has_sent = true;
}

void message_send(struct work *w)
{
    struct letter l = read_letter(w->order);

    ((struct mail_work *)w)->has_sent = false;
    if (check_type(w, &l) && mailbox_may_act(w, l.sender))
        send(w, &l);
    bytes_finish(&l.metadata);
}

void mail_tell(struct work *w, const char *id, struct slice sender,
               struct slice receiver, struct slice content,
               struct slice metadata)
{
    struct letter l = {.sender = sender,
                       .receiver = receiver,
                       .type = SLICE("context"),
                       .content = content};

    bytes_append(&l.metadata, metadata.ptr, metadata.len);
    mailbox_touch(w, sender);
    if (receiver.len > 0 && mailbox_find(w, receiver) == MAILBOX_UNKNOWN)
        mailbox_expect(w, receiver);
    add_message(w, &l, id);
    tell_sent(w, &l, id);
    bytes_finish(&l.metadata);
}

/* ---- the end ----------------------------------------------------------- */

void message_clear(struct work *w)
{
    static const char *const statements[] = {
        "DELETE FROM mail_receipts WHERE message IN (SELECT seq FROM"
        " mail_messages WHERE receiver IS NULL AND created_at < ?1)",
        "DELETE FROM mail_messages WHERE created_at < ?1"};
    int64_t keep = (int64_t)((struct mail_work *)w)->keep_ms;

    for (unsigned i = 0; i < 2; i++) {
        struct sql q = sql_open(w, statements[i]);

        sql_int(&q, 1, (int64_t)w->now - keep);
        sql_run(&q);
    }
}

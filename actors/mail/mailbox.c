/* SPDX-License-Identifier: MIT */
/*
 * A mailbox is under an id of its owner's choice. `state` says how far it has
 * come: 0, it has only been written to; 1, somebody acted under that id; 2, it
 * was registered. A launched agent may take over only what nobody has used: or
 * it would read what was meant for another.
 *
 * A launched agent's own mailbox gets its row when it is first needed, with
 * the time of the agent's start: of broadcasts it has those since then.
 */
#include "actors/mail/inside.h"
#include "actors/order/code.h"
#include "runtime/text/json.h"

enum { STATE_WAITING, STATE_ACTED, STATE_REGISTERED };

static struct slice caller_of(const struct work *w)
{
    return slice_cstr(w->order->caller->agent_id);
}

/* ---- finding ----------------------------------------------------------- */

/* Of a launched agent: whether there is one, and it has ended. */
static enum mailbox_kind find_run(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT gone_at > 0 FROM agents WHERE id = ?1");
    enum mailbox_kind kind = MAILBOX_UNKNOWN;

    sql_text(&q, 1, id);
    if (sql_next(&q))
        kind = sql_number(&q, 0) ? MAILBOX_ENDED : MAILBOX_KNOWN;
    sql_close(&q);
    return kind;
}

enum mailbox_kind mailbox_find(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT state FROM mail_agents WHERE id = ?1");
    enum mailbox_kind kind = find_run(w, id);

    sql_text(&q, 1, id);
    if (kind == MAILBOX_UNKNOWN && sql_next(&q))
        kind = sql_number(&q, 0) == STATE_WAITING ? MAILBOX_WAITING
                                                  : MAILBOX_KNOWN;
    sql_close(&q);
    return kind;
}

static bool has_registered(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT 1 FROM mail_agents WHERE id = ?1"
                               " AND registered_by = ?2 UNION ALL SELECT 1"
                               " FROM mail_actors WHERE mailbox = ?1"
                               " AND run = ?2");
    bool is_so;

    sql_text(&q, 1, id);
    sql_text(&q, 2, caller_of(w));
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

bool mailbox_may_act(struct work *w, struct slice id)
{
    struct slice caller = caller_of(w);

    if (caller.len == 0 || slice_eq(caller, id) || has_registered(w, id))
        return true;
    id = order_brief(id);
    WORK_REFUSE(w, CODE_NOT_PERMITTED, MAIL_NOT_YOUR_NAME, (int)id.len, id.ptr,
                caller.ptr);
    return false;
}

/* ---- making ------------------------------------------------------------ */

static void add(struct work *w, struct slice id, int state)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_agents(id, name, state, since, created_at,"
           " active_at) VALUES(?1, ?1, ?2, 0, ?3, ?3)"
           " ON CONFLICT(id) DO UPDATE SET state = max(state, excluded.state),"
           " active_at = excluded.active_at");

    sql_text(&q, 1, id);
    sql_int(&q, 2, state);
    sql_int(&q, 3, (int64_t)w->now);
    sql_run(&q);
}

static void add_run(struct work *w, struct slice id)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_agents(id, name, state, since, created_at,"
           " active_at) SELECT id, role, 2, " MAIL_BEFORE_RUN ","
           " created_at, ?2 FROM agents WHERE id = ?1"
           " ON CONFLICT(id) DO UPDATE SET active_at = excluded.active_at");

    sql_text(&q, 1, id);
    sql_int(&q, 2, (int64_t)w->now);
    sql_run(&q);
}

/* Looking often is no news: a second is near enough. */
void mailbox_touch(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT 1 FROM mail_agents WHERE id = ?1"
                               " AND state > 0 AND active_at > ?2 - 1000");
    bool is_fresh;

    sql_text(&q, 1, id);
    sql_int(&q, 2, (int64_t)w->now);
    is_fresh = sql_next(&q);
    sql_close(&q);
    if (is_fresh)
        return;
    if (find_run(w, id) == MAILBOX_UNKNOWN)
        add(w, id, STATE_ACTED);
    else
        add_run(w, id);
}

void mailbox_expect(struct work *w, struct slice id)
{
    add(w, id, STATE_WAITING);
}

/* ---- of systems -------------------------------------------------------- */

void mail_open(struct work *w, struct slice id, struct slice name,
               struct slice description)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_agents(id, name, description, state, since,"
           " created_at, active_at) VALUES(?1, ?2, ?3, 2, 0, ?4, ?4)"
           " ON CONFLICT(id) DO UPDATE SET name = ?2, description = ?3,"
           " state = 2, registered_by = ''");

    sql_text(&q, 1, id);
    sql_text(&q, 2, name);
    sql_text_or_null(&q, 3, description);
    sql_int(&q, 4, (int64_t)w->now);
    sql_run(&q);
}

static void change_actors(struct work *w, const char *sql, struct slice id,
                          struct slice run)
{
    struct sql q = sql_open(w, sql);

    sql_text(&q, 1, id);
    sql_text(&q, 2, run);
    sql_run(&q);
}

void mail_lend(struct work *w, struct slice id, struct slice run)
{
    change_actors(w,
                  "INSERT INTO mail_actors(mailbox, run) VALUES(?1, ?2)"
                  " ON CONFLICT DO NOTHING",
                  id, run);
}

void mail_unlend(struct work *w, struct slice id, struct slice run)
{
    change_actors(w, "DELETE FROM mail_actors WHERE mailbox = ?1 AND run = ?2",
                  id, run);
}

/* ---- orders ------------------------------------------------------------ */

static void put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "name", sql_column(q, 1));
    MAIL_TEXT_OR_NULL(out, "description", !sql_is_null(q, 2), sql_column(q, 2));
    JSON_KEY(out, "created_at");
    json_time(out, (uint64_t)sql_number(q, 3));
}

/* What is known of it; false: nothing is. */
static bool put_mailbox(struct work *w, struct bytes *out, struct slice id,
                        bool with_activity)
{
    struct sql q = sql_open(
        w, "SELECT id, name, description, created_at, active_at, 0"
           " FROM mail_agents WHERE id = ?1 UNION ALL"
           " SELECT id, role, NULL, created_at, max(created_at, started_at,"
           " finished_at), 1 FROM agents WHERE id = ?1 ORDER BY 6 LIMIT 1");
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        put_row(out, &q);
        if (with_activity) {
            JSON_KEY(out, "last_active_at");
            json_time(out, (uint64_t)sql_number(&q, 4));
        }
    }
    sql_close(&q);
    return is_there;
}

void mailbox_get(struct work *w)
{
    struct slice id = FIELD_TEXT(w->order->args, "agent_id");
    struct bytes *out = work_answer(w);

    if (put_mailbox(w, out, id, true)) {
        JSON_RAW(out, "}");
        return;
    }
    id = order_brief(id);
    WORK_REFUSE(w, CODE_AGENT_NOT_FOUND, MAIL_NO_AGENT, (int)id.len, id.ptr);
}

/* Whether the mailbox is still to be had under this id by who asks. */
static bool is_free(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT state FROM mail_agents WHERE id = ?1");
    int taken = caller_of(w).len > 0 ? STATE_ACTED : STATE_REGISTERED;
    bool is_free;

    sql_text(&q, 1, id);
    is_free = !sql_next(&q) || sql_number(&q, 0) < taken;
    sql_close(&q);
    return is_free && find_run(w, id) == MAILBOX_UNKNOWN;
}

static void set_registered(struct work *w, struct slice id)
{
    struct sql q = sql_open(
        w, "INSERT INTO mail_agents(id, name, description, state,"
           " registered_by, since, created_at, active_at)"
           " VALUES(?1, ?2, ?3, 2, ?4, 0, ?5, ?5) ON CONFLICT(id) DO UPDATE"
           " SET name = ?2, description = ?3, state = 2, registered_by = ?4,"
           " active_at = ?5");

    sql_text(&q, 1, id);
    sql_text(&q, 2, FIELD_TEXT(w->order->args, "name"));
    sql_text_or_null(&q, 3, FIELD_TEXT(w->order->args, "description"));
    sql_text(&q, 4, caller_of(w));
    sql_int(&q, 5, (int64_t)w->now);
    sql_run(&q);
}

static void tell_registered(struct work *w, struct slice id)
{
    struct bytes *data = work_event(w, "mail:registered");

    if (put_mailbox(w, data, id, true)) {
        JSON_TEXT(data, "registered_by", caller_of(w));
        JSON_RAW(data, "}");
    }
}

/* One that is there is given as it is: whoever has it, has it. */
void mailbox_register(struct work *w)
{
    struct slice id = FIELD_TEXT(w->order->args, "agent_id");
    struct bytes *out;

    if (is_free(w, id)) {
        set_registered(w, id);
        tell_registered(w, id);
    } else if (caller_of(w).len == 0 || slice_eq(caller_of(w), id)) {
        mailbox_touch(w, id);
    }
    out = work_answer(w);
    put_mailbox(w, out, id, false);
    JSON_BOOL(out, "registered", true);
    JSON_RAW(out, "}");
}

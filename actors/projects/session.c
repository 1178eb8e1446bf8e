/* SPDX-License-Identifier: MIT */
/*
 * A session is a profile at work on a project, one at a time. Of its token only
 * the digest is kept. It ends by itself an hour after its last use, and a day
 * after its beginning at the latest; what is over counts as gone before its row
 * is.
 *
 * An agent of ours acts by the session that it has begun itself, token or not,
 * and by no other: what it claims to be does not matter.
 */
#include <stdio.h>

#include "actors/projects/inside.h"

/* Neither over, nor of a process that has ended, nor last used in a future that
 * a clock set back has left behind. */
#define LIVE                                                                   \
    " AND expires_at > ?9 AND active_at <= ?9 + 86400000 AND NOT EXISTS"       \
    " (SELECT 1 FROM agents a WHERE a.id = run AND a.gone_at > 0)"
#define INSTANCES_MS ((int64_t)30 * 86400 * 1000)

static struct slice caller_of(const struct work *w)
{
    return slice_cstr(w->order->caller->agent_id);
}

void session_digest(struct slice token, char hex[SHA256_HEX])
{
    uint8_t bytes[SHA256_BYTES];
    struct sha256 s;

    sha256_init(&s);
    sha256_add(&s, token);
    sha256_finish(&s, bytes);
    sha256_hex(bytes, hex);
}

static void read_row(const struct sql *q, struct session *s)
{
    slice_keep(s->id, sizeof(s->id), sql_column(q, 0));
    slice_keep(s->agent, sizeof(s->agent), sql_column(q, 1));
    slice_keep(s->project, sizeof(s->project), sql_column(q, 2));
    slice_keep(s->task, sizeof(s->task), sql_column(q, 3));
    slice_keep(s->run, sizeof(s->run), sql_column(q, 4));
}

/* ---- finding ----------------------------------------------------------- */

static struct slice token_of(const struct work *w)
{
    static const struct slice names[] = {
        SLICE_INIT("token"), SLICE_INIT("session_token"), SLICE_INIT("")};

    return slice_trim(field_first_text(w->order->args, names));
}

static bool by_token(struct work *w, struct slice token, struct session *s)
{
    struct sql q = sql_open(w, "SELECT " SESSION_COLUMNS " FROM pm_sessions"
                               " WHERE token = ?1" LIVE);
    char hex[SHA256_HEX];
    bool is_there;

    session_digest(token, hex);
    sql_text(&q, 1, slice_cstr(hex));
    sql_int(&q, 9, (int64_t)w->now);
    is_there = sql_next(&q);
    if (is_there)
        read_row(&q, s);
    sql_close(&q);
    return is_there;
}

/* The newest that this agent of ours has begun. */
static bool by_run(struct work *w, struct session *s)
{
    struct sql q =
        sql_open(w, "SELECT " SESSION_COLUMNS " FROM pm_sessions WHERE"
                    " run = ?1 AND run <> ''" LIVE
                    " ORDER BY created_at DESC, id LIMIT 1");
    bool is_there;

    sql_text(&q, 1, caller_of(w));
    sql_int(&q, 9, (int64_t)w->now);
    is_there = sql_next(&q);
    if (is_there)
        read_row(&q, s);
    sql_close(&q);
    return is_there;
}

/* Whose session it is not is told no more than who has none. */
bool session_find(struct work *w, struct session *s)
{
    struct slice caller = caller_of(w);

    if (by_token(w, token_of(w), s) &&
        (caller.len == 0 || slice_eq(caller, slice_cstr(s->run))))
        return true;
    WORK_REFUSE_PLAIN(w, CODE_TOKEN_INVALID, PM_TOKEN_INVALID);
    return false;
}

bool session_find_any(struct work *w, struct session *s, bool *is_there)
{
    *s = (struct session){0};
    if (token_of(w).len > 0)
        return *is_there = session_find(w, s);
    *is_there = by_run(w, s);
    return true;
}

bool session_may_act(struct work *w, struct slice agent, struct session *s)
{
    struct slice caller = caller_of(w), brief = order_brief(agent);
    bool is_there;

    if (!session_find_any(w, s, &is_there))
        return false;
    if (is_there && slice_eq(slice_cstr(s->agent), agent))
        return true;
    if (is_there)
        WORK_REFUSE(w, CODE_SESSION_AGENT_MISMATCH, PM_OTHER_AGENT, s->agent,
                    (int)brief.len, brief.ptr);
    else if (caller.len > 0)
        WORK_REFUSE(w, CODE_NOT_PERMITTED, PM_NOT_YOU, caller.ptr,
                    (int)brief.len, brief.ptr);
    return !work_is_refused(w);
}

bool session_is_live(struct work *w, struct slice agent, struct slice project,
                     struct slice call)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_sessions WHERE agent = ?1"
                               " AND project = ?2 AND (call = '' OR"
                               " call <> ?3)" LIVE);
    bool is_so;

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    sql_text(&q, 3, call);
    sql_int(&q, 9, (int64_t)w->now);
    is_so = sql_next(&q);
    sql_close(&q);
    return is_so;
}

/* ---- its life ---------------------------------------------------------- */

int64_t session_ttl_ms(const struct work *w)
{
    return w->order->roster->settings->config->pm.session_ttl_s * 1000;
}

void session_prolong(struct work *w, const struct session *s)
{
    struct sql q;

    if (s->id[0] == 0)
        return;
    q = sql_open(w, "UPDATE pm_sessions SET active_at = ?2,"
                    " expires_at = min(?2 + ?3, created_at + ?4)"
                    " WHERE id = ?1");
    sql_text(&q, 1, slice_cstr(s->id));
    sql_int(&q, 2, (int64_t)w->now);
    sql_int(&q, 3, session_ttl_ms(w));
    sql_int(&q, 4, w->order->roster->settings->config->pm.session_max_s * 1000);
    sql_run(&q);
}

void session_bind(struct work *w, const struct session *s, struct slice task)
{
    struct sql q = sql_open(w, "UPDATE pm_sessions SET task = ?2"
                               " WHERE id = ?1");
    struct session bound = *s;

    sql_text(&q, 1, slice_cstr(s->id));
    sql_text(&q, 2, task);
    sql_run(&q);
    slice_keep(bound.task, sizeof(bound.task), task);
    session_tell(w, &bound, "bound");
    if (s->run[0] != 0)
        runner_bind(w, s, task);
}

static void put(struct bytes *out, const struct session *s)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", slice_cstr(s->id));
    JSON_TEXT(out, "agent_id", slice_cstr(s->agent));
    JSON_TEXT(out, "project_id", slice_cstr(s->project));
    PM_TEXT(out, "task_id", slice_cstr(s->task));
    PM_TEXT(out, "run_id", slice_cstr(s->run));
}

void session_put_row(struct bytes *out, const struct sql *q)
{
    struct session s;

    read_row(q, &s);
    put(out, &s);
}

void session_tell(struct work *w, const struct session *s, const char *event)
{
    struct bytes *out = work_event(w, "pm:session");

    put(out, s);
    JSON_TEXT(out, "event", slice_cstr(event));
    JSON_RAW(out, "}");
}

void session_end(struct work *w, const struct session *s, const char *why)
{
    struct sql q = sql_open(w, "DELETE FROM pm_sessions WHERE id = ?1");

    sql_text(&q, 1, slice_cstr(s->id));
    sql_run(&q);
    if (s->run[0] != 0)
        mail_unlend(w, slice_cstr(s->agent), slice_cstr(s->run));
    session_tell(w, s, why);
}

void session_logout(struct work *w)
{
    struct session s;
    struct bytes *out;

    if (!session_find(w, &s))
        return;
    session_end(w, &s, "logout");
    out = work_answer(w);
    JSON_RAW(out, "{\"success\":true");
    JSON_TEXT(out, "instruction",
              slice_cstr(MESSAGE(order_is_english(w->order), PM_LOGGED_OUT)));
    JSON_RAW(out, "}");
}

void session_end_of(struct work *w, struct slice agent, struct slice project)
{
    struct sql q =
        sql_open(w, "SELECT " SESSION_COLUMNS " FROM pm_sessions WHERE"
                    " agent = ?1 AND project = ?2");
    struct session s = {0};

    sql_text(&q, 1, agent);
    sql_text(&q, 2, project);
    if (sql_next(&q))
        read_row(&q, &s);
    sql_close(&q);
    if (s.id[0] != 0)
        session_end(w, &s, "expired");
}

static bool find_over(struct work *w, struct session *s)
{
    struct sql q =
        sql_open(w, "SELECT " SESSION_COLUMNS " FROM pm_sessions WHERE"
                    " NOT (1" LIVE ") LIMIT 1");
    bool is_there;

    sql_int(&q, 9, (int64_t)w->now);
    is_there = sql_next(&q);
    if (is_there)
        read_row(&q, s);
    sql_close(&q);
    return is_there;
}

/* An own work, of no order: those that are over are told so and go, and what
 * the runner has started long ago. */
void session_clear(struct work *w)
{
    struct session s;
    struct sql q;

    while (w->code == SQLITE_OK && find_over(w, &s))
        session_end(w, &s, "expired");
    q = sql_open(w, "DELETE FROM pm_instances WHERE ended_at > 0 AND"
                    " ended_at < ?1 - ?2");
    sql_int(&q, 1, (int64_t)w->now);
    sql_int(&q, 2, INSTANCES_MS);
    sql_run(&q);
}

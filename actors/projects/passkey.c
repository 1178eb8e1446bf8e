/* SPDX-License-Identifier: MIT */
/*
 * Of a passkey only what PBKDF2 makes of it is kept. Deriving it takes long, so
 * it is done between two works: the first says with which salt, the second
 * compares; a passkey that was changed in between is no longer right.
 */
#include "actors/projects/inside.h"

void passkey_keep(struct pm_work *w, struct slice agent)
{
    struct sql q = sql_open(
        &w->work, "INSERT INTO pm_passkeys(agent, iterations, salt, hash, call,"
                  " created_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6)"
                  " ON CONFLICT(agent) DO UPDATE SET iterations = ?2,"
                  " salt = ?3, hash = ?4, call = ?5, created_at = ?6,"
                  " used_at = 0");

    sql_text(&q, 1, agent);
    sql_int(&q, 2, w->key.iterations);
    sql_text(&q, 3, slice_cstr(w->key.salt));
    sql_text(&q, 4, slice_cstr(w->key.hash));
    sql_text(&q, 5, slice_cstr(w->work.order->key));
    sql_int(&q, 6, (int64_t)w->work.now);
    sql_run(&q);
}

void passkey_set(struct work *w)
{
    struct slice id = PM_ARG(w, "agent_id");
    struct pm_work *p = (struct pm_work *)w;
    struct bytes *out;

    if (!pm_may_manage(w) || !profile_exists(w, id))
        return;
    passkey_keep(p, id);
    out = work_answer(w);
    JSON_RAW(out, "{\"success\":true");
    JSON_TEXT(out, "agent_id", id);
    PM_TEXT(out, "passkey", slice_cstr(p->secret));
    JSON_RAW(out, "}");
}

/* Without one nothing is said of it either: then the answer takes as long. */
void passkey_look(struct work *w)
{
    struct pm_work *p = (struct pm_work *)w;
    struct sql q = sql_open(w, "SELECT salt, iterations FROM pm_passkeys"
                               " WHERE agent = ?1");

    p->key.salt[0] = 0;
    sql_text(&q, 1, PM_ARG(w, "agent_id"));
    if (sql_next(&q)) {
        slice_keep(p->key.salt, sizeof(p->key.salt), sql_column(&q, 0));
        p->key.iterations = (uint32_t)sql_number(&q, 1);
    }
    sql_close(&q);
}

/* The same time wherever they differ. */
static bool is_same(struct slice a, struct slice b)
{
    unsigned char differs = a.len != b.len;

    for (size_t i = 0; i < a.len && i < b.len; i++)
        differs |= (unsigned char)(a.ptr[i] ^ b.ptr[i]);
    return differs == 0;
}

bool passkey_is_right(struct pm_work *w, struct slice agent)
{
    struct sql q = sql_open(&w->work, "SELECT salt, hash FROM pm_passkeys"
                                      " WHERE agent = ?1");
    bool is_right;

    sql_text(&q, 1, agent);
    is_right = sql_next(&q) &&
               slice_eq(sql_column(&q, 0), slice_cstr(w->key.salt)) &&
               is_same(sql_column(&q, 1), slice_cstr(w->key.hash));
    sql_close(&q);
    return is_right;
}

void passkey_note_use(struct pm_work *w, struct slice agent)
{
    struct sql q = sql_open(&w->work, "UPDATE pm_passkeys SET used_at = ?2"
                                      " WHERE agent = ?1");

    sql_text(&q, 1, agent);
    sql_int(&q, 2, (int64_t)w->work.now);
    sql_run(&q);
}

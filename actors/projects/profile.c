/* SPDX-License-Identifier: MIT */
#include "actors/projects/inside.h"

static const char by_id[] =
    "SELECT " PROFILE_COLUMNS " FROM pm_agents WHERE id = ?1";

void profile_put_row(struct bytes *out, const struct sql *q)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "id", sql_column(q, 0));
    JSON_TEXT(out, "name", sql_column(q, 1));
    JSON_TEXT(out, "role", sql_column(q, 2));
    JSON_TEXT(out, "type", sql_column(q, 3));
    JSON_TEXT(out, "role_type", sql_column(q, 4));
    JSON_TEXT(out, "hierarchy_type", sql_column(q, 5));
    JSON_UINT(out, "max_parallel_tasks", (uint64_t)sql_number(q, 6));
    JSON_KEY(out, "capabilities");
    json_raw(out, sql_column(q, 7));
    JSON_TEXT(out, "status", sql_column(q, 8));
    PM_TIME(out, "created_at", sql_number(q, 9));
    PM_TEXT(out, "ai_type", sql_column(q, 10));
    PM_TEXT(out, "model", sql_column(q, 11));
    PM_TEXT(out, "runs_as", sql_column(q, 12));
    PM_TEXT(out, "parent_agent_id", sql_column(q, 13));
}

bool profile_put(struct work *w, struct bytes *out, struct slice id)
{
    struct sql q = sql_open(w, by_id);
    bool is_there;

    sql_text(&q, 1, id);
    is_there = sql_next(&q);
    if (is_there) {
        profile_put_row(out, &q);
        JSON_RAW(out, "}");
    }
    sql_close(&q);
    return is_there;
}

bool profile_exists(struct work *w, struct slice id)
{
    if (pm_is_there(w, by_id, id))
        return true;
    id = order_brief(id);
    WORK_REFUSE(w, CODE_AGENT_NOT_FOUND, MAIL_NO_AGENT, (int)id.len, id.ptr);
    return false;
}

static void tell(struct work *w, struct slice id, const char *event)
{
    struct bytes *out = work_event(w, "pm:agent");
    struct sql q = sql_open(w, by_id);

    sql_text(&q, 1, id);
    if (sql_next(&q)) {
        profile_put_row(out, &q);
        JSON_TEXT(out, "event", slice_cstr(event));
        JSON_RAW(out, "}");
    }
    sql_close(&q);
}

/* ---- making ------------------------------------------------------------ */

static bool check_parent(struct work *w)
{
    struct slice parent = PM_ARG(w, "parent_agent_id");

    return parent.len == 0 || profile_exists(w, parent);
}

static void bind_capabilities(struct sql *q, int param, struct work *w,
                              struct bytes *text)
{
    yyjson_val *list = FIELD(w->order->args, "capabilities");

    if (list == NULL)
        return;
    json_val(text, list);
    sql_text(q, param, bytes_slice(text));
}

static void insert(struct work *w, const char *id)
{
    struct bytes capabilities = {0};
    struct sql q = sql_open(
        w, "INSERT INTO pm_agents(id, name, role, type, ai_type, model,"
           " runs_as, role_type, hierarchy, parent, max_parallel,"
           " capabilities, system_prompt, status, created_at, updated_at)"
           " VALUES(?1, ?2, ?3, coalesce(?4, 'ai'), ?5, ?6, ?7,"
           " coalesce(?8, 'developer'), coalesce(?9, 'worker'), ?10,"
           " max(?11, 1), coalesce(?12, '[]'), ?13, 'active', ?14, ?14)");

    sql_text(&q, 1, slice_cstr(id));
    sql_text(&q, 2, PM_ARG(w, "name"));
    sql_text(&q, 3, PM_ARG(w, "role"));
    sql_text_or_null(&q, 4, PM_ARG(w, "type"));
    sql_text_or_null(&q, 5, PM_ARG(w, "ai_type"));
    sql_text_or_null(&q, 6, PM_ARG(w, "model"));
    sql_text_or_null(&q, 7, PM_ARG(w, "runs_as"));
    sql_text_or_null(&q, 8, PM_ARG(w, "role_type"));
    sql_text_or_null(&q, 9, PM_ARG(w, "hierarchy_type"));
    sql_text_or_null(&q, 10, PM_ARG(w, "parent_agent_id"));
    sql_int(&q, 11, (int64_t)FIELD_COUNT(w->order->args, "max_parallel_tasks"));
    bind_capabilities(&q, 12, w, &capabilities);
    sql_text_or_null(&q, 13, PM_ARG(w, "system_prompt"));
    sql_int(&q, 14, (int64_t)w->now);
    sql_run(&q);
    bytes_finish(&capabilities);
}

static void answer(struct work *w, struct slice id, const char *passkey)
{
    struct bytes *out = work_answer(w);

    JSON_RAW(out, "{\"success\":true,\"agent\":");
    profile_put(w, out, id);
    PM_TEXT(out, "passkey", slice_cstr(passkey));
    JSON_RAW(out, "}");
}

/* A call that is repeated finds what it has made, and is given another
 * passkey: the first was never heard. */
static bool is_repeated(struct work *w, struct slice id)
{
    struct sql q = sql_open(w, "SELECT 1 FROM pm_passkeys WHERE agent = ?1"
                               " AND call = ?2 AND call <> ''");
    bool is_so;

    sql_text(&q, 1, id);
    sql_text(&q, 2, slice_cstr(w->order->key));
    is_so = w->order->is_repeated && sql_next(&q);
    sql_close(&q);
    return is_so;
}

void profile_create(struct work *w)
{
    struct pm_work *p = (struct pm_work *)w;
    struct slice named = PM_ARG(w, "agent_id");
    char id[PM_ID];

    if (!pm_may_manage(w) || !check_parent(w))
        return;
    if (named.len > 0 && is_repeated(w, named)) {
        slice_keep(id, sizeof(id), named);
    } else {
        if (!pm_new_id(w, "agent_id", "agt_", by_id, id))
            return;
        insert(w, id);
        mail_open(w, slice_cstr(id), PM_ARG(w, "name"), PM_ARG(w, "role"));
        tell(w, slice_cstr(id), "created");
    }
    if (p->key.hash[0] != 0)
        passkey_keep(p, slice_cstr(id));
    answer(w, slice_cstr(id), p->secret);
}

void profile_update(struct work *w)
{
    yyjson_val *args = w->order->args;
    struct slice id = PM_ARG(w, "agent_id");
    struct bytes capabilities = {0};
    struct sql q;

    if (!pm_may_manage(w) || !profile_exists(w, id) || !check_parent(w))
        return;
    q = sql_open(
        w, "UPDATE pm_agents SET name = coalesce(?2, name),"
           " role = coalesce(?3, role), type = coalesce(?4, type),"
           " ai_type = coalesce(?5, ai_type),"
           " model = CASE WHEN ?6 THEN ?7 ELSE model END,"
           " runs_as = CASE WHEN ?8 THEN ?9 ELSE runs_as END,"
           " role_type = coalesce(?10, role_type),"
           " hierarchy = coalesce(?11, hierarchy),"
           " parent = CASE WHEN ?12 THEN ?13 ELSE parent END,"
           " max_parallel = CASE WHEN ?14 > 0 THEN ?14 ELSE max_parallel END,"
           " capabilities = coalesce(?15, capabilities),"
           " system_prompt = CASE WHEN ?16 THEN ?17 ELSE system_prompt END,"
           " status = coalesce(?18, status), updated_at = ?19 WHERE id = ?1");
    sql_text(&q, 1, id);
    sql_text_or_null(&q, 2, PM_ARG(w, "name"));
    if (FIELD(args, "role"))
        sql_text(&q, 3, PM_ARG(w, "role"));
    sql_text_or_null(&q, 4, PM_ARG(w, "type"));
    sql_text_or_null(&q, 5, PM_ARG(w, "ai_type"));
    sql_int(&q, 6, FIELD(args, "model") != NULL);
    sql_text_or_null(&q, 7, PM_ARG(w, "model"));
    sql_int(&q, 8, FIELD(args, "runs_as") != NULL);
    sql_text_or_null(&q, 9, PM_ARG(w, "runs_as"));
    sql_text_or_null(&q, 10, PM_ARG(w, "role_type"));
    sql_text_or_null(&q, 11, PM_ARG(w, "hierarchy_type"));
    sql_int(&q, 12, FIELD(args, "parent_agent_id") != NULL);
    sql_text_or_null(&q, 13, PM_ARG(w, "parent_agent_id"));
    sql_int(&q, 14, (int64_t)FIELD_COUNT(args, "max_parallel_tasks"));
    bind_capabilities(&q, 15, w, &capabilities);
    sql_int(&q, 16, FIELD(args, "system_prompt") != NULL);
    sql_text_or_null(&q, 17, PM_ARG(w, "system_prompt"));
    sql_text_or_null(&q, 18, PM_ARG(w, "status"));
    sql_int(&q, 19, (int64_t)w->now);
    sql_run(&q);
    bytes_finish(&capabilities);
    tell(w, id, "updated");
    answer(w, id, "");
}

/* ---- telling ----------------------------------------------------------- */

static void put_runs(struct bytes *out, yyjson_val *runs, bool are_mixed)
{
    yyjson_val *run, *key;
    yyjson_arr_iter it;

    yyjson_arr_iter_init(FIELD(runs, "agents"), &it);
    while ((run = yyjson_arr_iter_next(&it))) {
        yyjson_obj_iter fields;

        json_raw(out, out->ptr[out->len - 1] == '}' ? SLICE(",{") : SLICE("{"));
        if (are_mixed)
            JSON_TEXT(out, "kind", SLICE("run"));
        yyjson_obj_iter_init(run, &fields);
        while ((key = yyjson_obj_iter_next(&fields))) {
            json_key(out, field_text(key));
            json_val(out, yyjson_obj_iter_get_val(key));
        }
        JSON_RAW(out, "}");
    }
}

static void put_profiles(struct work *w, struct bytes *out)
{
    struct sql q = sql_open(w, "SELECT " PROFILE_COLUMNS " FROM pm_agents"
                               " ORDER BY name, id LIMIT 500");

    while (sql_next(&q)) {
        if (out->ptr[out->len - 1] == '}')
            JSON_RAW(out, ",");
        profile_put_row(out, &q);
        JSON_TEXT(out, "kind", SLICE("profile"));
        JSON_TEXT(out, "agentId", sql_column(&q, 0));
        JSON_RAW(out, "}");
    }
    sql_close(&q);
}

static uint64_t count_all(struct work *w)
{
    struct sql q = sql_open(w, "SELECT count(*) FROM pm_agents");
    uint64_t count = sql_next(&q) ? (uint64_t)sql_number(&q, 0) : 0;

    sql_close(&q);
    return count;
}

void profile_list(struct work *w)
{
    struct pm_work *p = (struct pm_work *)w;
    yyjson_doc *doc = yyjson_read(p->runs.ptr, p->runs.len, 0);
    yyjson_val *runs = yyjson_doc_get_root(doc);
    struct bytes *out = work_answer(w);

    p->count = count_all(w);
    JSON_RAW(out, "{\"agents\":[");
    put_runs(out, runs, p->count > 0);
    put_profiles(w, out);
    JSON_RAW(out, "]");
    JSON_UINT(out, "total", p->count + FIELD_COUNT(runs, "total"));
    JSON_RAW(out, "}");
    yyjson_doc_free(doc);
}

void profile_get(struct work *w)
{
    struct slice id = PM_ARG(w, "agent_id");

    if (profile_exists(w, id))
        profile_put(w, work_answer(w), id);
}

void profile_get_own(struct work *w)
{
    struct slice id = PM_ARG(w, "agent_id");
    bool is_there;
    struct session s;

    if (!session_find_any(w, &s, &is_there))
        return;
    if (is_there)
        id = slice_cstr(s.agent);
    if (id.len == 0)
        WORK_REFUSE_PLAIN(w, CODE_MISSING_ARGUMENTS, PM_TOKEN_OR_AGENT);
    else if (profile_exists(w, id))
        profile_put(w, work_answer(w), id);
}

/* SPDX-License-Identifier: MIT */
#include "actors/store/picture.h"

#include "actors/store/picture_inside.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"

/* ---- members ------------------------------------------------------------ */

/* A list of names, ended by an empty one. */
static bool is_one_of(const struct slice *names, struct slice name)
{
    while (names->len > 0 && !slice_eq(*names, name))
        names++;
    return names->len > 0;
}

/* The members that the list has (or has not). */
static void put_members(struct bytes *out, yyjson_val *obj,
                        const struct slice *names, bool are_wanted)
{
    yyjson_obj_iter iter = yyjson_obj_iter_with(obj);
    yyjson_val *key;

    while ((key = yyjson_obj_iter_next(&iter)) != NULL) {
        if (is_one_of(names, field_text(key)) != are_wanted)
            continue;
        json_key(out, field_text(key));
        json_val(out, yyjson_obj_iter_get_val(key));
    }
}

static void put_part(struct bytes *out, struct slice name, yyjson_val *val)
{
    if (val == NULL)
        return;
    json_key(out, name);
    json_val(out, val);
}

/* ---- agents ------------------------------------------------------------- */

/* What the picture has of an agent; an event has more. */
#define FIXED                                                                  \
    SLICE_INIT("agentId"), SLICE_INIT("groupId"), SLICE_INIT("role"),          \
        SLICE_INIT("model"), SLICE_INIT("status"), SLICE_INIT("startedAt"),    \
        SLICE_INIT("outcome"), SLICE_INIT("createdAt"),                        \
        SLICE_INIT("finishedAt"), SLICE_INIT("backend"),                       \
        SLICE_INIT("workingDirectory"), SLICE_INIT("stageIndex"),              \
        SLICE_INIT("retryOf"), SLICE_INIT("stalled"), SLICE_INIT("gone"),      \
        SLICE_INIT("about"), SLICE_INIT("summary"), SLICE_INIT("errorMessage")
#define PROGRESS                                                               \
    SLICE_INIT("toolCallCount"), SLICE_INIT("lastAssistantMessage"),           \
        SLICE_INIT("tool"), SLICE_INIT("toolTitle"), SLICE_INIT("toolAt"),     \
        SLICE_INIT("editedFileCount"), SLICE_INIT("createdFileCount"),         \
        SLICE_INIT("usage")
static const struct slice fixed[] = {FIXED, {0}};
static const struct slice whole[] = {
    FIXED, PROGRESS, SLICE_INIT("elapsed_ms"), {0}};
static const struct slice progress[] = {PROGRESS, {0}};
#undef FIXED
#undef PROGRESS

static bool is_done(const struct picture_agent *a)
{
    return a->counted.outcome.len > 0;
}

static bool is_gone(const struct picture_agent *a)
{
    return yyjson_is_true(FIELD(a->entry.val, "gone"));
}

static void put_elapsed(struct bytes *out, const struct picture_agent *a,
                        uint64_t at)
{
    int64_t started = 0;

    moment_read(FIELD_TEXT(a->entry.val, "startedAt"), &started);
    JSON_UINT(out, "elapsed_ms",
              started > 0 && at > (uint64_t)started ? at - (uint64_t)started
                                                    : 0);
}

void picture_put_sample(struct bytes *out, const struct picture_sample *s)
{
    JSON_UINT(out, "toolCallCount", s->tool_calls);
    if (s->said.len > 0)
        JSON_TEXT(out, "lastAssistantMessage", s->said);
    JSON_TEXT(out, "tool", s->tool);
    JSON_TEXT(out, "toolTitle", s->title);
    JSON_KEY(out, "toolAt");
    json_time(out, s->tool_at);
    JSON_UINT(out, "editedFileCount", s->edited);
    JSON_UINT(out, "createdFileCount", s->created);
    agent_record_put_usage(out, &s->usage);
}

/* The newest first, as the registry has them. */
static void put_conflicts(struct bytes *out, const struct picture_agent *a)
{
    yyjson_val *before = FIELD(a->entry.val, "conflicts"), *one;
    size_t i, max;

    if (a->conflict_count == 0 && before == NULL)
        return;
    JSON_KEY(out, "conflicts");
    JSON_RAW(out, "[");
    for (size_t n = a->conflict_count; n-- > 0;) {
        json_raw(out, out->ptr[out->len - 1] == '[' ? SLICE("{") : SLICE(",{"));
        JSON_TEXT(out, "path", a->conflicts[n].path);
        JSON_TEXT(out, "agentId", a->conflicts[n].other);
        JSON_RAW(out, "}");
    }
    yyjson_arr_foreach(before, i, max, one)
    {
        if (out->ptr[out->len - 1] != '[')
            JSON_RAW(out, ",");
        json_val(out, one);
    }
    JSON_RAW(out, "]");
}

/* One that is not done gets on between two events. The sums of its group are
 * made by what is told of it here. */
static void put_running(struct bytes *out, const struct picture_agent *a,
                        const struct picture_moment *m)
{
    struct picture_sample s;
    struct group_record_part part = a->counted;

    put_members(out, a->entry.val, fixed, true);
    put_elapsed(out, a, m->at);
    put_conflicts(out, a);
    if (m->sample_of == NULL || !m->sample_of(m->ctx, a->id, a->at, &s)) {
        put_members(out, a->entry.val, progress, true);
        return;
    }
    picture_put_sample(out, &s);
    group_record_remove(&a->group->told, &part);
    part.usage = s.usage;
    group_record_add(&a->group->told, &part);
}

static void put_agents(struct bytes *out, const struct picture *p,
                       const struct picture_moment *m)
{
    uint64_t left = 0;

    LIST_EACH (a, &p->agents, order)
        left++;
    JSON_KEY(out, "agents");
    JSON_RAW(out, "[");
    LIST_EACH (a, &p->agents, order) {
        if (left-- > PICTURE_AGENTS && is_gone(a))
            continue;
        if (out->ptr[out->len - 1] != '[')
            JSON_RAW(out, ",");
        JSON_RAW(out, "{");
        if (is_done(a))
            put_members(out, a->entry.val, whole, true);
        else
            put_running(out, a, m);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    JSON_UINT(out, "totalAgents", p->total);
}

/* ---- groups ------------------------------------------------------------- */

/* What stands for it is told beside it. */
#define SUMS                                                                   \
    SLICE_INIT("agents"), SLICE_INIT("agentIds"), SLICE_INIT("usage"),         \
        SLICE_INIT("ledger"), SLICE_INIT("stageIndex"),                        \
        SLICE_INIT("totalStages"), SLICE_INIT("completed"),                    \
        SLICE_INIT("finishedAt")
static const struct slice sums[] = {SUMS, {0}};
static const struct slice sums_and_ledger[] = {
    SUMS, SLICE_INIT("iteration"), SLICE_INIT("stalled"), {0}};
#undef SUMS

static void put_ids(struct bytes *out, const struct picture_group *g)
{
    size_t first =
        g->id_count > GROUP_RECORD_IDS ? g->id_count - GROUP_RECORD_IDS : 0;

    JSON_KEY(out, "agentIds");
    JSON_RAW(out, "[");
    for (size_t i = first; i < g->id_count; i++) {
        if (i > first)
            JSON_RAW(out, ",");
        json_string(out, g->ids[i]);
    }
    JSON_RAW(out, "]");
}

static void put_end(struct bytes *out, const struct picture_group *g)
{
    yyjson_val *entry = g->entry.val;
    bool is_over = !g->is_reopened && yyjson_is_true(FIELD(entry, "completed"));

    JSON_BOOL(out, "completed", is_over);
    JSON_KEY(out, "finishedAt");
    if (is_over)
        json_val(out, FIELD(entry, "finishedAt"));
    else
        JSON_RAW(out, "null");
}

static void put_ledger(struct bytes *out, const struct picture_group *g)
{
    static const struct slice state[] = {SLICE_INIT("stalled"), {0}};

    if (g->ledger.val == NULL)
        return;
    if (g->is_ledger_newer) {
        put_part(out, SLICE("iteration"), FIELD(g->ledger.val, "iteration"));
        if (yyjson_is_true(FIELD(g->ledger.val, "stalled")))
            JSON_RAW(out, ",\"stalled\":true");
    }
    JSON_KEY(out, "ledger");
    JSON_RAW(out, "{");
    put_members(out, g->ledger.val, state, false);
    JSON_RAW(out, "}");
}

static void put_groups(struct bytes *out, const struct picture *p)
{
    JSON_KEY(out, "groups");
    JSON_RAW(out, "[");
    LIST_EACH (g, &p->groups, order) {
        if (out->ptr[out->len - 1] != '[')
            JSON_RAW(out, ",");
        JSON_RAW(out, "{");
        put_members(out, g->entry.val,
                    g->is_ledger_newer ? sums_and_ledger : sums, false);
        group_record_put_counts(out, &g->told);
        put_end(out, g);
        group_record_put_usage(out, &g->told);
        put_ids(out, g);
        put_ledger(out, g);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

/* ---- roles -------------------------------------------------------------- */

static yyjson_val *finding_of(const struct picture *p, struct slice role)
{
    for (size_t i = 0; i < p->finding_count; i++)
        if (slice_eq(p->findings[i].role, role))
            return p->findings[i].part.val;
    return NULL;
}

/* A role is what it was when the picture was drawn, but for what was found. */
static void put_roles(struct bytes *out, const struct picture *p)
{
    static const struct slice found[] = {SLICE_INIT("model"),
                                         SLICE_INIT("available"),
                                         SLICE_INIT("healthCheck"),
                                         SLICE_INIT("modelValidation"),
                                         {0}};
    yyjson_val *role;
    size_t i, max;

    JSON_KEY(out, "roles");
    JSON_RAW(out, "[");
    yyjson_arr_foreach(FIELD(p->root, "roles"), i, max, role)
    {
        yyjson_val *finding = finding_of(p, FIELD_TEXT(role, "id"));

        if (i > 0)
            JSON_RAW(out, ",");
        JSON_RAW(out, "{");
        put_members(out, role, found, false);
        put_members(out, finding != NULL ? finding : role, found, true);
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

static void put_health(struct bytes *out, const struct picture *p)
{
    JSON_KEY(out, "healthcheck");
    JSON_RAW(out, "{");
    JSON_TEXT(out, "status",
              p->is_healthy ? SLICE("complete") : SLICE("running"));
    JSON_KEY(out, "results");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < p->finding_count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        json_val(out, p->findings[i].part.val);
    }
    JSON_RAW(out, "]}");
}

void picture_put(struct bytes *out, struct picture *p,
                 const struct picture_moment *m)
{
    static const struct slice own[] = {SLICE_INIT("seq"),
                                       SLICE_INIT("at"),
                                       SLICE_INIT("roles"),
                                       SLICE_INIT("groups"),
                                       SLICE_INIT("agents"),
                                       SLICE_INIT("config"),
                                       SLICE_INIT("totalAgents"),
                                       SLICE_INIT("places"),
                                       SLICE_INIT("healthcheck"),
                                       SLICE_INIT("availableModels"),
                                       {0}};

    LIST_EACH (g, &p->groups, order)
        g->told = g->sum;
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", p->seq);
    JSON_KEY(out, "at");
    json_time(out, m->at);
    put_members(out, p->root, own, false);
    put_part(out, SLICE("availableModels"), p->models.val);
    put_agents(out, p, m);
    put_groups(out, p);
    put_roles(out, p);
    put_health(out, p);
    put_part(out, SLICE("config"), p->config.val);
    JSON_RAW(out, "}");
}

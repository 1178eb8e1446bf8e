/* SPDX-License-Identifier: MIT */
#include "actors/store/group_record.h"

#include "runtime/text/field.h"
#include "runtime/text/json.h"

/* In the order of a life. */
static const struct slice names[GROUP_RECORD_STATES] = {
    SLICE_INIT("queued"),        SLICE_INIT("running"),
    SLICE_INIT("completed"),     SLICE_INIT("failed"),
    SLICE_INIT("timedOut"),      SLICE_INIT("cancelled"),
    SLICE_INIT("resultReported")};

enum { QUEUED, RUNNING };

static uint64_t *state_of(struct group_record *g, struct slice name)
{
    unsigned i = 0;

    while (i < GROUP_RECORD_STATES - 1 && !slice_eq(names[i], name))
        i++;
    return &g->states[i];
}

static uint64_t tokens_of(const struct agent_record_usage *u)
{
    return u->input + u->output + u->cache_read + u->cache_write;
}

/* Unsigned numbers wrap round, so that what was added can be taken back by the
 * same steps. */
static void change(struct group_record *g, const struct group_record_part *part,
                   uint64_t by)
{
    const struct agent_record_usage *u = &part->usage;

    *state_of(g, part->state) += by;
    g->total += by;
    g->done += part->outcome.len > 0 ? by : 0;
    g->failed += slice_eq(part->outcome, SLICE("failure")) ? by : 0;
    g->usage.input += by * u->input;
    g->usage.output += by * u->output;
    g->usage.cache_read += by * u->cache_read;
    g->usage.cache_write += by * u->cache_write;
    if (u->has_cost) {
        g->usage.cost += by * u->cost;
        g->priced += by;
    } else {
        g->unpriced += by * tokens_of(u);
    }
}

void group_record_add(struct group_record *g,
                      const struct group_record_part *part)
{
    change(g, part, 1);
}

void group_record_remove(struct group_record *g,
                         const struct group_record_part *part)
{
    change(g, part, UINT64_MAX);
}

/* ---- in JSON ------------------------------------------------------------ */

void group_record_read(struct group_record *g, yyjson_val *group)
{
    yyjson_val *agents = FIELD(group, "agents");
    yyjson_val *states = FIELD(agents, "states");
    yyjson_val *usage = FIELD(group, "usage");

    *g =
        (struct group_record){.total = FIELD_COUNT(agents, "total"),
                              .done = FIELD_COUNT(agents, "done"),
                              .failed = FIELD_COUNT(agents, "failed"),
                              .priced = FIELD_COUNT(usage, "pricedAgents"),
                              .unpriced = FIELD_COUNT(usage, "unpricedTokens")};
    for (unsigned i = 0; i < GROUP_RECORD_STATES; i++)
        g->states[i] = field_count(field_get(states, names[i]));
    agent_record_read_usage(&g->usage, usage);
}

static void put_states(struct bytes *out, const struct group_record *g)
{
    JSON_KEY(out, "states");
    JSON_RAW(out, "{");
    for (unsigned i = 0; i < GROUP_RECORD_STATES; i++)
        if (g->states[i] > 0) {
            json_key(out, names[i]);
            json_uint(out, g->states[i]);
        }
    JSON_RAW(out, "}");
}

void group_record_put_counts(struct bytes *out, const struct group_record *g)
{
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "total", g->total);
    JSON_UINT(out, "queued", g->states[QUEUED]);
    JSON_UINT(out, "running", g->states[RUNNING]);
    JSON_UINT(out, "done", g->done);
    JSON_UINT(out, "succeeded", g->done - g->failed);
    JSON_UINT(out, "failed", g->failed);
    put_states(out, g);
    JSON_RAW(out, "}");
}

void group_record_put_brief_counts(struct bytes *out,
                                   const struct group_record *g)
{
    JSON_KEY(out, "agents");
    JSON_RAW(out, "{");
    JSON_UINT(out, "total", g->total);
    JSON_UINT(out, "done", g->done);
    JSON_UINT(out, "succeeded", g->done - g->failed);
    JSON_UINT(out, "failed", g->failed);
    put_states(out, g);
    JSON_RAW(out, "}");
}

void group_record_put_usage(struct bytes *out, const struct group_record *g)
{
    struct agent_record_usage u = g->usage;

    u.has_cost = g->priced > 0;
    agent_record_put_usage(out, &u);
    out->len--;
    JSON_UINT(out, "pricedAgents", g->priced);
    if (g->unpriced > 0)
        JSON_UINT(out, "unpricedTokens", g->unpriced);
    JSON_RAW(out, "}");
}

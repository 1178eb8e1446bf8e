/* SPDX-License-Identifier: MIT */
/* What a member's process is to be, and what it is told to do. */
#include "actors/group/inside.h"

#include <stdlib.h>

#include "actors/launch/launch.h"
#include "actors/launch/prompt.h"
#include "runtime/text/bytes.h"

static struct slice status_of(const struct agent_view *v)
{
    switch (v->result != NULL ? v->result->outcome : AGENT_FAILURE) {
    case AGENT_SUCCESS:
        return SLICE("success");
    case AGENT_TIMEOUT:
        return SLICE("timeout");
    case AGENT_CANCELLED_OUTCOME:
        return SLICE("cancelled");
    case AGENT_FAILURE:
        break;
    }
    return SLICE("failure");
}

static struct prompt_result result_of(struct group *g,
                                      const struct agent_view *v)
{
    const struct member *m = group_member(g, v->def->serial);
    struct prompt_result r = {.agent_id = slice_cstr(v->id),
                              .status = status_of(v)};

    if (m != NULL)
        r.role = slice_cstr(m->task->role->role->id);
    if (v->result != NULL) {
        r.summary = v->result->summary;
        r.response = v->result->response;
        r.error = v->result->error;
        r.is_reported = v->result->is_reported;
    }
    return r;
}

static void fill_magentic(struct order *o, struct prompt_magentic *p)
{
    *p = (struct prompt_magentic){
        .task = FIELD_TEXT(o->args, "task"),
        .criteria = FIELD_TEXT(o->args, "completionCriteria"),
        .scope = FIELD_TEXT(o->args, "scope"),
        .constraints = FIELD_TEXT(o->args, "constraints"),
        .context = FIELD_TEXT(o->args, "context"),
        .roles = o->allowed,
        .role_count = o->allowed_count,
        .max_iterations = (int64_t)order_max_iterations(o),
        .timeout_ms = (int64_t)o->tasks[0].timeout_ms};
}

static void build_prompt(struct group *g, const struct member *m,
                         struct bytes *out, struct prompt_layers *layers)
{
    struct order *o = m->order;
    const struct config *config = o->roster->settings->config;
    size_t count =
        m->task->stage > 0 && g->before != NULL ? g->before->count : 0;
    struct prompt_result *previous =
        count > 0 ? bytes_alloc(count * sizeof(*previous)) : NULL;
    struct prompt_magentic magentic;
    struct prompt_input in = {.language = g->setup.language,
                              .role = m->task->role->role,
                              .agent_id = slice_cstr(m->task->id),
                              .group_id = slice_cstr(g->setup.id),
                              .directory = slice_cstr(m->task->directory),
                              .previous = previous,
                              .previous_count = count,
                              .inject_limit =
                                  (size_t)config->agent.inject_limit_bytes,
                              .retry_of = m->task->retry.of,
                              .retry_error = m->task->retry.error,
                              .task = m->task->prompt};

    for (size_t i = 0; i < count; i++)
        previous[i] = result_of(g, g->before->views[i]);
    if (o->kind == ORDER_RUN_MAGENTIC) {
        fill_magentic(o, &magentic);
        in.magentic = &magentic;
    }
    prompt_build(&in, out, layers);
    free(previous);
}

/* Offered, no more: who may do what is judged where orders are. */
static const char *tools_of(const struct order *o)
{
    if (o->kind == ORDER_RUN_MAGENTIC)
        return "orchestrator";
    /* No client can say these: phases/plans.c and projects/runner.c do. */
    if (slice_eq(FIELD_TEXT(o->args, "tools"), SLICE("phases")))
        return "phases";
    if (slice_eq(FIELD_TEXT(o->args, "tools"), SLICE("runner")))
        return "runner";
    return o->roster->settings->config->agent.is_nesting_allowed ? "nesting"
                                                                 : "agent";
}

static struct launch_instance instance_of(const struct order *o)
{
    yyjson_val *given = FIELD(o->args, "instance");

    return (struct launch_instance){
        .id = yyjson_get_str(FIELD(given, "id")),
        .agent = yyjson_get_str(FIELD(given, "agent")),
        .project = yyjson_get_str(FIELD(given, "project"))};
}

struct process_spec *group_spec(struct group *g, const struct member *m)
{
    struct bytes prompt = {0};
    struct prompt_layers layers;
    struct launch launch = {.context = g->setup.context,
                            .roster = m->order->roster,
                            .role = m->task->role,
                            .language = g->setup.language,
                            .caller = m->order->caller,
                            .agent_id = m->task->id,
                            .group_id = g->setup.id,
                            .directory = m->task->directory,
                            .tools = tools_of(m->order),
                            .instance = instance_of(m->order)};
    struct process_spec *spec;

    build_prompt(g, m, &prompt, &layers);
    launch.prompt = bytes_slice(&prompt);
    launch.layers = &layers;
    spec = launch_agent(&launch);
    bytes_finish(&prompt);
    return spec;
}

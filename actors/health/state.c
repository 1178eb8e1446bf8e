/* SPDX-License-Identifier: MIT */
#include "actors/health/inside.h"

#include <stdlib.h>

#include "actors/health/text.h"

const struct config *health_config(const struct health *h)
{
    return h->setup.settings->config;
}

const char *health_command(const struct health *h, const struct health_cli *c)
{
    const struct config_agent *agent = &health_config(h)->agent;

    return strcmp(agent->backend, c->backend->name) == 0 ? agent->command : "";
}

/* ---- planning ------------------------------------------------------------
 */

struct health_cli *health_cli_of(struct health *h, const struct role *role)
{
    struct health_cli *c = h->clis;

    while (c < h->clis + h->cli_count &&
           strcmp(c->backend->name, role->backend) != 0)
        c++;
    return c;
}

static struct health_probe *find(struct health *h, const struct health_cli *cli,
                                 const char *model, const char *prompt)
{
    struct health_probe *p = h->probes.first;

    while (p != NULL && (p->cli != cli || strcmp(p->model, model) != 0 ||
                         strcmp(p->prompt, prompt) != 0))
        p = p->link.next;
    return p;
}

struct health_probe *health_probe_of(struct health *h, const struct role *role)
{
    return find(h, health_cli_of(h, role), role->model, role->health_prompt);
}

struct health_probe *health_probe_of_tool(struct health *h,
                                          const struct role_tool *tool)
{
    return *tool->health_command == 0 ? NULL
                                      : find(h, NULL, "", tool->health_command);
}

static void want(struct health *h, struct health_cli *cli, const char *model,
                 const char *prompt)
{
    struct health_probe *p = find(h, cli, model, prompt);

    if (p == NULL) {
        p = bytes_zalloc(sizeof(*p));
        p->cli = cli;
        p->model = bytes_text("%s", model);
        p->prompt = bytes_text("%s", prompt);
        p->is_due = p->may_have_passed = true;
        LIST_APPEND(&h->probes, p, link);
    }
    p->is_used = true;
}

static void want_all(struct health *h, const struct role *role)
{
    struct health_cli *cli = health_cli_of(h, role);

    if (!cli->is_used && !cli->is_running && cli->found == HEALTH_UNKNOWN)
        cli->is_due = true;
    cli->is_used = true;
    want(h, cli, role->model, role->health_prompt);
    for (size_t i = 0; i < role->tool_count; i++)
        if (*role->tools[i].tool->health_command != 0)
            want(h, NULL, "", role->tools[i].tool->health_command);
}

void health_date_models(struct health *h, const struct config *before,
                        uint64_t now)
{
    const struct config *config = health_config(h);
    uint64_t *since = bytes_zalloc((config->role_count + 1) * sizeof(*since));

    for (size_t i = 0; before != NULL && i < config->role_count; i++) {
        const struct role *is = &config->roles[i];
        const struct role *was = role_find(before, is->id);
        bool is_same = was != NULL && strcmp(was->model, is->model) == 0 &&
                       strcmp(was->backend, is->backend) == 0;
        since[i] = is_same ? h->model_since[was - before->roles] : now;
    }
    free(h->model_since);
    h->model_since = since;
}

void health_plan(struct health *h)
{
    const struct config *config = health_config(h);

    while (h->cli_count < HEALTH_CLIS && backend_at(h->cli_count) != NULL) {
        h->clis[h->cli_count].backend = backend_at(h->cli_count);
        h->cli_count++;
    }
    for (size_t i = 0; i < h->cli_count; i++)
        h->clis[i].is_used = false;
    LIST_EACH (p, &h->probes, link)
        p->is_used = false;
    for (size_t i = 0; i < config->role_count; i++)
        want_all(h, &config->roles[i]);
}

/* ---- judging -------------------------------------------------------------
 */

bool health_is_model_usable(const struct health_cli *cli, const char *model)
{
    return cli->found == HEALTH_FOUND &&
           (!cli->has_list || health_models_have(&cli->models, model));
}

static bool is_tool_needed(struct health *h, const struct health_probe *probe)
{
    const struct config *config = health_config(h);

    for (size_t i = 0; i < config->role_count; i++) {
        const struct role *role = &config->roles[i];
        if (!health_is_model_usable(health_cli_of(h, role), role->model))
            continue;
        for (size_t k = 0; k < role->tool_count; k++)
            if (health_probe_of_tool(h, role->tools[k].tool) == probe)
                return true;
    }
    return false;
}

bool health_is_askable(struct health *h, const struct health_probe *probe)
{
    if (!probe->is_used || !probe->is_due || probe->is_running)
        return false;
    if (probe->cli == NULL)
        return is_tool_needed(h, probe);
    return !probe->cli->is_due && !probe->cli->is_running &&
           health_is_model_usable(probe->cli, probe->model);
}

/* ---- the roster ----------------------------------------------------------
 */

static const char *keep_text(struct arena *a, struct bytes *text)
{
    const char *own = arena_copy(a, bytes_slice(text).ptr, text->len);

    bytes_finish(text);
    *text = (struct bytes){0};
    return own;
}

static const char *text_of(const struct bytes *reason)
{
    return reason->len > 0 ? reason->ptr : "";
}

/* Without a tool an agent does less, and says so; it is not of no use. */
static void judge_tools(struct health *h, struct roster_role *row,
                        struct arena *a)
{
    struct bytes text = {0};

    for (size_t i = 0; i < row->role->tool_count; i++) {
        const struct role_tool *tool = row->role->tools[i].tool;
        const struct health_probe *p = health_probe_of_tool(h, tool);

        if (p == NULL || p->check == ROSTER_PASSED)
            continue;
        row->is_checking |= p->is_running || p->check == ROSTER_PENDING;
        if (p->check == ROSTER_FAILED)
            health_text_tool(&text, health_config(h)->language, tool->id,
                             text_of(&p->reason));
    }
    row->warning = keep_text(a, &text);
}

static void judge_probe(struct health *h, struct roster_role *row,
                        struct arena *a)
{
    const struct health_probe *p = health_probe_of(h, row->role);

    row->is_checking = p->is_running;
    row->check = p->check;
    row->reason = p->check == ROSTER_FAILED ? text_of(&p->reason) : "";
    row->response_ms = p->response_ms;
    row->started_at = p->started_at;
    row->checked_at = p->checked_at;
    judge_tools(h, row, a);
}

static enum roster_model judge_model(const struct health_cli *cli,
                                     const struct role *role)
{
    if (cli->found == HEALTH_UNKNOWN)
        return ROSTER_MODEL_PENDING;
    if (!health_is_model_usable(cli, role->model))
        return ROSTER_MODEL_INVALID;
    return cli->has_list ? ROSTER_MODEL_VALID : ROSTER_MODEL_UNCHECKED;
}

/* When a model was found to be good or not: when the list was read, or when
 * the role got it, if that was later. */
static uint64_t model_checked_at(const struct health *h,
                                 const struct health_cli *cli,
                                 const struct role *role)
{
    uint64_t since = h->model_since[role - health_config(h)->roles];

    return cli->checked_at == 0 || cli->checked_at > since ? cli->checked_at
                                                           : since;
}

static struct roster_role judge(struct health *h, const struct role *role,
                                struct arena *a)
{
    const struct health_cli *cli = health_cli_of(h, role);
    enum config_language language = health_config(h)->language;
    struct bytes text = {0};
    struct roster_role row = {.role = role,
                              .backend = cli->backend,
                              .program = "",
                              .model_message = "",
                              .reason = "",
                              .warning = "",
                              .model_checked_at =
                                  model_checked_at(h, cli, role)};

    if (cli->found == HEALTH_FOUND)
        row.program = cli->program;
    row.model = judge_model(cli, role);
    if (row.model != ROSTER_MODEL_INVALID) {
        judge_probe(h, &row, a);
        return row;
    }
    row.check = ROSTER_SKIPPED;
    if (cli->found == HEALTH_LOST) {
        row.reason = row.model_message = text_of(&cli->reason);
        return row;
    }
    health_models_suggest(&cli->models, role->model, row.suggestions,
                          ROSTER_SUGGESTIONS);
    health_text_unknown_model(&text, language, role->model);
    row.model_message = keep_text(a, &text);
    health_text_skipped(&text, language);
    row.reason = keep_text(a, &text);
    return row;
}

static struct roster_backend backend_of(const struct health_cli *c)
{
    return (struct roster_backend){
        .backend = c->backend,
        .is_used = c->is_used,
        .has_list = c->has_list,
        .program = c->found == HEALTH_FOUND ? c->program : "",
        .reason = c->found == HEALTH_LOST ? text_of(&c->reason) : "",
        .models = c->models.ids,
        .labels = c->models.labels,
        .model_count = c->models.count,
        .checked_at = c->checked_at};
}

struct roster *health_roster(struct health *h)
{
    const struct config *config = health_config(h);
    const struct role any = {.backend = config->agent.backend};
    const struct health_models *models = &health_cli_of(h, &any)->models;
    struct arena arena = {0};
    struct roster all = {.settings = h->setup.settings,
                         .role_count = config->role_count,
                         .models = models->ids,
                         .model_count = models->count};
    struct roster *made;

    all.roles = arena_alloc(&arena, config->role_count * sizeof(*all.roles));
    for (size_t i = 0; i < config->role_count; i++)
        all.roles[i] = judge(h, &config->roles[i], &arena);
    all.backend_count = h->cli_count;
    all.backends = arena_alloc(&arena, h->cli_count * sizeof(*all.backends));
    for (size_t i = 0; i < h->cli_count; i++)
        all.backends[i] = backend_of(&h->clis[i]);
    made = roster_create(&all);
    arena_finish(&arena);
    return made;
}

void health_state_finish(struct health *h)
{
    free(h->model_since);
    for (size_t i = 0; i < h->cli_count; i++) {
        struct health_cli *c = &h->clis[i];
        while (c->candidate_count > 0)
            free(c->candidates[--c->candidate_count]);
        free(c->program);
        health_models_finish(&c->models);
        bytes_finish(&c->draft);
        bytes_finish(&c->reason);
    }
    LIST_EACH (p, &h->probes, link) {
        free(p->model);
        free(p->prompt);
        bytes_finish(&p->reason);
        free(p);
    }
}

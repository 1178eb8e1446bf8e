/* SPDX-License-Identifier: MIT */
/*
 * A hub with nothing in it but processes, health and a store: every roster is
 * a line of JSON on stdout, a line of JSON on stdin is an order.
 *
 *   {"do":"recheck","role":R}   "" for all
 *   {"do":"settings","yaml":TEXT}
 *   {"do":"run","id":I,"role":R,"prompt":P}   by launch_agent
 *
 * The end of stdin stops it, with what is being checked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/health/check.h"
#include "actors/health/health.h"
#include "actors/launch/launch.h"
#include "actors/store/store.h"
#include "runtime/process/process.h"
#include "runtime/text/json.h"
#include "tests/actors/orders.h"

#define RUNS_MAX 8
#define FOREVER 600000

struct options {
    const char *state, *warden, *relay, *config;
    uint64_t limit_ms, retry_ms;
};

struct console {
    const struct options *options;
    struct hub_context *context;
    struct rt_ref processes, health, store;
    unsigned left;         /* of processes and store */
    struct roster *roster; /* the newest */
    struct rt_ref runs[RUNS_MAX];
    unsigned run_count;
    struct bytes in;
};

/* ---- saying --------------------------------------------------------------
 */

static void field(struct bytes *out, const char *name, const char *value)
{
    JSON_RAW(out, ",");
    json_string(out, slice_cstr(name));
    JSON_RAW(out, ":");
    json_string(out, slice_cstr(value));
}

static void number(struct bytes *out, const char *name, uint64_t value)
{
    JSON_RAW(out, ",");
    json_string(out, slice_cstr(name));
    JSON_RAW(out, ":");
    json_number(out, (double)value);
}

static void flush(struct bytes *out)
{
    JSON_RAW(out, "}\n");
    fwrite(out->ptr, 1, out->len, stdout);
    fflush(stdout);
    bytes_finish(out);
}

static void say_role(struct bytes *out, const struct roster_role *r)
{
    static const char *const checks[] = {"pending", "passed", "failed",
                                         "skipped"};
    static const char *const models[] = {"pending", "valid", "invalid",
                                         "notChecked"};

    json_string(out, slice_cstr(r->role->id));
    JSON_RAW(out, ":{\"check\":");
    json_string(out, slice_cstr(checks[r->check]));
    field(out, "backend", r->backend->name);
    field(out, "program", r->program);
    field(out, "message", r->model_message);
    field(out, "reason", r->reason);
    number(out, "pending", roster_is_pending(r));
    field(out, "model", models[r->model]);
    field(out, "warning", r->warning);
    number(out, "checking", r->is_checking);
    number(out, "available", roster_is_available(r));
    number(out, "validatedAt", r->model_checked_at);
    number(out, "checkedAt", r->checked_at);
    number(out, "responseTime", r->response_ms);
    JSON_RAW(out, "}");
}

static void say_roster(const struct roster *r)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{\"event\":\"roster\",\"roles\":{");
    for (size_t i = 0; i < r->role_count; i++) {
        if (i > 0)
            JSON_RAW(&out, ",");
        say_role(&out, &r->roles[i]);
    }
    JSON_RAW(&out, "},\"models\":[");
    for (size_t i = 0; i < r->model_count; i++) {
        if (i > 0)
            JSON_RAW(&out, ",");
        json_string(&out, slice_cstr(r->models[i]));
    }
    JSON_RAW(&out, "]");
    flush(&out);
}

static void say_number(const char *event, const char *name, uint64_t value)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{\"event\":");
    json_string(&out, slice_cstr(event));
    number(&out, name, value);
    flush(&out);
}

static void say_run(const struct check_result *r, unsigned index)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{\"event\":\"ran\"");
    number(&out, "run", index);
    number(&out, "passed", check_has_succeeded(r));
    field(&out, "stage", r->exit->stage);
    field(&out, "detail", r->exit->detail);
    JSON_RAW(&out, ",\"output\":");
    json_string(&out, r->output);
    JSON_RAW(&out, ",\"stderr\":");
    json_string(&out, slice_of(r->exit->stderr_tail, r->exit->stderr_len));
    flush(&out);
}

/* ---- orders --------------------------------------------------------------
 */

static const char *order_text(yyjson_val *order, const char *key)
{
    const char *text = yyjson_get_str(yyjson_obj_get(order, key));

    return text != NULL ? text : "";
}

static struct settings *read_settings(const char *path, const char *yaml)
{
    struct config_error error;
    struct config *config;
    int rc = yaml != NULL ? config_parse(path, yaml, strlen(yaml), environ,
                                         &config, &error)
                          : config_load(path, environ, &config, &error);

    if (rc != 0) {
        fprintf(stderr, "hub: %s\n", error.text);
        exit(2);
    }
    return settings_create_take(config);
}

static void order_run(struct rt_turn *t, struct console *c, yyjson_val *order)
{
    struct launch l = {.context = c->context,
                       .roster = c->roster,
                       .caller = c->context->self,
                       .agent_id = order_text(order, "id"),
                       .group_id = "grp-1-abcd",
                       .directory = "",
                       .prompt = slice_cstr(order_text(order, "prompt"))};
    struct process_spec *spec;

    l.role = roster_find(c->roster, slice_cstr(order_text(order, "role")));
    spec = launch_agent(&l);
    c->runs[c->run_count++] = check_spawn(t, c->processes, spec, FOREVER);
    rt_obj_drop(&spec->obj);
}

static void obey(struct rt_turn *t, void *ctx, yyjson_val *order)
{
    struct console *c = ctx;
    const char *what = order_text(order, "do");
    struct health_recheck recheck = {0};
    struct settings *settings;

    if (strcmp(what, "recheck") == 0) {
        slice_keep(recheck.role, sizeof(recheck.role),
                   slice_cstr(order_text(order, "role")));
        rt_tell(t, c->health, HEALTH_RECHECK, &recheck, sizeof(recheck));
    } else if (strcmp(what, "settings") == 0) {
        settings = read_settings(c->options->config, order_text(order, "yaml"));
        rt_pass_take(t, c->health, HEALTH_SETTINGS, &settings->obj);
    } else if (strcmp(what, "run") == 0 && c->run_count < RUNS_MAX) {
        order_run(t, c, order);
    }
}

/* ---- the actor -----------------------------------------------------------
 */

static void on_orders(struct rt_turn *t, struct console *c)
{
    if (!orders_read(t, &c->in, obey, c))
        rt_tell(t, c->health, HEALTH_LEAVE, NULL, 0);
}

static void on_roster(struct console *c, struct roster *roster)
{
    if (c->roster != NULL)
        rt_obj_drop(&c->roster->obj);
    c->roster = RT_KEEP(roster);
    say_roster(roster);
}

static void on_run_done(struct console *c, struct rt_msg *m)
{
    for (unsigned i = 0; i < c->run_count; i++)
        if (rt_same(c->runs[i], m->from))
            say_run(RT_OBJ(m, struct check_result), i);
}

static enum rt_next on_end(struct rt_turn *t, struct console *c,
                           struct rt_msg *m)
{
    if (rt_same(m->from, c->health)) {
        rt_stop(t, c->processes);
        rt_drain(t, c->store);
    } else if (rt_same(m->from, c->processes) || rt_same(m->from, c->store)) {
        c->left--;
    }
    return c->left == 0 ? RT_STOP : RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct console *c = state;

    if (m->kind == RT_READY)
        on_orders(t, c);
    else if (m->kind == HEALTH_ROSTER)
        on_roster(c, RT_OBJ(m, struct roster));
    else if (m->kind == CHECK_DONE)
        on_run_done(c, m);
    else if (m->kind == RT_EXIT)
        return on_end(t, c, m);
    return RT_OK;
}

static struct hub_context *make_context(const struct options *o)
{
    char cwd[4096], socket[4200];
    struct caller *self = caller_create("", getcwd(cwd, sizeof(cwd)),
                                        (const char *const *)environ);
    struct hub_context *context;

    snprintf(socket, sizeof(socket), "%s/hub.sock", o->state);
    context = hub_context_create(&(struct hub_context){.state_dir = o->state,
                                                       .socket = socket,
                                                       .warden = o->warden,
                                                       .relay = o->relay,
                                                       .build = "test",
                                                       .self = self});
    rt_obj_drop(&self->obj);
    return context;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct console *c = state;
    struct settings *settings = read_settings(c->options->config, NULL);
    char path[4200];
    uint64_t files;

    say_number("ready", "room", process_raise_limits(&files));
    c->context = make_context(c->options);
    c->processes =
        processes_spawn(t, HUB_LOOP_PROCESSES,
                        &(struct process_config){.socket = c->context->socket,
                                                 .warden = c->options->warden,
                                                 .build = "test",
                                                 .lease_ms = FOREVER,
                                                 .spawn_home = HUB_LOOP_SPAWN,
                                                 .files = files});
    snprintf(path, sizeof(path), "%s/kuromajutsu.db", c->options->state);
    c->store = store_spawn(
        t, &(struct store_setup){.registry = rt_self(t), .path = path});
    c->left = 2;
    c->health = health_spawn(
        t, &(struct health_setup){.context = c->context,
                                  .settings = settings,
                                  .processes = c->processes,
                                  .registry = rt_self(t),
                                  .store = c->store,
                                  .limit_ms = c->options->limit_ms,
                                  .retry_ms = c->options->retry_ms});
    rt_obj_drop(&settings->obj);
    return orders_open(t) ? RT_OK : RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct console *c = state;

    (void)t;
    rt_obj_drop(&c->context->obj);
    if (c->roster != NULL)
        rt_obj_drop(&c->roster->obj);
    bytes_finish(&c->in);
}

static const struct rt_behaviour console_behaviour = {
    .name = "console",
    .size = sizeof(struct console),
    .start = start,
    .handle = handle,
    .stop = stop};

int main(int argc, char **argv)
{
    struct options options;
    struct console c = {.options = &options};
    struct rt_config config = {
        .workers = 2, .loops = HUB_LOOPS, .home = HUB_LOOP_FRONT};

    if (argc != 7) {
        fputs("usage: hub STATE WARDEN RELAY CONFIG LIMIT_MS RETRY_MS\n",
              stderr);
        return 2;
    }
    options = (struct options){.state = argv[1],
                               .warden = argv[2],
                               .relay = argv[3],
                               .config = argv[4],
                               .limit_ms = strtoull(argv[5], NULL, 10),
                               .retry_ms = strtoull(argv[6], NULL, 10)};
    say_number("stopped", "leaks",
               rt_join(rt_start(&config, &console_behaviour, &c)));
    return 0;
}

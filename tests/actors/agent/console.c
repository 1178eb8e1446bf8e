/* SPDX-License-Identifier: MIT */
/*
 * A hub with nothing in it but processes and agents: a line of JSON on stdin
 * is an order, a line of JSON on stdout is what an agent or the processes actor
 * said.
 *
 *   {"do":"run","id":I,"argv":[...],"env":["A=b"],"cwd":D,"input":TEXT,
 *    "backend":"cursor","created":MS,"timeout":MS,"exit_grace":MS,"report_grace":MS,
 *    "stall":MS,"grace":MS,"line_limit":N,"stdout_limit":N}
 *   "queue" makes it and lets it wait, "adopt" is for one of an earlier hub,
 *   with "ran":true of one that was seen to run; with "listen":true what it
 *   says is said too
 *   {"do":"go"|"cancel"|"ask"|"kept"|"forget","id":I}
 *   {"do":"report","id":I,"status":S,"summary":T,"response":T,"error":T,
 *    "edited":[...],"created":[...]}
 *   {"do":"dismiss","id":""}: the sessions actor ends
 *
 * A session is said to have come, with what it said, and is answered "come in".
 * The end of stdin stops the hub and leaves the agents to the next one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "actors/agent/agent.h"
#include "runtime/text/bytes.h"
#include "tests/actors/agent/say.h"
#include "tests/actors/orders.h"
#include "transport/wire/wire.h"

#define STRINGS_MAX 256
/* Graces that a test does not set must not end what it looks at. */
#define FOREVER 600000

struct options {
    const char *home, *socket, *warden;
    uint64_t lease_ms, give_up_ms;
};

struct known {
    struct known *next;
    struct rt_ref ref;
    struct process_spec *spec;
    struct agent_def *def;
    char id[136];
};

struct console {
    const struct options *options;
    struct rt_ref processes, sessions;
    struct known *agents;
    struct bytes in; /* an order under way */
    bool is_leaving;
};

/* ---- orders ---------------------------------------------------------------
 */

static uint64_t order_number(yyjson_val *order, const char *key, uint64_t other)
{
    yyjson_val *value = yyjson_obj_get(order, key);

    return value != NULL ? yyjson_get_uint(value) : other;
}

static struct slice order_slice(yyjson_val *order, const char *key)
{
    yyjson_val *value = yyjson_obj_get(order, key);

    return slice_of(yyjson_get_str(value), yyjson_get_len(value));
}

/* Adds the strings of a list behind those that are there. */
static size_t order_strings(yyjson_val *list, const char **to, size_t count)
{
    size_t i, max;
    yyjson_val *item;

    yyjson_arr_foreach(list, i, max, item)
    {
        if (count < STRINGS_MAX - 1)
            to[count++] = yyjson_get_str(item);
    }
    to[count] = NULL;
    return count;
}

static struct process_spec *make_spec(const struct console *c,
                                      yyjson_val *order)
{
    const char *argv[STRINGS_MAX], *envp[STRINGS_MAX];
    const char *id = yyjson_get_str(yyjson_obj_get(order, "id"));
    struct slice input = order_slice(order, "input");
    char dir[4096], variable[256], where[4200];
    size_t vars = 2;

    snprintf(dir, sizeof(dir), "%s/%s", c->options->home, id);
    snprintf(variable, sizeof(variable), "KUROMAJUTSU_AGENT_ID=%s", id);
    snprintf(where, sizeof(where), "KUROMAJUTSU_SOCKET=%s", c->options->socket);
    envp[0] = variable;
    envp[1] = where;
    for (char **e = environ; *e != NULL && vars < STRINGS_MAX / 2; e++)
        if (strncmp(*e, "KUROMAJUTSU_", strlen("KUROMAJUTSU_")) != 0)
            envp[vars++] = *e;
    order_strings(yyjson_obj_get(order, "env"), envp, vars);
    order_strings(yyjson_obj_get(order, "argv"), argv, 0);
    return process_spec_create(&(struct process_spec){
        .id = id,
        .dir = dir,
        .cwd = yyjson_get_str(yyjson_obj_get(order, "cwd")),
        .input = input.len > 0 ? input.ptr : NULL,
        .input_len = input.len,
        .argv = argv,
        .envp = envp,
        .grace_ms = order_number(order, "grace", 1000),
        .stdout_limit = order_number(order, "stdout_limit", 0),
        .stderr_limit = order_number(order, "stderr_limit", 0)});
}

static struct known *make_agent(struct rt_turn *t, struct console *c,
                                yyjson_val *order)
{
    const char *name = yyjson_get_str(yyjson_obj_get(order, "backend"));
    struct process_spec *spec = make_spec(c, order);
    struct agent_def *def = agent_def_create(&(struct agent_def){
        .backend = backend_find(name != NULL ? name : "cursor"),
        .id = spec->id,
        .processes = c->processes,
        .listener = rt_self(t),
        .created_at = order_number(order, "created", 0),
        .timeout_ms = order_number(order, "timeout", 0),
        .exit_grace_ms = order_number(order, "exit_grace", FOREVER),
        .report_grace_ms = order_number(order, "report_grace", FOREVER),
        .stall_warn_ms = order_number(order, "stall", 0),
        .line_limit = order_number(order, "line_limit", 0),
        .is_english = !yyjson_is_true(yyjson_obj_get(order, "japanese"))});
    struct known *known = calloc(1, sizeof(*known));

    snprintf(known->id, sizeof(known->id), "%s", spec->id);
    known->ref = agent_spawn(t, def);
    if (yyjson_is_true(yyjson_obj_get(order, "listen")))
        rt_tell(t, known->ref, AGENT_LISTEN,
                &(struct agent_listen){.listener = rt_self(t), .is_on = true},
                sizeof(struct agent_listen));
    known->spec = spec;
    known->def = def;
    known->next = c->agents;
    c->agents = known;
    return known;
}

static void send_report(struct rt_turn *t, struct rt_ref to, yyjson_val *order)
{
    const char *strings[2][STRINGS_MAX];
    struct slice paths[2][STRINGS_MAX];
    struct agent_paths lists[2];
    struct rt_msg *m = rt_msg(t, AGENT_REPORT, sizeof(struct agent_result *));

    for (int i = 0; i < 2; i++) {
        yyjson_val *list = yyjson_obj_get(order, i == 0 ? "edited" : "created");
        size_t count = order_strings(list, strings[i], 0);
        for (size_t k = 0; k < count; k++)
            paths[i][k] = slice_cstr(strings[i][k]);
        lists[i] = (struct agent_paths){.items = paths[i], .count = count};
    }
    m->flags = RT_CARRIES;
    RT_OBJ(m, struct agent_result) = agent_result_create(&(struct agent_result){
        .outcome = slice_eq(order_slice(order, "status"), SLICE("success"))
                       ? AGENT_SUCCESS
                       : AGENT_FAILURE,
        .summary = order_slice(order, "summary"),
        .response = order_slice(order, "response"),
        .error = order_slice(order, "error"),
        .edited = lists[0],
        .created = lists[1]});
    rt_send(t, to, m);
}

/* The newest of that id. */
static struct known *find(struct console *c, const char *id)
{
    struct known *k = c->agents;

    while (k != NULL && id != NULL && strcmp(k->id, id) != 0)
        k = k->next;
    return k;
}

static void run(struct rt_turn *t, struct known *k)
{
    rt_pass(t, k->ref, AGENT_RUN, &k->spec->obj);
}

/* With "ran":true its past is one that was seen running. */
static void recover(struct rt_turn *t, struct known *k, bool has_run)
{
    const struct agent_view was = {
        .def = k->def, .state = AGENT_RUNNING, .started_at = rt_wall_ms(t)};
    struct agent_view *view = has_run ? agent_view_create(&was) : NULL;
    struct agent_past *past = agent_past_create(k->spec, view);

    if (view != NULL)
        rt_obj_drop(&view->obj);
    rt_pass_take(t, k->ref, AGENT_RECOVER, &past->obj);
}

static void command(struct rt_turn *t, const char *what, struct known *k,
                    yyjson_val *order)
{
    struct rt_ref ref = k->ref;

    if (strcmp(what, "go") == 0)
        run(t, k);
    else if (strcmp(what, "cancel") == 0)
        rt_tell(t, ref, AGENT_CANCEL, &(struct agent_cancel){""},
                sizeof(struct agent_cancel));
    else if (strcmp(what, "ask") == 0)
        rt_tell(t, ref, AGENT_ASK, NULL, 0);
    else if (strcmp(what, "forget") == 0)
        rt_stop(t, ref);
    else if (strcmp(what, "kept") == 0)
        rt_tell(t, ref, AGENT_KEPT, NULL, 0);
    else if (strcmp(what, "report") == 0)
        send_report(t, ref, order);
    else
        say("unknown order", what);
}

static void obey(struct rt_turn *t, void *ctx, yyjson_val *order)
{
    struct console *c = ctx;
    const char *what = yyjson_get_str(yyjson_obj_get(order, "do"));
    const char *id = yyjson_get_str(yyjson_obj_get(order, "id"));
    struct known *k = find(c, id);

    if (what == NULL || id == NULL)
        say("unknown order", NULL);
    else if (strcmp(what, "dismiss") == 0)
        rt_stop(t, c->sessions);
    else if (strcmp(what, "queue") == 0)
        make_agent(t, c, order);
    else if (strcmp(what, "run") == 0)
        run(t, make_agent(t, c, order));
    else if (strcmp(what, "adopt") == 0)
        recover(t, make_agent(t, c, order),
                yyjson_is_true(yyjson_obj_get(order, "ran")));
    else if (k == NULL)
        say("unknown agent", id);
    else
        command(t, what, k, order);
}

/* ---- the sessions actor
 * --------------------------------------------------------
 */

static enum rt_next receive(struct rt_turn *t, void *state, struct rt_msg *m)
{
    const struct process_connection *v;
    size_t len = sizeof(WIRE_GREETING) - 1;
    char said[4096];

    (void)t;
    (void)state;
    if (m->kind != PROCESS_OTHER)
        return RT_OK;
    v = RT_OBJ(m, struct process_connection);
    if (v->len < len || memcmp(v->bytes, WIRE_GREETING, len) != 0)
        return RT_OK;
    snprintf(said, sizeof(said), "%d %.*s", v->pid, (int)(v->len - len),
             v->bytes + len);
    if (write(v->fd, "come in\n", 8) != 8)
        say("session left", NULL);
    say("session", said);
    return RT_OK;
}

static const struct rt_behaviour sessions_behaviour = {
    .name = "sessions", .size = 1, .handle = receive};

/* ---- the actor ------------------------------------------------------------
 */

/* The processes actor goes first: it would end what its owners leave behind. */
static void on_orders(struct rt_turn *t, struct console *c)
{
    if (orders_read(t, &c->in, obey, c))
        return;
    c->is_leaving = true;
    rt_stop(t, c->processes);
}

static void on_answer(struct console *c, struct rt_msg *m)
{
    const struct known *k = c->agents;

    while (k != NULL && !rt_same(k->ref, m->from))
        k = k->next;
    say(m->kind == AGENT_REPORT_TAKEN ? "taken" : "refused",
        k != NULL ? k->id : NULL);
}

static enum rt_next on_processes_ended(const struct console *c,
                                       struct rt_msg *m)
{
    int error = ((const struct rt_end *)rt_body(m))->error;

    if (!c->is_leaving)
        say_text("processes ended", "error", strerror(-error));
    return RT_STOP;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct console *c = state;

    if (m->kind == RT_READY)
        on_orders(t, c);
    else if (m->kind == AGENT_NEWS)
        say_view("news", RT_OBJ(m, struct agent_view));
    else if (m->kind == AGENT_VIEW)
        say_view("view", RT_OBJ(m, struct agent_view));
    else if (m->kind == AGENT_STREAM)
        say_stream(RT_OBJ(m, struct agent_stream));
    else if (m->kind == AGENT_REPORT_TAKEN || m->kind == AGENT_REPORT_REFUSED)
        on_answer(c, m);
    else if (m->kind == PROCESS_LEFT)
        say_left(rt_body(m));
    else if (m->kind == RT_EXIT && rt_same(m->from, c->processes))
        return on_processes_ended(c, m);
    else if (m->kind == RT_EXIT && rt_same(m->from, c->sessions))
        say("sessions ended", NULL);
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct console *c = state;
    uint64_t files;

    say_number("ready", "room", process_raise_limits(&files));
    c->sessions = rt_spawn_at(t, RT_LOOP(1), &sessions_behaviour, NULL);
    c->processes = processes_spawn(
        t, RT_LOOP(0),
        &(struct process_config){.socket = c->options->socket,
                                 .warden = c->options->warden,
                                 .build = "test",
                                 .lease_ms = c->options->lease_ms,
                                 .spawn_home = RT_LOOP(1),
                                 .give_up_ms = c->options->give_up_ms,
                                 .files = files,
                                 .others = c->sessions,
                                 .told = rt_self(t)});
    return orders_open(t) ? RT_OK : RT_STOP;
}

static void stop(struct rt_turn *t, void *state)
{
    struct console *c = state;

    (void)t;
    while (c->agents != NULL) {
        struct known *next = c->agents->next;
        rt_obj_drop(&c->agents->spec->obj);
        rt_obj_drop(&c->agents->def->obj);
        free(c->agents);
        c->agents = next;
    }
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
    struct rt_config config = {.workers = 2, .loops = 2, .home = RT_LOOP(0)};

    if (argc != 6) {
        fputs("usage: hub HOME SOCKET WARDEN LEASE_MS GIVE_UP_MS\n", stderr);
        return 2;
    }
    options = (struct options){.home = argv[1],
                               .socket = argv[2],
                               .warden = argv[3],
                               .lease_ms = strtoull(argv[4], NULL, 10),
                               .give_up_ms = strtoull(argv[5], NULL, 10)};
    say_number("stopped", "leaks",
               rt_join(rt_start(&config, &console_behaviour, &c)));
    return 0;
}

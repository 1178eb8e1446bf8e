/* SPDX-License-Identifier: MIT */
/*
 * What cancelling costs, counted in looks into indexes: of a group that is
 * eight times as large it may cost eight times as much. All agents but one wait
 * in the line, so no processes are needed but its.
 */
#include <stdlib.h>

#include "actors/registry/registry.h"
#include "actors/stream/backend.h"
#include "runtime/text/index.h"
#include "runtime/text/json.h"
#include "tap.h"

/* The same indexes, in place of those of the library. */
struct index_link *uncounted_find(const struct index *x, uint64_t key);
#define index_find uncounted_find
#include "runtime/text/index.c"
#undef index_find

static uint64_t looks; /* since the order to cancel */

struct index_link *index_find(const struct index *x, uint64_t key)
{
    __atomic_fetch_add(&looks, 1, __ATOMIC_RELAXED);
    return uncounted_find(x, key);
}

enum { GROUP = 1, RUN, CANCEL, WAIT };

struct test {
    struct hub_context *context;
    struct roster *roster;
    struct rt_ref registry;
    unsigned agents;
    bool is_by_id;  /* and each is named twice */
    bool is_waited; /* a wait_agent waits for all of them */
    unsigned left;  /* answers until it is over */
    size_t cancelled, waited;
    struct bytes group, ids;
};

static void place(struct rt_turn *t, struct test *x, enum order_kind kind,
                  struct bytes *args, uint64_t ticket)
{
    yyjson_doc *doc = yyjson_read(args->ptr, args->len, 0);

    registry_place(t, x->registry,
                   order_create_take(kind, doc, yyjson_doc_get_root(doc),
                                     x->context->self, rt_self(t), ticket));
    bytes_finish(args);
}

static void create(struct rt_turn *t, struct test *x)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{\"description\":\"d\"}");
    place(t, x, ORDER_CREATE_GROUP, &args, GROUP);
}

static void run(struct rt_turn *t, struct test *x)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", bytes_slice(&x->group));
    JSON_KEY(&args, "agents");
    for (unsigned i = 0; i < x->agents; i++)
        json_raw(&args,
                 i == 0 ? SLICE("[{\"role\":\"impl-code\",\"prompt\":\"p\"}")
                        : SLICE(",{\"role\":\"impl-code\",\"prompt\":\"p\"}"));
    JSON_RAW(&args, "]}");
    place(t, x, ORDER_RUN_AGENTS, &args, RUN);
}

static void put_ids(struct bytes *args, struct test *x)
{
    JSON_RAW(args, "{");
    JSON_KEY(args, "agentIds");
    JSON_RAW(args, "[");
    json_raw(args, bytes_slice(&x->ids));
    JSON_RAW(args, ",");
    json_raw(args, bytes_slice(&x->ids));
    JSON_RAW(args, "]}");
}

static void cancel(struct rt_turn *t, struct test *x)
{
    struct bytes args = {0};

    __atomic_store_n(&looks, 0, __ATOMIC_RELAXED);
    x->left = 1;
    if (x->is_waited) {
        put_ids(&args, x);
        place(t, x, ORDER_WAIT_AGENT, &args, WAIT);
        args = (struct bytes){0};
        x->left++;
    }
    if (x->is_by_id) {
        put_ids(&args, x);
    } else {
        JSON_RAW(&args, "{");
        JSON_TEXT(&args, "groupId", bytes_slice(&x->group));
        JSON_RAW(&args, "}");
    }
    place(t, x, ORDER_CANCEL_AGENT, &args, CANCEL);
}

static void keep_ids(struct test *x, yyjson_val *agents)
{
    size_t i, max;
    yyjson_val *agent;

    yyjson_arr_foreach(agents, i, max, agent)
    {
        if (i > 0)
            JSON_RAW(&x->ids, ",");
        json_string(&x->ids, FIELD_TEXT(agent, "agentId"));
    }
}

/* What is not as it should be is told by the numbers: asserting is for the
 * test's own thread. */
static enum rt_next on_answer(struct rt_turn *t, struct test *x,
                              const struct answer *a)
{
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice id = FIELD_TEXT(root, "groupId");

    if (a->ticket == GROUP) {
        bytes_append(&x->group, id.ptr, id.len);
        run(t, x);
    } else if (a->ticket == RUN) {
        keep_ids(x, FIELD(root, "agents"));
        cancel(t, x);
    } else {
        x->cancelled += yyjson_arr_size(FIELD(root, "cancelled"));
        x->waited += yyjson_arr_size(FIELD(root, "completed"));
        x->left--;
    }
    yyjson_doc_free(doc);
    return a->is_error || (a->ticket >= CANCEL && x->left == 0) ? RT_STOP
                                                                : RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct test *x = *(struct test **)state;

    x->registry =
        registry_spawn(t, &(struct registry_setup){.context = x->context,
                                                   .roster = x->roster,
                                                   .processes = rt_self(t)});
    create(t, x);
    return RT_OK;
}

/* The tree of the one that has the place: it leaves when it is told to. */
static void end_tree(struct rt_turn *t, struct rt_ref owner)
{
    struct process_exit *exit = bytes_zalloc(sizeof(*exit));

    rt_obj_init(&exit->obj, rt_obj_free);
    exit->reason = PROCESS_ORDERED;
    rt_pass_take(t, owner, PROCESS_GONE, &exit->obj);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct test *x = *(struct test **)state;

    if (m->kind == PROCESS_END)
        end_tree(t, m->from);
    return m->kind == ORDER_ANSWER ? on_answer(t, x, RT_OBJ(m, struct answer))
                                   : RT_OK;
}

static const struct rt_behaviour behaviour = {.name = "test",
                                              .size = sizeof(struct test *),
                                              .start = start,
                                              .handle = handle};

/* Its one role is fit for work. */
static struct roster *make_roster(void)
{
    static const char text[] =
        "language: en\nagent: {maxConcurrent: 1, maxQueued: 10000}\n";
    struct config_error error;
    struct config *config;
    struct settings *settings;
    struct roster *roster;

    TEST_ASSERT_EQUAL_INT(0, config_parse("c.yaml", text, sizeof(text) - 1,
                                          (char *[]){NULL}, &config, &error));
    settings = settings_create_take(config);
    roster = roster_create(&(struct roster){
        .settings = settings,
        .roles = &(struct roster_role){.role = &config->roles[0],
                                       .backend = &backend_cursor,
                                       .program = "/bin/true",
                                       .model_message = "",
                                       .model = ROSTER_MODEL_VALID,
                                       .check = ROSTER_PASSED,
                                       .reason = "",
                                       .warning = ""},
        .role_count = 1});
    rt_obj_drop(&settings->obj);
    return roster;
}

static uint64_t looks_of(unsigned agents, bool is_by_id, bool is_waited)
{
    static const char *const env[] = {NULL};
    struct caller *self = caller_create("", "/", env);
    struct test x = {.agents = agents,
                     .is_by_id = is_by_id,
                     .is_waited = is_waited,
                     .roster = make_roster()},
                *init = &x;
    struct rt_config config = {
        .workers = 1, .loops = HUB_LOOPS, .home = HUB_LOOP_FRONT};

    x.context =
        hub_context_create(&(struct hub_context){.state_dir = "/nowhere",
                                                 .socket = "/nowhere/hub.sock",
                                                 .warden = "/bin/true",
                                                 .relay = "",
                                                 .build = "test",
                                                 .self = self});
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(rt_start(&config, &behaviour, &init)));
    TEST_ASSERT_EQUAL_size_t(agents, x.cancelled);
    TEST_ASSERT_EQUAL_size_t(is_waited ? agents : 0, x.waited);
    bytes_finish(&x.group);
    bytes_finish(&x.ids);
    rt_obj_drop(&x.context->obj);
    rt_obj_drop(&x.roster->obj);
    rt_obj_drop(&self->obj);
    return looks;
}

static void check(bool is_by_id, bool is_waited)
{
    uint64_t few = looks_of(100, is_by_id, is_waited);
    uint64_t many = looks_of(800, is_by_id, is_waited);

    printf("# looks: %llu for 100 agents, %llu for 800\n",
           (unsigned long long)few, (unsigned long long)many);
    TEST_ASSERT_GREATER_OR_EQUAL(100, few);
    TEST_ASSERT_LESS_OR_EQUAL(few * 9, many);
}

static void test_a_group_is_cancelled_in_linear_time(void)
{
    check(false, false);
}

static void test_and_so_are_agents_by_name(void)
{
    check(true, false);
}

static void test_who_waits_for_them_costs_no_more(void)
{
    check(false, true);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_group_is_cancelled_in_linear_time);
    TEST(test_and_so_are_agents_by_name);
    TEST(test_who_waits_for_them_costs_no_more);
    return TAP_END();
}

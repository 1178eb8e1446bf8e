/* SPDX-License-Identifier: MIT */
/*
 * A registry whose store is the test itself, for what depends on the order of
 * two messages of the store: a real one sends them one right after the other,
 * and nobody could come between them on purpose.
 */
#include "actors/registry/registry.h"

#include <stdlib.h>

#include "actors/store/store.h"
#include "runtime/text/json.h"
#include "tap.h"

/* Tickets; a mark is answered at once, whatever the store does. */
enum { MARK = 1, CREATE, LOOK, LOOK_AGAIN };

struct script {
    struct hub_context *context;
    struct roster *roster;
    struct rt_ref registry;
    void (*play)(struct rt_turn *t, struct script *s, uint64_t ticket);
    struct bytes heard; /* a letter for each that came: see hear() */
    struct order *kept; /* of a wait; or NULL */
};

/* ---- playing ----------------------------------------------------------- */

static void place(struct rt_turn *t, struct script *s, enum order_kind kind,
                  const char *args, uint64_t ticket)
{
    yyjson_doc *doc = yyjson_read(args, strlen(args), 0);

    registry_place(t, s->registry,
                   order_create_take(kind, doc, yyjson_doc_get_root(doc),
                                     s->context->self, rt_self(t), ticket));
}

static void tell_condition(struct rt_turn *t, struct script *s, bool is_good)
{
    struct store_condition c = {.is_good = is_good};

    if (!is_good)
        c.why = (struct store_why){.ja = "full", .en = "full"};
    rt_tell(t, s->registry, STORE_CONDITION, &c, sizeof(c));
}

static void tell_safe(struct rt_turn *t, struct script *s, uint64_t number)
{
    struct store_safe safe = {.number = number};

    rt_tell(t, s->registry, STORE_SAFE, &safe, sizeof(safe));
}

static void free_past(struct rt_obj *obj)
{
    free(obj);
}

static void tell_past(struct rt_turn *t, struct script *s)
{
    struct past *past = bytes_zalloc(sizeof(*past));

    rt_obj_init(&past->obj, free_past);
    past->is_known = true;
    rt_pass_take(t, s->registry, STORE_PAST, &past->obj);
}

static void create(struct rt_turn *t, struct script *s)
{
    place(t, s, ORDER_CREATE_GROUP, "{\"description\":\"d\"}", CREATE);
}

static void mark(struct rt_turn *t, struct script *s)
{
    place(t, s, ORDER_LIST_ROLES, "{}", MARK);
}

/* A wait for an agent that there is not; the test has a reference too. */
static void wait_for_none(struct rt_turn *t, struct script *s)
{
    static const char args[] = "{\"agentIds\":[\"none-1-aaaa\"]}";
    yyjson_doc *doc = yyjson_read(args, sizeof(args) - 1, 0);
    struct order *o =
        order_create_take(ORDER_WAIT_AGENT, doc, yyjson_doc_get_root(doc),
                          s->context->self, rt_self(t), LOOK);

    s->kept = RT_KEEP(o);
    registry_place(t, s->registry, o);
}

/* ---- hearing ------------------------------------------------------------ */

/* M, C, L, A: an answer, as a small letter when it is a refusal. W: a write;
 * the first, once the past is told, says that the hub has started. */
static void hear(struct script *s, const struct answer *a)
{
    static const char letters[] = "?MCLA?mcla";

    bytes_append(&s->heard, &letters[a->ticket + (a->is_error ? 5 : 0)], 1);
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct script *s = *(struct script **)state;

    s->registry = registry_spawn(
        t, &(struct registry_setup){
               .context = s->context, .roster = s->roster, .has_store = true});
    s->play(t, s, 0);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct script *s = *(struct script **)state;

    if (m->kind == ORDER_ANSWER) {
        const struct answer *a = RT_OBJ(m, struct answer);

        hear(s, a);
        s->play(t, s, a->ticket);
    } else if (m->kind == STORE_WRITE) {
        const struct store_write *w = RT_OBJ(m, struct store_write);

        if (w->number != 0)
            bytes_append(&s->heard, "W", 1);
        for (size_t i = 0; i < w->message_count; i++)
            rt_pass(t, w->messages[i].to, w->messages[i].kind,
                    w->messages[i].obj);
    } else if (m->kind == STORE_LOOK_UP) {
        rt_pass(t, s->registry, STORE_LOOKED_UP, RT_OBJ(m, struct rt_obj));
    }
    return s->play == NULL ? RT_STOP : RT_OK;
}

static const struct rt_behaviour behaviour = {.name = "script",
                                              .size = sizeof(struct script *),
                                              .start = start,
                                              .handle = handle};

static struct roster *make_roster(void)
{
    struct config_error error;
    struct config *config;
    struct settings *settings;
    struct roster *roster;

    TEST_ASSERT_EQUAL_INT(0, config_parse("c.yaml", "language: en", 12,
                                          (char *[]){NULL}, &config, &error));
    settings = settings_create_take(config);
    roster = roster_create(&(struct roster){.settings = settings});
    rt_obj_drop(&settings->obj);
    return roster;
}

/* What was heard, in order. */
static void check(void (*play)(struct rt_turn *, struct script *, uint64_t),
                  const char *wanted)
{
    static const char *const env[] = {NULL};
    struct caller *self = caller_create("", "/", env);
    struct script s = {.play = play, .roster = make_roster()}, *init = &s;
    struct rt_config config = {.workers = 1, .loops = HUB_LOOPS};

    s.context =
        hub_context_create(&(struct hub_context){.state_dir = "/nowhere",
                                                 .socket = "/nowhere/hub.sock",
                                                 .warden = "",
                                                 .relay = "",
                                                 .build = "test",
                                                 .self = self});
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(rt_start(&config, &behaviour, &init)));
    bytes_append(&s.heard, "", 1);
    TEST_ASSERT_EQUAL_STRING(wanted, s.heard.ptr);
    bytes_finish(&s.heard);
    if (s.kept != NULL) {
        TEST_ASSERT_EQUAL_UINT32(1, s.kept->obj.refs);
        rt_obj_drop(&s.kept->obj);
    }
    rt_obj_drop(&s.context->obj);
    rt_obj_drop(&s.roster->obj);
    rt_obj_drop(&self->obj);
}

/* ---- scripts ------------------------------------------------------------ */

/* A store that cannot write says so before it tells the past. */
static void play_early(struct rt_turn *t, struct script *s, uint64_t ticket)
{
    if (ticket == 0) {
        tell_condition(t, s, false);
        create(t, s);
        tell_past(t, s);
        mark(t, s);
    } else if (ticket == MARK) {
        s->play = NULL;
    }
}

static void test_nothing_is_begun_before_there_is_a_store(void)
{
    check(play_early, "WcM");
}

/* The mark has overtaken the questions, which tell of a group that is not
 * safe; each is answered when it is, in the order they were asked. */
static void play_unsafe(struct rt_turn *t, struct script *s, uint64_t ticket)
{
    if (ticket == 0) {
        tell_past(t, s);
        tell_safe(t, s, 1);
        place(t, s, ORDER_LIST_GROUPS, "{}", LOOK);
    } else if (ticket == LOOK && s->heard.len == 2) {
        create(t, s);
        place(t, s, ORDER_LIST_GROUPS, "{}", LOOK);
        place(t, s, ORDER_LIST_AGENTS, "{}", LOOK_AGAIN);
        mark(t, s);
    } else if (ticket == MARK) {
        tell_safe(t, s, 2);
        place(t, s, ORDER_LIST_GROUPS, "{}", LOOK);
    } else if (ticket == LOOK && s->heard.len == 7) {
        s->play = NULL;
    }
}

static void test_questions_wait_for_what_they_tell(void)
{
    check(play_unsafe, "WLWMLAL");
}

static void play_trouble(struct rt_turn *t, struct script *s, uint64_t ticket)
{
    if (ticket == 0) {
        tell_past(t, s);
        create(t, s);
        place(t, s, ORDER_LIST_GROUPS, "{}", LOOK);
        mark(t, s);
    } else if (ticket == MARK) {
        tell_condition(t, s, false);
        place(t, s, ORDER_LIST_GROUPS, "{}", LOOK_AGAIN);
        create(t, s);
    } else if (ticket == CREATE) {
        s->play = NULL;
    }
}

static void test_a_disk_that_refuses_keeps_nobody_from_asking(void)
{
    check(play_trouble, "WWMLAc");
}

/* The reference that is given away comes to its end with the wait. */
static void play_wait(struct rt_turn *t, struct script *s, uint64_t ticket)
{
    if (ticket == 0) {
        tell_past(t, s);
        wait_for_none(t, s);
    } else if (ticket == LOOK) {
        s->play = NULL;
    }
}

static void test_a_wait_gives_its_order_back(void)
{
    check(play_wait, "Wl");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_nothing_is_begun_before_there_is_a_store);
    TEST(test_questions_wait_for_what_they_tell);
    TEST(test_a_disk_that_refuses_keeps_nobody_from_asking);
    TEST(test_a_wait_gives_its_order_back);
    return TAP_END();
}

/* SPDX-License-Identifier: MIT */
/* A registry and a store as a hub has them, and a subscriber that looks into
 * the database at every event it is told. */
#include <inttypes.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "actors/order/hub_context.h"
#include "actors/registry/feed.h"
#include "actors/registry/registry.h"
#include "actors/store/store.h"
#include "tap.h"

#define PATIENCE_S 120

enum { PLAY_ORDER = 1, PLAY_SUBSCRIBE, PLAY_UNSUBSCRIBE, PLAY_CLOSE };

struct play {
    struct rt *rt;
    char directory[64], path[96];
    struct hub_context *context;
    struct roster *roster;
    sqlite3 *db; /* the subscriber's own connection */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* under the lock */
    uint64_t last;     /* number heard */
    unsigned numbered; /* events */
    unsigned groups;   /* of them, of groups that were made */
    unsigned early;    /* that were not in the database yet */
    unsigned jumps;    /* whose number was not the next */
    unsigned answers;  /* to orders that change something */
    unsigned pictures; /* that came */
    unsigned crooked;  /* of them, that do not fit what was heard */
    bool is_good;      /* the store, by its last word */
};

struct root {
    struct play *play;
    struct rt_ref registry, store;
};

/* ---- the subscriber ---------------------------------------------------- */

static bool is_kept(struct play *p, const struct feed_event *e)
{
    sqlite3_stmt *row = NULL;
    bool is_there;

    if (sqlite3_prepare_v2(p->db,
                           "SELECT 1 FROM events WHERE seq = ?1 AND type = ?2"
                           " AND at = ?3 AND instr(?4, data) > 0",
                           -1, &row, NULL) != SQLITE_OK)
        return false;
    sqlite3_bind_int64(row, 1, (int64_t)e->seq);
    sqlite3_bind_text(row, 2, e->type, -1, SQLITE_STATIC);
    sqlite3_bind_int64(row, 3, (int64_t)e->at);
    sqlite3_bind_text(row, 4, e->json.ptr, (int)e->json.len, SQLITE_STATIC);
    is_there = sqlite3_step(row) == SQLITE_ROW;
    sqlite3_finalize(row);
    return is_there;
}

static void on_event(struct play *p, const struct feed_event *e)
{
    bool is_early = !is_kept(p, e);

    pthread_mutex_lock(&p->lock);
    p->jumps += p->last != 0 && e->seq != p->last + 1;
    p->last = e->seq;
    p->numbered++;
    p->early += is_early;
    p->groups += strcmp(e->type, "group:created") == 0;
    pthread_mutex_unlock(&p->lock);
}

/* The groups in it are those that were heard of, if all numbers before its own
 * were. */
static void on_picture(struct play *p, const struct answer *a)
{
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    uint64_t seq = yyjson_get_uint(FIELD(root, "seq"));
    size_t groups = yyjson_arr_size(FIELD(root, "groups"));

    p->pictures++;
    p->crooked += p->last > seq || (p->last == seq && p->groups != groups) ||
                  (p->is_good && p->last != 0 && p->last != seq);
    yyjson_doc_free(doc);
}

static void on_answer(struct play *p, const struct answer *a)
{
    pthread_mutex_lock(&p->lock);
    if (a->order->kind == ORDER_SNAPSHOT)
        on_picture(p, a);
    else
        p->answers += !a->is_error;
    pthread_mutex_unlock(&p->lock);
}

/* ---- the root ---------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct root *r = state;
    struct play *p = r->play;

    r->registry = registry_spawn(
        t, &(struct registry_setup){
               .context = p->context, .roster = p->roster, .has_store = true});
    r->store = store_spawn(t, &(struct store_setup){.registry = r->registry,
                                                    .path = p->path,
                                                    .keep_days = 30});
    return RT_OK;
}

static void place(struct rt_turn *t, struct root *r, enum order_kind kind)
{
    static const char text[] = "{\"description\":\"d\"}";
    yyjson_doc *doc = kind == ORDER_CREATE_GROUP
                          ? yyjson_read(text, sizeof(text) - 1, 0)
                          : NULL;

    registry_place(t, r->registry,
                   order_create_take(kind, doc, yyjson_doc_get_root(doc),
                                     r->play->context->self, rt_self(t), 1));
}

static void obey(struct rt_turn *t, struct root *r, struct rt_msg *m)
{
    switch (m->kind) {
    case PLAY_ORDER:
        place(t, r, *(enum order_kind *)rt_body(m));
        break;
    case PLAY_SUBSCRIBE:
        rt_tell(t, r->registry, FEED_SUBSCRIBE, NULL, 0);
        break;
    case PLAY_UNSUBSCRIBE:
        rt_tell(t, r->registry, FEED_UNSUBSCRIBE, NULL, 0);
        break;
    case PLAY_CLOSE:
        rt_stop(t, r->registry);
        break;
    default:
        break;
    }
}

static enum rt_next on_exit_of(struct rt_turn *t, struct root *r,
                               struct rt_ref who)
{
    if (rt_same(who, r->store))
        return RT_STOP;
    rt_drain(t, r->store);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct root *r = state;

    if (m->kind == RT_EXIT)
        return on_exit_of(t, r, m->from);
    if (m->kind == FEED_EVENT)
        on_event(r->play, RT_OBJ(m, struct feed_event));
    else if (m->kind == ORDER_ANSWER)
        on_answer(r->play, RT_OBJ(m, struct answer));
    else
        obey(t, r, m);
    pthread_mutex_lock(&r->play->lock);
    if (m->kind == STORE_CONDITION)
        r->play->is_good = ((struct store_condition *)rt_body(m))->is_good;
    pthread_cond_broadcast(&r->play->changed);
    pthread_mutex_unlock(&r->play->lock);
    return RT_OK;
}

static const struct rt_behaviour root = {.name = "play",
                                         .size = sizeof(struct root),
                                         .start = start,
                                         .handle = handle};

/* ---- a play ------------------------------------------------------------ */

static struct roster *roster_of(void)
{
    struct config_error e;
    struct settings *settings;
    struct config *config;
    struct roster *r;

    TEST_ASSERT_EQUAL_INT(0, config_parse("play", "", 0, NULL, &config, &e));
    settings = settings_create_take(config);
    r = roster_create(&(struct roster){.settings = settings});
    rt_obj_drop(&settings->obj);
    return r;
}

static void furnish(struct play *p)
{
    static const char *const env[] = {NULL};
    struct caller *self = caller_create("", "/", env);

    snprintf(p->directory, sizeof(p->directory),
             "/tmp/kuromajutsu-feed-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(p->directory));
    snprintf(p->path, sizeof(p->path), "%s/hub.db", p->directory);
    p->context =
        hub_context_create(&(struct hub_context){.state_dir = p->directory,
                                                 .socket = "",
                                                 .warden = "",
                                                 .relay = "",
                                                 .build = "0.1.0+play",
                                                 .self = self});
    p->roster = roster_of();
    rt_obj_drop(&self->obj);
}

static void do_any(struct play *p, uint16_t kind)
{
    rt_tell_any(p->rt, rt_root_any(p->rt), kind, NULL, 0);
}

static void order(struct play *p, enum order_kind kind)
{
    rt_tell_any(p->rt, rt_root_any(p->rt), PLAY_ORDER, &kind, sizeof(kind));
}

static void until(struct play *p, const unsigned *count, unsigned wanted)
{
    struct timespec end;
    int rc = 0;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&p->lock);
    while (*count < wanted && rc == 0)
        rc = pthread_cond_timedwait(&p->changed, &p->lock, &end);
    pthread_mutex_unlock(&p->lock);
    TEST_ASSERT_EQUAL_INT(0, rc);
}

static void until_condition(struct play *p, bool is_good)
{
    struct timespec end;
    int rc = 0;

    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&p->lock);
    while (p->is_good != is_good && rc == 0)
        rc = pthread_cond_timedwait(&p->changed, &p->lock, &end);
    pthread_mutex_unlock(&p->lock);
    TEST_ASSERT_EQUAL_INT(0, rc);
}

/* A picture is answered when the past is known, so there is a database. */
static void begin(struct play *p)
{
    struct root init = {.play = p};

    *p = (struct play){.is_good = true};
    furnish(p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->rt = rt_start(&(struct rt_config){.workers = 1, .loops = HUB_LOOPS},
                     &root, &init);
    do_any(p, PLAY_SUBSCRIBE);
    order(p, ORDER_SNAPSHOT);
    until(p, &p->pictures, 1);
    pthread_mutex_lock(&p->lock);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(p->path, &p->db));
    sqlite3_busy_timeout(p->db, PATIENCE_S * 1000);
    pthread_mutex_unlock(&p->lock);
}

static void end(struct play *p)
{
    static const char *const ends[] = {"", "-wal", "-shm"};
    char name[128];

    do_any(p, PLAY_CLOSE);
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(p->rt));
    sqlite3_close(p->db);
    rt_obj_drop(&p->context->obj);
    rt_obj_drop(&p->roster->obj);
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof(name), "%s%s", p->path, ends[i]);
        unlink(name);
    }
    rmdir(p->directory);
    pthread_mutex_destroy(&p->lock);
    pthread_cond_destroy(&p->changed);
}

/* ---- tests ------------------------------------------------------------- */

/* The startup came before the subscriber had a database to look into. */
static void test_what_is_told_is_kept(void)
{
    struct play p;
    unsigned before;

    begin(&p);
    pthread_mutex_lock(&p.lock);
    p.early = 0;
    before = p.numbered;
    pthread_mutex_unlock(&p.lock);
    for (unsigned i = 0; i < 200; i++)
        order(&p, ORDER_CREATE_GROUP);
    until(&p, &p.numbered, before + 200);
    until(&p, &p.answers, 200);
    TEST_ASSERT_EQUAL_UINT(200, p.groups);
    TEST_ASSERT_EQUAL_UINT(0, p.early);
    TEST_ASSERT_EQUAL_UINT(0, p.jumps);
    end(&p);
}

static void test_pictures_fit_between_events(void)
{
    struct play p;

    begin(&p);
    for (unsigned i = 0; i < 100; i++) {
        order(&p, ORDER_CREATE_GROUP);
        if (i % 3 == 0)
            order(&p, ORDER_SNAPSHOT);
    }
    until(&p, &p.answers, 100);
    until(&p, &p.pictures, 35);
    TEST_ASSERT_EQUAL_UINT(0, p.crooked);
    TEST_ASSERT_EQUAL_UINT(0, p.jumps);
    end(&p);
}

/* While the disk refuses nothing is told that could be lost, but whoever comes
 * still gets a picture; when it is mended, all is told in order. */
static void test_trouble_holds_events_and_no_pictures(void)
{
    struct play p;

    begin(&p);
    TEST_ASSERT_EQUAL_INT(
        SQLITE_OK, sqlite3_exec(p.db, "BEGIN IMMEDIATE", NULL, NULL, NULL));
    order(&p, ORDER_CREATE_GROUP);
    until_condition(&p, false);
    order(&p, ORDER_SNAPSHOT);
    until(&p, &p.pictures, 2);
    TEST_ASSERT_EQUAL_UINT(0, p.groups);
    TEST_ASSERT_EQUAL_UINT(0, p.answers);
    TEST_ASSERT_EQUAL_INT(SQLITE_OK,
                          sqlite3_exec(p.db, "COMMIT", NULL, NULL, NULL));
    until_condition(&p, true);
    until(&p, &p.groups, 1);
    order(&p, ORDER_CREATE_GROUP);
    until(&p, &p.groups, 2);
    TEST_ASSERT_EQUAL_UINT(0, p.jumps);
    end(&p);
}

static void test_whoever_leaves_hears_no_more(void)
{
    struct play p;
    unsigned before;

    begin(&p);
    do_any(&p, PLAY_UNSUBSCRIBE);
    order(&p, ORDER_SNAPSHOT);
    until(&p, &p.pictures, 2);
    before = p.numbered;
    for (unsigned i = 0; i < 10; i++)
        order(&p, ORDER_CREATE_GROUP);
    until(&p, &p.answers, 10);
    order(&p, ORDER_SNAPSHOT);
    until(&p, &p.pictures, 3);
    TEST_ASSERT_EQUAL_UINT(before, p.numbered);
    end(&p);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_what_is_told_is_kept);
    TEST(test_pictures_fit_between_events);
    TEST(test_trouble_holds_events_and_no_pictures);
    TEST(test_whoever_leaves_hears_no_more);
    return TAP_END();
}

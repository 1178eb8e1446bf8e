/* SPDX-License-Identifier: MIT */
#include "tests/actors/store/scene.h"

#include <dirent.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "actors/order/hub_context.h"
#include "actors/store/cleaner.h"
#include "json_text.h"
#include "tap.h"

#define PATIENCE_S 120
/* Nobody sweeps unless the test does: on a busy disk, where a commit takes a
 * second, the store's own first sweep would come into the middle of it. */
#define NEVER_MS ((uint64_t)24 * 3600 * 1000)

enum { SCENE_SEND = 1, SCENE_TOGETHER, SCENE_SENT, SCENE_CLOSE };

struct parcel {
    uint16_t kind;
    struct rt_obj *obj; /* or NULL */
};

struct bundle {
    struct store_write **writes;
    size_t count;
};

/* What came, oldest first; a message is taken once. */
struct item {
    struct item *next;
    uint16_t kind;
    bool is_taken;
    struct rt_obj *obj;
    struct store_condition condition;
    uint64_t safe;
};

struct scene {
    struct rt *rt;
    struct caller *caller;
    struct store_setup setup;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct item *first, **last;
    uint64_t tickets;
};

struct root {
    struct scene *scene;
    struct rt_ref store;
};

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct root *r = state;

    r->scene->setup.registry = rt_self(t);
    r->store = store_spawn(t, &r->scene->setup);
    return RT_OK;
}

static void note(struct scene *s, struct rt_msg *m)
{
    struct item *i = bytes_zalloc(sizeof(*i));

    i->kind = m->kind;
    if (m->kind == STORE_CONDITION)
        i->condition = *(struct store_condition *)rt_body(m);
    else if (m->kind == STORE_SAFE)
        i->safe = ((struct store_safe *)rt_body(m))->number;
    else if (m->kind != SCENE_SENT)
        i->obj = rt_obj_keep(RT_OBJ(m, struct rt_obj));
    pthread_mutex_lock(&s->lock);
    *s->last = i;
    s->last = &i->next;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

static void send_parcel(struct rt_turn *t, struct root *r,
                        const struct parcel *p)
{
    if (p->obj == NULL) {
        rt_tell(t, r->store, p->kind, NULL, 0);
        return;
    }
    if (p->kind == STORE_ASK || p->kind == STORE_RECALL)
        ((struct order *)p->obj)->asker = rt_self(t);
    else
        ((struct store_write *)p->obj)->asker = rt_self(t);
    rt_pass(t, r->store, p->kind, p->obj);
    rt_obj_drop(p->obj);
}

static void send_bundle(struct rt_turn *t, struct root *r,
                        const struct bundle *b)
{
    struct rt_msg *oldest = NULL, **link = &oldest;

    for (size_t i = 0; i < b->count; i++) {
        struct rt_msg *m = rt_msg_raw(t, STORE_WRITE, sizeof(struct rt_obj *));

        b->writes[i]->asker = rt_self(t);
        m->flags = RT_CARRIES;
        *(struct rt_obj **)rt_body(m) = &b->writes[i]->obj;
        m->next = NULL;
        *link = m;
        link = &m->next;
    }
    rt_send_chain(t, r->store, oldest);
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct root *r = state;

    switch (m->kind) {
    case SCENE_SEND:
        send_parcel(t, r, rt_body(m));
        break;
    case SCENE_TOGETHER:
        send_bundle(t, r, rt_body(m));
        break;
    case SCENE_CLOSE:
        rt_drain(t, r->store);
        break;
    case RT_EXIT:
        return RT_STOP;
    default:
        note(r->scene, m);
        break;
    }
    return RT_OK;
}

static const struct rt_behaviour root = {.name = "scene",
                                         .size = sizeof(struct root),
                                         .start = start,
                                         .handle = handle};

/* ---- its file ---------------------------------------------------------- */

static char directory[64], path[96];

static void empty(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;

    if (d == NULL)
        return;
    chmod(dir, 0700);
    while ((e = readdir(d)) != NULL)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
}

static void clean(void)
{
    if (directory[0] == 0)
        return;
    empty(directory);
    rmdir(directory);
    directory[0] = 0;
}

const char *scene_fresh(void)
{
    static bool is_registered;

    clean();
    if (!is_registered)
        atexit(clean);
    is_registered = true;
    snprintf(directory, sizeof(directory), "/tmp/kuromajutsu-store-XXXXXX");
    if (mkdtemp(directory) == NULL)
        abort();
    snprintf(path, sizeof(path), "%s/hub.db", directory);
    return directory;
}

const char *scene_path(void)
{
    return path;
}

/* ---- its life ---------------------------------------------------------- */

struct scene *scene_open(void)
{
    return scene_open_with(
        &(struct store_setup){.path = path, .keep_days = 30});
}

struct scene *scene_open_with(const struct store_setup *setup)
{
    static const char *const env[] = {NULL};
    struct scene *s = bytes_zalloc(sizeof(*s));
    struct root init = {.scene = s};
    pthread_condattr_t steady;

    s->setup = *setup;
    if (setup->retention_ms == 0)
        s->setup.retention_ms = NEVER_MS;
    s->caller = caller_create("", "/", env);
    s->last = &s->first;
    s->tickets = 1000000;
    pthread_mutex_init(&s->lock, NULL);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&s->changed, &steady);
    pthread_condattr_destroy(&steady);
    s->rt = rt_start(
        &(struct rt_config){.workers = 1, .loops = HUB_LOOPS, .seed = 1}, &root,
        &init);
    return s;
}

void scene_close(struct scene *s)
{
    rt_tell_any(s->rt, rt_root_any(s->rt), SCENE_CLOSE, NULL, 0);
    TEST_ASSERT_EQUAL_UINT64(0, rt_join(s->rt));
    for (struct item *i = s->first, *next; i != NULL; i = next) {
        next = i->next;
        if (i->obj != NULL)
            rt_obj_drop(i->obj);
        free(i);
    }
    rt_obj_drop(&s->caller->obj);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}

/* ---- sending ----------------------------------------------------------- */

static void post(struct scene *s, uint16_t kind, struct rt_obj *obj)
{
    struct parcel p = {.kind = kind, .obj = obj};

    rt_tell_any(s->rt, rt_root_any(s->rt), SCENE_SEND, &p, sizeof(p));
}

struct store_write *scene_work(struct scene *s, void (*run)(struct work *w),
                               const char *id, uint64_t number)
{
    struct store_write *w = store_write_create();
    char *json = bytes_text("{\"agentId\":\"%s\"}", id);
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    struct order *o =
        order_create_take(ORDER_SHOW_AGENT, doc, yyjson_doc_get_root(doc),
                          s->caller, rt_root_any(s->rt), number);

    w->work = work_create(sizeof(struct work), o, run);
    snprintf(o->key, sizeof(o->key), "key-%s", id);
    rt_obj_drop(&o->obj);
    free(json);
    return w;
}

void scene_write(struct scene *s, struct store_write *w)
{
    post(s, STORE_WRITE, &w->obj);
}

void scene_write_answered(struct scene *s, struct store_write *w,
                          uint64_t number)
{
    char text[40];
    int len = snprintf(text, sizeof(text), "{\"n\":%llu}",
                       (unsigned long long)number);

    w->answer = answer_create(number);
    bytes_append(&w->answer->json, text, (size_t)len);
    post(s, STORE_WRITE, &w->obj);
}

void scene_write_together(struct scene *s, struct store_write **writes,
                          size_t count)
{
    struct bundle b = {.writes = writes, .count = count};

    rt_tell_any(s->rt, rt_root_any(s->rt), SCENE_TOGETHER, &b, sizeof(b));
}

void scene_ask(struct scene *s, enum order_kind kind, const char *args,
               uint64_t number)
{
    const char *json = json_of(args);
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);

    TEST_ASSERT_NOT_NULL_MESSAGE(doc, args);
    post(s, STORE_ASK,
         &order_create_take(kind, doc, yyjson_doc_get_root(doc), s->caller,
                            RT_NOBODY, number)
              ->obj);
}

void scene_recall(struct scene *s, const char *key, uint64_t number)
{
    struct order *o =
        order_create(ORDER_CREATE_GROUP, NULL, s->caller, RT_NOBODY, number);

    slice_keep(o->key, sizeof(o->key), slice_cstr(key));
    post(s, STORE_RECALL, &o->obj);
}

void scene_sweep(struct scene *s)
{
    post(s, STORE_RETENTION, NULL);
}

/* ---- waiting ----------------------------------------------------------- */

typedef bool (*match_fn)(const struct item *i, uint64_t number);

static struct item *find(struct scene *s, match_fn match, uint64_t number)
{
    for (struct item *i = s->first; i != NULL; i = i->next)
        if (match(i, number))
            return i;
    return NULL;
}

static struct item *wait_for(struct scene *s, match_fn match, uint64_t number,
                             const char *what)
{
    struct timespec until;
    struct item *i;
    int rc = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += PATIENCE_S;
    pthread_mutex_lock(&s->lock);
    while ((i = find(s, match, number)) == NULL && rc == 0)
        rc = pthread_cond_timedwait(&s->changed, &s->lock, &until);
    if (i != NULL)
        i->is_taken = true;
    pthread_mutex_unlock(&s->lock);
    TEST_ASSERT_NOT_NULL_MESSAGE(i, what);
    return i;
}

static bool is_past(const struct item *i, uint64_t number)
{
    (void)number;
    return i->kind == STORE_PAST && !i->is_taken;
}

const struct past *scene_past(struct scene *s)
{
    return (const struct past *)wait_for(s, is_past, 0, "no past came")->obj;
}

static bool is_checked(const struct item *i, uint64_t number)
{
    (void)number;
    return i->kind == STORE_CHECKED && !i->is_taken;
}

const struct past *scene_checks(struct scene *s)
{
    post(s, STORE_CHECKS, NULL);
    return (const struct past *)wait_for(s, is_checked, 0, "no checks came")
        ->obj;
}

static bool is_condition(const struct item *i, uint64_t number)
{
    return i->kind == STORE_CONDITION && !i->is_taken &&
           i->condition.is_good == (number != 0);
}

const char *scene_condition(struct scene *s, bool is_good)
{
    return wait_for(s, is_condition, is_good, "the condition did not change")
        ->condition.why.en;
}

static bool is_answer(const struct item *i, uint64_t number)
{
    return i->kind == ORDER_ANSWER &&
           ((const struct answer *)i->obj)->ticket == number;
}

static struct answer *answer_of(struct scene *s, uint64_t number)
{
    return (struct answer *)wait_for(s, is_answer, number, "no answer came")
        ->obj;
}

const char *scene_answer(struct scene *s, uint64_t number)
{
    struct answer *a = answer_of(s, number);

    /* The text is the scene's alone by now. */
    bytes_reserve(&a->json, 1);
    a->json.ptr[a->json.len] = 0;
    return a->json.ptr;
}

bool scene_is_error(struct scene *s, uint64_t number)
{
    return answer_of(s, number)->is_error;
}

const char *scene_asked(struct scene *s, enum order_kind kind, const char *args)
{
    uint64_t number = s->tickets++;

    scene_ask(s, kind, args, number);
    return scene_answer(s, number);
}

static bool is_recalled(const struct item *i, uint64_t number)
{
    return i->kind == STORE_RECALLED &&
           ((const struct order *)i->obj)->ticket == number;
}

void scene_recalled(struct scene *s, uint64_t number)
{
    wait_for(s, is_recalled, number, "the order did not come back");
}

static bool is_safe(const struct item *i, uint64_t number)
{
    return i->kind == STORE_SAFE && i->safe >= number;
}

void scene_safe(struct scene *s, uint64_t number)
{
    wait_for(s, is_safe, number, "it never was safe");
}

static bool is_sent(const struct item *i, uint64_t number)
{
    (void)number;
    return i->kind == SCENE_SENT && !i->is_taken;
}

void scene_sent(struct scene *s)
{
    rt_tell_any(s->rt, rt_root_any(s->rt), SCENE_SENT, NULL, 0);
    wait_for(s, is_sent, 0, "it was not sent");
}

static bool is_swept(const struct item *i, uint64_t number)
{
    (void)number;
    return i->kind == STORE_REMOVED && !i->is_taken;
}

const char *scene_swept(struct scene *s)
{
    struct cleaner_list *swept =
        (struct cleaner_list *)wait_for(s, is_swept, 0, "nothing swept")->obj;

    bytes_reserve(&swept->lines, 1);
    swept->lines.ptr[swept->lines.len] = 0;
    return swept->lines.ptr;
}

static bool is_tidy(const struct item *i, uint64_t number)
{
    (void)number;
    return i->kind == STORE_TRANSCRIPTS && !i->is_taken;
}

const char *scene_tidy(struct scene *s)
{
    struct cleaner_list *list =
        (struct cleaner_list *)wait_for(s, is_tidy, 0, "nothing to tidy")->obj;

    bytes_reserve(&list->lines, 1);
    list->lines.ptr[list->lines.len] = 0;
    return list->lines.ptr;
}

unsigned scene_answers(struct scene *s)
{
    unsigned n = 0;

    pthread_mutex_lock(&s->lock);
    for (struct item *i = s->first; i != NULL; i = i->next)
        n += i->kind == ORDER_ANSWER;
    pthread_mutex_unlock(&s->lock);
    return n;
}

/* ---- rows -------------------------------------------------------------- */

static void put(struct store_write *w, const char *text)
{
    store_text(w, slice_cstr(text));
}

void scene_add_group(struct store_write *w, uint64_t serial, const char *id)
{
    store_row(w, STORE_ADD_GROUP);
    store_int(w, (int64_t)serial);
    put(w, id);
    put(w, "調査");
    put(w, "concurrent");
    store_null(w);
    store_int(w, 1700000000000 + (int64_t)serial);
    put(w, "ja");
}

void scene_add_order(struct store_write *w, uint64_t first, uint64_t group,
                     const char *kind, unsigned count)
{
    store_row(w, STORE_ADD_ORDER);
    store_int(w, (int64_t)first);
    store_int(w, (int64_t)group);
    put(w, kind);
    put(w, "{\"a\":1}");
    put(w, "");
    put(w, "/w");
    store_int(w, count);
    store_int(w, 1700000000500);
}

void scene_add_agent(struct store_write *w, uint64_t serial, const char *id,
                     uint64_t order, uint64_t group, const char *prompt)
{
    store_row(w, STORE_ADD_AGENT);
    store_int(w, (int64_t)serial);
    put(w, id);
    store_int(w, (int64_t)order);
    store_int(w, (int64_t)group);
    store_int(w, 0);
    put(w, "impl-code");
    put(w, "claude-x");
    put(w, "cursor");
    put(w, prompt);
    put(w, "/w");
    store_int(w, 60000);
    store_int(w, 1700000000000 + (int64_t)serial);
    put(w, "");
}

void scene_set_result(struct store_write *w, uint64_t serial,
                      const char *summary, const char *response,
                      const char *edited)
{
    store_row(w, STORE_SET_RESULT);
    store_int(w, (int64_t)serial);
    store_int(w, 1700000100000 + (int64_t)serial);
    put(w, "success");
    put(w, summary);
    put(w, response);
    put(w, "");
    put(w, edited);
    put(w, "[]");
    store_int(w, 1234);
    store_int(w, 1);
}

int64_t scene_sql(const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt = NULL;
    int64_t number = 0;
    int code;

    TEST_ASSERT_EQUAL_INT(SQLITE_OK, sqlite3_open(path, &db));
    sqlite3_busy_timeout(db, PATIENCE_S * 1000);
    code = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(stmt);
    if (code == SQLITE_ROW)
        number = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        TEST_FAIL_MESSAGE(sqlite3_errmsg(db));
    sqlite3_close(db);
    return number;
}

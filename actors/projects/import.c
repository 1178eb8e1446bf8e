/* SPDX-License-Identifier: MIT */
/*
 * An import makes projects, profiles, assignments and tasks in one work: all of
 * them, or none and the place is named that is wrong. Each is made by the work
 * that makes one alone, so the same holds for it. What is there already under
 * its id stays as it is; so the same import can be done again.
 *
 * What may name another of its own list (a parent, what a task depends on) is
 * said in a second round, when all are there. Passkeys take long to derive and
 * are set afterwards: who has none is told.
 */
#include <stdlib.h>

#include "actors/projects/inside.h"

enum list { PROJECTS, AGENTS, TASKS, LISTS };

struct import {
    struct work *work;
    size_t made[LISTS], there[LISTS], assigned;
    struct bytes ids[LISTS]; /* of what was made: an array's inside */
    bool *is_new;            /* which of the list are made by this */
};

static const struct kind {
    const char *name, *id;
    const char *by_id;
    void (*create)(struct work *w), (*update)(struct work *w);
    const char *later[3]; /* what is said in the second round */
} kinds[LISTS] = {
    {"projects",
     "project_id",
     "SELECT 1 FROM pm_projects WHERE id = ?1",
     project_create,
     project_update,
     {"status"}},
    {"agents",
     "agent_id",
     "SELECT 1 FROM pm_agents WHERE id = ?1",
     profile_create,
     profile_update,
     {"status", "parent_agent_id"}},
    {"tasks",
     "task_id",
     "SELECT 1 FROM pm_tasks WHERE id = ?1",
     task_create,
     task_update,
     {"dependencies", "parent_task_id"}},
};

/* ---- one of them ------------------------------------------------------- */

/* The import is refused as the part was, which is named. */
static void refuse(struct work *w, const struct answer *a, const char *list,
                   size_t place)
{
    yyjson_doc *doc = yyjson_read(a->json.ptr, a->json.len, 0);
    struct slice said = FIELD_TEXT(yyjson_doc_get_root(doc), "message");

    work_refuse(w, a->code, "%s[%zu]: %.*s", list, place, (int)said.len,
                said.ptr);
    yyjson_doc_free(doc);
}

static void take_events(struct work *w, struct work *part)
{
    for (size_t i = 0; i < part->told_count; i++) {
        struct bytes *data = work_event(w, part->told[i].type);

        *data = part->told[i].data;
        part->told[i].data = (struct bytes){0};
    }
}

/* False: it was refused. Takes the document over. */
static bool run(struct work *w, yyjson_doc *doc, void (*part)(struct work *w),
                const char *list, size_t place)
{
    struct order *o =
        order_create_take(w->order->kind, doc, yyjson_doc_get_root(doc),
                          w->order->caller, RT_NOBODY, 0);
    struct pm_work *p =
        (struct pm_work *)work_create(sizeof(struct pm_work), o, part);
    bool is_done;

    o->is_english = order_is_english(w->order);
    p->work.db = w->db;
    p->work.cache = w->cache;
    p->work.now = w->now;
    part(&p->work);
    is_done = !work_is_refused(&p->work) && p->work.code == SQLITE_OK;
    w->code = p->work.code;
    if (is_done)
        take_events(w, &p->work);
    else if (work_is_refused(&p->work))
        refuse(w, p->work.answer, list, place);
    rt_obj_drop(&p->work.obj);
    rt_obj_drop(&o->obj);
    return is_done;
}

/* ---- a list ------------------------------------------------------------ */

static bool is_later(const struct kind *k, const char *name)
{
    for (size_t i = 0; i < sizeof(k->later) / sizeof(*k->later); i++)
        if (k->later[i] != NULL && strcmp(k->later[i], name) == 0)
            return true;
    return false;
}

/* The members of one or the other round; NULL: there is nothing to say. */
static yyjson_doc *part_of(const struct kind *k, yyjson_val *item, bool later)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_doc *part = NULL;
    yyjson_val *key, *val;
    size_t i, max, said = 0;

    yyjson_mut_doc_set_root(doc, root);
    yyjson_obj_foreach(item, i, max, key, val)
    {
        const char *name = yyjson_get_str(key);

        if (strcmp(name, "passkey") == 0 ||
            (strcmp(name, k->id) != 0 && is_later(k, name) != later))
            continue;
        said++;
        yyjson_mut_obj_add_val(doc, root, name, yyjson_val_mut_copy(doc, val));
    }
    if (!later || said > 1)
        part = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    return part;
}

static bool check_passkey(struct work *w, yyjson_val *item, size_t place)
{
    yyjson_val *given = FIELD(item, "passkey");

    if (given == NULL || yyjson_get_len(given) >= PM_PASSKEY_LEAST)
        return true;
    work_refuse(w, CODE_VALIDATION_ERROR, "agents[%zu]: %s", place,
                MESSAGE(order_is_english(w->order), PM_PASSKEY_SHORT));
    return false;
}

static bool make(struct import *im, enum list list, yyjson_val *item,
                 size_t place)
{
    const struct kind *k = &kinds[list];
    struct slice id =
        slice_trim(field_text(field_get(item, slice_cstr(k->id))));

    im->is_new[place] = !pm_is_there(im->work, k->by_id, id);
    if (!im->is_new[place]) {
        im->there[list]++;
        return true;
    }
    if (!check_passkey(im->work, item, place) ||
        !run(im->work, part_of(k, item, false), k->create, k->name, place))
        return false;
    if (im->made[list]++ > 0)
        JSON_RAW(&im->ids[list], ",");
    json_string(&im->ids[list], id);
    return true;
}

static bool finish(struct import *im, enum list list, yyjson_val *item,
                   size_t place)
{
    const struct kind *k = &kinds[list];
    yyjson_doc *rest = im->is_new[place] ? part_of(k, item, true) : NULL;

    return rest == NULL || run(im->work, rest, k->update, k->name, place);
}

static bool make_list(struct import *im, enum list list)
{
    yyjson_val *items =
        field_get(im->work->order->args, slice_cstr(kinds[list].name));
    yyjson_val *item;
    size_t i, count;
    bool is_good = true;

    im->is_new = bytes_zalloc(yyjson_arr_size(items) + 1);
    yyjson_arr_foreach(items, i, count, item)
    {
        is_good = is_good && make(im, list, item, i);
    }
    yyjson_arr_foreach(items, i, count, item)
    {
        is_good = is_good && finish(im, list, item, i);
    }
    free(im->is_new);
    return is_good;
}

static bool make_assignments(struct import *im)
{
    static const struct kind k = {.id = ""};
    yyjson_val *items = FIELD(im->work->order->args, "assignments"), *item;
    size_t i, count;
    bool is_good = true;

    yyjson_arr_foreach(items, i, count, item)
    {
        is_good = is_good && run(im->work, part_of(&k, item, false),
                                 assignment_set, "assignments", i);
    }
    im->assigned = count;
    return is_good;
}

/* ---- the order --------------------------------------------------------- */

/* So that it can be taken back whole, with what else is in the transaction
 * left as it is. */
static void mark(struct work *w, const char *sql)
{
    struct sql q = sql_open(w, sql);

    sql_run(&q);
}

static void take_back(struct work *w)
{
    for (size_t i = 0; i < w->told_count; i++)
        bytes_finish(&w->told[i].data);
    w->told_count = 0;
    mark(w, "ROLLBACK TO import");
}

static void put_keyless(struct work *w, struct bytes *out)
{
    struct sql q = sql_open(
        w, "SELECT json_group_array(id) FROM (SELECT a.id FROM json_each(?1) j"
           " JOIN pm_agents a ON a.id = trim(j.value ->> '$.agent_id')"
           " WHERE a.type = 'ai' AND NOT EXISTS (SELECT 1 FROM pm_passkeys p"
           " WHERE p.agent = a.id) ORDER BY j.key)");
    struct bytes list = {0};

    if (FIELD(w->order->args, "agents"))
        json_val(&list, FIELD(w->order->args, "agents"));
    else
        JSON_RAW(&list, "[]");
    sql_text(&q, 1, bytes_slice(&list));
    JSON_KEY(out, "without_passkey");
    json_raw(out, sql_next(&q) ? sql_column(&q, 0) : SLICE("[]"));
    sql_close(&q);
    bytes_finish(&list);
}

static void answer(const struct import *im)
{
    struct bytes *out = work_answer(im->work);

    JSON_RAW(out, "{\"success\":true,\"made\":{");
    for (int i = 0; i < LISTS; i++) {
        json_key(out, slice_cstr(kinds[i].name));
        JSON_RAW(out, "[");
        json_raw(out, bytes_slice(&im->ids[i]));
        JSON_RAW(out, "]");
    }
    JSON_RAW(out, "},\"there\":{");
    for (int i = 0; i < LISTS; i++) {
        json_key(out, slice_cstr(kinds[i].name));
        json_uint(out, im->there[i]);
    }
    JSON_RAW(out, "}");
    JSON_UINT(out, "assignments", im->assigned);
    put_keyless(im->work, out);
    JSON_RAW(out, "}");
}

void import_all(struct work *w)
{
    struct import im = {.work = w};

    if (!pm_may_manage(w))
        return;
    mark(w, "SAVEPOINT import");
    if (make_list(&im, PROJECTS) && make_list(&im, AGENTS) &&
        make_assignments(&im) && make_list(&im, TASKS))
        answer(&im);
    else if (w->code == SQLITE_OK)
        take_back(w);
    mark(w, "RELEASE import");
    for (int i = 0; i < LISTS; i++)
        bytes_finish(&im.ids[i]);
}

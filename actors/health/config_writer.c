/* SPDX-License-Identifier: MIT */
#include "actors/health/config_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/health/config_watch.h"
#include "config/edit.h"
#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

/* What can be edited, by the same names in the order and in the file. */
static const char *const keys[] = {"model", "name", "description",
                                   "systemPrompt", "healthCheckPrompt"};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

struct writer {
    struct config_writer_setup setup;
    struct config_watch watch;
    bool has_trouble;
};

static char *const *env_of(const struct writer *w)
{
    return (char *const *)w->setup.context->self->env;
}

static void free_change(struct rt_obj *o)
{
    struct config_writer_change *c = (struct config_writer_change *)o;

    rt_obj_drop(&c->settings->obj);
    if (c->order != NULL)
        rt_obj_drop(&c->order->obj);
    free(c);
}

/* Takes the configuration over. Whom it tells first: see the header. */
static void put_in_force(struct rt_turn *t, struct writer *w, struct order *o,
                         struct config *fresh)
{
    struct config_writer_change *change = bytes_zalloc(sizeof(*change));
    struct config_writer_setup *s = &w->setup;

    rt_obj_drop(&s->settings->obj);
    s->settings = settings_create_take(fresh);
    rt_obj_init(&change->obj, free_change);
    change->settings = RT_KEEP(s->settings);
    change->order = o != NULL ? RT_KEEP(o) : NULL;
    rt_pass(t, s->registry, CONFIG_WRITER_CHANGED, &change->obj);
    rt_pass(t, s->health, HEALTH_SETTINGS, &s->settings->obj);
    rt_pass(t, s->hub, CONFIG_WRITER_CHANGED, &change->obj);
    rt_obj_drop(&change->obj);
}

/* ---- trouble ----------------------------------------------------------- */

static void free_trouble(struct rt_obj *o)
{
    free(o);
}

static void tell_trouble(struct rt_turn *t, struct writer *w,
                         const struct config_error *e)
{
    size_t len = strlen(e->text);
    struct config_writer_trouble *trouble =
        bytes_zalloc(sizeof(*trouble) + len + 1);

    rt_obj_init(&trouble->obj, free_trouble);
    trouble->line = e->line;
    trouble->column = e->column;
    memcpy(trouble->text, e->text, len);
    w->has_trouble = len > 0;
    rt_pass(t, w->setup.registry, CONFIG_WRITER_TROUBLE, &trouble->obj);
    rt_pass(t, w->setup.hub, CONFIG_WRITER_TROUBLE, &trouble->obj);
    rt_obj_drop(&trouble->obj);
}

static void end_trouble(struct rt_turn *t, struct writer *w)
{
    const struct config_error none = {0};

    if (w->has_trouble)
        tell_trouble(t, w, &none);
}

static void tell_restless(struct rt_turn *t, struct writer *w)
{
    struct config_error e = {0};

    error_plain(&e,
                "%s: changes all the time: expected a file at rest; what was "
                "read before stays in force",
                w->setup.settings->config->path);
    tell_trouble(t, w, &e);
}

/* ---- reading ----------------------------------------------------------- */

/* Our own writing is noticed too, and is then what is in force already. */
static void read_again(struct rt_turn *t, struct writer *w)
{
    const struct config *c = w->setup.settings->config;
    struct config_error e;
    struct config *fresh;

    if (config_reload(c, env_of(w), &fresh, &e) != 0) {
        tell_trouble(t, w, &e);
        return;
    }
    end_trouble(t, w);
    if (config_is_unchanged(c, fresh))
        config_destroy(fresh);
    else
        put_in_force(t, w, NULL, fresh);
}

static void on_watch(struct rt_turn *t, struct writer *w, struct rt_msg *m)
{
    switch (config_watch_on(t, &w->watch, w->setup.settings->config, m)) {
    case CONFIG_WATCH_NOTHING:
        break;
    case CONFIG_WATCH_CHANGED:
        read_again(t, w);
        break;
    case CONFIG_WATCH_RESTLESS:
        tell_restless(t, w);
        break;
    }
}

/* ---- update_role ------------------------------------------------------- */

static size_t read_edits(yyjson_val *args, struct config_edit edits[KEYS])
{
    size_t count = 0;

    for (size_t i = 0; i < KEYS; i++) {
        yyjson_val *value = yyjson_obj_get(args, keys[i]);

        if (yyjson_is_str(value))
            edits[count++] = (struct config_edit){
                .key = keys[i], .value = yyjson_get_str(value)};
    }
    return count;
}

static void refuse(struct rt_turn *t, struct order *o, int rc,
                   const struct config_error *why)
{
    if (rc == -EINVAL)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, CONFIG_CHANGE_IS_WRONG,
                     why->text);
    else if (rc == -ESTALE)
        ORDER_REFUSE(t, o, CODE_CONFIG_NOT_WRITTEN, CONFIG_CHANGE_IS_LATE,
                     why->text);
    else
        ORDER_REFUSE(t, o, CODE_CONFIG_NOT_WRITTEN,
                     CONFIG_FILE_CANNOT_BE_WRITTEN, why->text);
}

static void on_update(struct rt_turn *t, struct writer *w, struct order *o)
{
    const char *role = yyjson_get_str(FIELD(o->args, "roleId"));
    struct config_edit edits[KEYS];
    size_t count = read_edits(o->args, edits);
    struct config_error why;
    struct config *fresh;
    int rc = config_edit(w->setup.settings->config, env_of(w), role, edits,
                         count, &fresh, &why);

    if (rc == 0)
        put_in_force(t, w, o, fresh);
    else
        refuse(t, o, rc, &why);
}

/* ---- revalidate -------------------------------------------------------- */

static void on_revalidate(struct rt_turn *t,
                          const struct config_writer_setup *e, struct order *o)
{
    const struct config *c = e->settings->config;
    struct slice role = FIELD_TEXT(o->args, "roleId");
    struct answer *a = answer_create(o->ticket);
    struct health_recheck recheck;
    bool is_first = true;

    slice_keep(recheck.role, sizeof(recheck.role), role);
    rt_tell(t, e->health, HEALTH_RECHECK, &recheck, sizeof(recheck));
    JSON_RAW(&a->json, "{\"roleIds\":[");
    for (size_t i = 0; i < c->role_count; i++) {
        if (role.len > 0 && !slice_eq(slice_cstr(c->roles[i].id), role))
            continue;
        if (!is_first)
            JSON_RAW(&a->json, ",");
        is_first = false;
        json_string(&a->json, slice_cstr(c->roles[i].id));
    }
    JSON_RAW(&a->json, "]}");
    answer_send(t, o, a);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next start(struct rt_turn *t, void *state)
{
    struct writer *w = state;

    rt_tell(t, w->setup.registry, CONFIG_WRITER_READY, NULL, 0);
    config_watch_start(t, &w->watch, w->setup.settings->config, env_of(w));
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct writer *w = state;

    if (m->kind == CONFIG_WRITER_UPDATE)
        on_update(t, w, RT_OBJ(m, struct order));
    else if (m->kind == CONFIG_WRITER_REVALIDATE)
        on_revalidate(t, &w->setup, RT_OBJ(m, struct order));
    else
        on_watch(t, w, m);
    return RT_OK;
}

static void drop(struct config_writer_setup *s)
{
    rt_obj_drop(&s->settings->obj);
    rt_obj_drop(&s->context->obj);
}

static void stop(struct rt_turn *t, void *state)
{
    struct writer *w = state;

    config_watch_stop(t, &w->watch);
    drop(&w->setup);
}

static const struct rt_behaviour behaviour = {.name = "config-writer",
                                              .size = sizeof(struct writer),
                                              .start = start,
                                              .handle = handle,
                                              .stop = stop};

struct rt_ref config_writer_spawn(struct rt_turn *t,
                                  const struct config_writer_setup *s)
{
    struct writer w = {.setup = *s, .watch.inotify = -1};
    struct rt_ref ref;

    rt_obj_keep(&s->context->obj);
    rt_obj_keep(&s->settings->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &w);
    if (ref.id == 0)
        drop(&w.setup);
    return ref;
}

/* SPDX-License-Identifier: MIT */
#include "actors/health/config_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "actors/health/config_watch.h"
#include "actors/health/role_edits.h"
#include "actors/launch/prompt.h"
#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

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
    free(c->diff);
    free(c);
}

/* Takes the configuration and the diff over. Whom it tells first: see the
 * header. */
static void put_in_force(struct rt_turn *t, struct writer *w, struct order *o,
                         struct config *fresh, char *diff)
{
    struct config_writer_change *change = bytes_zalloc(sizeof(*change));
    struct config_writer_setup *s = &w->setup;

    rt_obj_drop(&s->settings->obj);
    s->settings = settings_create_take(fresh);
    rt_obj_init(&change->obj, free_change);
    change->settings = RT_KEEP(s->settings);
    change->order = o != NULL ? RT_KEEP(o) : NULL;
    change->diff = diff;
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
    const char *text =
        config_error_in(e, w->setup.settings->config->language == CONFIG_EN);
    size_t len = strlen(text);
    struct config_writer_trouble *trouble =
        bytes_zalloc(sizeof(*trouble) + len + 1);

    rt_obj_init(&trouble->obj, free_trouble);
    trouble->line = e->line;
    trouble->column = e->column;
    memcpy(trouble->text, text, len);
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

    ERROR_PLAIN(&e, CONFIG_RESTLESS, w->setup.settings->config->path);
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
        put_in_force(t, w, NULL, fresh, NULL);
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

/* ---- roles ------------------------------------------------------------- */

static void refuse(struct rt_turn *t, struct order *o, int rc,
                   const struct config_error *why)
{
    const char *text = config_error_in(why, order_is_english(o));

    if (rc == -EINVAL)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, CONFIG_CHANGE_IS_WRONG, text);
    else if (rc == -ESTALE)
        ORDER_REFUSE(t, o, CODE_CONFIG_NOT_WRITTEN, CONFIG_CHANGE_IS_LATE,
                     text);
    else
        ORDER_REFUSE(t, o, CODE_CONFIG_NOT_WRITTEN,
                     CONFIG_FILE_CANNOT_BE_WRITTEN, text);
}

/* What would be written, and what agents would be started with then. */
static void answer_dry(struct rt_turn *t, const struct writer *w,
                       struct order *o, const struct role_changed *made)
{
    const struct config *c = w->setup.settings->config;
    const char *id = yyjson_get_str(FIELD(o->args, "roleId"));
    const struct role *role = role_find_any(made->config, id);
    struct answer *a = answer_create(o->ticket);
    char version[CONFIG_VERSION];

    config_version(c, version);
    JSON_RAW(&a->json, "{\"dryRun\":true");
    JSON_TEXT(&a->json, "roleId", slice_cstr(id));
    JSON_TEXT(&a->json, "file", slice_cstr(c->file));
    JSON_TEXT(&a->json, "version", slice_cstr(version));
    JSON_TEXT(&a->json, "diff", slice_cstr(made->diff));
    if (role != NULL)
        prompt_put_preview(&a->json, role, made->config->language);
    JSON_RAW(&a->json, "}");
    answer_send(t, o, a);
}

static void on_change(struct rt_turn *t, struct writer *w, struct order *o)
{
    const struct config *c = w->setup.settings->config;
    struct role_edits edits;
    struct role_changed made;
    struct config_error why;
    int rc;

    role_edits_read(&edits, o, c);
    rc = config_change(c, env_of(w), &edits.change, &made, &why);
    if (rc != 0) {
        refuse(t, o, rc, &why);
    } else if (edits.change.is_dry) {
        answer_dry(t, w, o, &made);
    } else {
        put_in_force(t, w, o, made.config, made.diff);
        made = (struct role_changed){0};
    }
    role_changed_finish(&made);
    role_edits_finish(&edits);
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

    config_watch_start(t, &w->watch, w->setup.settings->config, env_of(w));
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    struct writer *w = state;

    if (m->kind == CONFIG_WRITER_CHANGE)
        on_change(t, w, RT_OBJ(m, struct order));
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
    else
        rt_tell(t, s->registry, CONFIG_WRITER_READY, &ref, sizeof(ref));
    return ref;
}

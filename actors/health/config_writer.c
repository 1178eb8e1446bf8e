/* SPDX-License-Identifier: MIT */
#include "actors/health/config_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "config/edit.h"
#include "runtime/text/bytes.h"
#include "runtime/text/json.h"

/* What can be edited, by the same names in the order and in the file. */
static const char *const keys[] = {"model", "name", "description",
                                   "systemPrompt", "healthCheckPrompt"};
#define KEYS (sizeof(keys) / sizeof(keys[0]))

static void free_change(struct rt_obj *o)
{
    struct config_writer_change *c = (struct config_writer_change *)o;

    rt_obj_drop(&c->settings->obj);
    rt_obj_drop(&c->order->obj);
    free(c);
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

/* Takes the configuration over. Whom it tells first: see the header. */
static void put_in_force(struct rt_turn *t, struct config_writer_setup *e,
                         struct order *o, struct config *fresh)
{
    struct config_writer_change *change = bytes_zalloc(sizeof(*change));

    rt_obj_drop(&e->settings->obj);
    e->settings = settings_create_take(fresh);
    rt_obj_init(&change->obj, free_change);
    change->settings = RT_KEEP(e->settings);
    change->order = RT_KEEP(o);
    rt_pass(t, e->registry, CONFIG_WRITER_CHANGED, &change->obj);
    rt_pass(t, e->health, HEALTH_SETTINGS, &e->settings->obj);
    rt_obj_drop(&change->obj);
}

static void refuse(struct rt_turn *t, struct order *o, int rc,
                   const struct config_error *why)
{
    if (rc == -EINVAL)
        ORDER_REFUSE(t, o, CODE_VALIDATION_ERROR, "設定を変更できません: %s",
                     "the configuration cannot be changed so: %s", why->text);
    else if (rc == -ESTALE)
        ORDER_REFUSE(t, o, CODE_CONFIG_NOT_WRITTEN,
                     "%s。ハブを再起動して読み込み直してから変更してください",
                     "%s; start the hub again so that it reads the file, then "
                     "change it",
                     why->text);
    else
        ORDER_REFUSE(
            t, o, CODE_CONFIG_NOT_WRITTEN, "設定ファイルに書き込めません: %s",
            "the configuration's file cannot be written: %s", why->text);
}

static void on_update(struct rt_turn *t, struct config_writer_setup *e,
                      struct order *o)
{
    const char *role = yyjson_get_str(FIELD(o->args, "roleId"));
    struct config_edit edits[KEYS];
    size_t count = read_edits(o->args, edits);
    struct config_error why;
    struct config *fresh;
    int rc =
        config_edit(e->settings->config, (char *const *)e->context->self->env,
                    role, edits, count, &fresh, &why);

    if (rc == 0)
        put_in_force(t, e, o, fresh);
    else
        refuse(t, o, rc, &why);
}

/* ---- revalidate -------------------------------------------------------- */

static void on_revalidate(struct rt_turn *t, struct config_writer_setup *e,
                          struct order *o)
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
    struct config_writer_setup *e = state;

    rt_tell(t, e->registry, CONFIG_WRITER_READY, NULL, 0);
    return RT_OK;
}

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    if (m->kind == CONFIG_WRITER_UPDATE)
        on_update(t, state, RT_OBJ(m, struct order));
    else if (m->kind == CONFIG_WRITER_REVALIDATE)
        on_revalidate(t, state, RT_OBJ(m, struct order));
    return RT_OK;
}

static void stop(struct rt_turn *t, void *state)
{
    struct config_writer_setup *e = state;

    (void)t;
    rt_obj_drop(&e->settings->obj);
    rt_obj_drop(&e->context->obj);
}

static const struct rt_behaviour behaviour = {
    .name = "config-writer",
    .size = sizeof(struct config_writer_setup),
    .start = start,
    .handle = handle,
    .stop = stop};

struct rt_ref config_writer_spawn(struct rt_turn *t,
                                  const struct config_writer_setup *s)
{
    struct config_writer_setup e = *s;
    struct rt_ref ref;

    rt_obj_keep(&e.context->obj);
    rt_obj_keep(&e.settings->obj);
    ref = rt_spawn_at(t, HUB_LOOP_SPAWN, &behaviour, &e);
    if (ref.id == 0)
        stop(t, &e);
    return ref;
}

/* SPDX-License-Identifier: MIT */
#include "actors/order/order.h"

#include <stdlib.h>

/* A role that is no more: what it was called is all that is left. */
struct order_role {
    struct order_role *next;
    struct roster_role entry;
    struct role role;
    char text[];
};

static void free_order(struct rt_obj *obj)
{
    struct order *o = (struct order *)obj;

    while (o->own_roles != NULL) {
        struct order_role *next = o->own_roles->next;
        free(o->own_roles);
        o->own_roles = next;
    }

    yyjson_doc_free(o->doc);
    rt_obj_drop(&o->caller->obj);
    if (o->roster != NULL)
        rt_obj_drop(&o->roster->obj);
    for (unsigned i = 0; i < o->count; i++)
        free(o->tasks[i].directory);
    free(o->tasks);
    free(o->allowed);
    free(o);
}

struct order *order_create_take(enum order_kind kind, yyjson_doc *doc,
                                yyjson_val *args, struct caller *caller,
                                struct rt_ref asker, uint64_t ticket)
{
    struct order *o = bytes_zalloc(sizeof(*o));

    rt_obj_init(&o->obj, free_order);
    o->kind = kind;
    o->doc = doc;
    o->args = args;
    o->caller = RT_KEEP(caller);
    o->asker = asker;
    o->ticket = ticket;
    return o;
}

static yyjson_doc *copy(yyjson_val *args)
{
    yyjson_mut_doc *mut = yyjson_mut_doc_new(NULL);
    yyjson_doc *doc;

    if (mut == NULL)
        abort();
    yyjson_mut_doc_set_root(mut, yyjson_val_mut_copy(mut, args));
    doc = yyjson_mut_doc_imut_copy(mut, NULL);
    if (doc == NULL)
        abort();
    yyjson_mut_doc_free(mut);
    return doc;
}

struct order *order_create(enum order_kind kind, yyjson_val *args,
                           struct caller *caller, struct rt_ref asker,
                           uint64_t ticket)
{
    yyjson_doc *doc = args != NULL ? copy(args) : NULL;

    return order_create_take(kind, doc, yyjson_doc_get_root(doc), caller, asker,
                             ticket);
}

static const struct roster_role nothing = {
    .role = &(const struct role){.name = "",
                                 .description = "",
                                 .system_prompt = "",
                                 .health_prompt = "",
                                 .is_enabled = true},
    .program = "",
    .model_message = "",
    .reason = "",
    .warning = ""};

const struct roster_role *order_add_role(struct order *o,
                                         const struct roster_role *like,
                                         struct slice id, struct slice model,
                                         struct slice backend)
{
    struct order_role *r =
        bytes_zalloc(sizeof(*r) + id.len + model.len + backend.len + 3);
    char *model_text = r->text + id.len + 1;
    char *backend_text = model_text + model.len + 1;
    const struct backend *found;

    memcpy(r->text, id.ptr, id.len);
    memcpy(model_text, model.ptr, model.len);
    memcpy(backend_text, backend.ptr, backend.len);
    found = backend_find(backend_text);
    r->entry = like != NULL ? *like : nothing;
    r->role = *r->entry.role;
    r->role.id = r->text;
    r->role.name = like != NULL ? r->role.name : r->text;
    r->role.model = model_text;
    r->role.backend = backend_text;
    r->entry.role = &r->role;
    r->entry.backend = found != NULL ? found : backend_at(0);
    r->next = o->own_roles;
    o->own_roles = r;
    return &r->entry;
}

uint64_t order_max_iterations(const struct order *o)
{
    yyjson_val *given = FIELD(o->args, "maxIterations");

    return given != NULL ? field_count(given) : 10;
}

bool order_is_english(const struct order *o)
{
    /* The store may be asked before the order has been judged. */
    if (o->roster == NULL)
        return o->caller->named != CONFIG_AUTO ? o->caller->named == CONFIG_EN
                                               : o->is_english;
    return caller_language(o->caller, o->roster->settings->config) == CONFIG_EN;
}

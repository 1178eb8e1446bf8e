/* SPDX-License-Identifier: MIT */
#include "actors/notify/delivery.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "actors/launch/launch.h"
#include "config/desktop.h"
#include "config/env.h"
#include "runtime/text/arena.h"

#define GRACE_MS 1000
#define OUTPUT_MAX ((uint64_t)1 << 20)
#define PREFIX "KUROMAJUTSU_NOTIFICATION_"

/* A spec in the making. */
struct plan {
    const struct delivery *d;
    struct arena arena;
    const char **argv, **env;
    size_t words, variables;
    struct bytes input;
};

static void add(struct plan *p, const char ***list, size_t *count,
                const char *item)
{
    *list = arena_grow(&p->arena, *list, *count, sizeof(**list));
    (*list)[(*count)++] = item;
}

static void add_word(struct plan *p, const char *word)
{
    add(p, &p->argv, &p->words, word);
}

static const char *text_of(struct plan *p, const struct bytes *b)
{
    return arena_copy(&p->arena, b->ptr != NULL ? b->ptr : "", b->len);
}

static void set(struct plan *p, const char *name, const char *value)
{
    add(p, &p->env, &p->variables,
        arena_printf(&p->arena, PREFIX "%s=%s", name, value));
}

/* What says which hub, or which agent of it, is not for it (config/env.h). */
static void add_environment(struct plan *p)
{
    const struct notification *n = p->d->raised->what;
    char count[24];

    for (const char *const *e = p->d->context->self->env; *e != NULL; e++)
        if (strncmp(*e, "KUROMAJUTSU_", 12) != 0 && !env_is_hubs(*e))
            add(p, &p->env, &p->variables, *e);
    snprintf(count, sizeof(count), "%" PRIu64, n->count);
    set(p, "KIND", notice_kind_name(n->kind).ptr);
    set(p, "COUNT", count);
    set(p, "TITLE", text_of(p, &n->title));
    set(p, "BODY", text_of(p, &n->body));
    set(p, "AGENT_ID", n->agent);
    set(p, "GROUP_ID", n->group);
}

static struct process_spec *finish(struct plan *p)
{
    const struct caller *self = p->d->context->self;
    struct process_spec *spec = NULL;

    if (p->words > 0) {
        add_environment(p);
        add_word(p, NULL);
        add(p, &p->env, &p->variables, NULL);
        spec = process_spec_create(
            &(struct process_spec){.id = p->d->id,
                                   .dir = p->d->dir,
                                   .cwd = self->cwd,
                                   .input = p->input.ptr,
                                   .input_len = p->input.len,
                                   .argv = p->argv,
                                   .envp = p->env,
                                   .grace_ms = GRACE_MS,
                                   .lease_ms = PROCESS_BRIEF_LEASE_MS,
                                   .stdout_limit = OUTPUT_MAX});
    }
    bytes_finish(&p->input);
    arena_finish(&p->arena);
    return spec;
}

/* ---- channels ---------------------------------------------------------- */

/* The path becomes the first word; false: there is no such program. */
static bool add_program(struct plan *p, const char *name)
{
    char *found = launch_find_program(name, p->d->context->self);

    if (found != NULL)
        add_word(p, arena_copy(&p->arena, found, strlen(found)));
    free(found);
    return found != NULL;
}

/* A body is markup where the desktop shows it. */
static const char *as_markup(struct plan *p, const struct bytes *body)
{
    struct bytes out = {0};
    const char *text;

    for (size_t i = 0; i < body->len; i++) {
        const char *entity = body->ptr[i] == '&'   ? "&amp;"
                             : body->ptr[i] == '<' ? "&lt;"
                             : body->ptr[i] == '>' ? "&gt;"
                                                   : NULL;

        bytes_append(&out, entity != NULL ? entity : &body->ptr[i],
                     entity != NULL ? strlen(entity) : 1);
    }
    text = text_of(p, &out);
    bytes_finish(&out);
    return text;
}

/* Where nobody sits before a desktop, nobody is told there. */
static const char *plan_desktop(struct plan *p)
{
    const struct notification *n = p->d->raised->what;

    if (!desktop_is_there((char *const *)p->d->context->self->env) ||
        !add_program(p, DESKTOP_PROGRAM))
        return "";
    add_word(p, "--app-name=Kuromajutsu");
    add_word(p, "--");
    add_word(p, text_of(p, &n->title));
    add_word(p, as_markup(p, &n->body));
    return "";
}

static const char *plan_command(struct plan *p,
                                const struct config_notifications *c)
{
    const struct bytes *json = &p->d->raised->json;

    if (c->command[0] == NULL)
        return "";
    if (!add_program(p, c->command[0]))
        return "ENOENT";
    for (const char *const *word = c->command + 1; *word != NULL; word++)
        add_word(p, *word);
    bytes_append(&p->input, json->ptr, json->len);
    bytes_append(&p->input, "\n", 1);
    return "";
}

/* The address may be a secret: it is no word, which all users can read. */
static const char *plan_webhook(struct plan *p,
                                const struct config_notifications *c)
{
    const struct bytes *json = &p->d->raised->json;

    if (*c->webhook == 0)
        return "";
    add_word(p, p->d->poster);
    add_word(p, "--post");
    bytes_append(&p->input, c->webhook, strlen(c->webhook));
    bytes_append(&p->input, "\n", 1);
    bytes_append(&p->input, json->ptr, json->len);
    return "";
}

struct process_spec *delivery_spec(const struct delivery *d,
                                   enum config_channel channel,
                                   const char **why)
{
    const struct config_notifications *c =
        &d->raised->what->settings->config->notifications;
    struct plan p = {.d = d};

    *why = "";
    if (channel == CONFIG_DESKTOP)
        *why = plan_desktop(&p);
    else if (channel == CONFIG_COMMAND)
        *why = plan_command(&p, c);
    else if (channel == CONFIG_WEBHOOK)
        *why = plan_webhook(&p, c);
    return finish(&p);
}

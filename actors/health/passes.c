/* SPDX-License-Identifier: MIT */
#include "actors/health/passes.h"

#include <stdlib.h>

static bool is_same(const struct health_key *a, const struct health_key *b)
{
    return strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->program, b->program) == 0 &&
           strcmp(a->model, b->model) == 0 && strcmp(a->prompt, b->prompt) == 0;
}

static struct health_pass *pass_create(const struct health_key *key)
{
    struct health_pass *e =
        bytes_alloc(sizeof(*e) + strlen(key->backend) + strlen(key->program) +
                    strlen(key->model) + strlen(key->prompt) + 4);
    char *at = (char *)(e + 1);

    *e = (struct health_pass){.key = {.backend = bytes_lay(&at, key->backend),
                                      .program = bytes_lay(&at, key->program),
                                      .model = bytes_lay(&at, key->model),
                                      .prompt = bytes_lay(&at, key->prompt)}};
    return e;
}

const struct health_pass *health_passes_find(const struct health_passes *k,
                                             const struct health_key *key)
{
    const struct health_pass *e = k->list.first;

    while (e != NULL && !is_same(&e->key, key))
        e = e->link.next;
    return e;
}

static void drop(struct health_passes *k, struct health_pass *e)
{
    LIST_REMOVE(&k->list, e, link);
    k->count--;
    free(e);
}

void health_passes_note(struct health_passes *k, const struct health_key *key,
                        uint64_t at, uint64_t response_ms)
{
    struct health_pass *e;

    LIST_EACH (old, &k->list, link)
        if (is_same(&old->key, key))
            drop(k, old);
    if (at == 0)
        return;
    if (k->count == HEALTH_PASSES_MAX)
        drop(k, k->list.last);
    e = pass_create(key);
    e->at = at;
    e->response_ms = response_ms;
    LIST_PREPEND(&k->list, e, link);
    k->count++;
}

void health_passes_take(struct health_passes *k, const struct past *p,
                        uint64_t now, uint64_t keep_ms)
{
    /* Backwards: the newest is noted last and so comes first again. */
    for (size_t i = p->check_count; i > 0; i--) {
        const struct past_check *c = &p->checks[i - 1];
        struct health_key key = {.backend = c->backend.ptr,
                                 .program = c->program.ptr,
                                 .model = c->model.ptr,
                                 .prompt = c->prompt.ptr};

        /* A pass of the future is of a clock that was wrong. */
        if (c->at != 0 && c->at <= now && now - c->at < keep_ms)
            health_passes_note(k, &key, c->at, c->response_ms);
    }
}

void health_passes_finish(struct health_passes *k)
{
    LIST_EACH (e, &k->list, link)
        drop(k, e);
}

/* SPDX-License-Identifier: MIT */
#include "actors/health/keep.h"

#include <stdlib.h>

static bool is_same(const struct health_key *a, const struct health_key *b)
{
    return strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->program, b->program) == 0 &&
           strcmp(a->model, b->model) == 0 && strcmp(a->prompt, b->prompt) == 0;
}

static struct health_kept *kept_create(const struct health_key *key)
{
    struct health_kept *e =
        bytes_alloc(sizeof(*e) + strlen(key->backend) + strlen(key->program) +
                    strlen(key->model) + strlen(key->prompt) + 4);
    char *at = (char *)(e + 1);

    *e = (struct health_kept){.key = {.backend = bytes_lay(&at, key->backend),
                                      .program = bytes_lay(&at, key->program),
                                      .model = bytes_lay(&at, key->model),
                                      .prompt = bytes_lay(&at, key->prompt)}};
    return e;
}

const struct health_kept *health_keep_find(const struct health_keep *k,
                                           const struct health_key *key)
{
    const struct health_kept *e = k->first;

    while (e != NULL && !is_same(&e->key, key))
        e = e->next;
    return e;
}

/* The oldest go when there are too many. */
static void bound(struct health_keep *k)
{
    struct health_kept **link = &k->first;

    for (size_t n = 0; *link != NULL && n < HEALTH_KEEP_MAX; n++)
        link = &(*link)->next;
    while (*link != NULL) {
        struct health_kept *next = (*link)->next;
        free(*link);
        *link = next;
    }
}

void health_keep_note(struct health_keep *k, const struct health_key *key,
                      uint64_t at, uint64_t response_ms)
{
    struct health_kept **link = &k->first, *e;

    while ((e = *link) != NULL && !is_same(&e->key, key))
        link = &e->next;
    if (e != NULL)
        *link = e->next;
    else if (at != 0)
        e = kept_create(key);
    if (at == 0) {
        free(e);
        return;
    }
    e->at = at;
    e->response_ms = response_ms;
    e->next = k->first;
    k->first = e;
    bound(k);
}

void health_keep_take(struct health_keep *k, const struct past *p, uint64_t now,
                      uint64_t keep_ms)
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
            health_keep_note(k, &key, c->at, c->response_ms);
    }
}

void health_keep_finish(struct health_keep *k)
{
    while (k->first != NULL) {
        struct health_kept *next = k->first->next;
        free(k->first);
        k->first = next;
    }
}

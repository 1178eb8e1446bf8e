/* SPDX-License-Identifier: MIT */
#include "runtime/text/index.h"

#include <stdlib.h>

#include "runtime/text/bytes.h"

/* Serial numbers follow each other and hashes are used for their low bits by
 * others too, so the key is mixed once more. */
static size_t bucket(const struct index *x, uint64_t key)
{
    return (size_t)((key * 0x9e3779b97f4a7c15ull) >> 32) & (x->capacity - 1);
}

static void put(struct index *x, struct index_link *link)
{
    size_t i = bucket(x, link->key);

    link->next = x->buckets[i];
    x->buckets[i] = link;
}

static void grow(struct index *x)
{
    struct index before = *x;

    x->capacity = x->capacity > 0 ? x->capacity * 2 : 64;
    x->buckets = bytes_zalloc(x->capacity * sizeof(*x->buckets));
    for (size_t i = 0; i < before.capacity; i++)
        for (struct index_link *l = before.buckets[i], *next; l != NULL;
             l = next) {
            next = l->next;
            put(x, l);
        }
    free(before.buckets);
}

void index_add(struct index *x, struct index_link *link, uint64_t key)
{
    if (x->count == x->capacity)
        grow(x);
    link->key = key;
    put(x, link);
    x->count++;
}

void index_remove(struct index *x, struct index_link *link)
{
    struct index_link **at = &x->buckets[bucket(x, link->key)];

    while (*at != link)
        at = &(*at)->next;
    *at = link->next;
    x->count--;
}

struct index_link *index_next(const struct index_link *link)
{
    struct index_link *l = link->next;

    while (l != NULL && l->key != link->key)
        l = l->next;
    return l;
}

struct index_link *index_find(const struct index *x, uint64_t key)
{
    struct index_link *l = x->capacity > 0 ? x->buckets[bucket(x, key)] : NULL;

    while (l != NULL && l->key != key)
        l = l->next;
    return l;
}

struct index_link *index_any(const struct index *x)
{
    for (size_t i = 0; x->count > 0 && i < x->capacity; i++)
        if (x->buckets[i] != NULL)
            return x->buckets[i];
    return NULL;
}

void index_finish(struct index *x)
{
    free(x->buckets);
    *x = (struct index){0};
}

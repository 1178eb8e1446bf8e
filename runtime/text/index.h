/*
 * An index finds things by a 64-bit key: a serial number, or the hash of a
 * name, which the caller then compares. What is found embeds its link.
 */
#ifndef RUNTIME_TEXT_INDEX_H
#define RUNTIME_TEXT_INDEX_H

#include <stddef.h>
#include <stdint.h>

struct index_link {
    struct index_link *next;
    uint64_t key;
};

/* What embeds this link as `member`; NULL of NULL. */
#define INDEX_ITEM(type, member, link)                                         \
    ((type *)index_item(link, offsetof(type, member)))
static inline void *index_item(struct index_link *link, size_t offset)
{
    return link != NULL ? (char *)link - offset : NULL;
}

/* Zeroed memory is an empty index. */
struct index {
    struct index_link **buckets;
    size_t capacity, count;
};

void index_add(struct index *x, struct index_link *link, uint64_t key);
/* The link must be in it. */
void index_remove(struct index *x, struct index_link *link);
/* The first of this key, and the one after it; NULL at the end. */
struct index_link *index_find(const struct index *x, uint64_t key);
struct index_link *index_next(const struct index_link *link);
/* Any of those in it, or NULL if it is empty. */
struct index_link *index_any(const struct index *x);
/* Frees the table, not what was in it. */
void index_finish(struct index *x);

#endif

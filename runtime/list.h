/*
 * Lists of things that embed their links:
 *
 *   struct job {
 *       LIST_LINK(struct job) link;
 *   };
 *   LIST(struct job) jobs;    zeroed memory is an empty list
 *
 * `jobs.first`, `jobs.last`, `job->link.next` and `job->link.prev` are there
 * to be read. A head does not point into itself, as one of <sys/queue.h> may:
 * an actor's state is copied when it is spawned, and a list moves with it.
 */
#ifndef RUNTIME_LIST_H
#define RUNTIME_LIST_H

#include <stddef.h>

#define LIST(type)                                                             \
    struct {                                                                   \
        type *first, *last;                                                    \
    }
#define LIST_LINK(type)                                                        \
    struct {                                                                   \
        type *next, *prev;                                                     \
    }

#define LIST_PREPEND(list, item, link)                                         \
    do {                                                                       \
        (item)->link.prev = NULL;                                              \
        (item)->link.next = (list)->first;                                     \
        if ((list)->first != NULL)                                             \
            (list)->first->link.prev = (item);                                 \
        else                                                                   \
            (list)->last = (item);                                             \
        (list)->first = (item);                                                \
    } while (0)

#define LIST_APPEND(list, item, link)                                          \
    do {                                                                       \
        (item)->link.next = NULL;                                              \
        (item)->link.prev = (list)->last;                                      \
        if ((list)->last != NULL)                                              \
            (list)->last->link.next = (item);                                  \
        else                                                                   \
            (list)->first = (item);                                            \
        (list)->last = (item);                                                 \
    } while (0)

/* It must be in this list. */
#define LIST_REMOVE(list, item, link)                                          \
    do {                                                                       \
        if ((item)->link.prev != NULL)                                         \
            (item)->link.prev->link.next = (item)->link.next;                  \
        else                                                                   \
            (list)->first = (item)->link.next;                                 \
        if ((item)->link.next != NULL)                                         \
            (item)->link.next->link.prev = (item)->link.prev;                  \
        else                                                                   \
            (list)->last = (item)->link.prev;                                  \
    } while (0)

/* For each from the first on; `item` is declared here, and may be removed and
 * freed while it is looked at. */
#define LIST_EACH(item, list, link)                                            \
    for (__typeof__(&*(list)->first) item = (list)->first,                     \
                                     item##_next = item ? item->link.next      \
                                                        : NULL;                \
         item != NULL;                                                         \
         item = item##_next, item##_next = item ? item->link.next : NULL)

#endif

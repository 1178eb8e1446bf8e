/* An actor's mail between its inbox and its handler: sorted, and in order. */
#ifndef RUNTIME_MAIL_H
#define RUNTIME_MAIL_H

#include "runtime/actor.h"

/* The owner: sorts what it took from the inbox behind what is there. */
void mail_sort(struct rt_actor *a, struct rt_msg *taken);
/* The owner, once: closes the inbox and buries all mail there is. */
void mail_close(struct rt_seat *seat, struct rt_actor *a);
/* Buries one message of the actor's, under the name it was sent to. */
void mail_bury(struct rt_seat *seat, const struct rt_actor *a, struct rt_msg *m,
               enum rt_dead reason);

/* The next message to handle, or NULL; urgent ones come first. */
static inline struct rt_msg *mail_next(struct rt_actor *a)
{
    struct rt_msg **list = a->urgent != NULL ? &a->urgent : &a->todo.first;
    struct rt_msg *m = *list;

    if (m != NULL)
        *list = m->next;
    return m;
}

#endif

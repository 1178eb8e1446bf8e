/* SPDX-License-Identifier: MIT */
#include "runtime/mail.h"

#include "runtime/inbox.h"
#include "runtime/msg.h"
#include "runtime/slot.h"

static void append(struct actor_list *list, struct rt_msg *first,
                   struct rt_msg *last)
{
    if (list->first == NULL)
        list->first = first;
    else
        list->last->next = first;
    list->last = last;
}

/*
 * Turns an inbox's newest-first list around and sorts urgent mail out on the
 * way: priorities cost no atomics.
 */
void mail_sort(struct rt_actor *a, struct rt_msg *m)
{
    struct rt_msg *todo = NULL, *last = NULL, *urgent = NULL, **end;

    while (m != NULL) {
        struct rt_msg *next = m->next;
        if (UNLIKELY(m->flags & RT_URGENT)) {
            m->next = urgent;
            urgent = m;
        } else {
            if (todo == NULL)
                last = m;
            m->next = todo;
            todo = m;
        }
        m = next;
    }
    if (todo != NULL)
        append(&a->todo, todo, last);
    if (UNLIKELY(urgent != NULL)) {
        for (end = &a->urgent; *end != NULL; end = &(*end)->next)
            ;
        *end = urgent;
    }
}

/*
 * A message may have been meant for an earlier tenant of the slot: its sender
 * must hear of that one's end, not of this actor's.
 */
void mail_bury(struct rt_seat *seat, const struct rt_actor *a, struct rt_msg *m,
               enum rt_dead reason)
{
    msg_bury(seat, slot_tenant(a->exit.from, m->generation), m,
             m->generation != a->generation ? RT_DEAD_STALE : reason);
}

static void bury_list(struct rt_seat *seat, struct rt_actor *a,
                      struct rt_msg *m)
{
    while (m != NULL) {
        struct rt_msg *next = m->next;
        seat_add_end(seat, SEAT_READ);
        mail_bury(seat, a, m, RT_DEAD_CLOSED);
        m = next;
    }
}

void mail_close(struct rt_seat *seat, struct rt_actor *a)
{
    mail_sort(a, inbox_close(&a->inbox));
    bury_list(seat, a, a->urgent);
    bury_list(seat, a, a->todo.first);
}

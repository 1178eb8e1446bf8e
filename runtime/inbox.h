/*
 * An actor's inbox: one word that is its mail and its state.
 *
 *   IDLE     no mail, the actor is queued nowhere. A sender swaps in its
 *            message and by that gains the duty to submit the actor.
 *   NULL     no mail, the actor is queued or runs. Its owner swaps in IDLE
 *            when it finds nothing more to do.
 *   a list   mail, newest first; the actor is queued or runs.
 *   CLOSED   the actor is dead. Refusal is the same swap as acceptance, so
 *            no message can slip in behind the closing and be lost.
 *
 * "Queued" and "runs" need no bits: the right to run an actor is carried by
 * its run-queue entry, of which there is exactly one while the word is not
 * IDLE. Nothing is ever popped singly, so the swaps are safe from ABA.
 *
 * Two things are handed over here. The mail: a push releases it, taking and
 * closing acquire it. The actor: who puts IDLE there releases it, and the push
 * that finds IDLE acquires it, because its sender goes on to link the actor
 * into a queue. (From there to the next owner the queue carries it.)
 */
#ifndef RUNTIME_INBOX_H
#define RUNTIME_INBOX_H

#include "runtime/atomic.h"
#include "runtime/plant.h"
#include "runtime/rt.h"

#define INBOX_IDLE ((struct rt_msg *)1)
#define INBOX_CLOSED ((struct rt_msg *)3)

enum inbox_push {
    INBOX_QUEUED, /* accepted; another sender already has the duty to run it */
    INBOX_WOKEN,  /* accepted; the caller must submit the actor */
    INBOX_REFUSED /* closed; the messages are still the caller's */
};

/* Any thread. `newest` to `oldest` are linked by `next`, newest first. */
static inline enum inbox_push inbox_push(struct rt_msg **inbox,
                                         struct rt_msg *newest,
                                         struct rt_msg *oldest)
{
    struct rt_msg *head = atomic_load_relaxed(inbox);

    do {
        if (head == INBOX_CLOSED)
            return INBOX_REFUSED;
        oldest->next = head == INBOX_IDLE ? NULL : head;
    } while (!(PLANT == PLANT_NO_RELEASE
                   ? atomic_cas_acquire(inbox, &head, newest)
                   : atomic_cas_acq_rel(inbox, &head, newest)));
    return head == INBOX_IDLE ? INBOX_WOKEN : INBOX_QUEUED;
}

/* The owner: takes all mail there is, newest first. The owner goes on. */
static inline struct rt_msg *inbox_take(struct rt_msg **inbox)
{
    if (atomic_load_relaxed(inbox) == NULL)
        return NULL;
    if (PLANT == PLANT_NO_ACQUIRE)
        return atomic_swap_release(inbox, NULL);
    return atomic_swap_acquire(inbox, NULL);
}

/* The owner: gives the actor up. False when there is mail after all. */
static inline bool inbox_rest(struct rt_msg **inbox)
{
    struct rt_msg *none = NULL;

    if (PLANT == PLANT_LOST_WAKEUP && atomic_load_relaxed(inbox) == NULL) {
        atomic_store_release(inbox, INBOX_IDLE);
        return true;
    }
    return atomic_cas_release(inbox, &none, INBOX_IDLE);
}

/* The owner, once: refuses all later mail and returns what was there. */
static inline struct rt_msg *inbox_close(struct rt_msg **inbox)
{
    struct rt_msg *mail;

    if (PLANT == PLANT_AFTER_CLOSE) {
        mail = atomic_load_acquire(inbox);
        atomic_store_relaxed(inbox, INBOX_CLOSED);
        return mail;
    }
    return atomic_swap_acquire(inbox, INBOX_CLOSED);
}

#endif

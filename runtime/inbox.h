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
    struct rt_msg *head = ck_pr_load_ptr(inbox);

    do {
        if (head == INBOX_CLOSED)
            return INBOX_REFUSED;
        oldest->next = head == INBOX_IDLE ? NULL : head;
        ck_pr_fence_store_atomic();
    } while (!ck_pr_cas_ptr_value(inbox, head, newest, &head));
    return head == INBOX_IDLE ? INBOX_WOKEN : INBOX_QUEUED;
}

/* The owner: takes all mail there is, newest first. The owner goes on. */
static inline struct rt_msg *inbox_take(struct rt_msg **inbox)
{
    struct rt_msg *mail;

    if (ck_pr_load_ptr(inbox) == NULL)
        return NULL;
    mail = ck_pr_fas_ptr(inbox, NULL);
    ck_pr_fence_load();
    return mail;
}

/* The owner: gives the actor up. False when there is mail after all. */
static inline bool inbox_rest(struct rt_msg **inbox)
{
    if (PLANT == PLANT_LOST_WAKEUP && ck_pr_load_ptr(inbox) == NULL) {
        ck_pr_store_ptr(inbox, INBOX_IDLE);
        return true;
    }
    return ck_pr_cas_ptr(inbox, NULL, INBOX_IDLE);
}

/* The owner, once: refuses all later mail and returns what was there. */
static inline struct rt_msg *inbox_close(struct rt_msg **inbox)
{
    struct rt_msg *mail;

    if (PLANT == PLANT_AFTER_CLOSE) {
        mail = ck_pr_load_ptr(inbox);
        ck_pr_store_ptr(inbox, INBOX_CLOSED);
        return mail;
    }
    mail = ck_pr_fas_ptr(inbox, INBOX_CLOSED);
    ck_pr_fence_load();
    return mail;
}

#endif

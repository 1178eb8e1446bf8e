/*
 * Mail is how agents talk to each other: mailboxes, messages, and values that
 * are shared under a key. All of it lies in the store; the actor turns orders
 * into works there (store/work.h), and knows only who waits for a message.
 *
 *   registry -- ORDER_PLACED --> mail -- REGISTRY_WORK --> registry --> store
 *   mail <-- MAIL_SENT, MAIL_RECEIVED -- store
 *
 * Every launched agent has a mailbox under its id, from its start on and
 * without being registered.
 */
#ifndef ACTORS_MAIL_MAIL_H
#define ACTORS_MAIL_MAIL_H

#include "runtime/rt.h"

/* Starts it on HUB_LOOP_FRONT as a child of the current actor, and has the
 * registry pass its orders on. Messages are kept for so many days. */
struct rt_ref mail_spawn(struct rt_turn *t, struct rt_ref registry,
                         int64_t keep_days);

#endif

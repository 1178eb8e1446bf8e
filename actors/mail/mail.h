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
#include "runtime/text/slice.h"

struct work;

enum {
    /* to it: another system has told somebody something by mail_tell; carries
     * struct mail_told */
    MAIL_TOLD = 0x6c8
};

#define MAIL_UUID 40 /* bytes of a message's id with its terminator */
#define MAIL_ID 160  /* of an agent's */

struct mail_told {
    char receiver[MAIL_ID]; /* "": all */
};

/* Starts it on HUB_LOOP_FRONT as a child of the current actor, and has the
 * registry pass its orders on. Messages are kept for so many days. */
struct rt_ref mail_spawn(struct rt_turn *t, struct rt_ref registry,
                         int64_t keep_days);

/*
 * A message of type `context` to an agent, or with no receiver to all of them,
 * from a system and in its own work: it is sent if the rest is. The id is drawn
 * before, for a work may run again; metadata is an object as JSON. Once the
 * work is done, mail is to be sent MAIL_TOLD, so that it wakes who waits.
 */
void mail_draw_id(struct rt_turn *t, char id[MAIL_UUID]);
void mail_tell(struct work *w, const char *id, struct slice sender,
               struct slice receiver, struct slice content,
               struct slice metadata);

/* In a system's work: a mailbox under an id that the system gives out, and that
 * no agent may take for itself. */
void mail_open(struct work *w, struct slice id, struct slice name,
               struct slice description);
/* A launched agent may act under such an id, until that is taken back. */
void mail_lend(struct work *w, struct slice id, struct slice run);
void mail_unlend(struct work *w, struct slice id, struct slice run);

#endif

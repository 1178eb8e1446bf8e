/*
 * The insides of mail.
 *
 *   mail.c       the actor: orders become works; once a day old mail goes
 *   receivers.c  orders that wait for a message to come
 *   mailbox.c    who there is, and who may act for whom
 *   message.c    sending, receive.c  receiving
 *   context.c    shared values
 *   ask_*.c      what people ask of all that, now or at a moment
 *
 * All but the first two run in the store's turns, as works.
 */
#ifndef ACTORS_MAIL_INSIDE_H
#define ACTORS_MAIL_INSIDE_H

#include "actors/mail/mail.h"
#include "actors/store/work.h"
#include "actors/store/work_moment.h"
#include "runtime/list.h"
#include "runtime/text/index.h"

enum {
    MAIL_SENT = 0x6c0, /* carries struct mail_work: wakes who waits for it */
    MAIL_RECEIVED,     /* the same: a look that may have found nothing */
    MAIL_TIME_UP,      /* struct rt_alarm, of a receiver */
    MAIL_CLEAR         /* a timer: old mail goes */
};

struct mail_work {
    struct work work;
    char uuid[MAIL_UUID]; /* for the message that it makes */
    uint64_t keep_ms;     /* of MAIL_CLEAR: what is older goes */
    /* What send has found, for who waits. */
    char sender[MAIL_ID], receiver[MAIL_ID]; /* "": everybody */
    bool has_sent;
};

/* Takes the work's first reference. */
struct mail_work *mail_work_create(struct order *order,
                                   void (*run)(struct work *w));

/* `"name":` and a text, or null. */
#define MAIL_TEXT_OR_NULL(out, literal, is_there, text)                        \
    mail_put_text(out, SLICE(literal), is_there, text)
void mail_put_text(struct bytes *out, struct slice name, bool is_there,
                   struct slice text);

/* ---- receivers.c ------------------------------------------------------- */

/* An order that waits for a message. */
struct receiver {
    LIST_LINK(struct receiver) link;
    struct index_link by_asker, by_alarm, by_id;
    struct order *order; /* kept */
    struct slice id;     /* whose mailbox; the order's */
    uint64_t alarm;
    bool is_looking; /* a work is under way */
    bool is_woken;   /* something came meanwhile */
    bool is_late;    /* its time is up */
};

struct receivers {
    LIST(struct receiver) all;
    struct index by_asker, by_alarm, by_id;
};

struct mail {
    struct rt_ref registry;
    uint64_t keep_ms;
    struct receivers receivers;
};

/* Looks into the mailbox, and waits if it is empty and the order says so. */
void receivers_begin(struct rt_turn *t, struct mail *m, struct order *o);
void receivers_on_looked(struct rt_turn *t, struct mail *m,
                         const struct mail_work *w);
/* A message is there; wakes those that it is for. */
void receivers_wake(struct rt_turn *t, struct mail *m,
                    const struct mail_work *w);
/* The same of one that a system has sent. */
void receivers_wake_told(struct rt_turn *t, struct mail *m,
                         const struct mail_told *told);
void receivers_on_time(struct rt_turn *t, struct mail *m, uint64_t alarm);
/* Who has asked is gone. */
void receivers_forget(struct rt_turn *t, struct mail *m, struct rt_ref asker);
void receivers_drop(struct mail *m);

/* ---- mailbox.c --------------------------------------------------------- */

void mailbox_register(struct work *w);
void mailbox_get(struct work *w);
/* Whether who asks may act under this id; else it has been refused. */
bool mailbox_may_act(struct work *w, struct slice id);
/* Makes one if there is none, and notes that its agent is alive. Of a launched
 * agent, from its start on. */
void mailbox_touch(struct work *w, struct slice id);
/* Somebody writes to an id that nobody has. */
void mailbox_expect(struct work *w, struct slice id);
/* In SQL, of a row of agents: the last message before that one was created. The
 * feed says which came first, also over a clock that was set back; times do
 * where it does not reach so far. */
#define MAIL_BEFORE_RUN                                                        \
    "coalesce((SELECT m.seq FROM events e CROSS JOIN mail_messages m"          \
    " ON m.id = json_extract(e.data, '$.id') WHERE e.type = 'mail:sent' AND"   \
    " e.seq < (SELECT min(seq) FROM events WHERE agent = agents.serial)"       \
    " ORDER BY e.seq DESC LIMIT 1), (SELECT seq FROM mail_messages WHERE"      \
    " created_at < agents.created_at ORDER BY created_at DESC, seq DESC"       \
    " LIMIT 1), 0)"
enum mailbox_kind {
    MAILBOX_UNKNOWN,
    MAILBOX_WAITING, /* it has been written to, and nobody has come */
    MAILBOX_KNOWN,
    MAILBOX_ENDED /* of a launched agent that has ended */
};
enum mailbox_kind mailbox_find(struct work *w, struct slice id);

/* ---- message.c, receive.c, context.c ----------------------------------- */

void message_send(struct work *w);
void message_receive(struct work *w);
/* Removes what is older than keep_ms. */
void message_clear(struct work *w);
/* The answer to one that has waited in vain. */
void message_put_none(struct bytes *out);
void context_share(struct work *w);
void context_read(struct work *w);
/* One that is there, as the feed tells of it. */
void context_put(struct work *w, struct bytes *out, struct slice key);

/* ---- ask_*.c ----------------------------------------------------------- */

/*
 * The moment that a question is of. Messages are never changed, so what was
 * there then are those up to a number; what was read by then, says the time of
 * its reading. Events can be told a little after they have happened, so who has
 * read something before the moment and was told of behind it is in `late`: an
 * object as JSON, of agents, each with the time from which on it counts.
 */
struct ask_moment {
    struct work_moment when;
    int64_t last; /* the number of the last message */
    int64_t cut;  /* what was read then or later, was unread */
    struct bytes late;
};

/* False: it was refused. Its buffer is the caller's to finish. */
bool ask_moment_read(struct work *w, struct ask_moment *m);
/* Since when what an agent reads counts as unread, in SQL: ?1 is `late`, ?2
 * `cut`. */
#define ASK_CUT(agent)                                                         \
    "coalesce((SELECT value FROM json_each(?1) WHERE key = " agent "), ?2)"
void ask_moment_bind(struct sql *q, const struct ask_moment *m);

/* The columns of a message, and one as JSON: without the braces of more. */
#define ASK_COLUMNS                                                            \
    "seq, id, sender, receiver, type, content, metadata, created_at, status,"  \
    " read_at"
/* At most so many bytes of its content. */
void ask_put_message(struct bytes *out, const struct sql *q, size_t content);

void ask_talks(struct work *w);
void ask_boxes(struct work *w);
void ask_messages(struct work *w);
void ask_values(struct work *w);

#endif

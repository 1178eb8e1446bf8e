/*
 * A work is what a system of its own (mail, phases, projects) does in the
 * store: a function that reads and writes the system's tables, run in the
 * transaction in which all else of that moment is written. What it finds is
 * the order's answer, which goes out when it is durable; then its system is
 * told, and the registry what has happened.
 *
 *   system -- REGISTRY_WORK --> registry -- STORE_WRITE --> store: run, COMMIT
 *   asker <-- ORDER_ANSWER,  system <-- `then`,  registry <-- STORE_WORKED
 *
 * What has happened becomes an event of the feed when the registry has given
 * it a number, soon and with other rows; until then it is a row of its own, so
 * that the next hub tells what this one had no time to.
 *
 * A transaction that the disk refuses is done again from its beginning, and
 * with it every work in it: run must depend on the order and the tables alone.
 * It looks before it writes; once it has refused it must not have written.
 */
#ifndef ACTORS_STORE_WORK_H
#define ACTORS_STORE_WORK_H

#include <sqlite3.h>

#include "actors/order/order.h"
#include "actors/store/store_why.h"

#define WORK_TYPE 40 /* bytes of an event's type with its terminator */

/* Something that has happened, for the feed. */
struct work_event {
    char type[WORK_TYPE];
    struct bytes data; /* an object as JSON */
    uint64_t at;       /* wall clock, ms */
    int64_t number;    /* of its row, once it has one */
};

struct sql_cache;
struct sql_place;

struct work {
    struct rt_obj obj;
    struct order *order;            /* kept; NULL: the system's own */
    void (*finish)(struct work *w); /* frees what is its maker's; or NULL */
    void (*run)(struct work *w);
    struct rt_ref system; /* whom `then` is sent, carrying the work */
    uint16_t then;        /* 0: nothing */
    bool is_question;     /* it writes nothing: it is answered on a disk that
                             refuses too */
    bool is_secret;       /* its answer is not kept for a call repeated, which
                             it knows by itself */

    /* What run has found. */
    struct answer *answer; /* NULL: none yet, or none at all */
    struct work_event *told;
    size_t told_count;

    /* While it runs. */
    sqlite3 *db;
    struct sql_cache *cache;
    uint64_t now; /* wall clock, ms */
    int code;     /* the first error of SQLite's, or SQLITE_OK */
};

/* size is that of the struct which embeds it first; keeps the order, which may
 * be NULL. The caller owns the one reference. */
struct work *work_create(size_t size, struct order *order,
                         void (*run)(struct work *w));

/* ---- in run ------------------------------------------------------------ */

/* The answer, to be filled with an object; made at the first call. */
struct bytes *work_answer(struct work *w);
/* Refuses the order, in the language of who asks. */
#define WORK_REFUSE(w, code, name, ...)                                        \
    work_refuse(w, code, MESSAGE(order_is_english((w)->order), name),          \
                __VA_ARGS__)
/* The same by a text without conversions. */
#define WORK_REFUSE_PLAIN(w, code, name)                                       \
    work_refuse(w, code, "%s", MESSAGE(order_is_english((w)->order), name))
void work_refuse(struct work *w, enum code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, and details: the text of an object, or empty. */
void work_refuse_with(struct work *w, enum code code, struct slice details,
                      const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bool work_is_refused(const struct work *w);
/* The next event; what it says is put into the buffer, before the next one is
 * begun. */
struct bytes *work_event(struct work *w, const char *type);
/* What another hub had no time to tell, as if it had happened in this work. */
void work_take_over(struct work *w);

/*
 * A statement, from its opening to its closing. An error of SQLite's stays
 * with the work: from then on nothing is prepared, and no row comes.
 * sql is a constant: statements are kept by its address.
 */
struct sql {
    struct work *work;
    sqlite3_stmt *stmt;      /* NULL: there has been an error */
    struct sql_place *place; /* in the cache; NULL: it is its own */
};

struct sql sql_open(struct work *w, const char *sql);
void sql_close(struct sql *q);
/* Parameters are numbered from 1; texts are borrowed until it is closed. */
void sql_text(struct sql *q, int param, struct slice text);
void sql_int(struct sql *q, int param, int64_t value);
/* NULL unless it has bytes. */
void sql_text_or_null(struct sql *q, int param, struct slice text);
/* False: there are no more. */
bool sql_next(struct sql *q);
/* Columns are numbered from 0; texts live until the next row. */
struct slice sql_column(const struct sql *q, int column);
int64_t sql_number(const struct sql *q, int column);
bool sql_is_null(const struct sql *q, int column);
/* Runs it to its end and closes it: how many rows it has changed. */
int sql_run(struct sql *q);

/* ---- the store's own --------------------------------------------------- */

struct sql_cache *sql_cache_create(void);
/* Its connection is about to be closed. */
void sql_cache_clear(struct sql_cache *c);
void sql_cache_destroy(struct sql_cache *c);
/* Runs it, and writes what has happened and the key of its order's call. */
int work_run(struct work *w, sqlite3 *db, struct sql_cache *cache,
             uint64_t now);
/* It cannot be done: nothing has happened, and its order, if it has one, is
 * refused. */
#define WORK_FAIL(w, code, name, why)                                          \
    work_fail(w, code, (struct message)BOTH(name), why)
void work_fail(struct work *w, enum code code, struct message format,
               const struct store_why *why);
/* What it has found is durable: tells whom it concerns. */
void work_deliver(struct rt_turn *t, struct work *w, struct rt_ref registry);

#endif

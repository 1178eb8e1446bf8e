/*
 * Asking: which questions the store answers, and how. Rows become JSON, and a
 * question that takes too long is given up, since writes wait behind it.
 */
#ifndef ACTORS_STORE_ASK_H
#define ACTORS_STORE_ASK_H

#include "actors/order/args_read.h"
#include "actors/store/inside.h"

struct picture_sample;
struct transcript_page;

#define ASK_PAGE ((size_t)8 << 20) /* bytes of an answer; then comes `next` */

struct question {
    struct rt_turn *t;
    struct store *s;
    struct order *o;
    struct answer *a;
};

/* Answers history, events, usage, record, get_agent_status and show_agent, at
 * once or behind what is being written; begins gc. */
void ask_order(struct rt_turn *t, struct store *s, struct order *o);
/* Looks up the agents of a wait, and tells the registry. */
void ask_lookup(struct rt_turn *t, struct store *s, struct store_lookup *l);
/* Adds what is known of its agent, and passes it on to its reader. */
void ask_story(struct rt_turn *t, struct store *s, struct transcript_page *p);

/* Each fills in the answer or refuses the order (q->a is NULL then); an SQLite
 * code if the database fails. */
int ask_history(struct question *q);
int ask_events(struct question *q);
int ask_event_page(struct question *q);
int ask_snapshot(struct question *q);
int ask_usage(struct question *q);
int ask_notifications(struct question *q);
int ask_record(struct question *q);
int ask_agent(struct question *q);
int ask_agents(struct question *q);
int ask_groups(struct question *q);
int ask_find(struct question *q);

/* What makes agents `a` have that status, as SQL to be added to a WHERE; NULL:
 * there is no such status. */
const char *ask_status_sql(struct slice status);

/* Gives the answer up and refuses. */
#define ASK_REFUSE(q, code, name, ...)                                         \
    (ask_withdraw(q), ORDER_REFUSE((q)->t, (q)->o, code, name, __VA_ARGS__))
void ask_withdraw(struct question *q);
/* What it names is not in the database. */
void ask_refuse_group(struct question *q, struct slice id);
void ask_refuse_agent(struct question *q, struct slice id);

/* A moment as `at` says it, by the number of an event or by its time (ms); the
 * other of the two is -1. False: it says none. */
bool ask_read_at(yyjson_val *at, int64_t *seq, int64_t *time);
/* The first moment of which there is a picture; *seq 0: there is none. */
int ask_find_begin(sqlite3 *db, int64_t *seq, uint64_t *at);
/* The last event up to that time (ms); 0: none. */
int ask_seq_at(sqlite3 *db, int64_t time, int64_t *seq);
/* `"begins":{...}`: the first moment of which there is a picture, or null. */
int ask_put_begins(struct bytes *out, sqlite3 *db);
/* `"name":` and JSON that was stored; null if it is no JSON. */
void ask_put_json(struct bytes *out, struct slice name, struct slice json);
/* How an agent got on, of a row that has these columns from `first` on; good
 * until its next step. */
#define ASK_SAMPLE                                                             \
    "tool_calls, input, output, cache_read, cache_write, cost, edited,"        \
    " created, tool, said, title, tool_at"
void ask_read_sample(struct picture_sample *out, sqlite3_stmt *row, int first);
/* `{"seq":...}` of seq, at, type, data. */
void ask_put_event(struct bytes *out, sqlite3_stmt *row);

#endif

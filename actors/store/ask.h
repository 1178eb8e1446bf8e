/*
 * How the store's files answer questions: rows become JSON, and a question that
 * takes too long is given up, since writes wait behind it.
 */
#ifndef ACTORS_STORE_ASK_H
#define ACTORS_STORE_ASK_H

#include "actors/order/args.h"
#include "actors/store/inside.h"

#define STORE_ASK_MS 2000 /* one question may take */
#define STORE_PAGE                                                             \
    ((size_t)8 << 20) /* bytes of an answer; then comes `next`                 \
                       */

/* `"name":` and JSON that was stored; `otherwise` if it is no JSON. */
void store_put_json(struct bytes *out, struct slice name, struct slice json,
                    struct slice otherwise);
/* `{"seq":...}` of seq, at, type, data. */
void store_put_event(struct bytes *out, sqlite3_stmt *row);

/* ---- who answers ------------------------------------------------------- */

/* Each fills in the answer or refuses the order (*a is NULL then); an SQLite
 * code if the database fails. */
struct store_asked {
    struct rt_turn *t;
    struct store *s;
    struct order *o;
    struct answer *a;
};

/* Gives the answer up and refuses. */
#define STORE_REFUSE(q, code, ja, en, ...)                                     \
    (store_withdraw(q), ORDER_REFUSE((q)->t, (q)->o, code, ja, en, __VA_ARGS__))
void store_withdraw(struct store_asked *q);

int store_ask_history(struct store_asked *q);
int store_ask_events(struct store_asked *q);
int store_ask_usage(struct store_asked *q);
int store_ask_record(struct store_asked *q);
int store_ask_agent(struct store_asked *q);

/* What it names is not in the database. */
void store_refuse_group(struct store_asked *q, struct slice id);
void store_refuse_agent(struct store_asked *q, struct slice id);

#endif

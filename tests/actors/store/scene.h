/*
 * A scene is a runtime with a real store in it and a real file below. The
 * test's thread plays the registry and all askers: it sends, and waits for
 * what comes back; a wait that lasts too long fails the test.
 */
#ifndef TESTS_ACTORS_STORE_SCENE_H
#define TESTS_ACTORS_STORE_SCENE_H

#include "actors/store/store.h"
#include "actors/store/work.h"

struct scene;

/* A directory of its own, removed by the next call and at exit. */
const char *scene_fresh(void);
/* The database's path in it. */
const char *scene_path(void);

/* It does not sweep by itself, unless the setup says when. */
struct scene *scene_open(void);
struct scene *scene_open_with(const struct store_setup *setup);
/* Has everything written, ends the runtime, and checks that nothing leaked. */
void scene_close(struct scene *s);

/* A write that is this work, for an order of {"agentId": id}. */
struct store_write *scene_work(struct scene *s, void (*run)(struct work *w),
                               const char *id, uint64_t number);
/* Gives the write away. */
void scene_write(struct scene *s, struct store_write *w);
/* Gives it an answer that says {"n":number}, and gives it away. */
void scene_write_answered(struct scene *s, struct store_write *w,
                          uint64_t number);
/* Gives them away; they arrive at one moment. The array is borrowed until an
 * answer to one of them is there. */
void scene_write_together(struct scene *s, struct store_write **writes,
                          size_t count);
/* Asks with JSON arguments, perhaps in single quotes (json_text.h); the number
 * is the ticket. */
void scene_ask(struct scene *s, enum order_kind kind, const char *args,
               uint64_t number);
void scene_recall(struct scene *s, const char *key, uint64_t number);
/* Makes the store sweep now, as its timer would. */
void scene_sweep(struct scene *s);

/* The next that comes; valid until the scene closes. */
const struct past *scene_past(struct scene *s);
/* Waits until the store has said so; its reason. */
const char *scene_condition(struct scene *s, bool is_good);
/* Waits for the answer with that ticket; its JSON, ended by 0. */
const char *scene_answer(struct scene *s, uint64_t number);
bool scene_is_error(struct scene *s, uint64_t number);
/* Asks, waits, and returns the answer. */
const char *scene_asked(struct scene *s, enum order_kind kind,
                        const char *args);
/* Waits for the order of that ticket to come back as not known. */
void scene_recalled(struct scene *s, uint64_t number);
/* The ids of the next STORE_REMOVED. */
const char *scene_swept(struct scene *s);
/* The lines of the next STORE_TRANSCRIPTS. */
const char *scene_tidy(struct scene *s);
/* What it knows of health's checks. */
const struct past *scene_checks(struct scene *s);
/* Waits until the store has said that this number is safe. */
void scene_safe(struct scene *s, uint64_t number);
/* Waits until all that was sent is in the store's inbox. */
void scene_sent(struct scene *s);
/* How many answers have come so far. */
unsigned scene_answers(struct scene *s);

/* ---- rows -------------------------------------------------------------- */

void scene_add_group(struct store_write *w, uint64_t serial, const char *id);
void scene_add_order(struct store_write *w, uint64_t first, uint64_t group,
                     const char *kind, unsigned count);
void scene_add_agent(struct store_write *w, uint64_t serial, const char *id,
                     uint64_t order, uint64_t group, const char *prompt);
void scene_set_result(struct store_write *w, uint64_t serial,
                      const char *summary, const char *response,
                      const char *edited);
/* Runs SQL on a connection of its own; the first column of the first row. */
int64_t scene_sql(const char *sql);

#endif

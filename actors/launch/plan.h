/*
 * A launch plan is a process_spec in the making: the lists that a back-end's
 * style fills. What it allocates lives in its arena until the spec is made.
 */
#ifndef ACTORS_LAUNCH_PLAN_H
#define ACTORS_LAUNCH_PLAN_H

#include "actors/launch/launch.h"
#include "runtime/text/arena.h"

#define LAUNCH_OUTFIT_MAX 3

struct launch_list {
    const char **items;
    size_t count;
};

struct launch_plan {
    const struct launch *l;
    const char *dir; /* the process's own */
    const char *cwd;
    const char *key;          /* by which the hub knows it over HTTP */
    const char *instance_key; /* by which projects know it, or NULL */
    struct arena arena;
    struct launch_list argv, env;
    struct process_file files[LAUNCH_OUTFIT_MAX];
    struct process_copy copies[LAUNCH_OUTFIT_MAX];
    size_t file_count, copy_count;
    const char *papers; /* or NULL */
    size_t papers_len;
    bool is_prompt_input; /* too long to be a word */
};

/* How one back-end is started; launch.c has the table. */
struct launch_style {
    const struct backend *backend;
    const char *models; /* the word that lists its models; NULL: none */
    /* Each fills argv from the second word on, env, files and copies. */
    void (*agent)(struct launch_plan *p);
    void (*check)(struct launch_plan *p);
    /* What every start of it needs, also that of `models`. */
    void (*prepare)(struct launch_plan *p);
    /* Whether a variable of the caller's is not for it; len is the name's. */
    bool (*is_dropped)(const char *variable, size_t len);
};

extern const struct launch_style launch_cursor;
extern const struct launch_style launch_claude;

/* Words up to a NULL; they are borrowed until the spec is made. */
void launch_words(struct launch_plan *p, const char *word, ...)
    __attribute__((sentinel));
/* NAME=value in place of what the caller has. */
void launch_set(struct launch_plan *p, const char *name, const char *value);
/* The prompt as the last word, or as standard input. */
void launch_prompt(struct launch_plan *p);
/* dir/name, in the plan's arena. */
const char *launch_path(struct launch_plan *p, const char *name);
/* {before "mcpServers":{"kuromajutsu":{...}}} becomes the file of that name. */
void launch_mcp_file(struct launch_plan *p, const char *name,
                     const char *before);

/* ---- launch_record.c ---- */
/* Adds the papers that say how it was started, once its words are all there. */
void launch_record(struct launch_plan *p);

#endif

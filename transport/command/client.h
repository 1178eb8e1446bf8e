/*
 * A client is a program that can have this one as its MCP server: where it
 * keeps its servers, how an entry is written there, and what else ours needs.
 */
#ifndef TRANSPORT_COMMAND_CLIENT_H
#define TRANSPORT_COMMAND_CLIENT_H

#include <limits.h>
#include <stdbool.h>

#include "config/location.h"
#include "config/messages.h"
#include "runtime/text/bytes.h"

struct client {
    const char *name;            /* for --for; NULL ends the table */
    const char *title;           /* as its maker calls it */
    const char *const *programs; /* on PATH, NULL-ended */
    const char *project_file;    /* where an entry goes; NULL: user_file */
    /* The user's own: below the directory that a variable names, else HOME. */
    const char *variable, *variable_file, *user_file;
    const char *servers; /* the member that has all servers */
    bool is_toml;
    bool has_comments;   /* its JSON may have some */
    bool strips_keys;    /* servers get no secrets of its environment */
    bool is_common;      /* one that the doctor speaks of */
    struct message what; /* what there is to know about its entry */
};

/* In the order they are told; the last has no name. */
extern const struct client clients[];
/* NULL if there is none of that name. */
const struct client *client_find(const char *name);
/* The names of all, parted by `between`. */
void client_names(struct bytes *out, const char *between);

/* Variables by which agents' CLIs know their user; ended by NULL. */
extern const char *const client_keys[];

/* "" if there is no such place. */
void client_user_file(const struct client *c, char path[PATH_MAX]);

/* What an entry of ours says: this program, and the project that is meant, or
 * the configuration, wherever the client starts it. */
struct client_words {
    char program[PATH_MAX];
    struct location where; /* a project of "" is not said */
    const char *toolsets;  /* with commas; borrowed */
};

/* Of a client that shows 40 tools at most, other servers have room beside
 * these. */
#define CLIENT_TOOLSETS "kuro,mail"

/* With the usual toolsets. 0, or an error with e filled. To be finished in
 * either case. */
int client_words_find(struct client_words *w, const char *config_file,
                      struct config_error *e);
void client_words_finish(struct client_words *w);

/* Appends a file that has our entry and nothing else. All of w is UTF-8. */
void client_put(struct bytes *out, const struct client *c,
                const struct client_words *w);

/* ---- what is there, client_file.c -------------------------------------- */

enum client_found {
    CLIENT_NO_FILE,
    CLIENT_BAD_FILE, /* why says it */
    CLIENT_NO_ENTRY,
    CLIENT_ENTRY
};

struct client_entry {
    char command[PATH_MAX]; /* "": by its URL */
    struct bytes text;      /* all of it */
    int error;              /* that the system gave, or 0: then why says it */
    char why[256];
};

/* Looks for an entry of ours in a file of that client; project is the directory
 * that one in the user's own file may be for. */
enum client_found client_read(const struct client *c, const char *file,
                              const char *project, struct client_entry *e);
void client_entry_finish(struct client_entry *e);

#endif

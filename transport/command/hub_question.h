/* ask puts a command's question to the hub, and tells what goes wrong. */
#ifndef TRANSPORT_COMMAND_HUB_QUESTION_H
#define TRANSPORT_COMMAND_HUB_QUESTION_H

#include "transport/command/console.h"
#include "transport/wire/hublink.h"

/* For a hub that runs and does not answer: it never has to think that long. */
#define ASK_PATIENCE_MS 20000

/* CONSOLE_FINE and a link to be closed, else told: CONSOLE_NO_HUB,
 * CONSOLE_FAILED. */
int ask_open(struct console *con, struct hublink *l, struct hublink_welcome *w);
/*
 * One question, by one of order_name(), with the text of its arguments. Fills
 * *doc, the caller's to free, and returns CONSOLE_FINE; else it is told.
 */
int ask_hub(struct console *con, const char *name, struct slice args,
            yyjson_doc **doc);
/* The same on a link that is open and stays so. */
int ask_link(struct console *con, struct hublink *l, const char *name,
             struct slice args, yyjson_doc **doc);

/* Reads an answer into *doc, the caller's to free, or tells its refusal. */
int ask_read(struct console *con, const struct bytes *answer, bool is_error,
             yyjson_doc **doc);
/* Tells that no hub runs. The exit code. */
int ask_no_hub(struct console *con);
/* Tells why there is no answer: a negative errno of the link. The exit code. */
int ask_failed(struct console *con, int error);
/* Tells why the hub has refused, by the text of its answer. */
void ask_refused(struct console *con, struct slice answer);

/* Shows the root of an answer to a person. */
typedef void ask_show_fn(struct console *con, yyjson_val *root);
/* Asks and shows the answer, or prints it as it is. The exit code. */
int ask_and_show(struct console *con, const char *name, struct slice args,
                 bool is_json, ask_show_fn *show);
/* The same with another patience than that of a quick answer. */
int ask_and_show_for(struct console *con, const char *name, struct slice args,
                     int patience_ms, bool is_json, ask_show_fn *show);
/* All of a command whose only option is --json and whose question has no
 * arguments. The exit code. */
int ask_plainly(struct console *con, int argc, char **argv, const char *name,
                ask_show_fn *show);

/* Appends {"key":"value"}, or {} if value is NULL; for the arguments. */
void ask_argument(struct bytes *args, const char *key, const char *value);

#endif

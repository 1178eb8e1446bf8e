/*
 * Records are what is known of groups and agents, live or past: asked of the
 * hub if one runs, else of a reader (`kuromajutsu-hub --read`), which tells
 * what lies in the state directory and starts and changes nothing.
 *
 * What a reader says of agents that were not done when their hub went is
 * compared with the agents' locks: such an agent has "withoutHub", which is
 * "running", "ended" or "queued". The answer itself has "hub": false.
 */
#ifndef TRANSPORT_COMMAND_RECORDS_H
#define TRANSPORT_COMMAND_RECORDS_H

#include <sys/types.h>

#include "transport/command/hub_question.h"

struct records {
    struct console *console;
    struct hublink link;
    pid_t reader; /* 0: it is a hub that answers */
};

/* CONSOLE_FINE, else told: CONSOLE_NO_HUB where nothing is recorded either.
 * To be closed in any case. */
int records_open(struct records *r, struct console *con);
void records_close(struct records *r);
/* As ask_link. */
int records_ask(struct records *r, const char *name, struct slice args,
                yyjson_doc **doc);
/* The same of what need not be there: a refusal is not told, and *doc NULL. */
int records_try(struct records *r, const char *name, struct slice args,
                yyjson_doc **doc);

/* As ask_and_show. */
int records_show(struct console *con, const char *name, struct slice args,
                 bool is_json, ask_show_fn *show);
/* As ask_plainly. */
int records_plainly(struct console *con, int argc, char **argv,
                    const char *name, ask_show_fn *show);

#endif

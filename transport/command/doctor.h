/*
 * The doctor looks at a set-up from all sides and says of each whether it is
 * well, and if not, how to mend it. It changes nothing and starts no hub.
 */
#ifndef TRANSPORT_COMMAND_DOCTOR_H
#define TRANSPORT_COMMAND_DOCTOR_H

#include "transport/command/console.h"

/* A note is neither well nor ill: what could be had besides. */
enum doctor_verdict { DOCTOR_OK, DOCTOR_NOTE, DOCTOR_WARN, DOCTOR_FAIL };

enum doctor_subject {
    DOCTOR_CONFIG,
    DOCTOR_STATE,
    DOCTOR_SOCKET,
    DOCTOR_PROGRAM,
    DOCTOR_HUB,
    DOCTOR_ROLE,
    DOCTOR_CLI,
    DOCTOR_LOGIN,
    DOCTOR_CLIENT,
    DOCTOR_FILES,
    DOCTOR_MEMORY,
    DOCTOR_INOTIFY,
    DOCTOR_NOTIFY
};

struct doctor {
    struct console *console;
    struct config *config; /* NULL: it could not be read, which was told */
    pid_t hub;             /* that answers; 0: none */
    unsigned warnings, failures;
    yyjson_mut_doc *json; /* NULL: findings are printed as they come */
    yyjson_mut_val *findings, *clients;
};

/* One line: how it is with `subject`. Arguments may come from outside. */
#define FIND(x, verdict, subject, name, ...)                                   \
    doctor_find(x, verdict, subject, SAY((x)->console, name), __VA_ARGS__)
__attribute__((format(printf, 4, 5))) void doctor_find(
    struct doctor *x, enum doctor_verdict verdict, enum doctor_subject subject,
    const char *format, ...);
/* And one more: what to do about it; once for a finding. */
#define MEND(x, name, ...) doctor_mend(x, SAY((x)->console, name), __VA_ARGS__)
__attribute__((format(printf, 2, 3))) void doctor_mend(struct doctor *x,
                                                       const char *format, ...);

/* For --json: a text that may be no UTF-8. */
void doctor_add(struct doctor *x, yyjson_mut_val *to, const char *key,
                struct slice text);

/* The sides, in the order they are looked at. */
void doctor_see_config(struct doctor *x);
void doctor_see_state(struct doctor *x);
void doctor_see_programs(struct doctor *x);
void doctor_see_hub(struct doctor *x);
void doctor_see_clis(struct doctor *x);
void doctor_see_clients(struct doctor *x);
void doctor_see_limits(struct doctor *x);
void doctor_see_notifications(struct doctor *x);

#endif

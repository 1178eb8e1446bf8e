/*
 * The doctor looks at a set-up from all sides and says of each whether it is
 * well, and if not, how to mend it. It changes nothing and starts no hub.
 */
#ifndef TRANSPORT_COMMAND_DOCTOR_H
#define TRANSPORT_COMMAND_DOCTOR_H

#include "transport/command/console.h"

enum doctor_verdict { DOCTOR_OK, DOCTOR_WARN, DOCTOR_FAIL };

struct doctor {
    struct console *console;
    struct config *config; /* NULL: it could not be read, which was told */
    pid_t hub;             /* that answers; 0: none */
    unsigned warnings, failures;
};

/* One line: how it is with `subject`. Arguments may come from outside. */
#define FIND(x, verdict, subject, ja, en, ...)                                 \
    ((x)->console->is_english                                                  \
         ? doctor_find(x, verdict, subject, en, __VA_ARGS__)                   \
         : doctor_find(x, verdict, subject, ja, __VA_ARGS__))
__attribute__((format(printf, 4, 5))) void doctor_find(
    struct doctor *x, enum doctor_verdict verdict, const char *subject,
    const char *format, ...);
/* And one more: what to do about it. */
#define MEND(x, ja, en, ...)                                                   \
    ((x)->console->is_english ? doctor_mend(x, en, __VA_ARGS__)                \
                              : doctor_mend(x, ja, __VA_ARGS__))
__attribute__((format(printf, 2, 3))) void doctor_mend(struct doctor *x,
                                                       const char *format, ...);

/* The sides, in the order they are looked at. */
void doctor_see_config(struct doctor *x);
void doctor_see_state(struct doctor *x);
void doctor_see_programs(struct doctor *x);
void doctor_see_hub(struct doctor *x);
void doctor_see_clis(struct doctor *x);
void doctor_see_entry(struct doctor *x);
void doctor_see_limits(struct doctor *x);

#endif

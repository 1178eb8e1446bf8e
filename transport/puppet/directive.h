/*
 * Which scenario is to be played, and with which parameters: the words of
 * KUROMAJUTSU_PUPPET, of a line in the prompt, or nothing.
 */
#ifndef TRANSPORT_PUPPET_DIRECTIVE_H
#define TRANSPORT_PUPPET_DIRECTIVE_H

#include "transport/puppet/text.h"
#include "transport/puppet/vars.h"

struct directive {
    struct text name;   /* a file's path, or "builtin:NAME" */
    struct text source; /* the scenario's text */
    struct vars given;  /* key=value */
};

/* Fills a zeroed d. Returns 0, or -EINVAL with the message in error.
 * directive_finish must follow either way. */
int directive_find(struct directive *d, const struct text *prompt,
                   struct text *error);
void directive_finish(struct directive *d);
/* Adds the prompt's last line that is not blank. */
void directive_last_line(const struct text *prompt, struct text *line);
/* Adds what follows label on a line of the prompt (its last such line). */
void directive_labelled(const struct text *prompt, const char *label,
                        struct text *value);

#endif

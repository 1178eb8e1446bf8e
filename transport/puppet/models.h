/*
 * The account the puppet pretends to have: its models, its login, its version.
 * KUROMAJUTSU_PUPPET_MODELS (id=Label,id=Label…, the first is the default)
 * replaces Cursor's list; KUROMAJUTSU_PUPPET_LOGIN=no logs the user out.
 */
#ifndef TRANSPORT_PUPPET_MODELS_H
#define TRANSPORT_PUPPET_MODELS_H

#include <stdbool.h>

#include "transport/puppet/options.h"

#define MODELS_CURSOR_VERSION "2026.07.20-puppet"
#define MODELS_CLAUDE_VERSION "2.1.201"

bool models_logged_in(void);
/* Prints what the CLI prints without a login. */
void models_refuse_login(const struct options *o);
/* The text of `models` and --list-models. */
void models_list(struct text *out);
/* Adds what the init line calls the model (Cursor: its label). Returns 0, or
 * -EINVAL with the CLI's message in error if there is no such model. */
int models_find(const struct options *o, struct text *shown,
                struct text *error);

#endif

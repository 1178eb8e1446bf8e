/*
 * The scenarios that come with the puppet, as YAML: what people try first,
 * and every way in which the real CLIs were seen to misbehave.
 */
#ifndef TRANSPORT_PUPPET_BUILTIN_H
#define TRANSPORT_PUPPET_BUILTIN_H

#include "transport/puppet/text.h"

/* NULL if there is none of that name. */
const char *builtin_source(const char *name);
/* Adds all the names, parted by commas. */
void builtin_names(struct text *list);

#endif

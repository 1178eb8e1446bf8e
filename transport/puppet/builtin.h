/*
 * The scenarios that come with the puppet, as YAML: what people try first,
 * and every way in which the real CLIs were seen to misbehave.
 */
#ifndef TRANSPORT_PUPPET_BUILTIN_H
#define TRANSPORT_PUPPET_BUILTIN_H

#include "transport/puppet/text.h"

struct builtin {
    const char *name, *source;
};

/* The orchestrators among them, ended by one whose name is NULL: each is one
 * way in which a magentic run goes, played over the hub's own tools. And those
 * who do tasks of projects. */
extern const struct builtin builtin_orchestrators[], builtin_workers[];

/* NULL if there is none of that name. */
const char *builtin_source(const char *name);
/* Adds all the names, parted by commas. */
void builtin_names(struct text *list);

#endif

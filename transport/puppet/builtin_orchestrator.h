/*
 * The orchestrators among the scenarios that come with the puppet: each is one
 * way in which a magentic run goes, played over the hub's own tools.
 */
#ifndef TRANSPORT_PUPPET_BUILTIN_ORCHESTRATOR_H
#define TRANSPORT_PUPPET_BUILTIN_ORCHESTRATOR_H

struct builtin {
    const char *name, *source;
};

/* Ends with one whose name is NULL. */
extern const struct builtin builtin_orchestrators[];

#endif

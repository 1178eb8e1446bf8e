/* SPDX-License-Identifier: MIT */
#include "transport/web/agent_key.h"

#include <stdlib.h>
#include <string.h>

#include "transport/http/refusal.h"

/* A client whose variable is not set sends an empty header. */
struct caller *agent_key_caller(const struct hub_context *context,
                                const struct speakers *speakers,
                                struct exchange *x)
{
    enum config_language language =
        language_accepted(exchange_header(x, "accept-language"));
    struct slice key = exchange_header(x, "kuromajutsu-agent-key"), id;
    struct caller *caller;
    char *name;

    if (key.len == 0)
        return RT_KEEP(speakers->in[language]);
    if (!signing_key_open(&context->signing_key, key, &id)) {
        refusal_send(x, 403,
                     SLICE("Kuromajutsu-Agent-Key: not a key of this hub; send "
                           "the value of $KUROMAJUTSU_AGENT_KEY, or leave the "
                           "header out"));
        return NULL;
    }
    name = strndup(id.ptr, id.len);
    if (name == NULL)
        abort();
    caller = caller_create(name, context->self->cwd, context->self->env);
    free(name);
    caller->named = language;
    return caller;
}

/* SPDX-License-Identifier: MIT */
#include "transport/command/agent_backend.h"

#include <string.h>
#include <unistd.h>

/* An id is its role's with two more parts; the role says which CLI it was. */
const struct backend *agent_backend_of(struct console *con, const char *id)
{
    struct config *c = NULL;
    struct config_error e;
    const struct backend *found = NULL;
    size_t len = strlen(id);

    for (int parts = 2; parts > 0 && len > 0;)
        parts -= id[--len] == '-';
    if (config_load(con->config_file, environ, &c, &e))
        return backend_at(0);
    for (size_t i = 0; i < c->role_count && !found; i++)
        if (strlen(c->roles[i].id) == len && !strncmp(c->roles[i].id, id, len))
            found = backend_find(c->roles[i].backend);
    if (!found)
        found = backend_find(c->agent.backend);
    config_destroy(c);
    return found ? found : backend_at(0);
}

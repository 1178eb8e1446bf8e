/* SPDX-License-Identifier: MIT */
#include "transport/command/agent_backend.h"

#include <string.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "transport/command/records.h"

/* What was noted when it was started: the configuration may have changed. */
static const struct backend *recorded(struct console *con, const char *id)
{
    struct console quiet = *con;
    const struct backend *found = NULL;
    struct bytes args = {0};
    struct records r;
    yyjson_doc *doc = NULL;

    quiet.is_quiet = true;
    ask_argument(&args, "agentId", id);
    if (records_open(&r, &quiet) == 0 &&
        records_ask(&r, "show_agent", bytes_slice(&args), &doc) == 0) {
        const char *name =
            yyjson_get_str(FIELD(yyjson_doc_get_root(doc), "backend"));
        found = name ? backend_find(name) : NULL;
    }
    records_close(&r);
    yyjson_doc_free(doc);
    bytes_finish(&args);
    return found;
}

/* An id is its role's with two more parts; the role says which CLI it is. */
static const struct backend *by_role(const struct config *c, const char *id)
{
    const struct backend *found = NULL;
    size_t len = strlen(id);

    for (int parts = 2; parts > 0 && len > 0;)
        parts -= id[--len] == '-';
    for (size_t i = 0; i < c->role_count && !found; i++)
        if (strlen(c->roles[i].id) == len && !strncmp(c->roles[i].id, id, len))
            found = backend_find(c->roles[i].backend);
    return found ? found : backend_find(c->agent.backend);
}

const struct backend *agent_backend_of(struct console *con, const char *id)
{
    const struct backend *found = recorded(con, id);
    struct config *c = NULL;
    struct config_error e;

    if (!found && !config_load(con->config_file, environ, &c, &e)) {
        found = by_role(c, id);
        config_destroy(c);
    }
    return found ? found : backend_at(0);
}

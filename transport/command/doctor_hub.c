/* SPDX-License-Identifier: MIT */
/* The hub, if one runs: what it says of itself, its configuration, its roles.
 */
#include "transport/command/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config/reason.h"
#include "runtime/text/field.h"
#include "transport/command/flocked.h"
#include "transport/command/hub_question.h"
#include "transport/wire/build.h"
#include "transport/wire/hublink.h"

/* No answer: is that a hub at rest, a dead one, or one that hangs? */
static void see_silence(struct doctor *x, enum doctor_subject subject,
                        int error)
{
    const char *dir = x->console->state_dir;
    char *lock = bytes_text("%s/hub.lock", dir);
    pid_t holder = flocked_by(lock);
    free(lock);
    if (holder) {
        FIND(x, DOCTOR_FAIL, subject, HUB_HANGS, (int)holder,
             reason_of(error, x->console->is_english).text);
        MEND(x, HUB_SEE_LOG_OR_KILL, dir, (int)holder);
    } else if (error == -EPERM) {
        FIND(x, DOCTOR_FAIL, subject, HUB_IS_ANOTHER_USERS,
             x->console->home.socket);
        MEND(x, HUB_SET_HOME, "");
    } else if (error == -ENOENT) {
        FIND(x, DOCTOR_OK, subject, HUB_NOT_RUNNING, "");
    } else if (error == -ECONNREFUSED) {
        FIND(x, DOCTOR_OK, subject, HUB_LEFT_ITS_SOCKET, "");
    } else {
        FIND(x, DOCTOR_FAIL, subject, HUB_CANNOT_CONNECT,
             x->console->home.socket,
             reason_of(error, x->console->is_english).text);
        MEND(x, HUB_LOOK_AT_RIGHTS, dir);
    }
}

static void see_restart(struct doctor *x, yyjson_val *keys)
{
    size_t i, count;
    yyjson_val *key;

    yyjson_arr_foreach(keys, i, count, key)
    {
        FIND(x, DOCTOR_WARN, DOCTOR_CONFIG, HUB_CONFIG_AT_RESTART,
             yyjson_get_str(key));
        doctor_mend(x, "kuromajutsu stop --keep-agents%s", "");
    }
}

/* The file may be mended, or gone, and the hub still go by what it has read. */
static void see_hubs_config(struct doctor *x, yyjson_val *root)
{
    yyjson_val *wrong = FIELD(root, "configError");

    if (yyjson_is_obj(wrong)) {
        FIND(x, DOCTOR_FAIL, DOCTOR_CONFIG, HUB_CONFIG_OF_BEFORE,
             yyjson_get_str(FIELD(wrong, "message")));
        MEND(x, HUB_MEND_CONFIG, "");
    }
    see_restart(x, FIELD(root, "atRestart"));
}

static void see_status(struct doctor *x, struct hublink *link,
                       const struct hublink_welcome *w)
{
    yyjson_doc *doc = NULL;

    if (ask_link(x->console, link, "hub_status", SLICE("{}"), &doc) == 0) {
        yyjson_val *root = yyjson_doc_get_root(doc);
        yyjson_val *agents = FIELD(root, "agents");
        FIND(x, DOCTOR_OK, DOCTOR_HUB, HUB_RUNNING, (int)w->pid,
             FIELD_COUNT(agents, "running"), FIELD_COUNT(agents, "queued"),
             FIELD_COUNT(agents, "leaving"));
        see_hubs_config(x, root);
    } else {
        FIND(x, DOCTOR_FAIL, DOCTOR_HUB, HUB_GIVES_NO_ANSWER, (int)w->pid);
        MEND(x, HUB_SEE_LOG, x->console->state_dir);
    }
    yyjson_doc_free(doc);
}

static bool is_usable(yyjson_val *role)
{
    return yyjson_is_true(FIELD(role, "available"));
}

static void see_role(struct doctor *x, yyjson_val *role,
                     enum doctor_verdict verdict)
{
    yyjson_val *check = FIELD(role, "healthCheck");
    struct slice id = FIELD_TEXT(role, "id");
    struct slice why = FIELD_TEXT(FIELD(role, "modelValidation"), "message");

    if (why.len == 0)
        why = FIELD_TEXT(check, "reason");
    if (!is_usable(role))
        FIND(x, verdict, DOCTOR_ROLE, HUB_ROLE_UNUSABLE, (int)id.len, id.ptr,
             (int)why.len, why.ptr);
    why = FIELD_TEXT(check, "warning");
    if (why.len > 0)
        doctor_find(x, DOCTOR_WARN, DOCTOR_ROLE, "%.*s: %.*s", (int)id.len,
                    id.ptr, (int)why.len, why.ptr);
}

/* A hub of which no role can be used is of no use, well as it may be. */
static void see_roles(struct doctor *x, struct hublink *link)
{
    yyjson_doc *doc = NULL;
    yyjson_val *roles, *role;
    size_t i, max, usable = 0, pending = 0;

    if (ask_link(x->console, link, "list_roles", SLICE("{}"), &doc) != 0)
        return;
    roles = FIELD(yyjson_doc_get_root(doc), "roles");
    yyjson_arr_foreach(roles, i, max, role)
    {
        usable += is_usable(role);
        pending += slice_eq(FIELD_TEXT(FIELD(role, "healthCheck"), "status"),
                            SLICE("pending"));
    }
    FIND(x, usable > 0 ? DOCTOR_OK : DOCTOR_FAIL, DOCTOR_ROLE, HUB_ROLES_USABLE,
         yyjson_arr_size(roles), usable, pending);
    yyjson_arr_foreach(roles, i, max, role)
    {
        see_role(x, role, usable > 0 ? DOCTOR_WARN : DOCTOR_FAIL);
    }
    yyjson_doc_free(doc);
}

static void see_answers(struct doctor *x, struct hublink *link,
                        const struct hublink_welcome *w)
{
    see_status(x, link, w);
    if (strcmp(w->build, build_id()) != 0) {
        FIND(x, DOCTOR_WARN, DOCTOR_HUB, HUB_OF_ANOTHER_BUILD, (int)w->pid,
             w->build, build_id());
        MEND(x, HUB_STOP_WHEN_ENDED, "");
    }
    see_roles(x, link);
}

void doctor_see_hub(struct doctor *x)
{
    struct hublink link = HUBLINK_CLOSED;
    struct hublink_welcome w;

    if (x->console->home_error)
        return;
    int error = hublink_meet(&link, x->console->home.socket, build_id(),
                             "command", ASK_PATIENCE_MS, &w);
    x->hub = error ? 0 : w.pid;
    if (error)
        see_silence(x, DOCTOR_HUB, error);
    else
        see_answers(x, &link, &w);
    hublink_close(&link);
}

/* SPDX-License-Identifier: MIT */
#include "transport/hub/narrator.h"

#include <inttypes.h>

#include "actors/registry/note.h"
#include "config/messages.h"
#include "runtime/text/moment.h"

struct narrator {
    const struct log *log;
    struct rt_ref registry;
};

/* A line in the making. */
struct telling {
    const struct note *note;
    bool is_english;
    enum config_log_level level;
    const char *event;
    struct bytes text;
};

#define SAY(x, name) MESSAGE((x)->is_english, name)
#define PUT(x, name, ...) bytes_format(&(x)->text, SAY(x, name), __VA_ARGS__)

/* ---- parts ------------------------------------------------------------- */

/* What it said of itself, if it did. */
static void put_words(struct telling *x)
{
    const struct bytes *text = &x->note->text;

    if (text->len > 0)
        bytes_format(&x->text, ": %.*s", (int)text->len, text->ptr);
}

/* ---- agents ------------------------------------------------------------ */

static void put_place(struct telling *x)
{
    PUT(x, NOTE_PLACE, x->note->role, x->note->group);
}

static void put_end(struct telling *x, const char *words)
{
    const struct note *n = x->note;

    if (n->has_elapsed)
        PUT(x, NOTE_AGENT_ENDED, n->agent, words,
            moment_span(n->elapsed_ms).text);
    else
        PUT(x, NOTE_AGENT_ENDED_EARLY, n->agent, words);
    put_place(x);
}

static void put_bad_end(struct telling *x, const char *words)
{
    x->level = CONFIG_LOG_WARN;
    put_end(x, words);
    put_words(x);
}

/* Without a reason of its own it says no more than the line does. */
static void put_reason(struct telling *x)
{
    if (!slice_eq(bytes_slice(&x->note->text),
                  slice_cstr(SAY(x, END_CANCELLED))))
        put_words(x);
}

static void tell_state(struct telling *x)
{
    switch (x->note->state) {
    case AGENT_COMPLETED:
        x->event = "agent.completed";
        put_end(x, SAY(x, NOTE_COMPLETED));
        break;
    case AGENT_FAILED:
        x->event = "agent.failed";
        put_bad_end(x, SAY(x, NOTE_FAILED));
        break;
    case AGENT_TIMED_OUT:
        x->event = "agent.timed_out";
        put_bad_end(x, SAY(x, NOTE_TIMED_OUT));
        break;
    case AGENT_CANCELLED:
        x->event = "agent.cancelled";
        put_end(x, SAY(x, NOTE_CANCELLED));
        put_reason(x);
        break;
    case AGENT_RESULT_REPORTED:
        x->event = "agent.reported";
        if (x->note->is_failure)
            put_bad_end(x, SAY(x, NOTE_REPORTED_FAILURE));
        else
            put_end(x, SAY(x, NOTE_REPORTED_SUCCESS));
        break;
    case AGENT_QUEUED:
    case AGENT_RUNNING:
    case AGENT_STATES:
        break;
    }
}

static void tell_agent(struct telling *x)
{
    const struct note *n = x->note;

    switch ((int)n->kind) {
    case NOTE_AGENT_CREATED:
        x->event = "agent.queued";
        x->level = CONFIG_LOG_DEBUG;
        PUT(x, NOTE_AGENT_QUEUED, n->agent);
        put_place(x);
        break;
    case NOTE_AGENT_STARTED:
        x->event = "agent.started";
        PUT(x, NOTE_AGENT_STARTED, n->agent);
        put_place(x);
        break;
    case NOTE_AGENT_STALLED:
        x->event = "agent.stalled";
        x->level = CONFIG_LOG_WARN;
        PUT(x, NOTE_AGENT_STALLED, n->agent, moment_span(n->elapsed_ms).text);
        put_place(x);
        break;
    case NOTE_AGENT_CONFLICT:
        x->event = "agent.conflict";
        x->level = CONFIG_LOG_WARN;
        PUT(x, NOTE_CONFLICT, n->agent, n->other, (int)n->text.len,
            n->text.ptr);
        break;
    case NOTE_AGENT_GONE:
        x->event = "agent.gone";
        x->level = CONFIG_LOG_DEBUG;
        PUT(x, NOTE_AGENT_GONE, n->agent);
        break;
    default:
        tell_state(x);
        break;
    }
}

/* ---- groups ------------------------------------------------------------ */

static void tell_group(struct telling *x)
{
    const struct note *n = x->note;

    switch ((int)n->kind) {
    case NOTE_GROUP_CREATED:
        x->event = "group.created";
        PUT(x, NOTE_GROUP_CREATED, n->group);
        put_words(x);
        break;
    case NOTE_GROUP_STAGE:
        x->event = "group.stage";
        PUT(x, NOTE_STAGE_BEGINS, n->group, n->number, n->total);
        break;
    case NOTE_GROUP_STALLED:
        x->event = "group.stalled";
        x->level = CONFIG_LOG_WARN;
        PUT(x, NOTE_GROUP_STALLED, n->group);
        break;
    case NOTE_GROUP_COMPLETED:
        x->event = "group.completed";
        PUT(x, NOTE_GROUP_DONE, n->group);
        break;
    default:
        x->event = "group.deleted";
        PUT(x, NOTE_GROUP_DELETED, n->group);
        break;
    }
}

/* ---- health ------------------------------------------------------------ */

static void tell_role(struct telling *x)
{
    const struct note *n = x->note;

    switch ((int)n->kind) {
    case NOTE_MODEL_UNKNOWN:
        x->event = "health.model";
        x->level = CONFIG_LOG_WARN;
        PUT(x, NOTE_ROLE_WITHOUT_MODEL, n->role);
        put_words(x);
        break;
    case NOTE_ROLE_CHECKING:
        x->event = "health.checking";
        x->level = CONFIG_LOG_DEBUG;
        PUT(x, NOTE_ROLE_CHECKING, n->role);
        break;
    case NOTE_ROLE_PASSED:
        x->event = "health.passed";
        PUT(x, NOTE_ROLE_READY, n->role, moment_span(n->elapsed_ms).text);
        break;
    default:
        x->event = "health.failed";
        x->level = CONFIG_LOG_WARN;
        PUT(x, NOTE_ROLE_UNUSABLE, n->role);
        put_words(x);
        break;
    }
}

static void tell_roles_checked(struct telling *x)
{
    const struct note *n = x->note;

    x->event = "health.complete";
    if (n->number < n->total)
        x->level = CONFIG_LOG_WARN;
    PUT(x, NOTE_ROLES_CHECKED, n->number, n->total);
}

/* ---- the rest ---------------------------------------------------------- */

static void tell_budget(struct telling *x)
{
    const struct note *n = x->note;
    double spent = (double)n->number / 1e6, limit = (double)n->total / 1e6;

    x->event = "budget.exceeded";
    x->level = CONFIG_LOG_WARN;
    if (n->group[0] != 0)
        PUT(x, NOTE_BUDGET_OF_GROUP, n->group, spent, limit);
    else
        PUT(x, NOTE_BUDGET_OF_DAY, spent, limit);
}

static void tell_config(struct telling *x)
{
    x->event = "config.updated";
    PUT(x, NOTE_CONFIG_CHANGED, (int)x->note->text.len, x->note->text.ptr);
}

static void tell(struct telling *x)
{
    enum note_kind kind = x->note->kind;

    if (kind <= NOTE_AGENT_GONE)
        tell_agent(x);
    else if (kind <= NOTE_GROUP_DELETED)
        tell_group(x);
    else if (kind == NOTE_ROLES_CHECKED)
        tell_roles_checked(x);
    else if (kind <= NOTE_ROLE_FAILED)
        tell_role(x);
    else if (kind == NOTE_BUDGET_SPENT)
        tell_budget(x);
    else
        tell_config(x);
}

/* ---- the actor --------------------------------------------------------- */

static enum rt_next handle(struct rt_turn *t, void *state, struct rt_msg *m)
{
    const struct narrator *self = state;
    const struct note *n;
    struct telling x = {.is_english = self->log->is_english,
                        .level = CONFIG_LOG_INFO};

    (void)t;
    if (m->kind != NOTE_TOLD)
        return RT_OK;
    n = RT_OBJ(m, struct note);
    x.note = n;
    tell(&x);
    if (x.text.len > 0)
        log_tell(
            self->log, x.level, x.event,
            &(struct log_about){.agent = n->agent,
                                .group = n->group,
                                .role = n->role,
                                .has_duration = n->has_elapsed &&
                                                n->kind != NOTE_AGENT_STARTED,
                                .duration_ms = n->elapsed_ms},
            bytes_slice(&x.text));
    bytes_finish(&x.text);
    return RT_OK;
}

static enum rt_next start(struct rt_turn *t, void *state)
{
    rt_tell(t, ((struct narrator *)state)->registry, NOTE_SUBSCRIBE, NULL, 0);
    return RT_OK;
}

static const struct rt_behaviour behaviour = {.name = "narrator",
                                              .size = sizeof(struct narrator),
                                              .start = start,
                                              .handle = handle};

struct rt_ref narrator_spawn(struct rt_turn *t, const struct log *log,
                             struct rt_ref registry)
{
    struct narrator n = {.log = log, .registry = registry};

    return rt_spawn(t, &behaviour, &n);
}

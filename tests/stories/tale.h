/* What stories and bosses say often. Texts given back live as long as the
 * client. */
#ifndef TESTS_STORIES_TALE_H
#define TESTS_STORIES_TALE_H

#include "tests/stories/client.h"
#include "tests/stories/world.h"

#define TALE_IDS 4096

#define TALE_CHECK(condition)                                                  \
    ((condition) ? (void)0                                                     \
                 : os_panic("%s:%d: %s", __FILE__, __LINE__, #condition))

/* A new group's id. */
const char *tale_group(struct client *c, const char *mode);
/* run_agents: `count` agents of one script, whatever comes of it. */
const struct reply *tale_run(struct client *c, const char *group,
                             unsigned count, const char *script);
/* run_sequential: scripts with | between those of a stage and ; between
 * stages; policy is its onFailure. Whatever comes of it. */
const struct reply *tale_plan(struct client *c, const char *group,
                              const char *policy, const char *scripts);
/* The ids of a run_* answer (or of cancel_agent's list), quoted, by commas. */
const char *tale_ids(const struct reply *r, char ids[TALE_IDS]);
/* Waits for all agents of a run_* answer, again and again until they are
 * done; gives the last answer. */
const struct reply *tale_wait(struct client *c, const struct reply *run);
/* The same for ids as tale_ids has them. */
const struct reply *tale_wait_ids(struct client *c, const char *ids);
/* get_agent_status, which must succeed. */
const struct reply *tale_look(struct client *c, const char *id);
bool tale_is(const struct reply *look, const char *status);
/* Waits until this agent's process has gone. */
void tale_until_gone(struct client *c, const char *id);
/* Likewise until it is queued no more. */
void tale_until_begun(struct client *c, const char *id);
void tale_delete(struct client *c, const char *group);

#endif

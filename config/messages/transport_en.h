/* SPDX-License-Identifier: MIT */
/* What the hub's front, its log and the relay say, in English. */
#ifndef CONFIG_MESSAGES_TRANSPORT_EN_H
#define CONFIG_MESSAGES_TRANSPORT_EN_H

#include <inttypes.h>

/* clang-format off */

/* transport/feed/commands.c */
#define EN_FEED_AFTER_FIELD "' "
#define EN_FEED_TOO_MANY_REQUESTS "too many requests without an answer"
#define EN_FEED_IS_REQUIRED "is required"
#define EN_FEED_MUST_BE_ID "must be an id"
#define EN_FEED_MUST_BE_BOOL "must be true or false"
#define EN_FEED_REQUIRED_WITH_TEXT "is required with 'text'"
#define EN_FEED_MUST_BE_JSON "a message must be a JSON object"
#define EN_FEED_STRING_REQUIRED "is required: a string"
#define EN_FEED_NO_KNOWN_KIND "is of no known kind"
#define EN_FEED_MUST_BE_OBJECT "must be an object"

/* transport/hub/hub.c */
#define EN_LOG_HUB_SERVES "the hub serves (build %s, socket %s)"
#define EN_LOG_SIGNAL "%s from process %u"
#define EN_LOG_LOCK_LOST "%s is not our lock any more"
#define EN_LOG_NOBODY_NEEDS_HUB "no client needs this hub any more"
#define EN_LOG_CLIENT_LEFT "the client has left"
#define EN_LOG_ACTOR_ENDED "%s has ended: %s"

/* transport/hub/hub_config.c */
#define EN_LOG_CONFIG_AT_RESTART "%s takes effect when the hub starts again"
#define EN_LOG_CONFIG_WRONG "%s; what was read before stays in force"
#define EN_LOG_CONFIG_FINE_AGAIN "the configuration can be read again"

/* transport/hub/hub_leave.c */
#define EN_LOG_HUB_LEAVES "the hub leaves"
#define EN_LOG_HUB_LEAVES_AGENTS_STAY \
    "the hub leaves; agents are kept for the next one"
#define EN_LOG_HUB_LEAVES_AGENTS_END "the hub leaves, and ends its agents: %u"
#define EN_LOG_AGENTS_NOT_ENDED "agents that have not ended in time: %u"

/* transport/hub/hub_say.c */
#define EN_LOG_STORE_FINE_AGAIN "everything is kept again"
#define EN_LOG_STORE_TROUBLE "nothing can be changed until this is mended: %s"
#define EN_LOG_NOT_DELIVERED "a notification was not delivered to %s: %s"
#define EN_LOG_MEMORY_ENFORCED \
    "agent.memoryMax_bytes is enforced: a cgroup for each agent"
#define EN_LOG_MEMORY_NOT_ENFORCED \
    "agent.memoryMax_bytes is set and cannot be enforced here, so agents run " \
    "without it: %s; %s"
#define EN_LOG_PROCESSES_NOT_KILLED \
    "%s is closed, and of its processes %u could not be killed"

/* transport/hub/main.c */
#define EN_LOG_SIGNING_KEY_NOT_KEPT \
    "%s: %s; keys of agents and sessions of MCP over HTTP will not survive a " \
    "restart"
#define EN_LOG_NEVER_FREED "things that were never freed: %llu"
#define EN_LOG_HUB_HAS_LEFT "the hub has left (exit code %d)"
#define EN_HUB_ALREADY_SERVES \
    "kuromajutsu-hub: a hub (pid %d) already serves %s%s\n"
#define EN_HUB_DATABASE_IS_ANOTHERS \
    "it belongs to another user; name a database of your own by --db"
#define EN_HUB_DATABASE_IS_OPEN \
    "another hub has this database open under another name: kuromajutsu hubs"
#define EN_HUB_DATABASE_IS_FOREIGN \
    "kuromajutsu-hub: %s was not used here before, and %lld of its agents " \
    "have not ended: they would be started here. Open it where they were " \
    "started, let them end there (kuromajutsu cancel), and then here\n"
#define EN_HUB_ALONE_NEEDS_IT_GONE \
    "; --standalone needs it gone: kuromajutsu stop"

/* transport/hub/narrator.c */
#define EN_NOTE_PLACE " (role %s, group %s)"
#define EN_NOTE_AGENT_ENDED "%s %s after %s"
#define EN_NOTE_AGENT_ENDED_EARLY "%s %s"
#define EN_NOTE_AGENT_STARTED "%s has started"
#define EN_NOTE_COMPLETED "has completed"
#define EN_NOTE_FAILED "has failed"
#define EN_NOTE_TIMED_OUT "has timed out"
#define EN_NOTE_CANCELLED "was cancelled"
#define EN_NOTE_REPORTED_FAILURE "has reported a failure"
#define EN_NOTE_REPORTED_SUCCESS "has reported success"
#define EN_NOTE_AGENT_QUEUED "%s waits for its start"
#define EN_NOTE_AGENT_STALLED "%s seems to be stuck (started %s ago)"
#define EN_NOTE_CONFLICT "%s and %s have both changed the same file: %.*s"
#define EN_NOTE_AGENT_GONE "all processes of %s have ended"
#define EN_NOTE_GROUP_CREATED "group %s was created"
#define EN_NOTE_STAGE_BEGINS "group %s: stage %" PRIu64 " of %" PRIu64 " begins"
#define EN_NOTE_GROUP_STALLED \
    "group %s makes no progress (three ledgers in a row say so)"
#define EN_NOTE_GROUP_DONE "all agents of group %s have ended"
#define EN_NOTE_GROUP_DELETED "group %s was deleted"
#define EN_NOTE_ROLE_WITHOUT_MODEL "role %s has no usable model"
#define EN_NOTE_ROLE_CHECKING "role %s is being checked"
#define EN_NOTE_ROLE_READY "role %s can be used (answered in %s)"
#define EN_NOTE_ROLE_UNUSABLE "role %s cannot be used"
#define EN_NOTE_ROLES_CHECKED \
    "roles are checked: %" PRIu64 " of %" PRIu64 " can be used"
#define EN_NOTE_BUDGET_OF_GROUP \
    "agents were refused, for group %s has used up its budget: $%.6g of " \
    "$%.6g (budget.groupUsd)"
#define EN_NOTE_BUDGET_OF_DAY \
    "agents were refused, for today's budget (UTC) is used up: $%.6g of " \
    "$%.6g (budget.dayUsd)"
#define EN_NOTE_CONFIG_CHANGED "the configuration has changed: %.*s"

/* transport/mcp/answer.c */
#define EN_ANSWER_TOO_LARGE \
    "the answer is too large; ask for less: without full, with a smaller " \
    "limit, or for one group"

/* transport/mcp/args_check.c */
#define EN_ARGS_STRING "a string"
#define EN_ARGS_INTEGER "an integer"
#define EN_ARGS_NUMBER "a number"
#define EN_ARGS_BOOLEAN "true or false"
#define EN_ARGS_OBJECT "an object"
#define EN_ARGS_ARRAY "an array"
#define EN_ARGS_NULL "null"
#define EN_ARGS_ONE_OF " (one of these)"
#define EN_ARGS_FROM " of at least %s"
#define EN_ARGS_RANGE " from %s to %s"
#define EN_ARGS_LENGTH " of at most %s bytes"
#define EN_ARGS_TIME "milliseconds since 1970 or an ISO 8601 time"
#define EN_ARGS_UNKNOWN "unknown argument '%s'; known are: "
#define EN_ARGS_MISSING "'%s' is required: "
#define EN_ARGS_WRONG "'%s' is not right; expected: "
#define EN_ARGS_EMPTY "the array %s is empty; give at least one"
#define EN_ARGS_WITHOUT_NUL "a string without NUL characters"
#define EN_ARGS_NOT_BLANK "a string that is not empty or blank"
#define EN_ARGS_OR_LEAVE_OUT ", or leave it out to mean all"
#define EN_ARGS_EXACTLY_ONE " (exactly one of them)"
#define EN_ARGS_MAGENTIC_ELSEWHERE "; run_magentic makes magentic groups"
#define EN_ARGS_NONE "(none)"
#define EN_ARGS_BOUNDS_OPEN ""
#define EN_ARGS_BOUNDS_CLOSE ""

/* transport/mcp/args_own.c */
#define EN_ARGS_INVALID "Invalid %s: %s. Must be one of: "
#define EN_ARGS_CANNOT_BE_EMPTY "%s cannot be empty"
#define EN_ARGS_ALL_MISSING "Missing required arguments: %.*s"
#define EN_ARGS_INVALID_RESULT \
    "Invalid result value. Use 'success', 'failed', or 'blocked'"
#define EN_ARGS_INVALID_STATUS "Invalid status: %s. Valid values: %.*s"
#define EN_PM_TOKEN_REQUIRED \
    "session_token is required for this operation. Authenticate first using " \
    "the authenticate tool."

/* transport/mcp/news.c */
#define EN_PROGRESS_DONE "%u/%u done"

/* transport/relay/forward.c */
#define EN_RELAY_HUB_RESTARTED \
    "the hub was restarted; list_groups and list_agents show whether this " \
    "call was carried out"
#define EN_RELAY_HUB_STOPPED \
    "the hub was stopped; call again, and another one is started"

/* transport/relay/relay.c */
#define EN_RELAY_NO_TOOLSET \
    "kuromajutsu: --toolsets: there is no toolset '%.*s'; choose from: "
#define EN_RELAY_NO_SET_OF_TOOLS \
    "kuromajutsu: KUROMAJUTSU_TOOLS: there is no set of tools '%s'; all are " \
    "offered\n"

/* transport/relay/seeker.c */
#define EN_RELAY_CONFIG_WRONG "the configuration is wrong: "
#define EN_RELAY_NO_HUB_REACHED \
    "no hub could be reached (tried for %lld s, %s): "
#define EN_RELAY_NO_ANSWER "no answer"
#define EN_RELAY_HUB_CANNOT_START "the hub cannot be started: "
#define EN_RELAY_HUB_DID_NOT_START "the hub did not start: "
#define EN_RELAY_ANOTHER_USERS_HUB \
    ": another user listens there, who is told nothing; set KUROMAJUTSU_HOME " \
    "to a place of your own"
#define EN_RELAY_ANOTHER_BUILD \
    "kuromajutsu: the hub (pid %d) is of another build: %s, not %s\n"

/* transport/session/calls.c */
#define EN_CALL_WAIT_ENDED "the wait has ended without an answer"
#define EN_CALL_UNKNOWN \
    "there is no call of that name; tools/list has the names"
#define EN_CALL_ARGUMENTS_NO_OBJECT "the arguments must be an object"
#define EN_CALL_HUB_LEAVES \
    "the hub is leaving and begins nothing new; call again in a moment"
#define EN_CALL_TOO_MANY \
    "too many calls in flight; call again once some of them are answered"

/* transport/session/session.c */
#define EN_LOG_NOT_THE_WIRE "process %d does not speak the wire: cut off"
#define EN_LOG_CONNECTION "connection of process %d: %s"

/* transport/session/session_commands.c */
#define EN_STOP_NOT_OWN_HUB "an agent cannot stop its own hub"

/* transport/session/session_hello.c */
#define EN_ANCESTRY_IN_CONTAINER \
    "it comes from another PID namespace (container). Run it in the hub's " \
    "own, or connect to /mcp over HTTP; an agent must be given its " \
    "KUROMAJUTSU_AGENT_KEY there"
#define EN_ANCESTRY_HAS_ENDED \
    "the process that opened the connection has ended. Start the MCP server " \
    "or the command again"
#define EN_ANCESTRY_NOT_SEEN \
    "/proc does not show the calling process. Mount /proc where the hub runs"
#define EN_ANCESTRY_ENDED_MEANWHILE \
    "the processes above it ended while they were looked at. Start the MCP " \
    "server or the command again"
#define EN_ANCESTRY_TOO_DEEP \
    "too many processes are above it. Start it from a shell that is nested " \
    "less deep"
#define EN_ANCESTRY_HIDDEN \
    "/proc hides the processes above it (hidepid), and its environment has " \
    "KUROMAJUTSU_AGENT_ID. If it is no agent, unset that; if it is one, hand " \
    "on its KUROMAJUTSU_AGENT_KEY too"
#define EN_CALLER_NOT_KNOWN \
    "whether the caller is an agent of this hub cannot be known: %s"
#define EN_LOG_CALLER_REFUSED "process %d is refused: %s"
#define EN_LOG_BUILD_DIFFERS "process %d is of build %.*s, this hub of %s"

/* transport/session/sessions.c */
#define EN_LOG_TOO_MANY_CLIENTS \
    "%u clients are connected: process %d is turned away"

/* transport/web/api.c */
#define EN_API_NO_SUCH_PATH "there is no %.*s; docs/api.md lists the paths"
#define EN_API_GET_ONLY "only GET is answered here, not %.*s"
#define EN_API_UNKNOWN_PARAMETER "unknown parameter: %.*s"
#define EN_API_PARAMETERS_ARE "; there is: "
#define EN_API_PARAMETER_TWICE "parameter %.*s: given more than once"
#define EN_API_PARAMETER_NO_BOOLEAN "parameter %.*s: expected true or false"
#define EN_API_PARAMETER_NO_NUMBER \
    "parameter %.*s: expected a number from 0 on"

/* transport/web/web.c */
#define EN_LOG_PORT_TAKEN "port %d is taken; the dashboard is at %s"
#define EN_LOG_DASHBOARD "the dashboard is at %s"
#define EN_LOG_NO_DASHBOARD \
    "no dashboard and no MCP over HTTP: cannot listen on %s, ports from %d " \
    "on: %s"

/* transport/wire/cgroup_text.c */
#define EN_CGROUP_NONE_HERE "there is no cgroup v2 here"
#define EN_CGROUP_IS_V1 "memory is under cgroup v1 on this machine"
#define EN_CGROUP_WITHOUT_MEMORY \
    "the hub's cgroup was not given the memory controller"
#define EN_CGROUP_NOT_WRITABLE "the hub may not write to its cgroup"
#define EN_CGROUP_IS_SHARED "other processes are in the hub's cgroup"
#define EN_CGROUP_NOT_DIVIDED "the kernel did not let the hub divide its cgroup"
#define EN_CGROUP_REMEDY_BOOT \
    "boot with systemd.unified_cgroup_hierarchy=1 (cgroup v2 only)"
#define EN_CGROUP_REMEDY_DELEGATE \
    "start the hub in a cgroup of its own: systemd-run --user --scope -p " \
    "Delegate=yes kuromajutsu serve"

/* transport/wire/home.c */
#define EN_HOME_IS_ANOTHERS \
    "it belongs to another user; chown it, or set KUROMAJUTSU_HOME to a " \
    "place of your own"

/* transport/wire/hubstart.c */
#define EN_HUB_KILLED "kuromajutsu-hub was killed by signal %d"
#define EN_HUB_EXITED "kuromajutsu-hub left with exit code %d"

/* transport/wire/log.c */
#define EN_LOG_LINES_LOST "lines that could not be written here: %llu"

/* clang-format on */

#endif

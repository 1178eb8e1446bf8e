/* SPDX-License-Identifier: MIT */
/* What commands list and show, in English. */
#ifndef CONFIG_MESSAGES_SHOW_EN_H
#define CONFIG_MESSAGES_SHOW_EN_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/agent_words.c */
#define EN_STATE_QUEUED "queued"
#define EN_STATE_RUNNING "running"
#define EN_STATE_COMPLETED "completed"
#define EN_STATE_REPORTED "reported"
#define EN_STATE_FAILED "failed"
#define EN_STATE_TIMED_OUT "timed out"
#define EN_STATE_CANCELLED "cancelled"
#define EN_STATE_ACTIVE "active"
#define EN_STATE_DELETED "deleted"
#define EN_OUTCOME_SUCCESS "success"
#define EN_OUTCOME_FAILURE "failure"
#define EN_STATE_RUNNING_NO_HUB "running, no hub"
#define EN_STATE_ENDED_NO_HUB "ended, no hub"
#define EN_STATE_QUEUED_NO_HUB "queued, no hub"
#define EN_STATE_REPORTED_FAILURE "reported failure"
#define EN_STATE_STALLED "stalled"

/* transport/command/agents.c */
#define EN_COLUMN_STATUS "STATUS"
#define EN_COLUMN_TIME "TIME"
#define EN_COLUMN_ABOUT "ABOUT"
#define EN_COLUMN_TOOLS "TOOLS"
#define EN_COLUMN_GROUP "GROUP"
#define EN_COLUMN_MODEL "MODEL"
#define EN_AGENTS_NONE "No agents.\n"
#define EN_AGENTS_MORE "and %s more\n"

/* transport/command/gc.c */
#define EN_GC_WOULD_GO "would go:\n"
#define EN_GC_GONE "gone:\n"
#define EN_LABEL_AGENTS "agents"
#define EN_LABEL_GROUPS "groups"
#define EN_GC_EVENTS "events"
#define EN_GC_REMEMBERED_ANSWERS "remembered answers"
#define EN_GC_TRANSCRIPTS_TO_DROP "transcripts to drop"
#define EN_GC_TRANSCRIPTS_TO_COMPRESS "transcripts to compress"

/* transport/command/groups.c */
#define EN_STALLED "stalled"
#define EN_GROUPS_RUNNING " %" PRIu64 " running"
#define EN_GROUPS_QUEUED " %" PRIu64 " queued"
#define EN_GROUPS_FAILED " %" PRIu64 " failed"
#define EN_GROUPS_STAGE "stage %" PRIu64 "/%" PRIu64
#define EN_GROUPS_ROUND "round %" PRIu64 "/%" PRIu64
#define EN_COLUMN_MODE "MODE"
#define EN_COLUMN_DONE "DONE"
#define EN_COLUMN_AT "AT"
#define EN_COLUMN_DESCRIPTION "DESCRIPTION"
#define EN_GROUPS_NONE "No groups.\n"
#define EN_GROUPS_MORE \
    "the newest %zu of %s groups; --limit N shows more (up to 1000)\n"

/* transport/command/history.c */
#define EN_HISTORY_PAGE \
    "of %" PRIu64 " in all, %zu here; the next: --before %" PRIu64 "\n"
#define EN_COLUMN_CREATED "CREATED"
#define EN_COLUMN_SUMMARY "SUMMARY"
#define EN_HISTORY_NONE "No such agents.\n"

/* transport/command/hubs.c */
#define EN_HUBS_SILENT "silent"
#define EN_HUBS_NO_HUB "none"
#define EN_COLUMN_PROJECT "PROJECT"
#define EN_COLUMN_HUB "HUB"
#define EN_COLUMN_SINCE "SINCE"
#define EN_COLUMN_RUNNING "RUNNING"
#define EN_COLUMN_DASHBOARD "DASHBOARD"
#define EN_HUBS_NONE "No hub is running.\n"

/* transport/command/logs.c */
#define EN_LOGS_NOTHING_PRINTED "%s has printed nothing"
#define EN_LOGS_ENDED_WITHOUT_RECORD "its process went without a record\n"
#define EN_LOGS_ENDED "it ended:"
#define EN_LOGS_NOT_KEPT "the transcript of %s is not kept any more"
#define EN_LOGS_NO_AGENT_ID "this is no agent's id: %s"
#define EN_LOGS_RAW_ALONE \
    "%s: --raw is for one agent, without --tail and --since"

/* transport/command/render.c */
#define EN_TOOL_OK "ok"
#define EN_TOOL_ERROR "error"
#define EN_TOOL_FAILED "failed"
#define EN_TOOL_REJECTED "rejected"
#define EN_TOOL_DENIED "denied"
#define EN_TOOL_ENDED "done"
#define EN_RENDER_TOKENS "tokens %s in %s out %s cache read"
#define EN_RENDER_RETRY "retry %" PRIu64 " "
#define EN_RENDER_RATE_LIMIT "rate limit "
#define EN_RENDER_LINE_SKIPPED "a line of %s was skipped"
#define EN_RENDER_DONE "done"

/* transport/command/replay.c */
#define EN_OPERAND_GROUP "a group's id"

/* transport/command/replay_words.c */
#define EN_REPLAY_GROUP_CREATED "group created"
#define EN_REPLAY_STAGE "stage %" PRIu64 " of %" PRIu64
#define EN_REPLAY_LEDGER "ledger, round %" PRIu64
#define EN_REPLAY_AGENT_CREATED "created"
#define EN_REPLAY_AGENT_ENDED "ended"
#define EN_REPLAY_AGENT_CONFLICT "edits the same file"
#define EN_REPLAY_GROUP_COMPLETED "group completed"
#define EN_REPLAY_GROUP_DELETED "group deleted"
#define EN_REPLAY_GROUP_STALLED "group stalled"

/* transport/command/report.c */
#define EN_REPORT_LAST_WORDS "Its last words:"
#define EN_REPORT_ERROR "Error:"
#define EN_REPORT_OUTCOMES "Outcomes"
#define EN_REPORT_COUNTS_ONE \
"%s agent: %s succeeded, %s failed, %s not done\n" \
"\n"
#define EN_REPORT_COUNTS \
"%s agents: %s succeeded, %s failed, %s not done\n" \
"\n"
#define EN_REPORT_TABLE "agent | role | status | time | cost"
#define EN_REPORT_FILES "Files"
#define EN_REPORT_NO_FILES "No file was touched."
#define EN_REPORT_DIFF "Diff"
#define EN_REPORT_COST "Cost"
#define EN_REPORT_COST_NOT_KNOWN "not known"
#define EN_REPORT_TOKENS " (%s tokens)"
#define EN_REPORT_TOKENS_UNPRICED ", without %s tokens that have no price"
#define EN_REPORT_SUMMARIES "Summaries"

/* transport/command/report_diff.c */
#define EN_REPORT_NEW_FILES \
"\n" \
"Files that git does not have yet:\n"
#define EN_REPORT_NO_GIT \
    "There is no diff: this is no git checkout, or it has no commit yet."
#define EN_REPORT_NO_DIFFERENCE "Nothing differs from the last commit."
#define EN_REPORT_DIFF_CUT \
"\n" \
"(cut: it is longer)"

/* transport/command/roles.c */
#define EN_ROLES_CHECKING "checking"
#define EN_ROLES_READY "ready"
#define EN_ROLES_UNUSABLE "unusable"
#define EN_ROLES_NOT_CHECKED "(not checked)"
#define EN_COLUMN_STATE "STATE"
#define EN_COLUMN_NAME "NAME"

/* transport/command/show.c */
#define EN_SHOW_EDITED "edited"
#define EN_SHOW_MADE "made"
#define EN_SHOW_COST "cost"
#define EN_SHOW_COST_NOT_KNOWN \
    "not known (the settings' prices have none for it)\n"
#define EN_SHOW_STARTED "started"
#define EN_SHOW_TOOLS "tools"
#define EN_SHOW_TOOL_NOW "  now: "
#define EN_SHOW_TOKENS "tokens"
#define EN_SHOW_TOKEN_COUNTS "%s in  %s out  %s cache read  %s cache written\n"
#define EN_SHOW_OUTPUT "output"
#define EN_SHOW_OUTPUT_MESSAGES_ONE "%s message  "
#define EN_SHOW_OUTPUT_MESSAGES "%s messages  "
#define EN_SHOW_OUTPUT_LINES_ONE "%s line  "
#define EN_SHOW_OUTPUT_LINES "%s lines  "
#define EN_SHOW_OUTPUT_UNREAD "  %" PRIu64 " not read"
#define EN_SHOW_GROUP "group"
#define EN_SHOW_MODEL "model"
#define EN_SHOW_MODEL_ITS_OWN "its model"
#define EN_SHOW_STAGE "stage"
#define EN_SHOW_RESULT "result"
#define EN_SHOW_SUMMARY "summary"
#define EN_SHOW_RESPONSE "response"
#define EN_SHOW_ERROR "error"
#define EN_SHOW_RETRY_OF "retry of"
#define EN_SHOW_DIRECTORY "directory"
#define EN_SHOW_FILES "files"
#define EN_SHOW_SESSION "session"
#define EN_SHOW_PROMPT "prompt"

/* transport/command/show_group.c */
#define EN_SHOW_DESCRIPTION "description"
#define EN_SHOW_PARENT "parent"
#define EN_SHOW_BELOW "below it"
#define EN_SHOW_CREATED "created"
#define EN_SHOW_DELETED "deleted"
#define EN_SHOW_STAGE_NUMBER "  stage %zu\n"
#define EN_SHOW_PLAN "plan"
#define EN_SHOW_STAGE_TASK "    task"
#define EN_SHOW_STAGE_UNTIL "    until"
#define EN_SHOW_LEDGER "ledger"
#define EN_SHOW_LEDGER_ROUND "  round"
#define EN_SHOW_LEDGER_GIVEN "  given"
#define EN_SHOW_LEDGER_ASSUMED "  assumed"
#define EN_SHOW_LEDGER_PLAN "  plan"
#define EN_SHOW_LEDGER_NEXT "  next"
#define EN_SHOW_LEDGER_INSTRUCTION "  instruction"
#define EN_SHOW_MEMBERS "members"

/* transport/command/status.c */
#define EN_STATUS_RUNNING "running"
#define EN_STATUS_UP "up"
#define EN_STATUS_ANOTHER_BUILD "another build than this program:"
#define EN_STATUS_AGENTS \
    "%" PRIu64 " running  %" PRIu64 " queued  %" PRIu64 " leaving  %" PRIu64 \
    " in all\n"
#define EN_STATUS_GROUPS "%" PRIu64 " active  %" PRIu64 " in all\n"
#define EN_STATUS_PLACES "places"
#define EN_STATUS_PLACES_TAKEN \
    "%" PRIu64 "/%" PRIu64 " taken  %" PRIu64 " waiting  orchestrators %" \
    PRIu64 "/%" PRIu64 "\n"
#define EN_STATUS_NO_CONFIG "none (defaults)"
#define EN_STATUS_NOT_TRUSTED "not trusted, so without effect: "
#define EN_STATUS_TRUST "look at it, then: kuromajutsu trust '"
#define EN_STATUS_CONFIG_OF_BEFORE \
    "until that is mended, what was read before holds\n"
#define EN_STATUS_AT_RESTART "at restart (kuromajutsu stop --keep-agents): "
#define EN_STATUS_DASHBOARD "dashboard"
#define EN_STATUS_DATABASE "database"
#define EN_STATUS_CONFIG "config"

/* transport/command/phases.c */
#define EN_COLUMN_PHASE "PHASE"
#define EN_COLUMN_CHECKPOINTS "CHECKPOINTS"
#define EN_COLUMN_MADE "FILES"
#define EN_PHASES_STARTED \
    "the plan runs as group %.*s; see: kuromajutsu phases status\n"
#define EN_OPERAND_STATUS_OR_RUN "status or run"
#define EN_OPERAND_WISHES "what the customer wants"

/* transport/command/usage.c */
#define EN_COLUMN_AGENTS "AGENTS"
#define EN_COLUMN_TOKENS_IN "IN"
#define EN_COLUMN_TOKENS_OUT "OUT"
#define EN_COLUMN_CACHE_READ "CACHE R"
#define EN_COLUMN_CACHE_WRITTEN "CACHE W"
#define EN_COLUMN_COST "COST"
#define EN_USAGE_ALL "all"
#define EN_USAGE_UNPRICED \
    "* without %s tokens that have no price (the settings' prices)\n"
#define EN_USAGE_MORE "there are more (--limit)\n"

/* clang-format on */

#endif

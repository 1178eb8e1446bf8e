/* SPDX-License-Identifier: MIT */
/* What actors answer, in English. */
#ifndef CONFIG_MESSAGES_ACTORS_EN_H
#define CONFIG_MESSAGES_ACTORS_EN_H

#include <inttypes.h>

/* clang-format off */

/* actors/agent/agent.c, process.c, recover.c, result.c */
#define EN_END_CANCELLED "cancelled"
#define EN_END_TIMED_OUT "timed out"
#define EN_END_INTERRUPTED "interrupted"
#define EN_END_OUTPUT_LIMIT \
    "output limit reached (agent.transcriptLimit_bytes)"
#define EN_END_MEMORY_LIMIT \
    "memory limit reached: its processes wanted more than " \
    "agent.memoryMax_bytes lets them have"
#define EN_END_WITHOUT_RESULT "stream ended without a result"
#define EN_END_BY_SIGNAL "killed by signal %d"
#define EN_END_BY_CODE "exit code %d"
#define EN_END_AND "; "
#define EN_END_ONE_LEFT "%u process could not be killed"
#define EN_END_SOME_LEFT "%u processes could not be killed"
#define EN_END_CANNOT_RUN "exec %s: %s"
#define EN_END_CANNOT_ENTER "chdir %s: %s"
#define EN_END_CANNOT_START "%s%s%s: %s"

/* actors/group/magentic.c */
#define EN_LEDGER_FIELD_REQUIRED "'%s' is required in a ledger of type '%s'"
#define EN_LEDGER_ITERATIONS_USED_UP \
    "the limit of iterations (%" PRIu64 ") is reached; report what there is by " \
    "report_result and end"

/* actors/group/report.c */
#define EN_RESULT_CANNOT_BE_REPORTED \
    "agent '%s' cannot report: it has not been started, or was cancelled; " \
    "get_agent_status tells which"

/* actors/group/run.c */
#define EN_RUN_MORE_THAN_LIMIT \
    "%u at once cannot be: the limit (%s) is %u; ask for %u or fewer in one " \
    "call (of a plan: in one stage), and wait by wait_agent between calls"
#define EN_RUN_TOO_FEW_PLACES \
    "too few places are free: %u are asked for; of %u (%s) %u are running, " \
    "%u queued, %u free; wait by wait_agent, or end agents you do not need " \
    "by cancel_agent, then call again"

/* actors/health/config_writer.c */
#define EN_CONFIG_CHANGE_IS_WRONG "the configuration cannot be changed so: %s"
#define EN_CONFIG_CHANGE_IS_LATE \
    "%s; the hub reads it anew (kuromajutsu status says if it is wrong), " \
    "then change it again"
#define EN_CONFIG_FILE_CANNOT_BE_WRITTEN \
    "the configuration's file cannot be written: %s"

/* actors/health/text.c */
#define EN_HEALTH_CLI_OF_CURSOR "Cursor's CLI (https://cursor.com/cli)"
#define EN_HEALTH_NO_PROGRAM \
    "agent.command is '%s', and there is no such program: correct it, or " \
    "install %s and remove it"
#define EN_HEALTH_NO_CLI_ON_PATH "no agent CLI is on PATH ("
#define EN_HEALTH_INSTALL_CLI "): install %s, or set agent.command"
#define EN_HEALTH_ANOTHER_MAKERS_PROGRAM \
    "'%s' is another maker's program by what its --help says: install %s, or " \
    "set agent.command"
#define EN_HEALTH_COMMAND_NOT_TRUSTED \
    "agent.command came with the project and is not trusted yet: look at it, " \
    "then: kuromajutsu trust '%s'"
#define EN_HEALTH_TOO_MUCH_OUTPUT "too much output"
#define EN_HEALTH_OVER_MEMORY_LIMIT "over agent.memoryMax_bytes"
#define EN_HEALTH_KILLED_BY_SIGNAL "killed by signal %d"
#define EN_HEALTH_EXIT_CODE "exit code %d"
#define EN_HEALTH_INTERRUPTED "interrupted"
#define EN_HEALTH_NO_ANSWER "no answer within %llu ms"
#define EN_HEALTH_ANSWER_EMPTY "the answer is empty"
#define EN_HEALTH_MODELS_FAILED \
    "no model can be validated: '%s models' failed: "
#define EN_HEALTH_MODEL_NOT_NAMED "it names no model"
#define EN_HEALTH_MODEL_NOT_AVAILABLE "model '%s' is not available"
#define EN_HEALTH_SKIPPED_FOR_MODEL "skipped: its model is not valid"
#define EN_HEALTH_NEXT_SENTENCE "; "
#define EN_HEALTH_WITHOUT_TOOL "its agents go without the tool %s: %s"
#define EN_HEALTH_CANNOT_RUN "%s cannot be run: %s"

/* actors/notify/words.c */
#define EN_TOLD_FAILED_ONE "An agent has failed"
#define EN_TOLD_FAILED_MANY "%" PRIu64 " agents have failed"
#define EN_TOLD_STALLED_ONE "An agent seems to be stuck"
#define EN_TOLD_STALLED_MANY "%" PRIu64 " agents seem to be stuck"
#define EN_TOLD_CONFLICT_ONE "Two agents have changed the same file"
#define EN_TOLD_CONFLICT_MANY "%" PRIu64 " conflicts over files"
#define EN_TOLD_GROUP_ONE "A group has ended"
#define EN_TOLD_GROUP_MANY "%" PRIu64 " groups have ended"
#define EN_TOLD_BUDGET_ONE "A budget is used up"
#define EN_TOLD_BUDGET_MANY "%" PRIu64 " budgets are used up"
#define EN_TOLD_NO_ROLE "No role can be used"
#define EN_TOLD_NO_ROLE_REMEDY "kuromajutsu doctor says why"
#define EN_TOLD_AGENT "%s (role %s, group %s)"
#define EN_TOLD_AGENTS_OF_GROUP "group %s; the first is %s"
#define EN_TOLD_FIRST "the first is %s"
#define EN_TOLD_PAIR "%s and %s"
#define EN_TOLD_OUTCOME "%s: %" PRIu64 " well, %" PRIu64 " badly"
#define EN_TOLD_GROUP_BUDGET "group %s: $%.6g of $%.6g (budget.groupUsd)"
#define EN_TOLD_DAY_BUDGET "today (UTC): $%.6g of $%.6g (budget.dayUsd)"

/* actors/order/answer.c */
#define EN_GROUP_NOT_FOUND \
    "there is no group '%.*s'; list_groups shows which there are"
#define EN_AGENT_NOT_FOUND \
    "there is no agent '%.*s'; list_agents shows which there are"

/* actors/registry/config_orders.c */
#define EN_CONFIG_NOT_FOR_AGENTS "%s: an agent cannot change the configuration"
#define EN_CONFIG_NOT_CHANGEABLE "%s: this hub cannot change its configuration"
#define EN_ROLE_IS_BUILT_IN \
    "'%s' is a built-in role and cannot be deleted: disable it instead"
#define EN_ROLE_IS_THERE \
    "'roleId': there is a role '%s' already: choose another id, or change " \
    "that one"
#define EN_ROLE_ID_IS_WRONG \
    "'roleId': '%s' cannot be an id: give 1 to 64 letters, digits, _ and -"
#define EN_FIELD_REQUIRED "%s is required"

/* actors/registry/durable.c */
#define EN_HISTORY_NOT_KEPT "%s: this hub keeps no history"

/* actors/registry/judge.c */
#define EN_GROUP_NOT_ACTIVE \
    "group '%.*s' is not active: it was deleted; make another by create_group"
#define EN_GROUP_OF_AGENT_DELETED \
    "the group of sub-agent '%s' was deleted; come to an end and report by " \
    "report_result"
#define EN_GROUP_HAS_RUNNING_AGENTS \
    "group '%s' has agents that are not done (%u): %.*s; wait for them by " \
    "wait_agent(groupId) or end them by cancel_agent(groupId), then delete it"
#define EN_GROUP_ALREADY_DELETED \
    "group '%s' was deleted already, so nothing is left to do; list_groups " \
    "shows which groups there are"
#define EN_GROUP_MODE_MISMATCH \
    "group '%s' is of mode '%.*s'; %s is for %s groups: make one by " \
    "create_group(mode: %s)"
#define EN_PLAN_NOT_DONE \
    "the plan of group '%s' has agents that are not done yet (%u): wait for " \
    "them with wait_agent or end them with cancel_agent, then submit this " \
    "one again; or use another group"
#define EN_MAGENTIC_NESTED_TOO_DEEP \
    "magentic groups nest at most %" PRId64 " deep; use create_group with " \
    "run_agents or run_sequential instead"
#define EN_RESULT_OF_ITSELF_ONLY \
    "a sub-agent may report for itself only: call report_result with " \
    "agentId: %s"
#define EN_LEDGER_GROUP_NOT_MAGENTIC \
    "group '%s' is not magentic; update_ledger is for groups that " \
    "run_magentic has made"
#define EN_LEDGER_ORCHESTRATOR_ONLY \
    "only the orchestrator of group '%s' keeps its ledger; report a result " \
    "by report_result"

/* actors/registry/permission.c */
#define EN_PERMISSION_BELOW_OWN_GROUP \
    "a sub-agent may only touch what is below its own group, and '%s' is " \
    "not; list_groups shows which groups are"
#define EN_PERMISSION_TOOL_DENIED \
    "sub-agent '%s' may not use %s; do your own task and report its result " \
    "by report_result"
#define EN_PERMISSION_NO_DELEGATION \
    "sub-agent '%s' may not make groups or start agents; do the task " \
    "yourself and report its result by report_result"
#define EN_ROLE_NOT_IN_AVAILABLE_ROLES \
    "role '%s' is not among the availableRoles of the magentic group '%s'; " \
    "use one of these: %.*s"
#define EN_ROLE_NOT_FOUND \
    "there is no role '%.*s'; there are: %.*s (list_roles says what they are " \
    "for)"
#define EN_GROUP_ITERATIONS_USED_UP \
    "group '%s' has used up its iterations (%" PRIu64 "); end by report_result"

/* actors/registry/registry.c */
#define EN_STORE_CANNOT_KEEP \
    "nothing can be changed, for it could not be kept: %s; ask the user to " \
    "look at disk and permissions by kuromajutsu doctor"

/* actors/registry/retry.c */
#define EN_RETRY_NOT_ENDED \
    "agent '%s' has not ended yet; wait for it (wait_agent) or cancel it " \
    "(cancel_agent) before you retry it"
#define EN_RETRY_ANOTHER_GROUP \
    "agent '%s' is of another group, '%s'; retry one group at a time"
#define EN_RETRY_GROUP_EMPTY "group '%s' has no agents to retry"
#define EN_RETRY_AGENTS_REQUIRED "%s: name at least one agent to retry"
#define EN_RETRY_WHOLE_PLAN \
    "agent '%s' is of a sequential plan, of which no stage runs alone; the " \
    "whole plan: kuromajutsu retry %s"

/* actors/registry/spend.c */
#define EN_BUDGET_OF_GROUP_USED_UP \
    "group '%s' has used up its budget: $%.6g spent of $%.6g; ask the user " \
    "whether to raise budget.groupUsd"
#define EN_BUDGET_OF_DAY_USED_UP \
    "today's budget (UTC) is used up: $%.6g spent of $%.6g; go on tomorrow, " \
    "or ask the user whether to raise budget.dayUsd"

/* actors/registry/tasks.c */
#define EN_DIRECTORY_DOES_NOT_EXIST "it does not exist"
#define EN_DIRECTORY_IS_NONE "it is no directory"
#define EN_DIRECTORY_DENIED "access is denied"
#define EN_DIRECTORY_TOO_LONG "it is too long"
#define EN_DIRECTORY_CANNOT_BE_USED \
    "'%sworkingDirectory' cannot be '%.*s': %s; name a directory that exists"
#define EN_ROLE_UNAVAILABLE \
    "role '%s' cannot be used, its check has not passed: %s; choose one that " \
    "list_roles calls available, or ask the user to run kuromajutsu doctor"
#define EN_ROLE_OF_ORCHESTRATOR_MISSING \
    "run_magentic needs the role '%s', which the configuration does not " \
    "have; use run_agents or run_sequential, or ask the user to add it"
#define EN_WARDEN_CANNOT_BE_RUN \
    "agents cannot be started: '%s' is missing or cannot be run; ask the " \
    "user to install kuromajutsu again"

/* actors/registry/wait_watch.c */
#define EN_WAIT_AGENT_UNREADABLE \
    "agent '%.*s' is not at hand and the database cannot be read: %s; ask " \
    "the user to run kuromajutsu doctor"

/* actors/store/ask.c */
#define EN_HISTORY_TAKES_TOO_LONG "%s: this takes too long, ask for less"
#define EN_HISTORY_UNREADABLE \
    "the database cannot be read: %s; ask the user to run kuromajutsu doctor"
#define EN_HISTORY_NO_SUCH_QUESTION "'%s' is no question of the history"

/* actors/store/ask_history.c */
#define EN_HISTORY_STATUS_UNKNOWN \
    "'%s' cannot be '%.*s'; there is: all, queued, running, completed, " \
    "failed, timedOut, cancelled, resultReported"
#define EN_HISTORY_ORDER_UNKNOWN \
    "'order' cannot be '%.*s'; there is: newest, oldest"
#define EN_MOMENT_UNREADABLE \
    "%s: expected the number of an event, or a time"
#define EN_MOMENT_NOT_KEPT \
    "'at': nothing is kept of that moment; the first that there is: " \
    "event %lld, %.*s"
#define EN_MOMENT_NONE_KEPT "%s: no moment is kept yet"
#define EN_MOMENT_NOT_YET \
    "'at': there is no event %lld yet; the newest is %lld"
#define EN_HISTORY_TOO_MANY_WORDS "'search' must be at most %d words"

/* actors/store/batch.c */
#define EN_STORE_FAULT \
    "this cannot be kept, which is a fault of this program: %s"

/* actors/store/database.c, peek.c */
#define EN_DATABASE_LOCKED "%s: locked by another process"
#define EN_DATABASE_FULL "%s: no space is left for it (%s)"
#define EN_DATABASE_READ_ONLY "%s: it, or its directory, cannot be written (%s)"
#define EN_DATABASE_CANNOT_OPEN "%s: it cannot be opened (%s)"
#define EN_DATABASE_DAMAGED \
    "%s: it is damaged, or no database of ours (%s); move it away, and a new one is begun"
#define EN_DATABASE_INPUT_OUTPUT "%s: reading or writing it has failed (%s)"
#define EN_DATABASE_REFUSED "%s: the database refuses (%s)"
#define EN_DATABASE_LOG_ALONE "%s is empty but %s is not: not touched"
#define EN_DATABASE_NO_DATABASE "%s: file is not a database: not touched"
#define EN_DATABASE_TOO_NEW \
    "%s is of version %u, this program knows up to %d: not touched"
#define EN_DATABASE_ANOTHERS "%s is another program's database: not touched"

/* actors/store/reader.c */
#define EN_READER_DATABASE_OLD \
    "%s is of an older version (%d, now %d); a hub brings it up to date: " \
    "kuromajutsu start"
#define EN_READER_DATABASE_NEW \
    "%s is of a newer version (%d, this program knows up to %d); read it " \
    "with the newer kuromajutsu"
#define EN_READER_NOTHING_RECORDED "nothing has been recorded yet (%s)"
#define EN_READER_DATABASE_HALF_WRITTEN \
    "%s was left in the middle of a write; a hub mends it: kuromajutsu start"
#define EN_STORE_UNREADABLE "the database cannot be read: %s"
#define EN_READER_NEEDS_HUB "'%s' needs a hub: kuromajutsu start"
#define EN_READER_HUB_HAS_STARTED \
    "%s is being written: a hub has started, so ask again"

/* actors/store/recalls.c */
#define EN_RECALL_UNREADABLE \
    "the database cannot be read, so it is not known whether this call was " \
    "carried out: %s"

/* actors/store/retention.c */
#define EN_STORE_CANNOT_BE_WRITTEN "the database cannot be written: %s"

/* actors/store/transcript_pages.c */
#define EN_TRANSCRIPT_FROM_AND_BEFORE \
    "%s: from and before cannot both be given; leave one out"
#define EN_TRANSCRIPT_UNREADABLE \
    "the transcript of agent '%s' cannot be read: %s"
#define EN_TRANSCRIPT_NOT_KEPT \
    "there is no transcript of agent '%s' (any more): it has never run, or " \
    "history.transcripts let it go"

/* actors/mail */
#define EN_MAIL_NO_AGENT "Agent not found: %.*s"
#define EN_MAIL_TALK_NEEDS_TWO \
    "agent and with go together: both for a conversation, neither for messages " \
    "to all"
#define EN_MAIL_NO_CONTEXT "Context not found or access denied: %.*s"
#define EN_MAIL_NOT_YOUR_NAME \
    "'%.*s' is not yours to act for: use your own id '%s', or register a " \
    "name that nobody has by agent_register first"
#define EN_MAIL_DIRECT_NEEDS_RECEIVER \
    "receiver_id is required for direct messages"
#define EN_MAIL_BROADCAST_HAS_RECEIVER \
    "receiver_id must be omitted for broadcast messages"
#define EN_MAIL_TOO_LONG \
    "content is too long (%zu bytes): at most 1000000 bytes, fewer if most of " \
    "them must be escaped; put it into a file and send its path"
#define EN_MAIL_VALUE_TOO_LONG \
    "value is too long (%zu bytes as JSON): at most 1048576; put it into a " \
    "file and share its path"
#define EN_MAIL_RECEIVER_UNKNOWN "receiver '%.*s' has not registered yet"
#define EN_MAIL_RECEIVER_ENDED \
    "agent '%.*s' has ended: it will not read this by itself"

/* actors/phases */
#define EN_PHASE_NO_PROJECT \
    "%s: %.*s is no directory that can be used (%s); name the project's " \
    "directory by its absolute path"
#define EN_PHASE_NOT_YOURS \
    "agent '%s' may not use %s for this: an agent of a phase plan may see the " \
    "phases of its own project and change its own phase"
#define EN_PHASE_TOO_LONG \
    "%s has %zu bytes as JSON, and may have %zu; put what is long into a file " \
    "and name it there"
#define EN_PHASE_OUT_OF_ORDER \
    "Phase %d cannot be ended before Phase %d is completed; go on with %s"
#define EN_PHASE_ALREADY_COMPLETED \
    "Phase %d is completed already; go on with %s"
#define EN_PHASE_ALL_COMPLETED \
    "Phase %d is completed already, and so are all phases"
#define EN_PHASE_HAS_FAILED \
    "Phase %d has failed and stays the current phase: %.*s; mend the cause and " \
    "call inject_phase_prompt with phase=%s"
#define EN_PHASE_INJECT_NEXT "Call inject_phase_prompt with phase=%s."
#define EN_PHASE_PREVIOUS_RESULTS "Previous phase results"
#define EN_PHASE_NO_PROMPT "Prompt not found for phase: %s"
#define EN_PHASE_CLOUD_FAILED "Failed to fetch prompt from Cloud API: %.*s"
#define EN_PHASE_FILE_UNREADABLE \
    "phases.promptDirectory: %s/%s.md cannot be used (%s); it must be a " \
    "regular file with text in UTF-8, 200 KiB at most"
#define EN_PHASE_NO_PLAN_BY_AGENTS \
    "agent '%s' may not start the phases: that is for people and main agents"
#define EN_PHASE_PLAN_OF "phases of %s"
#define EN_PHASE_PLAN_TASK \
    "\n\n## What the customer wants\n\n%.*s\n\n## This run\n\nNobody can be " \
    "asked: take from the wishes above what an interview would have told. Work " \
    "in %s. Give the tools of phases projectPath with it. When the phase is " \
    "done call transition_to_next_phase (currentPhase: %s, projectPath: %s), " \
    "and then report_result; do not begin the next phase, another agent does."

/* actors/projects */
#define EN_PM_NO_ID \
    "'%s' is no id: %.*s; use letters, digits, '_', '-' and '.', up to 128"
#define EN_PM_EXISTS \
    "%s exists already: %.*s; choose another, or leave it out to have one " \
    "made"
#define EN_PM_NOT_FOR_AGENTS \
    "agent '%s' may not call %s: projects are set up by people and the " \
    "main agent"
#define EN_PM_NO_PROJECT "Project not found: %.*s"
#define EN_PM_PROJECT_NOT_FOUND "Project not found"
#define EN_PM_NO_TASK "Task not found: %.*s"
#define EN_PM_NO_CURSOR \
    "'cursor' is none of ours: %.*s; begin without one"
#define EN_PM_NO_RESOURCE "Resource not found: %.*s"
#define EN_PM_NO_URI \
    "Invalid resource URI: %.*s; use agent://ID, project://ID, task://ID, " \
    "context://TASK_ID or handoff://TASK_ID"
#define EN_PM_RESOURCE_PROJECT "Project"
#define EN_PM_RESOURCE_AGENT "Registered agent"
#define EN_PM_RESOURCE_TASK "Task"
#define EN_PM_NO_PROMPT "Unknown prompt: %.*s"
#define EN_PM_PROMPT_NEEDS \
    "prompt '%s' needs the argument '%s', a text that is not empty"
#define EN_PM_NO_HANDOFF "Handoff not found: %.*s"
#define EN_PM_DIRECTORY_NOT_ABSOLUTE \
    "'working_directory' must be an absolute path, but is: %.*s"
#define EN_PM_NOT_ASSIGNED \
    "Agent '%.*s' is not assigned to project '%.*s'. Assign the agent to " \
    "the project first."
#define EN_PM_HAS_TASKS \
    "Agent '%.*s' still has task %.*s in this project; give it to another " \
    "or cancel it first"
#define EN_PM_TOKEN_OR_AGENT "Missing required arguments: token (or agent_id)"
#define EN_PM_TOKEN_INVALID "Invalid session_token. Please re-authenticate."
#define EN_PM_OTHER_AGENT \
    "Session belongs to agent '%s' but operation requested for agent '%.*s'"
#define EN_PM_NOT_YOU \
    "agent '%s' is not '%.*s': authenticate as that agent first"
#define EN_PM_NO_SESSION "agent '%s' has no session: authenticate first"
#define EN_PM_LOGGED_OUT "The session is closed; the task stays as it is."
#define EN_PM_AUTH_FAILED "Invalid agent_id or passkey"
#define EN_PM_AGENT_NOT_ASSIGNED "Agent not assigned to project"
#define EN_PM_PROJECT_NOT_ACTIVE "Project is not active"
#define EN_PM_AGENT_NOT_ACTIVE "Agent is not active"
#define EN_PM_ALREADY_RUNNING "Agent already running on this project"
#define EN_PM_CALL_GET_TASK "Call get_my_task to get the task details."
#define EN_PM_PASSKEY_SHORT \
    "'passkey' needs at least 8 characters; leave it out to have one made"
#define EN_PM_OTHER_PROJECT "task %.*s is not in project %.*s"
#define EN_PM_CIRCLE "a circle: %.*s waits for this task already"
#define EN_PM_CANNOT_REASSIGN \
    "Cannot reassign task %s in %s status; its agent hands it over by " \
    "create_handoff"
#define EN_PM_WAITS_FOR "Task %s is blocked by incomplete dependencies: %.*s"
#define EN_PM_TOO_MANY "Agent %s has reached max parallel tasks limit (%d/%d)"
#define EN_PM_NO_ASSIGNEE \
    "Task %s has no assignee: assign it before it is begun"
#define EN_PM_HAS_CHILDREN "Task %s has a part that is not over: %.*s"
#define EN_PM_NO_TRANSITION "Invalid status transition from %s to %s"
#define EN_PM_TASK_NOT_YOURS "task %s is not a task of agent '%s'"
#define EN_PM_TASK_IS_OVER "task %s is %s"
#define EN_PM_THEN_REPORT "When the task is finished call report_completed."
#define EN_PM_NOTHING_TO_DO "No task is assigned to you at the moment."
#define EN_PM_FINISHED "Task finished; the session is closed. End the process."
#define EN_PM_NO_TASK_AT_WORK "No in_progress task found for this agent"
#define EN_PM_EMPTY_CONTEXT \
    "give at least one of progress, findings, blockers, next_steps"
#define EN_PM_HANDOFF_TO_SELF \
    "'to_agent_id' must be another agent than 'from_agent_id'"
#define EN_PM_HANDOFF_MAIL "Handoff of task '%s' (%s): %.*s"
#define EN_PM_HANDOFF_ACCEPTED "Handoff already accepted: %.*s"
#define EN_PM_HANDOFF_NOT_YOURS "Handoff %.*s is not addressed to you"
#define EN_RUNNER_PROMPT \
    "# Task: %.*s\n" \
    "\n" \
    "## Identification\n" \
    "- Task ID: %.*s\n" \
    "- Project ID: %.*s\n" \
    "- Agent ID: %.*s\n" \
    "- Agent Name: %.*s\n" \
    "\n" \
    "## Working Directory\n" \
    "%.*s\n" \
    "\n" \
    "## Description\n" \
    "%.*s\n" \
    "\n" \
    "## Instructions\n" \
    "1. Call authenticate(agent_id=\"%.*s\", " \
    "passkey=\"env:KUROMAJUTSU_PM_KEY\", project_id=\"%.*s\"), " \
    "word for word; take the system_prompt it returns as your role.\n" \
    "2. Call get_my_task(token) for the task, what is known of it and what " \
    "was handed over.\n" \
    "3. Complete the task in the working directory. Keep what matters by " \
    "save_context.\n" \
    "4. When done call report_completed(token, result=\"success\", " \
    "summary=...); if it cannot be done, result=\"failed\" or " \
    "\"blocked\" with the reason.\n" \
    "5. To pass it on, call create_handoff(task_id, " \
    "from_agent_id=\"%.*s\", to_agent_id, summary) and then " \
    "logout(token).\n" \
    "6. Then end."
#define EN_RUNNER_LEFT "agent %s ended (%s) without finishing the task"

/* clang-format on */

#endif

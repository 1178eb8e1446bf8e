/* SPDX-License-Identifier: MIT */
/* What `kuromajutsu pm` says, in English. */
#ifndef CONFIG_MESSAGES_PM_EN_H
#define CONFIG_MESSAGES_PM_EN_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/pm.c */
#define EN_PM_COMMAND "projects, their tasks and the agents who do them"
#define EN_PM_MANUAL \
"      --json               the answer as it is; all of them take it\n" \
"      --stdin              take the passkey from stdin instead of drawing one\n" \
"Of agents:\n" \
"      --role TEXT          what it is for, in your words\n" \
"      --role-type KIND     developer, reviewer, tester, architect, manager,\n" \
"                           writer, designer or analyst\n" \
"      --type KIND          ai or human\n" \
"      --ai-type KIND       cursor, claude, gemini, openai or other\n" \
"      --model MODEL        of its AI\n" \
"      --runs-as ROLE       a role of Kuromajutsu that it is started as\n" \
"      --rank KIND          manager or worker\n" \
"      --parent AGENT       whom it works for\n" \
"      --max-tasks N        how many tasks it does at a time in a project\n" \
"      --can LIST           what it can do\n" \
"      --prompt-file FILE   has its system prompt\n" \
"Of tasks:\n" \
"      --priority KIND      low, medium, high or urgent\n" \
"      --needs LIST         tasks that must be done before it\n" \
"      --parent TASK        what it is a part of\n" \
"      --minutes N          how long it may take\n" \
"      --description TEXT   what is to be done\n" \
"\n" \
"A passkey that was drawn is shown once. STATUS is backlog, todo, in_progress,\n" \
"blocked, done or cancelled; you may also take back what an agent has left in\n" \
"progress. assign without an agent makes a task nobody's. An empty value takes\n" \
"away what may be without one. show tells all of a task, project or agent;\n" \
"handoffs are those that nobody has taken yet. Lists and show need no hub: they\n" \
"tell what was recorded. setup makes prj_default and agt_claude, who works in it.\n" \
"\n" \
"FILE (- is stdin) is JSON with arrays: projects (project_id, name), agents\n" \
"(agent_id, name), assignments (agent_id, project_id) and tasks (task_id,\n" \
"project_id, title), each with what the tools create_* take besides. All of it\n" \
"is made, or nothing; what is there already under its id stays as it is."
#define EN_OPERAND_PM \
    "the first word (projects, agents, tasks, show ...)"
#define EN_PM_NOTHING_TO_CHANGE \
    "%s: nothing to change is named, such as %s; see: kuromajutsu help pm"

/* transport/command/text_file.c */
#define EN_TEXT_FILE_TOO_BIG \
    "%s: larger than %zu bytes, which is more than can be taken"
#define EN_TEXT_FILE_UNREADABLE "cannot read %s: %s"

/* transport/command/pm_projects.c */
#define EN_COLUMN_DIRECTORY "DIRECTORY"
#define EN_PM_NO_PROJECTS "No projects. To begin: kuromajutsu pm setup\n"
#define EN_PM_PROJECT_MADE "project %.*s was made\n"
#define EN_PM_PROJECT_CHANGED "project %.*s was changed\n"
#define EN_OPERAND_PM_NAME "a name"
#define EN_OPERAND_PM_PROJECT "a project's id (kuromajutsu pm projects)"

/* transport/command/pm_agents.c */
#define EN_COLUMN_TYPE "TYPE"
#define EN_COLUMN_WORK "WORK"
#define EN_COLUMN_RUNS_AS "RUNS AS"
#define EN_COLUMN_ROLE "ROLE"
#define EN_PM_NO_AGENTS \
    "No agents. To add one: kuromajutsu pm agents add NAME\n"
#define EN_PM_TYPE_PASSKEY "passkey: "
#define EN_PM_NO_PASSKEY_THERE \
    "%s: no passkey came on stdin; give it one line with at least 8 bytes"
#define EN_PM_PASSKEY_IS "passkey of %.*s: "
#define EN_PM_PASSKEY_ONCE \
    "\n(shown only now; another: kuromajutsu pm agents passkey ID)\n"
#define EN_PM_AGENT_MADE "agent %.*s was made\n"
#define EN_PM_PASSKEY_SET "agent %.*s has a new passkey\n"
#define EN_PM_AGENT_CHANGED "agent %.*s was changed\n"
#define EN_OPERAND_PM_AGENT "an agent's id (kuromajutsu pm agents)"

/* transport/command/pm_tasks.c */
#define EN_COLUMN_TITLE "TITLE"
#define EN_COLUMN_ASSIGNEE "ASSIGNEE"
#define EN_COLUMN_PRIORITY "PRIORITY"
#define EN_PM_NO_TASKS "No tasks.\n"
#define EN_PM_TASK_MADE "task %.*s was made\n"
#define EN_PM_TASK_CHANGED "task %.*s was changed\n"
#define EN_PM_TASK_NOBODYS "task %.*s is nobody's\n"
#define EN_PM_TASK_ASSIGNED "task %.*s is %.*s's\n"
#define EN_OPERAND_PM_TITLE "a project's id and the task's title"
#define EN_OPERAND_PM_TASK "a task's id (kuromajutsu pm tasks)"
#define EN_OPERAND_PM_TASK_STATUS "a task's id and its new status"

/* transport/command/pm_assign.c */
#define EN_PM_ASSIGNED "%.*s works in %.*s\n"
#define EN_PM_UNASSIGNED "%.*s does not work in %.*s any more\n"
#define EN_OPERAND_PM_ASSIGNMENT "an agent's and a project's id"
#define EN_COLUMN_TASK "TASK"
#define EN_COLUMN_FROM "FROM"
#define EN_COLUMN_TO "TO"
#define EN_PM_NO_HANDOFFS "No handoff is waiting.\n"
#define EN_PM_ANYBODY "(anybody)"

/* transport/command/pm_show.c */
#define EN_PM_CONTEXT_OF "context  %s  %.*s\n"
#define EN_PM_PROGRESS "progress"
#define EN_PM_FINDINGS "findings"
#define EN_PM_BLOCKERS "blockers"
#define EN_PM_NEXT_STEPS "next steps"
#define EN_PM_HANDOFF_OF "handoff  %s  %.*s -> %.*s\n"
#define EN_PM_CONTEXT "context"
#define EN_PM_RECOMMENDATIONS "recommendations"
#define EN_PM_TAKEN_BY "taken by"
#define EN_PM_NOT_TAKEN "nobody yet"
#define EN_PM_PROJECT "project"
#define EN_PM_ASSIGNEE "assignee"
#define EN_PM_PRIORITY "priority"
#define EN_PM_NEEDS "needs"
#define EN_PM_PARENT "parent"
#define EN_PM_BLOCKED "blocked by"
#define EN_PM_COMPLETED "completed"
#define EN_PM_DESCRIPTION "description"
#define EN_PM_TASKS "tasks"
#define EN_PM_TASK_COUNTS \
    "%" PRIu64 "/%" PRIu64 " done  %" PRIu64 " in progress  %" PRIu64 " blocked\n"
#define EN_PM_ROLE "role"
#define EN_PM_TYPE "type"
#define EN_PM_RUNS_AS "runs as"
#define EN_PM_WORK "work"
#define EN_PM_CAN "can"
#define EN_OPERAND_PM_ANY "the id of a task, project or agent"
#define EN_PM_NOTHING_OF_ID \
    "there is no task, project or agent '%s'; see: kuromajutsu pm tasks"

/* transport/command/pm_import.c */
#define EN_PM_PROJECTS "projects"
#define EN_PM_IMPORTED "%" PRIu64 " made  %" PRIu64 " there already\n"
#define EN_PM_FILE_NO_JSON "%s: no JSON at line %zu, column %zu: %s"
#define EN_PM_FILE_NO_OBJECT \
    "%s: expected an object with projects, agents, assignments and tasks, each an array"
#define EN_OPERAND_FILE "a file (- is stdin)"

/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/* The texts of the prompts in English. */
#include "actors/projects/inside.h"

/* clang-format off */
#define FACTS \
    "## Identification\n" \
    "- Task ID: {task_id}\n" \
    "- Project ID: {project_id}\n" \
    "- Project: {project_name}\n" \
    "- Agent ID: {agent_id}\n" \
    "- Agent Name: {agent_name}\n" \
    "\n" \
    "## Description\n" \
    "{description}\n" \
    "\n" \
    "## State\n" \
    "- Status: {status}\n" \
    "- Priority: {priority}\n" \
    "- Waits for: {dependencies}\n" \
    "\n" \
    "## Working Directory\n" \
    "{directory}\n" \
    "\n" \
    "## Previous Context\n" \
    "- Progress: {progress}\n" \
    "- Findings: {findings}\n" \
    "- Blockers: {blockers}\n" \
    "- Next steps: {next_steps}\n" \
    "\n" \
    "## Handoff Information\n" \
    "- From: {handoff_from}\n" \
    "- Summary: {handoff_summary}\n" \
    "- Context: {handoff_context}\n" \
    "- Recommendations: {handoff_advice}\n" \
    "\n"

const char *const prompt_en[PROMPTS] = {
    [PROMPT_TASK_START] =
    "# Task: {title}\n"
    "\n"
    FACTS
    "## Instructions\n"
    "1. Complete the task as described above.\n"
    "2. Work in {directory}, and leave what you make there.\n"
    "3. Keep what you find out on the way: save_context"
    "(task_id=\"{task_id}\", agent_id=\"{agent_id}\", progress=..., "
    "findings=...).\n"
    "4. If another agent should go on, hand the task over: create_handoff"
    "(task_id=\"{task_id}\", from_agent_id=\"{agent_id}\", summary=...).\n"
    "5. When it is done: report_completed(token=..., result=\"success\", "
    "summary=...) if you hold a token, else update_task_status"
    "(task_id=\"{task_id}\", status=\"done\").\n"
    "6. If you cannot go on, say why: report_completed(token=..., "
    "result=\"blocked\", summary=...), or update_task_status"
    "(task_id=\"{task_id}\", status=\"blocked\", reason=...).\n",

    [PROMPT_HANDOFF_TEMPLATE] =
    "# Handoff of: {title}\n"
    "\n"
    FACTS
    "## Write the handoff\n"
    "Somebody who knows nothing of this task goes on from what you write. "
    "Say:\n"
    "1. what has been done, and where it is;\n"
    "2. how it stands now, and what is left;\n"
    "3. what you recommend to do next, and in which order;\n"
    "4. what may go wrong, and what you have tried in vain.\n"
    "\n"
    "## Send it\n"
    "create_handoff(task_id=\"{task_id}\", from_agent_id=\"{agent_id}\", "
    "to_agent_id=..., summary=\"1. and 2. in a few sentences\", "
    "context=\"details, paths, decisions\", recommendations=\"3. and 4.\")\n"
    "Leave to_agent_id out for whoever takes it.\n"
    "\n"
    "## Who could take it\n"
    "{others}\n",

    [PROMPT_CONTEXT_SUMMARY] =
    "# Where it stands: {title}\n"
    "\n"
    FACTS
    "## Sum up\n"
    "Sum up the work on this task for somebody who goes on with it:\n"
    "- progress: what has been done;\n"
    "- findings: what was found out, with paths and numbers;\n"
    "- blockers: what holds it up, if anything does;\n"
    "- next_steps: what is to be done next, in order.\n"
    "\n"
    "## Keep it\n"
    "save_context(task_id=\"{task_id}\", progress=..., findings=..., "
    "blockers=..., next_steps=...)\n",

    [PROMPT_TASK_BREAKDOWN] =
    "# Steps of: {title}\n"
    "\n"
    FACTS
    "## Divide it\n"
    "Divide this task into steps. Each step is one action that one agent can "
    "finish by itself; say for each:\n"
    "- a title that names the action;\n"
    "- how one can tell that it is done;\n"
    "- which steps must be done before it.\n"
    "Order them so that no step comes before one it waits for. Leave out what "
    "the description does not ask for, and name what it leaves open.\n",

    [PROMPT_STATUS_REPORT] =
    "# Status of: {project_name}\n"
    "\n"
    "## Project\n"
    "- Project ID: {project_id}\n"
    "- Status: {status}\n"
    "- Description: {description}\n"
    "- Working directory: {directory}\n"
    "\n"
    "## Tasks\n"
    "- backlog: {backlog}\n"
    "- todo: {todo}\n"
    "- in_progress: {in_progress}\n"
    "- blocked: {blocked}\n"
    "- done: {done}\n"
    "- cancelled: {cancelled}\n"
    "\n"
    "## Open tasks\n"
    "{open}\n"
    "\n"
    "## Team\n"
    "{others}\n"
    "\n"
    "## Report\n"
    "Report how the project stands, for people who do not follow it daily:\n"
    "1. the progress as a whole;\n"
    "2. what has been achieved;\n"
    "3. what holds it up, and which risks there are;\n"
    "4. what comes next, and until when.\n"
    "Look at single tasks by get_task and list_tasks(project_id="
    "\"{project_id}\") where the figures are not enough.\n",
};
/* clang-format on */

/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt_text.h"

/* Texts are broken by width, which clang-format cannot see. */
/* clang-format off */
const struct prompt_text prompt_text_en = {
    .metadata =
        "---\n"
        "[kuromajutsu system information]\n"
        "\n"
        "You are a sub-agent started by the kuromajutsu agent management "
        "system.\n"
        "\n"
        "- Agent ID: {agentId}\n"
        "- Group ID: {groupId}\n"
        "- Role: {role}\n"
        "\n"
        "[Important: reporting the result when the task is complete]\n"
        "When the task is complete, always call the `report_result` tool "
        "of the kuromajutsu MCP to report the result.\n"
        "Give these parameters:\n"
        "\n"
        "  agentId: \"{agentId}\"\n"
        "  status: \"success\" or \"failure\"\n"
        "  summary: \"a summary of the result (1-2 short sentences)\"\n"
        "  response: \"a detailed report of the result (see the guideline "
        "below)\"\n"
        "  editedFiles: [\"paths of the files you edited\"]  // optional\n"
        "  createdFiles: [\"paths of the files you created\"]  // optional\n"
        "  errorMessage: \"the error message\"  // only on failure\n"
        "\n"
        "**Guideline for response:**\n"
        "The response is not a raw log but a structured report that sums "
        "up the result well.\n"
        "So that the main agent and humans understand exactly what "
        "happened, put into it:\n"
        "- What you did (the work)\n"
        "- What came of it (results, changes)\n"
        "- Why you decided or chose so (reasons)\n"
        "- Points to note, concerns (if any)\n"
        "- What to hand over to the next step (if any)\n"
        "\n"
        "Unless you call report_result, the main agent does not receive "
        "the result. Always call it, whether the task succeeded or "
        "failed.\n"
        "---",
    .tools_head =
        "---\n"
        "[Available tools]\n"
        "\n",
    .tools_tail =
        "\n"
        "---",
    .retry_head =
        "---\n"
        "[This is another attempt]\n"
        "\n"
        "Agent {agentId} had the same task and failed. It met this error:\n"
        "\n",
    .retry_tail =
        "\n"
        "\n"
        "Find out first what it has left behind in the working directory, and\n"
        "avoid the same failure.\n"
        "\n"
        "---",
    .previous_head =
        "---\n"
        "[Results of the previous stage]\n"
        "\n",
    .previous_tail =
        "\n"
        "---",
    .previous_agent = "[Agent: {agentId} ({role}) — {status}]\n",
    .summary = "Summary: ",
    .error =
        "\n"
        "Error: ",
    .response =
        "\n"
        "Response:\n",
    .no_summary = "(no result reported)",
    .no_response = "(report_result was not called)",
    .cut =
        "\n"
        "[{bytes} more bytes left out. get_agent_status(agentId: "
        "\"{agentId}\", full: true) gives all of it in result.response]",
    .more =
        "[Results of {count} more agents left out; get_agent_status gives "
        "them: {ids}]",
    .guide =
        "---\n"
        "[Orchestrator tool guide]\n"
        "\n"
        "All of these are tools of the kuromajutsu MCP. Your agent ID is "
        "{agentId}; your group (the parent group) is {groupId}.\n"
        "\n"
        "■ Ledgers\n"
        "- update_ledger: record your decisions. groupId is always the "
        "parent group \"{groupId}\".\n"
        "  Task ledger (for the first plan and at every re-plan):\n"
        "    groupId: \"{groupId}\", type: \"task\"\n"
        "    facts: { given: [...], toInvestigate: [...], toDerive: "
        "[...], assumptions: [...] }  // all four; [] if there is none\n"
        "    plan: [\"step 1\", \"step 2\", ...]\n"
        "  Progress ledger (once in every iteration, before delegating):\n"
        "    groupId: \"{groupId}\", type: \"progress\", iteration: its "
        "number (from 1)\n"
        "    isRequestSatisfied: { reason: \"why\", answer: true or false }\n"
        "    isInLoop: { reason: \"why\", answer: true or false }\n"
        "    isProgressBeingMade: { reason: \"why\", answer: true or false "
        "}\n"
        "    nextAction: { reason: \"why\", answer: \"what to do next\" }\n"
        "    instruction: { reason: \"why\", answer: \"which role is told "
        "what\" }\n"
        "\n"
        "■ Delegating\n"
        "- create_group: makes a unit of delegation. Give description, "
        "mode (\"concurrent\" or \"sequential\") and parentGroupId: "
        "\"{groupId}\".\n"
        "- run_agents: starts agents in parallel in a concurrent child "
        "group. groupId: the child group, agents: [{ role, prompt, "
        "workingDirectory?, timeout_ms? }]\n"
        "- run_sequential: runs stages one after the other in a "
        "sequential child group. groupId: the child group, stages: [{ "
        "tasks: [{ role, prompt, ... }] }], onFailure: \"continue\" or "
        "\"stop\". Summary and response of a stage are put into the "
        "prompts of the next one by themselves.\n"
        "\n"
        "■ Waiting and evaluating\n"
        "- wait_agent: agentIds: [...], mode: \"all\" or \"any\". An answer "
        "with timedOut: true (again: true) only means that they are "
        "still running; it is no failure. Call it again with the same "
        "arguments.\n"
        "- get_agent_status: give agentId, and read status, summary, "
        "response, errorMessage, editedFiles and createdFiles of result.\n"
        "- list_agents: give groupId, to see which agents are left.\n"
        "- cancel_agent: give agentIds or groupId, and reason, to stop "
        "agents that are no longer needed.\n"
        "- delete_group: clears away a child group that has been "
        "evaluated. Do not delete the parent group.\n"
        "\n"
        "■ One iteration\n"
        "1. Record the progress ledger. If isRequestSatisfied is true, "
        "leave the loop and go on to report_result\n"
        "2. If there is no progress, or a loop, write the task ledger "
        "anew\n"
        "3. Make a child group with create_group and delegate with "
        "run_agents or run_sequential\n"
        "4. Wait for all of them with wait_agent\n"
        "5. Read the results with get_agent_status and evaluate them "
        "against the completion criteria\n"
        "\n"
        "■ Rules that the server enforces\n"
        "- Each progress ledger with a new iteration counts as one "
        "iteration. Over the limit the answer is MAX_ITERATIONS_REACHED, "
        "and nothing can be delegated any more: finish with "
        "report_result.\n"
        "- Three progress ledgers in a row with isInLoop true or "
        "isProgressBeingMade false mark this group as stalled.\n"
        "- A role that is not available to you is refused with "
        "ROLE_NOT_ALLOWED: give the work to another role. The same goes "
        "for ROLE_UNAVAILABLE.\n"
        "- After MAX_CONCURRENT_REACHED wait for running agents to "
        "complete, or start fewer at once.\n"
        "- When you end, all sub-agents that you left running are "
        "stopped.\n"
        "---",
    .task =
        "---\n"
        "[Task]\n"
        "\n",
    .criteria =
        "---\n"
        "[Completion criteria]\n"
        "\n",
    .scope =
        "---\n"
        "[Scope and constraints]\n"
        "\n",
    .constraints =
        "\n"
        "\n"
        "Constraints: ",
    .context =
        "\n"
        "\n"
        "Context: ",
    .parameters =
        "---\n"
        "[Parameters]\n"
        "\n"
        "Available roles:\n",
    .role = "- {id}: {name} — {description}\n",
    .no_roles = "(none)\n",
    .iterations =
        "\n"
        "Maximum number of iterations: {count}",
    .timeout =
        "\n"
        "Time-out of the whole: {count} ms",
    .block_tail =
        "\n"
        "---",
};

/* SPDX-License-Identifier: MIT */
/*
 * A scenario knows no conditions, so each of these is the one story its name
 * says and leaves with 1 where the hub answers otherwise: what was to be saved
 * of the answer is then not there.
 */
#include "transport/puppet/builtin.h"

#include <stddef.h>

/* clang-format off */
#define ANSWER(answer, reason) "{reason: '" reason "', answer: " answer "}"
#define TASK_LEDGER(plan)                                                      \
"- mcp: {tool: update_ledger, args: {groupId: '${group_id}', type: task,\n"    \
"        facts: {given: [What was asked], toInvestigate: [Who can do it],\n"   \
"                toDerive: [], assumptions: [The parts fit together]},\n"      \
"        plan: [" plan "]}, save: {written: /status}}\n"
#define PROGRESS(iteration, is_satisfied, is_looping, is_moving, next, save)   \
"- mcp: {tool: update_ledger, args: {groupId: '${group_id}',\n"                \
"           type: progress, " iteration "\n"                                   \
"           isRequestSatisfied: " ANSWER(is_satisfied, "by the results") ",\n" \
"           isInLoop: " ANSWER(is_looping, "beside the last round") ",\n"      \
"           isProgressBeingMade: " ANSWER(is_moving, "what has changed") ",\n" \
"           nextAction: " ANSWER(next, "the plan says so") ",\n"               \
"           instruction: " ANSWER("go on", "as planned") "},\n"                \
"           save: {" save "}}\n"
#define PROGRESS_LEDGER(iteration, is_satisfied, is_moving, next)              \
PROGRESS("iteration: " iteration ",", is_satisfied, "false", is_moving, next,   \
         "written: /status")
#define CHILD_GROUP(description, mode)                                         \
"- mcp: {tool: create_group, args: {description: " description ",\n"           \
"        mode: " mode ", parentGroupId: '${group_id}'},\n"                     \
"        save: {child: /groupId}}\n"
#define ONE_AGENT(work)                                                        \
"{role: '${role}', prompt: \"puppet: " work "\\nPart of ${group_id}\"}"
#define RUN(agents, save)                                                      \
"- mcp: {tool: run_agents, args: {groupId: '${child}', agents: [" agents "]},\n" \
"        save: {" save "}}\n"
#define TWO_AT_WORK                                                            \
RUN(ONE_AGENT("${work}") ",\n   " ONE_AGENT("${work}"),                        \
    "first: /agents/0/agentId, second: /agents/1/agentId")
#define WAIT_FOR(ids)                                                          \
"- wait_mcp: {tool: wait_agent, args: {agentIds: [" ids "]},\n"                \
"             until: /timedOut, equals: false, timeout: 3600000}\n"
#define LOOK_AT(id, save)                                                      \
"- mcp: {tool: get_agent_status, args: {agentId: '" id "'}, save: {" save "}}\n"
#define REPORT(status, summary)                                                \
"- mcp:\n"                                                                     \
"    tool: report_result\n"                                                    \
"    args:\n"                                                                  \
"      agentId: ${agent_id}\n"                                                 \
"      status: " status "\n"                                                   \
"      summary: '" summary "'\n"                                               \
"      response: 'Of the group ${group_id}: " summary "'\n"                    \
"    save: {registered: /registered}\n"                                        \
"- say: The result is reported.\n"                                             \
"- result\n"

const struct builtin builtin_orchestrators[] = {
{"orchestrator",
"params: {role: impl-code, checker: code-review, work: report, delay: 20}\n"
"steps:\n"
"- think: {text: 'What is asked, and who can do it?', delay: '${delay}'}\n"
"- mcp: list_roles\n"
TASK_LEDGER("Two write a part each, Both are put together")
PROGRESS_LEDGER("1", "false", "true", "have two parts written")
"- say: {text: 'Two of them shall write a part each.', delay: '${delay}'}\n"
CHILD_GROUP("Two parts at once", "concurrent")
TWO_AT_WORK
WAIT_FOR("'${first}', '${second}'")
LOOK_AT("${first}", "part: /result/status")
LOOK_AT("${second}", "other: /result/status")
"- think: {text: 'The parts do not fit together. Another plan.', delay: '${delay}'}\n"
PROGRESS_LEDGER("2", "false", "false", "plan anew")
TASK_LEDGER("One writes both parts, Another one checks them")
CHILD_GROUP("One after the other", "sequential")
"- mcp:\n"
"    tool: run_sequential\n"
"    args:\n"
"      groupId: ${child}\n"
"      stages:\n"
"      - tasks: [" ONE_AGENT("${work}") "]\n"
"      - tasks: [{role: '${checker}', prompt: \"puppet: ${work}\\nCheck it.\"}]\n"
"    save: {writer: /stages/0/agentIds/0, judge: /stages/1/agentIds/0}\n"
WAIT_FOR("'${writer}', '${judge}'")
LOOK_AT("${judge}", "verdict: /result/status")
PROGRESS_LEDGER("3", "true", "true", "report")
"- usage: {input: 12040, output: 611, cache_read: 90112}\n"
REPORT("success", "Planned anew once. ${part}, ${other}, then ${verdict}.")},
{"orchestrator-stalls",
"params: {ledgers: 3, ms: 5}\n"
"steps:\n"
TASK_LEDGER("Try it")
"- repeat:\n"
"    times: ${ledgers}\n"
"    steps:\n"
"    "
PROGRESS("iteration: '${index}',", "false", "true", "false", "try again",
         "written: /status")
"    - sleep: ${ms}\n"
REPORT("failure", "No progress in ${ledgers} rounds.")},
{"orchestrator-exceeds",
"params: {iterations: 2, role: impl-code}\n"
"steps:\n"
TASK_LEDGER("Go round and round")
CHILD_GROUP("Too late for it", "concurrent")
"- repeat:\n"
"    times: ${iterations}\n"
"    steps:\n"
"    "
PROGRESS_LEDGER("'${index}'", "false", "true", "go on")
PROGRESS("", "false", "false", "true", "go on", "ledger_code: /code")
RUN(ONE_AGENT("report"), "run_code: /code")
REPORT("failure", "${ledger_code} ${run_code}")},
{"orchestrator-hangs",
"params: {role: impl-code, work: hang}\n"
"steps:\n"
TASK_LEDGER("Wait for what never comes")
PROGRESS_LEDGER("1", "false", "true", "wait")
CHILD_GROUP("Never to end", "concurrent")
TWO_AT_WORK
WAIT_FOR("'${first}', '${second}'")
"- hang\n"},
{"orchestrator-leaves",
"params: {role: impl-code, work: hang}\n"
"steps:\n"
TASK_LEDGER("Start them and leave")
CHILD_GROUP("Left behind", "concurrent")
TWO_AT_WORK
REPORT("success", "Left ${first} and ${second} behind.")},
{"orchestrator-strays",
"params: {role: impl-code, work: report}\n"
"steps:\n"
CHILD_GROUP("Of a role that is not allowed", "concurrent")
RUN(ONE_AGENT("${work}"), "code: /code")
REPORT("failure", "${code}")},
{"orchestrator-nests",
"params: {work: orchestrator-deepest}\n"
"steps:\n"
"- mcp:\n"
"    tool: run_magentic\n"
"    args: {description: One below another, task: \"puppet: ${work}\",\n"
"           completionCriteria: It has ended, scope: Nothing}\n"
"    save: {inner: /orchestratorAgentId}\n"
WAIT_FOR("'${inner}'")
LOOK_AT("${inner}", "below: /result/summary")
REPORT("success", "Below: ${below}")},
{"orchestrator-deepest",
"- mcp:\n"
"    tool: run_magentic\n"
"    args: {description: Too deep, task: \"puppet: hang\",\n"
"           completionCriteria: It has ended, scope: Nothing}\n"
"    save: {code: /code}\n"
REPORT("failure", "${code}")},
{"starts-agents",
"params: {role: impl-code}\n"
"steps:\n"
"- mcp: {tool: run_agents,\n"
"        args: {groupId: '${group_id}', agents: [" ONE_AGENT("report") "]},\n"
"        save: {code: /code}}\n"
REPORT("failure", "${code}")},
{NULL, NULL},
};
/* clang-format on */

#undef ANSWER
#undef TASK_LEDGER
#undef PROGRESS
#undef PROGRESS_LEDGER
#undef CHILD_GROUP
#undef ONE_AGENT
#undef RUN
#undef TWO_AT_WORK
#undef WAIT_FOR
#undef LOOK_AT
#undef REPORT

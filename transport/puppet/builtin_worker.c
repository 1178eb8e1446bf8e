/* SPDX-License-Identifier: MIT */
/*
 * Agents of the runner of projects: they show who they are, take their task and
 * end it, each in another way. Whom a task was handed over to is played by the
 * same scenario, for the task's text names it: then it is the handoff that is
 * refused, and the task that is done.
 */
#include "transport/puppet/builtin.h"

/* clang-format off */
const struct builtin builtin_workers[] = {
{"worker",
"params: {result: success, ms: 5}\n"
"steps:\n"
"- mcp:\n"
"    tool: authenticate\n"
"    args: {agent_id: '${KUROMAJUTSU_PM_AGENT}', project_id: '${KUROMAJUTSU_PM_PROJECT}', passkey: 'env:KUROMAJUTSU_PM_KEY'}\n"
"    save: {token: /token}\n"
"- mcp: {tool: get_my_task, args: {token: '${token}'}, save: {task: /task/task_id}}\n"
"- say: I have the task ${task}.\n"
"- edit: {path: 'src/${task}.c', content: \"int x;\\n\", created: true, ms: '${ms}'}\n"
"- mcp: {tool: save_context, args: {task_id: '${task}', progress: half is done, token: '${token}'}}\n"
"- mcp: {tool: report_completed, args: {token: '${token}', result: '${result}', summary: '${task}: ${result}'}}\n"
"- say: The task is reported.\n"
"- result\n"},
{"worker-hands-over",
"params: {to: agt_reviewer, ms: 5}\n"
"steps:\n"
"- mcp:\n"
"    tool: authenticate\n"
"    args: {agent_id: '${KUROMAJUTSU_PM_AGENT}', project_id: '${KUROMAJUTSU_PM_PROJECT}', passkey: '${KUROMAJUTSU_PM_KEY}'}\n"
"    save: {token: /token}\n"
"- mcp: {tool: get_my_task, args: {token: '${token}'}, save: {task: /task/task_id}}\n"
"- say: I have the task ${task}, and another is to go on with it.\n"
"- edit: {path: 'src/${task}.c', content: \"int x;\\n\", created: true, ms: '${ms}'}\n"
"- mcp: {tool: create_handoff, args: {task_id: '${task}', from_agent_id: '${KUROMAJUTSU_PM_AGENT}', to_agent_id: '${to}', summary: half is done, token: '${token}'}}\n"
"- mcp: {tool: report_completed, args: {token: '${token}', result: success, summary: '${task} by ${KUROMAJUTSU_PM_AGENT}'}}\n"
"- say: My part is done.\n"
"- result\n"},
{"worker-reports",
"params: {status: success}\n"
"steps:\n"
"- mcp:\n"
"    tool: authenticate\n"
"    args: {agent_id: '${KUROMAJUTSU_PM_AGENT}', project_id: '${KUROMAJUTSU_PM_PROJECT}', passkey: 'env:KUROMAJUTSU_PM_KEY'}\n"
"    save: {token: /token}\n"
"- mcp: {tool: get_my_task, args: {token: '${token}'}, save: {task: /task/task_id}}\n"
"- mcp: {tool: report_result, args: {agentId: '${KUROMAJUTSU_AGENT_ID}', status: '${status}', summary: 'reported: ${task}', response: 'reported: ${task}'}}\n"
"- result\n"},
{"worker-leaves",
"params: {code: 1}\n"
"steps:\n"
"- mcp:\n"
"    tool: authenticate\n"
"    args: {agent_id: '${KUROMAJUTSU_PM_AGENT}', project_id: '${KUROMAJUTSU_PM_PROJECT}', passkey: 'env:KUROMAJUTSU_PM_KEY'}\n"
"    save: {token: /token}\n"
"- mcp: {tool: get_my_task, args: {token: '${token}'}, save: {task: /task/task_id}}\n"
"- say: I have had enough.\n"
"- stderr: 'Error: no more'\n"
"- exit: ${code}\n"},
{NULL, NULL},
};
/* clang-format on */

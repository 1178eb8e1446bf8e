/* SPDX-License-Identifier: MIT */
#include "transport/puppet/help.h"

#include "transport/puppet/builtin.h"

/* clang-format off */
static const char usage[] =
"kuromajutsu-puppet: an agent CLI without an agent. It takes the\n"
"flags of Cursor Agent and Claude Code and prints their stream-json, from\n"
"a scenario.\n"
"\n"
"  kuromajutsu-puppet -p --force --output-format stream-json PROMPT\n"
"  kuromajutsu-puppet models | status | --list-models | --version\n"
"  claude -p …   (a link of that name, or --backend claude): Claude Code\n"
"  auth status   of Claude Code: whether somebody is logged in\n"
"\n"
"Which scenario: KUROMAJUTSU_PUPPET (a name or a path), else a line in the\n"
"prompt, `puppet: NAME [key=value…]` or `puppet-file: PATH [key=value…]`.\n"
"Built in: ";

static const char language[] =
"\n"
"\n"
"A scenario is a list of steps, or {params: {…}, init: true, steps: […]}:\n"
"\n"
"  params: {files: 2}              # defaults; `puppet: … files=5`\n"
"  steps:\n"
"  - think: How shall I do it?\n"
"  - say: {text: 'Asked: ${last_line}', chunks: 4, delay: 20}\n"
"  - tool: {name: shell, args: {command: make}, output: ok, ms: 50}\n"
"  - repeat: {times: '${files}', steps: [edit: 'src/${index}.c']}\n"
"  - edit: {path: a.c, content: \"int a;\\n\", created: true, write: true}\n"
"  - mcp: {tool: create_group, args: {description: d}, save: {g: /groupId}}\n"
"  - wait_mcp: {tool: wait_agent, args: {agentIds: ['${agent_id}']},\n"
"               until: /timedOut, equals: false, timeout: 60000}\n"
"  - usage: {input: 10, output: 5}\n"
"  - result                        # {text, error: true, status: 429}\n"
"\n"
"tool/edit result: success|rejected|error|denied, reason: TEXT. Other steps:\n"
"  sleep: MS          stderr: TEXT     exit: CODE       init\n"
"  spin: MS, busy\n"
"  raw: LINE          raw: {hex: 80ff} bad_utf8: N      crash: SEGV\n"
"  flood: {lines, size}  line: {mb}    trickle: {lines, every}\n"
"  hang               ignore_term: on  daemon: {ignore_term, hold_stdout,\n"
"  rate_limit: rejected  retry: {attempt, status}         seconds}\n"
"\n"
"${…}: parameters, saved variables, index, prompt, last_line, reply, model,\n"
"cwd, session_id, agent_id, group_id, daemon_pid, KUROMAJUTSU_*. $${ is ${.\n"
"Quote it inside {}. A wrong scenario: FILE:LINE:COLUMN, exit 2.\n"
"\n"
"The MCP server is the one in --plugin-dir (with --approve-mcps and\n"
"--force) or --mcp-config, else KUROMAJUTSU_MCP_COMMAND.\n"
"KUROMAJUTSU_PUPPET_SPEED: delays are multiplied by it, 0 = none.\n"
"KUROMAJUTSU_PUPPET_MODELS=id=Label,…   KUROMAJUTSU_PUPPET_LOGIN=no\n"
"KUROMAJUTSU_PUPPET_LEAVE_MS: what an MCP server has to leave, twice.\n";
/* clang-format on */

void help_add(struct text *out)
{
    text_adds(out, usage);
    builtin_names(out);
    text_adds(out, language);
}

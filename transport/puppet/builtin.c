/* SPDX-License-Identifier: MIT */
#include "transport/puppet/builtin.h"

#include <string.h>

/* clang-format off */
static const struct builtin builtins[] = {
{"default",
"params: {ms: 250, delay: 40}\n"
"steps:\n"
"- think: {text: 'Looking at what is asked: ${last_line}', delay: '${delay}'}\n"
"- say: {text: 'I will look at the project first.', delay: '${delay}'}\n"
"- tool: {name: read, args: {path: README.md}, output: \"# Project\\n\", ms: '${ms}'}\n"
"- edit: {path: notes/puppet.md, content: \"# Notes\\n\\nDone.\\n\", created: true, ms: '${ms}'}\n"
"- usage: {input: 8830, output: 185, cache_read: 44800}\n"
"- say: {text: 'Done. The task was: \"${last_line}\". One file was written (pretended): notes/puppet.md.', delay: '${delay}'}\n"
"- result\n"},
{"reply",
"- say: {text: '${reply}', chunks: 1}\n"
"- result\n"},
{"edits",
"params: {files: 3, write: false, dir: src, ms: 5}\n"
"steps:\n"
"- say: Editing the files.\n"
"- repeat:\n"
"    times: ${files}\n"
"    steps:\n"
"    - edit: {path: '${dir}/new_${index}.c', content: \"int new_${index};\\n\", created: true, write: '${write}', ms: '${ms}'}\n"
"    - edit: {path: '${dir}/old_${index}.c', old: \"int a;\\n\", content: \"int b;\\n\", created: false, ms: '${ms}'}\n"
"- tool: {name: write, args: {path: '${dir}/written.c', fileText: \"int w;\\n\"}, ms: '${ms}'}\n"
"- edit: {path: '${dir}/refused.c', content: \"int r;\\n\", result: rejected, reason: 'not allowed here'}\n"
"- tool: {name: delete, args: {path: '${dir}/gone.c'}, ms: '${ms}'}\n"
"- say: The files are edited.\n"
"- result\n"},
{"long-output",
"params: {messages: 200, delay: 1, ms: 2}\n"
"steps:\n"
"- repeat:\n"
"    times: ${messages}\n"
"    steps:\n"
"    - say: {text: 'Message ${index}: 長い出力の一行です。 The quick brown fox jumps over the lazy dog.', delay: '${delay}'}\n"
"    - tool: {name: shell, args: {command: 'make part-${index}'}, output: \"part ${index} built\\n\", ms: '${ms}'}\n"
"- say: All parts are built.\n"
"- result\n"},
{"thinking",
"params: {rounds: 5, delay: 10}\n"
"steps:\n"
"- repeat:\n"
"    times: ${rounds}\n"
"    steps:\n"
"    - think: {text: 'Thought ${index}: what if it were the other way round?', delay: '${delay}'}\n"
"- say: It is as it should be.\n"
"- result\n"},
{"failure",
"params: {code: 1, text: 'Error: the model gave up'}\n"
"steps:\n"
"- say: Trying it.\n"
"- tool: {name: shell, args: {command: make}, output: \"make: *** Error 2\\n\", exit: 2}\n"
"- stderr: ${text}\n"
"- result: {text: '${text}', error: true}\n"
"- exit: ${code}\n"},
{"report",
"params: {status: success, ms: 5}\n"
"steps:\n"
"- say: I will do it and report.\n"
"- edit: {path: src/report.c, content: \"int x;\\n\", created: false, ms: '${ms}'}\n"
"- mcp:\n"
"    tool: report_result\n"
"    args:\n"
"      agentId: ${agent_id}\n"
"      status: ${status}\n"
"      summary: 'Done: ${last_line}'\n"
"      response: 'What was asked: ${last_line}. It was done, and this is the report.'\n"
"      editedFiles: [src/report.c]\n"
"- say: The result is reported.\n"
"- result\n"},
{"no-result",
"- say: I will stop in the middle\n"},
{"exit-nonzero-after-result",
"params: {code: 3}\n"
"steps:\n"
"- say: All is well.\n"
"- result\n"
"- stderr: 'Error: something went wrong on the way out'\n"
"- exit: ${code}\n"},
{"second-result",
"params: {ms: 50}\n"
"steps:\n"
"- say: I have launched it in the background.\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"task_started\",\"task_id\":\"b1\",\"description\":\"background\",\"session_id\":\"${session_id}\"}'\n"
"- result\n"
"- sleep: ${ms}\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"task_notification\",\"task_id\":\"b1\",\"status\":\"completed\",\"summary\":\"done\",\"session_id\":\"${session_id}\"}'\n"
"- init\n"
"- say: The background task has finished, and this is the answer.\n"
"- result\n"},
{"background",
"params: {ms: 50, answer: 'The background task has finished, and this is the answer.'}\n"
"steps:\n"
"- say: Start it in the background.\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"background_tasks_changed\",\"tasks\":[{\"task_id\":\"bk1\",\"run_id\":\"r-1\",\"task_type\":\"local_bash\",\"description\":\"bg\"}],\"session_id\":\"${session_id}\"}'\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"task_started\",\"task_id\":\"bk1\",\"run_id\":\"r-1\",\"description\":\"bg\",\"is_backgrounded\":true,\"task_type\":\"local_bash\",\"session_id\":\"${session_id}\"}'\n"
"- say: Started in the background.\n"
"- result\n"
"- sleep: ${ms}\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"task_updated\",\"task_id\":\"bk1\",\"run_id\":\"r-1\",\"patch\":{\"status\":\"completed\"},\"session_id\":\"${session_id}\"}'\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"task_notification\",\"task_id\":\"bk1\",\"run_id\":\"r-1\",\"status\":\"completed\",\"summary\":\"Background command completed (exit code 0)\",\"session_id\":\"${session_id}\"}'\n"
"- raw: '{\"type\":\"system\",\"subtype\":\"background_tasks_changed\",\"tasks\":[],\"session_id\":\"${session_id}\"}'\n"
"- init\n"
"- say: ${answer}\n"
"- result\n"},
{"usage-limit",
"params: {code: 1, text: 'You have hit your usage limit.'}\n"
"steps:\n"
"- raw: ${text}\n"
"- exit: ${code}\n"},
{"hang",
"- say: I will think about it for ever.\n"
"- hang\n"},
{"hang-after-result",
"- say: Done, but I stay.\n"
"- result\n"
"- hang\n"},
{"crash",
"params: {signal: SEGV}\n"
"steps:\n"
"- say: A complete message.\n"
"- tool: {name: read, args: {path: a.c}}\n"
"- say: {text: And then in the middle of a sen, complete: false}\n"
"- crash: ${signal}\n"},
{"ignore-term",
"- ignore_term: true\n"
"- say: I do not hear SIGTERM.\n"
"- hang\n"},
{"daemon",
"params: {ignore_term: false, hold_stdout: true, seconds: 600}\n"
"steps:\n"
"- daemon: {ignore_term: '${ignore_term}', hold_stdout: '${hold_stdout}', seconds: '${seconds}'}\n"
"- say: 'Left behind: ${daemon_pid}'\n"
"- result\n"},
{"flood",
"params: {lines: 100000, size: 200}\n"
"steps:\n"
"- flood: {lines: '${lines}', size: '${size}'}\n"
"- say: The flood is over.\n"
"- result\n"},
{"trickle",
"params: {lines: 20, every: 100}\n"
"steps:\n"
"- trickle: {lines: '${lines}', every: '${every}'}\n"
"- say: That was all.\n"
"- result\n"},
{"busy",
"params: {rounds: 1000000000, ms: 5}\n"
"steps:\n"
"- repeat:\n"
"    times: ${rounds}\n"
"    steps:\n"
"    - trickle: {lines: 1, every: 0}\n"
"    - spin: ${ms}\n"
"- result\n"},
{"giant-line",
"params: {mb: 50}\n"
"steps:\n"
"- line: {mb: '${mb}'}\n"
"- say: That was a long one.\n"
"- result\n"},
{"broken-utf8",
"params: {lines: 3}\n"
"steps:\n"
"- bad_utf8: ${lines}\n"
"- raw: this line is not JSON\n"
"- raw: '{\"type\":\"assistant\",\"message\":'\n"
"- say: 壊れた行の後でも続く。\n"
"- result\n"},
{"rate-limit",
"params: {retries: 2, delay: 50, resets_in: 3600, code: 1}\n"
"steps:\n"
"- say: Starting.\n"
"- rate_limit: {status: allowed_warning, resets_in: '${resets_in}'}\n"
"- repeat:\n"
"    times: ${retries}\n"
"    steps:\n"
"    - retry: {status: 429, error: rate_limit, delay: '${delay}'}\n"
"    - sleep: ${delay}\n"
"- rate_limit: {status: rejected, resets_in: '${resets_in}'}\n"
"- stderr: \"Error: You've hit your usage limit\"\n"
"- result: {text: \"You've hit your session limit\", error: true, status: 429, reason: api_error}\n"
"- exit: ${code}\n"},
};
/* clang-format on */

enum { BUILTINS = sizeof(builtins) / sizeof(*builtins) };

const char *builtin_source(const char *name)
{
    for (int i = 0; i < BUILTINS; i++)
        if (!strcmp(builtins[i].name, name))
            return builtins[i].source;
    for (const struct builtin *b = builtin_orchestrators; b->name; b++)
        if (!strcmp(b->name, name))
            return b->source;
    for (const struct builtin *b = builtin_workers; b->name; b++)
        if (!strcmp(b->name, name))
            return b->source;
    return NULL;
}

void builtin_names(struct text *list)
{
    for (int i = 0; i < BUILTINS; i++)
        text_addf(list, "%s%s", i ? ", " : "", builtins[i].name);
    for (const struct builtin *b = builtin_orchestrators; b->name; b++)
        text_addf(list, ", %s", b->name);
    for (const struct builtin *b = builtin_workers; b->name; b++)
        text_addf(list, ", %s", b->name);
}

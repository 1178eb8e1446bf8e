/* SPDX-License-Identifier: MIT */
/* What the manual says: `kuromajutsu help`, in English. */
#ifndef CONFIG_MESSAGES_MANUAL_EN_H
#define CONFIG_MESSAGES_MANUAL_EN_H

/* clang-format off */

/* transport/command/agents.c */
#define EN_AGENTS_COMMAND "lists the agents"
#define EN_AGENTS_MANUAL \
"  -g, --group G    only those of this group\n" \
"  -s, --status S   running, completed, failed, all, queued, timedOut,\n" \
"                   resultReported or cancelled\n" \
"  -w, --watch      shows it again and again until all have ended\n" \
"      --json       the answer as it is\n" \
"Without a hub it tells what was recorded."

/* transport/command/cancel.c */
#define EN_CANCEL_COMMAND \
    "cancels agents, or a whole group with its child groups"
#define EN_CANCEL_MANUAL \
"An id is an agent's, or a group's: all in it and in its child groups.\n" \
"\n" \
"  -g, --group G    this group, instead of ids\n" \
"  -r, --reason R   why\n"

/* transport/command/doctor.c */
#define EN_DOCTOR_COMMAND \
    "says what is wrong with this set-up and how to mend it"
#define EN_DOCTOR_MANUAL \
"Looks at configuration, state directory, programs, hub and roles, the\n" \
"agents' CLI and its login, the entries of MCP clients (Cursor, Claude\n" \
"Code, Codex, Gemini) and the system's limits. Changes nothing and\n" \
"starts no hub. Exit code 0 without any fail, else 1."

/* transport/command/export.c */
#define EN_EXPORT_COMMAND "puts definition, result and transcript into one file"
#define EN_EXPORT_MANUAL \
"  -o, --output FILE   into this file; else to stdout\n" \
"      --html          a group as one file of HTML: time line, stories and\n" \
"                      past moments, for any browser, without a hub or a\n" \
"                      network\n" \
"      --full          with --html: stories whole, however long they are\n" \
"Without --html one JSON object a line (NDJSON). A group comes with the groups\n" \
"below it. Works without a hub too.\n" \
"Both contain prompts, what agents said, outputs of commands and diffs as they\n" \
"are: look for secrets before you give them to others."

/* transport/command/gc.c */
#define EN_GC_COMMAND "removes what is old enough of the history"
#define EN_GC_MANUAL \
"  -n, --dry-run   only says what would go\n" \
"      --json      the answer of gc as it is\n" \
"The hub does the same every hour; history.* of the settings says what is old.\n" \
"It removes directories and compresses transcripts after that, bit by bit."

/* transport/command/groups.c */
#define EN_GROUPS_COMMAND "lists the groups, child groups below their parents"
#define EN_GROUPS_MANUAL \
"  -n, --limit N   the newest N of them: 1 to 1000 (100)\n" \
"      --json      the answer of list_groups as it is\n" \
"Without a hub it tells what was recorded."

/* transport/command/help.c */
#define EN_HELP_HEAD \
"kuromajutsu: an MCP server that lets Cursor and other MCP clients run many\n" \
"sub-agents: at once, one after the other, or under an orchestrator.\n" \
"\n" \
"To begin, in your project's directory:\n" \
"  1. kuromajutsu doctor                            look at the set-up\n" \
"  2. mkdir -p .cursor\n" \
"     kuromajutsu mcp-config > .cursor/mcp.json     tell Cursor of it\n" \
"  3. ask Cursor to \"share this among three agents\", and watch:\n" \
"     kuromajutsu agents      kuromajutsu logs -f ID\n" \
"\n" \
"Usage: kuromajutsu [--project DIR] [--config FILE] [--db FILE] COMMAND ...\n" \
"\n" \
"  mcp           the MCP server on stdin and stdout: what mcp.json starts\n" \
"  serve         runs the hub in the foreground; mcp starts one by itself\n" \
"  --standalone  hub and MCP server in one process\n"
#define EN_HELP_TAIL \
"\n" \
"More: kuromajutsu help COMMAND      all settings: kuromajutsu help config\n" \
"\n" \
"Environment:\n" \
"  KUROMAJUTSU_PROJECT        the project (found upwards from here)\n" \
"  KUROMAJUTSU_CONFIG         configuration (its kuromajutsu.config.yaml)\n" \
"  KUROMAJUTSU_DB             database, with a hub of its own (that of the state)\n" \
"  XDG_CONFIG_HOME            has your own kuromajutsu/config.yaml (~/.config)\n" \
"  KUROMAJUTSU_HOME           where state lies (~/.local/state/kuromajutsu)\n" \
"  KUROMAJUTSU_AGENT_COMMAND  the agents' CLI (Cursor's agent, else cursor-agent)\n" \
"  KUROMAJUTSU_LANGUAGE       ja, en or auto (by LC_ALL, LC_MESSAGES, LANG)\n" \
"  KUROMAJUTSU_LOG_LEVEL      debug, info, warn or error\n" \
"  CURSOR_API_KEY             is handed on to the agents\n" \
"  NO_COLOR, COLUMNS          no colours; width of tables\n" \
"\n" \
"Exit codes: 0 fine  1 failed, not found  2 wrong use or settings  3 no hub\n"
#define EN_MCP_MANUAL \
"kuromajutsu mcp [--toolsets LIST] [--db FILE] [--standalone]\n" \
"\n" \
"The MCP server: JSON-RPC on stdin and stdout, the work is the hub's, which it\n" \
"starts if there is none. Clients start it by .cursor/mcp.json, people do not.\n" \
"Plain kuromajutsu does the same where stdin is no terminal.\n" \
"\n" \
"  --toolsets LIST  offers these, such as kuro,mail (the settings' toolsets)\n" \
"  --db FILE        the store is this database, with a hub of its own; all who\n" \
"                   name it meet there, from whatever directory\n" \
"  --standalone     hub and MCP server in one process\n" \
"\n" \
"A hub has the settings of the directory it was started in, also with --db: to\n" \
"be sure of them, name --project DIR or --config FILE too. All commands take\n" \
"--db FILE; the file is made if it is not there, its directory is not.\n"
#define EN_SERVE_MANUAL \
"kuromajutsu serve\n" \
"\n" \
"Runs the hub in the foreground until Ctrl-C or kuromajutsu stop. There is one\n" \
"for a configuration (or directory); if it runs already, this ends at once\n" \
"with 0. The log is for people on a terminal and JSON elsewhere (log.format).\n" \
"In the background: kuromajutsu start.\n"
#define EN_STANDALONE_MANUAL \
"kuromajutsu --standalone\n" \
"\n" \
"Hub and MCP server in one process; refused while a hub of the same\n" \
"configuration runs.\n"
#define EN_HELP_NONE "there is no help on '%s'. %s%s"
#define EN_HELP_DID_YOU_MEAN "Did you mean "
#define EN_HELP_SEE "See `kuromajutsu --help`"
#define EN_HELP_COMMAND \
    "this text, or the manual of a command or of all settings"
#define EN_HELP_MANUAL "kuromajutsu help config lists all keys of the settings."
#define EN_VERSION_COMMAND "tells which version and build this is (--version)"

/* transport/command/history.c */
#define EN_HISTORY_COMMAND "finds agents of the past, newest first"
#define EN_HISTORY_MANUAL \
"  -q, --search TEXT  words, in prompts, summaries, responses or files\n" \
"      --since WHEN   from then on: 2h, 3d, 2026-02-13, 2026-02-13T12:00\n" \
"      --until WHEN   before then\n" \
"  -g, --group G      only those of this group\n" \
"  -r, --role R       only those of this role\n" \
"  -s, --status S     as of agents\n" \
"  -n, --limit N      so many at a time: 1 to 500 (50)\n" \
"      --before N     goes on where the last page has ended\n" \
"      --json         the answer of history as it is\n"

/* transport/command/hubs.c */
#define EN_HUBS_COMMAND "lists all hubs of this user"
#define EN_HUBS_MANUAL \
"  -a, --all    state directories without a hub too\n" \
"      --json   the table as JSON\n" \
"Each with its project, process, since when it runs, how many\n" \
"agents are running, and where its dashboard is."

/* transport/command/logs.c */
#define EN_LOGS_COMMAND "tells what an agent or a group said and did"
#define EN_LOGS_MANUAL \
"  -f, --follow      goes on until the end, with text as it comes\n" \
"  -n, --tail N      only the last N entries\n" \
"      --since WHEN  only from then on: 90s, 2h, 2026-02-13T12:00\n" \
"      --raw         the stream-json that the CLI printed\n" \
"Works without a hub too.\n" \
"  logs --hub [-f] [-n N] [--json]   the hub's own log (its last N lines, 100)"

/* transport/command/mcp_config.c */
#define EN_MCP_CONFIG_COMMAND \
    "prints the entry for an MCP client's configuration"
#define EN_MCP_CONFIG_MANUAL \
"CLIENT is cursor (unless said), claude, codex, gemini, vscode or opencode.\n" \
"stdout is that client's own format alone:\n" \
"  kuromajutsu mcp-config > .cursor/mcp.json\n" \
"  kuromajutsu mcp-config --for claude > .mcp.json\n" \
"  kuromajutsu mcp-config --for codex >> ~/.codex/config.toml\n" \
"  kuromajutsu mcp-config --for gemini > .gemini/settings.json\n" \
"  kuromajutsu mcp-config --for vscode > .vscode/mcp.json\n" \
"  kuromajutsu mcp-config --for opencode > opencode.json\n" \
"It has the settings that are needed: time-outs, approval, variables.\n" \
"It names the project that is found from here (or --project DIR), so that it\n" \
"means the same hub wherever it is started; Codex's, which is for all projects,\n" \
"only if --project DIR is given. With --config FILE it holds KUROMAJUTSU_CONFIG\n" \
"instead. --db FILE is passed on.\n" \
"\n" \
"  --for CLIENT     the client; usual: cursor\n" \
"  --toolsets LIST  what it is offered: kuro, mail, phases, pm, pm_admin with\n" \
"                   commas; usual: kuro,mail, since some clients show no more\n" \
"                   than 40 tools of all their servers together"

/* transport/command/replay.c */
#define EN_REPLAY_COMMAND \
    "plays what happened in a group and below it, as fast as it did"
#define EN_REPLAY_MANUAL \
"  -s, --speed N   so many times as fast: 1 to 100 (1)\n" \
"  -f, --follow    then what happens now, until the group is deleted\n"

/* transport/command/report.c */
#define EN_REPORT_COMMAND \
    "tells a group's work in Markdown, ready for a pull request"
#define EN_REPORT_MANUAL \
"  -o, --output FILE   into this file; else to stdout\n" \
"Task, outcomes, summaries, files, git's diff of them, and cost; with the groups\n" \
"below it. Works without a hub too."

/* transport/command/retry.c */
#define EN_RETRY_COMMAND \
    "runs agents that have ended once more, with the error they met"
#define EN_RETRY_MANUAL \
"      --failed   of a group's agents only those that have failed\n" \
"      --json     the hub's answer as it is\n" \
"Prompt, role, directory and time-out are the same; one that failed is\n" \
"told the error. `show` of the new agent has the id of the old one.\n" \
"  a concurrent group   in the same group; in a new one if it was deleted\n" \
"  a sequential group   its last plan, from the first stage on; with\n" \
"                       --failed only if something in it has failed. No\n" \
"                       stage runs alone\n" \
"  a magentic group     its orchestrator, in a new group\n" \
"Budgets, permissions and places are as for run_agents."

/* transport/command/roles.c */
#define EN_ROLES_COMMAND "lists the roles and whether they can be used"
#define EN_ROLES_MANUAL \
"Says why one cannot be used, and which tools others miss. One that is being\n" \
"checked can be given work: it begins after the check. A model is \"not checked\"\n" \
"where the CLI has no list of them. How to mend it: `kuromajutsu doctor`."

/* transport/command/show.c */
#define EN_SHOW_COMMAND "tells all about one agent or group"
#define EN_SHOW_MANUAL \
"Of an agent: state, times, tokens, cost, prompt, result. What it said and\n" \
"did: `kuromajutsu logs ID`. Of a group: plan, ledger, members.\n" \
"An id may be a piece that only one begins or ends with. Exit code 1 if there\n" \
"is none of that id. Without a hub it tells what was recorded."

/* transport/command/start.c */
#define EN_START_COMMAND \
    "starts the hub in the background and says where its dashboard is"
#define EN_START_MANUAL \
"It stays until kuromajutsu stop; one that an MCP client has started\n" \
"leaves by itself when nobody needs it. If one runs already, only says\n" \
"where. Its log: kuromajutsu logs --hub"

/* transport/command/status.c */
#define EN_STATUS_COMMAND "tells how the hub is: agents, places, where it lives"
#define EN_STATUS_MANUAL "Exit code 3 if no hub is running."

/* transport/command/stop.c */
#define EN_STOP_COMMAND "ends the hub"
#define EN_STOP_MANUAL \
"  -k, --keep-agents   agents live on, for the next hub to take over\n" \
"                      (without one within hub.lease_ms they end)\n" \
"Otherwise all agents end too. Exit code 3 if no hub is running."

/* transport/command/trust.c */
#define EN_TRUST_COMMAND \
    "lets what a project's settings could run or expose take effect"
#define EN_TRUST_MANUAL \
"FILE is this project's kuromajutsu.config.yaml if it is not given.\n" \
"What could run or expose something (agent.command, agent.allowNesting,\n" \
"dashboard host, token and tokenFile, healthCheckPrompt,\n" \
"healthCheckCommand) has no effect from a file that came with a project\n" \
"until you have said this, and again when a value has changed. Your own\n" \
"~/.config/kuromajutsu/config.yaml, the environment and a file named by\n" \
"--config need none.\n" \
"      --revoke   takes it back"

/* transport/command/phases.c */
#define EN_PHASES_COMMAND \
    "shows how projects stand in their phases, or runs them"
#define EN_PHASES_MANUAL \
"      --project-path DIR   of this project; run: instead of the directory here\n" \
"      --from PHASE         run: begin with this one; usual: phase0\n" \
"      --json               the hub's answer as it is\n" \
"run starts an agent for each phase, one after the other, with the phase's\n" \
"prompt and TEXT, what the customer wants, since nobody can be asked. One\n" \
"that fails stops the plan; mend it and go on with --from. A phase can be\n" \
"begun where the one before it is completed."

/* transport/command/usage.c */
#define EN_USAGE_COMMAND "sums up tokens and cost"
#define EN_USAGE_MANUAL \
"  -b, --by KEY       agent, group, role, model or day (day, of UTC)\n" \
"      --since WHEN   agents started from then on: 2h, 3d, 2026-02-13\n" \
"      --until WHEN   agents started before then\n" \
"  -n, --limit N      so many rows: 1 to 1000 (100)\n" \
"      --json         the answer of usage as it is\n" \
"The cost is what the CLI says, else by the settings' prices."

/* transport/command/wait.c */
#define EN_WAIT_COMMAND "waits until agents or groups have ended"
#define EN_WAIT_MANUAL \
"  -t, --timeout S   for so many seconds (else to the end)\n" \
"      --json        the answers of wait_agent as they are\n" \
"Exit code 0 if all have succeeded; 1 if some have failed, or have not ended.\n" \
"Without a hub it tells how those ended that have; 3 if one has not."

/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/* What each key of a configuration means, in English. */
#ifndef CONFIG_MESSAGES_KEYS_EN_H
#define CONFIG_MESSAGES_KEYS_EN_H

/* clang-format off */

/* config/: keys.c, keys_text.c */
#define EN_KEY_OF_LANGUAGE \
    "language of prompts and messages; auto: by LC_ALL, LC_MESSAGES or " \
    "LANG, Japanese where they name none"
#define EN_KEY_OF_TOOLSETS "which tools MCP clients are offered"
#define EN_KEY_OF_DASHBOARD_PORT \
    "port of HTTP and WebSocket; 0: any that is free"
#define EN_KEY_OF_DASHBOARD_HOST \
    "address to listen on; other than loopback needs a token"
#define EN_KEY_OF_DASHBOARD_TOKEN \
    "secret that every request must carry; without one only your own user " \
    "gets in"
#define EN_KEY_OF_DASHBOARD_TOKEN_FILE \
    "file that holds the secret instead; only you may read it"
#define EN_KEY_OF_AGENT_BACKEND \
    "CLI the agents are, unless a role says otherwise"
#define EN_KEY_OF_AGENT_COMMAND \
    "program to start instead of the one found on PATH"
#define EN_KEY_OF_AGENT_MAX_CONCURRENT "agents that run at the same time"
#define EN_KEY_OF_AGENT_MAX_ORCHESTRATORS \
    "orchestrators that run at the same time, beside the agents"
#define EN_KEY_OF_AGENT_MAX_QUEUED \
    "agents that may wait for a place; 0 refuses them instead"
#define EN_KEY_OF_AGENT_DEFAULT_TIMEOUT_MS \
    "time-out of an agent that was given none; null: no time-out"
#define EN_KEY_OF_AGENT_EXIT_GRACE_MS \
    "time to leave after the stream's last event"
#define EN_KEY_OF_AGENT_REPORT_GRACE_MS \
    "silence allowed between a report and the stream's end, while no tool " \
    "runs"
#define EN_KEY_OF_AGENT_STALL_WARN_MS \
    "silence after which an agent is shown as stalled; 0: never"
#define EN_KEY_OF_AGENT_INJECT_LIMIT_BYTES \
    "results of the previous stage in a prompt, all together"
#define EN_KEY_OF_AGENT_LINE_LIMIT_BYTES \
    "longest line read from an agent; longer ones are skipped"
#define EN_KEY_OF_AGENT_TRANSCRIPT_LIMIT_BYTES \
    "output of one agent; over it the agent is ended"
#define EN_KEY_OF_AGENT_NICE \
    "how much less of a busy machine agents get than the hub and your own " \
    "programs; 0 or null: no less"
#define EN_KEY_OF_AGENT_MEMORY_MAX_BYTES \
    "memory that one agent's processes may have together; over it they are " \
    "killed; needs a delegated cgroup v2 (see doctor); null: no limit"
#define EN_KEY_OF_AGENT_ALLOW_NESTING \
    "let agents other than orchestrators start agents"
#define EN_KEY_OF_MCP_WAIT_SLICE_MS \
    "longest wait_agent without a progress token; 0: no limit"
#define EN_KEY_OF_MCP_WAIT_MAX_MS \
    "wait_agent with a progress token and without timeout_ms"
#define EN_KEY_OF_MAIL_KEEP_DAYS "days that messages between agents are kept"
#define EN_KEY_OF_PHASES_PROMPT_DIRECTORY \
    "directory with prompts of your own for phases, phase0.md to phase4.md"
#define EN_KEY_OF_PHASES_API_URL \
    "Cloud API that has the prompts of phases; https, or http on this machine"
#define EN_KEY_OF_PHASES_API_KEY "key that is sent to it; better in the environment"
#define EN_KEY_OF_PHASES_CACHE_TTL_MS \
    "how long a prompt is used without asking again; 0: not at all"
#define EN_KEY_OF_PHASES_ENFORCE_ORDER \
    "whether a phase can only be ended after all before it"
#define EN_KEY_OF_PHASES_ROLES \
    "roles of the agents of `phases run`, phase0's first; the rest is as usual"
#define EN_KEY_OF_PM_SESSION_TTL_S \
    "a session of an agent lasts so long after its last use"
#define EN_KEY_OF_PM_SESSION_MAX_S "and so long at most"
#define EN_KEY_OF_RUNNER_ENABLED \
    "true: tasks of projects that wait for an agent get one"
#define EN_KEY_OF_RUNNER_START_TODO \
    "tasks that are to do, and wait for nothing else, are begun too"
#define EN_KEY_OF_RUNNER_ROLE "role of agents that name none (runs_as)"
#define EN_KEY_OF_RUNNER_MAX_CONCURRENT \
    "agents that the runner keeps at work at the same time"
#define EN_KEY_OF_RUNNER_INTERVAL_MS \
    "how often it looks, besides when something changes"
#define EN_KEY_OF_RUNNER_LEASE_MS \
    "an agent that was started has so long to authenticate"
#define EN_KEY_OF_RUNNER_COOLDOWN_MS \
    "pause after a failure, doubled with each"
#define EN_KEY_OF_RUNNER_COOLDOWN_MAX_MS "the longest pause"
#define EN_KEY_OF_RUNNER_MAX_FAILURES \
    "failures after which the task is blocked"
#define EN_KEY_OF_MAGENTIC_MAX_DEPTH "levels of groups below a magentic one"
#define EN_KEY_OF_HUB_LINGER_MS "stay of a hub that nobody uses any more"
#define EN_KEY_OF_HUB_HTTP_LINGER_MS \
    "its stay after the last call over HTTP, if that is longer"
#define EN_KEY_OF_HUB_LEASE_MS \
    "time agents live on without a hub before they are ended"
#define EN_KEY_OF_HEALTH_KEEP_MS "time a passed health check is good for"
#define EN_KEY_OF_HEALTH_GATE_MS \
    "longest wait of run_agents for a check under way"
#define EN_KEY_OF_STORE_RELAXED \
    "answer before the disk has synced: a power cut may cost the last"
#define EN_KEY_OF_HISTORY_KEEP_DAYS \
    "days that agents of deleted groups stay in the database"
#define EN_KEY_OF_HISTORY_TRANSCRIPTS \
    "what becomes of an ended agent's transcript in time"
#define EN_KEY_OF_HISTORY_TRANSCRIPT_DAYS "days after an agent's end until then"
#define EN_KEY_OF_HISTORY_KEEP_BYTES \
    "transcripts of ended agents, all together; over it the oldest are " \
    "dropped; 0: no limit"
#define EN_KEY_OF_HISTORY_SAMPLES_MAX_BYTES \
    "progress of ended agents, for past moments, all together; over it that " \
    "of the oldest is dropped"
#define EN_KEY_OF_BUDGET_GROUP_USD \
    "dollars that a group with its child groups may cost before it can " \
    "start no more agents; 0: no limit"
#define EN_KEY_OF_BUDGET_DAY_USD \
    "dollars that all agents started on one day (UTC) may cost before no " \
    "more are started; 0: no limit"
#define EN_KEY_OF_NOTIFICATIONS_FAILED \
    "where it is told that agents have failed or timed out"
#define EN_KEY_OF_NOTIFICATIONS_STALLED "the same, that agents have stalled"
#define EN_KEY_OF_NOTIFICATIONS_CONFLICT \
    "the same, that agents have changed the same file"
#define EN_KEY_OF_NOTIFICATIONS_GROUP_DONE \
    "the same, that all agents of a group have ended"
#define EN_KEY_OF_NOTIFICATIONS_BUDGET "the same, that a budget is used up"
#define EN_KEY_OF_NOTIFICATIONS_NO_ROLE "the same, that no role can be used"
#define EN_KEY_OF_NOTIFICATIONS_COMMAND \
    "program and arguments of the channel command; it gets the notification " \
    "as JSON on stdin"
#define EN_KEY_OF_NOTIFICATIONS_WEBHOOK \
    "address that the channel webhook posts the JSON to"
#define EN_KEY_OF_NOTIFICATIONS_TIMEOUT_MS \
    "time that desktop, command and webhook have for one"
#define EN_KEY_OF_NOTIFICATIONS_INTERVAL_MS \
    "least time between two of a kind; what happens in between is one " \
    "notification that counts it"
#define EN_KEY_OF_LOG_LEVEL "least important messages that are logged"
#define EN_KEY_OF_LOG_FORMAT \
    "lines for people or for programs; auto: text on a terminal"
#define EN_KEY_OF_ROLE_ID "name by which tools call for the role"
#define EN_KEY_OF_ROLE_NAME "name to show"
#define EN_KEY_OF_ROLE_DESCRIPTION \
    "what the role is for; list_roles gives it to the main agent"
#define EN_KEY_OF_ROLE_MODEL "model, as the CLI's --model takes it"
#define EN_KEY_OF_ROLE_SYSTEM_PROMPT "first layer of the prompt"
#define EN_KEY_OF_ROLE_HEALTH_CHECK_PROMPT "prompt of the health check"
#define EN_KEY_OF_ROLE_BACKEND "CLI of this role instead of agent.backend"
#define EN_KEY_OF_ROLE_TIMEOUT_MS \
    "time-out of this role instead of agent.defaultTimeout_ms; null: no " \
    "time-out"
#define EN_KEY_OF_ROLE_ENABLED "false takes the role away"
#define EN_KEY_OF_TOOL_ID "name by which roles[].tools calls for the tool"
#define EN_KEY_OF_TOOL_NAME "name to show"
#define EN_KEY_OF_TOOL_DESCRIPTION "what the tool does"
#define EN_KEY_OF_TOOL_PROMPT_INSTRUCTIONS \
    "how to use it, for the prompt; {{name}} is a parameter"
#define EN_KEY_OF_TOOL_HEALTH_CHECK_COMMAND \
    "command that succeeds if it is installed; a failure is a warning"
#define EN_KEY_OF_PRICE_MODEL \
    "model, as the role names it or the CLI says; * is any text"
#define EN_KEY_OF_PRICE_INPUT "dollars per million tokens read"
#define EN_KEY_OF_PRICE_OUTPUT "dollars per million tokens written"
#define EN_KEY_OF_PRICE_CACHE_READ \
    "dollars per million tokens read from the cache"
#define EN_KEY_OF_PRICE_CACHE_WRITE \
    "dollars per million tokens written to the cache"
#define EN_KEY_OF_ROLE_TOOLS \
    "tools the role is told about: a list of ids, or of {id, parameters}"
#define EN_KEY_OF_TOOL_PARAMETERS \
    "names for {{name}} and their default values: a mapping"
#define EN_KEY_DEFAULT " (default: %s)"
#define EN_KEY_NEEDS_TRUST " (in a project's file: needs trust)"
#define EN_KEY_IS_AT_START " (a change takes effect at the hub's next start)"

/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
#include "config/keys.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define SAFE_INTEGER (1ll << 53) /* what a JSON number can hold exactly */
#define MINUTE 60000ll
#define DAY (24 * 60 * MINUTE)
#define KIB 1024ll
#define MIB (1024 * KIB)
#define GIB (1024 * MIB)
#define PROMPT_LIMIT (256 * KIB)
#define DOLLAR 1000000ll

static const char *const languages[] = {"ja", "en", "auto", NULL};
static const char *const transcripts[] = {"keep", "compress", "drop", NULL};
static const char *const levels[] = {"debug", "info", "warn", "error", NULL};
static const char *const log_formats[] = {"auto", "text", "json", NULL};
static const char *const backends[] = {"cursor", "claude", NULL};
/* In the order of enum config_channel. */
static const char *const channels[] = {"browser", "desktop", "command",
                                       "webhook", NULL};
#define SEEN (CONFIG_BROWSER | CONFIG_DESKTOP)

/* clang-format off */
#define AT(field) .offset = offsetof(struct config, field)
#define INT(sec, key, least, most, def, field)                                \
    .section = sec, .name = key, .type = KEY_INT, .min = (least),             \
    .max = (most), .number = (def), AT(field)

#define CHANNELS(key, kind)                                                   \
    .section = "notifications", .name = key, .type = KEY_SET,                 \
    .words = channels, .number = SEEN, AT(notifications.channels[kind])

static const struct key config_keys[] = {
    {.name = "language", .type = KEY_WORD, .words = languages,
     .number = CONFIG_AUTO, AT(language), .env = "KUROMAJUTSU_LANGUAGE",
     .is_at_start = true,
     .doc = "language of prompts and messages; auto: by LC_ALL, LC_MESSAGES or "
            "LANG, Japanese where they name none"},

    {INT("dashboard", "port", 0, 65535, 9696, dashboard.port),
     .env = "KUROMAJUTSU_PORT", .is_at_start = true,
     .doc = "port of HTTP and WebSocket; 0: any that is free"},
    {.section = "dashboard", .name = "host", .type = KEY_LINE, .min = 1,
     .max = 255, .text = "127.0.0.1", AT(dashboard.host),
     .env = "KUROMAJUTSU_HOST", .needs_trust = true,
     .is_at_start = true,
     .doc = "address to listen on; other than loopback needs a token"},
    {.section = "dashboard", .name = "token", .type = KEY_LINE, .max = 512,
     .text = "", AT(dashboard.token), .env = "KUROMAJUTSU_TOKEN",
     .needs_trust = true, .is_secret = true,
     .is_at_start = true,
     .doc = "secret that every request must carry; without one only your own "
            "user gets in"},
    {.section = "dashboard", .name = "tokenFile", .type = KEY_LINE,
     .max = 4095, .text = "", AT(dashboard.token_file),
     .env = "KUROMAJUTSU_TOKEN_FILE", .needs_trust = true,
     .is_at_start = true,
     .doc = "file that holds the secret instead; only you may read it"},

    {.section = "agent", .name = "backend", .type = KEY_CHOICE,
     .text = "cursor", .words = backends, AT(agent.backend),
     .doc = "CLI the agents are, unless a role says otherwise"},
    {.section = "agent", .name = "command", .type = KEY_LINE, .max = 4095,
     .text = "", AT(agent.command), .env = "KUROMAJUTSU_AGENT_COMMAND",
     .needs_trust = true,
     .doc = "program to start instead of the one found on PATH"},
    {INT("agent", "maxConcurrent", 1, 1000, 10, agent.max_concurrent),
     .env = "KUROMAJUTSU_MAX_CONCURRENT",
     .doc = "agents that run at the same time"},
    {INT("agent", "maxOrchestrators", 1, 100, 4, agent.max_orchestrators),
     .doc = "orchestrators that run at the same time, beside the agents"},
    {INT("agent", "maxQueued", 0, 100000, 0, agent.max_queued),
     .doc = "agents that may wait for a place; 0 refuses them instead"},
    {INT("agent", "defaultTimeout_ms", 1, SAFE_INTEGER, 0,
         agent.default_timeout_ms), .is_optional = true,
     .doc = "time-out of an agent that was given none; null: no time-out"},
    {INT("agent", "exitGrace_ms", 0, 60 * MINUTE, 5000, agent.exit_grace_ms),
     .doc = "time to leave after the stream's last event"},
    {INT("agent", "reportGrace_ms", 0, DAY, 30000, agent.report_grace_ms),
     .doc = "silence allowed between a report and the stream's end, while no "
            "tool runs"},
    {INT("agent", "stallWarn_ms", 0, DAY, 5 * MINUTE, agent.stall_warn_ms),
     .doc = "silence after which an agent is shown as stalled; 0: never"},
    {INT("agent", "injectLimit_bytes", KIB, MIB, 48 * KIB,
         agent.inject_limit_bytes),
     .doc = "results of the previous stage in a prompt, all together"},
    {INT("agent", "lineLimit_bytes", 64 * KIB, GIB, 16 * MIB,
         agent.line_limit_bytes),
     .doc = "longest line read from an agent; longer ones are skipped"},
    {INT("agent", "transcriptLimit_bytes", MIB, 1024 * GIB, GIB,
         agent.transcript_limit_bytes),
     .doc = "output of one agent; over it the agent is ended"},
    {INT("agent", "nice", 0, 19, 5, agent.nice), .is_optional = true,
     .doc = "how much less of a busy machine agents get than the hub and your "
            "own programs; 0 or null: no less"},
    {INT("agent", "memoryMax_bytes", 16 * MIB, 1024 * GIB, 0,
         agent.memory_max_bytes), .is_optional = true,
     .doc = "memory that one agent's processes may have together; over it they "
            "are killed; needs a delegated cgroup v2 (see doctor); null: no "
            "limit"},
    {.section = "agent", .name = "allowNesting", .type = KEY_BOOL,
     AT(agent.is_nesting_allowed), .needs_trust = true,
     .doc = "let agents other than orchestrators start agents"},

    {INT("mcp", "waitSlice_ms", 0, 60 * MINUTE, 50000, mcp.wait_slice_ms),
     .doc = "longest wait_agent without a progress token; 0: no limit"},
    {INT("mcp", "waitMax_ms", 1000, DAY, 230000, mcp.wait_max_ms),
     .doc = "wait_agent with a progress token and without timeout_ms"},

    {INT("magentic", "maxDepth", 1, 8, 2, magentic.max_depth),
     .doc = "levels of groups below a magentic one"},

    {INT("hub", "linger_ms", 0, DAY, 10000, hub.linger_ms),
     .doc = "stay of a hub that nobody uses any more"},
    {INT("hub", "httpLinger_ms", 0, 30 * DAY, 30 * MINUTE, hub.http_linger_ms),
     .doc = "its stay after the last call over HTTP, if that is longer"},
    {INT("hub", "lease_ms", 1000, DAY, MINUTE, hub.lease_ms),
     .is_at_start = true,
     .doc = "time agents live on without a hub before they are ended"},

    {INT("health", "keep_ms", 0, 30 * DAY, 60 * MINUTE, health.keep_ms),
     .doc = "time a passed health check is good for"},
    {INT("health", "gate_ms", 0, 10 * MINUTE, 20000, health.gate_ms),
     .doc = "longest wait of run_agents for a check under way"},

    {.section = "store", .name = "relaxed", .type = KEY_BOOL,
     AT(store.is_relaxed),
     .is_at_start = true,
     .doc = "answer before the disk has synced: a power cut may cost the last"},

    {INT("history", "keepDays", 1, 36500, 30, history.keep_days),
     .is_at_start = true,
     .doc = "days that agents of deleted groups stay in the database"},
    {.section = "history", .name = "transcripts", .type = KEY_WORD,
     .words = transcripts, .number = CONFIG_COMPRESS_TRANSCRIPTS,
     AT(history.transcripts),
     .is_at_start = true,
     .doc = "what becomes of an ended agent's transcript in time"},
    {INT("history", "transcriptDays", 0, 36500, 7, history.transcript_days),
     .is_at_start = true,
     .doc = "days after an agent's end until then"},
    {INT("history", "keepBytes", 0, 1024 * GIB, 0, history.keep_bytes),
     .is_at_start = true,
     .doc = "transcripts of ended agents, all together; over it the oldest "
            "are dropped; 0: no limit"},
    {INT("history", "samplesMax_bytes", 0, 1024 * GIB, GIB / 4,
         history.samples_bytes),
     .is_at_start = true,
     .doc = "progress of ended agents, for past moments, all together; over it "
            "that of the oldest is dropped"},

    {.section = "budget", .name = "groupUsd", .type = KEY_MONEY,
     .max = 1000000 * DOLLAR, AT(budget.group_usd),
     .doc = "dollars that a group with its child groups may cost before it "
            "can start no more agents; 0: no limit"},
    {.section = "budget", .name = "dayUsd", .type = KEY_MONEY,
     .max = 1000000 * DOLLAR, AT(budget.day_usd),
     .doc = "dollars that all agents started on one day (UTC) may cost before "
            "no more are started; 0: no limit"},

    {CHANNELS("failed", CONFIG_NOTIFY_FAILED),
     .doc = "where it is told that agents have failed or timed out"},
    {CHANNELS("stalled", CONFIG_NOTIFY_STALLED),
     .doc = "the same, that agents have stalled"},
    {CHANNELS("conflict", CONFIG_NOTIFY_CONFLICT),
     .doc = "the same, that agents have changed the same file"},
    {CHANNELS("groupDone", CONFIG_NOTIFY_GROUP_DONE),
     .doc = "the same, that all agents of a group have ended"},
    {CHANNELS("budget", CONFIG_NOTIFY_BUDGET),
     .doc = "the same, that a budget is used up"},
    {CHANNELS("noRole", CONFIG_NOTIFY_NO_ROLE),
     .doc = "the same, that no role can be used"},
    {.section = "notifications", .name = "command", .type = KEY_LIST,
     .max = 64, AT(notifications.command), .needs_trust = true,
     .doc = "program and arguments of the channel command; it gets the "
            "notification as JSON on stdin"},
    {.section = "notifications", .name = "webhook", .type = KEY_URL,
     .max = 4095, .text = "", AT(notifications.webhook), .needs_trust = true,
     .is_secret = true,
     .doc = "address that the channel webhook posts the JSON to"},
    {INT("notifications", "timeout_ms", 100, 10 * MINUTE, 10000,
         notifications.timeout_ms),
     .doc = "time that desktop, command and webhook have for one"},
    {INT("notifications", "interval_ms", 0, DAY, 30000,
         notifications.interval_ms),
     .doc = "least time between two of a kind; what happens in between is one "
            "notification that counts it"},

    {.section = "log", .name = "level", .type = KEY_WORD, .words = levels,
     .number = CONFIG_LOG_INFO, AT(log.level), .env = "KUROMAJUTSU_LOG_LEVEL",
     .is_at_start = true,
     .doc = "least important messages that are logged"},
    {.section = "log", .name = "format", .type = KEY_WORD,
     .words = log_formats, .number = CONFIG_LOG_AUTO, AT(log.format),
     .doc = "lines for people or for programs; auto: text on a terminal"},
};
#undef AT
#undef INT
#undef CHANNELS

#define AT(field) .offset = offsetof(struct role, field)
static const struct key role_keys[] = {
    {.name = "id", .type = KEY_ID, AT(id),
     .doc = "name by which tools call for the role"},
    {.name = "name", .type = KEY_LINE, .min = 1, .max = 256, AT(name),
     .doc = "name to show"},
    {.name = "description", .type = KEY_TEXT, .max = 4096, AT(description),
     .doc = "what the role is for; list_roles gives it to the main agent"},
    {.name = "model", .type = KEY_LINE, .min = 1, .max = 256, AT(model),
     .doc = "model, as the CLI's --model takes it"},
    {.name = "systemPrompt", .type = KEY_TEXT, .min = 1, .max = PROMPT_LIMIT,
     AT(system_prompt), .doc = "first layer of the prompt"},
    {.name = "healthCheckPrompt", .type = KEY_TEXT, .min = 1, .max = 4096,
     .text = "Hello, respond with exactly: OK", AT(health_prompt),
     .needs_trust = true,
     .doc = "prompt of the health check"},
    {.name = "backend", .type = KEY_CHOICE, .words = backends, AT(backend),
     .doc = "CLI of this role instead of agent.backend"},
    {.name = "timeout_ms", .type = KEY_INT, .is_optional = true, .min = 1,
     .max = SAFE_INTEGER, .null = -1, AT(timeout_ms),
     .doc = "time-out of this role instead of agent.defaultTimeout_ms; null: "
            "no time-out"},
    {.name = "enabled", .type = KEY_BOOL, .number = 1, AT(is_enabled),
     .doc = "false takes the role away"},
};
#undef AT

#define AT(field) .offset = offsetof(struct role_tool, field)
static const struct key tool_keys[] = {
    {.name = "id", .type = KEY_ID, AT(id),
     .doc = "name by which roles[].tools calls for the tool"},
    {.name = "name", .type = KEY_LINE, .min = 1, .max = 256, AT(name),
     .doc = "name to show"},
    {.name = "description", .type = KEY_TEXT, .max = 4096, .text = "",
     AT(description), .doc = "what the tool does"},
    {.name = "promptInstructions", .type = KEY_TEXT, .min = 1,
     .max = PROMPT_LIMIT, AT(instructions),
     .doc = "how to use it, for the prompt; {{name}} is a parameter"},
    {.name = "healthCheckCommand", .type = KEY_LINE, .max = 4096, .text = "",
     AT(health_command), .needs_trust = true, .doc = "command that succeeds if it is installed; a failure is a warning"},
};
#undef AT

#define AT(field) .offset = offsetof(struct price, field)
#define DOLLARS(key, field, text)                                             \
    {.name = key, .type = KEY_MONEY, .max = 1000000 * DOLLAR, AT(field),      \
     .doc = text}
static const struct key price_keys[] = {
    {.name = "model", .type = KEY_LINE, .min = 1, .max = 256, AT(model),
     .doc = "model, as the role names it or the CLI says; * is any text"},
    DOLLARS("input", input, "dollars per million tokens read"),
    DOLLARS("output", output, "dollars per million tokens written"),
    DOLLARS("cacheRead", cache_read,
            "dollars per million tokens read from the cache"),
    DOLLARS("cacheWrite", cache_write,
            "dollars per million tokens written to the cache"),
};
#undef DOLLARS
#undef AT
/* clang-format on */

_Static_assert(COUNT(config_keys) <= CONFIG_KEYS, "config.origins");
_Static_assert(COUNT(role_keys) == ROLE_KEYS, "role.origins");

const struct keys keys_config = {config_keys, COUNT(config_keys)};
const struct keys keys_role = {role_keys, COUNT(role_keys)};
const struct keys keys_tool = {tool_keys, COUNT(tool_keys)};
const struct keys keys_price = {price_keys, COUNT(price_keys)};

static bool is_same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static const char *const no_words[] = {NULL};

static bool is_same_list(const char *const *a, const char *const *b)
{
    while (*a && *b && strcmp(*a, *b) == 0)
        a++, b++;
    return !*a && !*b;
}

void keys_defaults(const struct keys *s, void *base)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct key *k = &s->rows[i];
        char *at = (char *)base + k->offset;
        switch (k->type) {
        case KEY_INT:
        case KEY_MONEY:
        case KEY_SET:
            *(int64_t *)at = k->number;
            break;
        case KEY_BOOL:
            *(bool *)at = k->number;
            break;
        case KEY_WORD:
            *(int *)at = (int)k->number;
            break;
        case KEY_CHOICE:
        case KEY_TEXT:
        case KEY_LINE:
        case KEY_ID:
        case KEY_URL:
            *(const char **)at = k->text;
            break;
        case KEY_LIST:
            *(const char *const **)at = no_words;
            break;
        }
    }
}

bool keys_equal_one(const struct key *k, const void *a, const void *b)
{
    switch (k->type) {
    case KEY_INT:
    case KEY_MONEY:
    case KEY_SET:
        return *(const int64_t *)a == *(const int64_t *)b;
    case KEY_BOOL:
        return *(const bool *)a == *(const bool *)b;
    case KEY_WORD:
        return *(const int *)a == *(const int *)b;
    case KEY_CHOICE:
    case KEY_TEXT:
    case KEY_LINE:
    case KEY_ID:
    case KEY_URL:
        break;
    case KEY_LIST:
        return is_same_list(*(const char *const *const *)a,
                            *(const char *const *const *)b);
    }
    return is_same(*(const char *const *)a, *(const char *const *)b);
}

bool keys_equal(const struct keys *s, const void *a, const void *b)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct key *k = &s->rows[i];
        if (!keys_equal_one(k, (const char *)a + k->offset,
                            (const char *)b + k->offset))
            return false;
    }
    return true;
}

const struct key *keys_find(const struct keys *s, const char *section,
                            const char *name)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_same(s->rows[i].section, section) &&
            strcmp(s->rows[i].name, name) == 0)
            return &s->rows[i];
    return NULL;
}

bool keys_has_section(const char *name)
{
    for (size_t i = 0; i < COUNT(config_keys); i++)
        if (is_same(config_keys[i].section, name))
            return true;
    return false;
}

/* SPDX-License-Identifier: MIT */
#include "config/keys.h"

#include <stdio.h>
#include <string.h>

#include "config/config.h"
#include "config/toolset.h"

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
#define WORD(name, word) word,
static const char *const toolsets[] = {TOOLSET_LIST(WORD) NULL};
#undef WORD
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
     .doc = BOTH(KEY_OF_LANGUAGE)},
    {.name = "toolsets", .type = KEY_SET, .words = toolsets, .min = 1,
     .number = TOOLSET_USUAL, AT(toolsets), .env = "KUROMAJUTSU_TOOLSETS",
     .is_at_start = true,
     .doc = BOTH(KEY_OF_TOOLSETS)},

    {INT("dashboard", "port", 0, 65535, 9696, dashboard.port),
     .env = "KUROMAJUTSU_PORT", .is_at_start = true,
     .doc = BOTH(KEY_OF_DASHBOARD_PORT)},
    {.section = "dashboard", .name = "host", .type = KEY_LINE, .min = 1,
     .max = 255, .text = "127.0.0.1", AT(dashboard.host),
     .env = "KUROMAJUTSU_HOST", .needs_trust = true,
     .is_at_start = true,
     .doc = BOTH(KEY_OF_DASHBOARD_HOST)},
    {.section = "dashboard", .name = "token", .type = KEY_LINE, .max = 512,
     .text = "", AT(dashboard.token), .env = "KUROMAJUTSU_TOKEN",
     .needs_trust = true, .is_secret = true,
     .is_at_start = true,
     .doc = BOTH(KEY_OF_DASHBOARD_TOKEN)},
    {.section = "dashboard", .name = "tokenFile", .type = KEY_LINE,
     .max = 4095, .text = "", AT(dashboard.token_file),
     .env = "KUROMAJUTSU_TOKEN_FILE", .needs_trust = true,
     .is_at_start = true,
     .doc = BOTH(KEY_OF_DASHBOARD_TOKEN_FILE)},

    {.section = "agent", .name = "backend", .type = KEY_CHOICE,
     .text = "cursor", .words = backends, AT(agent.backend),
     .doc = BOTH(KEY_OF_AGENT_BACKEND)},
    {.section = "agent", .name = "command", .type = KEY_LINE, .max = 4095,
     .text = "", AT(agent.command), .env = "KUROMAJUTSU_AGENT_COMMAND",
     .needs_trust = true,
     .doc = BOTH(KEY_OF_AGENT_COMMAND)},
    {INT("agent", "maxConcurrent", 1, 4000, 10, agent.max_concurrent),
     .env = "KUROMAJUTSU_MAX_CONCURRENT",
     .doc = BOTH(KEY_OF_AGENT_MAX_CONCURRENT)},
    {INT("agent", "maxOrchestrators", 1, 100, 4, agent.max_orchestrators),
     .doc = BOTH(KEY_OF_AGENT_MAX_ORCHESTRATORS)},
    {INT("agent", "maxQueued", 0, 100000, 0, agent.max_queued),
     .doc = BOTH(KEY_OF_AGENT_MAX_QUEUED)},
    {INT("agent", "defaultTimeout_ms", 1, SAFE_INTEGER, 0,
         agent.default_timeout_ms), .is_optional = true,
     .doc = BOTH(KEY_OF_AGENT_DEFAULT_TIMEOUT_MS)},
    {INT("agent", "exitGrace_ms", 0, 60 * MINUTE, 5000, agent.exit_grace_ms),
     .doc = BOTH(KEY_OF_AGENT_EXIT_GRACE_MS)},
    {INT("agent", "reportGrace_ms", 0, DAY, 30000, agent.report_grace_ms),
     .doc = BOTH(KEY_OF_AGENT_REPORT_GRACE_MS)},
    {INT("agent", "stallWarn_ms", 0, DAY, 5 * MINUTE, agent.stall_warn_ms),
     .doc = BOTH(KEY_OF_AGENT_STALL_WARN_MS)},
    {INT("agent", "injectLimit_bytes", KIB, MIB, 48 * KIB,
         agent.inject_limit_bytes),
     .doc = BOTH(KEY_OF_AGENT_INJECT_LIMIT_BYTES)},
    {INT("agent", "lineLimit_bytes", 64 * KIB, GIB, 16 * MIB,
         agent.line_limit_bytes),
     .doc = BOTH(KEY_OF_AGENT_LINE_LIMIT_BYTES)},
    {INT("agent", "transcriptLimit_bytes", MIB, 1024 * GIB, GIB,
         agent.transcript_limit_bytes),
     .doc = BOTH(KEY_OF_AGENT_TRANSCRIPT_LIMIT_BYTES)},
    {INT("agent", "nice", 0, 19, 5, agent.nice), .is_optional = true,
     .doc = BOTH(KEY_OF_AGENT_NICE)},
    {INT("agent", "memoryMax_bytes", 16 * MIB, 1024 * GIB, 0,
         agent.memory_max_bytes), .is_optional = true,
     .doc = BOTH(KEY_OF_AGENT_MEMORY_MAX_BYTES)},
    {.section = "agent", .name = "allowNesting", .type = KEY_BOOL,
     AT(agent.is_nesting_allowed), .needs_trust = true,
     .doc = BOTH(KEY_OF_AGENT_ALLOW_NESTING)},

    {INT("mcp", "waitSlice_ms", 0, 60 * MINUTE, 50000, mcp.wait_slice_ms),
     .doc = BOTH(KEY_OF_MCP_WAIT_SLICE_MS)},
    {INT("mcp", "waitMax_ms", 1000, DAY, 230000, mcp.wait_max_ms),
     .doc = BOTH(KEY_OF_MCP_WAIT_MAX_MS)},

    {INT("mail", "keepDays", 1, 36500, 30, mail.keep_days),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_MAIL_KEEP_DAYS)},

    {.section = "phases", .name = "promptDirectory", .type = KEY_LINE,
     .max = 4095, .text = "", AT(phases.prompt_directory),
     .doc = BOTH(KEY_OF_PHASES_PROMPT_DIRECTORY)},
    {.section = "phases", .name = "apiUrl", .type = KEY_URL, .max = 4095,
     .text = "", AT(phases.api_url), .env = "AIAGENTSTUDIO_API_URL",
     .needs_trust = true,
     .doc = BOTH(KEY_OF_PHASES_API_URL)},
    {.section = "phases", .name = "apiKey", .type = KEY_LINE, .max = 512,
     .text = "", AT(phases.api_key), .env = "AIAGENTSTUDIO_API_KEY",
     .needs_trust = true, .is_secret = true,
     .doc = BOTH(KEY_OF_PHASES_API_KEY)},
    {INT("phases", "cacheTtl_ms", 0, 365 * DAY, 60 * MINUTE,
         phases.cache_ttl_ms), .env = "CACHE_TTL", .is_shared = true,
     .doc = BOTH(KEY_OF_PHASES_CACHE_TTL_MS)},
    {.section = "phases", .name = "enforceOrder", .type = KEY_BOOL,
     .number = 1, AT(phases.is_order_enforced),
     .doc = BOTH(KEY_OF_PHASES_ENFORCE_ORDER)},
    {.section = "phases", .name = "roles", .type = KEY_LIST, .max = 5,
     AT(phases.roles),
     .doc = BOTH(KEY_OF_PHASES_ROLES)},

    {INT("pm", "sessionTtl_s", 1, 30 * 86400, 3600, pm.session_ttl_s),
     .doc = BOTH(KEY_OF_PM_SESSION_TTL_S)},
    {INT("pm", "sessionMax_s", 1, 365 * 86400, 86400, pm.session_max_s),
     .doc = BOTH(KEY_OF_PM_SESSION_MAX_S)},

    {.section = "runner", .name = "enabled", .type = KEY_BOOL,
     AT(runner.is_enabled), .needs_trust = true,
     .doc = BOTH(KEY_OF_RUNNER_ENABLED)},
    {.section = "runner", .name = "startTodo", .type = KEY_BOOL, .number = 1,
     AT(runner.starts_todo),
     .doc = BOTH(KEY_OF_RUNNER_START_TODO)},
    {.section = "runner", .name = "role", .type = KEY_LINE, .min = 1,
     .max = 64, .text = "impl-code", AT(runner.role),
     .doc = BOTH(KEY_OF_RUNNER_ROLE)},
    {INT("runner", "maxConcurrent", 1, 1000, 3, runner.max_concurrent),
     .doc = BOTH(KEY_OF_RUNNER_MAX_CONCURRENT)},
    {INT("runner", "interval_ms", 100, DAY, 10000, runner.interval_ms),
     .doc = BOTH(KEY_OF_RUNNER_INTERVAL_MS)},
    {INT("runner", "lease_ms", 1000, DAY, 120000, runner.lease_ms),
     .doc = BOTH(KEY_OF_RUNNER_LEASE_MS)},
    {INT("runner", "cooldown_ms", 0, DAY, MINUTE, runner.cooldown_ms),
     .doc = BOTH(KEY_OF_RUNNER_COOLDOWN_MS)},
    {INT("runner", "cooldownMax_ms", 0, 30 * DAY, 60 * MINUTE,
         runner.cooldown_max_ms),
     .doc = BOTH(KEY_OF_RUNNER_COOLDOWN_MAX_MS)},
    {INT("runner", "maxFailures", 1, 1000, 5, runner.max_failures),
     .doc = BOTH(KEY_OF_RUNNER_MAX_FAILURES)},

    {INT("magentic", "maxDepth", 1, 8, 2, magentic.max_depth),
     .doc = BOTH(KEY_OF_MAGENTIC_MAX_DEPTH)},

    {INT("hub", "linger_ms", 0, DAY, 10000, hub.linger_ms),
     .doc = BOTH(KEY_OF_HUB_LINGER_MS)},
    {INT("hub", "httpLinger_ms", 0, 30 * DAY, 30 * MINUTE, hub.http_linger_ms),
     .doc = BOTH(KEY_OF_HUB_HTTP_LINGER_MS)},
    {INT("hub", "lease_ms", 1000, DAY, MINUTE, hub.lease_ms),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HUB_LEASE_MS)},

    {INT("health", "keep_ms", 0, 30 * DAY, 60 * MINUTE, health.keep_ms),
     .doc = BOTH(KEY_OF_HEALTH_KEEP_MS)},
    {INT("health", "gate_ms", 0, 10 * MINUTE, 20000, health.gate_ms),
     .doc = BOTH(KEY_OF_HEALTH_GATE_MS)},

    {.section = "store", .name = "relaxed", .type = KEY_BOOL,
     AT(store.is_relaxed),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_STORE_RELAXED)},

    {INT("history", "keepDays", 1, 36500, 30, history.keep_days),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HISTORY_KEEP_DAYS)},
    {.section = "history", .name = "transcripts", .type = KEY_WORD,
     .words = transcripts, .number = CONFIG_COMPRESS_TRANSCRIPTS,
     AT(history.transcripts),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HISTORY_TRANSCRIPTS)},
    {INT("history", "transcriptDays", 0, 36500, 7, history.transcript_days),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HISTORY_TRANSCRIPT_DAYS)},
    {INT("history", "keepBytes", 0, 1024 * GIB, 0, history.keep_bytes),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HISTORY_KEEP_BYTES)},
    {INT("history", "samplesMax_bytes", 0, 1024 * GIB, GIB / 4,
         history.samples_bytes),
     .is_at_start = true,
     .doc = BOTH(KEY_OF_HISTORY_SAMPLES_MAX_BYTES)},

    {.section = "budget", .name = "groupUsd", .type = KEY_MONEY,
     .max = 1000000 * DOLLAR, AT(budget.group_usd),
     .doc = BOTH(KEY_OF_BUDGET_GROUP_USD)},
    {.section = "budget", .name = "dayUsd", .type = KEY_MONEY,
     .max = 1000000 * DOLLAR, AT(budget.day_usd),
     .doc = BOTH(KEY_OF_BUDGET_DAY_USD)},

    {CHANNELS("failed", CONFIG_NOTIFY_FAILED),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_FAILED)},
    {CHANNELS("stalled", CONFIG_NOTIFY_STALLED),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_STALLED)},
    {CHANNELS("conflict", CONFIG_NOTIFY_CONFLICT),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_CONFLICT)},
    {CHANNELS("groupDone", CONFIG_NOTIFY_GROUP_DONE),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_GROUP_DONE)},
    {CHANNELS("budget", CONFIG_NOTIFY_BUDGET),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_BUDGET)},
    {CHANNELS("noRole", CONFIG_NOTIFY_NO_ROLE),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_NO_ROLE)},
    {.section = "notifications", .name = "command", .type = KEY_LIST,
     .max = 64, AT(notifications.command), .needs_trust = true,
     .doc = BOTH(KEY_OF_NOTIFICATIONS_COMMAND)},
    {.section = "notifications", .name = "webhook", .type = KEY_URL,
     .max = 4095, .text = "", AT(notifications.webhook), .needs_trust = true,
     .is_secret = true,
     .doc = BOTH(KEY_OF_NOTIFICATIONS_WEBHOOK)},
    {INT("notifications", "timeout_ms", 100, 10 * MINUTE, 10000,
         notifications.timeout_ms),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_TIMEOUT_MS)},
    {INT("notifications", "interval_ms", 0, DAY, 30000,
         notifications.interval_ms),
     .doc = BOTH(KEY_OF_NOTIFICATIONS_INTERVAL_MS)},

    {.section = "log", .name = "level", .type = KEY_WORD, .words = levels,
     .number = CONFIG_LOG_INFO, AT(log.level), .env = "KUROMAJUTSU_LOG_LEVEL",
     .is_at_start = true,
     .doc = BOTH(KEY_OF_LOG_LEVEL)},
    {.section = "log", .name = "format", .type = KEY_WORD,
     .words = log_formats, .number = CONFIG_LOG_AUTO, AT(log.format),
     .doc = BOTH(KEY_OF_LOG_FORMAT)},
};
#undef AT
#undef INT
#undef CHANNELS

#define AT(field) .offset = offsetof(struct role, field)
static const struct key role_keys[] = {
    {.name = "id", .type = KEY_ID, AT(id),
     .doc = BOTH(KEY_OF_ROLE_ID)},
    {.name = "name", .type = KEY_LINE, .min = 1, .max = 256, AT(name),
     .doc = BOTH(KEY_OF_ROLE_NAME)},
    {.name = "description", .type = KEY_TEXT, .max = 4096, AT(description),
     .doc = BOTH(KEY_OF_ROLE_DESCRIPTION)},
    {.name = "model", .type = KEY_LINE, .min = 1, .max = 256, AT(model),
     .doc = BOTH(KEY_OF_ROLE_MODEL)},
    {.name = "systemPrompt", .type = KEY_TEXT, .min = 1, .max = PROMPT_LIMIT,
     AT(system_prompt), .doc = BOTH(KEY_OF_ROLE_SYSTEM_PROMPT)},
    {.name = "healthCheckPrompt", .type = KEY_TEXT, .min = 1, .max = 4096,
     .text = "Hello, respond with exactly: OK", AT(health_prompt),
     .needs_trust = true,
     .doc = BOTH(KEY_OF_ROLE_HEALTH_CHECK_PROMPT)},
    {.name = "backend", .type = KEY_CHOICE, .words = backends, AT(backend),
     .doc = BOTH(KEY_OF_ROLE_BACKEND)},
    {.name = "timeout_ms", .type = KEY_INT, .is_optional = true, .min = 1,
     .max = SAFE_INTEGER, .null = -1, AT(timeout_ms),
     .doc = BOTH(KEY_OF_ROLE_TIMEOUT_MS)},
    {.name = "enabled", .type = KEY_BOOL, .number = 1, AT(is_enabled),
     .doc = BOTH(KEY_OF_ROLE_ENABLED)},
};
#undef AT

#define AT(field) .offset = offsetof(struct role_tool, field)
static const struct key tool_keys[] = {
    {.name = "id", .type = KEY_ID, AT(id),
     .doc = BOTH(KEY_OF_TOOL_ID)},
    {.name = "name", .type = KEY_LINE, .min = 1, .max = 256, AT(name),
     .doc = BOTH(KEY_OF_TOOL_NAME)},
    {.name = "description", .type = KEY_TEXT, .max = 4096, .text = "",
     AT(description), .doc = BOTH(KEY_OF_TOOL_DESCRIPTION)},
    {.name = "promptInstructions", .type = KEY_TEXT, .min = 1,
     .max = PROMPT_LIMIT, AT(instructions),
     .doc = BOTH(KEY_OF_TOOL_PROMPT_INSTRUCTIONS)},
    {.name = "healthCheckCommand", .type = KEY_LINE, .max = 4096, .text = "",
     AT(health_command), .needs_trust = true, .doc = BOTH(KEY_OF_TOOL_HEALTH_CHECK_COMMAND)},
};
#undef AT

#define AT(field) .offset = offsetof(struct price, field)
#define DOLLARS(key, field, text)                                             \
    {.name = key, .type = KEY_MONEY, .max = 1000000 * DOLLAR, AT(field),      \
     .doc = BOTH(text)}
static const struct key price_keys[] = {
    {.name = "model", .type = KEY_LINE, .min = 1, .max = 256, AT(model),
     .doc = BOTH(KEY_OF_PRICE_MODEL)},
    DOLLARS("input", input, KEY_OF_PRICE_INPUT),
    DOLLARS("output", output, KEY_OF_PRICE_OUTPUT),
    DOLLARS("cacheRead", cache_read,
            KEY_OF_PRICE_CACHE_READ),
    DOLLARS("cacheWrite", cache_write,
            KEY_OF_PRICE_CACHE_WRITE),
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

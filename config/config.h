/*
 * The configuration: the built-in defaults, over them the user's own file
 * ($XDG_CONFIG_HOME/kuromajutsu/config.yaml), over both the project's
 * kuromajutsu.config.yaml, and the environment over all. Read once into one
 * constant struct; an edit makes a new one. What each value means and may be is
 * said in keys.c alone.
 */
#ifndef CONFIG_CONFIG_H
#define CONFIG_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config_error.h"
#include "config/language.h"
#include "config/price.h"
#include "config/role.h"

#define CONFIG_FILE "kuromajutsu.config.yaml"
#define CONFIG_KEY_BYTES 64 /* "section.name" and the terminator */
#define CONFIG_KEYS 96      /* rows of keys_config at most */
#define CONFIG_VERSION 17   /* bytes of a version with its terminator */

/* A key that needs trust (see trust.h) and that the project's file changes. */
struct config_claim {
    const char *key;     /* "agent.command", "roles[id].healthCheckPrompt" */
    const char *value;   /* NULL: a secret */
    const char *env;     /* the variable that would win over it, or NULL */
    size_t line, column; /* from 1 */
};
/* What is known of a file's text. */
struct config_text {
    bool is_there;
    bool is_blank; /* also where there is none */
    uint64_t hash;
};
/* What becomes of the transcript of an agent that is gone. */
enum config_transcripts {
    CONFIG_KEEP_TRANSCRIPTS,
    CONFIG_COMPRESS_TRANSCRIPTS,
    CONFIG_DROP_TRANSCRIPTS
};
enum config_log_level {
    CONFIG_LOG_DEBUG,
    CONFIG_LOG_INFO,
    CONFIG_LOG_WARN,
    CONFIG_LOG_ERROR
};
enum config_log_format {
    CONFIG_LOG_AUTO, /* text on a terminal, else JSON */
    CONFIG_LOG_TEXT,
    CONFIG_LOG_JSON
};

/* Where a person is told what happens; a set of them is a sum. */
enum config_channel {
    CONFIG_BROWSER = 1,
    CONFIG_DESKTOP = 2,
    CONFIG_COMMAND = 4,
    CONFIG_WEBHOOK = 8
};
/* What a person is told. */
enum config_notify {
    CONFIG_NOTIFY_FAILED,
    CONFIG_NOTIFY_STALLED,
    CONFIG_NOTIFY_CONFLICT,
    CONFIG_NOTIFY_GROUP_DONE,
    CONFIG_NOTIFY_BUDGET,
    CONFIG_NOTIFY_NO_ROLE,
    CONFIG_NOTIFY_KINDS
};

struct config_notifications {
    int64_t channels[CONFIG_NOTIFY_KINDS]; /* sums of enum config_channel */
    const char *const *command;            /* NULL-ended; empty: none */
    const char *webhook;                   /* "": none */
    int64_t timeout_ms, interval_ms;
};

struct config_dashboard {
    int64_t port;
    const char *host;
    const char *token;      /* "": none, or that of the file */
    const char *token_file; /* "": none; token_load reads it */
};

struct config_agent {
    const char *backend;
    const char *command; /* "": the back-end's programs, first on PATH */
    int64_t max_concurrent, max_orchestrators, max_queued;
    int64_t default_timeout_ms; /* 0: none */
    int64_t exit_grace_ms, report_grace_ms, stall_warn_ms;
    int64_t inject_limit_bytes, line_limit_bytes, transcript_limit_bytes;
    int64_t nice;
    int64_t memory_max_bytes; /* 0: no limit */
    bool is_nesting_allowed;
};

/* Of the tools of phases. */
struct config_phases {
    const char *prompt_directory; /* "": none; else <phase>.md are in it */
    const char *api_url;          /* "": no Cloud API */
    const char *api_key;
    int64_t cache_ttl_ms; /* 0: nothing is kept */
    bool is_order_enforced;
    const char *const
        *roles; /* of a plan, by phase; what is missing is usual */
};

/* Who starts agents for the tasks of projects. */
struct config_runner {
    bool is_enabled;
    bool starts_todo; /* what is to be done next, without being told to */
    const char *role; /* of agents that name none */
    int64_t max_concurrent;
    int64_t interval_ms, lease_ms;
    int64_t cooldown_ms, cooldown_max_ms;
    int64_t max_failures;
};

struct config {
    enum config_language language; /* Japanese or English, once loaded */
    bool is_language_auto;         /* by the locale of who has loaded it */
    int64_t toolsets;              /* bits of enum toolset */
    struct config_dashboard dashboard;
    struct config_agent agent;
    struct {
        int64_t wait_slice_ms, wait_max_ms;
    } mcp;
    struct {
        int64_t keep_days;
    } mail;
    struct config_phases phases;
    struct {
        int64_t session_ttl_s, session_max_s;
    } pm;
    struct config_runner runner;
    struct {
        int64_t max_depth;
    } magentic;
    struct {
        int64_t linger_ms, http_linger_ms, lease_ms;
    } hub;
    struct {
        int64_t keep_ms, gate_ms;
    } health;
    struct {
        bool is_relaxed;
    } store;
    struct {
        int64_t keep_days;
        enum config_transcripts transcripts;
        int64_t transcript_days;
        int64_t keep_bytes; /* 0: no limit */
        int64_t samples_bytes;
    } history;
    struct {
        int64_t group_usd, day_usd; /* micro-dollars; 0: no limit */
    } budget;
    struct config_notifications notifications;
    struct {
        enum config_log_level level;
        enum config_log_format format;
    } log;

    const struct role *roles; /* the six built-in ones first */
    size_t role_count;
    size_t disabled_count; /* behind them: those that are disabled */
    const struct role_tool *tools;
    size_t tool_count;
    const struct price *prices; /* the first that fits holds */
    size_t price_count;

    const char *path; /* the file as it was named or found, absolute */
    const char *file; /* its real path; where it would be if there is none */
    bool has_file;
    const char *identity;  /* see identity.h */
    const char *database;  /* the store; NULL: in the state directory */
    const char *user_file; /* below it, the user's own; NULL: there is none */
    struct config_text text, user_text; /* of the two, as they were read */
    unsigned char origins[CONFIG_KEYS]; /* enum config_origin, by the row */

    /* What of the file holds by trust: all of it, or nothing yet. */
    const struct config_claim *claims;
    size_t claim_count;
    bool is_trusted;    /* true too where nothing is claimed */
    bool is_named;      /* by its user: trusted whatever it holds */
    const char *digest; /* by which it would be trusted */

    const char *const *warnings; /* "FILE:LINE:COLUMN: ..." */
    size_t warning_count;
};

/*
 * path, else what location.h finds, which need not exist unless it was named.
 * env is like environ and not kept. 0 or a negative errno with the error told;
 * *out is the caller's to destroy.
 */
int config_load(const char *path, char *const *env, struct config **out,
                struct config_error *e);
/* The same, but that a file was named says nothing about trust: for who wants
 * to know what there is to be trusted in it. */
int config_examine(const char *path, char *const *env, struct config **out,
                   struct config_error *e);
/* The same from memory, as if its user had named a file that holds it. text is
 * borrowed. */
int config_parse(const char *name, const char *text, size_t len,
                 char *const *env, struct config **out, struct config_error *e);
/* The same as if it were the new text of c's file, with c's trust. */
int config_parse_as(const struct config *c, const char *text, size_t len,
                    char *const *env, struct config **out,
                    struct config_error *e);
void config_destroy(struct config *c);

/*
 * What c would be if it were loaded now: the same files, of the same identity.
 * -ENODATA if one that had settings is gone or empty: an editor may be at work.
 */
int config_reload(const struct config *c, char *const *env, struct config **out,
                  struct config_error *e);
/* Whether both were read from the same texts, with the same trust. */
bool config_is_unchanged(const struct config *a, const struct config *b);
/* The files it depends on: its own, the user's, what is trusted. Each the
 * caller's to free, or NULL: there is no place for it. */
#define CONFIG_FILES 3
void config_files(const struct config *c, char *const *env,
                  char *paths[CONFIG_FILES]);
/* Of what is in them. */
uint64_t config_fingerprint(const struct config *c, char *const *env);

/* Whether the project's file has an agent.command for this back-end that is not
 * trusted: then no other program may be taken in its place. */
bool config_is_command_withheld(const struct config *c, const char *backend);
/* Whether all settings, roles, tools and prices are equal, whatever file they
 * are of. A role named by `but` (NULL: none) may differ, or be in one alone. */
bool config_equal(const struct config *a, const struct config *b,
                  const char *but);
/* By which the text of its file is told from any other. */
void config_version(const struct config *c, char out[static CONFIG_VERSION]);
/* The next key, from *i on, in which both differ and that a hub reads only
 * once, at its start; false after the last. */
bool config_next_at_restart(const struct config *begun,
                            const struct config *now, size_t *i,
                            char name[static CONFIG_KEY_BYTES]);
/* The reference of all keys, one line each, for --help. */
void config_describe(FILE *out, bool is_english);

#endif

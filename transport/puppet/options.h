/*
 * The command line, read as the real CLIs read theirs: the same flags, the
 * same refusals, and for Claude the same lists that swallow what follows.
 */
#ifndef TRANSPORT_PUPPET_OPTIONS_H
#define TRANSPORT_PUPPET_OPTIONS_H

#include <stdbool.h>

#include "transport/puppet/text.h"

enum backend { BACKEND_CURSOR, BACKEND_CLAUDE };

enum command {
    COMMAND_RUN,
    COMMAND_HELP,
    COMMAND_VERSION,
    COMMAND_MODELS,
    COMMAND_STATUS
};

enum option {
    OPTION_PRINT,
    OPTION_FORMAT,
    OPTION_MODEL,
    OPTION_RESUME,
    OPTION_CONTINUE,
    OPTION_HELP,
    OPTION_VERSION,
    OPTION_FORCE,
    OPTION_TRUST,
    OPTION_PARTIAL,
    OPTION_WORKSPACE,
    OPTION_APPROVE_MCPS,
    OPTION_PLUGIN_DIR,
    OPTION_LIST_MODELS,
    OPTION_VERBOSE,
    OPTION_MCP_CONFIG,
    OPTION_PERMISSION_MODE,
    OPTION_SKIP_PERMISSIONS,
    OPTION_SYSTEM_PROMPT,
    OPTION_SESSION_ID,
    OPTION_OTHER, /* taken and of no consequence here */
    OPTION_KINDS
};

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_STREAM };

enum { OPTION_MCP_CONFIGS = 8 };

struct options {
    enum backend backend;
    enum command command;
    enum format format;
    bool is_set[OPTION_KINDS];
    const char *values[OPTION_KINDS]; /* borrowed from argv */
    const char *mcp_configs[OPTION_MCP_CONFIGS];
    int mcp_config_count;
    struct text prompt;
};

/* Fills a zeroed o. Returns 0, or -EINVAL with the CLI's message in error. */
int options_parse(struct options *o, int argc, char **argv, struct text *error);
/* Takes the prompt from standard input if the command line had none. */
int options_read_prompt(struct options *o, struct text *error);
void options_finish(struct options *o);

#endif

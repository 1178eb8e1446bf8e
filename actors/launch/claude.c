/* SPDX-License-Identifier: MIT */
/*
 * Claude Code. --mcp-config and --disallowedTools take every word up to the
 * next flag, so neither may stand before the prompt; --verbose is what stream-
 * json asks for in print mode. No user is there to answer a question.
 */
#include "actors/launch/plan.h"

#include <string.h>

static void agent(struct launch_plan *p)
{
    launch_mcp_file(p, "mcp.json", "");
    launch_words(p, "-p", "--output-format", "stream-json", "--verbose",
                 "--include-partial-messages", "--model",
                 p->l->role->role->model, "--mcp-config",
                 launch_path(p, "mcp.json"), "--strict-mcp-config",
                 "--disallowedTools", "AskUserQuestion",
                 "--dangerously-skip-permissions", NULL);
    launch_prompt(p);
}

/* Without a --mcp-config, the strict one means no servers at all. The last is
 * refused to root outside of a sandbox, and what agents would be refused the
 * check has to find out. */
static void check(struct launch_plan *p)
{
    launch_words(p, "-p", "--model", p->l->role->role->model,
                 "--strict-mcp-config", "--dangerously-skip-permissions", NULL);
    launch_prompt(p);
}

static void prepare(struct launch_plan *p)
{
    (void)p;
}

/*
 * CLAUDECODE and most of CLAUDE_CODE_* say that this is a child of a running
 * session, and make it refuse or behave as one. Which account and whose cloud
 * to use are the user's settings under the same prefix, and stay.
 */
static bool is_dropped(const char *variable, size_t len)
{
    static const char *const kept[] = {"OAUTH_TOKEN", "USE_", "SKIP_"};
    static const char prefix[] = "CLAUDE_CODE_";
    const char *rest = variable + sizeof(prefix) - 1;

    if (len == strlen("CLAUDECODE") && memcmp(variable, "CLAUDECODE", len) == 0)
        return true;
    if (strncmp(variable, prefix, sizeof(prefix) - 1) != 0)
        return false;
    for (size_t i = 0; i < sizeof(kept) / sizeof(*kept); i++)
        if (strncmp(rest, kept[i], strlen(kept[i])) == 0)
            return false;
    return true;
}

const struct launch_style launch_claude = {.backend = &backend_claude,
                                           .agent = agent,
                                           .check = check,
                                           .prepare = prepare,
                                           .is_dropped = is_dropped};

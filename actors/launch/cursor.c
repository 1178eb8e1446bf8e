/* SPDX-License-Identifier: MIT */
/*
 * Cursor's CLI. It takes MCP servers for one run from a plugin's manifest and
 * starts them only when approved; --force lets their tools run. The plugin is
 * the agent's own directory, which has nothing else that plugins consist of.
 *
 * All that start at once write to cli-config.json.tmp of one directory and
 * rename each other's file away: each gets a directory of its own. It is the
 * one that the manifest is in, for nothing is dearer than a directory, and
 * neither reader looks for what the other has there.
 */
#include "actors/launch/plan.h"

#define FOLDER ".cursor-plugin"
#define FOLDER_BEFORE "cursor" /* of the settings, in earlier versions */

static void agent(struct launch_plan *p)
{
    launch_mcp_file(p, FOLDER "/plugin.json", "\"name\":\"kuromajutsu\",");
    launch_words(p, "-p", "--force", "--approve-mcps", "--plugin-dir", p->dir,
                 "--model", p->l->role->role->model, "--output-format",
                 "stream-json", "--stream-partial-output", NULL);
    launch_prompt(p);
}

static void check(struct launch_plan *p)
{
    launch_words(p, "-p", "--trust", "--model", p->l->role->role->model, NULL);
    launch_prompt(p);
}

/* Where the CLI itself looks, in its order. */
static const char *user_folder(struct launch_plan *p)
{
    const char *own = caller_variable(p->l->caller, "CURSOR_CONFIG_DIR");
    const char *xdg = caller_variable(p->l->caller, "XDG_CONFIG_HOME");
    const char *home = caller_variable(p->l->caller, "HOME");

    if (own != NULL && *own != 0)
        return own;
    if (xdg != NULL && *xdg != 0)
        return arena_printf(&p->arena, "%s/cursor", xdg);
    if (home != NULL && *home != 0)
        return arena_printf(&p->arena, "%s/.cursor", home);
    return NULL;
}

static void prepare(struct launch_plan *p)
{
    const char *folder = user_folder(p);

    if (folder == NULL || folder[0] != '/')
        return;
    p->copies[p->copy_count++] =
        (struct process_copy){.from = folder, .to = FOLDER, .is_folder = true};
    p->copies[p->copy_count++] = (struct process_copy){.to = FOLDER_BEFORE};
    launch_set(p, "CURSOR_CONFIG_DIR", launch_path(p, FOLDER));
}

static bool is_dropped(const char *variable, size_t len)
{
    (void)variable;
    (void)len;
    return false;
}

const struct launch_style launch_cursor = {.backend = &backend_cursor,
                                           .models = "models",
                                           .agent = agent,
                                           .check = check,
                                           .prepare = prepare,
                                           .is_dropped = is_dropped};

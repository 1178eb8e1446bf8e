/* SPDX-License-Identifier: MIT */
/*
 * kuromajutsu-puppet: stands in for an agent CLI. Exit codes: what the
 * scenario says, 1 for what the real CLI refuses, 2 for a wrong scenario.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/puppet/directive.h"
#include "transport/puppet/help.h"
#include "transport/puppet/mcp.h"
#include "transport/puppet/models.h"
#include "transport/puppet/options.h"
#include "transport/puppet/play.h"
#include "transport/puppet/scenario.h"
#include "transport/puppet/teller.h"

/* Claude Code exits with 143 on SIGTERM instead of dying of it. */
static void on_term(int sig)
{
    _exit(128 + sig);
}

/* The id a model knows is the one in its prompt; the environment's is only
 * there for a test that writes no prompt. */
static void set_id(struct vars *v, const struct text *prompt, const char *name,
                   const char *label, const char *env)
{
    struct text value = {0};

    directive_labelled(prompt, label, &value);
    if (!value.len && getenv(env))
        text_adds(&value, getenv(env));
    vars_set(v, name, text_str(&value));
    text_finish(&value);
}

static void set_vars(struct vars *v, const struct teller *t,
                     const struct text *prompt)
{
    static const char ask[] = "respond with exactly: ";
    struct text line = {0};

    directive_last_line(prompt, &line);
    const char *reply = strstr(text_str(&line), ask);
    vars_set(v, "prompt", text_str(prompt));
    vars_set(v, "last_line", text_str(&line));
    vars_set(v, "reply", reply ? reply + sizeof(ask) - 1 : text_str(&line));
    vars_set(v, "model", t->model);
    vars_set(v, "session_id", t->session_id);
    vars_set(v, "cwd", text_str(&t->cwd));
    vars_set(v, "index", "");
    vars_set(v, "daemon_pid", "");
    set_id(v, prompt, "agent_id", "- Agent ID:", "KUROMAJUTSU_AGENT_ID");
    set_id(v, prompt, "group_id", "- Group ID:", "KUROMAJUTSU_GROUP_ID");
    text_finish(&line);
}

static int play(struct teller *t, struct vars *vars, struct mcp *mcp,
                const struct directive *d, struct text *error)
{
    struct scenario s = {0};
    struct play p = {.teller = t, .vars = vars, .mcp = mcp, .scenario = &s};
    int code = 2;

    if (!scenario_load(&s, d->name.data, &d->source, vars, &d->given, error))
        code = play_scenario(&p);
    scenario_finish(&s);
    return code;
}

static int run_scenario(const struct options *o, const char *model,
                        const struct mcp_entry *entry, struct text *error)
{
    struct teller t = {0};
    struct vars vars;
    struct mcp mcp;
    struct directive d = {0};
    int code = 2;

    teller_init(&t, o, model, entry->name.len ? entry->name.data : NULL);
    vars_init(&vars);
    mcp_init(&mcp, entry);
    set_vars(&vars, &t, &o->prompt);
    if (!directive_find(&d, &o->prompt, error))
        code = play(&t, &vars, &mcp, &d, error);
    out_flush(&t.out);
    mcp_finish(&mcp);
    directive_finish(&d);
    vars_finish(&vars);
    teller_finish(&t);
    return code;
}

static int run(struct options *o, struct text *error)
{
    struct text model = {0};
    struct mcp_entry entry = {0};
    int code = 1;

    if (!models_logged_in())
        models_refuse_login(o);
    else if (!options_read_prompt(o, error) && !models_find(o, &model, error) &&
             !mcp_entry_find(&entry, o, error)) {
        if (o->backend == BACKEND_CLAUDE)
            signal(SIGTERM, on_term);
        code = run_scenario(o, text_str(&model), &entry, error);
    }
    mcp_entry_finish(&entry);
    text_finish(&model);
    return code;
}

/* Claude Code says no by its exit too. */
static int show_status(const struct options *o, struct text *out)
{
    bool is_in = models_logged_in();

    if (o->backend == BACKEND_CURSOR)
        text_adds(out, is_in ? "✓ Logged in as puppet@example.com\n"
                             : "Not logged in\n");
    else
        text_addf(out, "{\n  \"loggedIn\": %s,\n  \"authMethod\": \"%s\"\n}\n",
                  is_in ? "true" : "false", is_in ? "claude.ai" : "none");
    return o->backend == BACKEND_CLAUDE && !is_in;
}

static int show(const struct options *o)
{
    struct text out = {0};
    int code = 0;

    if (o->command == COMMAND_HELP)
        help_add(&out);
    else if (o->command == COMMAND_VERSION)
        text_adds(&out, o->backend == BACKEND_CURSOR
                            ? MODELS_CURSOR_VERSION "\n"
                            : MODELS_CLAUDE_VERSION "-puppet (Claude Code)\n");
    else if (o->command == COMMAND_STATUS)
        code = show_status(o, &out);
    else if (models_logged_in())
        models_list(&out);
    if (!out.len) {
        models_refuse_login(o);
        code = 1;
    }
    fputs(text_str(&out), stdout);
    text_finish(&out);
    return code;
}

int main(int argc, char **argv)
{
    struct options o = {0};
    struct text error = {0};
    int code = 1;

    if (!options_parse(&o, argc, argv, &error))
        code = o.command == COMMAND_RUN ? run(&o, &error) : show(&o);
    if (error.len)
        fprintf(stderr, "%s\n", error.data);
    text_finish(&error);
    options_finish(&o);
    return code;
}

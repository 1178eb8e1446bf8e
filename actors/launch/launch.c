/* SPDX-License-Identifier: MIT */
#include "actors/launch/launch.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/launch/plan.h"
#include "config/env.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

/* The kernel takes words of up to 128 KiB; the rest is for what is added to
 * one. */
#define PROMPT_WORD_MAX ((size_t)96 * 1024)
#define GRACE_MS 5000
/* A check says a word, and a list of models is a few pages. */
#define CHECK_STDOUT_MAX ((uint64_t)1 << 20)
/* Where execvp looks when there is no PATH. */
#define PATH_DEFAULT "/usr/local/bin:/bin:/usr/bin"

static const struct launch_style *const styles[] = {&launch_cursor,
                                                    &launch_claude};

/* Those by which an agent knows its hub, and its relay how to speak; an outer
 * hub's are not for it. */
static const char *const hub_variables[] = {
    "KUROMAJUTSU_SOCKET",    "KUROMAJUTSU_AGENT_ID",   "KUROMAJUTSU_GROUP_ID",
    "KUROMAJUTSU_AGENT_KEY", "KUROMAJUTSU_LANGUAGE",   "KUROMAJUTSU_TOOLS",
    "KUROMAJUTSU_PM_AGENT",  "KUROMAJUTSU_PM_PROJECT", "KUROMAJUTSU_PM_KEY"};
#define HUB_VARIABLES (sizeof(hub_variables) / sizeof(*hub_variables))

static const struct launch_style *style_of(const struct backend *backend)
{
    for (size_t i = 0; i < sizeof(styles) / sizeof(*styles); i++)
        if (styles[i]->backend == backend)
            return styles[i];
    return styles[0];
}

/* ---- lists ---------------------------------------------------------------
 */

static void append(struct launch_plan *p, struct launch_list *list,
                   const char *item)
{
    list->items =
        arena_grow(&p->arena, list->items, list->count, sizeof(*list->items));
    list->items[list->count++] = item;
}

void launch_words(struct launch_plan *p, const char *word, ...)
{
    va_list more;

    va_start(more, word);
    for (; word != NULL; word = va_arg(more, const char *))
        append(p, &p->argv, word);
    va_end(more);
}

static bool is_named(const char *variable, const char *name)
{
    size_t len = strlen(name);

    return strncmp(variable, name, len) == 0 && variable[len] == '=';
}

void launch_set(struct launch_plan *p, const char *name, const char *value)
{
    size_t kept = 0;

    for (size_t i = 0; i < p->env.count; i++)
        if (!is_named(p->env.items[i], name))
            p->env.items[kept++] = p->env.items[i];
    p->env.count = kept;
    append(p, &p->env, arena_printf(&p->arena, "%s=%s", name, value));
}

const char *launch_path(struct launch_plan *p, const char *name)
{
    return arena_printf(&p->arena, "%s/%s", p->dir, name);
}

void launch_prompt(struct launch_plan *p)
{
    struct slice prompt = p->l->prompt;

    if (prompt.len > PROMPT_WORD_MAX) {
        p->is_prompt_input = true;
        return;
    }
    if (prompt.len > 0 && prompt.ptr[0] == '-')
        append(p, &p->argv, "--");
    append(p, &p->argv, arena_copy(&p->arena, prompt.ptr, prompt.len));
}

/* ---- what agents know of the hub ----------------------------------------- */

static const char *hub_value(const struct launch_plan *p, size_t i)
{
    const char *values[HUB_VARIABLES] = {p->l->context->socket,
                                         p->l->agent_id,
                                         p->l->group_id,
                                         p->key,
                                         language_word(p->l->language),
                                         p->l->tools,
                                         p->l->instance.agent,
                                         p->l->instance.project,
                                         p->instance_key};

    return values[i] != NULL ? values[i] : "";
}

/* MCP clients give their servers little of the environment: what the relay
 * needs stands in its own entry. A path that is no text cannot: then the relay
 * has what its client passes on, and looks for the hub by its project. */
void launch_mcp_file(struct launch_plan *p, const char *name,
                     const char *before)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{");
    json_raw(&out, slice_cstr(before));
    JSON_RAW(&out, "\"mcpServers\":{\"kuromajutsu\":{\"command\":");
    json_string(&out, slice_cstr(p->l->context->relay));
    JSON_RAW(&out, ",\"args\":[\"mcp\"],\"env\":{");
    for (size_t i = 0; i < HUB_VARIABLES; i++) {
        struct slice value = slice_cstr(hub_value(p, i));

        if (value.len > 0 && utf8_is_valid(value.ptr, value.len)) {
            json_key(&out, slice_cstr(hub_variables[i]));
            json_string(&out, value);
        }
    }
    JSON_RAW(&out, "}}}}\n");
    p->files[p->file_count++] =
        (struct process_file){.name = name,
                              .bytes = arena_copy(&p->arena, out.ptr, out.len),
                              .len = out.len};
    bytes_finish(&out);
}

static bool is_hubs(const char *variable)
{
    for (size_t i = 0; i < HUB_VARIABLES; i++)
        if (is_named(variable, hub_variables[i]))
            return true;
    return false;
}

/* Shells believe PWD where it is true, and other programs always. */
static void set_environment(struct launch_plan *p,
                            const struct launch_style *style)
{
    for (const char *const *e = p->l->caller->env; *e != NULL; e++)
        if (!is_hubs(*e) && !env_is_hubs(*e) &&
            !style->is_dropped(*e, strcspn(*e, "=")))
            append(p, &p->env, *e);
    launch_set(p, "PWD", p->cwd);
    for (size_t i = 0; i < HUB_VARIABLES; i++)
        if (*hub_value(p, i) != 0)
            launch_set(p, hub_variables[i], hub_value(p, i));
}

/* ---- programs ------------------------------------------------------------
 */

static bool is_program(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           access(path, X_OK) == 0;
}

/* What is relative is so to the caller's directory, not to the hub's. */
static char *absolute(const struct caller *caller, struct slice folder,
                      const char *name)
{
    struct bytes path = {0};

    if (folder.len == 0 || folder.ptr[0] != '/') {
        bytes_append(&path, caller->cwd, strlen(caller->cwd));
        bytes_append(&path, "/", 1);
    }
    bytes_append(&path, folder.ptr, folder.len);
    if (folder.len > 0)
        bytes_append(&path, "/", 1);
    bytes_append(&path, name, strlen(name) + 1);
    if (is_program(path.ptr))
        return path.ptr;
    bytes_finish(&path);
    return NULL;
}

/* A folder of PATH that is relative is a folder of the project's: what lies
 * there came with it, and nobody has named it. */
char *launch_find_program(const char *name, const struct caller *caller)
{
    const char *path = caller_variable(caller, "PATH");

    if (*name == '/')
        return is_program(name) ? bytes_text("%s", name) : NULL;
    if (strchr(name, '/') != NULL)
        return absolute(caller, SLICE_EMPTY, name);
    if (path == NULL)
        path = PATH_DEFAULT;
    for (;;) {
        size_t len = strcspn(path, ":");
        char *found =
            *path == '/' ? absolute(caller, slice_of(path, len), name) : NULL;

        if (found != NULL || path[len] == 0)
            return found;
        path += len + 1;
    }
}

/* A role may be hired before its program was found: then it is looked for here,
 * by names that no other maker uses, for it is given a prompt at once. If it is
 * nowhere the warden says so. */
static const char *program_of(struct launch_plan *p)
{
    const struct roster_role *role = p->l->role;
    const struct config_agent *agent = &p->l->roster->settings->config->agent;
    bool has_command = *agent->command != 0 &&
                       strcmp(agent->backend, role->backend->name) == 0;
    const char *const commands[] = {agent->command, NULL};
    const char *const *names = has_command ? commands : role->backend->programs;

    if (*role->program != 0)
        return role->program;
    if (config_is_command_withheld(p->l->roster->settings->config,
                                   role->backend->name))
        return "";
    for (;; names++) {
        char *found = launch_find_program(*names, p->l->caller);
        bool is_it = found != NULL &&
                     (has_command || backend_is_certain(role->backend, found));
        const char *own =
            is_it ? arena_copy(&p->arena, found, strlen(found)) : *names;

        free(found);
        if (is_it || names[1] == NULL)
            return own;
    }
}

/* ---- specs ---------------------------------------------------------------
 */

static const char *make_key(struct launch_plan *p, const char *of)
{
    struct bytes sealed = {0};
    const char *key;

    if (of == NULL)
        return NULL;
    signing_key_put(&sealed, &p->l->context->signing_key, slice_cstr(of));
    key = arena_copy(&p->arena, sealed.ptr, sealed.len);
    bytes_finish(&sealed);
    return key;
}

static void begin(struct launch_plan *p, const struct launch_style *style)
{
    p->key = make_key(p, p->l->agent_id);
    p->instance_key = make_key(p, p->l->instance.id);
    launch_words(p, program_of(p), NULL);
    set_environment(p, style);
    style->prepare(p);
}

static struct process_spec *finish(struct launch_plan *p, uint64_t lease_ms,
                                   uint64_t stdout_max)
{
    struct process_spec *spec;

    append(p, &p->argv, NULL);
    append(p, &p->env, NULL);
    spec = process_spec_create(&(struct process_spec){
        .id = p->l->agent_id,
        .dir = p->dir,
        .cwd = p->cwd,
        .input = p->is_prompt_input ? p->l->prompt.ptr : NULL,
        .input_len = p->is_prompt_input ? p->l->prompt.len : 0,
        .argv = p->argv.items,
        .envp = p->env.items,
        .files = p->files,
        .file_count = p->file_count,
        .copies = p->copies,
        .copy_count = p->copy_count,
        .papers = p->papers,
        .papers_len = p->papers_len,
        .nice = (unsigned)p->l->roster->settings->config->agent.nice,
        .memory_max =
            (uint64_t)p->l->roster->settings->config->agent.memory_max_bytes,
        .grace_ms = GRACE_MS,
        .lease_ms = lease_ms,
        .stdout_limit = stdout_max});
    arena_finish(&p->arena);
    return spec;
}

struct process_spec *launch_agent(const struct launch *l)
{
    const struct launch_style *style = style_of(l->role->backend);
    struct launch_plan p = {.l = l};

    p.dir = arena_printf(&p.arena, "%s/agents/%s", l->context->state_dir,
                         l->agent_id);
    p.cwd = *l->directory == 0 ? l->caller->cwd
            : *l->directory == '/'
                ? l->directory
                : arena_printf(&p.arena, "%s/%s", l->caller->cwd, l->directory);
    begin(&p, style);
    style->agent(&p);
    if (l->layers != NULL)
        launch_record(&p);
    return finish(
        &p, 0,
        (uint64_t)l->roster->settings->config->agent.transcript_limit_bytes);
}

/* Checks run in their own empty directory: a project's rules would be paid
 * for, and its MCP servers, this one among them, started. */
struct process_spec *launch_check(const struct launch *l, const char *dir)
{
    const struct launch_style *style = style_of(l->role->backend);
    struct launch_plan p = {.l = l, .dir = dir, .cwd = dir};

    begin(&p, style);
    style->check(&p);
    return finish(&p, PROCESS_BRIEF_LEASE_MS, CHECK_STDOUT_MAX);
}

struct process_spec *launch_help(const struct launch *l, const char *dir)
{
    struct launch_plan p = {.l = l, .dir = dir, .cwd = dir};

    begin(&p, style_of(l->role->backend));
    launch_words(&p, "--help", NULL);
    return finish(&p, PROCESS_BRIEF_LEASE_MS, CHECK_STDOUT_MAX);
}

struct process_spec *launch_models(const struct launch *l, const char *dir)
{
    const struct launch_style *style = style_of(l->role->backend);
    struct launch_plan p = {.l = l, .dir = dir, .cwd = dir};

    if (style->models == NULL)
        return NULL;
    begin(&p, style);
    launch_words(&p, style->models, NULL);
    return finish(&p, PROCESS_BRIEF_LEASE_MS, CHECK_STDOUT_MAX);
}

struct process_spec *launch_tool(const struct launch *l, const char *command,
                                 const char *dir)
{
    struct launch_plan p = {.l = l, .dir = dir, .cwd = l->caller->cwd};

    launch_words(&p, "/bin/sh", "-c", command, NULL);
    set_environment(&p, styles[0]);
    for (const char *const *v = env_installs_nothing; *v != NULL; v += 2)
        launch_set(&p, v[0], v[1]);
    return finish(&p, PROCESS_BRIEF_LEASE_MS, CHECK_STDOUT_MAX);
}

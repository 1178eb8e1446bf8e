/* SPDX-License-Identifier: MIT */
/*
 * Prompts that MCP clients offer to begin with: a text of ours, with what is
 * known of the task, of the agent that is to do it, or of the project.
 */
#include "actors/projects/inside.h"

#define ARGS 2

static const struct {
    const char *name, *args[ARGS];
} prompts[PROMPTS] = {
    [PROMPT_TASK_START] = {"task_start", {"task_id", "agent_id"}},
    [PROMPT_HANDOFF_TEMPLATE] = {"handoff_template",
                                 {"task_id", "from_agent_id"}},
    [PROMPT_CONTEXT_SUMMARY] = {"context_summary", {"task_id"}},
    [PROMPT_TASK_BREAKDOWN] = {"task_breakdown", {"task_id"}},
    [PROMPT_STATUS_REPORT] = {"status_report", {"project_id"}},
};

/* ---- the text ---------------------------------------------------------- */

/* The name in braces at the beginning of the text; empty: there is none. */
static struct slice read_name(const char *text)
{
    size_t len = 1;

    if (*text != '{')
        return SLICE_EMPTY;
    while (text[len] == '_' || (text[len] >= 'a' && text[len] <= 'z'))
        len++;
    return text[len] == '}' ? slice_of(text + 1, len - 1) : SLICE_EMPTY;
}

/* False: it has a fact that there is none of. */
static bool put_line(struct bytes *out, struct slice line, yyjson_val *facts)
{
    for (size_t i = 0; i < line.len;) {
        struct slice name = read_name(line.ptr + i);
        struct slice fact = field_text(field_get(facts, name));

        if (name.len > 0 && fact.len == 0)
            return false;
        if (name.len > 0)
            json_raw(out, fact);
        else
            bytes_append(out, line.ptr + i, 1);
        i += name.len > 0 ? name.len + 2 : 1;
    }
    return true;
}

static bool ends_blank(const struct bytes *out)
{
    return slice_ends(bytes_slice(out), SLICE("\n\n"));
}

static void fill(struct bytes *out, struct slice text, yyjson_val *facts)
{
    size_t heading = SIZE_MAX; /* where the last one is, if it is empty yet */

    while (text.len > 0) {
        struct slice line = slice_first_line(text);
        bool is_heading = slice_starts(line, SLICE("## "));
        size_t start = is_heading && heading != SIZE_MAX ? heading : out->len;

        out->len = start;
        if (!put_line(out, line, facts))
            out->len = start;
        else if (line.len > 0 || !ends_blank(out))
            JSON_RAW(out, "\n");
        if (is_heading)
            heading = start;
        else if (line.len > 0 && out->len > start)
            heading = SIZE_MAX;
        text = slice_of(text.ptr + line.len + 1, text.len - line.len - 1);
    }
    if (heading != SIZE_MAX)
        out->len = heading;
}

/* ---- facts ------------------------------------------------------------- */

static const char of_task[] =
    "SELECT json_object('task_id', t.id, 'title', t.title, 'description',"
    " t.description, 'status', t.status, 'priority', t.priority,"
    " 'project_id', p.id, 'project_name', p.name, 'directory', p.directory,"
    " 'dependencies', (SELECT group_concat(n.id || ' (' || n.status || ')',"
    " ', ') FROM pm_dependencies d JOIN pm_tasks n ON n.id = d.needs"
    " WHERE d.task = t.id), 'progress', c.progress, 'findings', c.findings,"
    " 'blockers', c.blockers, 'next_steps', c.next_steps,"
    " 'handoff_from', h.sender, 'handoff_summary', h.summary,"
    " 'handoff_context', h.context, 'handoff_advice', h.recommendations,"
    " 'agent_id', a.id, 'agent_name', a.name, 'others', (SELECT"
    " group_concat('- ' || o.id || ' (' || o.name || CASE WHEN o.role = ''"
    " THEN '' ELSE ', ' || o.role END || ')', char(10)) FROM pm_assignments s"
    " JOIN pm_agents o ON o.id = s.agent WHERE s.project = p.id AND"
    " o.status = 'active' AND o.id <> coalesce(a.id, '')))"
    " FROM pm_tasks t JOIN pm_projects p ON p.id = t.project"
    " LEFT JOIN pm_contexts c ON c.number ="
    " (SELECT max(number) FROM pm_contexts WHERE task = t.id)"
    " LEFT JOIN pm_handoffs h ON h.number ="
    " (SELECT max(number) FROM pm_handoffs WHERE task = t.id)"
    " LEFT JOIN pm_agents a ON a.id = ?2 WHERE t.id = ?1";

/* How many there are of each, by their names. */
static const char of_project[] =
    "SELECT json_patch(json_object('project_id', p.id, 'project_name', p.name,"
    " 'description', p.description, 'status', p.status, 'directory',"
    " p.directory, 'backlog', '0', 'todo', '0', 'in_progress', '0', 'blocked',"
    " '0', 'done', '0', 'cancelled', '0', 'others', (SELECT group_concat("
    "'- ' || a.id || ' (' || a.name || ')', char(10)) FROM pm_assignments s"
    " JOIN pm_agents a ON a.id = s.agent WHERE s.project = p.id), 'open',"
    " (SELECT group_concat('- ' || id || ' [' || status || '] ' || title,"
    " char(10)) FROM (SELECT * FROM pm_tasks WHERE project = p.id AND status"
    " NOT IN ('done', 'cancelled') ORDER BY number LIMIT 200))),"
    " (SELECT json_group_object(status, count) FROM (SELECT status,"
    " count(*) || '' AS count FROM pm_tasks WHERE project = p.id"
    " GROUP BY status))) FROM pm_projects p WHERE p.id = ?1";

static yyjson_doc *read_facts(struct work *w, const char *sql,
                              struct slice first, struct slice second)
{
    struct sql q = sql_open(w, sql);
    yyjson_doc *doc = NULL;

    sql_text(&q, 1, first);
    if (sql == of_task)
        sql_text(&q, 2, second);
    if (sql_next(&q))
        doc = yyjson_read(sql_column(&q, 0).ptr, sql_column(&q, 0).len, 0);
    sql_close(&q);
    return doc;
}

/* ---- the order --------------------------------------------------------- */

static bool read_args(struct work *w, enum prompt prompt,
                      struct slice args[ARGS])
{
    yyjson_val *given = FIELD(w->order->args, "arguments");

    for (int i = 0; i < ARGS && prompts[prompt].args[i] != NULL; i++) {
        const char *name = prompts[prompt].args[i];

        args[i] = slice_trim(field_text(field_get(given, slice_cstr(name))));
        if (args[i].len > 0)
            continue;
        WORK_REFUSE(w, CODE_MISSING_ARGUMENTS, PM_PROMPT_NEEDS,
                    prompts[prompt].name, name);
        return false;
    }
    return true;
}

static enum prompt find_prompt(struct work *w)
{
    struct slice name = PM_ARG(w, "name"), brief = order_brief(name);

    for (int i = 0; i < PROMPTS; i++)
        if (slice_eq(slice_cstr(prompts[i].name), name))
            return (enum prompt)i;
    WORK_REFUSE(w, CODE_PROMPT_NOT_FOUND, PM_NO_PROMPT, (int)brief.len,
                brief.ptr);
    return PROMPTS;
}

/* All that it is about is there; else it was refused. */
static bool check(struct work *w, enum prompt prompt,
                  const struct slice args[ARGS])
{
    struct task t;

    if (prompt == PROMPT_STATUS_REPORT)
        return project_exists(w, args[0]);
    return task_require(w, args[0], &t) &&
           (args[1].len == 0 || profile_exists(w, args[1]));
}

void prompt_get(struct work *w)
{
    enum prompt prompt = find_prompt(w);
    struct slice args[ARGS] = {SLICE_EMPTY, SLICE_EMPTY};
    const char *const *texts =
        order_is_english(w->order) ? prompt_en : prompt_ja;
    struct bytes text = {0}, *out;
    yyjson_doc *facts;

    if (prompt == PROMPTS || !read_args(w, prompt, args) ||
        !check(w, prompt, args))
        return;
    facts = read_facts(w, prompt == PROMPT_STATUS_REPORT ? of_project : of_task,
                       args[0], args[1]);
    fill(&text, slice_cstr(texts[prompt]), yyjson_doc_get_root(facts));
    out = work_answer(w);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "name", slice_cstr(prompts[prompt].name));
    JSON_TEXT(out, "text", bytes_slice(&text));
    JSON_RAW(out, "}");
    yyjson_doc_free(facts);
    bytes_finish(&text);
}

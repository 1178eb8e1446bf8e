/* SPDX-License-Identifier: MIT */
/*
 * Text is searched as people type it: words between blanks, each of which
 * must be somewhere in the agent's texts. The index gives the agents that
 * have all the words' trigrams (any order, anywhere); whether the words
 * themselves are there is then seen in the texts. So a word is never syntax,
 * and words too short for the index mean the same, only slower.
 */
#include "actors/store/ask.h"

#include <stdio.h>

#include "actors/store/agent_row.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"

#define SEARCH_WORDS 8
#define TRIGRAMS 32 /* of one word; more would not find fewer */

struct history {
    struct slice group, role, status, state, order, search;
    int64_t since, until, limit, before;
    int64_t serial; /* of the group */
    int64_t total;  /* -1: still to be counted */
};

/* ---- search ------------------------------------------------------------ */

/* Bytes of the UTF-8 character that begins at `at`. */
static size_t width(struct slice s, size_t at)
{
    size_t n = 1;

    while (at + n < s.len && ((unsigned char)s.ptr[at + n] & 0xc0) == 0x80)
        n++;
    return n;
}

static struct slice next_word(struct slice *text)
{
    struct slice word;
    size_t n = 0;

    *text = slice_trim(*text);
    while (n < text->len && strchr(" \t\r\n", text->ptr[n]) == NULL)
        n++;
    word = slice_of(text->ptr, n);
    *text = slice_of(text->ptr + n, text->len - n);
    return word;
}

static void put_quoted(struct bytes *out, struct slice s)
{
    bytes_append(out, out->len > 0 ? " AND \"" : "\"", out->len > 0 ? 6 : 1);
    for (size_t i = 0; i < s.len; i++) {
        if (s.ptr[i] == '"')
            bytes_append(out, "\"", 1);
        bytes_append(out, s.ptr + i, 1);
    }
    bytes_append(out, "\"", 1);
}

static void put_trigrams(struct bytes *out, struct slice word)
{
    size_t at = 0;

    for (unsigned n = 0; n < TRIGRAMS && at < word.len; n++) {
        size_t first = width(word, at), end = at + first;

        for (unsigned more = 0; more < 2; more++) {
            if (end >= word.len)
                return;
            end += width(word, end);
        }
        put_quoted(out, slice_of(word.ptr + at, end - at));
        at += first;
    }
}

/* "%...%", in which the word's own % and _ mean themselves. */
static struct slice pattern(struct query *q, struct slice word)
{
    struct bytes out = {0};
    struct slice kept;

    bytes_append(&out, "%", 1);
    for (size_t i = 0; i < word.len; i++) {
        if (strchr("%_\\", word.ptr[i]) != NULL)
            bytes_append(&out, "\\", 1);
        bytes_append(&out, word.ptr + i, 1);
    }
    bytes_append(&out, "%", 1);
    kept = slice_of(arena_copy(&q->arena, out.ptr, out.len), out.len);
    bytes_finish(&out);
    return kept;
}

static void add_search(struct query *q, struct slice text)
{
    struct bytes match = {0};
    struct slice word;

    while ((word = next_word(&text)).len > 0) {
        put_trigrams(&match, word);
        query_where(q,
                    " AND (x.prompt LIKE ?%u ESCAPE '\\'"
                    " OR x.summary LIKE ?%u ESCAPE '\\'"
                    " OR x.response LIKE ?%u ESCAPE '\\'"
                    " OR x.edited LIKE ?%u ESCAPE '\\'"
                    " OR x.created LIKE ?%u ESCAPE '\\')",
                    query_text(q, pattern(q, word)));
    }
    if (match.len > 0) {
        struct slice kept =
            slice_of(arena_copy(&q->arena, match.ptr, match.len), match.len);

        query_where(q,
                    " AND a.serial IN (SELECT rowid FROM agents_fts"
                    " WHERE agents_fts MATCH ?%u UNION ALL"
                    " SELECT serial FROM texts WHERE is_indexed = 0)",
                    query_text(q, kept));
    }
    bytes_finish(&match);
}

/* Where the first word is, with what stands around it; NULL: none is sought. */
static void add_hit(struct query *q, struct slice text)
{
    struct slice word = next_word(&text);

    if (word.len == 0) {
        query_add(q, "NULL");
        return;
    }
    query_where(q,
                "(SELECT substr(t, max(1, instr(lower(t), lower(?%u)) - 60),"
                " 240) FROM (SELECT",
                query_text(q, word));
    query_where(q,
                " CASE WHEN x.summary LIKE ?%u ESCAPE '\\' THEN x.summary"
                " WHEN x.prompt LIKE ?%u ESCAPE '\\' THEN x.prompt"
                " WHEN x.response LIKE ?%u ESCAPE '\\' THEN x.response"
                " WHEN x.edited LIKE ?%u ESCAPE '\\' THEN x.edited"
                " ELSE x.created END AS t))",
                query_text(q, pattern(q, word)));
}

/* ---- what is asked ----------------------------------------------------- */

/* `completed` and `failed` are wider than the states of those names, as in
 * list_agents. */
const char *ask_status_sql(struct slice status)
{
    static const struct {
        struct slice name;
        const char *sql;
    } words[] = {
        {SLICE_INIT("all"), ""},
        {SLICE_INIT("completed"),
         " AND (a.state = 'completed' OR (a.state = 'resultReported'"
         " AND a.outcome = 'success'))"},
        {SLICE_INIT("failed"),
         " AND (a.state IN ('failed', 'timedOut', 'cancelled') OR"
         " (a.state = 'resultReported' AND a.outcome <> 'success'))"},
        {SLICE_INIT("queued"), " AND a.state = 'queued'"},
        {SLICE_INIT("running"), " AND a.state = 'running'"},
        {SLICE_INIT("timedOut"), " AND a.state = 'timedOut'"},
        {SLICE_INIT("cancelled"), " AND a.state = 'cancelled'"},
        {SLICE_INIT("resultReported"), " AND a.state = 'resultReported'"}};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (slice_eq(words[i].name, status))
            return words[i].sql;
    return NULL;
}

static bool is_oldest(const struct history *h)
{
    return slice_eq(h->order, SLICE("oldest"));
}

static void add_where(struct query *q, const struct history *h)
{
    query_add(q, "WHERE 1");
    if (h->serial > 0)
        query_where(q, " AND a.grp = ?%u", query_int(q, h->serial));
    if (h->role.len > 0)
        query_where(q, " AND a.role = ?%u", query_text(q, h->role));
    if (h->status.len > 0)
        query_add(q, ask_status_sql(h->status));
    if (h->state.len > 0)
        query_where(q,
                    " AND CASE WHEN a.state = 'resultReported' AND a.outcome"
                    " = 'failure' THEN 'failed' ELSE a.state END = ?%u",
                    query_text(q, h->state));
    if (h->since > 0)
        query_where(q, " AND a.created_at >= ?%u", query_int(q, h->since));
    if (h->until > 0)
        query_where(q, " AND a.created_at < ?%u", query_int(q, h->until));
    if (h->search.len > 0)
        add_search(q, h->search);
}

static unsigned count_words(struct slice text)
{
    unsigned n = 0;

    while (next_word(&text).len > 0)
        n++;
    return n;
}

static bool is_status(struct question *q, const char *name, struct slice s)
{
    if (s.len == 0 || ask_status_sql(s) != NULL)
        return true;
    ASK_REFUSE(q, CODE_VALIDATION_ERROR, HISTORY_STATUS_UNKNOWN, name,
               (int)s.len, s.ptr);
    return false;
}

static bool is_good(struct question *q, struct history *h)
{
    if (!is_status(q, "status", h->status) || !is_status(q, "state", h->state))
        return false;
    if (slice_eq(h->state, SLICE("all")))
        h->state = SLICE_EMPTY;
    if (h->order.len > 0 && !is_oldest(h) &&
        !slice_eq(h->order, SLICE("newest"))) {
        ASK_REFUSE(q, CODE_VALIDATION_ERROR, HISTORY_ORDER_UNKNOWN,
                   (int)h->order.len, h->order.ptr);
        return false;
    }
    if (count_words(h->search) > SEARCH_WORDS) {
        ASK_REFUSE(q, CODE_VALIDATION_ERROR, HISTORY_TOO_MANY_WORDS,
                   SEARCH_WORDS);
        return false;
    }
    if (h->group.len > 0 && h->serial == 0) {
        ask_refuse_group(q, h->group);
        return false;
    }
    return true;
}

static int read_question(struct question *q, struct history *h)
{
    const struct arg args[] = {{"groupId", ARG_TEXT, &h->group},
                               {"role", ARG_TEXT, &h->role},
                               {"status", ARG_TEXT, &h->status},
                               {"state", ARG_TEXT, &h->state},
                               {"order", ARG_TEXT, &h->order},
                               {"since", ARG_TIME, &h->since},
                               {"until", ARG_TIME, &h->until},
                               {"search", ARG_TEXT, &h->search},
                               {"limit", ARG_COUNT, &h->limit},
                               {"before", ARG_COUNT, &h->before},
                               {0}};
    int code = SQLITE_OK;

    args_read(q->o, args);
    if (h->group.len > 0)
        code = query_find(q->s->db, "groups", h->group, &h->serial);
    if (code == SQLITE_OK)
        is_good(q, h);
    return code;
}

/* ---- the answer -------------------------------------------------------- */

/* Where the report would be is what was found. */
static void put_entry(struct bytes *out, const struct agent_record *a)
{
    const struct agent_record_line *l = &a->line;
    const struct agent_record_result *result = &a->result;

    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", l->id);
    JSON_TEXT(out, "groupId", l->group);
    JSON_TEXT(out, "groupDescription", a->group_description);
    JSON_TEXT(out, "role", l->role);
    JSON_TEXT(out, "model", l->model);
    JSON_TEXT(out, "status", l->state);
    if (l->outcome.len > 0)
        JSON_TEXT(out, "outcome", l->outcome);
    agent_record_put_about(out, a->prompt);
    JSON_TEXT(out, "summary", result->summary);
    JSON_KEY(out, "createdAt");
    json_time(out, a->created_at);
    JSON_KEY(out, "startedAt");
    json_time(out, l->started_at);
    JSON_KEY(out, "finishedAt");
    json_time(out, result->finished_at);
    JSON_UINT(out, "duration_ms", result->duration_ms);
    JSON_UINT(out, "toolCallCount", l->tool_calls);
    agent_record_put_usage(out, &a->usage);
    agent_record_put_files(out, a);
    if (result->error.len > 0)
        JSON_TEXT(out, "errorMessage", result->error);
    if (result->response.len > 0)
        JSON_TEXT(out, "hit", result->response);
    JSON_RAW(out, "}");
}

/* One more than the page is asked for: whether there is a next one. */
static int put_page(struct question *q, struct history *h, sqlite3_stmt *row)
{
    struct bytes *out = &q->a->json;
    struct agent_record a = {.serial = 0};
    int64_t n = 0;
    int code;

    JSON_RAW(out, "{\"agents\":[");
    while ((code = sqlite3_step(row)) == SQLITE_ROW) {
        if (n == h->limit || out->len > ASK_PAGE)
            break;
        if (n++ > 0)
            JSON_RAW(out, ",");
        agent_row_read(row, NULL, &a);
        put_entry(out, &a);
    }
    JSON_RAW(out, "]");
    if (code == SQLITE_ROW)
        JSON_UINT(out, "next", a.serial);
    else if (h->before == 0)
        h->total = n; /* all of them were here */
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int list(struct question *q, struct history *h)
{
    struct query query = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&query, AGENT_ROW_COLUMNS("g.id, g.description", "o.kind",
                                        "substr(x.prompt, 1, 400), "));
    add_hit(&query, h->search);
    query_add(&query, ", NULL" AGENT_ROW_FROM);
    add_where(&query, h);
    if (h->before > 0)
        query_where(&query,
                    is_oldest(h) ? " AND a.serial > ?%u"
                                 : " AND a.serial < ?%u",
                    query_int(&query, h->before));
    query_where(&query,
                is_oldest(h) ? " ORDER BY a.serial LIMIT ?%u"
                             : " ORDER BY a.serial DESC LIMIT ?%u",
                query_int(&query, h->limit + 1));
    code = query_prepare(q->s->db, &query, &row);
    if (code == SQLITE_OK)
        code = put_page(q, h, row);
    sqlite3_finalize(row);
    query_finish(&query);
    return code;
}

static int count(struct question *q, struct history *h)
{
    struct query query = {0};
    int code;

    query_add(&query, "SELECT count(*) FROM agents a ");
    if (h->search.len > 0)
        query_add(&query, "CROSS JOIN texts x ON x.serial = a.serial ");
    add_where(&query, h);
    code = query_number(q->s->db, &query, &h->total);
    query_finish(&query);
    return code;
}

int ask_history(struct question *q)
{
    struct history h = {.limit = 50, .total = -1};
    int code = read_question(q, &h);

    if (code != SQLITE_OK || q->a == NULL)
        return code;
    code = list(q, &h);
    if (code == SQLITE_OK && h.total < 0)
        code = count(q, &h);
    JSON_UINT(&q->a->json, "total", (uint64_t)h.total);
    JSON_RAW(&q->a->json, "}");
    return code;
}

/* SPDX-License-Identifier: MIT */
/*
 * One file of NDJSON, so that it can be written and read line by line however
 * long transcripts are:
 *
 *   {"type":"export",...}      what this is
 *   {"type":"group",...}       a group as the database has it
 *   {"type":"agent",...}       an agent: definition, result, events
 *   {"type":"line",...}        a line of its transcript, as it was printed
 *   {"type":"transcript",...}  its end
 *   {"type":"end",...}         the file is whole
 *
 * Or, with --html, the page that shows a group (export_html.h).
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "config/reason.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/command/command.h"
#include "transport/command/export_html.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/transcript_file.h"
#include "transport/command/whole_file.h"

#define CHUNK (64 * 1024)
#define LINE_LIMIT ((size_t)16 << 20) /* a longer one comes in pieces */

struct exporting {
    struct console *console;
    struct records records;
    FILE *out;
    bool is_html, is_full;
    const char *id; /* the head is still to be written; else NULL */
    char **groups;  /* found so far, to be exported in this order */
    size_t group_count;
    uint64_t agents, lines;
};

static void put_head(struct exporting *e);

/* Writes a line and empties it. The head comes with the first of them: of what
 * is not there nothing is written. */
static void put(struct exporting *e, struct bytes *line)
{
    if (e->id)
        put_head(e);
    JSON_RAW(line, "}\n");
    fwrite(line->ptr, 1, line->len, e->out);
    bytes_clear(line, CHUNK);
}

static void begin(struct bytes *line, const char *type)
{
    JSON_RAW(line, "{");
    JSON_TEXT(line, "type", slice_cstr(type));
}

static void put_head(struct exporting *e)
{
    const char *id = e->id;
    struct bytes line = {0};

    e->id = NULL;
    begin(&line, "export");
    JSON_UINT(&line, "version", 1);
    JSON_TEXT(&line, "id", slice_cstr(id));
    JSON_KEY(&line, "exportedAt");
    json_time(&line, moment_now());
    put(e, &line);
    bytes_finish(&line);
}

static void put_end(struct exporting *e)
{
    struct bytes line = {0};

    begin(&line, "end");
    JSON_UINT(&line, "groups", e->group_count);
    JSON_UINT(&line, "agents", e->agents);
    JSON_UINT(&line, "lines", e->lines);
    put(e, &line);
    bytes_finish(&line);
}

/* ---- transcripts ------------------------------------------------------- */

static bool is_json(struct slice text)
{
    yyjson_doc *doc = yyjson_read(text.ptr, text.len, 0);

    yyjson_doc_free(doc);
    return doc != NULL;
}

static void put_line(struct exporting *e, const char *id, struct slice text)
{
    struct bytes line = {0};

    text = slice_trim(text);
    if (text.len == 0)
        return;
    begin(&line, "line");
    JSON_TEXT(&line, "agentId", slice_cstr(id));
    if (is_json(text)) {
        JSON_KEY(&line, "data");
        json_raw(&line, text);
    } else {
        JSON_TEXT(&line, "text", text);
    }
    put(e, &line);
    e->lines++;
    bytes_finish(&line);
}

/* Writes the whole lines that are there; what is left is the next one's. */
static void put_lines(struct exporting *e, const char *id, struct bytes *text)
{
    size_t at = 0;
    char *end;

    while ((end = memchr(text->ptr + at, '\n', text->len - at))) {
        size_t len = (size_t)(end - text->ptr) - at;
        put_line(e, id, slice_of(text->ptr + at, len));
        at += len + 1;
    }
    memmove(text->ptr, text->ptr + at, text->len - at);
    text->len -= at;
    if (text->len > LINE_LIMIT) {
        put_line(e, id, bytes_slice(text));
        text->len = 0;
    }
}

static int read_lines(struct exporting *e, struct transcript_file *f,
                      const char *id)
{
    struct bytes text = {0};
    ssize_t n;

    do {
        bytes_reserve(&text, CHUNK);
        n = transcript_file_read(f, text.ptr + text.len, CHUNK);
        text.len += n > 0 ? (size_t)n : 0;
        put_lines(e, id, &text);
    } while (n > 0);
    put_line(e, id, bytes_slice(&text));
    bytes_finish(&text);
    if (n == 0)
        return CONSOLE_FINE;
    COMPLAIN(e->console, EXPORT_UNREADABLE, id,
             reason_of((int)n, e->console->is_english).text);
    return CONSOLE_FAILED;
}

static int put_transcript(struct exporting *e, const char *id)
{
    struct transcript_file f;
    struct bytes line = {0};
    uint64_t before = e->lines;
    int code;

    if (!transcript_file_open(&f, e->console->state_dir, id))
        return CONSOLE_FINE;
    code = read_lines(e, &f, id);
    begin(&line, "transcript");
    JSON_TEXT(&line, "agentId", slice_cstr(id));
    JSON_UINT(&line, "lines", e->lines - before);
    JSON_BOOL(&line, "found", transcript_file_is_found(&f));
    put(e, &line);
    bytes_finish(&line);
    transcript_file_close(&f);
    return code;
}

/* ---- records ----------------------------------------------------------- */

static void put_member(struct bytes *line, struct slice name, yyjson_val *val)
{
    if (!val)
        return;
    json_key(line, name);
    json_val(line, val);
}

static int put_agent(struct exporting *e, yyjson_val *agent)
{
    const char *id = yyjson_get_str(FIELD(agent, "agentId"));
    struct bytes line = {0};

    begin(&line, "agent");
    put_member(&line, SLICE("agent"), agent);
    put(e, &line);
    bytes_finish(&line);
    e->agents++;
    return id ? put_transcript(e, id) : CONSOLE_FINE;
}

static void put_group(struct exporting *e, yyjson_val *root)
{
    static const struct slice lists[] = {
        SLICE_INIT("childGroupIds"), SLICE_INIT("orders"),
        SLICE_INIT("ledgers"), SLICE_INIT("events")};
    struct bytes line = {0};

    begin(&line, "group");
    put_member(&line, SLICE("group"), yyjson_arr_get(FIELD(root, "groups"), 0));
    for (size_t i = 0; i < 4; i++)
        put_member(&line, lists[i], field_get(root, lists[i]));
    put(e, &line);
    bytes_finish(&line);
}

static void add_group(struct exporting *e, const char *id)
{
    ARRAY_GROW(e->groups, e->group_count);
    e->groups[e->group_count++] = bytes_text("%s", id);
}

static int put_page(struct exporting *e, yyjson_val *root, bool is_group)
{
    yyjson_val *item;
    size_t i, count;
    int code = CONSOLE_FINE;

    if (is_group && FIELD(root, "groups"))
        put_group(e, root);
    yyjson_arr_foreach(FIELD(root, "childGroupIds"), i, count, item)
    {
        add_group(e, yyjson_get_str(item));
    }
    yyjson_arr_foreach(FIELD(root, "agents"), i, count, item)
    {
        code = code ? code : put_agent(e, item);
    }
    return code;
}

/* All pages of one record; the key is agentId or groupId. */
static int put_record(struct exporting *e, struct slice key, const char *id)
{
    uint64_t after = 0;
    int code;

    do {
        struct bytes args = {0};
        yyjson_doc *doc;

        JSON_RAW(&args, "{");
        json_key(&args, key);
        json_string(&args, slice_cstr(id));
        if (after > 0)
            JSON_UINT(&args, "after", after);
        JSON_RAW(&args, "}");
        code = records_ask(&e->records, "record", bytes_slice(&args), &doc);
        bytes_finish(&args);
        if (code)
            return code;
        yyjson_val *root = yyjson_doc_get_root(doc);
        code = put_page(e, root, slice_eq(key, SLICE("groupId")));
        after = FIELD_COUNT(root, "next");
        yyjson_doc_free(doc);
    } while (!code && after > 0 && !ferror(e->out));
    return code;
}

static int put_all(struct exporting *e, const char *id)
{
    int code = CONSOLE_FINE;

    if (e->is_html)
        return export_html(&e->records, e->out, id, e->is_full);
    e->id = id;
    if (strncmp(id, "grp-", 4)) {
        code = put_record(e, SLICE("agentId"), id);
    } else {
        add_group(e, id);
        for (size_t i = 0; !code && i < e->group_count; i++)
            code = put_record(e, SLICE("groupId"), e->groups[i]);
    }
    if (!code)
        put_end(e);
    return code;
}

/* ---- the command ------------------------------------------------------- */

static int write_file(struct exporting *e, const char *id, const char *name)
{
    struct whole_file f;
    int code = whole_file_open(&f, e->console, name);

    e->out = f.out;
    return whole_file_close(&f, code ? code : put_all(e, id));
}

/* What does not belong together. CONSOLE_FINE, else told. */
static int check(struct console *con, const struct exporting *e,
                 const char *file, const char *name)
{
    if (e->is_full && !e->is_html) {
        COMPLAIN(con, EXPORT_FULL_IS_OF_HTML, name);
        return CONSOLE_USAGE;
    }
    if (!file && con->out.is_terminal) {
        COMPLAIN(con, EXPORT_NOT_TO_TERMINAL, name);
        return CONSOLE_USAGE;
    }
    return CONSOLE_FINE;
}

static int find(struct exporting *e, const char *piece, char **id)
{
    int code = ids_find(&e->records, piece, IDS_EITHER, 1, id);

    if (code || !e->is_html || ids_is_group(*id))
        return code;
    COMPLAIN(e->console, EXPORT_HTML_IS_OF_GROUPS, *id);
    return CONSOLE_FAILED;
}

static int run(struct console *con, int argc, char **argv)
{
    struct exporting e = {.console = con};
    const char *file = NULL;
    const struct option options[] = {{"--output", 'o', NULL, &file},
                                     {"--html", 0, &e.is_html, NULL},
                                     {"--full", 0, &e.is_full, NULL},
                                     {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_AGENT_OR_GROUP)) ||
        check(con, &e, file, argv[0]))
        return CONSOLE_USAGE;
    int code = records_open(&e.records, con);
    if (!code) {
        e.out = con->out.out;
        char *id = NULL;
        code = find(&e, argv[1], &id);
        if (!code)
            code = file ? write_file(&e, id, file) : put_all(&e, id);
        free(id);
    }
    records_close(&e.records);
    for (size_t i = 0; i < e.group_count; i++)
        free(e.groups[i]);
    free(e.groups);
    return code;
}

const struct command command_export = {
    .name = "export",
    .words = "[-o FILE] [--html [--full]] AGENT|GROUP",
    .what = BOTH(EXPORT_COMMAND),
    .more = BOTH(EXPORT_MANUAL),
    .needs_home = true,
    .run = run,
};

/* SPDX-License-Identifier: MIT */
#include "transport/command/recording.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/command/recording_story.h"
#include "transport/wire/build.h"

#define EVENTS 5000
/* A browser reads all of the file before it shows anything. Of all stories
 * together so much, shared out, but so much of each if there are many. */
#define STORIES_MOST ((uint64_t)64 << 20)
#define STORY_MOST ((uint64_t)4 << 20)
#define STORY_LEAST ((uint64_t)128 << 10)

/* ---- writing ------------------------------------------------------------ */

/* U+2028 and U+2029 end a line in some readers of JSON. */
static size_t is_line_end(const char *at, size_t left)
{
    return left >= 3 && (memcmp(at, "\xe2\x80\xa8", 3) == 0 ||
                         memcmp(at, "\xe2\x80\xa9", 3) == 0);
}

/* In JSON these stand in strings only, where an escape is the same. */
static void put_safely(FILE *out, struct slice text)
{
    size_t from = 0;

    for (size_t i = 0; i < text.len; i++) {
        bool is_end =
            text.ptr[i] == '\xe2' && is_line_end(text.ptr + i, text.len - i);

        if (text.ptr[i] != '<' && !is_end)
            continue;
        fwrite(text.ptr + from, 1, i - from, out);
        fputs(!is_end                     ? "\\u003c"
              : text.ptr[i + 2] == '\xa8' ? "\\u2028"
                                          : "\\u2029",
              out);
        i += is_end ? 2 : 0;
        from = i + 1;
    }
    fwrite(text.ptr + from, 1, text.len - from, out);
}

static void put(struct recording *r, struct bytes *json)
{
    put_safely(r->out, bytes_slice(json));
    bytes_clear(json, STORY_LEAST);
}

/* ---- agents ------------------------------------------------------------- */

/* Not of an agent's own: lists that the recording has as a whole, and whether
 * a hub was asked. */
static bool is_left_out(struct slice name)
{
    return slice_eq(name, SLICE("events")) || slice_eq(name, SLICE("states")) ||
           slice_eq(name, SLICE("hub"));
}

static void put_members(struct bytes *out, yyjson_val *object)
{
    yyjson_obj_iter it = yyjson_obj_iter_with(object);
    yyjson_val *key;

    while ((key = yyjson_obj_iter_next(&it))) {
        struct slice name = field_text(key);

        if (is_left_out(name))
            continue;
        json_key(out, name);
        json_val(out, yyjson_obj_iter_get_val(key));
    }
}

static void put_object(struct bytes *out, struct slice name, yyjson_val *object)
{
    json_key(out, name);
    JSON_RAW(out, "{");
    put_members(out, object);
    JSON_RAW(out, "}");
}

/* One of its papers, if there is one. */
static int put_paper(struct recording *r, struct bytes *out, const char *name,
                     const char *id)
{
    struct bytes args = {0};
    yyjson_doc *doc;

    ask_argument(&args, "agentId", id);
    int code = records_try(r->records, name, bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (doc)
        put_object(out, slice_cstr(name), yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return code;
}

static int put_agent(struct recording *r, yyjson_val *agent)
{
    const char *id = yyjson_get_str(FIELD(agent, "agentId"));
    struct bytes out = {0};
    bool is_cut = false;

    JSON_RAW(&out, "{");
    put_object(&out, SLICE("record"), agent);
    int code = put_paper(r, &out, "prompt", id);
    if (!code)
        code = put_paper(r, &out, "process", id);
    if (!code)
        code = recording_story(r->records, id, r->story_most, &out, &is_cut);
    JSON_RAW(&out, "}");
    put(r, &out);
    bytes_finish(&out);
    r->cut += is_cut;
    return code;
}

/* ---- groups ------------------------------------------------------------- */

static int ask_page(struct recording *r, const char *group, uint64_t after,
                    yyjson_doc **doc)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "groupId", slice_cstr(group));
    JSON_UINT(&args, "after", after);
    JSON_RAW(&args, "}");
    int code = records_ask(r->records, "record", bytes_slice(&args), doc);
    bytes_finish(&args);
    return code;
}

typedef int page_fn(struct recording *r, yyjson_val *page);

static int each_page(struct recording *r, const char *group, page_fn *on_page)
{
    uint64_t after = 0;
    int code;

    do {
        yyjson_doc *doc;

        code = ask_page(r, group, after, &doc);
        if (code)
            return code;
        code = on_page(r, yyjson_doc_get_root(doc));
        after = FIELD_COUNT(yyjson_doc_get_root(doc), "next");
        yyjson_doc_free(doc);
    } while (!code && after > 0 && !(r->out && ferror(r->out)));
    return code;
}

static void add_group(struct recording *r, const char *id)
{
    ARRAY_GROW(r->groups, r->group_count);
    r->groups[r->group_count++] = bytes_text("%s", id);
}

static int count_page(struct recording *r, yyjson_val *page)
{
    yyjson_val *id;
    size_t i, count;

    yyjson_arr_foreach(FIELD(page, "childGroupIds"), i, count, id)
    {
        add_group(r, yyjson_get_str(id));
    }
    r->agents += yyjson_arr_size(FIELD(page, "agents"));
    return CONSOLE_FINE;
}

/* The first page has the group itself. */
static void put_group(struct recording *r, yyjson_val *page)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{");
    put_members(&out, yyjson_arr_get(FIELD(page, "groups"), 0));
    JSON_KEY(&out, "ledgers");
    json_val(&out, FIELD(page, "ledgers"));
    JSON_RAW(&out, ",\"agents\":[");
    put(r, &out);
    bytes_finish(&out);
}

static int put_page(struct recording *r, yyjson_val *page)
{
    bool is_first = FIELD(page, "groups") != NULL;
    yyjson_val *agent;
    size_t i, count;
    int code = CONSOLE_FINE;

    if (is_first)
        put_group(r, page);
    yyjson_arr_foreach(FIELD(page, "agents"), i, count, agent)
    {
        if (!is_first || i > 0)
            fputc(',', r->out);
        code = put_agent(r, agent);
        if (code)
            break;
    }
    return code;
}

/* ---- events ------------------------------------------------------------- */

static void put_event_page(struct recording *r, yyjson_val *page,
                           bool *is_first)
{
    struct bytes out = {0};
    yyjson_val *event;
    size_t i, count;

    yyjson_arr_foreach(FIELD(page, "events"), i, count, event)
    {
        if (!*is_first)
            JSON_RAW(&out, ",");
        *is_first = false;
        json_val(&out, event);
    }
    put(r, &out);
    bytes_finish(&out);
}

/* Of all these groups, in the order in which they happened. */
static int put_events(struct recording *r)
{
    uint64_t since = 0;
    bool is_first = true;

    do {
        struct bytes args = {0};
        yyjson_doc *doc;

        JSON_RAW(&args, "{");
        JSON_TEXT(&args, "groupId", slice_cstr(r->groups[0]));
        JSON_BOOL(&args, "below", true);
        JSON_UINT(&args, "since", since);
        JSON_UINT(&args, "limit", EVENTS);
        JSON_RAW(&args, "}");
        int code = records_ask(r->records, "events", bytes_slice(&args), &doc);
        bytes_finish(&args);
        if (code)
            return code;
        put_event_page(r, yyjson_doc_get_root(doc), &is_first);
        since = FIELD_COUNT(yyjson_doc_get_root(doc), "next");
        yyjson_doc_free(doc);
    } while (since > 0 && !ferror(r->out));
    return CONSOLE_FINE;
}

/* ---- the whole ---------------------------------------------------------- */

static void put_head(struct recording *r)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{");
    JSON_UINT(&out, "version", 1);
    JSON_TEXT(&out, "groupId", slice_cstr(r->groups[0]));
    JSON_KEY(&out, "exportedAt");
    json_time(&out, moment_now());
    JSON_TEXT(&out, "build", slice_cstr(build_id()));
    JSON_TEXT(&out, "language",
              slice_cstr(r->records->console->is_english ? "en" : "ja"));
    JSON_RAW(&out, ",\"groups\":[");
    put(r, &out);
    bytes_finish(&out);
}

static uint64_t share_of(const struct recording *r)
{
    uint64_t share = STORIES_MOST / (r->agents > 0 ? r->agents : 1);

    if (r->is_full)
        return UINT64_MAX;
    return share > STORY_MOST    ? STORY_MOST
           : share < STORY_LEAST ? STORY_LEAST
                                 : share;
}

int recording_begin(struct recording *r, const char *group)
{
    int code = CONSOLE_FINE;

    add_group(r, group);
    for (size_t i = 0; !code && i < r->group_count; i++)
        code = each_page(r, r->groups[i], count_page);
    r->story_most = share_of(r);
    return code;
}

int recording_write(struct recording *r)
{
    int code = CONSOLE_FINE;

    put_head(r);
    for (size_t i = 0; !code && i < r->group_count; i++) {
        if (i > 0)
            fputc(',', r->out);
        code = each_page(r, r->groups[i], put_page);
        fputs("]}", r->out);
    }
    fputs("],\"events\":[", r->out);
    if (!code)
        code = put_events(r);
    fputs("]}", r->out);
    return code;
}

void recording_finish(struct recording *r)
{
    for (size_t i = 0; i < r->group_count; i++)
        free(r->groups[i]);
    free(r->groups);
}

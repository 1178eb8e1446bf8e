/* SPDX-License-Identifier: MIT */
#include "transport/command/recording_story.h"

#include <stdlib.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"

#define PAGE 200

struct telling {
    struct bytes *pages; /* entries, the last page first */
    size_t page_count;
    uint64_t bytes, size;
    uint64_t before; /* what is still to be read lies before it; 0: nothing */
    bool is_there;
};

static void take_page(struct telling *s, yyjson_val *page)
{
    struct bytes entries = {0};
    yyjson_val *entry;
    size_t i, count;

    yyjson_arr_foreach(FIELD(page, "entries"), i, count, entry)
    {
        if (i > 0)
            JSON_RAW(&entries, ",");
        json_val(&entries, entry);
    }
    if (!s->is_there)
        s->size = FIELD_COUNT(page, "size");
    s->is_there = true;
    s->before = FIELD_COUNT(page, "previous");
    s->bytes += entries.len;
    if (entries.len == 0) {
        bytes_finish(&entries);
        return;
    }
    ARRAY_GROW(s->pages, s->page_count);
    s->pages[s->page_count++] = entries;
}

static int read_page(struct records *r, const char *agent, struct telling *s)
{
    struct bytes args = {0};
    yyjson_doc *doc;

    JSON_RAW(&args, "{");
    JSON_TEXT(&args, "agentId", slice_cstr(agent));
    JSON_UINT(&args, "before", s->before);
    JSON_UINT(&args, "limit", PAGE);
    JSON_RAW(&args, "}");
    int code = records_try(r, "story", bytes_slice(&args), &doc);
    bytes_finish(&args);
    s->before = 0;
    if (doc)
        take_page(s, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return code;
}

static void put_pages(struct bytes *out, const struct telling *s)
{
    JSON_KEY(out, "story");
    JSON_RAW(out, "{");
    JSON_UINT(out, "size", s->size);
    JSON_BOOL(out, "isCut", s->before > 0);
    JSON_RAW(out, ",\"entries\":[");
    for (size_t i = s->page_count; i > 0; i--) {
        json_raw(out, bytes_slice(&s->pages[i - 1]));
        if (i > 1)
            JSON_RAW(out, ",");
    }
    JSON_RAW(out, "]}");
}

int recording_story(struct records *r, const char *agent, uint64_t most,
                    struct bytes *out, bool *is_cut)
{
    struct telling s = {.before = INT64_MAX};
    int code;

    do
        code = read_page(r, agent, &s);
    while (!code && s.before > 0 && s.bytes < most);
    if (!code && s.is_there)
        put_pages(out, &s);
    *is_cut = s.before > 0;
    for (size_t i = 0; i < s.page_count; i++)
        bytes_finish(&s.pages[i]);
    free(s.pages);
    return code;
}

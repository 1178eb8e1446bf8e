/* SPDX-License-Identifier: MIT */
/* Pages of a story are the same whichever way they are come upon. */
#include "actors/store/story_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_text.h"
#include "runtime/text/field.h"
#include "tap.h"

/* A transcript in memory, and how much of it was read. */
static struct bytes text;
static uint64_t bytes_read;
static bool is_gone;
static const struct story_times *times;
static const struct backend *backend;

void setUp(void)
{
    text.len = 0;
    is_gone = true;
    times = NULL;
    backend = &backend_cursor;
}

void tearDown(void)
{
    bytes_finish(&text);
}

static void add(const char *lines)
{
    const char *json = json_of(lines);

    bytes_append(&text, json, strlen(json));
}

static void load(const char *name)
{
    char path[4096], chunk[4096];
    FILE *f;
    size_t n;

    snprintf(path, sizeof(path), "%s/%s", FIXTURES, name);
    f = fopen(path, "r");
    TEST_ASSERT_NOT_NULL_MESSAGE(f, path);
    while ((n = fread(chunk, 1, sizeof(chunk), f)) > 0)
        bytes_append(&text, chunk, n);
    fclose(f);
}

/* In small pieces, as an inflater may give them. */
static ssize_t read_text(void *ctx, uint64_t at, char *to, size_t len)
{
    size_t left = at < text.len ? text.len - (size_t)at : 0;

    (void)ctx;
    if (len > left)
        len = left;
    if (len > 70000)
        len = 70000;
    if (len > 0)
        memcpy(to, text.ptr + at, len);
    bytes_read += len;
    return (ssize_t)len;
}

struct page {
    yyjson_doc *doc;
    yyjson_val *root, *entries;
};

static struct page read_page(bool is_backward, uint64_t at, unsigned limit,
                             uint64_t block)
{
    struct story_page *p = story_page_create(&(struct story_page_setup){
        .backend = backend,
        .source = {.read = read_text, .size = text.len, .is_gone = is_gone},
        .times = times,
        .is_backward = is_backward,
        .at = at,
        .limit = limit,
        .block = block});
    struct bytes out = {0};
    struct page page;
    int rc;

    bytes_read = 0;
    while ((rc = story_page_step(p)) == 1)
        ;
    TEST_ASSERT_EQUAL_INT(0, rc);
    bytes_append(&out, "{", 1);
    story_page_put(p, &out);
    bytes_append(&out, "}", 1);
    page.doc = yyjson_read(out.ptr, out.len, 0);
    TEST_ASSERT_NOT_NULL(page.doc);
    page.root = yyjson_doc_get_root(page.doc);
    page.entries = FIELD(page.root, "entries");
    bytes_finish(&out);
    story_page_destroy(p);
    return page;
}

/* The entries of many pages, as JSON each. */
struct all {
    char *entries[4096];
    uint64_t offsets[4096];
    size_t count;
};

static void put_first(struct all *all, size_t i, yyjson_val *entry)
{
    TEST_ASSERT_TRUE(all->count < 4096);
    memmove(&all->entries[i + 1], &all->entries[i],
            (all->count - i) * sizeof(all->entries[0]));
    memmove(&all->offsets[i + 1], &all->offsets[i],
            (all->count - i) * sizeof(all->offsets[0]));
    all->entries[i] = yyjson_val_write(entry, 0, NULL);
    all->offsets[i] = FIELD_COUNT(entry, "offset");
    all->count++;
}

static void forget(struct all *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->entries[i]);
    free(all);
}

static struct all *read_forward(uint64_t from, unsigned limit, uint64_t block)
{
    struct all *all = calloc(1, sizeof(*all));

    for (bool is_on = true; is_on;) {
        struct page page = read_page(false, from, limit, block);
        yyjson_val *next = FIELD(page.root, "next"), *entry;
        size_t i, n;

        yyjson_arr_foreach(page.entries, i, n, entry)
            put_first(all, all->count, entry);
        is_on = yyjson_is_num(next);
        TEST_ASSERT_TRUE(!is_on || field_count(next) > from);
        from = field_count(next);
        yyjson_doc_free(page.doc);
    }
    return all;
}

static struct all *read_backward(uint64_t before, unsigned limit,
                                 uint64_t block)
{
    struct all *all = calloc(1, sizeof(*all));

    for (bool is_on = true; is_on;) {
        struct page page = read_page(true, before, limit, block);
        yyjson_val *previous = FIELD(page.root, "previous"), *entry;
        size_t i, n;

        yyjson_arr_foreach(page.entries, i, n, entry) put_first(all, i, entry);
        is_on = yyjson_is_num(previous);
        TEST_ASSERT_TRUE(!is_on || field_count(previous) < before);
        before = field_count(previous);
        yyjson_doc_free(page.doc);
    }
    return all;
}

/* The last of `whole` are those that were got. */
static void check_end(const struct all *whole, const struct all *got)
{
    size_t skipped = whole->count - got->count;

    TEST_ASSERT_TRUE(got->count <= whole->count);
    for (size_t i = 0; i < got->count; i++)
        TEST_ASSERT_EQUAL_STRING(whole->entries[skipped + i], got->entries[i]);
}

static void check_from(const struct all *whole, uint64_t from, uint64_t block)
{
    struct all *got = read_forward(from, 7, block);
    size_t before = whole->count - got->count;

    check_end(whole, got);
    TEST_ASSERT_TRUE(before == 0 || whole->offsets[before - 1] < from);
    TEST_ASSERT_TRUE(before == whole->count || whole->offsets[before] >= from);
    forget(got);
}

static void check_ways(uint64_t block)
{
    static const unsigned limits[] = {1, 3, 200};
    struct all *whole = read_forward(0, 200, block);

    for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        struct all *forward = read_forward(0, limits[i], block);
        struct all *backward = read_backward(UINT64_MAX, limits[i], block);

        TEST_ASSERT_EQUAL_size_t(whole->count, forward->count);
        TEST_ASSERT_EQUAL_size_t(whole->count, backward->count);
        check_end(whole, forward);
        check_end(whole, backward);
        forget(forward);
        forget(backward);
    }
    for (uint64_t from = 0; from <= text.len; from += 1 + text.len / 37)
        check_from(whole, from, block);
    forget(whole);
}

static void every_way_gives_the_same_entries(void)
{
    static const struct {
        const char *name;
        const struct backend *backend;
    } captures[] = {{"claude_background.ndjson", &backend_claude},
                    {"claude_bash.ndjson", &backend_claude},
                    {"claude_task.ndjson", &backend_claude},
                    {"cursor_full.ndjson", &backend_cursor},
                    {"cursor_odd.ndjson", &backend_cursor},
                    {"cursor_partial.ndjson", &backend_cursor}};
    static const uint64_t blocks[] = {64, 300, 1000, 4096, 0};

    for (size_t i = 0; i < sizeof(captures) / sizeof(captures[0]); i++)
        for (size_t j = 0; j < sizeof(blocks) / sizeof(blocks[0]); j++) {
            text.len = 0;
            load(captures[i].name);
            backend = captures[i].backend;
            is_gone = true;
            check_ways(blocks[j]);
            is_gone = false;
            text.len -= 30; /* in the midst of a line */
            check_ways(blocks[j]);
        }
}

/* All that was said, pieces joined where they say that they are some. */
static char *said(uint64_t block)
{
    struct all *all = read_forward(0, 200, block);
    struct bytes out = {0};

    for (size_t i = 0; i < all->count; i++) {
        yyjson_doc *doc =
            yyjson_read(all->entries[i], strlen(all->entries[i]), 0);
        yyjson_val *root = yyjson_doc_get_root(doc);
        struct slice own = FIELD_TEXT(root, "text");

        if (slice_eq(FIELD_TEXT(root, "kind"), SLICE("text"))) {
            if (!yyjson_is_true(FIELD(root, "isContinued")))
                bytes_append(&out, "\n- ", 3);
            bytes_append(&out, own.ptr, own.len);
        }
        yyjson_doc_free(doc);
    }
    bytes_append(&out, "", 1);
    forget(all);
    return out.ptr;
}

#define DELTA(words)                                                           \
    "{'type':'assistant','message':{'content':[{'type':'text','text':'" words  \
    "'}]},'timestamp_ms':5}\n"
#define COPY(words)                                                            \
    "{'type':'assistant','message':{'content':[{'type':'text','text':'" words  \
    "'}]},'model_call_id':'m','timestamp_ms':6}\n"
#define CALL(form, id, more)                                                   \
    "{'type':'tool_call','subtype':'" form "','call_id':'" id                  \
    "','tool_call':{'grepToolCall':{'args':{'pattern':'x'}" more "}}}\n"
#define DONE ",'result':{'success':{'content':'found'}}"
#define FILLER                                                                 \
    "{'type':'connection','subtype':'reconnecting, which is of no "            \
    "consequence and only fills a line of the transcript here'}\n"

/* Whatever it is cut into, no word is lost and none is told twice. */
static void a_long_text_is_whole_in_pieces(void)
{
    static const char head[] = "{\"type\":\"assistant\",\"message\":"
                               "{\"content\":[{\"type\":\"text\",\"text\":\"";
    char *whole;

    for (int round = 0; round < 9; round++) {
        for (int i = 0; i < 150; i++)
            add(DELTA("abc "));
        bytes_append(&text, head, sizeof(head) - 1);
        for (int i = 0; i < 150; i++)
            bytes_append(&text, "abc ", 4);
        add("'}]},'model_call_id':'m','timestamp_ms':6}\n");
        add(CALL("started", "c", "") CALL("completed", "c", DONE));
    }
    whole = said(0);
    TEST_ASSERT_EQUAL_size_t(9 * (150 * 4 + 3), strlen(whole));
    for (uint64_t block = 2000; block < 40000; block += 1777) {
        char *pieces = said(block);
        TEST_ASSERT_EQUAL_STRING(whole, pieces);
        free(pieces);
    }
    free(whole);
}

/* What the CLI takes back is not told, also where a block lies between. */
static void what_is_taken_back_is_not_told(void)
{
    char *whole, *pieces;

#define CLAUDE_DELTA(words)                                                    \
    "{'type':'stream_event','event':{'type':'content_block_delta',"            \
    "'delta':{'type':'text_delta','text':'" words "'}}}\n"
#define CLAUDE_START                                                           \
    "{'type':'stream_event','event':{'type':'message_start'}}\n"
    backend = &backend_claude;
    for (int i = 0; i < 40; i++)
        add(CLAUDE_START CLAUDE_DELTA("half") CLAUDE_DELTA(" of it"));
    add("{'type':'assistant','message':{'id':'m','content':[{'type':'text',"
        "'text':'half of it'}]}}\n");
    whole = said(0);
    TEST_ASSERT_EQUAL_STRING("\n- half of it", whole);
    for (uint64_t block = 600; block < 3000; block += 71) {
        pieces = said(block);
        TEST_ASSERT_EQUAL_STRING(whole, pieces);
        free(pieces);
    }
    free(whole);
}

static struct all *calls_over(size_t fillers, uint64_t block)
{
    text.len = 0;
    add(CALL("started", "c1", ""));
    for (size_t i = 0; i < fillers; i++)
        add(FILLER);
    add(CALL("completed", "c1", DONE));
    return read_forward(0, 200, block);
}

static void a_call_ends_where_it_began_unless_that_is_far(void)
{
    struct all *near = calls_over(10, 1 << 10), *far = calls_over(60, 1 << 10);

    TEST_ASSERT_EQUAL_size_t(1, near->count);
    ASSERT_JSON_IN("'result':'found','status':'ok','isError':false",
                   near->entries[0]);
    TEST_ASSERT_EQUAL_size_t(2, far->count);
    ASSERT_JSON_IN("'isOpen':true", far->entries[0]);
    ASSERT_JSON_IN("'status':null", far->entries[0]);
    ASSERT_JSON_IN("'callId':'c1','name':'grep','kind':'search'",
                   far->entries[1]);
    ASSERT_JSON_IN("'result':'found','status':'ok'", far->entries[1]);
    TEST_ASSERT_NULL(strstr(far->entries[1], "isOpen"));
    forget(near);
    forget(far);
}

/* ---- one page ---------------------------------------------------------- */

static char *entry_of(const struct page *page, size_t i)
{
    yyjson_val *entry = yyjson_arr_get(page->entries, i);

    TEST_ASSERT_NOT_NULL(entry);
    return yyjson_val_write(entry, 0, NULL);
}

static void check_entry(const struct page *page, size_t i, const char *want)
{
    char *json = entry_of(page, i);

    ASSERT_JSON(want, json);
    free(json);
}

static void check_entry_has(const struct page *page, size_t i, const char *part)
{
    char *json = entry_of(page, i);

    ASSERT_JSON_IN(part, json);
    free(json);
}

static void what_entries_say(void)
{
    struct page page;

    load("cursor_full.ndjson");
    page = read_page(false, 0, 100, 0);
    TEST_ASSERT_EQUAL_size_t(9, yyjson_arr_size(page.entries));
    check_entry(&page, 0,
                "{'offset':0,'end':172,'at':null,'kind':'notice','text':'Auto',"
                "'notice':'started'}");
    check_entry(&page, 1,
                "{'offset':352,'end':622,'at':'2026-07-23T15:08:08.883Z',"
                "'kind':'thinking','text':'Reading notes.txt.'}");
    check_entry(&page, 4,
                "{'offset':1837,'end':2643,'at':'2026-07-23T15:08:11.000Z',"
                "'kind':'tool','tool':{'callId':'call-2','name':'shell',"
                "'kind':'shell','title':'wc -l notes.txt',"
                "'arguments':{'command':'wc -l notes.txt',"
                "'workingDirectory':'','timeout':30000},"
                "'result':'       3 notes.txt\\n','status':'ok',"
                "'isError':false,'message':'','exitCode':0,"
                "'duration_ms':1500,'argumentBytes':67,'resultBytes':19}}");
    check_entry(&page, 6,
                "{'offset':2911,'end':3426,'at':'2026-07-23T15:08:13.200Z',"
                "'kind':'file','file':{'path':'/tmp/curcap/count.txt',"
                "'change':'created','added':1,'removed':0,"
                "'diff':'--- /dev/null\\n+++ b//tmp/curcap/count.txt\\n"
                "@@ -1 +1 @@\\n-\\n+3','callId':'call-3'}}");
    check_entry(&page, 8,
                "{'offset':3613,'end':3974,'at':null,'kind':'notice',"
                "'text':'','notice':'result','ok':true}");
    yyjson_doc_free(page.doc);
}

static void children_and_new_files_of_claude(void)
{
    struct page page;
    char *json;

    backend = &backend_claude;
    load("claude_task.ndjson");
    page = read_page(false, 0, 100, 0);
    json = yyjson_val_write(page.entries, 0, NULL);
    ASSERT_JSON_IN("'name':'agent','kind':'agent','title':'Look around'", json);
    ASSERT_JSON_IN("'kind':'text','parent':'toolu_T','text':'child says'",
                   json);
    ASSERT_JSON_IN("'file':{'path':'/w/child.txt','change':'created',"
                   "'added':1,'removed':0,'diff':'+x','callId':'toolu_C'}",
                   json);
    ASSERT_JSON_IN("'text':'found 3','notice':'childTask',"
                   "'reason':'completed'",
                   json);
    free(json);
    yyjson_doc_free(page.doc);
}

static void what_is_under_way_is_open(void)
{
    struct page page;

    add(DELTA("one ") DELTA("two"));
    is_gone = false;
    page = read_page(true, UINT64_MAX, 100, 0);
    check_entry_has(&page, 0, "'isOpen':true,'text':'one two'");
    TEST_ASSERT_EQUAL_UINT64(text.len, FIELD_COUNT(page.root, "upTo"));
    TEST_ASSERT_TRUE(yyjson_is_null(FIELD(page.root, "next")));
    TEST_ASSERT_TRUE(yyjson_is_null(FIELD(page.root, "previous")));
    TEST_ASSERT_FALSE(yyjson_is_true(FIELD(page.root, "isComplete")));
    yyjson_doc_free(page.doc);
    /* Of a line that is being written nothing is known yet. */
    uint64_t up_to = text.len;
    bytes_append(&text, "{\"type\":", 8);
    page = read_page(true, UINT64_MAX, 100, 0);
    TEST_ASSERT_EQUAL_UINT64(up_to, FIELD_COUNT(page.root, "upTo"));
    TEST_ASSERT_EQUAL_UINT64(text.len, FIELD_COUNT(page.root, "size"));
    yyjson_doc_free(page.doc);
    is_gone = true;
    page = read_page(true, UINT64_MAX, 100, 0);
    TEST_ASSERT_EQUAL_size_t(2, yyjson_arr_size(page.entries));
    check_entry_has(&page, 0, "'kind':'text','text':'one two'");
    check_entry_has(&page, 1, "'notice':'notJson'");
    TEST_ASSERT_TRUE(yyjson_is_true(FIELD(page.root, "isComplete")));
    yyjson_doc_free(page.doc);
}

/* Lines without a time of their own have that of their reading; what was read
 * while no hub was there, none. */
static void times_are_those_of_the_reading(void)
{
    size_t first, second, third;
    struct page page;

    add(CALL("started", "c1", ""));
    first = text.len;
    add(CALL("completed", "c1", DONE));
    second = text.len;
    add(CALL("started", "c2", ""));
    third = text.len;
    add(CALL("completed", "c2", DONE));
    struct story_time items[] = {
        {first, 1000}, {second, 61000}, {third, 0}, {text.len, 90000}};
    times = &(struct story_times){.items = items, .count = 4};
    page = read_page(false, 0, 100, 0);
    check_entry_has(&page, 0, "'at':'1970-01-01T00:00:01.000Z'");
    check_entry_has(&page, 0, "'duration_ms':60000");
    check_entry_has(&page, 1, "'at':null");
    check_entry_has(&page, 1, "'duration_ms':null");
    yyjson_doc_free(page.doc);
}

static void long_texts_are_cut_unless_alone(void)
{
    struct page page;
    size_t at;

    add(DELTA("first"));
    at = text.len;
    add("{'type':'tool_call','subtype':'completed','call_id':'w','tool_call':"
        "{'writeToolCall':{'args':{'path':'/a','fileText':'");
    for (int i = 0; i < 20000; i++)
        add("lines ");
    add("'},'result':{'success':{'path':'/a'}}}}}\n");
    page = read_page(false, 0, 100, 0);
    yyjson_val *tool = FIELD(yyjson_arr_get(page.entries, 1), "tool");
    yyjson_val *args = FIELD(tool, "arguments");
    TEST_ASSERT_EQUAL_size_t(16384, FIELD_TEXT(args, "fileText").len);
    TEST_ASSERT_TRUE(slice_eq(FIELD_TEXT(args, "path"), SLICE("/a")));
    TEST_ASSERT_TRUE(
        yyjson_is_true(FIELD(yyjson_arr_get(page.entries, 1), "isCut")));
    TEST_ASSERT_TRUE(FIELD_COUNT(tool, "argumentBytes") > 120000);
    yyjson_doc_free(page.doc);
    page = read_page(false, at, 1, 0);
    tool = FIELD(yyjson_arr_get(page.entries, 0), "tool");
    args = FIELD(tool, "arguments");
    TEST_ASSERT_EQUAL_size_t(120000, FIELD_TEXT(args, "fileText").len);
    TEST_ASSERT_NULL(FIELD(yyjson_arr_get(page.entries, 0), "isCut"));
    yyjson_doc_free(page.doc);
}

static void a_request_reads_no_more_than_its_bound(void)
{
    struct page page;

    while (text.len < ((size_t)30 << 20))
        add(FILLER);
    add(DELTA("the end"));
    page = read_page(false, 0, 100, 0);
    TEST_ASSERT_TRUE(bytes_read <= STORY_PAGE_READ_MAX);
    TEST_ASSERT_EQUAL_size_t(0, yyjson_arr_size(page.entries));
    TEST_ASSERT_TRUE(FIELD_COUNT(page.root, "next") >= ((uint64_t)4 << 20));
    yyjson_doc_free(page.doc);
    page = read_page(true, UINT64_MAX, 100, 0);
    TEST_ASSERT_TRUE(bytes_read <= STORY_PAGE_READ_MAX);
    TEST_ASSERT_EQUAL_size_t(1, yyjson_arr_size(page.entries));
    TEST_ASSERT_TRUE(FIELD_COUNT(page.root, "previous") < ((uint64_t)26 << 20));
    yyjson_doc_free(page.doc);
}

static void a_line_too_long_is_told_as_such(void)
{
    struct all *forward, *backward;

    add(DELTA("before") CALL("started", "c1", ""));
    add("{'type':'tool_call','x':'");
    for (int i = 0; i < 700000; i++)
        bytes_append(&text, "long line ", 10);
    add("'}\n");
    add(CALL("completed", "c1", DONE));
    forward = read_forward(0, 100, 0);
    backward = read_backward(UINT64_MAX, 100, 0);
    TEST_ASSERT_EQUAL_size_t(4, forward->count);
    ASSERT_JSON_IN("'notice':'tooLong'", forward->entries[2]);
    TEST_ASSERT_EQUAL_size_t(4, backward->count);
    check_end(forward, backward);
    forget(forward);
    forget(backward);
}

static void nothing_is_a_story_too(void)
{
    struct page page = read_page(false, 0, 100, 0);

    TEST_ASSERT_EQUAL_size_t(0, yyjson_arr_size(page.entries));
    TEST_ASSERT_EQUAL_UINT64(0, FIELD_COUNT(page.root, "upTo"));
    TEST_ASSERT_TRUE(yyjson_is_null(FIELD(page.root, "next")));
    TEST_ASSERT_TRUE(yyjson_is_null(FIELD(page.root, "previous")));
    yyjson_doc_free(page.doc);
    page = read_page(true, 0, 100, 0);
    TEST_ASSERT_TRUE(yyjson_is_null(FIELD(page.root, "previous")));
    yyjson_doc_free(page.doc);
}

int main(void)
{
    TAP_BEGIN();
    TEST(every_way_gives_the_same_entries);
    TEST(a_long_text_is_whole_in_pieces);
    TEST(what_is_taken_back_is_not_told);
    TEST(a_call_ends_where_it_began_unless_that_is_far);
    TEST(what_entries_say);
    TEST(children_and_new_files_of_claude);
    TEST(what_is_under_way_is_open);
    TEST(times_are_those_of_the_reading);
    TEST(long_texts_are_cut_unless_alone);
    TEST(a_request_reads_no_more_than_its_bound);
    TEST(a_line_too_long_is_told_as_such);
    TEST(nothing_is_a_story_too);
    return TAP_END();
}

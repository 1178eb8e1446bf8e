/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/command/agent_backend.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"
#include "transport/command/render.h"
#include "transport/command/replay_words.h"
#include "transport/command/transcript_file.h"

#define PAGE "500"
#define CHUNK (64 * 1024)
#define LOOK_MS 500 /* live ones are looked for */

struct entry {
    int64_t ms;
    size_t number; /* in which order they were found */
    char *text;
};

struct replay {
    struct console *console;
    struct records records;
    const char *group;
    uint64_t speed;
    bool is_following;
    bool is_over;          /* the group was deleted */
    bool is_live;          /* what has happened before was played */
    uint64_t seq;          /* of the last event */
    struct entry *entries; /* to be played */
    size_t count;
    uint64_t first_at; /* of the first, wall clock; 0: none yet */
    uint64_t began;    /* monotonic, ms: when the first was played */
};

static void sleep_until(uint64_t ms)
{
    struct timespec when = {.tv_sec = (time_t)(ms / 1000),
                            .tv_nsec = (long)(ms % 1000) * 1000000};

    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) ==
           EINTR)
        ;
}

/* ---- entries --------------------------------------------------------------
 */

static void add(struct replay *r, int64_t ms, char *text)
{
    ARRAY_GROW(r->entries, r->count);
    r->entries[r->count] =
        (struct entry){.ms = ms, .number = r->count, .text = text};
    r->count++;
}

static int by_time(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;

    if (a->ms != b->ms)
        return a->ms < b->ms ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* At its own pace from the first on, so that what is late does not add up. */
static void play(struct replay *r, const struct entry *e)
{
    struct console *con = r->console;
    uint64_t at = e->ms > 0 ? (uint64_t)e->ms : r->first_at;

    if (r->first_at && at > r->first_at)
        sleep_until(r->began + (at - r->first_at) / r->speed);
    if (!r->first_at && at) {
        r->first_at = at;
        r->began = (uint64_t)moment_monotonic();
        term_format(&con->out, TERM_DIM, "%s\n",
                    humanize_moment(e->ms, "%Y-%m-%d").text);
    }
    fputs(e->text, con->out.out);
    fflush(con->out.out);
}

static void play_entries(struct replay *r)
{
    if (r->count > 0)
        qsort(r->entries, r->count, sizeof(*r->entries), by_time);
    for (size_t i = 0; i < r->count; i++) {
        if (!ferror(r->console->out.out))
            play(r, &r->entries[i]);
        free(r->entries[i].text);
    }
    r->count = 0;
}

/* ---- what agents said and did ---------------------------------------------
 */

struct told {
    struct replay *replay;
    const char *id;
    int64_t at; /* since when: until its stream says a time */
};

static void on_entry(void *ctx, struct slice text, int64_t ms)
{
    struct told *t = ctx;

    add(t->replay, ms > 0 ? ms : t->at,
        bytes_text("%s  %.*s", t->id, (int)text.len, text.ptr));
}

static void add_transcript(struct replay *r, const char *id, int64_t at)
{
    static char chunk[CHUNK];
    struct told told = {r, id, at};
    struct transcript_file file;
    struct render render;
    ssize_t n;

    if (!transcript_file_open(&file, r->console->state_dir, id))
        return;
    render_init(&render, r->console, agent_backend_of(r->console, id));
    render_to(&render, on_entry, &told);
    while ((n = transcript_file_read(&file, chunk, sizeof(chunk))) > 0)
        render_feed(&render, slice_of(chunk, (size_t)n));
    render_end(&render);
    render_finish(&render);
    transcript_file_close(&file);
}

/* ---- events ----------------------------------------------------------------
 */

static void take_event(struct replay *r, yyjson_val *event)
{
    struct slice type = FIELD_TEXT(event, "type");
    yyjson_val *data = FIELD(event, "data");
    struct term own = r->console->out;
    char *text = NULL;
    size_t len;
    int64_t ms = 0;

    own.out = open_memstream(&text, &len);
    if (!own.out)
        abort();
    bool is_worth_it = replay_words(r->console, &own, event);
    fclose(own.out);
    moment_read(FIELD_TEXT(event, "at"), &ms);
    if (is_worth_it)
        add(r, ms, text);
    else
        free(text);
    r->seq = FIELD_COUNT(event, "seq");
    /* Those of child groups too; the group itself is named first. */
    r->is_over = r->is_over ||
                 (slice_eq(type, SLICE("group:deleted")) &&
                  slice_eq(FIELD_TEXT(data, "groupId"), slice_cstr(r->group)));
    if (!r->is_live && slice_eq(type, SLICE("agent:created")))
        add_transcript(r, yyjson_get_str(FIELD(data, "agentId")), ms);
}

static int next_page(struct replay *r, bool *has_more)
{
    struct bytes args = {0};
    yyjson_doc *doc = NULL;
    yyjson_val *event;
    size_t i, count;

    JSON_RAW(&args, "{\"limit\":" PAGE);
    JSON_TEXT(&args, "groupId", slice_cstr(r->group));
    JSON_UINT(&args, "since", r->seq);
    JSON_BOOL(&args, "below", true);
    JSON_RAW(&args, "}");
    int code = records_ask(&r->records, "events", bytes_slice(&args), &doc);
    bytes_finish(&args);
    yyjson_arr_foreach(FIELD(yyjson_doc_get_root(doc), "events"), i, count,
                       event)
    {
        take_event(r, event);
    }
    *has_more = FIELD(yyjson_doc_get_root(doc), "next");
    yyjson_doc_free(doc);
    return code;
}

/* First all that has happened, in the order it did; then what happens. */
static int play_all(struct replay *r)
{
    for (;;) {
        bool has_more = true;
        int code = CONSOLE_FINE;

        while (!code && has_more)
            code = next_page(r, &has_more);
        play_entries(r);
        if (code)
            return code;
        if (ferror(r->console->out.out))
            return CONSOLE_FAILED; /* the reader has left */
        /* Without a hub nothing more will happen. */
        if (!r->is_following || r->is_over || r->records.reader > 0)
            return CONSOLE_FINE;
        r->is_live = true;
        sleep_until((uint64_t)moment_monotonic() + LOOK_MS);
    }
}

static int run(struct console *con, int argc, char **argv)
{
    struct replay r = {.console = con};
    const char *speed = NULL;
    const struct option options[] = {{"--speed", 's', NULL, &speed},
                                     {"--follow", 'f', &r.is_following, NULL},
                                     {NULL}};

    argc = options_take(con, options, argc, argv);
    if (options_want(con, argc, argv, 1, 1, SAY(con, OPERAND_GROUP)) ||
        options_number(con, argv[0], "--speed", speed ? speed : "1", 1, 100,
                       &r.speed))
        return CONSOLE_USAGE;
    char *id = NULL;
    int code = records_open(&r.records, con);
    if (!code)
        code = ids_find(&r.records, argv[1], IDS_GROUP, 1, &id);
    r.group = id;
    if (!code)
        code = play_all(&r);
    free(id);
    free(r.entries);
    records_close(&r.records);
    return code;
}

const struct command command_replay = {
    .name = "replay",
    .words = "[--speed N] [-f] GROUP",
    .what = BOTH(REPLAY_COMMAND),
    .more = BOTH(REPLAY_MANUAL),
    .needs_home = true,
    .run = run,
};

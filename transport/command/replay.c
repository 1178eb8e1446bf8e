/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "transport/command/command.h"
#include "transport/command/humanize.h"
#include "transport/command/ids.h"
#include "transport/command/options.h"
#include "transport/command/records.h"

#define PAGE "500"
#define LOOK_MS 500 /* live ones are looked for */

struct replay {
    struct console *console;
    struct records records;
    const char *group;
    uint64_t speed;
    bool is_following;
    bool is_over;      /* the group was deleted */
    uint64_t seq;      /* of the last event */
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

/* 0: it is none. */
static uint64_t moment(struct slice iso)
{
    int64_t ms = 0;

    return moment_read(iso, &ms) ? (uint64_t)ms : 0;
}

/* ---- one event --------------------------------------------------------- */

static enum term_style style_of(struct slice type, struct slice status)
{
    if (slice_starts(type, SLICE("group:")))
        return TERM_BOLD;
    return status.len > 0 ? humanize_state(status) : TERM_PLAIN;
}

static void show_event(struct replay *r, yyjson_val *event)
{
    struct term *out = &r->console->out;
    yyjson_val *data = FIELD(event, "data");
    yyjson_val *result = FIELD(data, "result");
    struct slice type = FIELD_TEXT(event, "type");
    struct slice status = FIELD_TEXT(data, "status");
    struct slice summary =
        FIELD_TEXT(yyjson_is_obj(result) ? result : data, "summary");

    /* The day is said by the first alone. */
    term_format(out, TERM_DIM, "%s  ",
                humanize_time(FIELD_TEXT(event, "at")).text +
                    (r->first_at ? 11 : 0));
    term_line(out, style_of(type, status), type);
    fputs("  ", out->out);
    term_line(out, TERM_PLAIN, FIELD_TEXT(data, "agentId"));
    if (status.len > 0) {
        fputs("  ", out->out);
        term_line(out, humanize_state(status), status);
    }
    if (FIELD(data, "totalStages"))
        term_format(out, TERM_PLAIN, "%" PRIu64 "/%" PRIu64,
                    FIELD_COUNT(data, "stageIndex") + 1,
                    FIELD_COUNT(data, "totalStages"));
    if (summary.len > 0) {
        fputs("  ", out->out);
        term_line(out, TERM_DIM, summary);
    }
    fputc('\n', out->out);
    fflush(out->out);
}

/* At its own pace from the first on, so that what is late does not add up. */
static void play(struct replay *r, yyjson_val *event)
{
    uint64_t at = moment(FIELD_TEXT(event, "at"));

    if (r->first_at && at > r->first_at)
        sleep_until(r->began + (at - r->first_at) / r->speed);
    show_event(r, event);
    if (!r->first_at) {
        r->first_at = at;
        r->began = (uint64_t)moment_monotonic();
    }
    r->seq = FIELD_COUNT(event, "seq");
    r->is_over = slice_eq(FIELD_TEXT(event, "type"), SLICE("group:deleted"));
}

/* ---- pages ------------------------------------------------------------- */

static int next_page(struct replay *r, yyjson_doc **doc)
{
    struct bytes args = {0};

    JSON_RAW(&args, "{\"limit\":" PAGE);
    JSON_TEXT(&args, "groupId", slice_cstr(r->group));
    JSON_UINT(&args, "since", r->seq);
    JSON_RAW(&args, "}");
    int code = records_ask(&r->records, "events", bytes_slice(&args), doc);
    bytes_finish(&args);
    return code;
}

static int play_all(struct replay *r)
{
    for (;;) {
        yyjson_val *event;
        yyjson_doc *doc;
        size_t i, count;
        int code = next_page(r, &doc);

        if (code)
            return code;
        yyjson_arr_foreach(FIELD(yyjson_doc_get_root(doc), "events"), i, count,
                           event)
        {
            play(r, event);
        }
        bool has_more = FIELD(yyjson_doc_get_root(doc), "next");
        yyjson_doc_free(doc);
        if (ferror(r->console->out.out))
            return CONSOLE_FAILED; /* the reader has left */
        /* Without a hub nothing more will happen. */
        if (!has_more &&
            (!r->is_following || r->is_over || r->records.reader > 0))
            return CONSOLE_FINE;
        if (!has_more)
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
    if (options_want(con, argc, argv, 1, 1,
                     SAY(con, "グループ ID", "a group's id")) ||
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
    records_close(&r.records);
    return code;
}

const struct command command_replay = {
    .name = "replay",
    .words = "[--speed N] [-f] GROUP",
    .ja = "グループで起きたことを、起きた速さで再生する",
    .en = "plays what happened in a group, as fast as it did",
    .more_ja =
        "  -s, --speed N   N 倍の速さで（1～100、既定 1）\n"
        "  -f, --follow    今起きていることも、グループが削除されるまで\n",
    .more_en = "  -s, --speed N   so many times as fast: 1 to 100 (1)\n"
               "  -f, --follow    then what happens now, until the group is "
               "deleted\n",
    .needs_home = true,
    .run = run,
};

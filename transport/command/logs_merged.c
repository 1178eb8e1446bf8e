/* SPDX-License-Identifier: MIT */
#include "transport/command/logs_merged.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/array.h"
#include "runtime/text/field.h"
#include "transport/command/agent_backend.h"
#include "transport/command/ids.h"
#include "transport/command/render.h"
#include "transport/command/transcript_file.h"

#define CHUNK (64 * 1024)
#define LOOK_US 200000 /* between two looks at growing files */
#define LISTED 10      /* looks between two looks for new members */

struct entry {
    int64_t ms;
    size_t source, number; /* number: in which order they were read */
    char *text;
};

struct source {
    struct merging *all;
    size_t index;
    char *id;
    struct transcript_file file;
    struct render render;
    bool is_done; /* one that has no transcript will not get one */
    bool is_over; /* nothing will be added, and all was read */
};

struct merging {
    const struct logs_merged *how;
    struct source **sources;
    size_t source_count;
    int widest; /* of their ids: what they say stands in one column */
    struct entry *entries; /* of what was there at first */
    size_t count, number;
    bool is_caught_up; /* entries are printed as they come */
};

/* ---- entries ------------------------------------------------------------- */

static void put_name(struct merging *m, size_t source)
{
    static const enum term_style styles[] = {
        TERM_CYAN, TERM_YELLOW, TERM_MAGENTA, TERM_GREEN, TERM_BLUE, TERM_BOLD};

    if (ids_is_group(m->how->id))
        term_format(&m->how->console->out, styles[source % 6], "%-*s  ",
                    m->widest, m->sources[source]->id);
}

static void print(struct merging *m, size_t source, struct slice text)
{
    struct console *con = m->how->console;

    put_name(m, source);
    fwrite(text.ptr, 1, text.len, con->out.out);
}

static void on_entry(void *ctx, struct slice text, int64_t ms)
{
    struct source *s = ctx;
    struct merging *m = s->all;

    if (m->how->since > 0 && ms < m->how->since)
        return;
    if (m->is_caught_up) {
        print(m, s->index, text);
        return;
    }
    ARRAY_GROW(m->entries, m->count);
    m->entries[m->count++] =
        (struct entry){.ms = ms,
                       .source = s->index,
                       .number = m->number++,
                       .text = bytes_text("%.*s", (int)text.len, text.ptr)};
}

static int by_time(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;

    if (a->ms != b->ms)
        return a->ms < b->ms ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static void print_all(struct merging *m)
{
    uint64_t tail = m->how->tail;
    size_t from = tail > 0 && m->count > tail ? m->count - (size_t)tail : 0;

    if (m->count > 0)
        qsort(m->entries, m->count, sizeof(*m->entries), by_time);
    for (size_t i = 0; i < m->count; i++) {
        struct entry *e = &m->entries[i];
        if (i >= from)
            print(m, e->source, slice_cstr(e->text));
        free(e->text);
    }
    free(m->entries);
    m->entries = NULL;
    m->count = 0;
    m->is_caught_up = true;
}

/* ---- sources ------------------------------------------------------------- */

static struct source *find_source(const struct merging *m, const char *id)
{
    for (size_t i = 0; i < m->source_count; i++)
        if (!strcmp(m->sources[i]->id, id))
            return m->sources[i];
    return NULL;
}

/* NULL: no agent can have that id. */
static struct source *add_source(struct merging *m, const char *id)
{
    struct console *con = m->how->console;
    struct source *s = bytes_zalloc(sizeof(*s));

    if (!transcript_file_open(&s->file, con->state_dir, id)) {
        free(s);
        return NULL;
    }
    *s = (struct source){.all = m,
                         .index = m->source_count,
                         .id = bytes_text("%s", id),
                         .file = s->file};
    render_init(&s->render, con, agent_backend_of(con, id));
    render_to(&s->render, on_entry, s);
    ARRAY_GROW(m->sources, m->source_count);
    m->sources[m->source_count++] = s;
    if ((int)strlen(id) > m->widest)
        m->widest = (int)strlen(id);
    return s;
}

/* One that was cancelled in the line never had a directory. */
static void read_source(struct source *s)
{
    static char chunk[CHUNK];
    bool is_complete = transcript_file_is_complete(&s->file) ||
                       (s->is_done && !transcript_file_exists(&s->file));
    ssize_t n;

    while (!s->is_over &&
           (n = transcript_file_read(&s->file, chunk, sizeof(chunk))) > 0)
        render_feed(&s->render, slice_of(chunk, (size_t)n));
    if (!s->is_over && is_complete) {
        render_end(&s->render);
        s->is_over = true;
    }
}

static bool read_sources(struct merging *m)
{
    bool is_over = true;

    for (size_t i = 0; i < m->source_count; i++) {
        read_source(m->sources[i]);
        is_over = is_over && m->sources[i]->is_over;
    }
    return is_over;
}

/* Whether a member that is listed will add nothing to the list of members, nor
 * begin: without a hub nobody begins. */
static bool take_member(struct merging *m, yyjson_val *agent, bool has_hub)
{
    struct slice state = FIELD_TEXT(agent, "status");
    const char *id = yyjson_get_str(FIELD(agent, "agentId"));
    struct source *s = find_source(m, id);
    bool is_done = !has_hub || (!slice_eq(state, SLICE("queued")) &&
                                !slice_eq(state, SLICE("running")));

    if (!s)
        s = add_source(m, id);
    if (s)
        s->is_done = is_done;
    return is_done;
}

/* The members of the group, those that have come since too. */
static int list_sources(struct merging *m, bool *is_over)
{
    struct console *con = m->how->console;
    struct bytes args = {0};
    struct records r;
    yyjson_doc *doc = NULL;
    yyjson_val *agent;
    size_t i, count;

    ask_argument(&args, "groupId", m->how->id);
    int code = records_open(&r, con);
    if (!code)
        code = records_ask(&r, "overview", bytes_slice(&args), &doc);
    *is_over = true;
    yyjson_arr_foreach(FIELD(yyjson_doc_get_root(doc), "agents"), i, count,
                       agent)
    {
        if (!take_member(m, agent, r.reader == 0))
            *is_over = false;
    }
    records_close(&r);
    yyjson_doc_free(doc);
    bytes_finish(&args);
    return code;
}

static int find_sources(struct merging *m, bool *is_over)
{
    struct console *con = m->how->console;

    *is_over = true;
    if (ids_is_group(m->how->id))
        return list_sources(m, is_over);
    if (m->source_count > 0 || add_source(m, m->how->id))
        return CONSOLE_FINE;
    COMPLAIN(con, LOGS_NO_AGENT_ID, m->how->id);
    return CONSOLE_FAILED;
}

/* ---- the whole ----------------------------------------------------------- */

static int follow(struct merging *m)
{
    bool is_listed = false, is_over = false;
    int code = CONSOLE_FINE;

    for (unsigned looks = 0; !code && !(is_listed && is_over); looks++) {
        fflush(m->how->console->out.out);
        if (ferror(m->how->console->out.out))
            return CONSOLE_FAILED; /* the reader has left */
        if (looks % LISTED == 0)
            code = find_sources(m, &is_listed);
        is_over = read_sources(m);
        if (!is_over || !is_listed)
            usleep(LOOK_US);
    }
    return code;
}

static void finish(struct merging *m)
{
    for (size_t i = 0; i < m->source_count; i++) {
        struct source *s = m->sources[i];
        render_finish(&s->render);
        transcript_file_close(&s->file);
        free(s->id);
        free(s);
    }
    free(m->sources);
}

int logs_merged_show(const struct logs_merged *how)
{
    struct merging m = {.how = how};
    bool is_over;
    int code = find_sources(&m, &is_over);

    if (!code) {
        read_sources(&m);
        print_all(&m);
        /* Of one agent the rest is told as it comes. */
        if (how->is_following && !ids_is_group(how->id))
            render_live(&m.sources[0]->render);
        if (how->is_following)
            code = follow(&m);
    }
    finish(&m);
    return code;
}

/* SPDX-License-Identifier: MIT */
/*
 * From a line to its document. The document lives in a pool that is reset by
 * the next line, so a stream of ordinary lines allocates nothing. yyjson wants
 * up to 13 bytes per byte of text for the densest JSON; long lines are mostly
 * one long string, so they take what they need from malloc instead of making
 * the pool grow to the worst case.
 */
#include "actors/stream/parser.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "actors/stream/backend.h"
#include "runtime/text/field.h"
#include "runtime/text/moment.h"
#include "runtime/text/utf8.h"

#define POOL_SMALLEST ((size_t)8 << 10)

struct parser *parser_create(const struct backend *backend)
{
    struct parser *p = bytes_zalloc(backend->parser_size);

    p->backend = backend;
    p->parent = SLICE_EMPTY;
    return p;
}

void parser_destroy(struct parser *p)
{
    if (!p)
        return;
    if (p->backend->stop)
        p->backend->stop(p);
    files_finish(&p->files);
    bytes_finish(&p->message);
    bytes_finish(&p->scratch);
    bytes_finish(&p->mended);
    shapes_finish(&p->shapes);
    free(p->pool);
    free(p);
}

static const yyjson_alc *pool_for(struct parser *p, size_t len, yyjson_alc *alc)
{
    if (len > PARSER_POOL_LINE)
        return NULL;
    size_t need = yyjson_read_max_memory_usage(len, YYJSON_READ_NOFLAG);
    if (need > p->pool_size) {
        size_t size = p->pool_size ? p->pool_size : POOL_SMALLEST;
        while (size < need)
            size *= 2;
        free(p->pool);
        p->pool = bytes_alloc(size);
        p->pool_size = size;
    }
    yyjson_alc_pool_init(alc, p->pool, p->pool_size);
    return alc;
}

static yyjson_doc *read_doc(struct parser *p, struct slice text,
                            yyjson_read_err *err)
{
    yyjson_alc alc;

    /* yyjson takes char * for its in-situ mode, which is not used here. */
    return yyjson_read_opts((char *)(uintptr_t)text.ptr, text.len,
                            YYJSON_READ_NOFLAG, pool_for(p, text.len, &alc),
                            err);
}

static void quote(struct parser *p, enum event_note_kind kind,
                  struct slice text, const char *why)
{
    size_t n = utf8_cut(text.ptr, text.len, PARSER_QUOTE_CAP);
    struct event ev = {.kind = EVENT_NOTE};

    p->scratch.len = 0;
    utf8_repair(text.ptr, n, &p->scratch);
    ev.note = (struct event_note){.note = kind,
                                  .type = slice_cstr(why),
                                  .text = bytes_slice(&p->scratch),
                                  .bytes = text.len};
    parser_emit(p, &ev);
}

/* Broken characters are replaced and the rest of the line is still told. */
static yyjson_doc *read_mended(struct parser *p, struct slice text,
                               yyjson_read_err *err)
{
    if (err->code != YYJSON_READ_ERROR_INVALID_STRING)
        return NULL;
    bytes_clear(&p->mended, PARSER_KEEP);
    if (utf8_repair_json(text.ptr, text.len, &p->mended) == 0)
        return NULL;
    yyjson_doc *doc = read_doc(p, bytes_slice(&p->mended), err);
    if (doc)
        quote(p, EVENT_NOTE_BAD_UTF8, text, "");
    return doc;
}

/*
 * Some builds write "stdout: {...}"; only what then begins with a brace is
 * taken as the line, all else is prose that happens to begin so.
 */
static struct slice strip(struct slice text)
{
    if (slice_starts(text, SLICE("\xEF\xBB\xBF")))
        text = slice_of(text.ptr + 3, text.len - 3);
    text = slice_trim(text);
    if (text.len < 8 || (strncasecmp(text.ptr, "stdout", 6) != 0 &&
                         strncasecmp(text.ptr, "stderr", 6) != 0))
        return text;
    struct slice rest = slice_trim(slice_of(text.ptr + 6, text.len - 6));
    if (rest.len == 0 || (rest.ptr[0] != ':' && rest.ptr[0] != '='))
        return text;
    rest = slice_trim(slice_of(rest.ptr + 1, rest.len - 1));
    return rest.len > 0 && rest.ptr[0] == '{' ? rest : text;
}

/* Cursor writes milliseconds, Claude Code a text, and neither always. */
static uint64_t time_of(yyjson_val *root)
{
    int64_t ms = (int64_t)FIELD_COUNT(root, "timestamp_ms");

    if (ms == 0 && !moment_read(FIELD_TEXT(root, "timestamp"), &ms))
        return 0;
    return ms > 0 ? (uint64_t)ms : 0;
}

static void tell(struct parser *p, yyjson_val *root)
{
    if (p->wants_time)
        p->at = time_of(root);
    p->backend->line(p, root, FIELD_TEXT(root, "type"));
}

static void read_line(struct parser *p, struct slice text)
{
    bool is_short = text.len <= PARSER_POOL_LINE;
    yyjson_val *root = is_short ? shapes_find(&p->shapes, text) : NULL;
    yyjson_read_err err;
    yyjson_doc *doc;

    if (root != NULL) {
        tell(p, root);
        return;
    }
    if ((doc = read_doc(p, text, &err)) != NULL)
        shapes_learn(&p->shapes, text, doc);
    else if ((doc = read_mended(p, text, &err)) == NULL) {
        quote(p, EVENT_NOTE_NOT_JSON, text, err.msg);
        return;
    }
    tell(p, yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
}

void parser_line(struct parser *p, const struct ndjson_line *line, event_fn fn,
                 void *ctx)
{
    p->fn = fn;
    p->ctx = ctx;
    p->offset = line->offset;
    p->at = 0;
    p->line++;
    p->parent = SLICE_EMPTY;
    if (!line->ptr) {
        struct event ev = {.kind = EVENT_NOTE};
        ev.note = (struct event_note){.note = EVENT_NOTE_TOO_LONG,
                                      .type = SLICE_EMPTY,
                                      .text = SLICE_EMPTY,
                                      .bytes = line->len};
        parser_emit(p, &ev);
        return;
    }
    struct slice text = slice_of(line->ptr, line->len);
    if (text.ptr[0] != '{')
        text = strip(text);
    if (text.len > 0 && text.ptr[0] != '{')
        quote(p, EVENT_NOTE_NOT_JSON, text, "no object");
    else if (text.len > 0)
        read_line(p, text);
    bytes_clear(&p->mended, PARSER_KEEP);
    bytes_clear(&p->scratch, PARSER_KEEP);
}

void parser_end(struct parser *p, event_fn fn, void *ctx)
{
    p->fn = fn;
    p->ctx = ctx;
    p->parent = SLICE_EMPTY;
    if (p->backend->end)
        p->backend->end(p);
}

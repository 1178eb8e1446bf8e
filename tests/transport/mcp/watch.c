/* SPDX-License-Identifier: MIT */
#include "tests/transport/mcp/watch.h"

#include <stdio.h>
#include <stdlib.h>

#include "runtime/text/field.h"

static void die(const char *why, struct slice line)
{
    fprintf(stderr, "%s: %.*s\n", why, (int)line.len, line.ptr);
    abort();
}

static void count(struct watch *w, yyjson_val *id, int by, struct slice line)
{
    size_t len = 0;
    char *text = yyjson_val_write(id, 0, &len);

    if (!text)
        return;
    int *open =
        &w->open[slice_hash(SLICE_HASH, slice_of(text, len)) % WATCH_IDS];
    free(text);
    *open += by;
    if (*open < 0)
        die("answered twice, or unasked", line);
}

static void message_in(struct watch *w, yyjson_val *message, struct slice text)
{
    if (FIELD(message, "id"))
        count(w, FIELD(message, "id"), 1, text);
}

static void message_out(struct watch *w, yyjson_val *m, struct slice line)
{
    bool is_note = FIELD(m, "method") != NULL;
    bool is_result = FIELD(m, "result") != NULL;
    bool is_error = FIELD(m, "error") != NULL;

    if (!slice_eq(FIELD_TEXT(m, "jsonrpc"), SLICE("2.0")) ||
        is_note + is_result + is_error != 1)
        die("no JSON-RPC message", line);
    /* A question of the server's is told by its id. */
    bool is_ask = is_note && FIELD_TEXT(m, "id").len > 0 &&
                  FIELD_TEXT(m, "id").ptr[0] == 's';
    if ((is_result && !FIELD(m, "id")) ||
        (is_note && FIELD(m, "id") && !is_ask))
        die("an id where none may be, or none where one must", line);
    if (is_error && !yyjson_is_raw(FIELD(FIELD(m, "error"), "code")))
        die("an error without a code", line);
    w->answers += !is_note;
    if (FIELD(m, "id") && !is_ask)
        count(w, FIELD(m, "id"), -1, line);
}

static void each(struct watch *w, yyjson_doc *doc, struct slice text,
                 void (*fn)(struct watch *, yyjson_val *, struct slice))
{
    yyjson_val *root = yyjson_doc_get_root(doc), *one;
    size_t i, n;

    if (!yyjson_is_arr(root))
        fn(w, root, text);
    yyjson_arr_foreach(root, i, n, one)
    {
        fn(w, one, text);
    }
}

void watch_input(struct watch *w, struct slice text)
{
    yyjson_doc *doc =
        yyjson_read(text.ptr, text.len, YYJSON_READ_NUMBER_AS_RAW);

    if (doc)
        each(w, doc, text, message_in);
    yyjson_doc_free(doc);
}

/* Numbers are read as text: ids must come back to the byte. */
void watch_output(struct watch *w, struct slice line)
{
    size_t len = line.len - 1;

    if (line.len == 0 || line.ptr[len] != '\n' ||
        memchr(line.ptr, '\n', len) != NULL)
        die("not one line", line);
    yyjson_doc *doc = yyjson_read(line.ptr, len, YYJSON_READ_NUMBER_AS_RAW);
    if (!doc)
        die("not JSON", line);
    each(w, doc, line, message_out);
    yyjson_doc_free(doc);
}

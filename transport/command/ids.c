/* SPDX-License-Identifier: MIT */
#include "transport/command/ids.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/field.h"

bool ids_is_group(const char *id)
{
    return !strncmp(id, "grp-", 4);
}

/* Adds those of a list to what was found; whether one is the very piece. */
static bool gather(yyjson_val *list, const char *piece, struct bytes *found,
                   size_t *count, const char **first)
{
    size_t i, n;
    yyjson_val *item;

    yyjson_arr_foreach(list, i, n, item)
    {
        const char *id = yyjson_get_str(item);
        if (!strcmp(id, piece))
            return true;
        bytes_format(found, "\n  %s", id);
        *first = *count == 0 ? id : *first;
        ++*count;
    }
    return false;
}

static int choose(struct records *r, yyjson_val *root, const char *piece,
                  enum ids_kind kind, char **id)
{
    struct bytes found = {0};
    const char *first = NULL;
    size_t count = 0;
    bool is_whole = false;

    if (kind & IDS_AGENT)
        is_whole = gather(FIELD(root, "agents"), piece, &found, &count, &first);
    if (!is_whole && (kind & IDS_GROUP))
        is_whole = gather(FIELD(root, "groups"), piece, &found, &count, &first);
    bool is_clear = is_whole || count <= 1;
    if (is_clear)
        *id = bytes_text("%s", !is_whole && count == 1 ? first : piece);
    else
        COMPLAIN(r->console, ID_AMBIGUOUS, piece, (int)found.len, found.ptr);
    bytes_finish(&found);
    return is_clear ? CONSOLE_FINE : CONSOLE_FAILED;
}

int ids_find(struct records *r, const char *piece, enum ids_kind kind,
             size_t least, char **id)
{
    struct bytes args = {0};
    yyjson_doc *doc = NULL;

    *id = NULL;
    if (strlen(piece) < least && least > 1) {
        COMPLAIN(r->console, ID_TOO_SHORT, piece, least);
        return CONSOLE_FAILED;
    }
    if (strlen(piece) > 95 || !*piece) {
        *id = bytes_text("%s", piece);
        return CONSOLE_FINE;
    }
    ask_argument(&args, "id", piece);
    int code = records_ask(r, "find", bytes_slice(&args), &doc);
    bytes_finish(&args);
    if (!code)
        code = choose(r, yyjson_doc_get_root(doc), piece, kind, id);
    yyjson_doc_free(doc);
    return code;
}

int ids_look_up(struct console *con, const char *piece, enum ids_kind kind,
                size_t least, char **id)
{
    struct records r;

    *id = NULL;
    if (!piece)
        return CONSOLE_FINE;
    int code = records_open(&r, con);
    if (!code)
        code = ids_find(&r, piece, kind, least, id);
    records_close(&r);
    return code;
}

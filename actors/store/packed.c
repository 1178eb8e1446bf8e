/* SPDX-License-Identifier: MIT */
#include "actors/store/packed.h"

#include <stdlib.h>
#include <zlib.h>

static void pack(sqlite3_context *to, int count, sqlite3_value **args)
{
    const unsigned char *text = sqlite3_value_text(args[0]);
    uLong len = (uLong)sqlite3_value_bytes(args[0]);
    uLongf room = compressBound(len);
    unsigned char *blob = bytes_alloc(room);

    (void)count;
    if (text != NULL && compress2(blob, &room, text, len, 1) == Z_OK)
        sqlite3_result_blob64(to, blob, room, SQLITE_TRANSIENT);
    else
        sqlite3_result_error_nomem(to);
    free(blob);
}

int packed_register(sqlite3 *db)
{
    return sqlite3_create_function_v2(
        db, "packed", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        NULL, pack, NULL, NULL, NULL);
}

bool packed_read(struct slice blob, size_t bytes, struct bytes *out)
{
    uLongf len = (uLongf)bytes;

    bytes_reserve(out, bytes);
    if (uncompress((unsigned char *)out->ptr + out->len, &len,
                   (const unsigned char *)blob.ptr, (uLong)blob.len) != Z_OK ||
        len != bytes)
        return false;
    out->len += bytes;
    return true;
}

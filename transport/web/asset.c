/* SPDX-License-Identifier: MIT */
#include "transport/web/asset.h"

#include <string.h>

static const struct asset *find(struct slice path)
{
    for (size_t i = 0; i < asset_count; i++)
        if (slice_eq(slice_cstr(assets[i].path), path))
            return &assets[i];
    return NULL;
}

static bool has_word(struct slice list, const char *word)
{
    return list.len > 0 &&
           memmem(list.ptr, list.len, word, strlen(word)) != NULL;
}

/* Only what we brought ourselves may run in the page, and no page may frame
 * ours. */
static void add_headers(struct exchange *x, const struct asset *a)
{
    exchange_add_header(x, "etag", slice_cstr(a->tag));
    exchange_add_header(x, "vary", SLICE("accept-encoding"));
    exchange_add_header(x, "cache-control",
                        a->is_for_ever
                            ? SLICE("public, max-age=31536000, immutable")
                            : SLICE("no-cache"));
    exchange_add_header(
        x, "content-security-policy",
        SLICE("default-src 'self'; connect-src 'self'; img-src 'self' data:; "
              "object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
              "form-action 'none'"));
    exchange_add_header(x, "referrer-policy", SLICE("no-referrer"));
}

static void send(struct exchange *x, const struct asset *a)
{
    bool is_packed = a->packed_len < a->plain_len &&
                     has_word(exchange_header(x, "accept-encoding"), "gzip");

    add_headers(x, a);
    if (has_word(exchange_header(x, "if-none-match"), a->tag)) {
        exchange_reply_text(x, 304, NULL, SLICE_EMPTY);
        return;
    }
    if (is_packed)
        exchange_add_header(x, "content-encoding", SLICE("gzip"));
    exchange_reply_text(
        x, 200, a->type,
        slice_of((const char *)(is_packed ? a->packed : a->plain),
                 is_packed ? a->packed_len : a->plain_len));
}

void asset_serve(void *ctx, struct exchange *x)
{
    struct slice method = exchange_method(x);
    const struct asset *a = find(exchange_path(x));

    (void)ctx;
    if (a == NULL) {
        exchange_reply_text(x, 404, "text/plain", SLICE("not found\n"));
    } else if (!slice_eq(method, SLICE("GET")) &&
               !slice_eq(method, SLICE("HEAD"))) {
        exchange_add_header(x, "allow", SLICE("GET, HEAD"));
        exchange_reply_text(x, 405, "text/plain", SLICE("expected GET\n"));
    } else {
        send(x, a);
    }
}

/* SPDX-License-Identifier: MIT */
#include "transport/web/asset.h"

#include <string.h>

/* The page's own addresses, by their first word. A path that is none of them
 * is a mistake and says so, rather than showing a page of something else. */
static const char *const screens[] = {"agents",  "groups", "timeline",
                                      "history", "mail",   "projects",
                                      "phases",  "roles",  "health",
                                      "system"};

static bool is_screen(struct slice path)
{
    const char *end = memchr(path.ptr + 1, '/', path.len - 1);
    struct slice word = slice_of(
        path.ptr + 1, end ? (size_t)(end - path.ptr) - 1 : path.len - 1);

    for (size_t i = 0; i < sizeof(screens) / sizeof(*screens); i++)
        if (slice_eq(slice_cstr(screens[i]), word))
            return true;
    return false;
}

static const struct asset *find(struct slice path)
{
    if (path.len > 1 && is_screen(path))
        path = SLICE("/");
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

/* The smallest that the browser takes. "br;q=0" is nobody's way to say no. */
static enum asset_form choose(struct exchange *x, const struct asset *a)
{
    static const char *const names[] = {"", "gzip", "br"};
    struct slice accepted = exchange_header(x, "accept-encoding");

    for (int form = ASSET_BROTLI; form > ASSET_PLAIN; form--)
        if (a->forms[form].ptr != NULL && has_word(accepted, names[form])) {
            exchange_add_header(x, "content-encoding", slice_cstr(names[form]));
            return (enum asset_form)form;
        }
    return ASSET_PLAIN;
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
    const struct asset_data *data;

    add_headers(x, a);
    if (has_word(exchange_header(x, "if-none-match"), a->tag)) {
        exchange_reply_text(x, 304, NULL, SLICE_EMPTY);
        return;
    }
    data = &a->forms[choose(x, a)];
    exchange_reply_text(x, 200, a->type,
                        slice_of((const char *)data->ptr, data->len));
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

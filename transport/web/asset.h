/*
 * An asset is a file of the dashboard, a constant of the program: nothing is
 * looked for on disk. Those whose names carry their hash are for ever; the
 * page itself is asked for again and answered 304 while it is the same.
 */
#ifndef TRANSPORT_WEB_ASSET_H
#define TRANSPORT_WEB_ASSET_H

#include "transport/http/exchange.h"

struct asset {
    const char *path, *type;
    const char *tag;  /* with its quotes */
    bool is_for_ever; /* its name changes with what is in it */
    const unsigned char *plain;
    size_t plain_len;
    const unsigned char *packed; /* gzip */
    size_t packed_len;
};

/* Made by web/embed.py. */
extern const struct asset assets[];
extern const size_t asset_count;

/* Serves one by its path, or 404. */
void asset_serve(void *ctx, struct exchange *x);

#endif

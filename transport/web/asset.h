/*
 * An asset is a file of the dashboard, a constant of the program: nothing is
 * looked for on disk. Those whose names carry their hash are for ever; the
 * page itself is asked for again and answered 304 while it is the same. It
 * answers at the addresses of all its screens, which are told apart in it.
 */
#ifndef TRANSPORT_WEB_ASSET_H
#define TRANSPORT_WEB_ASSET_H

#include "transport/http/exchange.h"

enum asset_form { ASSET_PLAIN, ASSET_GZIP, ASSET_BROTLI, ASSET_FORMS };

struct asset_data {
    const unsigned char *ptr; /* NULL: there is no such form */
    size_t len;
};

struct asset {
    const char *path, *type;
    const char *tag;  /* with its quotes */
    bool is_for_ever; /* its name changes with what is in it */
    struct asset_data forms[ASSET_FORMS]; /* the plain one is always there */
};

/* Made by web/build.py. */
extern const struct asset assets[];
extern const size_t asset_count;
extern const struct asset_data asset_recording; /* packed: recording_page.h */

/* Serves one by its path, the page at a screen's, or 404. */
void asset_serve(void *ctx, struct exchange *x);

#endif

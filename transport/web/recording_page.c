/* SPDX-License-Identifier: MIT */
#include "transport/web/recording_page.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "transport/web/asset.h"

#define CHUNK 65536

static int write_all(int fd, const unsigned char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);

        if (n < 0 && errno != EINTR)
            return -errno;
        data += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
    return 0;
}

int recording_page_write(int fd)
{
    /* zlib does not write to its input, and would have it const by now. */
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)asset_recording.ptr,
                  .avail_in = (unsigned)asset_recording.len};
    unsigned char out[CHUNK];
    int code, error = 0;

    if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
        return -ENOMEM;
    do {
        z.next_out = out;
        z.avail_out = sizeof(out);
        code = inflate(&z, Z_NO_FLUSH);
        error = write_all(fd, out, sizeof(out) - z.avail_out);
    } while (code == Z_OK && error == 0);
    inflateEnd(&z);
    return error != 0 ? error : code == Z_STREAM_END ? 0 : -EIO;
}

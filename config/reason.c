/* SPDX-License-Identifier: MIT */
#include "config/reason.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/messages.h"

/* One kind of trouble may have several numbers. */
static const struct {
    int error;
    struct message text;
} words[] = {
    {ENOENT, BOTH(REASON_NOT_THERE)},
    {EACCES, BOTH(REASON_DENIED)},
    {EPERM, BOTH(REASON_DENIED)},
    {ENOSPC, BOTH(REASON_NO_SPACE)},
    {EDQUOT, BOTH(REASON_NO_SPACE)},
    {EROFS, BOTH(REASON_READ_ONLY)},
    {ENOTDIR, BOTH(REASON_NO_DIRECTORY)},
    {EISDIR, BOTH(REASON_IS_DIRECTORY)},
    {EEXIST, BOTH(REASON_IS_THERE)},
    {EMFILE, BOTH(REASON_TOO_MANY_FILES)},
    {ENFILE, BOTH(REASON_TOO_MANY_FILES)},
    {ENOMEM, BOTH(REASON_NO_MEMORY)},
    {EAGAIN, BOTH(REASON_NO_ROOM_NOW)},
    {EBUSY, BOTH(REASON_IN_USE)},
    {EIO, BOTH(REASON_INPUT_OUTPUT)},
    {EFBIG, BOTH(REASON_FILE_TOO_LARGE)},
    {ENAMETOOLONG, BOTH(REASON_NAME_TOO_LONG)},
    {ELOOP, BOTH(REASON_LINKS_IN_A_CIRCLE)},
    {ENOEXEC, BOTH(REASON_NOT_RUNNABLE)},
    {EADDRINUSE, BOTH(REASON_ADDRESS_IN_USE)},
    {EADDRNOTAVAIL, BOTH(REASON_ADDRESS_NOT_HERE)},
    {ECONNREFUSED, BOTH(REASON_CONNECTION_REFUSED)},
    {ECONNRESET, BOTH(REASON_CONNECTION_CUT)},
    {EPIPE, BOTH(REASON_CONNECTION_CUT)},
    {ENETUNREACH, BOTH(REASON_UNREACHABLE)},
    {EHOSTUNREACH, BOTH(REASON_UNREACHABLE)},
    {ETIMEDOUT, BOTH(REASON_TIMED_OUT)},
    {EPROTO, BOTH(REASON_NOT_OUR_PROTOCOL)},
};

struct reason reason_of(int error, bool is_english)
{
    struct reason r;

    error = abs(error);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (words[i].error == error) {
            snprintf(r.text, sizeof(r.text), "%s",
                     message_pick(is_english, words[i].text));
            return r;
        }
    snprintf(r.text, sizeof(r.text), MESSAGE(is_english, REASON_OTHER),
             strerror(error));
    return r;
}

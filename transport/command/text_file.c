/* SPDX-License-Identifier: MIT */
#include "transport/command/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "config/reason.h"

#define CHUNK ((size_t)64 << 10)

int text_file_take(int fd, size_t most, struct bytes *text)
{
    size_t begin = text->len;

    for (;;) {
        bytes_reserve(text, CHUNK);
        ssize_t n = read(fd, text->ptr + text->len, CHUNK);

        if (n == 0)
            return 0;
        if (n < 0 && errno != EINTR)
            return -errno;
        text->len += n > 0 ? (size_t)n : 0;
        if (text->len - begin > most)
            return -EFBIG;
    }
}

int text_file_read(struct console *con, const char *name, size_t most,
                   struct bytes *text)
{
    bool is_stdin = !strcmp(name, "-");
    int fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
    int error = fd < 0 ? -errno : text_file_take(fd, most, text);

    if (fd >= 0 && !is_stdin)
        close(fd);
    if (error == -EFBIG)
        COMPLAIN(con, TEXT_FILE_TOO_BIG, name, most);
    else if (error)
        COMPLAIN(con, TEXT_FILE_UNREADABLE, name,
                 reason_of(error, con->is_english).text);
    return error ? CONSOLE_FAILED : CONSOLE_FINE;
}

/* SPDX-License-Identifier: MIT */
/*
 * Prompts that lie in a directory of the project's. It may have come with a
 * checkout: a name in it is never followed elsewhere (folder.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "actors/phases/inside.h"
#include "runtime/text/folder.h"
#include "runtime/text/utf8.h"

#define FILE_MAX ((size_t)200 << 10) /* bytes */

static int read_whole(int fd, struct bytes *to)
{
    ssize_t n;

    bytes_reserve(to, FILE_MAX + 1);
    do {
        n = read(fd, to->ptr + to->len, FILE_MAX + 1 - to->len);
        if (n < 0)
            return -errno;
        to->len += (size_t)n;
    } while (n > 0 && to->len <= FILE_MAX);
    if (to->len > FILE_MAX)
        return -EFBIG;
    return slice_trim(bytes_slice(to)).len > 0 &&
                   utf8_is_valid(to->ptr, to->len)
               ? 0
               : -EILSEQ;
}

/* The first heading, without its marks. */
static void take_title(struct prompt *p)
{
    struct slice line = slice_trim(bytes_slice(&p->content));

    line = slice_first_line(line);
    while (line.len > 0 && line.ptr[0] == '#')
        line = slice_of(line.ptr + 1, line.len - 1);
    line = slice_trim(line);
    bytes_append_capped(&p->title, line, 255);
}

static int read_in(const char *directory, int phase, struct prompt *p)
{
    char name[16];
    int error, dir = folder_open(directory), fd;

    if (dir < 0)
        return dir;
    snprintf(name, sizeof(name), "phase%d.md", phase);
    fd = folder_file(dir, name, O_RDONLY);
    error = fd < 0 ? fd : read_whole(fd, &p->content);
    if (fd >= 0)
        close(fd);
    close(dir);
    if (error == 0)
        take_title(p);
    return error;
}

int file_read(const struct hub_context *context, const char *directory,
              int phase, struct prompt *p)
{
    char *path = directory[0] == '/'
                     ? bytes_text("%s", directory)
                     : bytes_text("%s/%s", context->self->cwd, directory);
    char *real = realpath(path, NULL);
    int error = real != NULL ? read_in(real, phase, p) : -errno;

    if (error == 0)
        bytes_append(&p->origin, real, strlen(real));
    p->state = PROMPT_GIVEN;
    p->source = PROMPT_FILE;
    free(path);
    free(real);
    return error;
}

void builtin_read(bool is_english, int phase, struct prompt *p)
{
    const char *text = is_english ? builtin_en[phase] : builtin_ja[phase];

    p->state = PROMPT_GIVEN;
    p->source = PROMPT_BUILTIN;
    bytes_append(&p->content, text, strlen(text));
    take_title(p);
}

/* SPDX-License-Identifier: MIT */
/* The warden has this too, and no printf. */
#include "runtime/text/warden_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "runtime/text/folder.h"
#include "runtime/text/slice.h"

#define WORD "started "
#define TIME_DIGITS 16
#define SUM_DIGITS 16
/* The word, a time, a space, a sum, the end of the line. */
#define LINE_SIZE (sizeof(WORD) - 1 + TIME_DIGITS + 1 + SUM_DIGITS + 1)
/* The sum, a space, the record, the end of the line. */
#define TAIL_SIZE (SUM_DIGITS + 1 + WARDEN_FILE_EXIT_MAX + 1)

/* ---- digits -------------------------------------------------------------- */

static void put_digits(char *to, size_t count, uint64_t value, unsigned base)
{
    while (count > 0) {
        to[--count] = "0123456789abcdef"[value % base];
        value /= base;
    }
}

static bool is_number(const char *from, size_t count, uint64_t *value,
                      unsigned base)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        const char *digit = memchr("0123456789abcdef", from[i], base);

        if (digit == NULL)
            return false;
        *value = *value * base + (unsigned)(digit - "0123456789abcdef");
    }
    return true;
}

static void put_sum(char *to, const char *text, size_t len)
{
    put_digits(to, SUM_DIGITS, slice_stable_hash(slice_of(text, len)), 16);
}

static bool is_sum(const char *from, const char *text, size_t len)
{
    char sum[SUM_DIGITS];

    put_sum(sum, text, len);
    return memcmp(sum, from, sizeof(sum)) == 0;
}

/* ---- writing ------------------------------------------------------------- */

static int put(int fd, const char *text, size_t len)
{
    ssize_t n;

    do
        n = pwrite(fd, text, len, 0);
    while (n < 0 && errno == EINTR);
    if (n == (ssize_t)len)
        return 0;
    return n < 0 ? -errno : -ENOSPC;
}

int warden_file_begin(int dir, const char *papers, size_t len)
{
    static const char lines[WARDEN_FILE_PAPERS];
    int fd = folder_file(dir, WARDEN_FILE, O_WRONLY | O_CREAT | O_EXCL);
    int error;

    if (fd == -EEXIST)
        return 0;
    if (fd < 0)
        return fd;
    error = folder_write(fd, lines, sizeof(lines));
    if (error == 0)
        error = folder_write(fd, papers, len);
    close(fd);
    return error;
}

bool warden_file_is_blank(int fd)
{
    char line[LINE_SIZE];
    ssize_t n = pread(fd, line, sizeof(line), 0);

    for (ssize_t i = 0; i < n; i++)
        if (line[i] != 0)
            return false;
    return n >= 0;
}

int warden_file_take_back(int fd)
{
    static const char line[LINE_SIZE];

    return put(fd, line, sizeof(line));
}

static void lay_started(char line[static LINE_SIZE], uint64_t at)
{
    const size_t head = sizeof(WORD) - 1 + TIME_DIGITS;

    memcpy(line, WORD, sizeof(WORD) - 1);
    put_digits(line + sizeof(WORD) - 1, TIME_DIGITS, at, 10);
    line[head] = ' ';
    put_sum(line + head + 1, line, head);
    line[LINE_SIZE - 1] = '\n';
}

int warden_file_put_started(int fd, uint64_t at)
{
    char line[LINE_SIZE];

    lay_started(line, at);
    return put(fd, line, sizeof(line));
}

int warden_file_put_exit(int fd, uint64_t at, const char *record, size_t len)
{
    char lines[LINE_SIZE + TAIL_SIZE], *tail = lines + LINE_SIZE;

    if (len > WARDEN_FILE_EXIT_MAX)
        return -E2BIG;
    lay_started(lines, at);
    put_sum(tail, record, len);
    tail[SUM_DIGITS] = ' ';
    memcpy(tail + SUM_DIGITS + 1, record, len);
    tail[SUM_DIGITS + 1 + len] = '\n';
    return put(fd, lines, LINE_SIZE + SUM_DIGITS + 1 + len + 1);
}

/* ---- reading ------------------------------------------------------------- */

/* So many of the bytes that are there, from the first on. */
static size_t read_head(int dir, char *to, size_t size)
{
    int fd = folder_file(dir, WARDEN_FILE, O_RDONLY);
    ssize_t n;

    if (fd < 0)
        return 0;
    do
        n = pread(fd, to, size, 0);
    while (n < 0 && errno == EINTR);
    close(fd);
    return n > 0 ? (size_t)n : 0;
}

static uint64_t started_of_old(int dir)
{
    struct stat info;

    if (fstatat(dir, WARDEN_FILE_STARTED, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    if (info.st_mtim.tv_sec <= 0)
        return 1; /* the CLI may have given it another date */
    return (uint64_t)info.st_mtim.tv_sec * 1000 +
           (uint64_t)info.st_mtim.tv_nsec / 1000000;
}

/* Of the first so many bytes of the one file, or of the three. */
static uint64_t started_in(int dir, const char *line, size_t n)
{
    const size_t head = sizeof(WORD) - 1 + TIME_DIGITS;
    uint64_t at;

    if (n < LINE_SIZE || memcmp(line, WORD, sizeof(WORD) - 1) != 0 ||
        !is_number(line + sizeof(WORD) - 1, TIME_DIGITS, &at, 10) ||
        !is_sum(line + head + 1, line, head))
        return started_of_old(dir);
    return at > 0 ? at : 1;
}

uint64_t warden_file_started(int dir)
{
    char line[LINE_SIZE];

    return started_in(dir, line, read_head(dir, line, sizeof(line)));
}

static size_t exit_of_old(int dir, char *to, size_t size)
{
    size_t len = folder_read_end(dir, WARDEN_FILE_EXIT, to, size);

    if (len == size)
        return 0;
    to[len] = 0;
    return len;
}

size_t warden_file_exit(int dir, char *to, size_t size, uint64_t *started)
{
    char lines[LINE_SIZE + TAIL_SIZE], *tail = lines + LINE_SIZE;
    size_t n = read_head(dir, lines, sizeof(lines));
    const char *record = tail + SUM_DIGITS + 1;
    const char *end = NULL;
    size_t len;

    if (started != NULL)
        *started = started_in(dir, lines, n);
    if (n > LINE_SIZE + SUM_DIGITS + 1)
        end = memchr(record, '\n', n - LINE_SIZE - SUM_DIGITS - 1);
    len = end != NULL ? (size_t)(end - record) : 0;
    if (len == 0 || len >= size || !is_sum(tail, record, len))
        return exit_of_old(dir, to, size);
    memcpy(to, record, len);
    to[len] = 0;
    return len;
}

int warden_file_papers(int dir, uint64_t *len)
{
    int fd = folder_file(dir, WARDEN_FILE, O_RDONLY);
    struct stat info;

    *len = 0;
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size > WARDEN_FILE_PAPERS)
        *len = (uint64_t)info.st_size - WARDEN_FILE_PAPERS;
    return fd;
}

/* To take one for free is to kill a tree, so it must be seen to be. */
static int is_locked(int dir, const char *name)
{
    int fd = folder_file(dir, name, O_RDONLY);
    bool is;

    if (fd == -EMFILE || fd == -ENFILE || fd == -ENOMEM)
        return fd;
    if (fd < 0)
        return 0;
    is = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(fd);
    return is;
}

int warden_file_is_held(int dir)
{
    int is = is_locked(dir, WARDEN_FILE);

    return is != 0 ? is : is_locked(dir, WARDEN_FILE_LOCK);
}

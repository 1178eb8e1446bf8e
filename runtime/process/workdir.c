/* SPDX-License-Identifier: MIT */
/*
 * A copied directory is the user's own and in use: other programs write and
 * rename in it, and it may hold anything. So a copy takes the regular files at
 * its top that are small, a bounded number of them, and what has vanished or
 * is closed to us since the listing is passed over: the CLI could not have
 * read it either. What is written on our side has to succeed.
 */
#include "runtime/process/workdir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/text/path.h"

#define COPY_FILE_MAX ((size_t)1 << 20)
#define COPY_BYTES_MAX ((size_t)4 << 20)
#define COPY_FILES_MAX 64
#define COPY_NAMES_MAX 4096
#define OPEN_FOLDERS 16

struct copying {
    size_t bytes, files;
    char *buffer; /* COPY_FILE_MAX and one: more tells a file too large */
};

int workdir_write(const char *path, const void *bytes, size_t len)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    size_t done = 0;

    if (fd < 0)
        return -errno;
    while (done < len) {
        ssize_t n = write(fd, (const char *)bytes + done, len - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int error = errno;
            close(fd);
            return -error;
        }
        done += (size_t)n;
    }
    return close(fd) == 0 ? 0 : -errno;
}

/* Makes every folder before the last part of a path, from `at` on. */
static int make_folders(char path[PATH_MAX], size_t at)
{
    for (char *slash = strchr(path + at, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        int made;

        *slash = 0;
        made = mkdir(path, 0700);
        *slash = '/';
        if (made != 0 && errno != EEXIST)
            return -errno;
    }
    return 0;
}

int workdir_folder(const char *path)
{
    char parent[PATH_MAX];
    char *slash;

    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return 0;
    if (errno != ENOENT || strlen(path) >= sizeof(parent))
        return -errno;
    strcpy(parent, path);
    slash = strrchr(parent, '/');
    if (slash == NULL || slash == parent)
        return -ENOENT;
    *slash = 0;
    if (mkdir(parent, 0700) != 0 && errno != EEXIST)
        return -errno;
    return mkdir(path, 0700) == 0 || errno == EEXIST ? 0 : -errno;
}

static int place(char path[PATH_MAX], const char *dir, const char *name)
{
    return path_join(path, dir, name) ? make_folders(path, strlen(dir) + 1)
                                      : -ENAMETOOLONG;
}

/* Its bytes, or -1 when it is no small regular file, or not there. */
static ssize_t read_source(struct copying *c, const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    size_t done = 0;
    ssize_t n = -1;

    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        (size_t)info.st_size <= COPY_FILE_MAX)
        while ((n = read(fd, c->buffer + done, COPY_FILE_MAX + 1 - done)) > 0)
            done += (size_t)n;
    close(fd);
    return n < 0 || done > COPY_FILE_MAX ? -1 : (ssize_t)done;
}

static int copy_file(struct copying *c, const char *from, const char *to)
{
    ssize_t len = read_source(c, from);

    if (len < 0 || c->bytes + (size_t)len > COPY_BYTES_MAX)
        return 0;
    c->bytes += (size_t)len;
    c->files++;
    return workdir_write(to, c->buffer, (size_t)len);
}

static int copy_entries(struct copying *c, DIR *dir, const char *from,
                        const char *to)
{
    struct dirent *entry;
    int error = 0;

    for (size_t seen = 0;
         error == 0 && seen < COPY_NAMES_MAX && c->files < COPY_FILES_MAX &&
         (entry = readdir(dir)) != NULL;
         seen++) {
        char source[PATH_MAX], target[PATH_MAX];

        if (entry->d_type == DT_DIR ||
            !path_join(source, from, entry->d_name) ||
            !path_join(target, to, entry->d_name))
            continue;
        error = copy_file(c, source, target);
    }
    return error;
}

static int copy(struct copying *c, const char *dir,
                const struct process_copy *copy)
{
    char to[PATH_MAX];
    int error = place(to, dir, copy->to);
    DIR *from;

    if (error != 0)
        return error;
    from = opendir(copy->from);
    if (from == NULL && errno == ENOTDIR)
        return copy_file(c, copy->from, to);
    /* The folder is there in any case: a CLI told of it shall find it. */
    if (!copy->is_folder && from == NULL)
        return 0;
    if (mkdir(to, 0700) != 0 && errno != EEXIST)
        error = -errno;
    if (from != NULL) {
        if (error == 0)
            error = copy_entries(c, from, copy->from, to);
        closedir(from);
    }
    return error;
}

static int make_copies(const struct process_spec *spec)
{
    struct copying c = {0};
    int error = 0;

    if (spec->copy_count == 0)
        return 0;
    c.buffer = os_alloc(COPY_FILE_MAX + 1, 16);
    for (size_t i = 0; error == 0 && i < spec->copy_count; i++)
        error = copy(&c, spec->dir, &spec->copies[i]);
    free(c.buffer);
    return error;
}

int workdir_make(const struct process_spec *spec, const char **stage)
{
    int error = 0;

    *stage = "copies";
    error = make_copies(spec);
    for (size_t i = 0; error == 0 && i < spec->file_count; i++) {
        const struct process_file *file = &spec->files[i];
        char path[PATH_MAX];

        *stage = "files";
        error = place(path, spec->dir, file->name);
        if (error == 0)
            error = workdir_write(path, file->bytes, file->len);
    }
    return error;
}

static int remove_one(const char *path, const struct stat *info, int kind,
                      struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    remove(path); /* whatever is left is in a directory that goes later */
    return 0;
}

void workdir_remove(const char *path)
{
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

/* They may hold the user's keys, and their reader has ended. */
void workdir_clear(const struct process_spec *spec)
{
    for (size_t i = 0; i < spec->copy_count; i++) {
        char path[PATH_MAX];

        if (path_join(path, spec->dir, spec->copies[i].to))
            workdir_remove(path);
    }
}

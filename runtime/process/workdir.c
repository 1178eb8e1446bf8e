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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/text/folder.h"
#include "runtime/text/path.h"
#include "runtime/text/warden_file.h"

#define COPY_FILE_MAX ((size_t)1 << 20)
#define COPY_BYTES_MAX ((size_t)4 << 20)
#define COPY_FILES_MAX 64
#define COPY_NAMES_MAX 4096

struct copying {
    size_t bytes, files;
    char *buffer; /* COPY_FILE_MAX and one: more tells a file too large */
};

int workdir_open(const char *path)
{
    char parent[PATH_MAX];
    char *slash;

    if (mkdir(path, 0700) == 0 || errno == EEXIST)
        return folder_open(path);
    if (errno != ENOENT || strlen(path) >= sizeof(parent))
        return -errno;
    strcpy(parent, path);
    slash = strrchr(parent, '/');
    if (slash == NULL || slash == parent)
        return -ENOENT;
    *slash = 0;
    if (mkdir(parent, 0700) != 0 && errno != EEXIST)
        return -errno;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return -errno;
    return folder_open(path);
}

int workdir_write(int dir, const char *name, const void *bytes, size_t len)
{
    int fd = folder_new_file(dir, name), error;

    if (fd < 0)
        return fd;
    error = folder_write(fd, bytes, len);
    if (close(fd) != 0 && error == 0)
        error = -errno;
    return error;
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

static int copy_file(struct copying *c, const char *from, int dir,
                     const char *name)
{
    ssize_t len = read_source(c, from);

    if (len < 0 || c->bytes + (size_t)len > COPY_BYTES_MAX)
        return 0;
    c->bytes += (size_t)len;
    c->files++;
    return workdir_write(dir, name, c->buffer, (size_t)len);
}

static int copy_entries(struct copying *c, DIR *dir, const char *from, int to)
{
    struct dirent *entry;
    int error = 0;

    for (size_t seen = 0;
         error == 0 && seen < COPY_NAMES_MAX && c->files < COPY_FILES_MAX &&
         (entry = readdir(dir)) != NULL;
         seen++) {
        char source[PATH_MAX];

        if (entry->d_type == DT_DIR || !path_join(source, from, entry->d_name))
            continue;
        error = copy_file(c, source, to, entry->d_name);
    }
    return error;
}

/* The folder is made in any case: a CLI told of it shall find it. */
static int copy_folder(struct copying *c, DIR *from, const char *path, int dir,
                       const char *name)
{
    int to = folder_make_in(dir, name), error = 0;

    if (to < 0)
        return to;
    if (from != NULL)
        error = copy_entries(c, from, path, to);
    close(to);
    return error;
}

static int copy(struct copying *c, int dir, const struct process_copy *copy)
{
    const char *name;
    int in, error = 0;
    DIR *from;

    if (copy->from == NULL)
        return 0;
    in = folder_reach(dir, copy->to, &name);
    if (in < 0)
        return in;
    from = opendir(copy->from);
    if (from == NULL && errno == ENOTDIR)
        error = copy_file(c, copy->from, in, name);
    else if (from != NULL || copy->is_folder)
        error = copy_folder(c, from, copy->from, in, name);
    if (from != NULL)
        closedir(from);
    close(in);
    return error;
}

static int make_copies(int dir, const struct process_spec *spec)
{
    struct copying c = {0};
    int error = 0;

    if (spec->copy_count == 0)
        return 0;
    c.buffer = os_alloc(COPY_FILE_MAX + 1, 16);
    for (size_t i = 0; error == 0 && i < spec->copy_count; i++)
        error = copy(&c, dir, &spec->copies[i]);
    free(c.buffer);
    return error;
}

static int make_file(int dir, const struct process_file *file)
{
    const char *name;
    int in = folder_reach(dir, file->name, &name), error;

    if (in < 0)
        return in;
    error = workdir_write(in, name, file->bytes, file->len);
    close(in);
    return error;
}

int workdir_make(int dir, const struct process_spec *spec, const char **stage)
{
    int error = 0;

    *stage = "files";
    if (spec->papers != NULL)
        error = warden_file_begin(dir, spec->papers, spec->papers_len);
    if (error != 0)
        return error;
    *stage = "copies";
    error = make_copies(dir, spec);
    for (size_t i = 0; error == 0 && i < spec->file_count; i++) {
        *stage = "files";
        error = make_file(dir, &spec->files[i]);
    }
    return error;
}

/* "." and "..", and what the spec has put into the folder of that name. */
static bool is_ours(const struct process_spec *spec, const char *folder,
                    const char *name)
{
    size_t len = strlen(folder);

    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return true;
    for (size_t i = 0; i < spec->file_count; i++) {
        const char *file = spec->files[i].name;

        if (strncmp(file, folder, len) == 0 && file[len] == '/' &&
            strcmp(file + len + 1, name) == 0)
            return true;
    }
    return false;
}

/* To remove a directory is the dearest of all that a disk is asked for when
 * many agents end at once, and this one says nothing of anybody. */
static bool has_only_ours(const struct process_spec *spec, int dir,
                          const char *name, const char *folder)
{
    int fd = folder_open_in(dir, name);
    struct dirent *entry;
    bool is_all = true;
    DIR *d;

    if (fd < 0)
        return false;
    d = fdopendir(fd);
    if (d == NULL) {
        close(fd);
        return false;
    }
    while (is_all && (entry = readdir(d)) != NULL)
        is_all = is_ours(spec, folder, entry->d_name);
    closedir(d);
    return is_all;
}

/* They may hold the user's keys, and their reader has ended. */
bool workdir_clear(const struct process_spec *spec)
{
    int dir = folder_open(spec->dir);
    bool has_more = false;

    for (size_t i = 0; dir >= 0 && !has_more && i < spec->copy_count; i++) {
        const char *to = spec->copies[i].to, *name;
        int in = folder_reach(dir, to, &name);

        if (in < 0)
            continue;
        has_more =
            !has_only_ours(spec, in, name, to) && folder_remove(in, name) == 1;
        close(in);
    }
    if (dir >= 0)
        close(dir);
    return has_more;
}

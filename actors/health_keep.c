/* SPDX-License-Identifier: MIT */
#include "actors/health_keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/json.h"

#define FILE_MAX ((size_t)4 << 20)
#define PATH_LIMIT 4096

static bool is_same(const struct health_key *a, const struct health_key *b)
{
    return strcmp(a->backend, b->backend) == 0 &&
           strcmp(a->program, b->program) == 0 &&
           strcmp(a->model, b->model) == 0 && strcmp(a->prompt, b->prompt) == 0;
}

static struct health_kept *kept_create(const struct health_key *key)
{
    struct health_kept *e =
        bytes_alloc(sizeof(*e) + strlen(key->backend) + strlen(key->program) +
                    strlen(key->model) + strlen(key->prompt) + 4);
    char *at = (char *)(e + 1);

    *e = (struct health_kept){.key = {.backend = bytes_lay(&at, key->backend),
                                      .program = bytes_lay(&at, key->program),
                                      .model = bytes_lay(&at, key->model),
                                      .prompt = bytes_lay(&at, key->prompt)}};
    return e;
}

const struct health_kept *health_keep_find(const struct health_keep *k,
                                           const struct health_key *key)
{
    const struct health_kept *e = k->first;

    while (e != NULL && !is_same(&e->key, key))
        e = e->next;
    return e;
}

/* The oldest go when there are too many. */
static void bound(struct health_keep *k)
{
    struct health_kept **link = &k->first;

    for (size_t n = 0; *link != NULL && n < HEALTH_KEEP_MAX; n++)
        link = &(*link)->next;
    while (*link != NULL) {
        struct health_kept *next = (*link)->next;
        free(*link);
        *link = next;
    }
}

void health_keep_note(struct health_keep *k, const struct health_key *key,
                      uint64_t at, uint64_t response_ms)
{
    struct health_kept **link = &k->first, *e;

    while ((e = *link) != NULL && !is_same(&e->key, key))
        link = &e->next;
    if (e != NULL)
        *link = e->next;
    else if (at != 0)
        e = kept_create(key);
    if (at == 0) {
        free(e);
        return;
    }
    e->at = at;
    e->response_ms = response_ms;
    e->next = k->first;
    k->first = e;
    bound(k);
}

/* ---- the file ------------------------------------------------------------
 */

static int path_of(char path[PATH_LIMIT], const char *state_dir,
                   const char *name)
{
    int n = snprintf(path, PATH_LIMIT, "%s/%s", state_dir, name);

    return n < 0 || n >= PATH_LIMIT ? -ENAMETOOLONG : 0;
}

static bool read_all(const char *path, struct bytes *out)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    struct stat info;
    ssize_t n = -1;

    if (fd < 0)
        return false;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
        (size_t)info.st_size <= FILE_MAX) {
        bytes_reserve(out, (size_t)info.st_size);
        while (out->len < (size_t)info.st_size &&
               (n = read(fd, out->ptr + out->len,
                         (size_t)info.st_size - out->len)) > 0)
            out->len += (size_t)n;
    }
    close(fd);
    return out->len > 0 && n >= 0;
}

static void take(struct health_keep *k, yyjson_val *entry, uint64_t now,
                 uint64_t keep_ms)
{
    struct health_key key = {
        .backend = yyjson_get_str(yyjson_obj_get(entry, "backend")),
        .program = yyjson_get_str(yyjson_obj_get(entry, "program")),
        .model = yyjson_get_str(yyjson_obj_get(entry, "model")),
        .prompt = yyjson_get_str(yyjson_obj_get(entry, "prompt"))};
    uint64_t at = yyjson_get_uint(yyjson_obj_get(entry, "at"));
    uint64_t ms = yyjson_get_uint(yyjson_obj_get(entry, "responseTime_ms"));

    /* A pass of the future is of a clock that was wrong. */
    if (key.backend != NULL && key.program != NULL && key.model != NULL &&
        key.prompt != NULL && at != 0 && at <= now && now - at < keep_ms)
        health_keep_note(k, &key, at, ms);
}

void health_keep_load(struct health_keep *k, const char *state_dir,
                      uint64_t now, uint64_t keep_ms)
{
    char path[PATH_LIMIT];
    struct bytes text = {0};
    yyjson_doc *doc = NULL;
    yyjson_val *list;
    size_t count;

    if (path_of(path, state_dir, "health.json") == 0 && read_all(path, &text))
        doc = yyjson_read(text.ptr, text.len, 0);
    list = yyjson_obj_get(yyjson_doc_get_root(doc), "passed");
    /* Backwards: the newest is noted last and so comes first again. */
    count = yyjson_arr_size(list);
    count = count < HEALTH_KEEP_MAX ? count : HEALTH_KEEP_MAX;
    for (size_t i = count; i > 0; i--)
        take(k, yyjson_arr_get(list, i - 1), now, keep_ms);
    yyjson_doc_free(doc);
    bytes_finish(&text);
}

static void text_field(struct bytes *out, const char *name, const char *value)
{
    json_string(out, slice_cstr(name));
    JSON_RAW(out, ":");
    json_string(out, slice_cstr(value));
    JSON_RAW(out, ",");
}

static void write_entry(struct bytes *out, const struct health_kept *e)
{
    JSON_RAW(out, "\n{");
    text_field(out, "backend", e->key.backend);
    text_field(out, "program", e->key.program);
    text_field(out, "model", e->key.model);
    text_field(out, "prompt", e->key.prompt);
    JSON_RAW(out, "\"at\":");
    json_number(out, (double)e->at);
    JSON_RAW(out, ",\"responseTime_ms\":");
    json_number(out, (double)e->response_ms);
    JSON_RAW(out, "}");
}

static int write_file(const char *path, struct slice text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t n;

    if (fd < 0)
        return -errno;
    /* Short of space the rest is missing: the old file stays. */
    n = write(fd, text.ptr, text.len);
    if (close(fd) != 0 || n < 0)
        return -errno;
    return (size_t)n == text.len ? 0 : -ENOSPC;
}

int health_keep_save(const struct health_keep *k, const char *state_dir)
{
    char path[PATH_LIMIT], draft[PATH_LIMIT];
    struct bytes out = {0};
    int error;

    JSON_RAW(&out, "{\"passed\":[");
    for (const struct health_kept *e = k->first; e != NULL; e = e->next) {
        if (e != k->first)
            JSON_RAW(&out, ",");
        write_entry(&out, e);
    }
    JSON_RAW(&out, "]}\n");
    error = path_of(path, state_dir, "health.json");
    if (error == 0)
        error = path_of(draft, state_dir, "health.json.new");
    if (error == 0)
        error = write_file(draft, bytes_slice(&out));
    if (error == 0 && rename(draft, path) != 0)
        error = -errno;
    bytes_finish(&out);
    return error;
}

void health_keep_finish(struct health_keep *k)
{
    while (k->first != NULL) {
        struct health_kept *next = k->first->next;
        free(k->first);
        k->first = next;
    }
}

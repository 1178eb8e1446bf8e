/* SPDX-License-Identifier: MIT */
#include "actors/stream/files.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/text/array.h"

#define FIRST_CAP 16

void files_finish(struct files *f)
{
    for (size_t i = 0; i < f->count; i++) {
        struct files_entry *e = &f->entries[i];
        if (e->shown.ptr != e->key.ptr)
            free((char *)(uintptr_t)e->shown.ptr);
        free((char *)(uintptr_t)e->key.ptr);
    }
    free(f->entries);
    free(f->index);
    for (int i = 0; i < FILES_LISTS; i++)
        free(f->lists[i]);
    bytes_finish(&f->cwd);
    bytes_finish(&f->scratch);
    *f = (struct files){0};
}

/* Takes the last segment off, unless there is none or it is itself "..". */
static bool pop(struct bytes *out, bool is_absolute)
{
    size_t n = out->len;

    while (n > 0 && out->ptr[n - 1] != '/')
        n--;
    struct slice last = slice_of(out->ptr + n, out->len - n);
    if (last.len == 0 || slice_eq(last, SLICE("..")))
        return is_absolute;
    out->len = n > 0 ? n - 1 : 0;
    return true;
}

static void add_segments(struct bytes *out, struct slice path, bool is_absolute)
{
    for (size_t i = 0; i <= path.len;) {
        const char *p = path.ptr + i;
        const char *end = memchr(p, '/', path.len - i);
        struct slice seg = slice_of(p, end ? (size_t)(end - p) : path.len - i);
        i += seg.len + 1;
        if (seg.len == 0 || slice_eq(seg, SLICE(".")))
            continue;
        if (slice_eq(seg, SLICE("..")) && pop(out, is_absolute))
            continue;
        if (is_absolute || out->len > 0)
            bytes_append(out, "/", 1);
        bytes_append(out, seg.ptr, seg.len);
    }
}

static struct slice normalise(struct files *f, struct slice path)
{
    struct slice cwd = bytes_slice(&f->cwd);
    bool is_absolute = path.ptr[0] == '/';

    f->scratch.len = 0;
    bytes_reserve(&f->scratch, path.len + cwd.len + 2);
    if (!is_absolute && cwd.len > 0) {
        is_absolute = cwd.ptr[0] == '/';
        add_segments(&f->scratch, cwd, is_absolute);
    }
    add_segments(&f->scratch, path, is_absolute);
    if (f->scratch.len == 0)
        bytes_append(&f->scratch, is_absolute ? "/" : ".", 1);
    return bytes_slice(&f->scratch);
}

void files_set_cwd(struct files *f, struct slice cwd)
{
    f->cwd.len = 0;
    if (cwd.len <= FILES_PATH_CAP)
        bytes_append(&f->cwd, cwd.ptr, cwd.len);
}

/* The slot of the index where key is, or where it would go. */
static size_t slot_of(const struct files *f, struct slice key, uint64_t hash)
{
    size_t i = (size_t)hash & (f->index_size - 1);

    while (f->index[i] != 0) {
        const struct files_entry *e = &f->entries[f->index[i] - 1];
        if (e->hash == hash && slice_eq(e->key, key))
            break;
        i = (i + 1) & (f->index_size - 1);
    }
    return i;
}

static void grow(struct files *f)
{
    f->cap = f->cap ? f->cap * 2 : FIRST_CAP;
    f->entries = bytes_realloc(f->entries, f->cap * sizeof(f->entries[0]));
    free(f->index);
    f->index_size = f->cap * 2;
    f->index = bytes_zalloc(f->index_size * sizeof(f->index[0]));
    for (size_t i = 0; i < f->count; i++) {
        struct files_entry *e = &f->entries[i];
        f->index[slot_of(f, e->key, e->hash)] = (uint32_t)i + 1;
    }
}

static struct slice copy(struct slice s)
{
    char *ptr = bytes_alloc(s.len + 1);

    memcpy(ptr, s.ptr, s.len);
    ptr[s.len] = '\0';
    return slice_of(ptr, s.len);
}

static bool fits(const struct files *f, size_t more)
{
    return f->count < FILES_KNOWN_CAP && more <= FILES_BYTES_CAP - f->bytes;
}

/* NULL if a bound forbids it. */
static struct files_entry *enter(struct files *f, struct slice path,
                                 bool *is_known)
{
    struct slice key = normalise(f, path);
    uint64_t hash = slice_hash(SLICE_HASH, key);

    if (f->count == f->cap)
        grow(f);
    size_t slot = slot_of(f, key, hash);
    *is_known = f->index[slot] != 0;
    if (*is_known)
        return &f->entries[f->index[slot] - 1];
    if (!fits(f, path.len + key.len))
        return NULL;
    struct files_entry *e = &f->entries[f->count++];
    *e = (struct files_entry){.hash = hash, .key = copy(key)};
    f->bytes += path.len + key.len;
    f->index[slot] = (uint32_t)f->count;
    return e;
}

static bool list(struct files *f, struct files_entry *e, struct slice path,
                 enum files_list which)
{
    size_t n = f->lengths[which];

    if (e->shown.ptr)
        return false;
    if (n == FILES_LIST_CAP) {
        f->dropped++;
        return false;
    }
    ARRAY_GROW(f->lists[which], n);
    f->lists[which][n] = (uint32_t)(e - f->entries);
    f->lengths[which]++;
    e->shown = slice_eq(path, e->key) ? e->key : copy(path);
    return true;
}

enum files_op files_note(struct files *f, struct slice path, enum files_op op,
                         bool *is_first)
{
    bool is_known = false;
    struct files_entry *e = NULL;

    *is_first = false;
    if (op == FILES_DELETE)
        return op;
    if (path.len > 0 && path.len <= FILES_PATH_CAP)
        e = enter(f, path, &is_known);
    if (op == FILES_WRITE)
        op = is_known ? FILES_EDIT : FILES_ADD;
    if (!e)
        f->dropped += path.len > 0;
    else if (op == FILES_ADD || op == FILES_EDIT)
        *is_first =
            list(f, e, path, op == FILES_ADD ? FILES_CREATED : FILES_EDITED);
    return op;
}

struct slice files_path(const struct files *f, enum files_list which, size_t i)
{
    return f->entries[f->lists[which][i]].shown;
}

struct slice files_key(const struct files *f, enum files_list which, size_t i)
{
    return f->entries[f->lists[which][i]].key;
}

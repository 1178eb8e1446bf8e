/* SPDX-License-Identifier: MIT */
/*
 * The list is a file of lines "DIGEST PATH" above all state directories. The
 * digest decides; the path, with its newlines and backslashes escaped, is for
 * people and for forgetting.
 */
#include "config/trust.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/identity.h"
#include "config/keys.h"
#include "config/tree.h"
#include "runtime/text/bytes.h"
#include "runtime/text/path.h"

#define LIST "trusted"
#define LIST_MAX ((size_t)4 << 20)

/* ---- the digest --------------------------------------------------------- */

struct lines {
    struct arena arena;
    char **items; /* "key=value" */
    size_t count;
};

/* Lengths keep one list from looking like another. */
static const char *value_of(struct arena *a, const struct node *n)
{
    const char *text = "";

    if (n->kind == NODE_SCALAR)
        return n->text;
    for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->count; i++) {
        const struct node *item = n->children[i].node;
        const char *word = item->kind == NODE_SCALAR ? item->text : "";

        text = arena_printf(a, "%s[%zu]%s", text, strlen(word), word);
    }
    return text;
}

static void add_keys(struct lines *l, const struct keys *s, const char *section,
                     const char *prefix, const struct node *mapping)
{
    for (size_t i = 0; i < mapping->count; i++) {
        const struct child *c = &mapping->children[i];
        const struct key *k = keys_find(s, section, c->key->text);

        if (!k || !k->needs_trust)
            continue;
        l->items = arena_grow(&l->arena, l->items, l->count, sizeof(*l->items));
        l->items[l->count++] =
            arena_printf(&l->arena, "%s.%s=%s", prefix, k->name,
                         value_of(&l->arena, c->node));
    }
}

/* By their ids, for their order means nothing. */
static void add_list(struct lines *l, const struct keys *s, const char *name,
                     const struct node *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct node *item = list->children[i].node;
        const struct child *id =
            item->kind == NODE_MAPPING ? tree_get(item, "id") : NULL;

        if (id && id->node->kind == NODE_SCALAR)
            add_keys(l, s, NULL,
                     arena_printf(&l->arena, "%s[%s]", name, id->node->text),
                     item);
    }
}

static void add_top(struct lines *l, const struct child *c)
{
    const char *name = c->key->text;

    if (c->node->kind == NODE_MAPPING && keys_has_section(name))
        add_keys(l, &keys_config, name, name, c->node);
    else if (c->node->kind == NODE_SEQUENCE && strcmp(name, "roles") == 0)
        add_list(l, &keys_role, name, c->node);
    else if (c->node->kind == NODE_SEQUENCE && strcmp(name, "tools") == 0)
        add_list(l, &keys_tool, name, c->node);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A terminator cannot be in a path or a value, so it ends them. */
static void add_text(struct sha256 *s, const char *text)
{
    sha256_add(s, slice_of(text, strlen(text) + 1));
}

bool trust_digest(const char *file, const struct node *root,
                  char digest[static SHA256_HEX])
{
    struct lines l = {0};
    uint8_t sum[SHA256_BYTES];
    struct sha256 s;

    for (size_t i = 0; root && root->kind == NODE_MAPPING && i < root->count;
         i++)
        add_top(&l, &root->children[i]);
    if (l.count > 0)
        qsort(l.items, l.count, sizeof(*l.items), compare);
    sha256_init(&s);
    add_text(&s, file);
    for (size_t i = 0; i < l.count; i++)
        add_text(&s, l.items[i]);
    sha256_finish(&s, sum);
    sha256_hex(sum, digest);
    arena_finish(&l.arena);
    return l.count > 0;
}

/* ---- the list ----------------------------------------------------------- */

static int list_path(char *const *env, char **out, struct config_error *e)
{
    char *home;
    int rc = identity_home(env, &home, e);

    if (rc)
        return rc;
    *out = bytes_text("%s/" LIST, home);
    free(home);
    return 0;
}

char *trust_list_path(char *const *env)
{
    struct config_error ignored;
    char *path = NULL;

    list_path(env, &path, &ignored);
    return path;
}

/* What is open is looked at, and not what had the name a moment ago. */
static int open_list(const char *path, int flags, struct config_error *e)
{
    struct stat st;
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY,
                  0600);

    if (fd < 0)
        return error_os(e, path, -errno);
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        (st.st_mode & 022) == 0 && (size_t)st.st_size <= LIST_MAX)
        return fd;
    close(fd);
    return ERROR_PLAIN(e, TRUST_LIST_NOT_YOURS, path);
}

/* The whole list; empty if there is none, or none to be believed. */
static void read_list(const char *path, struct bytes *out)
{
    struct config_error ignored;
    int fd = open_list(path, O_RDONLY, &ignored);
    ssize_t n = 1;

    while (fd >= 0 && n > 0 && out->len <= LIST_MAX) {
        bytes_reserve(out, 16384);
        n = read(fd, out->ptr + out->len, 16384);
        out->len += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
}

/* The next line without its end; false after the last. */
static bool next_line(struct slice *rest, struct slice *line)
{
    const char *end = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;

    if (!end)
        return false;
    *line = slice_of(rest->ptr, (size_t)(end - rest->ptr));
    *rest = slice_of(end + 1, rest->len - line->len - 1);
    return true;
}

static bool is_in(struct slice rest, const char *digest)
{
    struct slice line;

    while (next_line(&rest, &line))
        if (line.len > SHA256_HEX - 1 &&
            memcmp(line.ptr, digest, SHA256_HEX - 1) == 0)
            return true;
    return false;
}

bool trust_is_noted(char *const *env, const char *digest)
{
    struct config_error ignored;
    struct bytes list = {0};
    char *path;
    bool is_noted;

    if (list_path(env, &path, &ignored))
        return false;
    read_list(path, &list);
    is_noted = is_in(bytes_slice(&list), digest);
    bytes_finish(&list);
    free(path);
    return is_noted;
}

static void append_escaped(struct bytes *out, const char *file)
{
    for (; *file; file++) {
        if (*file == '\n' || *file == '\\')
            bytes_append(out, "\\", 1);
        bytes_append(out, *file == '\n' ? "n" : file, 1);
    }
    bytes_append(out, "\n", 1);
}

/* One write to a file opened to append is one line, whoever else writes. */
static int append_line(int fd, const struct bytes *line)
{
    ssize_t n = write(fd, line->ptr, line->len);

    if (n != (ssize_t)line->len)
        return n < 0 ? -errno : -ENOSPC;
    return fsync(fd) ? -errno : 0;
}

int trust_note(char *const *env, const char *digest, const char *file,
               struct config_error *e)
{
    struct bytes line = {0};
    char *path;
    int rc, fd;

    if (trust_is_noted(env, digest))
        return 0;
    if ((rc = list_path(env, &path, e)))
        return rc;
    rc = path_make_folders(path);
    fd = rc ? error_os(e, path, rc)
            : open_list(path, O_WRONLY | O_APPEND | O_CREAT, e);
    bytes_format(&line, "%s ", digest);
    append_escaped(&line, file);
    rc = fd < 0 ? fd : append_line(fd, &line);
    if (fd >= 0) {
        close(fd);
        if (rc)
            error_os(e, path, rc);
    }
    bytes_finish(&line);
    free(path);
    return rc;
}

static void keep_others(struct bytes *out, struct slice rest, const char *file)
{
    struct bytes gone = {0};
    struct slice line;

    append_escaped(&gone, file);
    while (next_line(&rest, &line))
        if (line.len < SHA256_HEX ||
            !slice_eq(slice_of(line.ptr + SHA256_HEX, line.len - SHA256_HEX),
                      slice_of(gone.ptr, gone.len - 1))) {
            bytes_append(out, line.ptr, line.len);
            bytes_append(out, "\n", 1);
        }
    bytes_finish(&gone);
}

static int replace_list(const char *path, const struct bytes *text)
{
    char *temp = bytes_text("%s.XXXXXX", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    int rc = fd < 0 ? -errno : text->len ? append_line(fd, text) : 0;

    if (fd >= 0) {
        close(fd);
        if (!rc && rename(temp, path))
            rc = -errno;
        if (rc)
            unlink(temp);
    }
    free(temp);
    return rc;
}

int trust_forget(char *const *env, const char *file, struct config_error *e)
{
    struct bytes list = {0}, kept = {0};
    char *path;
    int rc = list_path(env, &path, e);

    if (rc)
        return rc;
    read_list(path, &list);
    keep_others(&kept, bytes_slice(&list), file);
    if (kept.len < list.len && (rc = replace_list(path, &kept)))
        error_os(e, path, rc);
    bytes_finish(&list);
    bytes_finish(&kept);
    free(path);
    return rc;
}

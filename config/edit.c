/* SPDX-License-Identifier: MIT */
#include "config/edit.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config/keys.h"
#include "config/source.h"
#include "config/trust.h"
#include "runtime/text/bytes.h"
#include "runtime/text/folder.h"
#include "runtime/text/utf8.h"

#define NEW_MODE 0644

static bool is_tools(const struct config_edit *edit)
{
    return strcmp(edit->key, "tools") == 0;
}

/* Before it is written, since nothing could say it better afterwards. */
static int check_utf8(const char *role, const struct config_edit *edit,
                      struct config_error *e)
{
    uint32_t code = 0;

    for (const char *p = edit->value; p && *p;) {
        size_t n = utf8_decode(p, strlen(p), &code);
        if (n == 0)
            return error_plain(
                e, "roles[%s].%s: expected UTF-8, found the byte 0x%02X", role,
                edit->key, (unsigned char)*p);
        p += n;
    }
    return 0;
}

/* The id is what everything else refers to; a role taken away by its own
 * edit could not be edited back. */
static int check_key(const struct config *c, const char *role,
                     const struct config_edit *edit, struct config_error *e)
{
    const struct key *k = keys_find(&keys_role, NULL, edit->key);
    bool is_fixed = !strcmp(edit->key, "id") || !strcmp(edit->key, "enabled");

    if (is_tools(edit))
        return 0;
    if (!k || is_fixed)
        return error_plain(e,
                           "roles[%s].%.64s: expected a key of a role that "
                           "can be edited",
                           role, edit->key);
    if (k->needs_trust && !c->is_trusted)
        return error_plain(
            e,
            "roles[%s].%s: %s is not trusted yet, so this would "
            "not hold: look at the file, then: kuromajutsu trust",
            role, k->name, c->file);
    if (!edit->value && !k->is_optional) {
        char expected[256];
        keys_expected(k, expected, sizeof(expected));
        return error_plain(e, "roles[%s].%s: expected %s, found nothing", role,
                           k->name, expected);
    }
    return check_utf8(role, edit, e);
}

static bool has_tools(const struct role *r, const struct config_edit *edit)
{
    if (r->tool_count != edit->count)
        return false;
    for (size_t i = 0; i < edit->count; i++)
        if (strcmp(r->tools[i].tool->id, edit->items[i]) != 0)
            return false;
    return true;
}

static bool has_value(const struct role *r, const struct config_edit *edit)
{
    const struct key *k = keys_find(&keys_role, NULL, edit->key);
    const char *at = (const char *)r + k->offset;

    if (k->type == KEY_INT)
        return *(const int64_t *)at ==
               (edit->value ? strtoll(edit->value, NULL, 10) : k->null);
    return strcmp(*(const char *const *)at, edit->value) == 0;
}

/* Whether all that was asked for has come about in the role, and no more. */
static bool is_as_asked(const struct role *was, const struct role *is,
                        const struct config_edit *edits, size_t count)
{
    struct role expected = *was;
    bool is_tools_edited = false;

    for (size_t i = 0; i < count; i++) {
        const struct key *k = keys_find(&keys_role, NULL, edits[i].key);
        if (is_tools(&edits[i])) {
            is_tools_edited = true;
            if (!has_tools(is, &edits[i]))
                return false;
            continue;
        }
        if (!has_value(is, &edits[i]))
            return false;
        memcpy((char *)&expected + k->offset, (const char *)is + k->offset,
               k->type == KEY_INT ? sizeof(int64_t) : sizeof(char *));
        if (strcmp(k->name, "backend") == 0) /* built-in models go with it */
            expected.model = is->model;
    }
    return keys_equal(&keys_role, &expected, is) &&
           (is_tools_edited || role_uses_equal(was, is));
}

/* Judges the new text as if it were the file already. */
static int judge(const struct config *c, char *const *env, const char *role,
                 const struct config_edit *edits, size_t count,
                 const struct source *s, struct config **fresh,
                 struct config_error *e)
{
    int rc = config_parse_as(c, s->text, s->len, env, fresh, e);

    if (rc)
        return rc;
    const struct role *is = role_find(*fresh, role);
    if (is && config_equal(c, *fresh, role) &&
        is_as_asked(role_find(c, role), is, edits, count))
        return 0;
    config_destroy(*fresh);
    *fresh = NULL;
    return error_plain(e,
                       "%s: roles[%s] cannot be changed by itself: other "
                       "values share its text, or it is written in an "
                       "unusual way; edit the file by hand",
                       c->file, role);
}

static int apply(const struct config *c, struct source *s, const char *role,
                 const struct config_edit *edits, size_t count,
                 struct config_error *e)
{
    for (size_t i = 0; i < count; i++) {
        const char *name = s->name;
        struct stat st = s->stat;
        char *text = NULL;
        size_t len = 0;
        int rc = check_key(c, role, &edits[i], e);
        if (!rc)
            rc = edit_text(s, role, &edits[i], &text, &len, e);
        if (rc)
            return rc;
        source_finish(s);
        rc = source_take(s, name, text, len, e);
        s->stat = st;
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- the file ------------------------------------------------------------ */

/* A project may be shared by a group: the owner must not become us, but
 * only root can keep another's. */
static int dress(int fd, const struct stat *was)
{
    if (fchmod(fd, was ? was->st_mode & 07777 : NEW_MODE) < 0)
        return -errno;
    if (was && fchown(fd, was->st_uid, was->st_gid) < 0 && errno != EPERM)
        return -errno;
    return 0;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* link, unlike rename, does not overwrite a file that has just been made. */
static int move(const char *temp, const char *path, const struct stat *was)
{
    struct stat now;

    if (!was) {
        if (link(temp, path) < 0)
            return errno == EEXIST ? -ESTALE : -errno;
        unlink(temp);
        return 0;
    }
    if (stat(path, &now) < 0 || !is_same(&now, was))
        return -ESTALE;
    return rename(temp, path) < 0 ? -errno : 0;
}

static void sync_directory(const char *path)
{
    char *copy = bytes_text("%s", path);
    int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(copy);
}

/*
 * Puts a new text in the file's place, whole or not at all. `was` is the file
 * as it was read (NULL: there was none); if it has changed since, -ESTALE.
 * Keeps its mode, and its owner as far as that is allowed. Durable when it
 * returns 0.
 */
static int replace_file(const char *path, const char *text, size_t len,
                        const struct stat *was, struct config_error *e)
{
    char *temp = bytes_text("%s.XXXXXX", path);
    int fd = mkostemp(temp, O_CLOEXEC);
    int rc = fd < 0 ? -errno : 0;
    if (fd >= 0) {
        rc = folder_write(fd, text, len);
        if (!rc && fsync(fd) < 0)
            rc = -errno;
        if (!rc)
            rc = dress(fd, was);
        close(fd);
        if (!rc)
            rc = move(temp, path, was);
        if (rc)
            unlink(temp);
    }
    free(temp);
    if (!rc)
        sync_directory(path);
    else if (rc == -ESTALE)
        error_plain(e, "%s: changed since it was read", path);
    else
        error_os(e, path, rc);
    return rc;
}

static int open_source(const struct config *c, struct source *s,
                       struct config_error *e)
{
    if (!c->has_file)
        return source_take(s, c->file, strdup(""), 0, e);
    int rc = source_read(s, c->file, e);
    if (!rc && slice_stable_hash(slice_of(s->text, s->len)) != c->text.hash) {
        error_plain(e, "%s: changed since it was read", c->file);
        rc = -ESTALE;
    }
    return rc;
}

/* What its user changes in a file that is trusted is trusted too. Noted first:
 * without the file it does no harm, the file without it would not hold. */
static int keep_trust(const struct config *c, char *const *env,
                      const struct config *fresh, struct config_error *e)
{
    if (c->is_named || fresh->claim_count == 0 ||
        strcmp(c->digest, fresh->digest) == 0)
        return 0;
    return trust_note(env, fresh->digest, c->file, e);
}

int config_edit(const struct config *c, char *const *env, const char *role,
                const struct config_edit *edits, size_t count,
                struct config **fresh, struct config_error *e)
{
    struct source s;

    *fresh = NULL;
    *e = (struct config_error){0};
    if (!role_find(c, role))
        return error_plain(e, "roles[%.64s]: expected the id of a role", role);
    if (count == 0 || count > EDIT_LIMIT)
        return error_plain(e, "roles[%s]: expected 1 to %d edits", role,
                           EDIT_LIMIT);
    int rc = open_source(c, &s, e);
    if (!rc)
        rc = apply(c, &s, role, edits, count, e);
    if (!rc)
        rc = judge(c, env, role, edits, count, &s, fresh, e);
    if (!rc)
        rc = keep_trust(c, env, *fresh, e);
    if (!rc)
        rc = replace_file(c->file, s.text, s.len, c->has_file ? &s.stat : NULL,
                          e);
    source_finish(&s);
    if (rc) {
        config_destroy(*fresh);
        *fresh = NULL;
    }
    return rc;
}

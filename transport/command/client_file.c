/* SPDX-License-Identifier: MIT */
/* What stands in a client's own file. It may be anything: only what is looked
 * for is read of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/text/field.h"
#include "transport/command/client.h"

#define FILE_MOST ((size_t)16 << 20) /* Claude Code's is large */

void client_entry_finish(struct client_entry *e)
{
    bytes_finish(&e->text);
}

/* ---- JSON -------------------------------------------------------------- */

/* A list, or a text. */
static struct slice command_of(yyjson_val *entry)
{
    yyjson_val *command = FIELD(entry, "command");

    return yyjson_is_arr(command) ? field_text(yyjson_arr_get_first(command))
                                  : field_text(command);
}

/* The entry whose program is ours, by its name or by its program's. */
static yyjson_val *find_entry(yyjson_val *servers)
{
    yyjson_val *named = FIELD(servers, "kuromajutsu"), *key;
    yyjson_obj_iter each = yyjson_obj_iter_with(servers);

    while (!named && (key = yyjson_obj_iter_next(&each))) {
        yyjson_val *entry = yyjson_obj_iter_get_val(key);
        if (slice_ends(command_of(entry), SLICE("kuromajutsu")))
            named = entry;
    }
    return named;
}

/* Claude Code keeps servers for one project in its user's file too. */
static yyjson_val *find_anywhere(const struct client *c, yyjson_val *root,
                                 const char *project)
{
    struct slice key = slice_cstr(c->servers);
    yyjson_val *entry = find_entry(field_get(root, key));
    yyjson_val *own = field_get(FIELD(root, "projects"), slice_cstr(project));

    return entry ? entry : find_entry(field_get(own, key));
}

static enum client_found read_json(const struct client *c, struct bytes *text,
                                   const char *project, struct client_entry *e)
{
    yyjson_read_flag flags =
        c->has_comments
            ? YYJSON_READ_ALLOW_COMMENTS | YYJSON_READ_ALLOW_TRAILING_COMMAS
            : 0;
    yyjson_read_err error;
    yyjson_doc *doc =
        yyjson_read_opts(text->ptr, text->len, flags, NULL, &error);
    yyjson_val *entry = find_anywhere(c, yyjson_doc_get_root(doc), project);
    size_t len;

    if (!doc)
        snprintf(e->why, sizeof(e->why), "JSON, %zu: %s", error.pos, error.msg);
    if (entry) {
        char *own = yyjson_val_write(entry, 0, &len);
        slice_keep(e->command, sizeof(e->command), command_of(entry));
        bytes_append(&e->text, own, len);
        free(own);
    }
    yyjson_doc_free(doc);
    return !doc ? CLIENT_BAD_FILE : entry ? CLIENT_ENTRY : CLIENT_NO_ENTRY;
}

/* ---- TOML -------------------------------------------------------------- */

/* Of "[mcp_servers.NAME]" and "[mcp_servers.NAME.env]"; quotes do not count. */
static bool is_our_table(struct slice line)
{
    static const struct slice ours = SLICE_INIT("[mcp_servers.kuromajutsu");
    char bare[128];
    size_t len = 0;

    for (size_t i = 0; i < line.len && len < sizeof(bare) - 1; i++)
        if (!strchr("\"' \t", line.ptr[i]))
            bare[len++] = line.ptr[i];
    bare[len] = 0;
    return slice_starts(slice_of(bare, len), ours) &&
           (bare[ours.len] == ']' || bare[ours.len] == '.');
}

/* command = "..." or '...'. */
static void take_command(struct slice line, struct client_entry *e)
{
    static const struct slice key = SLICE_INIT("command");
    struct slice value;
    yyjson_doc *doc;

    if (!slice_starts(line, key))
        return;
    value = slice_trim(slice_of(line.ptr + key.len, line.len - key.len));
    if (value.len < 3 || value.ptr[0] != '=')
        return;
    value = slice_trim(slice_of(value.ptr + 1, value.len - 1));
    if (value.len > 2 && value.ptr[0] == '\'') {
        const char *end = memchr(value.ptr + 1, '\'', value.len - 1);
        slice_keep(
            e->command, sizeof(e->command),
            slice_of(value.ptr + 1, end ? (size_t)(end - value.ptr) - 1 : 0));
        return;
    }
    doc = yyjson_read_opts((char *)value.ptr, value.len,
                           YYJSON_READ_STOP_WHEN_DONE, NULL, NULL);
    slice_keep(e->command, sizeof(e->command),
               field_text(yyjson_doc_get_root(doc)));
    yyjson_doc_free(doc);
}

static enum client_found read_toml(struct bytes *text, struct client_entry *e)
{
    struct slice left = bytes_slice(text);
    bool is_ours = false;

    while (left.len > 0) {
        const char *end = memchr(left.ptr, '\n', left.len);
        size_t len = end ? (size_t)(end - left.ptr) + 1 : left.len;
        struct slice line = slice_trim(slice_of(left.ptr, len));

        if (line.len > 0 && line.ptr[0] == '[')
            is_ours = is_our_table(line);
        if (is_ours) {
            bytes_append(&e->text, left.ptr, len);
            take_command(line, e);
        }
        left = slice_of(left.ptr + len, left.len - len);
    }
    return e->text.len > 0 ? CLIENT_ENTRY : CLIENT_NO_ENTRY;
}

/* ---- either ------------------------------------------------------------ */

static int read_file(const char *path, struct bytes *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int error = fd < 0 ? errno : 0;
    ssize_t n = 1;

    while (!error && n > 0 && text->len < FILE_MOST) {
        bytes_reserve(text, 1 << 16);
        n = read(fd, text->ptr + text->len, 1 << 16);
        text->len += n > 0 ? (size_t)n : 0;
        error = n < 0 && errno != EINTR ? errno : 0;
    }
    if (fd >= 0)
        close(fd);
    return error;
}

enum client_found client_read(const struct client *c, const char *file,
                              const char *project, struct client_entry *e)
{
    struct bytes text = {0};
    int error = read_file(file, &text);
    enum client_found found;

    if (error == ENOENT || error == ENOTDIR) {
        found = CLIENT_NO_FILE;
    } else if (error) {
        e->error = error;
        found = CLIENT_BAD_FILE;
    } else if (c->is_toml) {
        found = read_toml(&text, e);
    } else {
        found = read_json(c, &text, project, e);
    }
    bytes_finish(&text);
    return found;
}

/* SPDX-License-Identifier: MIT */
#include "actors/stream/claude.h"

#include "runtime/text/field.h"

void claude_files_finish(struct claude_files *f)
{
    for (size_t i = 0; i < CLAUDE_FILES_PENDING; i++)
        bytes_finish(&f->pending[i].path);
}

static enum claude_tool tool_of(struct slice name)
{
    if (slice_eq(name, SLICE("Read")))
        return CLAUDE_TOOL_READ;
    if (slice_eq(name, SLICE("Write")))
        return CLAUDE_TOOL_WRITE;
    if (slice_eq(name, SLICE("Edit")) || slice_eq(name, SLICE("MultiEdit")) ||
        slice_eq(name, SLICE("NotebookEdit")))
        return CLAUDE_TOOL_EDIT;
    return CLAUDE_TOOL_OTHER;
}

static uint64_t id_hash(struct slice id)
{
    return slice_hash(SLICE_HASH, id) | 1;
}

void claude_files_called(struct claude_files *f,
                         const struct event_tool_start *start)
{
    enum claude_tool tool = tool_of(start->name);

    if (tool == CLAUDE_TOOL_OTHER)
        return;
    struct claude_pending *e = &f->pending[f->next++ % CLAUDE_FILES_PENDING];
    e->id = id_hash(start->call_id);
    e->tool = tool;
    e->path.len = 0;
    if (start->path.len <= FILES_PATH_CAP)
        bytes_append(&e->path, start->path.ptr, start->path.len);
}

static struct claude_pending *awaited(struct claude_files *f, struct slice id)
{
    uint64_t hash = id_hash(id);

    for (size_t i = 0; i < CLAUDE_FILES_PENDING; i++) {
        if (f->pending[i].id == hash)
            return &f->pending[i];
    }
    return NULL;
}

/* How the file was before says more than the tool's name, where it is said. */
static enum files_op op_of(enum claude_tool tool, yyjson_val *details)
{
    yyjson_val *original = FIELD(details, "originalFile");

    if (tool == CLAUDE_TOOL_READ)
        return FILES_READ;
    if (slice_eq(FIELD_TEXT(details, "type"), SLICE("create")) ||
        yyjson_is_null(original))
        return FILES_ADD;
    return tool == CLAUDE_TOOL_WRITE && !original ? FILES_WRITE : FILES_EDIT;
}

void claude_files_done(struct claude_files *f, struct parser *p,
                       struct slice call_id, yyjson_val *details)
{
    struct claude_pending *e = awaited(f, call_id);
    enum claude_tool tool = e ? e->tool : CLAUDE_TOOL_OTHER;
    struct slice path = FIELD_TEXT(details, "filePath");

    if (path.len == 0)
        path = FIELD_TEXT(details, "notebook_path");
    if (path.len == 0 && e)
        path = bytes_slice(&e->path);
    /* The call itself was not seen; only an edit leaves a patch. */
    if (!e && FIELD(details, "structuredPatch"))
        tool = CLAUDE_TOOL_EDIT;
    if (e)
        e->id = 0;
    if (tool == CLAUDE_TOOL_OTHER || FIELD_TEXT(details, "error").len > 0)
        return;
    parser_file(
        p, path, op_of(tool, details),
        &(struct event_diff){.unified = SLICE_EMPTY,
                             .patch = FIELD(details, "structuredPatch"),
                             .content = FIELD_TEXT(details, "content")});
}

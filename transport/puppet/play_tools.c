/* SPDX-License-Identifier: MIT */
#include "transport/puppet/play.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const default_reasons[] = {
    [OUTCOME_SUCCESS] = "",
    [OUTCOME_REJECTED] = "The user rejected this action",
    [OUTCOME_ERROR] = "The tool failed",
    [OUTCOME_DENIED] = "Permission denied",
};

static yyjson_mut_val *object(struct play *p, const struct arg *arg,
                              yyjson_mut_doc *doc)
{
    return arg->json ? vars_expand_json(p->vars, doc, arg->json) : NULL;
}

/* Models give absolute paths. */
static void resolve(struct play *p, const char *path, struct text *whole)
{
    if (*path != '/')
        text_addf(whole, "%s/", text_str(&p->teller->cwd));
    text_adds(whole, path);
}

static void resolve_arg(struct play *p, yyjson_mut_doc *doc,
                        yyjson_mut_val *args)
{
    yyjson_mut_val *path = yyjson_mut_obj_get(args, "path");
    struct text whole = {0};

    if (!yyjson_mut_is_str(path))
        return;
    resolve(p, yyjson_mut_get_str(path), &whole);
    yyjson_mut_obj_put(args, yyjson_mut_str(doc, "path"),
                       yyjson_mut_strcpy(doc, whole.data));
    text_finish(&whole);
}

static void perform(struct play *p, struct call *c, long ms)
{
    p->teller->lines->tool_started(p->teller, c);
    teller_pause(p->teller, ms);
    p->teller->lines->tool_completed(p->teller, c);
}

bool play_tool(struct play *p, const struct step *s)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    struct text name = {0}, output = {0}, reason = {0};
    struct call c = {.outcome = (enum outcome)s->args[TOOL_RESULT].number,
                     .exit_code = s->args[TOOL_EXIT].number};

    play_text(p, &s->args[TOOL_NAME], &name);
    play_text(p, &s->args[TOOL_OUTPUT], &output);
    play_text(p, &s->args[TOOL_REASON], &reason);
    c.tool = name.data;
    c.output = output.data;
    c.reason = reason.len ? reason.data : default_reasons[c.outcome];
    c.args = object(p, &s->args[TOOL_ARGS], doc);
    if (!c.args)
        c.args = yyjson_mut_obj(doc);
    c.answer = object(p, &s->args[TOOL_ANSWER], doc);
    resolve_arg(p, doc, c.args);
    perform(p, &c, s->args[TOOL_MS].number);
    text_finish(&name);
    text_finish(&output);
    text_finish(&reason);
    yyjson_mut_doc_free(doc);
    return true;
}

static int make_parents(char *path)
{
    for (char *at = path + 1; (at = strchr(at, '/')); at++) {
        *at = '\0';
        int rc = mkdir(path, 0777) && errno != EEXIST ? -errno : 0;
        *at = '/';
        if (rc)
            return rc;
    }
    return 0;
}

static int write_file(struct text *path, const struct text *content)
{
    int rc = make_parents(path->data);
    int fd =
        rc ? -1
           : open(path->data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

    if (rc || fd < 0)
        return rc ? rc : -errno;
    for (size_t at = 0; at < content->len && !rc;) {
        ssize_t put = write(fd, content->data + at, content->len - at);
        if (put > 0)
            at += (size_t)put;
        else if (put < 0 && errno != EINTR)
            rc = -errno;
    }
    if (close(fd) && !rc)
        rc = -errno;
    return rc;
}

/* What is on the disk decides what the edit shows, where it is really done. */
static void edit_really(struct call *c, struct edit *e, struct text *path,
                        struct text *before, const struct text *after)
{
    text_clear(before);
    int rc = text_read_file(before, path->data, 64 * 1024 * 1024);
    e->is_created = rc == -ENOENT;
    e->before = text_str(before);
    rc = c->outcome == OUTCOME_SUCCESS ? write_file(path, after) : 0;
    if (!rc)
        return;
    c->outcome = OUTCOME_ERROR;
    c->reason = strerror(-rc);
}

bool play_edit(struct play *p, const struct step *s)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    struct text name = {0}, path = {0}, before = {0}, after = {0}, why = {0};
    struct edit e = {.is_created = s->args[EDIT_CREATED].number == 1};
    struct call c = {.tool = "edit",
                     .outcome = (enum outcome)s->args[EDIT_RESULT].number,
                     .edit = &e,
                     .output = ""};

    play_text(p, &s->args[EDIT_PATH], &name);
    resolve(p, name.data, &path);
    play_text(p, &s->args[EDIT_OLD], &before);
    play_text(p, &s->args[EDIT_CONTENT], &after);
    play_text(p, &s->args[EDIT_REASON], &why);
    c.reason = why.len ? why.data : default_reasons[c.outcome];
    e.path = path.data;
    e.before = before.data;
    e.after = after.data;
    c.args = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, c.args, "path", path.data);
    yyjson_mut_obj_add_str(doc, c.args, "streamContent", after.data);
    if (s->args[EDIT_WRITE].number)
        edit_really(&c, &e, &path, &before, &after);
    perform(p, &c, s->args[EDIT_MS].number);
    text_finish(&name);
    text_finish(&path);
    text_finish(&before);
    text_finish(&after);
    text_finish(&why);
    yyjson_mut_doc_free(doc);
    return true;
}

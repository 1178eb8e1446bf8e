/* SPDX-License-Identifier: MIT */
/*
 * Calls of the hub's tools. Like a model, a scenario lives with a call that
 * failed and goes on; but if something of the answer was to be saved, what
 * follows makes no sense without it, and the puppet leaves with 1.
 */
#include "transport/puppet/play.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct answer {
    yyjson_doc *doc;
    yyjson_val *result;
    /* What the tool says as data: structuredContent, or the text block read
     * as JSON, or the text itself. */
    yyjson_mut_doc *body;
};

static void answer_finish(struct answer *a)
{
    yyjson_doc_free(a->doc);
    yyjson_mut_doc_free(a->body);
    *a = (struct answer){0};
}

static void read_body(struct answer *a)
{
    yyjson_val *data = yyjson_obj_get(a->result, "structuredContent");
    yyjson_val *text = yyjson_ptr_get(a->result, "/content/0/text");
    yyjson_doc *parsed = NULL;

    if (!data && yyjson_is_str(text)) {
        parsed = yyjson_read(yyjson_get_str(text), yyjson_get_len(text), 0);
        data = parsed ? yyjson_doc_get_root(parsed) : text;
    }
    a->body = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(a->body, data ? yyjson_val_mut_copy(a->body, data)
                                          : yyjson_mut_null(a->body));
    yyjson_doc_free(parsed);
}

static yyjson_mut_val *at_pointer(const struct answer *a, const char *pointer)
{
    return yyjson_mut_doc_ptr_get(a->body, pointer);
}

static int call_server(struct play *p, struct call *c, const struct step *s,
                       struct answer *a, struct text *error)
{
    if (p->mcp->entry->refusal.len) {
        text_adds(error, p->mcp->entry->refusal.data);
        c->outcome = OUTCOME_REJECTED;
        return -EACCES;
    }
    int rc = mcp_call(p->mcp, c->name, c->args, s->args[MCP_TIMEOUT].number,
                      &a->doc, &a->result, error);
    c->outcome = rc ? OUTCOME_ERROR : OUTCOME_SUCCESS;
    return rc;
}

/* One call with its two lines. False if there was no answer. */
static bool call(struct play *p, const struct step *s, struct answer *a)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    struct text tool = {0}, error = {0};
    const char *server = text_str(&p->mcp->entry->name);

    play_text(p, &s->args[MCP_TOOL], &tool);
    struct call c = {.tool = "mcp",
                     .server = *server ? server : "kuromajutsu",
                     .name = tool.data,
                     .output = "",
                     .reason = ""};
    c.args = s->args[MCP_ARGS].json
                 ? vars_expand_json(p->vars, doc, s->args[MCP_ARGS].json)
                 : yyjson_mut_obj(doc);
    p->teller->lines->tool_started(p->teller, &c);
    out_flush(&p->teller->out);
    int rc = call_server(p, &c, s, a, &error);
    if (rc) {
        c.reason = text_str(&error);
        fprintf(stderr, "puppet: %s:%zu: mcp %s: %s\n", p->scenario->name,
                s->line, tool.data, c.reason);
    } else {
        c.answer = yyjson_val_mut_copy(doc, a->result);
        read_body(a);
    }
    p->teller->lines->tool_completed(p->teller, &c);
    text_finish(&tool);
    text_finish(&error);
    yyjson_mut_doc_free(doc);
    return !rc;
}

static bool save(struct play *p, const struct step *s, const struct answer *a)
{
    size_t at, count;
    yyjson_mut_val *key, *pointer;

    yyjson_mut_obj_foreach(s->args[MCP_SAVE].json, at, count, key, pointer)
    {
        yyjson_mut_val *value = at_pointer(a, yyjson_mut_get_str(pointer));
        if (!value) {
            fprintf(stderr,
                    "puppet: %s:%zu: expected '%s' in the answer, for '%s'\n",
                    p->scenario->name, s->line, yyjson_mut_get_str(pointer),
                    yyjson_mut_get_str(key));
            return false;
        }
        vars_set_json(p->vars, yyjson_mut_get_str(key), value);
    }
    return true;
}

static bool fail(struct play *p)
{
    p->has_failed = true;
    return false;
}

bool play_mcp(struct play *p, const struct step *s)
{
    struct answer a = {0};
    long required = s->args[MCP_REQUIRED].number;
    bool is_needed = required < 0 ? s->args[MCP_SAVE].is_set : required;
    bool is_good = call(p, s, &a) && save(p, s, &a);

    answer_finish(&a);
    return is_good || !is_needed || fail(p);
}

static bool is_there(struct play *p, const struct step *s,
                     const struct answer *a)
{
    struct text pointer = {0};
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *want =
        s->args[MCP_EQUALS].json
            ? vars_expand_json(p->vars, doc, s->args[MCP_EQUALS].json)
            : yyjson_mut_true(doc);

    play_text(p, &s->args[MCP_UNTIL], &pointer);
    yyjson_mut_val *value = at_pointer(a, pointer.data);
    bool is_equal = value && yyjson_mut_equals(value, want);
    yyjson_mut_doc_free(doc);
    text_finish(&pointer);
    return is_equal;
}

bool play_wait_mcp(struct play *p, const struct step *s)
{
    int64_t deadline = teller_clock_ms() + s->args[MCP_TIMEOUT].number;

    for (;;) {
        struct answer a = {0};
        bool is_answered = call(p, s, &a);
        bool is_done = is_answered && is_there(p, s, &a);
        if (is_done)
            is_done = save(p, s, &a);
        else if (teller_clock_ms() >= deadline)
            fprintf(stderr, "puppet: %s:%zu: waited in vain\n",
                    p->scenario->name, s->line);
        answer_finish(&a);
        if (is_done)
            return true;
        if (!is_answered || teller_clock_ms() >= deadline)
            return fail(p);
        teller_pause(p->teller, s->args[MCP_EVERY].number);
    }
}

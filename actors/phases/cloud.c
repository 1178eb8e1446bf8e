/* SPDX-License-Identifier: MIT */
/*
 * What the Cloud API answers, as the process that asked it hands it on
 * (transport/hub/fetch.h): "HTTP 200" and the body in the lines below, or else
 * one line that says what went wrong. Of a body nothing but a prompt goes on.
 */
#include <string.h>

#include "actors/phases/inside.h"
#include "config/url.h"

void cloud_want(const char *url, struct prompt *p)
{
    p->state = PROMPT_WANTED;
    p->source = PROMPT_CLOUD;
    bytes_append(&p->origin, url, strcspn(url, "?"));
    while (p->origin.len > 0 && p->origin.ptr[p->origin.len - 1] == '/')
        p->origin.len--;
}

static void fail(struct prompt *p, enum prompt_state state, struct slice cause)
{
    p->state = state;
    bytes_append_capped(&p->cause, cause, 200);
}

static bool is_prompt(yyjson_val *root, int phase)
{
    struct slice content = FIELD_TEXT(root, "content");

    return slice_trim(content).len > 0 &&
           !yyjson_is_false(FIELD(root, "isActive")) &&
           slice_eq(FIELD_TEXT(root, "phase"), phase_name(phase));
}

static void read_body(struct slice body, int phase, struct prompt *p)
{
    yyjson_doc *doc = yyjson_read(body.ptr, body.len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct slice content = FIELD_TEXT(root, "content");

    if (yyjson_is_false(FIELD(root, "isActive"))) {
        p->state = PROMPT_NONE;
    } else if (!is_prompt(root, phase)) {
        fail(p, PROMPT_REFUSED, SLICE("the answer is no prompt"));
    } else {
        p->state = PROMPT_GIVEN;
        p->version = (int64_t)FIELD_COUNT(root, "version");
        if (p->version < 1)
            p->version = 1;
        bytes_append_capped(&p->title, FIELD_TEXT(root, "title"), 255);
        bytes_append(&p->content, content.ptr, content.len);
    }
    yyjson_doc_free(doc);
}

/* What may pass, or has passed already, is worth another try; the rest has to
 * be mended by somebody. */
static bool may_pass(struct slice status)
{
    return slice_eq(status, SLICE("HTTP 429")) ||
           slice_starts(status, SLICE("HTTP 5"));
}

void cloud_read(struct slice output, int phase, struct prompt *p)
{
    struct slice status = slice_first_line(output);
    size_t after = status.len < output.len ? status.len + 1 : status.len;

    p->source = PROMPT_CLOUD;
    if (slice_eq(status, SLICE("HTTP 200")))
        read_body(slice_of(output.ptr + after, output.len - after), phase, p);
    else if (slice_eq(status, SLICE("HTTP 404")))
        p->state = PROMPT_NONE;
    else if (slice_starts(status, SLICE("HTTP ")) && !may_pass(status))
        fail(p, PROMPT_REFUSED, status);
    else if (slice_starts(status, SLICE("refused: ")))
        fail(p, PROMPT_REFUSED, status);
    else
        fail(p, PROMPT_UNREACHED, status.len > 0 ? status : SLICE("no answer"));
}

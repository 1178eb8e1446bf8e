/* SPDX-License-Identifier: MIT */
/*
 * One message of the API comes as several assistant lines with the same id,
 * one per content block, each repeating the usage. With partial messages the
 * raw stream events come first and the whole block after its deltas. Lines of
 * child agents carry parent_tool_use_id; only their whole blocks are told, as
 * the deltas of several would be mixed up.
 */
#include "actors/stream/claude.h"
#include "runtime/text/field.h"

static struct claude *claude_of(struct parser *p)
{
    return (struct claude *)p;
}

static uint64_t id_hash(struct slice id)
{
    return slice_hash(SLICE_HASH, id) | 1;
}

struct event_usage claude_usage(yyjson_val *usage)
{
    return (struct event_usage){
        .input = FIELD_COUNT(usage, "input_tokens"),
        .output = FIELD_COUNT(usage, "output_tokens"),
        .cache_read = FIELD_COUNT(usage, "cache_read_input_tokens"),
        .cache_write = FIELD_COUNT(usage, "cache_creation_input_tokens"),
        .model = SLICE_EMPTY,
    };
}

static void tell_message_usage(struct parser *p, yyjson_val *message)
{
    struct claude *c = claude_of(p);
    yyjson_val *usage = FIELD(message, "usage");
    struct slice name = FIELD_TEXT(message, "id");
    uint64_t id = id_hash(name);
    struct event ev = {.kind = EVENT_USAGE};

    if (!yyjson_is_obj(usage))
        return;
    for (size_t i = 0; name.len > 0 && i < CLAUDE_SEEN_CAP; i++) {
        if (c->seen[i] == id)
            return;
    }
    c->seen[c->next_seen++ % CLAUDE_SEEN_CAP] = id;
    ev.usage = claude_usage(usage);
    ev.usage.scope = EVENT_USAGE_MESSAGE;
    ev.usage.model = FIELD_TEXT(message, "model");
    parser_emit(p, &ev);
}

static void on_delta(struct parser *p, yyjson_val *delta)
{
    struct slice type = FIELD_TEXT(delta, "type");

    if (slice_eq(type, SLICE("text_delta")))
        parser_delta(p, FIELD_TEXT(delta, "text"), SLICE_EMPTY);
    else if (slice_eq(type, SLICE("thinking_delta")))
        parser_thought(p, EVENT_DELTA, FIELD_TEXT(delta, "thinking"));
    else if (!slice_eq(type, SLICE("input_json_delta")) &&
             !slice_eq(type, SLICE("signature_delta")) &&
             !slice_eq(type, SLICE("citations_delta")))
        parser_unknown(p, SLICE("content_block_delta"), type);
}

void claude_stream_event(struct parser *p, yyjson_val *root)
{
    yyjson_val *event = FIELD(root, "event");
    struct slice type = FIELD_TEXT(event, "type");

    if (slice_eq(type, SLICE("content_block_delta"))) {
        if (p->parent.len == 0)
            on_delta(p, FIELD(event, "delta"));
    } else if (slice_eq(type, SLICE("message_start"))) {
        /* An attempt that broke off is begun again from its first word. */
        if (p->parent.len == 0)
            parser_void(p);
    } else if (slice_eq(type, SLICE("error"))) {
        parser_note(p, EVENT_NOTE_ERROR, SLICE("stream_event/error"),
                    FIELD_TEXT(FIELD(event, "error"), "message"));
    } else if (!slice_eq(type, SLICE("content_block_start")) &&
               !slice_eq(type, SLICE("content_block_stop")) &&
               !slice_eq(type, SLICE("message_delta")) &&
               !slice_eq(type, SLICE("message_stop")) &&
               !slice_eq(type, SLICE("ping"))) {
        parser_unknown(p, SLICE("stream_event"), type);
    }
}

static void on_tool_use(struct parser *p, yyjson_val *block)
{
    static const struct slice paths[] = {SLICE_INIT("file_path"),
                                         SLICE_INIT("notebook_path"),
                                         SLICE_INIT("path"),
                                         {0}};
    yyjson_val *input = FIELD(block, "input");
    struct event ev = {.kind = EVENT_TOOL_START};

    ev.tool_start = (struct event_tool_start){
        .call_id = FIELD_TEXT(block, "id"),
        .name = FIELD_TEXT(block, "name"),
        .title = parser_title(input),
        .path = field_first_text(input, paths),
        .args = input,
    };
    claude_files_called(&claude_of(p)->files, &ev.tool_start);
    parser_emit(p, &ev);
}

/*
 * Text blocks that follow each other within one message are one text: with
 * citations the API cuts a sentence into many.
 */
static void on_text(struct parser *p, yyjson_val *block, struct slice id)
{
    struct claude *c = claude_of(p);
    struct slice text = FIELD_TEXT(block, "text");

    if (p->parent.len > 0) {
        parser_full(p, text, id);
        return;
    }
    p->is_continued = id.len > 0 && c->text_id == id_hash(id);
    c->text_id = id_hash(id);
    if (p->has_deltas)
        parser_close(p, text, id);
    else
        parser_full(p, text, id);
    p->is_continued = false;
}

static uint64_t output_bytes(yyjson_val *content)
{
    yyjson_val *block;
    size_t i, n;
    uint64_t sum = field_text(content).len;

    yyjson_arr_foreach(content, i, n, block) sum +=
        FIELD_TEXT(block, "text").len;
    return sum;
}

/* details is the line's tool_use_result, NULL if it cannot be this block's. */
static void on_tool_result(struct parser *p, yyjson_val *block,
                           yyjson_val *details)
{
    struct event ev = {.kind = EVENT_TOOL_END};
    yyjson_val *content = FIELD(block, "content");
    bool is_error = yyjson_is_true(FIELD(block, "is_error"));

    ev.tool_end = (struct event_tool_end){
        .call_id = FIELD_TEXT(block, "tool_use_id"),
        .name = SLICE_EMPTY,
        .status = is_error ? EVENT_TOOL_ERROR : EVENT_TOOL_OK,
        .message = is_error ? parser_content(p, content) : SLICE_EMPTY,
        .diff = SLICE_EMPTY,
        .bytes = output_bytes(content),
        .outcome = content,
    };
    parser_emit(p, &ev);
    if (!is_error)
        claude_files_done(&claude_of(p)->files, p, ev.tool_end.call_id,
                          details);
}

static void on_thinking(struct parser *p, yyjson_val *block)
{
    bool is_open = p->has_thought && p->parent.len == 0;

    parser_thought(p, is_open ? EVENT_END : EVENT_FULL,
                   FIELD_TEXT(block, "thinking"));
}

static void on_block(struct parser *p, yyjson_val *block, struct slice id)
{
    struct slice type = FIELD_TEXT(block, "type");

    if (slice_eq(type, SLICE("text"))) {
        on_text(p, block, id);
        return;
    }
    if (p->parent.len == 0)
        claude_of(p)->text_id = 0;
    if (slice_eq(type, SLICE("tool_use")) ||
        slice_eq(type, SLICE("server_tool_use")))
        on_tool_use(p, block);
    else if (slice_eq(type, SLICE("thinking")) ||
             slice_eq(type, SLICE("redacted_thinking")))
        on_thinking(p, block);
    else if (slice_ends(type, SLICE("tool_result")))
        on_tool_result(p, block, NULL);
    else
        parser_unknown(p, SLICE("assistant"), type);
}

void claude_assistant(struct parser *p, yyjson_val *root)
{
    yyjson_val *message = FIELD(root, "message");
    yyjson_val *content = FIELD(message, "content");
    struct slice error = FIELD_TEXT(root, "error"), id;
    yyjson_val *block;
    size_t i, n;

    /* Written by the CLI in the model's place: a complaint, not an answer. */
    if (error.len > 0 ||
        slice_eq(FIELD_TEXT(message, "model"), SLICE("<synthetic>"))) {
        parser_note(p, error.len > 0 ? EVENT_NOTE_ERROR : EVENT_NOTE_STATUS,
                    error.len > 0 ? error : SLICE("synthetic"),
                    parser_content(p, content));
        return;
    }
    id = FIELD_TEXT(message, "id");
    yyjson_arr_foreach(content, i, n, block) on_block(p, block, id);
    tell_message_usage(p, message);
}

void claude_user(struct parser *p, yyjson_val *root)
{
    yyjson_val *content = FIELD(FIELD(root, "message"), "content");
    yyjson_val *details = FIELD(root, "tool_use_result");
    struct slice text = parser_content(p, content);
    yyjson_val *block;
    size_t i, n, results = 0;

    if (text.len > 0)
        parser_prompt(p, text);
    yyjson_arr_foreach(content, i, n, block) results +=
        slice_eq(FIELD_TEXT(block, "type"), SLICE("tool_result"));
    yyjson_arr_foreach(content, i, n, block)
    {
        struct slice type = FIELD_TEXT(block, "type");
        if (slice_eq(type, SLICE("tool_result")))
            on_tool_result(p, block, results == 1 ? details : NULL);
        else if (!slice_eq(type, SLICE("text")) &&
                 !slice_eq(type, SLICE("image")) &&
                 !slice_eq(type, SLICE("document")))
            parser_unknown(p, SLICE("user"), type);
    }
}

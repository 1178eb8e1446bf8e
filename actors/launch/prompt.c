/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt.h"

#include <string.h>

#include "actors/launch/prompt_fill.h"
#include "actors/launch/prompt_stage.h"
#include "actors/launch/prompt_text.h"

#define BREAK "\n\n"

static void put_slice(struct bytes *out, struct slice s)
{
    bytes_append(out, s.ptr, s.len);
}

/* A YAML block ends with a newline that is not meant as an empty line. */
static struct slice without_last_newlines(struct slice s)
{
    while (s.len && (s.ptr[s.len - 1] == '\n' || s.ptr[s.len - 1] == '\r'))
        s.len--;
    return s;
}

static void put_filled(const struct prompt_input *in, const char *text,
                       struct bytes *out)
{
    const struct prompt_value values[] = {{"agentId", in->agent_id},
                                          {"groupId", in->group_id},
                                          {"role", slice_cstr(in->role->id)},
                                          {NULL, SLICE_EMPTY}};

    prompt_fill_list(out, text, values);
}

struct tool_ctx {
    const struct prompt_input *in;
    const struct role_use *use;
};

/* What the user named comes first: a parameter may be called "role". */
static bool lookup_tool(const void *ctx, struct slice name, struct slice *value)
{
    const struct tool_ctx *t = ctx;
    const char *own = role_use_parameter(t->use, name.ptr, name.len);

    if (own)
        *value = slice_cstr(own);
    else if (slice_eq(name, SLICE("agentId")))
        *value = t->in->agent_id;
    else if (slice_eq(name, SLICE("groupId")))
        *value = t->in->group_id;
    else if (slice_eq(name, SLICE("role")))
        *value = slice_cstr(t->in->role->id);
    else if (slice_eq(name, SLICE("workingDirectory")))
        *value = t->in->directory;
    else
        return false;
    return true;
}

static void put_tools(const struct prompt_input *in,
                      const struct prompt_text *text, struct bytes *out)
{
    prompt_put(out, text->tools_head);
    for (size_t i = 0; i < in->role->tool_count; i++) {
        struct tool_ctx ctx = {.in = in, .use = &in->role->tools[i]};
        struct bytes filled = {0};
        if (i)
            prompt_put(out, BREAK);
        prompt_fill(&filled,
                    role_text(ctx.use->tool->instructions, in->language), 2,
                    lookup_tool, &ctx);
        put_slice(out, without_last_newlines(bytes_slice(&filled)));
        bytes_finish(&filled);
    }
    prompt_put(out, text->tools_tail);
}

static void put_roles(const struct prompt_input *in,
                      const struct prompt_text *text, struct bytes *out)
{
    const struct prompt_magentic *m = in->magentic;

    if (m->role_count == 0)
        prompt_put(out, text->no_roles);
    for (size_t i = 0; i < m->role_count; i++) {
        const struct role *r = m->roles[i];
        const struct prompt_value values[] = {
            {"id", slice_cstr(r->id)},
            {"name", slice_cstr(role_text(r->name, in->language))},
            {"description", without_last_newlines(slice_cstr(
                                role_text(r->description, in->language)))},
            {NULL, SLICE_EMPTY}};
        prompt_fill_list(out, text->role, values);
    }
}

static void put_count(const char *text, int64_t count, struct bytes *out)
{
    char number[24];
    const struct prompt_value values[] = {
        {"count", prompt_number(number, count)}, {NULL, SLICE_EMPTY}};

    prompt_fill_list(out, text, values);
}

static void put_block(const char *head, struct slice body, const char *tail,
                      struct bytes *out)
{
    prompt_put(out, head);
    put_slice(out, body);
    prompt_put(out, tail);
}

static void put_magentic(const struct prompt_input *in,
                         const struct prompt_text *text, struct bytes *out)
{
    const struct prompt_magentic *m = in->magentic;

    put_filled(in, text->guide, out);
    prompt_put(out, BREAK);
    put_block(text->task, m->task, text->block_tail, out);
    prompt_put(out, BREAK);
    put_block(text->criteria, m->criteria, text->block_tail, out);
    prompt_put(out, BREAK);
    put_block(text->scope, m->scope, "", out);
    if (m->constraints.len)
        put_block(text->constraints, m->constraints, "", out);
    if (m->context.len)
        put_block(text->context, m->context, "", out);
    prompt_put(out, text->block_tail);
    prompt_put(out, BREAK);
    prompt_put(out, text->parameters);
    put_roles(in, text, out);
    put_count(text->iterations, m->max_iterations, out);
    if (m->timeout_ms)
        put_count(text->timeout, m->timeout_ms, out);
    prompt_put(out, text->block_tail);
}

static void put_retry(const struct prompt_input *in,
                      const struct prompt_text *text, struct bytes *out)
{
    const struct prompt_value values[] = {{"agentId", in->retry_of},
                                          {NULL, SLICE_EMPTY}};

    prompt_fill_list(out, text->retry_head, values);
    put_slice(out, in->retry_error);
    prompt_put(out, text->retry_tail);
}

/* What was appended since the last one, or since `start`, is the next layer. */
static void end_layer(struct prompt_layers *layers, const char *name,
                      size_t start, struct bytes *out)
{
    size_t at = start;

    if (layers->count > 0) {
        const struct prompt_layer *last = &layers->items[layers->count - 1];
        at = last->at + last->len + strlen(BREAK);
    }
    layers->items[layers->count++] =
        (struct prompt_layer){.name = name, .at = at, .len = out->len - at};
}

static void put_layers(const struct prompt_input *in,
                       const struct prompt_text *text, struct bytes *out,
                       struct prompt_layers *layers)
{
    size_t start = out->len;

    put_slice(out, without_last_newlines(slice_cstr(
                       role_text(in->role->system_prompt, in->language))));
    end_layer(layers, "role", start, out);
    prompt_put(out, BREAK);
    put_filled(in, text->metadata, out);
    end_layer(layers, "identity", start, out);
    prompt_put(out, BREAK);
    if (in->role->tool_count) {
        put_tools(in, text, out);
        end_layer(layers, "tools", start, out);
        prompt_put(out, BREAK);
    }
    if (in->previous_count) {
        prompt_stage(in, text, out);
        end_layer(layers, "previousStage", start, out);
        prompt_put(out, BREAK);
    }
    if (in->retry_error.len) {
        put_retry(in, text, out);
        end_layer(layers, "retry", start, out);
        prompt_put(out, BREAK);
    }
    if (in->magentic)
        put_magentic(in, text, out);
    else
        put_slice(out, in->task);
    end_layer(layers, in->magentic ? "orchestration" : "task", start, out);
}

void prompt_build(const struct prompt_input *in, struct bytes *out,
                  struct prompt_layers *layers)
{
    size_t start = out->len;

    *layers = (struct prompt_layers){.count = 0};
    put_layers(in,
               in->language == CONFIG_EN ? &prompt_text_en : &prompt_text_ja,
               out, layers);
    for (size_t i = start; i < out->len; i++)
        if (out->ptr[i] == '\0')
            out->ptr[i] = ' ';
}

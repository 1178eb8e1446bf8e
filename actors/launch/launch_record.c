/* SPDX-License-Identifier: MIT */
/*
 * How an agent was started, for people who ask later: its papers, which lie in
 * its directory in the file of its warden.
 *
 *   {"argv":[...],"promptAs":"argument","workingDirectory":"...",
 *    "layers":[{"layer":"role","text":"..."},...]}
 *
 * The environment is not in it, and of the words none that may be a secret:
 * what is not written cannot be shown.
 */
#include <string.h>

#include "actors/launch/plan.h"
#include "runtime/text/json.h"

/* A flag whose value is nobody's business. */
static bool is_secret(const char *flag)
{
    static const char *const names[] = {"key",      "token",  "secret",
                                        "password", "header", "auth"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (strcasestr(flag, names[i]) != NULL)
            return true;
    return false;
}

static void put_word(struct bytes *out, const char *word, const char *before)
{
    const char *value = strchr(word, '=');
    bool is_flag = word[0] == '-';

    if (!is_flag && before[0] == '-' && is_secret(before)) {
        json_string(out, SLICE("{secret}"));
    } else if (is_flag && value != NULL && is_secret(word)) {
        JSON_RAW(out, "\"");
        json_escaped(out, slice_of(word, (size_t)(value + 1 - word)));
        JSON_RAW(out, "{secret}\"");
    } else {
        json_string(out, slice_cstr(word));
    }
}

/* The prompt is the last word, if it is one: it is told by its layers. */
static void put_argv(struct bytes *out, const struct launch_plan *p)
{
    const struct launch_list *argv = &p->argv;
    size_t count = argv->count - !p->is_prompt_input;

    JSON_KEY(out, "argv");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        put_word(out, argv->items[i], i > 0 ? argv->items[i - 1] : "");
    }
    if (!p->is_prompt_input)
        JSON_RAW(out, ",\"{prompt}\"");
    JSON_RAW(out, "]");
    JSON_TEXT(out, "promptAs",
              p->is_prompt_input ? SLICE("stdin") : SLICE("argument"));
}

static void put_layers(struct bytes *out, const struct launch *l)
{
    JSON_KEY(out, "layers");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < l->layers->count; i++) {
        const struct prompt_layer *layer = &l->layers->items[i];

        json_raw(out, i > 0 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "layer", slice_cstr(layer->name));
        JSON_TEXT(out, "text", slice_of(l->prompt.ptr + layer->at, layer->len));
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
}

void launch_record(struct launch_plan *p)
{
    struct bytes out = {0};

    JSON_RAW(&out, "{");
    put_argv(&out, p);
    JSON_TEXT(&out, "workingDirectory", slice_cstr(p->cwd));
    put_layers(&out, p->l);
    JSON_RAW(&out, "}\n");
    p->papers = arena_copy(&p->arena, out.ptr, out.len);
    p->papers_len = out.len;
    bytes_finish(&out);
}

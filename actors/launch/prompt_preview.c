/* SPDX-License-Identifier: MIT */
#include "actors/launch/prompt.h"
#include "runtime/text/json.h"

void prompt_put_preview(struct bytes *out, const struct role *role,
                        enum config_language language)
{
    const struct prompt_input in = {.language = language,
                                    .role = role,
                                    .agent_id = SLICE("{agentId}"),
                                    .group_id = SLICE("{groupId}"),
                                    .directory = SLICE("{workingDirectory}"),
                                    .task = SLICE("{task}")};
    struct prompt_layers layers = {0};
    struct bytes text = {0};

    prompt_build(&in, &text, &layers);
    JSON_KEY(out, "layers");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < layers.count; i++) {
        const struct prompt_layer *layer = &layers.items[i];

        json_raw(out, i > 0 ? SLICE(",{") : SLICE("{"));
        JSON_TEXT(out, "layer", slice_cstr(layer->name));
        JSON_TEXT(out, "text", slice_of(text.ptr + layer->at, layer->len));
        JSON_RAW(out, "}");
    }
    JSON_RAW(out, "]");
    bytes_finish(&text);
}

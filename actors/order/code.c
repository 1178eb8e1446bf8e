/* SPDX-License-Identifier: MIT */
#include "actors/order/code.h"

#include "runtime/text/json.h"

#define NAME(name) SLICE_INIT(#name),
static const struct slice names[] = {CODE_LIST(NAME)};
#undef NAME

struct slice code_name(enum code code)
{
    return names[code];
}

enum code code_find(struct slice name)
{
    unsigned i = 0;

    while (i < CODE_COUNT && !slice_eq(names[i], name))
        i++;
    return (enum code)i;
}

void code_put_error(struct bytes *out, enum code code, struct slice message,
                    struct slice details)
{
    JSON_RAW(out, "{\"error\":true,\"code\":");
    json_string(out, code_name(code));
    JSON_RAW(out, ",\"message\":");
    json_string(out, message);
    if (details.len > 0) {
        JSON_RAW(out, ",\"details\":");
        json_raw(out, details);
    }
    JSON_RAW(out, "}");
}

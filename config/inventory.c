/* SPDX-License-Identifier: MIT */
#include "config/inventory.h"

#include "config/keys.h"
#include "runtime/text/json.h"

const char *config_origin_name(enum config_origin origin)
{
    static const char *const names[] = {[CONFIG_BUILT_IN] = "builtin",
                                        [CONFIG_USERS] = "user",
                                        [CONFIG_PROJECTS] = "file",
                                        [CONFIG_ENVIRONMENT] = "environment"};

    return names[origin];
}

static void put_money(struct bytes *out, int64_t millionths)
{
    bytes_format(out, "%lld.%06lld", (long long)(millionths / 1000000),
                 (long long)(millionths % 1000000));
}

static void put_text(struct bytes *out, const char *text)
{
    if (text)
        json_string(out, slice_cstr(text));
    else
        JSON_RAW(out, "null");
}

static void put_list(struct bytes *out, const struct key *k, const void *at)
{
    const char *const *words =
        k->type == KEY_SET ? k->words : *(const char *const *const *)at;
    const char *before = "[";

    for (size_t i = 0; words[i]; i++)
        if (k->type == KEY_LIST || *(const int64_t *)at >> i & 1) {
            bytes_append(out, before, 1);
            json_string(out, slice_cstr(words[i]));
            before = ",";
        }
    json_raw(out, *before == '[' ? SLICE("[]") : SLICE("]"));
}

static void put_value(struct bytes *out, const struct key *k, const void *at)
{
    switch (k->type) {
    case KEY_INT:
        if (k->is_optional && *(const int64_t *)at == k->null)
            JSON_RAW(out, "null");
        else
            bytes_format(out, "%lld", (long long)*(const int64_t *)at);
        return;
    case KEY_MONEY:
        put_money(out, *(const int64_t *)at);
        return;
    case KEY_BOOL:
        json_raw(out, *(const bool *)at ? SLICE("true") : SLICE("false"));
        return;
    case KEY_WORD:
        put_text(out, k->words[*(const int *)at]);
        return;
    case KEY_CHOICE:
    case KEY_TEXT:
    case KEY_LINE:
    case KEY_ID:
    case KEY_URL:
        put_text(out, *(const char *const *)at);
        return;
    case KEY_SET:
    case KEY_LIST:
        put_list(out, k, at);
        return;
    }
}

/* Which file, or which variable. */
static const char *place_of(const struct config *c, const struct key *k,
                            enum config_origin origin)
{
    switch (origin) {
    case CONFIG_USERS:
        return c->user_file;
    case CONFIG_PROJECTS:
        return c->file;
    case CONFIG_ENVIRONMENT:
        return k->env;
    case CONFIG_BUILT_IN:
        break;
    }
    return NULL;
}

static void put_key(struct bytes *out, const struct config *c,
                    const struct config *defaults, size_t i)
{
    const struct key *k = &keys_config.rows[i];
    const char *at = (const char *)c + k->offset;
    enum config_origin origin = (enum config_origin)c->origins[i];

    JSON_RAW(out, "{");
    JSON_KEY(out, "key");
    bytes_format(out, "\"%s%s%s\"", k->section ? k->section : "",
                 k->section ? "." : "", k->name);
    JSON_KEY(out, "value");
    if (k->is_secret)
        JSON_RAW(out, "null");
    else
        put_value(out, k, at);
    JSON_BOOL(out, "isSecret", k->is_secret);
    JSON_BOOL(out, "isSet",
              !keys_equal_one(k, at, (const char *)defaults + k->offset));
    JSON_TEXT(out, "source", slice_cstr(config_origin_name(origin)));
    JSON_KEY(out, "from");
    put_text(out, place_of(c, k, origin));
    JSON_BOOL(out, "needsTrust", k->needs_trust);
    JSON_BOOL(out, "isAtStart", k->is_at_start);
    JSON_RAW(out, "}");
}

void inventory_put_keys(struct bytes *out, const struct config *c)
{
    struct config defaults = {0};

    keys_defaults(&keys_config, &defaults);
    JSON_KEY(out, "keys");
    JSON_RAW(out, "[");
    for (size_t i = 0; i < keys_config.count; i++) {
        if (i > 0)
            JSON_RAW(out, ",");
        put_key(out, c, &defaults, i);
    }
    JSON_RAW(out, "]");
}

void inventory_put_sources(struct bytes *out, const struct role *role)
{
    JSON_KEY(out, "sources");
    JSON_RAW(out, "{");
    for (size_t i = 0; i < ROLE_KEYS; i++) {
        json_key(out, slice_cstr(keys_role.rows[i].name));
        json_string(out, slice_cstr(config_origin_name(
                             (enum config_origin)role->origins[i])));
    }
    JSON_TEXT(out, "tools",
              slice_cstr(config_origin_name(
                  (enum config_origin)role->origins[ROLE_KEYS])));
    JSON_RAW(out, "}");
}

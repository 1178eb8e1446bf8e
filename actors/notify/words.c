/* SPDX-License-Identifier: MIT */
#include "actors/notify/words.h"

#include <string.h>

#include "config/messages.h"

struct saying {
    const struct notice *n;
    uint64_t count;
    const char *group;
    bool is_english;
    struct bytes *title, *body;
};

#define PUT(out, x, name, ...)                                                 \
    bytes_format(out, MESSAGE((x)->is_english, name), __VA_ARGS__)
#define PUT_TITLE(x, one, many)                                                \
    do {                                                                       \
        if ((x)->count == 1)                                                   \
            put_plain((x)->title, MESSAGE((x)->is_english, one));              \
        else                                                                   \
            PUT((x)->title, x, many, (x)->count);                              \
    } while (0)

static void put_plain(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

/* What agents and files are called is nobody's option and no control code. */
static void put_text(struct bytes *out, const char *before, struct slice text)
{
    if (text.len == 0)
        return;
    bytes_append(out, before, strlen(before));
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];

        bytes_append(out, (unsigned char)c < ' ' || c == 0x7f ? " " : &c, 1);
    }
}

static void put_agent(struct saying *x)
{
    const struct notice *n = x->n;

    if (x->count == 1)
        PUT(x->body, x, TOLD_AGENT, n->agent, n->role, n->group);
    else if (x->group[0] != 0)
        PUT(x->body, x, TOLD_AGENTS_OF_GROUP, x->group, n->agent);
    else
        PUT(x->body, x, TOLD_FIRST, n->agent);
    put_text(x->body, ": ", bytes_slice(&n->text));
}

static void put_conflict(struct saying *x)
{
    PUT_TITLE(x, TOLD_CONFLICT_ONE, TOLD_CONFLICT_MANY);
    PUT(x->body, x, TOLD_PAIR, x->n->agent, x->n->other);
    put_text(x->body, ": ", bytes_slice(&x->n->text));
}

static void put_group(struct saying *x)
{
    const struct notice *n = x->n;

    PUT_TITLE(x, TOLD_GROUP_ONE, TOLD_GROUP_MANY);
    if (x->count > 1)
        PUT(x->body, x, TOLD_FIRST, n->group);
    else
        PUT(x->body, x, TOLD_OUTCOME, n->group, n->first, n->second);
    put_text(x->body, " – ", bytes_slice(&n->text));
}

static void put_budget(struct saying *x)
{
    const struct notice *n = x->n;
    double spent = (double)n->first / 1e6, limit = (double)n->second / 1e6;

    PUT_TITLE(x, TOLD_BUDGET_ONE, TOLD_BUDGET_MANY);
    if (n->group[0] != 0)
        PUT(x->body, x, TOLD_GROUP_BUDGET, n->group, spent, limit);
    else
        PUT(x->body, x, TOLD_DAY_BUDGET, spent, limit);
}

static void put(struct saying *x)
{
    switch (x->n->kind) {
    case CONFIG_NOTIFY_FAILED:
        PUT_TITLE(x, TOLD_FAILED_ONE, TOLD_FAILED_MANY);
        put_agent(x);
        break;
    case CONFIG_NOTIFY_STALLED:
        PUT_TITLE(x, TOLD_STALLED_ONE, TOLD_STALLED_MANY);
        put_agent(x);
        break;
    case CONFIG_NOTIFY_CONFLICT:
        put_conflict(x);
        break;
    case CONFIG_NOTIFY_GROUP_DONE:
        put_group(x);
        break;
    case CONFIG_NOTIFY_BUDGET:
        put_budget(x);
        break;
    case CONFIG_NOTIFY_NO_ROLE:
        put_plain(x->title, MESSAGE(x->is_english, TOLD_NO_ROLE));
        put_plain(x->body, MESSAGE(x->is_english, TOLD_NO_ROLE_REMEDY));
        break;
    case CONFIG_NOTIFY_KINDS:
        break;
    }
}

void words_put(struct bytes *title, struct bytes *body, const struct notice *n,
               uint64_t count, const char *group)
{
    struct bytes whole = {0};
    struct saying x = {.n = n,
                       .count = count,
                       .group = group,
                       .is_english = n->settings->config->language == CONFIG_EN,
                       .title = title,
                       .body = &whole};

    put(&x);
    bytes_append_capped(body, bytes_slice(&whole), WORDS_BODY);
    bytes_finish(&whole);
}

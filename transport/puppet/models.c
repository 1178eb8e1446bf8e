/* SPDX-License-Identifier: MIT */
#include "transport/puppet/models.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char default_models[] =
    "auto=Auto,composer-1.5=Composer 1.5,claude-4-sonnet=Claude 4 Sonnet,"
    "claude-opus-4-8=Claude Opus 4.8,"
    "opus-4.6-thinking=Claude 4.6 Opus (Thinking),gpt-5.3-codex=GPT-5.3 Codex";

struct model {
    const char *id, *label;
    size_t id_len, label_len;
};

static const char *all_models(void)
{
    const char *env = getenv("KUROMAJUTSU_PUPPET_MODELS");

    return env && *env ? env : default_models;
}

static bool next_model(const char **at, struct model *m)
{
    if (!**at)
        return false;
    const char *end = strchrnul(*at, ',');
    const char *equal = memchr(*at, '=', (size_t)(end - *at));
    m->id = *at;
    m->id_len = (size_t)((equal ? equal : end) - *at);
    m->label = equal ? equal + 1 : *at;
    m->label_len = (size_t)(end - m->label);
    *at = *end ? end + 1 : end;
    return true;
}

bool models_logged_in(void)
{
    const char *env = getenv("KUROMAJUTSU_PUPPET_LOGIN");

    return !env || strcmp(env, "no");
}

void models_refuse_login(const struct options *o)
{
    if (o->backend == BACKEND_CURSOR)
        fputs("Error: Authentication required. Please run 'cursor-agent "
              "login' first, or set CURSOR_API_KEY environment variable.\n",
              stderr);
    else
        puts("Not logged in · Please run /login");
}

void models_list(struct text *out)
{
    const char *at = all_models();
    struct model m;
    bool is_first = true;

    text_adds(out, "Available models\n\n");
    for (; next_model(&at, &m); is_first = false)
        text_addf(out, "%.*s - %.*s%s\n", (int)m.id_len, m.id, (int)m.label_len,
                  m.label, is_first ? " (default)" : "");
    text_adds(out, "\nTip: use --model <id> to switch.\n");
}

static int find_cursor(const char *id, struct text *shown, struct text *error)
{
    const char *at = all_models();
    /* claude-opus-4-8[context=1m,effort=high] names claude-opus-4-8. */
    size_t len = id ? strcspn(id, "[") : 0;
    struct model m;
    struct text known = {0};

    while (next_model(&at, &m)) {
        if (!id || (m.id_len == len && !memcmp(m.id, id, len))) {
            text_add(shown, m.label, m.label_len);
            text_finish(&known);
            return 0;
        }
        text_addf(&known, "%s%.*s", known.len ? ", " : "", (int)m.id_len, m.id);
    }
    text_addf(error, "Cannot use this model: %s. Available models: %s", id,
              text_str(&known));
    text_finish(&known);
    return -EINVAL;
}

static int find_claude(const char *id, struct text *shown, struct text *error)
{
    static const char *const aliases[][2] = {
        {"haiku", "claude-haiku-4-5-20251001"},
        {"sonnet", "claude-sonnet-4-6"},
        {"opus", "claude-opus-4-8"},
        {"default", "claude-sonnet-4-6"},
    };

    for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
        if (!strcmp(id ? id : "default", aliases[i][0]))
            id = aliases[i][1];
    if (id && !strncmp(id, "claude-", 7)) {
        text_adds(shown, id);
        return 0;
    }
    text_addf(error,
              "There's an issue with the selected model (%s). It may not "
              "exist or you may not have access to it.",
              id);
    return -EINVAL;
}

int models_find(const struct options *o, struct text *shown, struct text *error)
{
    const char *id = o->values[OPTION_MODEL];

    return o->backend == BACKEND_CURSOR ? find_cursor(id, shown, error)
                                        : find_claude(id, shown, error);
}

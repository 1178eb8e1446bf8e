/* SPDX-License-Identifier: MIT */
/*
 * The prompt has layers, and the results of earlier agents come before the
 * user's own words: where several lines look like directives, the last one
 * is the user's.
 */
#include "transport/puppet/directive.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "transport/puppet/builtin.h"
#include "transport/puppet/scenario.h"

static void trim(const char **from, const char **to)
{
    while (*from < *to && isspace((unsigned char)**from))
        ++*from;
    while (*to > *from && isspace((unsigned char)(*to)[-1]))
        --*to;
}

/* Walks the lines from the end; *end is where the next one ends. */
static bool line_before(const char *start, const char **end, const char **from,
                        const char **to)
{
    if (*end <= start)
        return false;
    const char *at = *end;
    while (at > start && at[-1] != '\n')
        at--;
    *from = at;
    *to = *end;
    *end = at > start ? at - 1 : start;
    trim(from, to);
    return true;
}

void directive_last_line(const struct text *prompt, struct text *line)
{
    const char *start = text_str(prompt), *end = start + prompt->len;
    const char *from, *to;

    while (line_before(start, &end, &from, &to)) {
        if (from == to)
            continue;
        text_add(line, from, (size_t)(to - from));
        return;
    }
}

void directive_labelled(const struct text *prompt, const char *label,
                        struct text *value)
{
    const char *start = text_str(prompt), *end = start + prompt->len;
    const char *from, *to;
    size_t len = strlen(label);

    while (line_before(start, &end, &from, &to)) {
        if ((size_t)(to - from) < len || memcmp(from, label, len))
            continue;
        from += len;
        trim(&from, &to);
        text_add(value, from, (size_t)(to - from));
        return;
    }
}

/* One word; "double quotes" keep spaces in it, also after the = of a pair. */
static bool next_word(const char **at, struct text *word)
{
    bool is_quoted = false;

    text_clear(word);
    while (isspace((unsigned char)**at))
        ++*at;
    if (!**at)
        return false;
    for (; **at && (is_quoted || !isspace((unsigned char)**at)); ++*at) {
        if (**at == '"')
            is_quoted = !is_quoted;
        else
            text_add(word, *at, 1);
    }
    if (!word->data)
        text_adds(word, "");
    return true;
}

static int read_pairs(struct directive *d, const char *at, struct text *error)
{
    struct text word = {0};
    int rc = 0;

    while (!rc && next_word(&at, &word)) {
        char *equal = strchr(word.data, '=');
        if (!equal) {
            text_addf(error, "puppet: expected key=value, found '%s'",
                      word.data);
            rc = -EINVAL;
            break;
        }
        *equal = '\0';
        vars_set(&d->given, word.data, equal + 1);
    }
    text_finish(&word);
    return rc;
}

static int load_file(struct directive *d, const char *path, struct text *error)
{
    int rc = text_read_file(&d->source, path, SCENARIO_BYTES);

    text_adds(&d->name, path);
    if (!rc)
        return 0;
    text_addf(error, "%s: %s", path, strerror(-rc));
    if (rc == -EFBIG)
        text_addf(error, ": expected at most %d bytes", SCENARIO_BYTES);
    return -EINVAL;
}

static int load_builtin(struct directive *d, const char *name,
                        struct text *error)
{
    const char *source = builtin_source(name);

    if (source) {
        text_addf(&d->name, "builtin:%s", name);
        text_adds(&d->source, source);
        return 0;
    }
    text_addf(error, "puppet: unknown scenario '%s': expected one of: ", name);
    builtin_names(error);
    return -EINVAL;
}

static int load_words(struct directive *d, const char *words, bool is_file,
                      struct text *error)
{
    struct text name = {0};

    next_word(&words, &name);
    is_file = is_file || strchr(text_str(&name), '/');
    int rc = is_file ? load_file(d, text_str(&name), error)
                     : load_builtin(d, text_str(&name), error);
    text_finish(&name);
    return rc ? rc : read_pairs(d, words, error);
}

static int load_prompt(struct directive *d, const struct text *prompt,
                       struct text *error)
{
    struct text words = {0}, path = {0}, line = {0};
    int rc;

    directive_labelled(prompt, "puppet:", &words);
    directive_labelled(prompt, "puppet-file:", &path);
    directive_last_line(prompt, &line);
    if (path.len)
        rc = load_words(d, path.data, true, error);
    else if (words.len)
        rc = load_words(d, words.data, false, error);
    else if (strstr(text_str(&line), "respond with exactly: "))
        rc = load_builtin(d, "reply", error);
    else
        rc = load_builtin(d, "default", error);
    text_finish(&words);
    text_finish(&path);
    text_finish(&line);
    return rc;
}

int directive_find(struct directive *d, const struct text *prompt,
                   struct text *error)
{
    const char *env = getenv("KUROMAJUTSU_PUPPET");

    vars_init(&d->given);
    if (!env || !*env)
        return load_prompt(d, prompt, error);
    /* A path may have spaces in it: if the whole is a file, it is meant. */
    if (!builtin_source(env) && !access(env, F_OK))
        return load_file(d, env, error);
    return load_words(d, env, false, error);
}

void directive_finish(struct directive *d)
{
    text_finish(&d->name);
    text_finish(&d->source);
    vars_finish(&d->given);
}

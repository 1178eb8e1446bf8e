/* SPDX-License-Identifier: MIT */
#include "config/language.h"

#include <stdlib.h>
#include <string.h>

#include "config/env.h"

static const char *const words[] = {"ja", "en", "auto"};

const char *language_word(enum config_language language)
{
    return words[language];
}

enum config_language language_read(const char *word)
{
    int i = 0;

    while (i < CONFIG_AUTO && (!word || strcmp(word, words[i]) != 0))
        i++;
    return (enum config_language)i;
}

enum config_language language_named(char *const *env)
{
    return language_read(env_get(env, "KUROMAJUTSU_LANGUAGE"));
}

/* "C", "C.UTF-8", "POSIX": of no language. */
static bool is_neutral(const char *locale)
{
    size_t len = strcspn(locale, "._@");

    return (len == 1 && *locale == 'C') ||
           (len == 5 && strncmp(locale, "POSIX", 5) == 0);
}

enum config_language language_of_locale(char *const *env)
{
    static const char *const names[] = {"LC_ALL", "LC_MESSAGES", "LANG"};
    const char *locale = NULL;

    for (size_t i = 0; i < 3 && !locale; i++)
        locale = env_get(env, names[i]);
    return !locale || is_neutral(locale) || strncmp(locale, "ja", 2) == 0
               ? CONFIG_JA
               : CONFIG_EN;
}

enum config_language language_of(char *const *env)
{
    enum config_language named = language_named(env);

    return named != CONFIG_AUTO ? named : language_of_locale(env);
}

/* ";q=0.8" of what follows a name, in thousandths; 1000 without it. */
static int weight_of(struct slice item)
{
    char text[24];
    char *q;

    slice_keep(text, sizeof(text), item);
    q = strstr(text, "q=");
    return q ? (int)(strtod(q + 2, NULL) * 1000) : 1000;
}

enum config_language language_accepted(struct slice header)
{
    enum config_language best = CONFIG_AUTO;
    int most = 0;

    for (size_t at = 0, len; at < header.len; at += len + 1) {
        const char *from = header.ptr + at;
        const char *comma = memchr(from, ',', header.len - at);
        struct slice item;
        bool is_ja, is_ours;
        int weight;

        len = comma ? (size_t)(comma - from) : header.len - at;
        item = slice_trim(slice_of(from, len));
        if (item.len < 2 || item.ptr[0] == '*' || weight_of(item) <= 0)
            continue;
        is_ja = slice_starts(item, SLICE("ja"));
        is_ours = is_ja || slice_starts(item, SLICE("en"));
        weight = is_ours ? weight_of(item) : 0;
        if (best == CONFIG_AUTO || weight > most)
            best = is_ja ? CONFIG_JA : CONFIG_EN;
        most = weight > most ? weight : most;
    }
    return best;
}

/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "config/config.h"
#include "config/keys.h"
#include "config/messages.h"
#include "runtime/text/distance.h"

static void expect_words(const struct key *k, const char *first, char *out,
                         size_t size)
{
    size_t n = (size_t)snprintf(out, size, "%s", first);

    for (size_t i = 0; k->words[i] && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s %s", i ? "," : "",
                              k->words[i]);
}

static void expect_text(const struct key *k, bool is_english, char *out,
                        size_t size)
{
    if (k->type == KEY_TEXT)
        snprintf(out, size,
                 k->min ? MESSAGE(is_english, VALUE_EXPECTED_TEXT)
                        : MESSAGE(is_english, VALUE_EXPECTED_TEXT_OR_NONE),
                 k->max);
    else
        snprintf(out, size,
                 k->min ? MESSAGE(is_english, VALUE_EXPECTED_LINE)
                        : MESSAGE(is_english, VALUE_EXPECTED_LINE_OR_NONE),
                 k->max);
}

static void expect(const struct key *k, bool is_english, char *out, size_t size)
{
    switch (k->type) {
    case KEY_INT:
        snprintf(out, size, MESSAGE(is_english, VALUE_EXPECTED_INT), k->min,
                 k->max,
                 k->is_optional ? MESSAGE(is_english, VALUE_OR_NULL) : "");
        break;
    case KEY_MONEY:
        snprintf(out, size, MESSAGE(is_english, VALUE_EXPECTED_MONEY),
                 k->min / 1000000, k->max / 1000000);
        break;
    case KEY_BOOL:
        snprintf(out, size, "%s", MESSAGE(is_english, VALUE_EXPECTED_BOOL));
        break;
    case KEY_WORD:
    case KEY_CHOICE:
        expect_words(k, MESSAGE(is_english, VALUE_EXPECTED_WORD), out, size);
        break;
    case KEY_SET:
        expect_words(k,
                     k->min > 0 ? MESSAGE(is_english, VALUE_EXPECTED_SOME)
                                : MESSAGE(is_english, VALUE_EXPECTED_SET),
                     out, size);
        break;
    case KEY_LIST:
        snprintf(out, size, MESSAGE(is_english, VALUE_EXPECTED_WORDS), k->max);
        break;
    case KEY_URL:
        snprintf(out, size, MESSAGE(is_english, VALUE_EXPECTED_URL), k->max);
        break;
    case KEY_TEXT:
    case KEY_LINE:
        expect_text(k, is_english, out, size);
        break;
    case KEY_ID:
        snprintf(out, size, "%s", MESSAGE(is_english, VALUE_EXPECTED_ID));
        break;
    }
}

struct keys_words keys_expected(const struct key *k)
{
    struct keys_words words;

    expect(k, false, words.ja, sizeof(words.ja));
    expect(k, true, words.en, sizeof(words.en));
    return words;
}

struct nearest {
    const char *name; /* what was written */
    size_t distance;
    char *out;
    size_t size;
};

static void consider(struct nearest *n, const char *candidate)
{
    size_t d = distance_between(n->name, candidate);

    if (d >= n->distance)
        return;
    n->distance = d;
    snprintf(n->out, n->size, "%s", candidate);
}

/* A key put into the wrong section is more likely than two misspellings. */
static bool find_elsewhere(const struct keys *s, const char *name, char *out,
                           size_t size)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct key *k = &s->rows[i];
        if (strcasecmp(k->name, name) == 0) {
            snprintf(out, size, "%s%s%s", k->section ? k->section : "",
                     k->section ? "." : "", k->name);
            return true;
        }
    }
    return false;
}

bool keys_nearest(const struct keys *s, const char *section, const char *name,
                  char *out, size_t size)
{
    size_t len = strlen(name);
    size_t limit = len < 4 ? 1 : len < 8 ? 2 : 3;
    struct nearest n = {
        .name = name, .distance = limit + 1, .out = out, .size = size};

    for (size_t i = 0; i < s->count; i++) {
        const struct key *k = &s->rows[i];
        bool is_here =
            section ? k->section && !strcmp(k->section, section) : !k->section;
        if (is_here)
            consider(&n, k->name);
        if (!section && k->section)
            consider(&n, k->section);
    }
    if (!section && s == &keys_config) {
        consider(&n, "roles");
        consider(&n, "tools");
        consider(&n, "prices");
    } else if (s == &keys_role) {
        consider(&n, "tools");
    } else if (s == &keys_tool || s->count == 0) {
        consider(&n, "parameters"); /* of a tool, or of the use of one */
    }
    return n.distance <= limit || find_elsewhere(s, name, out, size);
}

static void put_set(const struct key *k, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "[");

    for (size_t i = 0; k->words[i] && n < size; i++)
        if (k->number >> i & 1)
            n += (size_t)snprintf(out + n, size - n, "%s%s", n > 1 ? ", " : "",
                                  k->words[i]);
    if (n < size)
        snprintf(out + n, size - n, "]");
}

static void describe_default(FILE *out, bool is_english, const struct key *k)
{
    char text[256] = "";

    if (k->type == KEY_INT && !(k->is_optional && k->number == 0))
        snprintf(text, sizeof(text), "%" PRId64, k->number);
    else if (k->type == KEY_MONEY)
        snprintf(text, sizeof(text), "%" PRId64, k->number / 1000000);
    else if (k->type == KEY_BOOL)
        snprintf(text, sizeof(text), "%s", k->number ? "true" : "false");
    else if (k->type == KEY_SET)
        put_set(k, text, sizeof(text));
    else if (k->type == KEY_WORD)
        snprintf(text, sizeof(text), "%s", k->words[k->number]);
    else if (k->text)
        snprintf(text, sizeof(text), "%s", k->text);
    if (*text)
        fprintf(out, MESSAGE(is_english, KEY_DEFAULT), text);
}

static void describe(FILE *out, bool is_english, const char *prefix,
                     const struct keys *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const struct key *k = &s->rows[i];
        char expected[256];
        expect(k, is_english, expected, sizeof(expected));
        fprintf(out, "%s%s%s%s\n    %s: %s", prefix,
                k->section ? k->section : "", k->section ? "." : "", k->name,
                message_pick(is_english, k->doc), expected);
        describe_default(out, is_english, k);
        if (k->env)
            fprintf(out, " [$%s]", k->env);
        if (k->needs_trust)
            fputs(MESSAGE(is_english, KEY_NEEDS_TRUST), out);
        if (k->is_at_start)
            fputs(MESSAGE(is_english, KEY_IS_AT_START), out);
        fputc('\n', out);
    }
}

void config_describe(FILE *out, bool is_english)
{
    describe(out, is_english, "", &keys_config);
    describe(out, is_english, "roles[].", &keys_role);
    fprintf(out, "roles[].tools\n    %s\n",
            MESSAGE(is_english, KEY_OF_ROLE_TOOLS));
    describe(out, is_english, "tools[].", &keys_tool);
    fprintf(out, "tools[].parameters\n    %s\n",
            MESSAGE(is_english, KEY_OF_TOOL_PARAMETERS));
    describe(out, is_english, "prices[].", &keys_price);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/loader.h"
#include "config/url.h"
#include "runtime/text/bytes.h"

#define EXCERPT 48

/* Some bytes of the text between quotes, cut between characters. */
static void quote(const char *text, char *out, size_t size)
{
    size_t n = 0;

    out[n++] = '"';
    for (; *text && n + 8 < size; text++) {
        bool is_first = ((unsigned char)*text & 0xc0) != 0x80;
        if (is_first && n > EXCERPT)
            break;
        if (*text == '\n' || *text == '"' || *text == '\\')
            out[n++] = '\\';
        out[n++] = *text == '\n' ? 'n' : *text;
    }
    snprintf(out + n, size - n, "%s\"", *text ? "..." : "");
}

static void describe(const struct node *n, bool is_english, char *out,
                     size_t size)
{
    char text[2 * EXCERPT];

    if (n->kind == NODE_SEQUENCE)
        snprintf(out, size, "%s", MESSAGE(is_english, VALUE_FOUND_LIST));
    else if (n->kind == NODE_MAPPING)
        snprintf(out, size, "%s", MESSAGE(is_english, VALUE_FOUND_MAPPING));
    else if (tree_is_null(n))
        snprintf(out, size, "%s", MESSAGE(is_english, VALUE_FOUND_NOTHING));
    else {
        quote(n->text, text, sizeof(text));
        snprintf(out, size,
                 n->is_implicit ? "%s"
                                : MESSAGE(is_english, VALUE_FOUND_QUOTED),
                 text);
    }
}

int value_say(struct config_error *e, const char *file, struct mark at,
              const char *path, struct message expected, struct message found)
{
    char *ja = bytes_text(JA_VALUE_WRONG, path, expected.ja, found.ja);
    char *en = bytes_text(EN_VALUE_WRONG, path, expected.en, found.en);
    int rc = error_whole(e, file, at, (struct message){ja, en});

    free(ja);
    free(en);
    return rc;
}

int value_refuse(struct loader *r, const char *path, const struct child *c,
                 struct message expected)
{
    char ja[2 * EXCERPT + 64], en[2 * EXCERPT + 64];

    describe(c->node, false, ja, sizeof(ja));
    describe(c->node, true, en, sizeof(en));
    return value_say(r->error, r->layer->file, c->start, path, expected,
                     (struct message){ja, en});
}

/* Decimal digits alone: YAML 1.1 reads 010 as eight and 1_0 as ten, people
 * do not agree with it. */
static bool parse_int(const struct key *k, const char *text, int64_t *out)
{
    const char *digits = text[0] == '-' ? text + 1 : text;
    size_t len = strspn(digits, "0123456789");

    if (len == 0 || digits[len] || (len > 1 && digits[0] == '0'))
        return false;
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    if (errno || value < k->min || value > k->max)
        return false;
    *out = value;
    return true;
}

/* "3", "2.50", "0.000001": what floating point would make of it is not what
 * was written. */
static bool parse_money(const struct key *k, const char *text, int64_t *out)
{
    size_t whole = strspn(text, "0123456789");
    const char *rest = text + whole;
    size_t digits = *rest == '.' ? strspn(rest + 1, "0123456789") : 0;
    int64_t value = 0;

    if (whole == 0 || whole > 9 || (whole > 1 && text[0] == '0') ||
        digits > 6 || (*rest == '.' && (digits == 0 || rest[1 + digits])) ||
        (*rest && *rest != '.'))
        return false;
    for (size_t i = 0; i < whole; i++)
        value = value * 10 + (text[i] - '0');
    for (size_t i = 0; i < 6; i++)
        value = value * 10 + (i < digits ? rest[1 + i] - '0' : 0);
    if (value < k->min || value > k->max)
        return false;
    *out = value;
    return true;
}

static bool parse_word(const struct key *k, const char *text, size_t *index)
{
    for (*index = 0; k->words[*index]; ++*index)
        if (strcmp(k->words[*index], text) == 0)
            return true;
    return false;
}

/* "a,b": a list as the environment and a command line have it. */
static bool parse_set(const struct key *k, const char *text, int64_t *out)
{
    int64_t set = 0;

    for (size_t len; *text; text += len + (text[len] == ',')) {
        size_t word = 0;

        len = strcspn(text, ",");
        while (k->words[word] && (strlen(k->words[word]) != len ||
                                  memcmp(k->words[word], text, len) != 0))
            word++;
        if (!k->words[word])
            return false;
        set |= (int64_t)1 << word;
    }
    *out = set;
    return set != 0 || k->min == 0;
}

static bool parse_text(const struct key *k, const char *text)
{
    size_t len = strlen(text);

    struct url url;

    if (k->type == KEY_ID)
        return role_id_is_valid(text);
    if (k->type == KEY_URL && *text && !url_read(&url, text))
        return false;
    if (k->type == KEY_LINE && strpbrk(text, "\r\n"))
        return false;
    return len >= (size_t)k->min && len <= (size_t)k->max;
}

/* True if the text is a value of that key, then at `at`. */
static bool parse(struct arena *a, const struct key *k, const char *text,
                  void *at)
{
    size_t index;

    switch (k->type) {
    case KEY_INT:
        return parse_int(k, text, at);
    case KEY_MONEY:
        return parse_money(k, text, at);
    case KEY_BOOL:
        *(bool *)at = strcmp(text, "true") == 0;
        return *(bool *)at || strcmp(text, "false") == 0;
    case KEY_WORD:
        if (!parse_word(k, text, &index))
            return false;
        *(int *)at = (int)index;
        return true;
    case KEY_CHOICE:
        if (!parse_word(k, text, &index))
            return false;
        *(const char **)at = k->words[index];
        return true;
    case KEY_TEXT:
    case KEY_LINE:
    case KEY_ID:
    case KEY_URL:
        break;
    case KEY_SET:
        return parse_set(k, text, at);
    case KEY_LIST:
        return false;
    }
    if (!parse_text(k, text))
        return false;
    *(const char **)at = arena_copy(a, text, strlen(text));
    return true;
}

static int read_value(struct loader *r, const struct key *k, const char *path,
                      const struct child *c, void *base)
{
    const struct node *n = c->node;
    bool is_typed =
        k->type == KEY_INT || k->type == KEY_MONEY || k->type == KEY_BOOL;
    void *at = (char *)base + k->offset;
    struct keys_words expected;

    if (value_is_list(k))
        return value_read_list(r, k, path, c, at);
    if (tree_is_null(n) && k->is_optional) {
        *(int64_t *)at = k->null;
        return 0;
    }
    if (n->kind == NODE_SCALAR && !tree_is_null(n) &&
        (n->is_implicit || !is_typed) && parse(r->arena, k, n->text, at))
        return 0;
    expected = keys_expected(k);
    return value_refuse(r, path, c, (struct message){expected.ja, expected.en});
}

/* "roles[3].x" is said of a file, "roles[id].x" of what it means. */
static const char *claim_name(struct loader *r, const struct key *k,
                              const char *path, const void *base)
{
    bool is_role = k >= keys_role.rows && k < keys_role.rows + keys_role.count;
    bool is_tool = k >= keys_tool.rows && k < keys_tool.rows + keys_tool.count;
    const char *id = is_role   ? ((const struct role *)base)->id
                     : is_tool ? ((const struct role_tool *)base)->id
                               : NULL;

    if (!id)
        return arena_copy(r->arena, path, strlen(path));
    return arena_printf(r->arena, "%s[%s].%s", is_role ? "roles" : "tools", id,
                        k->name);
}

/* What its user is to see before it is trusted; NULL: a secret. Of an address
 * all behind the host may be one. */
static const char *claim_value(struct loader *r, const struct key *k,
                               const struct node *n)
{
    struct url url;

    if (k->type == KEY_URL && url_read(&url, n->text))
        return arena_printf(r->arena, "%.*s%s", (int)url.site.len, url.site.ptr,
                            url.target.len > 1 ? "/..." : "/");
    if (k->is_secret)
        return NULL;
    return n->kind == NODE_SEQUENCE
               ? value_of_list(r->arena, n)
               : arena_copy(r->arena, n->text, strlen(n->text));
}

static void claim(struct loader *r, const struct key *k, const char *path,
                  const struct child *c, const void *base)
{
    struct config *config = r->config;
    struct config_claim *claims = arena_grow(
        r->arena, (void *)config->claims, config->claim_count, sizeof(*claims));

    claims[config->claim_count++] =
        (struct config_claim){.key = claim_name(r, k, path, base),
                              .value = claim_value(r, k, c->node),
                              .env = k->env,
                              .line = c->start.line + 1,
                              .column = c->start.column + 1};
    config->claims = claims;
}

void value_note_origin(struct loader *r, const struct key *k, void *base,
                       enum config_origin origin)
{
    if (k >= keys_config.rows && k < keys_config.rows + keys_config.count)
        r->config->origins[k - keys_config.rows] = (unsigned char)origin;
    else if (k >= keys_role.rows && k < keys_role.rows + keys_role.count)
        ((struct role *)base)->origins[k - keys_role.rows] =
            (unsigned char)origin;
}

int value_read(struct loader *r, const struct key *k, const char *path,
               const struct child *c, void *base)
{
    enum config_origin origin =
        r->layer->is_projects ? CONFIG_PROJECTS : CONFIG_USERS;
    char *at = (char *)base + k->offset;
    size_t size = k->type == KEY_BOOL   ? sizeof(bool)
                  : k->type == KEY_WORD ? sizeof(int)
                                        : sizeof(int64_t);
    int64_t was = 0;

    memcpy(&was, at, size);
    int rc = read_value(r, k, path, c, base);
    bool is_claim = !rc && k->needs_trust && r->layer->is_projects &&
                    !keys_equal_one(k, at, &was);
    if (is_claim)
        claim(r, k, path, c, base);
    if (is_claim && !r->config->is_trusted)
        memcpy(at, &was, size);
    else
        value_note_origin(r, k, base, origin);
    return rc;
}

bool value_is_fit(struct loader *r, const struct key *k, const char *text)
{
    int64_t at;

    return parse(r->arena, k, text, &at);
}

int value_read_env(struct loader *r, const struct key *k, const char *text,
                   void *base)
{
    struct keys_words expected;
    char found[2 * EXCERPT];

    if (parse(r->arena, k, text, (char *)base + k->offset)) {
        value_note_origin(r, k, base, CONFIG_ENVIRONMENT);
        return 0;
    }
    expected = keys_expected(k);
    quote(text, found, sizeof(found));
    return value_say(r->error, NULL, (struct mark){0}, k->env,
                     (struct message){expected.ja, expected.en},
                     (struct message){found, found});
}

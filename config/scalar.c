/* SPDX-License-Identifier: MIT */
#include "config/scalar.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "runtime/text/utf8.h"

/* Characters that are line breaks to YAML 1.1 or cannot stand in a file. */
static bool needs_escape(uint32_t code)
{
    return !source_is_printable(code) || code == '\r' || code == 0x85 ||
           code == 0x2028 || code == 0x2029 || code == 0xfeff;
}

static bool has_escapes(const char *value)
{
    uint32_t code = 0;

    for (size_t n; *value; value += n) {
        n = utf8_decode(value, strlen(value), &code);
        if (n == 0 || needs_escape(code))
            return true;
    }
    return false;
}

/* Words and numbers that a reader of YAML would not take for text. */
static bool is_typed(const char *value)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no",
                                        "on",   "off",  "y",     "n"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcasecmp(value, words[i]) == 0)
            return true;
    return isdigit((unsigned char)value[0]) &&
           value[strspn(value, "0123456789abcdefABCDEFxXoO.+-_:")] == '\0';
}

/* Narrower than YAML's rules, which readers do not know by heart. */
static bool can_be_plain(const char *value, bool is_flow)
{
    unsigned char first = (unsigned char)value[0];
    size_t len = strlen(value);

    if (len == 0 || is_typed(value) || has_escapes(value))
        return false;
    if (!isalnum(first) && first < 0x80 && !strchr("/_(", first))
        return false;
    if (strpbrk(value, "\n\t") || strstr(value, ": ") || strstr(value, " #"))
        return false;
    if (value[len - 1] == ':' || value[len - 1] == ' ')
        return false;
    return !is_flow || !strpbrk(value, ",[]{}:");
}

/* A first line that begins with a blank would set the block's indentation,
 * and lines at the end would need "+" and run into what follows. */
static bool can_be_literal(const char *value, const struct scalar_place *p)
{
    size_t len = strlen(value);

    if (p->is_flow || len == 0 || strchr(" \t\n", value[0]))
        return false;
    if (len > 1 && value[len - 1] == '\n' && value[len - 2] == '\n')
        return false;
    return !has_escapes(value);
}

static void write_escape(FILE *out, uint32_t code)
{
    switch (code) {
    case '\n':
        fputs("\\n", out);
        break;
    case '\t':
        fputs("\\t", out);
        break;
    case '\r':
        fputs("\\r", out);
        break;
    default:
        fprintf(out, code < 0x100 ? "\\x%02X" : "\\u%04X", code);
        break;
    }
}

static void write_double(FILE *out, const char *value)
{
    uint32_t code = 0;

    fputc('"', out);
    for (size_t n; *value; value += n) {
        n = utf8_decode(value, strlen(value), &code);
        if (n == 0)
            n = 1;
        if (*value == '"' || *value == '\\')
            fprintf(out, "\\%c", *value);
        else if (code == '\n' || code == '\t' || needs_escape(code))
            write_escape(out, code);
        else
            fwrite(value, 1, n, out);
    }
    fputc('"', out);
}

static void write_single(FILE *out, const char *value)
{
    fputc('\'', out);
    for (; *value; value++) {
        if (*value == '\'')
            fputc('\'', out);
        fputc(*value, out);
    }
    fputc('\'', out);
}

static bool write_literal(FILE *out, const char *value,
                          const struct scalar_place *p)
{
    size_t len = strlen(value);
    bool has_end = value[len - 1] == '\n';

    fprintf(out, "|%s%s", has_end ? "" : "-", p->comment);
    for (const char *line = value, *end; line < value + len; line = end + 1) {
        end = strchrnul(line, '\n');
        fputs(p->eol, out);
        if (end > line)
            fprintf(out, "%*s%.*s", (int)p->indent, "", (int)(end - line),
                    line);
    }
    return has_end;
}

bool scalar_write(FILE *out, const char *value, const struct scalar_place *p)
{
    bool was_block = p->style == NODE_LITERAL || p->style == NODE_FOLDED;
    bool has_lines = strchr(value, '\n') != NULL;

    if ((was_block || (has_lines && p->is_last && p->style != NODE_DOUBLE)) &&
        can_be_literal(value, p))
        return write_literal(out, value, p);
    if (p->style == NODE_SINGLE && !has_lines && !has_escapes(value) &&
        !strchr(value, '\t'))
        write_single(out, value);
    else if (p->style != NODE_DOUBLE && can_be_plain(value, p->is_flow))
        fputs(value, out);
    else
        write_double(out, value);
    return false;
}

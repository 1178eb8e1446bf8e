/* SPDX-License-Identifier: MIT */
#include "runtime/warden/text.h"

#include <string.h>

static void add(struct text *t, const char *s, size_t n)
{
    if (n > t->size - t->len) {
        t->is_cut = true;
        return;
    }
    memcpy(t->at + t->len, s, n);
    t->len += n;
}

static void add_escaped(struct text *t, unsigned char c)
{
    static const char hex[] = "0123456789abcdef";
    const char code[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};

    add(t, code, sizeof(code));
}

void text_init(struct text *t, char *buf, size_t size)
{
    *t = (struct text){.at = buf, .size = size};
}

void text_add(struct text *t, const char *s)
{
    add(t, s, strlen(s));
}

void text_number(struct text *t, int64_t n)
{
    char digits[24];
    size_t at = sizeof(digits);
    /* Negating the unsigned value is defined for the smallest number too. */
    uint64_t rest = n < 0 ? -(uint64_t)n : (uint64_t)n;

    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (n < 0)
        digits[--at] = '-';
    add(t, digits + at, sizeof(digits) - at);
}

void text_json(struct text *t, const char *s)
{
    if (s == NULL) {
        text_add(t, "null");
        return;
    }
    text_add(t, "\"");
    for (; *s != '\0'; s++) {
        unsigned char c = (unsigned char)*s;

        if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
            add_escaped(t, c);
        else
            add(t, s, 1);
    }
    text_add(t, "\"");
}

/* SPDX-License-Identifier: MIT */
/*
 * What of a line stays as it is lies between the slots, to be compared byte by
 * byte: names, order, blanks, true and null, and numbers that are no counts.
 *
 *     {"type":"thinking","text":"So","at":17}
 *     ^^^^^^^^^        ^^^^^^^^^^  ^^^^^^^  ^
 *
 * Values are in the document in the order of the text, each right after the
 * one before it, and containers say how far it is to their end and not where
 * that is: so they can be copied as they are.
 */
#include "actors/stream/shapes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/text/utf8.h"

#define COUNT_DIGITS 18 /* any count of so many fits */
#define HIGH_BITS 0x8080808080808080ull

struct slot {
    struct slice before; /* from the end of the slot before it */
    yyjson_val *val;
    bool is_text; /* else a count */
    size_t len;   /* of the value in the last line that had one there */
};

struct shape {
    bool is_proven; /* another line was of it */
    size_t count;
    struct slice tail; /* after the last slot */
    yyjson_val *vals;
    char *text;
    struct slot slots[];
};

void shapes_finish(struct shapes *all)
{
    for (size_t i = 0; i < SHAPES_KEPT; i++)
        free(all->known[i]);
    bytes_finish(&all->said);
    *all = (struct shapes){0};
}

/* ---- lines of a known shape ------------------------------------------ */

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the first byte is the lowest");

typedef unsigned char lanes __attribute__((vector_size(2 * sizeof(uint64_t))));

/* The first byte that does not stand for itself in a string, or end. Sets
 * bits of has_more if there may be others than ASCII before it. */
static const char *plain_end(const char *p, const char *end, uint64_t *has_more)
{
    lanes each;
    uint64_t half[2];

    for (; (size_t)(end - p) >= sizeof(each); p += sizeof(each)) {
        memcpy(half, p, sizeof(half));
        *has_more |= half[0] | half[1];
        memcpy(&each, p, sizeof(each));
        each = (lanes)((each == '"') | (each == '\\') | (each < ' '));
        memcpy(half, &each, sizeof(half));
        if ((half[0] | half[1]) != 0)
            return p + (half[0] != 0 ? __builtin_ctzll(half[0]) / 8
                                     : 8 + __builtin_ctzll(half[1]) / 8);
    }
    for (; p < end && *p != '"' && *p != '\\' && (unsigned char)*p >= ' '; p++)
        *has_more |= (unsigned char)*p;
    return p;
}

/* What a backslash and this stand for; 0 if it is no such letter. Characters
 * by number are left to reading: a CLI writes few in that way. */
static char escaped(char c)
{
    static const char chars[256] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

    return chars[(unsigned char)c];
}

/* Puts a string of escapes and others in all->said, where there is room. */
static const char *take_escaped(struct shapes *all, const char *p,
                                const char *end, uint64_t *has_more)
{
    while (p < end && *p == '\\') {
        const char *begin = p + 2, c = begin < end ? escaped(p[1]) : '\0';

        if (c == '\0')
            return end;
        bytes_append(&all->said, &c, 1);
        p = plain_end(begin, end, has_more);
        bytes_append(&all->said, begin, (size_t)(p - begin));
    }
    return p;
}

/* The take_ functions give where the slot's new value ends, or NULL. */
static const char *take_text(struct shapes *all, yyjson_val *val,
                             const char *begin, const char *end)
{
    uint64_t has_more = 0;
    const char *p = plain_end(begin, end, &has_more);
    struct slice text = slice_of(begin, (size_t)(p - begin));

    if (p < end && *p == '\\') {
        size_t from = all->said.len;

        /* Once a line: what lies in it may not move. */
        if (from == 0)
            bytes_reserve(&all->said, (size_t)(end - begin));
        bytes_append(&all->said, text.ptr, text.len);
        p = take_escaped(all, p, end, &has_more);
        text = slice_of(all->said.ptr + from, all->said.len - from);
    }
    if (p == end || *p != '"' ||
        ((has_more & HIGH_BITS) != 0 &&
         !utf8_is_valid(begin, (size_t)(p - begin))))
        return NULL;
    yyjson_set_strn(val, text.ptr, text.len);
    return p;
}

static const char *take_count(yyjson_val *val, const char *begin,
                              const char *end)
{
    const char *p = begin;
    uint64_t count = 0;

    for (; p < end && *p >= '0' && *p <= '9'; p++)
        count = count * 10 + (uint64_t)(*p - '0');
    if (p == begin || p - begin > COUNT_DIGITS ||
        (*begin == '0' && p - begin > 1))
        return NULL;
    yyjson_set_uint(val, count);
    return p;
}

/* One that fails has changed some values; each line sets all of them. */
static bool is_of(struct shapes *all, struct shape *s, struct slice text)
{
    const char *p = text.ptr, *end = text.ptr + text.len, *next;

    all->said.len = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct slot *slot = &s->slots[i];

        if (!slice_starts(slice_of(p, (size_t)(end - p)), slot->before))
            return false;
        p += slot->before.len;
        next = slot->is_text ? take_text(all, slot->val, p, end)
                             : take_count(slot->val, p, end);
        if (next == NULL)
            return false;
        slot->len = (size_t)(next - p);
        p = next;
    }
    return slice_eq(slice_of(p, (size_t)(end - p)), s->tail);
}

/* What the slot had in the line that was learnt. */
static struct slice learnt(const struct shape *s, size_t i)
{
    const struct slice *before = &s->slots[i].before,
                       *after = i + 1 < s->count ? &s->slots[i + 1].before
                                                 : &s->tail;
    const char *begin = before->ptr + before->len;

    return slice_of(begin, (size_t)(after->ptr - begin));
}

/* A text with escapes is another in the document than in the line. */
static bool is_constant(const struct slot *slot, struct slice was,
                        const char *now)
{
    return slot->is_text && slice_eq(slice_of(now, slot->len), was) &&
           memchr(was.ptr, '\\', was.len) == NULL;
}

/*
 * The first line that was found to be of the shape: texts that it has in common
 * with the one learnt (its type, its session) the next ones will have too, and
 * those slots are closed. A line that has not is of another shape.
 */
static void close_slots(struct shape *s, const char *text)
{
    const char *from = s->text, *now = text;
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        struct slot slot = s->slots[i];
        struct slice was = learnt(s, i);

        now += slot.before.len;
        if (is_constant(&slot, was, now)) {
            yyjson_set_strn(slot.val, was.ptr, was.len);
        } else {
            slot.before = slice_of(from, (size_t)(was.ptr - from));
            from = was.ptr + was.len;
            s->slots[kept++] = slot;
        }
        now += slot.len;
    }
    s->count = kept;
    s->tail = slice_of(from, (size_t)(s->tail.ptr + s->tail.len - from));
    s->is_proven = true;
}

static void put_first(struct shapes *all, struct shape *s, size_t was)
{
    memmove(all->known + 1, all->known, was * sizeof(all->known[0]));
    all->known[0] = s;
}

yyjson_val *shapes_find(struct shapes *all, struct slice text)
{
    struct shape *s;

    for (size_t i = 0; i < SHAPES_KEPT && (s = all->known[i]) != NULL; i++) {
        if (!is_of(all, s, text))
            continue;
        if (i > 0)
            put_first(all, s, i);
        if (!s->is_proven) {
            close_slots(s, text.ptr);
            all->pause = all->left = 0;
        }
        return s->vals;
    }
    return NULL;
}

/* ---- learning -------------------------------------------------------- */

/* The text is known to be JSON, so all that begins in it ends in it. */
static const char *string_end(const char *p)
{
    for (p++; *p != '"'; p++)
        p += *p == '\\';
    return p + 1;
}

/* Behind the value or key at p; p itself if none begins here. */
static const char *token_end(const char *p)
{
    if (*p == '"')
        return string_end(p);
    if (*p == '{' || *p == '[')
        return p + 1;
    return p + strcspn(p, " \t\r\n,:]}");
}

static bool is_key(const char *after)
{
    return after[strspn(after, " \t\r\n")] == ':';
}

/* Of a name with escapes the document has another text than the line. */
static bool keep_key(yyjson_val *val, const char *p, const char *after)
{
    size_t len = (size_t)(after - p) - 2;

    return yyjson_equals_strn(val, p + 1, len) &&
           yyjson_set_strn(val, p + 1, len);
}

static const char *add(struct shape *s, const char *from, const char *to,
                       yyjson_val *val)
{
    bool is_text = yyjson_is_str(val);
    struct slice before = slice_of(from, (size_t)(to + is_text - from));

    s->slots[s->count++] =
        (struct slot){.before = before, .val = val, .is_text = is_text};
    return token_end(to) - is_text;
}

/* Finds the slots; false if the shape is none to be kept. */
static bool divide(struct shape *s, size_t len, size_t vals)
{
    const char *from = s->text, *p = from, *end = from + len, *next;
    yyjson_val *val = s->vals;

    for (; p < end; p = next) {
        next = token_end(p);
        if (next == p) {
            next++;
            continue;
        }
        if (*p == '"' && is_key(next)) {
            if (!keep_key(val, p, next))
                return false;
        } else if (yyjson_is_str(val) || yyjson_is_uint(val)) {
            from = add(s, from, p, val);
        }
        val++;
    }
    assert(val == s->vals + vals);
    s->tail = slice_of(from, (size_t)(end - from));
    return true;
}

/* Values first, for they want to be aligned. What has characters by number
 * would not be found, and those like it without are learnt as well. */
static struct shape *create(struct slice text, yyjson_doc *doc)
{
    size_t vals = yyjson_doc_get_val_count(doc);
    struct shape *s;

    if (text.len > SHAPES_LINE || vals > SHAPES_VALS ||
        memmem(text.ptr, text.len, "\\u", 2) != NULL)
        return NULL;
    s = bytes_alloc(sizeof(*s) +
                    vals * (sizeof(struct slot) + sizeof(*s->vals)) + text.len +
                    1);
    *s = (struct shape){.vals = (yyjson_val *)(s->slots + vals)};
    s->text = (char *)(s->vals + vals);
    memcpy(s->vals, yyjson_doc_get_root(doc), vals * sizeof(*s->vals));
    memcpy(s->text, text.ptr, text.len);
    s->text[text.len] = '\0';
    if (divide(s, text.len, vals))
        return s;
    free(s);
    return NULL;
}

/* The place of the one that is given up for another: the oldest of those that
 * are not proven, when they are many, else the one not used for longest. */
static size_t place_of_least(const struct shapes *all)
{
    size_t last = SHAPES_KEPT - 1, fresh = 0;

    for (size_t i = 0; i < SHAPES_KEPT && all->known[i] != NULL; i++) {
        if (all->known[i]->is_proven)
            continue;
        last = i;
        fresh++;
    }
    return fresh < SHAPES_FRESH ? SHAPES_KEPT - 1 : last;
}

/* Learning costs more than reading. Where it was in vain, as the line is none
 * to be kept, or none was like one kept before, ever more are let pass. */
void shapes_learn(struct shapes *all, struct slice text, yyjson_doc *doc)
{
    size_t place = place_of_least(all);
    struct shape *least = all->known[place], *s;

    if (all->left > 0) {
        all->left--;
        return;
    }
    s = create(text, doc);
    if (s == NULL || (least != NULL && !least->is_proven))
        all->pause = all->pause * 2 + 1 < SHAPES_PAUSE ? all->pause * 2 + 1
                                                       : SHAPES_PAUSE;
    all->left = all->pause;
    if (s == NULL)
        return;
    free(least);
    put_first(all, s, place);
}

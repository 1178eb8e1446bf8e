/* SPDX-License-Identifier: MIT */
#include "transport/command/table.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>

#include "runtime/text/array.h"

#define GAP 2

void table_init(struct table *t, const struct table_column *columns,
                size_t count)
{
    assert(count <= TABLE_COLUMNS);
    *t = (struct table){.columns = columns, .count = count};
    for (size_t i = 0; i < count; i++)
        table_add(t, TERM_DIM, slice_cstr(columns[i].head));
}

void table_finish(struct table *t)
{
    bytes_finish(&t->text);
    free(t->cells);
    *t = (struct table){0};
}

void table_add(struct table *t, enum term_style style, struct slice text)
{
    size_t at = t->text.len;

    ARRAY_GROW(t->cells, t->used);
    term_text_safe(&t->text, text, TERM_TEXT_LINE);
    struct slice safe = slice_of(t->text.ptr + at, t->text.len - at);
    t->cells[t->used++] =
        (struct table_cell){.style = style,
                            .at = at,
                            .len = safe.len,
                            .columns = term_text_columns(safe)};
}

void table_addf(struct table *t, enum term_style style, const char *format, ...)
{
    struct bytes text = {0};
    va_list args;

    va_start(args, format);
    bytes_vformat(&text, format, args);
    va_end(args);
    table_add(t, style, bytes_slice(&text));
    bytes_finish(&text);
}

/* How the columns are laid out; width 0: left out. */
struct layout {
    size_t width[TABLE_COLUMNS];
};

static size_t sum(const struct table *t, const struct layout *l)
{
    size_t all = 0;

    for (size_t i = 0; i < t->count; i++)
        if (l->width[i])
            all += l->width[i] + (all ? GAP : 0);
    return all;
}

/* The sum if everything were as narrow as it may be. */
static size_t least(const struct table *t, const struct layout *l)
{
    struct layout narrow = *l;

    for (size_t i = 0; i < t->count; i++)
        if (t->columns[i].min && narrow.width[i] > t->columns[i].min)
            narrow.width[i] = t->columns[i].min;
    return sum(t, &narrow);
}

static bool spare(const struct table *t, struct layout *l)
{
    for (size_t i = t->count; i-- > 0;) {
        if (t->columns[i].is_spare && l->width[i]) {
            l->width[i] = 0;
            return true;
        }
    }
    return false;
}

/* How much is asked of the columns, in this order: words may be cut short
 * before a state, a number or an id is, and a line that breaks is worse. */
enum force { AS_THEY_MAY, TO_A_WORD, TO_NOTHING, FORCES };

#define WORD 4

static size_t narrowest(const struct table_column *c, enum force force)
{
    if (force == AS_THEY_MAY)
        return c->min;
    if (force == TO_A_WORD)
        return c->min && !c->is_id ? WORD : 0;
    return 1;
}

/* Takes one column off the widest that may give. */
static bool narrow(const struct table *t, struct layout *l, enum force force)
{
    size_t widest = t->count;

    for (size_t i = 0; i < t->count; i++) {
        size_t min = narrowest(&t->columns[i], force);
        if (min && l->width[i] > min &&
            (widest == t->count || l->width[i] > l->width[widest]))
            widest = i;
    }
    if (widest < t->count)
        l->width[widest]--;
    return widest < t->count;
}

static void lay_out(const struct table *t, size_t width, struct layout *l)
{
    *l = (struct layout){0};
    for (size_t i = 0; i < t->used; i++) {
        size_t *w = &l->width[i % t->count];
        if (t->cells[i].columns > *w)
            *w = t->cells[i].columns;
    }
    while (width && least(t, l) > width && spare(t, l))
        ;
    for (enum force f = AS_THEY_MAY; width && f < FORCES; f++)
        while (sum(t, l) > width && narrow(t, l, f))
            ;
}

static void pad(struct term *out, size_t columns)
{
    for (; columns > 0; columns--)
        fputc(' ', out->out);
}

static bool is_last(const struct table *t, const struct layout *l, size_t i)
{
    while (++i < t->count)
        if (l->width[i])
            return false;
    return true;
}

static void print_cell(const struct table *t, const struct layout *l,
                       const struct table_cell *cell, size_t i,
                       struct term *out)
{
    struct slice text = slice_of(t->text.ptr + cell->at, cell->len);
    struct bytes fit = {0};

    if (t->columns[i].is_id)
        term_text_fit_end(&fit, text, l->width[i]);
    else
        term_text_fit(&fit, text, l->width[i]);
    size_t left = l->width[i] - term_text_columns(bytes_slice(&fit));
    if (t->columns[i].is_right)
        pad(out, left);
    term_safe(out, cell->style, bytes_slice(&fit));
    bytes_finish(&fit);
    if (is_last(t, l, i))
        return;
    pad(out, (t->columns[i].is_right ? 0 : left) + GAP);
}

void table_print(const struct table *t, struct term *out)
{
    struct layout l;

    lay_out(t, out->width, &l);
    for (size_t i = 0; i < t->used; i++) {
        if (l.width[i % t->count])
            print_cell(t, &l, &t->cells[i], i % t->count, out);
        if (i % t->count == t->count - 1)
            fputc('\n', out->out);
    }
}

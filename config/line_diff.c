/* SPDX-License-Identifier: MIT */
#include "config/line_diff.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CONTEXT 3
#define CELLS (1 << 20) /* of the table; what is larger is all new */

struct lines {
    struct slice *at; /* with their line ends */
    size_t count;
};

/* A step from before to after: both lines, or one of them. */
struct step {
    char sign;       /* ' ', '-' or '+' */
    size_t old, new; /* numbers of lines that come before it */
    bool is_shown;
};

struct diff {
    struct lines a, b;
    struct step *steps;
    size_t count;
};

static struct lines split(struct slice text)
{
    struct lines l = {.at = bytes_alloc((text.len + 1) * sizeof(*l.at))};

    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end ? (size_t)(end - text.ptr) + 1 : text.len;
        l.at[l.count++] = slice_of(text.ptr, len);
        text = slice_of(text.ptr + len, text.len - len);
    }
    return l;
}

static void step(struct diff *d, char sign, size_t *old, size_t *new)
{
    d->steps[d->count++] =
        (struct step){.sign = sign, .old = *old, .new = *new};
    *old += sign != '+';
    *new += sign != '-';
}

/* The longest common rest, for each pair of places in the two middles. */
static uint32_t *rests(const struct lines *a, const struct lines *b, size_t at,
                       size_t n, size_t m)
{
    uint32_t *t = bytes_zalloc((n + 1) * (m + 1) * sizeof(*t));

    for (size_t i = n; i-- > 0;)
        for (size_t k = m; k-- > 0;) {
            uint32_t *here = &t[i * (m + 1) + k];
            if (slice_eq(a->at[at + i], b->at[at + k]))
                *here = here[m + 2] + 1;
            else
                *here = here[m + 1] > here[1] ? here[m + 1] : here[1];
        }
    return t;
}

static void walk_middle(struct diff *d, size_t *old, size_t *new, size_t n,
                        size_t m)
{
    size_t at = *old;
    uint32_t *t =
        (n + 1) * (m + 1) > CELLS ? NULL : rests(&d->a, &d->b, at, n, m);

    while (*old < at + n || *new < at + m) {
        size_t i = *old - at, k = *new - at;
        const uint32_t *here = t ? &t[i * (m + 1) + k] : NULL;
        bool is_both = here && i < n && k < m;
        if (is_both && slice_eq(d->a.at[*old], d->b.at[*new]))
            step(d, ' ', old, new);
        else if (i < n && (k == m || !is_both || here[m + 1] >= here[1]))
            step(d, '-', old, new);
        else
            step(d, '+', old, new);
    }
    free(t);
}

static void walk(struct diff *d)
{
    const struct lines *a = &d->a, *b = &d->b;
    size_t head = 0, tail = 0, old = 0, new = 0;
    size_t least = a->count < b->count ? a->count : b->count;

    while (head < least && slice_eq(a->at[head], b->at[head]))
        head++;
    while (tail < least - head &&
           slice_eq(a->at[a->count - 1 - tail], b->at[b->count - 1 - tail]))
        tail++;
    while (old < head)
        step(d, ' ', &old, &new);
    walk_middle(d, &old, &new, a->count - head - tail, b->count - head - tail);
    while (old < a->count)
        step(d, ' ', &old, &new);
}

static void show(struct diff *d, size_t first, size_t last)
{
    for (size_t i = 0; i < d->count; i++) {
        if (d->steps[i].sign == ' ')
            continue;
        size_t from = i < CONTEXT ? 0 : i - CONTEXT;
        for (size_t k = from; k <= i + CONTEXT && k < d->count; k++) {
            struct step *s = &d->steps[k];
            s->is_shown |= s->sign != ' ' || (s->old >= first && s->old < last);
        }
    }
}

static void put_range(struct bytes *out, char sign, size_t before, size_t count)
{
    bytes_format(out, " %c%zu", sign, count > 0 ? before + 1 : before);
    if (count != 1)
        bytes_format(out, ",%zu", count);
}

static void put_line(struct bytes *out, char sign, struct slice line)
{
    bytes_append(out, &sign, 1);
    bytes_append(out, line.ptr, line.len);
    if (line.ptr[line.len - 1] != '\n')
        bytes_format(out, "\n\\ No newline at end of file\n");
}

/* The steps from i on that are shown; returns where they end. */
static size_t put_hunk(struct bytes *out, const struct diff *d, size_t i)
{
    const struct step *first = &d->steps[i];
    size_t end = i, old = 0, new = 0;

    for (; end < d->count && d->steps[end].is_shown; end++) {
        old += d->steps[end].sign != '+';
        new += d->steps[end].sign != '-';
    }
    bytes_format(out, "@@");
    put_range(out, '-', first->old, old);
    put_range(out, '+', first->new, new);
    bytes_format(out, " @@\n");
    for (; i < end; i++) {
        const struct step *s = &d->steps[i];
        put_line(out, s->sign,
                 s->sign == '+' ? d->b.at[s->new] : d->a.at[s->old]);
    }
    return end;
}

void line_diff(struct bytes *out, const char *name, struct slice before,
               struct slice after, size_t first, size_t last)
{
    struct diff d = {.a = split(before), .b = split(after)};

    d.steps = bytes_zalloc((d.a.count + d.b.count + 1) * sizeof(*d.steps));
    walk(&d);
    show(&d, first, last);
    for (size_t i = 0; i < d.count;) {
        if (!d.steps[i].is_shown) {
            i++;
            continue;
        }
        if (out->len == 0 && before.ptr == NULL)
            bytes_format(out, "--- /dev/null\n+++ b/%s\n", name);
        else if (out->len == 0)
            bytes_format(out, "--- a/%s\n+++ b/%s\n", name, name);
        i = put_hunk(out, &d, i);
    }
    free(d.steps);
    free(d.a.at);
    free(d.b.at);
}

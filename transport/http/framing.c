/* SPDX-License-Identifier: MIT */
#include "transport/http/framing.h"

#include <stdlib.h>

#define FINAL_TEXT 0x81
/* A ring that had to be larger than this is given back once it is empty. */
#define KEPT 1024

static struct framing_frame *create(size_t len)
{
    struct framing_frame *f = bytes_alloc(sizeof(*f) + len);

    f->refs = 1;
    f->len = len;
    return f;
}

/* How many bytes of length follow the first, which is returned in *first. */
static size_t length_bytes(size_t len, unsigned char *first)
{
    if (len < 126) {
        *first = (unsigned char)len;
        return 0;
    }
    *first = len <= UINT16_MAX ? 126 : 127;
    return len <= UINT16_MAX ? 2 : 8;
}

struct framing_frame *framing_text(struct slice text)
{
    unsigned char first;
    size_t more = length_bytes(text.len, &first);
    struct framing_frame *f = create(2 + more + text.len);

    f->bytes[0] = (char)FINAL_TEXT;
    f->bytes[1] = (char)first;
    for (size_t i = 0; i < more; i++)
        f->bytes[2 + i] = (char)(text.len >> (8 * (more - 1 - i)));
    memcpy(f->bytes + 2 + more, text.ptr, text.len);
    return f;
}

struct framing_frame *framing_raw(struct slice bytes)
{
    struct framing_frame *f = create(bytes.len);

    memcpy(f->bytes, bytes.ptr, bytes.len);
    return f;
}

struct framing_frame *framing_keep(struct framing_frame *f)
{
    f->refs++;
    return f;
}

void framing_drop(struct framing_frame *f)
{
    if (f != NULL && --f->refs == 0)
        free(f);
}

/* ---- the queue ---------------------------------------------------------- */

static struct framing_frame **place(const struct framing *q, size_t i)
{
    return &q->ring[(q->head + i) & (q->capacity - 1)];
}

struct framing_frame *framing_at(const struct framing *q, size_t i)
{
    return *place(q, i);
}

static void make_room(struct framing *q)
{
    struct framing more = {.capacity = q->capacity == 0 ? 64 : q->capacity * 2};

    if (q->count < q->capacity)
        return;
    more.ring = bytes_alloc(more.capacity * sizeof(struct framing_frame *));
    for (size_t i = 0; i < q->count; i++)
        more.ring[i] = framing_at(q, i);
    free(q->ring);
    q->ring = more.ring;
    q->capacity = more.capacity;
    q->head = 0;
}

void framing_push(struct framing *q, struct framing_frame *f)
{
    make_room(q);
    *place(q, q->count++) = framing_keep(f);
    q->bytes += f->len;
}

void framing_push_first(struct framing *q, struct framing_frame *f)
{
    make_room(q);
    q->head--; /* wraps with the mask */
    for (size_t i = 0; i < q->flying; i++)
        *place(q, i) = framing_at(q, i + 1);
    *place(q, q->flying) = framing_keep(f);
    q->count++;
    q->bytes += f->len;
}

static void give_back(struct framing *q)
{
    if (q->count > 0 || q->capacity <= KEPT)
        return;
    free(q->ring);
    *q = (struct framing){0};
}

void framing_land(struct framing *q)
{
    for (; q->flying > 0; q->flying--, q->head++, q->count--) {
        q->bytes -= framing_at(q, 0)->len;
        framing_drop(framing_at(q, 0));
    }
    give_back(q);
}

void framing_shed(struct framing *q)
{
    while (q->count > q->flying) {
        struct framing_frame *f = framing_at(q, --q->count);

        q->bytes -= f->len;
        framing_drop(f);
    }
    give_back(q);
}

void framing_finish(struct framing *q)
{
    q->flying = 0;
    framing_shed(q);
    free(q->ring);
    *q = (struct framing){0};
}

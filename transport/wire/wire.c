/* SPDX-License-Identifier: MIT */
#include "transport/wire/wire.h"

#include <errno.h>
#include <string.h>

#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

void wire_put(struct bytes *out, enum wire_kind kind, unsigned flags,
              uint64_t handle, struct slice payload)
{
    struct wire_head head = {.length = (uint32_t)payload.len,
                             .kind = (uint8_t)kind,
                             .flags = (uint8_t)flags,
                             .handle = handle};

    bytes_reserve(out, sizeof(head) + payload.len);
    bytes_append(out, (const char *)&head, sizeof(head));
    bytes_append(out, payload.ptr, payload.len);
}

/* 128 and above are two bytes of UTF-8. */
void wire_put_bytes(struct bytes *out, struct slice text)
{
    struct bytes wide = {0};

    bytes_reserve(&wide, 2 * text.len);
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];

        if (c >= 0x80)
            wide.ptr[wide.len++] = (char)(0xc0 | c >> 6);
        wide.ptr[wide.len++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    json_quoted(out, bytes_slice(&wide));
    bytes_finish(&wide);
}

bool wire_take_bytes(struct bytes *out, struct slice string)
{
    size_t step;
    uint32_t code;

    for (size_t i = 0; i < string.len; i += step) {
        char byte;

        step = utf8_decode(string.ptr + i, string.len - i, &code);
        if (step == 0 || code > 0xff)
            return false;
        byte = (char)code;
        bytes_append(out, &byte, 1);
    }
    return true;
}

/* What was given out is dropped here and only here: so frames stay valid. */
char *wire_space(struct wire_reader *r, size_t want)
{
    struct bytes *b = &r->buffer;

    if (r->used > 0) {
        memmove(b->ptr, b->ptr + r->used, b->len - r->used);
        b->len -= r->used;
        r->used = 0;
    }
    if (b->len == 0)
        bytes_clear(b, 1 << 20);
    bytes_reserve(b, want);
    return b->ptr + b->len;
}

void wire_filled(struct wire_reader *r, size_t bytes)
{
    r->buffer.len += bytes;
}

int wire_next(struct wire_reader *r, struct wire_frame *frame)
{
    const char *at = r->buffer.ptr + r->used;
    size_t left = r->buffer.len - r->used;

    if (left < sizeof(frame->head))
        return 0;
    memcpy(&frame->head, at, sizeof(frame->head));
    if (frame->head.length > WIRE_LIMIT || frame->head.zero != 0)
        return -EPROTO;
    if (left - sizeof(frame->head) < frame->head.length)
        return 0;
    frame->payload = slice_of(at + sizeof(frame->head), frame->head.length);
    r->used += sizeof(frame->head) + frame->head.length;
    return 1;
}

void wire_finish(struct wire_reader *r)
{
    bytes_finish(&r->buffer);
    r->used = 0;
}

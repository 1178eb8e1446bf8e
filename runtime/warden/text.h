/*
 * A text that grows in a buffer of fixed size. What does not fit is left out
 * and remembered in is_cut, so that only the end of a message is checked.
 * It stands in for printf, which would double the warden's resident memory.
 */
#ifndef RUNTIME_WARDEN_TEXT_H
#define RUNTIME_WARDEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *at;
    size_t len;
    size_t size;
    bool is_cut;
};

/* The buffer stays the caller's and must outlive the text. */
void text_init(struct text *t, char *buf, size_t size);

void text_add(struct text *t, const char *s);
void text_number(struct text *t, int64_t n);

/* Adds s as a JSON string with its quotes, or null where s is NULL. */
void text_json(struct text *t, const char *s);

#endif

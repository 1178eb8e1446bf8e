/* utf8 mends text of unknown origin, so that only valid UTF-8 leaves it. */
#ifndef RUNTIME_TEXT_UTF8_H
#define RUNTIME_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes;

/* The longest length <= cap that does not cut a UTF-8 character of str. */
size_t utf8_cut(const char *str, size_t len, size_t cap);

/* The length of the first so many characters of str, which is valid. */
size_t utf8_prefix(const char *str, size_t len, size_t characters);

/* Bytes of the character at str, and its code; 0 if it is broken. len > 0. */
size_t utf8_decode(const char *str, size_t len, uint32_t *code);

/* Whether there is nothing to mend in it. */
bool utf8_is_valid(const char *str, size_t len);

/*
 * Appends str to out with every maximal broken sequence replaced by U+FFFD.
 * Returns how many were replaced. Linear; out grows to at most three times len.
 */
size_t utf8_repair(const char *str, size_t len, struct bytes *out);

/*
 * The same for the text of a JSON document, where \ud800..\udfff escapes that
 * have no partner are broken characters too: a CLI that cuts its deltas by
 * UTF-16 units writes half an emoji in that way.
 */
size_t utf8_repair_json(const char *str, size_t len, struct bytes *out);

#endif

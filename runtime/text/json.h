/* json appends JSON to a buffer; whatever it is given, what it writes is valid
 * JSON without a newline, so that a message stays one line. */
#ifndef RUNTIME_TEXT_JSON_H
#define RUNTIME_TEXT_JSON_H

#include <yyjson.h>

#include "runtime/text/bytes.h"

/* Text that is JSON already, or a piece of it. */
void json_raw(struct bytes *out, struct slice text);
#define JSON_RAW(out, literal) json_raw(out, SLICE(literal))
/* A quoted string; bytes that are no UTF-8 become U+FFFD. */
void json_string(struct bytes *out, struct slice text);
/* The same of text that is known to be UTF-8. */
void json_quoted(struct bytes *out, struct slice text);
/* The inside of a string, for one that is put together from pieces. */
void json_escaped(struct bytes *out, struct slice text);
/* Integral values without a fraction; what JSON cannot say becomes 0. */
void json_number(struct bytes *out, double number);
void json_uint(struct bytes *out, uint64_t number);
void json_bool(struct bytes *out, bool value);
/* "2026-02-13T12:00:00.000Z" for milliseconds of the wall clock; 0 is null. */
void json_time(struct bytes *out, uint64_t ms);
/* `"name":`, after a comma unless an object has just begun. */
void json_key(struct bytes *out, struct slice name);
#define JSON_KEY(out, literal) json_key(out, SLICE(literal))
/* The same and its value. */
#define JSON_TEXT(out, literal, text)                                          \
    (JSON_KEY(out, literal), json_string(out, text))
#define JSON_UINT(out, literal, number)                                        \
    (JSON_KEY(out, literal), json_uint(out, number))
#define JSON_BOOL(out, literal, value)                                         \
    (JSON_KEY(out, literal), json_bool(out, value))
void json_val(struct bytes *out, yyjson_val *val);
/* Whether text is one JSON value; then its compact form is appended. */
bool json_compact(struct bytes *out, struct slice text);

#endif

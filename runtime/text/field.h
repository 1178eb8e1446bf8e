/* field reads members of a JSON object that may be anything or missing. */
#ifndef RUNTIME_TEXT_FIELD_H
#define RUNTIME_TEXT_FIELD_H

#include <stdbool.h>
#include <stdint.h>

#include <yyjson.h>

#include "runtime/text/slice.h"

/* obj may be NULL or no object: then nothing is there. Never recursive. */
static inline yyjson_val *field_get(yyjson_val *obj, struct slice key)
{
    return yyjson_obj_getn(obj, key.ptr, key.len);
}

#define FIELD(obj, literal) field_get(obj, SLICE(literal))

/* The value as text; empty if it is no string. */
static inline struct slice field_text(yyjson_val *val)
{
    return yyjson_is_str(val) ? slice_of(unsafe_yyjson_get_str(val),
                                         unsafe_yyjson_get_len(val))
                              : SLICE_EMPTY;
}

#define FIELD_TEXT(obj, literal) field_text(FIELD(obj, literal))

/* A count: 0 unless it is a number >= 0, or a string of digits as Cursor
 * writes 64-bit ones. Fractions are cut, what is too big is the maximum. */
uint64_t field_count(yyjson_val *val);
#define FIELD_COUNT(obj, literal) field_count(FIELD(obj, literal))

/* The first of the keys (ended by an empty one) whose value is a text. */
struct slice field_first_text(yyjson_val *obj, const struct slice *keys);
/* The first of the keys that is there as a number, or 0. */
uint64_t field_first_count(yyjson_val *obj, const struct slice *keys);

#endif

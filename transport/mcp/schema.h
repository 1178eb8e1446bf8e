/*
 * schema checks a JSON value against a JSON Schema of the kind our tools use.
 *
 * Known: type (a name or several), properties, required, additionalProperties
 * (true, false), items, minItems, maxItems, minimum, maximum, minLength and
 * maxLength (bytes; a text of blanks alone has none), enum, format (time),
 * isSynonymOf (ours: another name of a property, which clients are not told),
 * and the annotations title, description, default, examples. A test refuses a
 * table that uses any other word, so nothing is silently not checked.
 */
#ifndef TRANSPORT_MCP_SCHEMA_H
#define TRANSPORT_MCP_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <yyjson.h>

#include "runtime/text/slice.h"

enum schema_rule {
    SCHEMA_GOOD,
    SCHEMA_UNKNOWN, /* a property that the schema does not have */
    SCHEMA_MISSING,
    SCHEMA_TYPE,
    SCHEMA_ENUM,
    SCHEMA_RANGE,
    SCHEMA_EMPTY, /* fewer items than minItems 1 */
    SCHEMA_COUNT,
    SCHEMA_LENGTH,
    SCHEMA_BLANK, /* nothing but blanks where minLength wants something */
    SCHEMA_FORMAT,
    SCHEMA_NUL, /* U+0000 in a string: no path, no argument can carry it */
};

#define SCHEMA_PATH 200

/* The first thing found wrong: unknown names, then missing ones, then values
 * in the schema's order. */
struct schema_problem {
    enum schema_rule rule;
    char path[SCHEMA_PATH]; /* agents[1].timeout_ms; "" is the whole value */
    yyjson_val *schema;     /* the part that was not met */
    yyjson_val *val;        /* the value, NULL if missing */
};

/* Depth is bounded by the schema's, whatever the value's. */
bool schema_check(yyjson_val *schema, yyjson_val *val,
                  struct schema_problem *problem);
/* Whether a value has this property of the schema, by whichever name. */
bool schema_has(yyjson_val *schema, yyjson_val *val, struct slice name);
/* Whether a number is integral and fits: also 1e3 and 7.0, and numbers that
 * the reader left as text. */
bool schema_int(yyjson_val *val, int64_t *number);
/* Whether the schema itself has only words from above; else the word. */
bool schema_is_known(yyjson_val *schema, struct slice *word);

#endif

/* Texts with named holes, and values for them. */
#ifndef ACTORS_LAUNCH_PROMPT_FILL_H
#define ACTORS_LAUNCH_PROMPT_FILL_H

#include "runtime/text/bytes.h"

struct prompt_value {
    const char *name;
    struct slice value;
};

/* The value of a name of len bytes; false leaves the hole as it is. */
typedef bool (*prompt_lookup)(const void *ctx, struct slice name,
                              struct slice *value);

void prompt_put(struct bytes *out, const char *text);
/* Appends text with {name} (braces 1) or {{name}} (braces 2) replaced, in one
 * pass: what was put in is not looked at again. */
void prompt_fill(struct bytes *out, const char *text, size_t braces,
                 prompt_lookup lookup, const void *ctx);
/* The same for {name} from a list that ends with a NULL name. */
void prompt_fill_list(struct bytes *out, const char *text,
                      const struct prompt_value *values);
/* The number in decimal digits, in buf. */
struct slice prompt_number(char buf[24], long long number);

#endif

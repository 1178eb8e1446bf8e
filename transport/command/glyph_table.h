/* glyph_table has the characters that do not take one column. */
#ifndef TRANSPORT_COMMAND_GLYPH_TABLE_H
#define TRANSPORT_COMMAND_GLYPH_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct glyph_range {
    uint32_t first, last;
};

/* Both in ascending order. */
extern const struct glyph_range glyph_zero[], glyph_wide[];
extern const size_t glyph_zero_count, glyph_wide_count;

#endif

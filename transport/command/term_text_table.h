/* term_text_table has the characters that do not take one column. */
#ifndef TRANSPORT_COMMAND_TERM_TEXT_TABLE_H
#define TRANSPORT_COMMAND_TERM_TEXT_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct term_text_range {
    uint32_t first, last;
};

/* Both in ascending order. */
extern const struct term_text_range term_text_zero[], term_text_wide[];
extern const size_t term_text_zero_count, term_text_wide_count;

#endif

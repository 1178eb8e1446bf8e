/*
 * A table is rows of cells in columns that fit the terminal: columns that may
 * be narrowed are, and those that can be spared are left out, last first.
 */
#ifndef TRANSPORT_COMMAND_TABLE_H
#define TRANSPORT_COMMAND_TABLE_H

#include "transport/command/term.h"

#define TABLE_COLUMNS 12

struct table_column {
    const char *head;
    size_t min;    /* may be narrowed down to this; 0: may not */
    bool is_id;    /* what is cut of it is its beginning: ends tell apart */
    bool is_right; /* numbers */
    bool is_spare; /* left out where the rest would not fit otherwise */
};

struct table_cell {
    enum term_style style;
    size_t at, len; /* in text */
    size_t columns;
};

struct table {
    const struct table_column *columns;
    size_t count;
    struct bytes text; /* of all cells, safe */
    struct table_cell *cells;
    size_t used;
};

/* columns is borrowed; at most TABLE_COLUMNS. */
void table_init(struct table *t, const struct table_column *columns,
                size_t count);
void table_finish(struct table *t);
/* The next cell, row by row; a row is to be filled whole. */
void table_add(struct table *t, enum term_style style, struct slice text);
__attribute__((format(printf, 3, 4))) void table_addf(struct table *t,
                                                      enum term_style style,
                                                      const char *format, ...);
/* The heads are in it also if there are no rows. */
void table_print(const struct table *t, struct term *out);

#endif

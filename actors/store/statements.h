/* Statements are the SQL behind the rows that are written (rows.h). */
#ifndef ACTORS_STORE_STATEMENTS_H
#define ACTORS_STORE_STATEMENTS_H

#include "actors/store/rows.h"

#define STATEMENT_PARTS 5 /* SQL texts that are one statement */

/* The next SQL text of a statement; NULL after the last. */
const char *statement_part(enum store_statement statement, unsigned part);
unsigned statement_params(enum store_statement statement);

#endif

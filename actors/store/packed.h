/* Packed are texts in the database that are large and seldom read. */
#ifndef ACTORS_STORE_PACKED_H
#define ACTORS_STORE_PACKED_H

#include <sqlite3.h>

#include "runtime/text/bytes.h"

/* Makes packed(TEXT) known to this connection: a blob. An SQLite code. */
int packed_register(sqlite3 *db);
/* The text of so many bytes that is in it, appended; false: it is not. */
bool packed_read(struct slice blob, size_t bytes, struct bytes *out);

#endif

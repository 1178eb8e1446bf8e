/* The tables of the database, as they are and were: a file of any version is
 * brought up to the newest. */
#ifndef ACTORS_STORE_TABLES_H
#define ACTORS_STORE_TABLES_H

#include <sqlite3.h>

#define TABLES_VERSION 14
#define TABLES_APPLICATION 0x4b75726f /* "Kuro" */

/* What makes version i + 1 of version i; TABLES_VERSION of them. */
const char *const *tables_steps(void);
/* Brings a file of any version up to `count`, whole or not at all. An SQLite
 * code. */
int tables_migrate(sqlite3 *db, const char *const *steps, int count);

#endif

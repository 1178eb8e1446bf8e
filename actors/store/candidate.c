/* SPDX-License-Identifier: MIT */
#include "actors/store/candidate.h"

#include "actors/store/database.h"
#include "actors/store/peek.h"
#include "actors/store/query.h"

bool candidate_is_good(const char *path, struct store_why *why)
{
    return database_check(path, why) == SQLITE_OK;
}

int64_t candidate_unfinished(const char *path)
{
    struct store_why ignored;
    struct peek p;
    int64_t count = 0;
    enum peek_verdict verdict = peek_open(&p, path, &ignored);

    if (verdict == PEEK_FINE || verdict == PEEK_OLDER)
        query_sql_number(p.db, "SELECT count(*) FROM agents WHERE gone_at = 0",
                         &count);
    peek_close(&p);
    return count;
}

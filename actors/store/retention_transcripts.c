/* SPDX-License-Identifier: MIT */
/*
 * Which transcripts are to be packed or dropped. What happens on disk is told
 * back and kept with the agent, so that no directory is ever looked at twice.
 */
#include "actors/store/retention.h"

#include "actors/store/cleaner.h"
#include "actors/store/inside.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"

#define LIST 256 /* at a time; the next when these are done */

/* The newest may stay, as long as all together they fit. */
#define OVER_BYTES                                                             \
    " FROM (SELECT id, sum(transcript) OVER (ORDER BY gone_at DESC,"           \
    " serial DESC) AS total FROM agents INDEXED BY agents_kept"                \
    " WHERE gone_at > 0 AND form < 2 AND transcript > 0)"                      \
    " WHERE total > ?1"
#define TO_DROP                                                                \
    " FROM agents INDEXED BY agents_kept WHERE gone_at > 0 AND form < 2"       \
    " AND gone_at <= ?1"
#define TO_PACK                                                                \
    " FROM agents INDEXED BY agents_whole WHERE gone_at > 0 AND form = 0"      \
    " AND gone_at <= ?1"

struct choice {
    char letter;
    bool is_wanted;
    int64_t number;
    const char *list, *count;
};

/* What the policy says now. */
static void choices(struct rt_turn *t, const struct store *s,
                    struct choice out[3])
{
    uint64_t now = rt_wall_ms(t),
             age = (uint64_t)s->retention.transcript_days * RETENTION_DAY_MS;
    int64_t cutoff = now > age ? (int64_t)(now - age) : 0;

    out[0] = (struct choice){
        CLEANER_DROP, s->retention.keep_bytes > 0, s->retention.keep_bytes,
        "SELECT id" OVER_BYTES " LIMIT ?2", "SELECT count(*)" OVER_BYTES};
    out[1] = (struct choice){
        CLEANER_DROP, s->retention.transcripts == CONFIG_DROP_TRANSCRIPTS,
        cutoff, "SELECT id" TO_DROP " LIMIT ?2", "SELECT count(*)" TO_DROP};
    out[2] = (struct choice){
        CLEANER_PACK, s->retention.transcripts == CONFIG_COMPRESS_TRANSCRIPTS,
        cutoff, "SELECT id" TO_PACK " LIMIT ?2", "SELECT count(*)" TO_PACK};
}
#undef OVER_BYTES
#undef TO_DROP
#undef TO_PACK

static int put_ids(struct store *s, const struct choice *c,
                   struct cleaner_list *out)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&q, c->list);
    query_int(&q, c->number);
    query_int(&q, (int64_t)(LIST - out->count));
    code = query_prepare(s->db, &q, &row);
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        bytes_append(&out->lines, (char[]){c->letter, ' '}, 2);
        json_raw(&out->lines, query_column(row, 0));
        JSON_RAW(&out->lines, "\n");
        out->count++;
        code = SQLITE_OK;
    }
    sqlite3_finalize(row);
    query_finish(&q);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

void retention_list_transcripts(struct rt_turn *t, struct store *s)
{
    struct cleaner_list *list = cleaner_list_create();
    struct choice all[3];

    choices(t, s, all);
    for (unsigned i = 0; i < 3 && s->db != NULL; i++)
        if (all[i].is_wanted && put_ids(s, &all[i], list) != SQLITE_OK)
            break; /* the next removal will say what is wrong */
    s->retention.has_more_transcripts = list->count >= LIST;
    if (list->count > 0)
        rt_pass(t, s->registry, STORE_TRANSCRIPTS, &list->obj);
    rt_obj_drop(&list->obj);
}

int retention_count_transcripts(struct rt_turn *t, struct store *s,
                                uint64_t *drop, uint64_t *pack)
{
    struct choice all[3];
    int code = SQLITE_OK;

    *drop = *pack = 0;
    choices(t, s, all);
    for (unsigned i = 0; i < 3 && code == SQLITE_OK; i++) {
        struct query q = {0};
        int64_t n = 0;

        if (!all[i].is_wanted)
            continue;
        query_add(&q, all[i].count);
        query_int(&q, all[i].number);
        code = query_number(s->db, &q, &n);
        query_finish(&q);
        *(all[i].letter == CLEANER_DROP ? drop : pack) += (uint64_t)n;
    }
    return code;
}

void retention_on_transcripts(struct rt_turn *t, struct store *s,
                              bool has_helped)
{
    if (s->retention.has_more_transcripts && has_helped)
        retention_list_transcripts(t, s);
}

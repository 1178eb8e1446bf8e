/* SPDX-License-Identifier: MIT */
/*
 * The picture of a past moment: the last checkpoint before it, the events from
 * there on, and of agents that had not ended their newest samples.
 */
#include "actors/store/ask.h"

#include "actors/store/packed.h"
#include "actors/store/picture.h"
#include "actors/store/query.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"

/* A number below it is an event's; from it on, milliseconds (of 2001). */
#define FIRST_TIME ((int64_t)1000000000000)

struct moment {
    bool is_seq;
    int64_t seq, at;
    sqlite3 *db;
    sqlite3_stmt *samples;
};

/* ---- which moment ------------------------------------------------------- */

static void read_number(int64_t number, int64_t *seq, int64_t *time)
{
    *(number < FIRST_TIME ? seq : time) = number;
}

bool ask_read_at(yyjson_val *at, int64_t *seq, int64_t *time)
{
    struct slice text = field_text(at);
    int64_t number = 0;

    *seq = *time = -1;
    if (yyjson_is_num(at)) {
        read_number((int64_t)field_count(at), seq, time);
        return true;
    }
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9' || text.len > 15)
            return moment_read(text, time);
        number = number * 10 + (text.ptr[i] - '0');
    }
    read_number(number, seq, time);
    return text.len > 0;
}

/* The first from this number on, and its time; 0: there is none. */
static int look_at(sqlite3 *db, int64_t from, int64_t *seq, int64_t *at)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    int code;

    *seq = *at = 0;
    query_add(&q, "SELECT seq, at FROM events");
    query_where(&q, " WHERE seq >= ?%u ORDER BY seq LIMIT 1",
                query_int(&q, from));
    code = query_prepare(db, &q, &row);
    if (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        *seq = sqlite3_column_int64(row, 0);
        *at = sqlite3_column_int64(row, 1);
    }
    sqlite3_finalize(row);
    query_finish(&q);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* By halves, for there is no index of times: events were added in the order
 * of time. */
int ask_seq_at(sqlite3 *db, int64_t time, int64_t *out)
{
    int64_t low = 0, high = 0, seq, at;
    int code = query_sql_number(
        db, "SELECT coalesce((SELECT max(seq) FROM events), 0)", &high);

    while (code == SQLITE_OK && low < high) {
        int64_t middle = low + (high - low + 1) / 2;

        code = look_at(db, middle, &seq, &at);
        if (code == SQLITE_OK && at <= time)
            low = seq;
        else
            high = middle - 1;
    }
    *out = low;
    return code;
}

/* ---- the first complete one --------------------------------------------- */

int ask_find_begin(sqlite3 *db, int64_t *seq, uint64_t *at)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(
        db, "SELECT seq, at FROM checkpoints ORDER BY seq LIMIT 1", -1, &row,
        NULL);

    *seq = 0;
    if (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        *seq = sqlite3_column_int64(row, 0);
        *at = query_count(row, 1);
    }
    sqlite3_finalize(row);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

int ask_put_begins(struct bytes *out, sqlite3 *db)
{
    int64_t seq;
    uint64_t at;
    int code = ask_find_begin(db, &seq, &at);

    JSON_KEY(out, "begins");
    if (seq == 0) {
        JSON_RAW(out, "null");
        return code;
    }
    JSON_RAW(out, "{");
    JSON_UINT(out, "seq", (uint64_t)seq);
    JSON_KEY(out, "at");
    json_time(out, at);
    JSON_RAW(out, "}");
    return code;
}

/* ---- the picture -------------------------------------------------------- */

static int load(sqlite3 *db, int64_t seq, struct picture **out)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    struct bytes json = {0};
    int code;

    query_add(&q, "SELECT bytes, data FROM checkpoints");
    query_where(&q, " WHERE seq <= ?%u ORDER BY seq DESC LIMIT 1",
                query_int(&q, seq));
    code = query_prepare(db, &q, &row);
    if (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW &&
        packed_read(slice_of(sqlite3_column_blob(row, 1),
                             (size_t)sqlite3_column_bytes(row, 1)),
                    query_count(row, 0), &json))
        *out = picture_create(bytes_slice(&json));
    bytes_finish(&json);
    sqlite3_finalize(row);
    query_finish(&q);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

static int fold(sqlite3 *db, int64_t upto, struct picture *p)
{
    struct query q = {0};
    sqlite3_stmt *row = NULL;
    int code;

    query_add(&q, "SELECT seq, at, type, data FROM events");
    query_where(&q, " WHERE seq > ?%u", query_int(&q, (int64_t)picture_seq(p)));
    query_where(&q, " AND seq <= ?%u ORDER BY seq", query_int(&q, upto));
    code = query_prepare(db, &q, &row);
    while (code == SQLITE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        picture_fold(p, &(struct picture_event){.seq = query_count(row, 0),
                                                .at = query_count(row, 1),
                                                .type = query_column(row, 2),
                                                .data = query_column(row, 3)});
        code = SQLITE_OK;
    }
    sqlite3_finalize(row);
    query_finish(&q);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* ---- samples ------------------------------------------------------------ */

static const char samples_sql[] =
    "SELECT " ASK_SAMPLE " FROM samples WHERE agent ="
    " (SELECT max(serial) FROM agents WHERE id = ?1) AND at >= ?2"
    " AND at <= ?3 AND follows < ?4 ORDER BY at DESC LIMIT 1";

void ask_read_sample(struct picture_sample *out, sqlite3_stmt *row, int first)
{
    *out = (struct picture_sample){
        .tool_calls = query_count(row, first),
        .usage = {.input = query_count(row, first + 1),
                  .output = query_count(row, first + 2),
                  .cache_read = query_count(row, first + 3),
                  .cache_write = query_count(row, first + 4),
                  .cost = query_count(row, first + 5),
                  .has_cost =
                      sqlite3_column_type(row, first + 5) != SQLITE_NULL},
        .edited = query_count(row, first + 6),
        .created = query_count(row, first + 7),
        .tool = query_column(row, first + 8),
        .said = query_column(row, first + 9),
        .title = query_column(row, first + 10),
        .tool_at = query_count(row, first + 11)};
}

/* What it gives is good until the next time. */
static bool sample_of(void *ctx, struct slice agent, uint64_t since,
                      struct picture_sample *out)
{
    struct moment *m = ctx;

    sqlite3_reset(m->samples);
    sqlite3_bind_text64(m->samples, 1, agent.ptr, agent.len, SQLITE_STATIC,
                        SQLITE_UTF8);
    sqlite3_bind_int64(m->samples, 2, (int64_t)since);
    sqlite3_bind_int64(m->samples, 3, m->is_seq ? INT64_MAX : m->at);
    sqlite3_bind_int64(m->samples, 4, m->is_seq ? m->seq : INT64_MAX);
    if (sqlite3_step(m->samples) != SQLITE_ROW)
        return false;
    ask_read_sample(out, m->samples, 0);
    return true;
}

static int put(struct question *q, struct moment *m, struct picture *p)
{
    struct bytes *out = &q->a->json;
    int code = sqlite3_prepare_v2(m->db, samples_sql, -1, &m->samples, NULL);

    if (code != SQLITE_OK)
        return code;
    picture_put(out, p,
                &(struct picture_moment){.at = m->is_seq ? picture_at(p)
                                                         : (uint64_t)m->at,
                                         .sample_of = sample_of,
                                         .ctx = m});
    sqlite3_finalize(m->samples);
    out->len--; /* its brace */
    code = ask_put_begins(out, m->db);
    JSON_RAW(out, "}");
    return code;
}

/* ---- the question ------------------------------------------------------- */

static int refuse_unkept(struct question *q)
{
    struct bytes time = {0};
    int64_t seq;
    uint64_t at;
    int code = ask_find_begin(q->s->db, &seq, &at);

    if (code != SQLITE_OK)
        return code;
    if (seq == 0) {
        ASK_REFUSE(q, CODE_VALIDATION_ERROR, MOMENT_NONE_KEPT, "'at'");
        return SQLITE_OK;
    }
    json_time(&time, at); /* in quotes */
    ASK_REFUSE(q, CODE_VALIDATION_ERROR, MOMENT_NOT_KEPT, (long long)seq,
               (int)time.len - 2, time.ptr + 1);
    bytes_finish(&time);
    return SQLITE_OK;
}

/* The number of the last event up to the moment. 0: it has been refused. */
static int resolve(struct question *q, struct moment *m, int64_t *upto)
{
    int64_t last = 0;
    int code = query_sql_number(
        m->db, "SELECT coalesce((SELECT max(seq) FROM events), 0)", &last);

    *upto = m->seq;
    if (code == SQLITE_OK && !m->is_seq)
        return ask_seq_at(m->db, m->at, upto);
    if (code == SQLITE_OK && m->seq > last) {
        *upto = 0;
        ASK_REFUSE(q, CODE_VALIDATION_ERROR, MOMENT_NOT_YET, (long long)m->seq,
                   (long long)last);
    }
    return code;
}

int ask_snapshot(struct question *q)
{
    struct moment m = {.db = q->s->db};
    struct picture *p = NULL;
    int64_t upto = 0;
    int code;

    if (!ask_read_at(FIELD(q->o->args, "at"), &m.seq, &m.at)) {
        ASK_REFUSE(q, CODE_VALIDATION_ERROR, MOMENT_UNREADABLE, "'at'");
        return SQLITE_OK;
    }
    m.is_seq = m.seq >= 0;
    if (m.at > (int64_t)rt_wall_ms(q->t)) /* whoever asks may be ahead */
        m.at = (int64_t)rt_wall_ms(q->t);
    code = resolve(q, &m, &upto);
    if (code == SQLITE_OK && q->a != NULL)
        code = load(m.db, upto, &p);
    if (code == SQLITE_OK && p != NULL)
        code = fold(m.db, upto, p);
    if (code == SQLITE_OK && p != NULL)
        code = put(q, &m, p);
    else if (code == SQLITE_OK && q->a != NULL)
        code = refuse_unkept(q);
    picture_destroy(p);
    return code;
}

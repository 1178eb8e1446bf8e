/* SPDX-License-Identifier: MIT */
#include "actors/store/work_moment.h"

#include "actors/store/ask.h"
#include "runtime/text/json.h"

static bool refuse_unkept(struct work *w, int64_t begin, uint64_t at)
{
    struct bytes time = {0};

    if (begin == 0) {
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, MOMENT_NONE_KEPT, "'at'");
        return false;
    }
    json_time(&time, at); /* in quotes */
    WORK_REFUSE(w, CODE_VALIDATION_ERROR, MOMENT_NOT_KEPT, (long long)begin,
                (int)time.len - 2, time.ptr + 1);
    bytes_finish(&time);
    return false;
}

/* The event of that number, or the last before it. */
static void read_time(struct work *w, struct work_moment *m)
{
    struct sql q = sql_open(w, "SELECT at FROM events WHERE seq <= ?1"
                               " ORDER BY seq DESC LIMIT 1");

    sql_int(&q, 1, m->seq);
    if (sql_next(&q))
        m->at = sql_number(&q, 0);
    sql_close(&q);
}

static int64_t newest(struct work *w)
{
    struct sql q = sql_open(w, "SELECT coalesce(max(seq), 0) FROM events");
    int64_t seq = sql_next(&q) ? sql_number(&q, 0) : 0;

    sql_close(&q);
    return seq;
}

static bool find_number(struct work *w, struct work_moment *m)
{
    int64_t last;

    if (m->seq < 0) {
        if (m->at > (int64_t)w->now) /* whoever asks may be ahead */
            m->at = (int64_t)w->now;
        w->code = ask_seq_at(w->db, m->at, &m->seq);
        return w->code == SQLITE_OK;
    }
    last = newest(w);
    if (m->seq > last) {
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, MOMENT_NOT_YET, (long long)m->seq,
                    (long long)last);
        return false;
    }
    read_time(w, m);
    return true;
}

bool work_moment_read(struct work *w, struct work_moment *m)
{
    yyjson_val *at = FIELD(w->order->args, "at");
    int64_t begin;
    uint64_t begin_at;

    *m = (struct work_moment){.seq = INT64_MAX, .at = INT64_MAX};
    if (at == NULL || yyjson_is_null(at))
        return true;
    m->is_past = true;
    if (!ask_read_at(at, &m->seq, &m->at)) {
        WORK_REFUSE(w, CODE_VALIDATION_ERROR, MOMENT_UNREADABLE, "'at'");
        return false;
    }
    if (!find_number(w, m))
        return false;
    w->code = ask_find_begin(w->db, &begin, &begin_at);
    if (w->code == SQLITE_OK && (begin == 0 || m->seq < begin))
        return refuse_unkept(w, begin, begin_at);
    return w->code == SQLITE_OK;
}

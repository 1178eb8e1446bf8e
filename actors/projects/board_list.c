/* SPDX-License-Identifier: MIT */
#include "actors/projects/board.h"

/* What an answer is to have at most, about. */
#define LIST_MAX ((size_t)4 << 20)

static void find_touched(struct board_walk *walk, const struct board_list *list,
                         struct bytes *keys)
{
    struct sql q;

    if (!walk->moment->is_past) {
        JSON_RAW(keys, "[]");
        return;
    }
    q = sql_open(walk->work, list->touched);
    sql_int(&q, 1, walk->moment->seq);
    if (sql_next(&q))
        json_raw(keys, sql_column(&q, 0));
    sql_close(&q);
}

/* Two statements, each in order, are one list: those from rows and those from
 * the feed. */
struct sides {
    struct sql rows, was;
    bool has_row, has_was;
};

static void open_sides(struct sides *s, const struct board_walk *walk,
                       const struct board_list *list, struct slice touched)
{
    *s = (struct sides){.rows = sql_open(walk->work, list->rows)};
    sql_text(&s->rows, 1, touched);
    sql_text_or_null(&s->rows, 2, walk->of);
    s->has_row = sql_next(&s->rows);
    if (!walk->moment->is_past)
        return;
    s->was = sql_open(walk->work, list->was);
    sql_text(&s->was, 1, touched);
    sql_text_or_null(&s->was, 2, walk->of);
    sql_int(&s->was, 3, walk->moment->seq);
    s->has_was = sql_next(&s->was);
}

static bool is_row_next(const struct sides *s, int number)
{
    struct slice row, was;
    int order;

    if (!s->has_row || !s->has_was)
        return s->has_row;
    if (sql_number(&s->rows, number) != sql_number(&s->was, 2))
        return sql_number(&s->rows, number) < sql_number(&s->was, 2);
    row = sql_column(&s->rows, 0);
    was = sql_column(&s->was, 0);
    order = memcmp(row.ptr, was.ptr, row.len < was.len ? row.len : was.len);
    return order < 0 || (order == 0 && row.len < was.len);
}

static void put_next(struct board_walk *walk, const struct board_list *list,
                     struct bytes *out, struct sides *s)
{
    bool is_row = is_row_next(s, list->number);
    struct board_entry e = {.row = is_row ? &s->rows : NULL};

    e.key = sql_column(is_row ? &s->rows : &s->was, 0);
    if (is_row) {
        list->put(out, &s->rows);
    } else {
        e.data = sql_column(&s->was, 1);
        json_raw(out, slice_of(e.data.ptr, e.data.len - 1)); /* the brace */
    }
    if (walk->on_entry != NULL)
        walk->on_entry(walk->ctx, out, &e);
    JSON_RAW(out, "}");
    if (is_row)
        s->has_row = sql_next(&s->rows);
    else
        s->has_was = sql_next(&s->was);
}

/* All of them are walked, for they may be counted. */
void board_put_list(struct board_walk *walk, const struct board_list *list,
                    struct bytes *out)
{
    struct bytes touched = {0};
    bool is_first = true;
    struct sides s;

    find_touched(walk, list, &touched);
    open_sides(&s, walk, list, bytes_slice(&touched));
    JSON_RAW(out, "[");
    while (s.has_row || s.has_was) {
        size_t before = out->len;

        if (!is_first)
            JSON_RAW(out, ",");
        put_next(walk, list, out, &s);
        if (before > LIST_MAX) {
            out->len = before;
            walk->is_cut = true;
        }
        is_first = false;
    }
    JSON_RAW(out, "]");
    sql_close(&s.rows);
    if (walk->moment->is_past)
        sql_close(&s.was);
    bytes_finish(&touched);
}

/* SPDX-License-Identifier: MIT */
/*
 * One task: all that was kept of it, to whom it went, and what became of it.
 * Texts are whole, but for what has changed since the moment: then they are as
 * the feed has them.
 */
#include "actors/projects/board.h"

#define HISTORY 200

/* clang-format off */
static const struct board_list task = {
    .touched = BOARD_TOUCHED("pm:task", BOARD_MEMBER("id")),
    .rows = "SELECT " TASK_COLUMNS ", 0 FROM pm_tasks t WHERE "
            BOARD_UNTOUCHED("t.id") " AND t.id = ?2",
    .was = BOARD_WAS("pm:task", BOARD_MEMBER("id"), "0", "key"),
    .number = 17,
    .put = task_put_row,
};

static const struct board_list notes = {
    .touched = BOARD_TOUCHED("pm:context", BOARD_MEMBER("id")),
    .rows = "SELECT " NOTE_COLUMNS ", number FROM pm_contexts WHERE "
            BOARD_UNTOUCHED("id") " AND task = ?2 ORDER BY number",
    .was = BOARD_WAS("pm:context", BOARD_MEMBER("id"), "0",
                     BOARD_MEMBER("task_id")),
    .number = 10,
    .put = note_put_row,
};

static const struct board_list handoffs = {
    .touched = BOARD_TOUCHED("pm:handoff", BOARD_MEMBER("id")),
    .rows = "SELECT " HANDOFF_TOLD ", h.number FROM pm_handoffs h"
            " JOIN pm_tasks t ON t.id = h.task WHERE " BOARD_UNTOUCHED("h.id")
            " AND h.task = ?2 ORDER BY h.number",
    .was = BOARD_WAS("pm:handoff", BOARD_MEMBER("id"), "(SELECT number FROM"
            " pm_handoffs WHERE id = key)", BOARD_MEMBER("task_id"))
            " ORDER BY 3",
    .number = 12,
    .put = handoff_put_row,
};
static const char history[] =
    "SELECT seq, at, " BOARD_MEMBER("event") ", "
    BOARD_MEMBER("previous_state") ", " BOARD_MEMBER("new_state") ", "
    BOARD_MEMBER("reason") ", " BOARD_MEMBER("by")
    " FROM events WHERE type = 'pm:task' AND seq <= ?2 AND "
    BOARD_MEMBER("id") " = ?1 ORDER BY seq DESC LIMIT ?3";
/* clang-format on */

/* The newest first. */
static void put_history(struct work *w, struct bytes *out, struct slice id,
                        int64_t seq)
{
    static const struct slice names[] = {
        SLICE_INIT("event"), SLICE_INIT("previous_state"),
        SLICE_INIT("new_state"), SLICE_INIT("reason"), SLICE_INIT("by")};
    struct sql q = sql_open(w, history);
    struct slice comma = SLICE_EMPTY;

    sql_text(&q, 1, id);
    sql_int(&q, 2, seq);
    sql_int(&q, 3, HISTORY);
    JSON_RAW(out, "[");
    while (sql_next(&q)) {
        json_raw(out, comma);
        JSON_RAW(out, "{");
        JSON_UINT(out, "seq", (uint64_t)sql_number(&q, 0));
        PM_TIME(out, "at", sql_number(&q, 1));
        for (int i = 0; i < 5; i++)
            pm_put_text(out, names[i], sql_column(&q, i + 2));
        JSON_RAW(out, "}");
        comma = SLICE(",");
    }
    sql_close(&q);
    JSON_RAW(out, "]");
}

/* False: there was none then, and it was refused. */
static bool put_task(struct board_walk *walk, struct bytes *out)
{
    struct slice brief = order_brief(walk->of);
    struct bytes text = {0};
    bool is_there;

    board_put_list(walk, &task, &text);
    is_there = text.len > 2;
    if (is_there)
        json_raw(out, slice_of(text.ptr + 1, text.len - 2));
    else
        WORK_REFUSE(walk->work, CODE_TASK_NOT_FOUND, PM_NO_TASK, (int)brief.len,
                    brief.ptr);
    bytes_finish(&text);
    return is_there;
}

void board_get_task(struct work *w)
{
    struct work_moment m;
    struct board_walk walk = {
        .work = w, .moment = &m, .of = PM_ARG(w, "task_id")};
    struct bytes text = {0}, *out;

    if (work_moment_read(w, &m) && put_task(&walk, &text)) {
        out = work_answer(w);
        JSON_RAW(out, "{\"task\":");
        json_raw(out, bytes_slice(&text));
        JSON_KEY(out, "contexts");
        board_put_list(&walk, &notes, out);
        JSON_KEY(out, "handoffs");
        board_put_list(&walk, &handoffs, out);
        JSON_KEY(out, "history");
        put_history(w, out, walk.of, m.seq);
        JSON_RAW(out, "}");
    }
    bytes_finish(&text);
}

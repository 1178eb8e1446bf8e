/* SPDX-License-Identifier: MIT */
#include "actors/registry/line_times.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "runtime/text/array.h"

/* ---- notes ------------------------------------------------------------- */

void line_times_finish(struct line_times *l)
{
    free(l->items);
    *l = (struct line_times){0};
}

static void append(struct line_times *l, uint64_t up_to, uint64_t at)
{
    ARRAY_GROW(l->items, l->count);
    l->items[l->count++] = (struct story_time){.up_to = up_to, .at = at};
    l->up_to = up_to;
}

/* Without those that the next one can stand for: since the last that was kept
 * before it, less than that much time has gone by. */
static size_t drop_close(struct line_times *l, uint64_t pause)
{
    size_t kept = 0;

    for (size_t i = 0; i < l->count; i++) {
        uint64_t before = kept > 0 ? l->items[kept - 1].at : 0;
        uint64_t next = i + 1 < l->count ? l->items[i + 1].at : 0;

        if (l->items[i].at == 0 || before == 0 || next == 0 ||
            next - before >= pause)
            l->items[kept++] = l->items[i];
    }
    return kept;
}

/* Nothing has been written for long: what is close together goes first. */
static void thin(struct line_times *l)
{
    for (uint64_t pause = 2 * LINE_TIMES_PAUSE_MS;
         l->count > LINE_TIMES_MAX / 2 && pause < UINT64_MAX / 2; pause *= 2)
        l->count = drop_close(l, pause);
}

/* Times do not go back, whatever the clock does. */
static uint64_t not_before(const struct line_times *l, uint64_t now)
{
    uint64_t last = l->count > 0 ? l->items[l->count - 1].at : l->fixed_at;

    return now > last ? now : last;
}

static bool may_move(const struct line_times *l, uint64_t now)
{
    uint64_t pause = (now - l->first_at) / 1000;

    if (pause < LINE_TIMES_PAUSE_MS)
        pause = LINE_TIMES_PAUSE_MS;
    return l->count > 0 && l->items[l->count - 1].at != 0 && l->fixed_at != 0 &&
           now - l->fixed_at < pause;
}

void line_times_note(struct line_times *l, uint64_t up_to, uint64_t past,
                     uint64_t now)
{
    if (past > 0 && !l->has_gap) {
        append(l, past, 0);
        l->has_gap = true;
    }
    if (up_to <= l->up_to)
        return;
    now = not_before(l, now);
    if (l->first_at == 0)
        l->first_at = now;
    if (may_move(l, now)) {
        l->items[l->count - 1] = (struct story_time){.up_to = up_to, .at = now};
        l->up_to = up_to;
        return;
    }
    if (l->count > 0 && l->items[l->count - 1].at != 0)
        l->fixed_at = l->items[l->count - 1].at;
    if (l->count == LINE_TIMES_MAX)
        thin(l);
    append(l, up_to, now);
}

/* ---- rows -------------------------------------------------------------- */

static void put(struct store_write *w, const struct agent_entry *agent,
                const struct story_time *time)
{
    store_row(w, STORE_ADD_TIME);
    store_int(w, (int64_t)agent->serial);
    store_int(w, (int64_t)time->up_to);
    store_int(w, (int64_t)time->at);
}

/* All but so many of the newest. */
static void put_but(struct store_write *w, struct agent_entry *agent,
                    size_t left)
{
    struct line_times *l = &agent->times;
    size_t written = l->count - left;

    for (size_t i = 0; i < written; i++)
        put(w, agent, &l->items[i]);
    memmove(l->items, l->items + written, left * sizeof(*l->items));
    l->count = left;
}

static void wait_no_more(struct registry *r, struct agent_entry *agent)
{
    if (agent->is_timed)
        LIST_REMOVE(&r->times.waiting, agent, timed);
    agent->is_timed = false;
}

void line_times_take(struct rt_turn *t, struct registry *r,
                     struct agent_entry *agent, uint64_t up_to, uint64_t past)
{
    if (r->durable.store.id == 0)
        return;
    line_times_note(&agent->times, up_to, past, rt_wall_ms(t));
    if (agent->is_timed || agent->times.count < 2)
        return;
    agent->is_timed = true;
    LIST_PREPEND(&r->times.waiting, agent, timed);
}

void line_times_put(struct registry *r, struct store_write *w)
{
    LIST_EACH (agent, &r->times.waiting, timed) {
        put_but(w, agent, 1);
        wait_no_more(r, agent);
    }
}

void line_times_end(struct registry *r, struct agent_entry *agent,
                    struct store_write *w)
{
    wait_no_more(r, agent);
    if (w != NULL && agent->times.count > 0)
        put_but(w, agent, 0);
    line_times_finish(&agent->times);
}

struct story_times line_times_copy(const struct agent_entry *agent)
{
    const struct line_times *l = &agent->times;
    struct story_time *items;

    if (l->count == 0)
        return (struct story_times){0};
    items = bytes_alloc(l->count * sizeof(*items));
    memcpy(items, l->items, l->count * sizeof(*items));
    return (struct story_times){.items = items, .count = l->count};
}

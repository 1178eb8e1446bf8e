/* SPDX-License-Identifier: MIT */
#include "actors/registry/samples.h"

#include <stdlib.h>

#include "actors/registry/inside.h"
#include "runtime/text/array.h"

/* ---- notes -------------------------------------------------------------- */

static uint64_t period_of(const struct samples *s)
{
    return s->period > 0 ? s->period : SAMPLES_PERIOD_MS;
}

static bool is_same(const struct sample *a, const struct sample *b)
{
    return a->tool_calls == b->tool_calls && a->live.edited == b->live.edited &&
           a->live.created == b->live.created &&
           spend_is_same(&a->live.usage, &b->live.usage) &&
           strcmp(a->live.tool, b->live.tool) == 0 &&
           strcmp(a->live.title, b->live.title) == 0 &&
           a->live.tool_at == b->live.tool_at &&
           slice_eq(bytes_slice(&a->said), bytes_slice(&b->said));
}

static void set(struct sample *to, const struct sample *from)
{
    struct bytes said = to->said;

    *to = *from;
    to->said = said;
    to->said.len = 0;
    bytes_append(&to->said, from->said.ptr, from->said.len);
}

/* Nothing has been written for long. The last one stays. */
static void thin(struct samples *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++) {
        if (i % 2 == 1 || i + 1 == s->count)
            s->items[kept++] = s->items[i];
        else
            bytes_finish(&s->items[i].said);
    }
    s->count = kept;
    s->period = 2 * period_of(s);
}

static void append(struct samples *s, const struct sample *now)
{
    if (s->count == SAMPLES_WAITING)
        thin(s);
    ARRAY_GROW(s->items, s->count);
    s->items[s->count] = (struct sample){0};
    set(&s->items[s->count++], now);
    s->began = now->at;
}

/* One whose period is over has been written, or will not change any more. */
bool samples_note(struct samples *s, const struct sample *now)
{
    if (s->count > 0 && is_same(&s->items[s->count - 1], now))
        return false;
    if (s->count > 0 && now->at < s->began + period_of(s))
        set(&s->items[s->count - 1], now);
    else
        append(s, now);
    return true;
}

void samples_finish(struct samples *s)
{
    for (size_t i = 0; i < s->count; i++)
        bytes_finish(&s->items[i].said);
    free(s->items);
    *s = (struct samples){0};
}

/* ---- rows --------------------------------------------------------------- */

static void put(struct registry *r, struct store_write *w,
                const struct agent_entry *agent, const struct sample *s)
{
    uint64_t cost;

    store_row(w, STORE_ADD_SAMPLE);
    store_int(w, (int64_t)agent->serial);
    store_int(w, (int64_t)s->at);
    store_int(w, (int64_t)s->follows);
    store_int(w, (int64_t)s->tool_calls);
    store_int(w, (int64_t)s->live.usage.input);
    store_int(w, (int64_t)s->live.usage.output);
    store_int(w, (int64_t)s->live.usage.cache_read);
    store_int(w, (int64_t)s->live.usage.cache_write);
    if (spend_price(r, agent, &s->live.usage, &cost))
        store_int(w, (int64_t)cost);
    else
        store_null(w);
    store_int(w, s->live.edited);
    store_int(w, s->live.created);
    store_text(w, slice_cstr(s->live.tool));
    store_text(w, bytes_slice(&s->said));
    store_text(w, slice_cstr(s->live.title));
    store_int(w, (int64_t)s->live.tool_at);
}

static void put_thin(struct store_write *w, const struct agent_entry *agent)
{
    store_row(w, STORE_THIN_SAMPLES);
    store_int(w, (int64_t)agent->serial);
}

static void thin_written(struct store_write *w, struct agent_entry *agent)
{
    struct samples *s = &agent->samples;

    if (s->written < SAMPLES_WRITTEN)
        return;
    put_thin(w, agent);
    s->written /= 2;
    s->period = 2 * period_of(s);
}

static void wait_no_more(struct registry *r, struct agent_entry *agent)
{
    if (agent->is_sampled)
        LIST_REMOVE(&r->samples.waiting, agent, sampled);
    agent->is_sampled = false;
}

/* All but so many of the newest. */
static void put_but(struct registry *r, struct store_write *w,
                    struct agent_entry *agent, size_t left)
{
    struct samples *s = &agent->samples;
    size_t written = s->count > left ? s->count - left : 0;

    if (written == 0)
        return;
    for (size_t i = 0; i < written; i++) {
        put(r, w, agent, &s->items[i]);
        bytes_finish(&s->items[i].said);
    }
    memmove(s->items, s->items + written,
            (s->count - written) * sizeof(*s->items));
    s->count -= written;
    s->written += (unsigned)written;
}

void samples_take(struct rt_turn *t, struct registry *r,
                  struct agent_entry *agent)
{
    struct sample now = {.at = rt_wall_ms(t),
                         .follows = r->seq,
                         .tool_calls = agent->tool_calls,
                         .live = *agent->live,
                         .said = agent->said};

    if (r->durable.store.id == 0 || agent_entry_is_done(agent) ||
        !samples_note(&agent->samples, &now) || agent->is_sampled)
        return;
    agent->is_sampled = true;
    LIST_PREPEND(&r->samples.waiting, agent, sampled);
}

/* The newest waits for its period's end: it may yet be another one. */
void samples_put(struct rt_turn *t, struct registry *r, struct store_write *w)
{
    uint64_t now = rt_wall_ms(t);

    LIST_EACH (agent, &r->samples.waiting, sampled) {
        struct samples *s = &agent->samples;
        bool is_over = now >= s->began + period_of(s);

        put_but(r, w, agent, is_over ? 0 : 1);
        thin_written(w, agent);
        if (is_over)
            wait_no_more(r, agent);
    }
}

void samples_end(struct registry *r, struct agent_entry *agent,
                 struct store_write *w)
{
    wait_no_more(r, agent);
    if (w != NULL) {
        put_but(r, w, agent, 0);
        if (agent->samples.written > SAMPLES_KEPT)
            put_thin(w, agent);
    }
    samples_finish(&agent->samples);
}

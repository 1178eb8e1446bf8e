/* SPDX-License-Identifier: MIT */
/* Transcripts on their way to the owners, and the look at what no event tells
 * of. */
#include "runtime/process/processes.h"

/* Chunks read in one turn: the loop has others to serve. */
#define PUMP_CHUNKS 64

void processes_pump_soon(struct rt_turn *t, struct processes *ps)
{
    if (ps->is_pumping)
        return;
    ps->is_pumping = true;
    rt_tell(t, rt_self(t), PROCESSES_PUMP, NULL, 0);
}

/* Not woken by what is written meanwhile: that is what the rest is for. */
void processes_rest(struct rt_turn *t, struct processes *ps, uint64_t ms)
{
    if (ps->is_resting)
        return;
    ps->is_resting = true;
    processes_unwatch(t, ps, tails_fd(ps->tails));
    rt_after(t, ms - 1, PROCESSES_RESTED); /* the clock rounds up */
}

void processes_on_rested(struct rt_turn *t, struct processes *ps)
{
    ps->is_resting = false;
    if (processes_watch(t, ps, tails_fd(ps->tails), FD_TAILS, NULL) != 0)
        processes_rest(t, ps, TAIL_LONG_PAUSE_MS);
    tails_look(ps->tails);
    processes_pump(t, ps);
}

void processes_pump(struct rt_turn *t, struct processes *ps)
{
    for (unsigned i = 0; i < PUMP_CHUNKS; i++) {
        struct tail *from;
        struct process_chunk *chunk = tails_read(ps->tails, &from);

        if (from == NULL) {
            if (tails_are_blind(ps->tails))
                processes_look_soon(t, ps);
            return;
        }
        if (chunk != NULL)
            rt_pass_take(t, ((struct child *)from)->owner, PROCESS_CHUNK,
                         &chunk->obj);
        if (from->is_drained)
            child_finish(t, ps, (struct child *)from);
    }
    processes_pump_soon(t, ps);
}

/* ---- the regular look ------------------------------------------------ */

void processes_look_soon(struct rt_turn *t, struct processes *ps)
{
    if (ps->is_looking)
        return;
    ps->is_looking = true;
    rt_after(t, PROCESSES_LOOK_MS, PROCESSES_LOOK);
}

void processes_look(struct rt_turn *t, struct processes *ps)
{
    ps->is_looking = false;
    link_look(t, ps);
    LIST_EACH (c, &ps->children, link)
        child_look(t, ps, c);
}

/* SPDX-License-Identifier: MIT */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/stories/fake_inside.h"
#include "tests/stories/lines.h"

/* Nobody is patient for longer than this; some scripts use all they get. */
#define USUAL_GRACE_MS 400

static void free_exit(struct rt_obj *o)
{
    free(o);
}

static struct process_exit *make_exit(enum process_reason reason,
                                      const char *stderr_tail)
{
    size_t len = strlen(stderr_tail);
    struct process_exit *exit = bytes_zalloc(sizeof(*exit) + len);

    rt_obj_init(&exit->obj, free_exit);
    exit->reason = reason;
    exit->stderr_len = exit->stderr_bytes = len;
    memcpy(exit->stderr_tail, stderr_tail, len);
    return exit;
}

struct process_exit *fake_never_ran(void)
{
    struct process_exit *exit = make_exit(PROCESS_NEVER_RAN, "");

    snprintf(exit->error, sizeof(exit->error), "ENOENT");
    snprintf(exit->stage, sizeof(exit->stage), "exec");
    snprintf(exit->detail, sizeof(exit->detail), "no such program");
    return exit;
}

/* Its relay's connection ends with it. */
static void leave(struct rt_turn *t, struct fake *w, struct proc *p,
                  struct process_exit *exit)
{
    exit->started_at = p->started_at;
    exit->ended_at = rt_wall_ms(t);
    exit->elapsed_ms = exit->ended_at - exit->started_at;
    exit->stdout_bytes = p->out.len;
    p->exit = exit;
    if (p->step != 0)
        rt_cancel(t, p->step);
    if (p->death != 0)
        rt_cancel(t, p->death);
    p->step = p->death = 0;
    if (p->client != NULL) {
        client_hang_up(p->client);
        rt_tell(t, rt_parent(t), WORLD_CLOSE, &p->client, sizeof(p->client));
    }
    fake_pump(t, w, p);
}

void fake_exit(struct rt_turn *t, struct fake *w, struct proc *p, int code)
{
    struct process_exit *exit =
        make_exit(PROCESS_EXITED, code != 0 ? "it went wrong\n" : "");

    exit->has_code = true;
    exit->code = code;
    leave(t, w, p, exit);
}

void fake_order_end(struct rt_turn *t, const struct fake *w, struct proc *p,
                    uint64_t grace_ms)
{
    uint64_t usual = grace_ms < USUAL_GRACE_MS ? grace_ms : USUAL_GRACE_MS;

    if (p->exit != NULL)
        return;
    p->is_end_wanted = true;
    p->grace_ms = grace_ms;
    if (!p->is_started)
        return; /* its warden will hear of it when it comes */
    if (p->death != 0)
        rt_cancel(t, p->death);
    p->death = rt_after(t, p->is_stubborn ? grace_ms : fake_draw(t, w, usual),
                        FAKE_DEATH);
}

/* Some have a last word when they are told to end. */
void fake_die(struct rt_turn *t, struct fake *w, struct proc *p)
{
    struct process_exit *exit = make_exit(PROCESS_ORDERED, "");

    exit->has_signal = true;
    exit->signal = p->is_stubborn ? SIGKILL : SIGTERM;
    if (rt_random(t) % 4 == 0)
        lines_message(&p->out, "interrupted");
    if (rt_random(t) % 8 == 0)
        lines_result(&p->out, p->spec->id, rt_random(t) % 2 == 0);
    leave(t, w, p, exit);
}

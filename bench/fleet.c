/* SPDX-License-Identifier: MIT */
#include "bench/fleet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "actors/agent/agent.h"
#include "runtime/os.h"

struct fleet {
    const struct fleet_order *order;
    struct fleet_report *report;
    const char *home; /* directory */
    struct rt_ref processes;
    unsigned gone;
    uint64_t begun;
};

static double since(struct rt_turn *t, uint64_t begun)
{
    return (double)(rt_now(t) - begun) / 1e9;
}

static void launch(struct rt_turn *t, struct fleet *f, unsigned i)
{
    char id[32], dir[256], variable[80];
    const char *env[] = {"PATH=/usr/bin:/bin", variable, NULL};
    struct process_spec spec = {.id = id,
                                .dir = dir,
                                .argv = f->order->argv,
                                .envp = env,
                                .grace_ms = 1000};
    struct agent_def def = {.backend = &backend_cursor,
                            .processes = f->processes,
                            .listener = rt_self(t),
                            .line_limit = f->order->line_limit,
                            .exit_grace_ms = AGENT_EXIT_GRACE_MS,
                            .report_grace_ms = AGENT_REPORT_GRACE_MS};
    struct agent_def *made;
    struct process_spec *run;
    struct rt_ref ref;

    snprintf(id, sizeof(id), "bench-%u", i);
    snprintf(dir, sizeof(dir), "%s/%s", f->home, id);
    snprintf(variable, sizeof(variable), "KUROMAJUTSU_AGENT_ID=%s", id);
    def.id = id;
    made = agent_def_create(&def);
    ref = agent_spawn(t, made);
    rt_obj_drop(&made->obj);
    run = process_spec_create(&spec);
    rt_pass_take(t, ref, AGENT_RUN, &run->obj);
}

static enum rt_next fleet_start(struct rt_turn *t, void *state)
{
    struct fleet *f = *(struct fleet **)state;
    char socket[256];
    struct process_config config = {.socket = socket,
                                    .warden = f->order->warden,
                                    .build = "bench",
                                    .lease_ms = 10000,
                                    .spawn_home = RT_LOOP(1)};

    snprintf(socket, sizeof(socket), "%s/hub.sock", f->home);
    f->processes = processes_spawn(t, RT_LOOP(0), &config);
    f->begun = rt_now(t);
    for (unsigned i = 0; i < f->order->agents; i++)
        launch(t, f, i);
    return RT_OK;
}

static void on_news(struct fleet *f, const struct agent_view *v)
{
    if (!(v->news & AGENT_NEWS_GONE))
        return;
    f->gone++;
    f->report->lines += v->progress.lines;
    f->report->bytes += v->progress.bytes;
    f->report->completed += v->state == AGENT_COMPLETED;
    if (v->state != AGENT_COMPLETED)
        fprintf(stderr, "%s: %s: %.*s\n", v->id, agent_state_name(v->state),
                (int)v->result->error.len, v->result->error.ptr);
}

static enum rt_next fleet_handle(struct rt_turn *t, void *state,
                                 struct rt_msg *m)
{
    struct fleet *f = *(struct fleet **)state;

    if (m->kind == RT_EXIT && rt_same(m->from, f->processes))
        return rt_fail(t, ((struct rt_end *)rt_body(m))->error);
    if (m->kind == AGENT_NEWS)
        on_news(f, RT_OBJ(m, struct agent_view));
    if (f->gone < f->order->agents)
        return RT_OK;
    f->report->seconds = since(t, f->begun);
    return RT_STOP;
}

static const struct rt_behaviour behaviour = {.name = "fleet",
                                              .size = sizeof(struct fleet *),
                                              .start = fleet_start,
                                              .handle = fleet_handle};

static double cpu_seconds(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static uint64_t peak_resident(void)
{
    struct rusage use;

    getrusage(RUSAGE_SELF, &use);
    return (uint64_t)use.ru_maxrss * 1024;
}

static void remove_home(const char *home)
{
    char command[300];

    snprintf(command, sizeof(command), "rm -rf '%s'", home);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", home);
}

/*
 * In memory where the system has such a place: what is measured here is
 * reading, and a disk has no part in it.
 */
static const char *pattern(void)
{
    return access("/dev/shm", W_OK) == 0 ? "/dev/shm/kuromajutsu-bench-XXXXXX"
                                         : "/tmp/kuromajutsu-bench-XXXXXX";
}

int fleet_run(const struct fleet_order *order, struct fleet_report *report)
{
    char home[64];
    struct fleet f = {.order = order, .report = report}, *state = &f;
    struct rt_config config = {.loops = 2};
    double cpu = cpu_seconds();
    uint64_t leaks, files;
    unsigned room = process_raise_limits(&files);

    memset(report, 0, sizeof(*report));
    snprintf(home, sizeof(home), "%s", pattern());
    if ((f.home = mkdtemp(home)) == NULL) {
        perror("mkdtemp");
        return -1;
    }
    if (room < order->agents)
        fprintf(stderr, "warning: descriptors for %u processes only\n", room);
    leaks = rt_join(rt_start(&config, &behaviour, &state));
    report->cpu_seconds = cpu_seconds() - cpu;
    report->peak_bytes = peak_resident();
    remove_home(home);
    if (leaks == 0 && report->completed == order->agents)
        return 0;
    fprintf(stderr, "%" PRIu64 " leaks, %u of %u agents completed\n", leaks,
            report->completed, order->agents);
    return -1;
}

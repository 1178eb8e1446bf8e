/* SPDX-License-Identifier: MIT */
#include "runtime/warden/cli_setup.h"

#include <unistd.h>

pid_t cli_setup(const struct options *o, int dir, struct stderrlog *log,
                struct output *output, struct memory *memory,
                struct cli_failure *f)
{
    struct cli c = {.argv = o->program,
                    .cwd = o->cwd,
                    .stdin_path = o->stdin_path,
                    .nice = o->nice,
                    .files = o->files};
    int error = stderrlog_open(log, dir, o->stderr_limit, &c.err);

    if (error != 0) {
        *f = (struct cli_failure){-error, "stderr"};
        return -1;
    }
    c.out = output_open(output, dir);
    if (c.out < 0)
        *f = (struct cli_failure){-c.out, "stdout"};
    error = memory_open(memory, o->cgroup, o->memory_max);
    if (error != 0)
        *f = (struct cli_failure){-error, "cgroup"};
    c.procs = memory->procs;

    pid_t pid = f->error != 0 ? -1 : cli_start(&c, f);

    /* Else the pipe would never end. */
    close(c.err);
    return pid;
}

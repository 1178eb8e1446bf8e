/*
 * The agent's CLI: the one program a warden starts, and how it is dressed.
 */
#ifndef RUNTIME_WARDEN_CLI_H
#define RUNTIME_WARDEN_CLI_H

#include <stdint.h>
#include <sys/types.h>

struct cli {
    char **argv;     /* argv[0] is looked up on PATH unless it has a slash */
    const char *cwd; /* NULL: stay */
    const char *stdin_path; /* NULL: /dev/null */
    int64_t nice;           /* how much nicer than the caller */
    int64_t files;          /* its limit of open ones; 0: the caller's */
    int procs;              /* of the cgroup it is to enter; -1: stays */
    int out;                /* become 1 and 2; they stay the caller's */
    int err;
};

struct cli_failure {
    int error;         /* an errno, 0 where the program runs */
    const char *stage; /* "exec", "chdir", "cgroup", "stdin" or "spawn" */
};

/*
 * Starts the program in a session of its own, with default signals, to be
 * killed with its parent. Returns its pid, or -1 with *f saying what failed;
 * then nothing is left to reap. Descriptors above 2 must be O_CLOEXEC.
 */
pid_t cli_start(const struct cli *c, struct cli_failure *f);

#endif

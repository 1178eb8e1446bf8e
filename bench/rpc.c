/* SPDX-License-Identifier: MIT */
/*
 * A client that measures an MCP server, one figure a run:
 *
 *   rpc p50 N PARAMS            ns of a tools/call, one after the other, median
 *   rpc p99 N PARAMS            the same, 99th of a hundred
 *   rpc lone_p50 N PARAMS       the same, each after some idle milliseconds, as
 *   rpc lone_p99 N PARAMS       a person's or a model's calls come
 *   rpc rate N WINDOW PARAMS    calls per second, WINDOW of them in flight
 *   rpc start N METHOD PARAMS SERVER [ARG...]
 *                               ns from the start of a server to the answer of
 *                               this method, the handshake between; median
 *
 * All but the last find a server that is already greeted: it reads what we
 * write to descriptor 3, and we read what it writes at descriptor 4.
 */
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/dialog.h"
#include "runtime/os.h"

enum { TO_SERVER = 3, FROM_SERVER = 4, WARM_UP = 200 };

#define LONE "lone_"

extern char **environ;

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Sorts them. */
static double percentile(uint64_t *taken, unsigned n, unsigned percent)
{
    qsort(taken, n, sizeof(*taken), compare);
    return (double)taken[(uint64_t)n * percent / 100];
}

static void ask_and_hear(struct dialog *d)
{
    dialog_ask(d, 1);
    while (d->answered < d->asked)
        dialog_hear(d);
}

/* Of three to seven milliseconds: in step with nobody's clock. */
static void be_idle(unsigned i)
{
    nanosleep(&(struct timespec){.tv_nsec = 3000000 + i * 1618033 % 4000000},
              NULL);
}

static double one_by_one(unsigned n, unsigned percent, bool is_lone,
                         const char *params)
{
    uint64_t *taken = calloc(n, sizeof(*taken));
    struct dialog d;
    double figure;

    dialog_init(&d, TO_SERVER, FROM_SERVER, "tools/call", params);
    for (unsigned i = 0; i < WARM_UP; i++)
        ask_and_hear(&d);
    for (unsigned i = 0; i < n; i++) {
        uint64_t begun;

        if (is_lone)
            be_idle(i);
        begun = os_now();
        ask_and_hear(&d);
        taken[i] = os_now() - begun;
    }
    figure = percentile(taken, n, percent);
    free(taken);
    return figure;
}

/* What came back is asked anew at once, so that the window stays full. */
static void pipeline(struct dialog *d, unsigned n, unsigned window)
{
    uint64_t last = d->asked + n;

    dialog_ask(d, window < n ? window : n);
    while (d->answered < last) {
        unsigned more = dialog_hear(d);
        uint64_t left = last - d->asked;

        if (more > left)
            more = (unsigned)left;
        if (more > 0)
            dialog_ask(d, more);
    }
}

static double rate(unsigned n, unsigned window, const char *params)
{
    struct dialog d;
    uint64_t begun;

    dialog_init(&d, TO_SERVER, FROM_SERVER, "tools/call", params);
    pipeline(&d, n / 10 + 1, window);
    begun = os_now();
    pipeline(&d, n, window);
    return (double)n * 1e9 / (double)(os_now() - begun);
}

/* ---- from the start ---------------------------------------------------- */

struct server {
    pid_t pid;
    int to, from;
};

static struct server server_start(char *const *argv)
{
    int in[2], out[2];
    struct server s;
    posix_spawn_file_actions_t actions;

    if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0)
        dialog_fail("start", "no pipe");
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (posix_spawn(&s.pid, argv[0], &actions, NULL, argv, environ) != 0)
        dialog_fail("cannot start", argv[0]);
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
    s.to = in[1];
    s.from = out[0];
    return s;
}

static void server_end(struct server *s)
{
    close(s->to);
    if (waitpid(s->pid, NULL, 0) != s->pid)
        dialog_fail("start", "the server is nobody's child");
    close(s->from);
}

/* As an editor does it: each step waits for the answer before it. */
static uint64_t start_once(const char *method, const char *params,
                           char *const *argv)
{
    static const char hello[] =
        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
        "\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}";
    static const char ready[] =
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";
    uint64_t begun = os_now(), taken;
    struct server s = server_start(argv);
    struct dialog d;

    dialog_init(&d, s.to, s.from, "initialize", hello);
    ask_and_hear(&d);
    dialog_say(s.to, ready, strlen(ready));
    d.first = 0;
    d.method = method;
    d.params = params;
    ask_and_hear(&d);
    taken = os_now() - begun;
    server_end(&s);
    return taken;
}

static double start(unsigned n, const char *method, const char *params,
                    char *const *argv)
{
    uint64_t *taken = calloc(n, sizeof(*taken));
    double figure;

    for (unsigned i = 0; i < n; i++)
        taken[i] = start_once(method, params, argv);
    figure = percentile(taken, n, 50);
    free(taken);
    return figure;
}

/* 0: it is none. */
static unsigned percent_of(const char *what)
{
    if (strcmp(what, "p50") == 0)
        return 50;
    return strcmp(what, "p99") == 0 ? 99 : 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 3 ? argv[1] : "";
    unsigned n = argc > 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;

    bool is_lone = strncmp(what, LONE, strlen(LONE)) == 0;
    unsigned percent = percent_of(is_lone ? what + strlen(LONE) : what);

    if (n > 0 && argc == 4 && percent > 0)
        printf("%.0f\n", one_by_one(n, percent, is_lone, argv[3]));
    else if (n > 0 && argc == 5 && strcmp(what, "rate") == 0)
        printf("%.0f\n",
               rate(n, (unsigned)strtoul(argv[3], NULL, 10), argv[4]));
    else if (n > 0 && argc > 5 && strcmp(what, "start") == 0)
        printf("%.0f\n", start(n, argv[3], argv[4], argv + 5));
    else
        dialog_fail("usage",
                    "rpc [lone_]p50|p99|rate|start N ..., see its source");
    return 0;
}

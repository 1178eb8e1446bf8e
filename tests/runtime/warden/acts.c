/* SPDX-License-Identifier: MIT */
/*
 * A CLI that misbehaves on demand. Its arguments are acts, done in order:
 *
 *   print TEXT, complain TEXT   a line on stdout, on stderr
 *   flood, flood-err BYTES      numbered lines without end; that many bytes
 *   copy                        stdin to stdout
 *   ignore-term                 from here on, children included
 *   on-term TEXT                prints TEXT for each TERM and goes on
 *   child, daemon, threaded     leaves one pausing process: a plain child; one
 *                               forked twice in its own session, deaf to TERM;
 *                               a child forked by a second thread
 *   spring N                    forks N pausing children, one a millisecond
 *   comet                       becomes a process that forks and exits for
 *                               ever, each time in a session of its own
 *   stop, pause, exit CODE, signal N
 *   touch FILE, await FILE      says and hears that a moment has come
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char *term_text;

static void say(int fd, const char *text)
{
    char line[512];
    int n = snprintf(line, sizeof(line), "%s\n", text);

    if (write(fd, line, (size_t)n) != n)
        _exit(99);
}

static void on_term(int sig)
{
    (void)sig;
    say(1, term_text);
}

static void rest(int ms)
{
    poll(NULL, 0, ms);
}

_Noreturn static void stay(void)
{
    for (;;)
        pause();
}

static pid_t born(void)
{
    pid_t pid = fork();

    if (pid < 0)
        _exit(98);
    return pid;
}

static void make_child(void)
{
    if (born() == 0)
        stay();
}

/* Returns when the daemon is deaf and in its session: the pipe tells. */
static void make_daemon(void)
{
    int ends[2];
    char c;

    if (pipe(ends) != 0)
        _exit(97);
    if (born() == 0) {
        setsid();
        if (born() != 0)
            _exit(0);
        setsid();
        signal(SIGTERM, SIG_IGN);
        close(ends[0]);
        close(ends[1]);
        stay();
    }
    close(ends[1]);
    if (read(ends[0], &c, 1) != 0)
        _exit(96);
    close(ends[0]);
}

/* The thread stays, else its child would pass to the main thread. */
static void *fork_in_thread(void *arg)
{
    sem_t *is_done = arg;

    make_child();
    sem_post(is_done);
    stay();
}

static void make_threaded(void)
{
    pthread_t thread;
    sem_t is_done;

    sem_init(&is_done, 0, 0);
    if (pthread_create(&thread, NULL, fork_in_thread, &is_done) != 0)
        _exit(95);
    while (sem_wait(&is_done) != 0)
        ;
}

static void spring(int n)
{
    while (n-- > 0) {
        make_child();
        rest(1);
    }
}

_Noreturn static void comet(void)
{
    for (;;) {
        if (born() != 0)
            _exit(0);
        setsid();
        rest(1);
    }
}

_Noreturn static void flood(void)
{
    char line[256];

    memset(line, 'x', sizeof(line));
    line[sizeof(line) - 1] = '\n';
    for (;;) {
        if (write(1, line, sizeof(line)) < 0)
            rest(1);
    }
}

/* Lines of 16 bytes with their number, so that a test knows each byte. */
static void flood_err(long bytes)
{
    char line[32];

    for (long i = 0; i < bytes / 16; i++) {
        snprintf(line, sizeof(line), "line %010ld\n", i);
        if (write(2, line, 16) != 16)
            _exit(94);
    }
}

static void copy(void)
{
    char buf[4096];
    ssize_t n;

    while ((n = read(0, buf, sizeof(buf))) > 0) {
        if (write(1, buf, (size_t)n) != n)
            _exit(93);
    }
}

static void crash(int sig)
{
    const struct rlimit none = {0, 0};

    setrlimit(RLIMIT_CORE, &none);
    signal(sig, SIG_DFL);
    raise(sig);
}

static void touch(const char *path)
{
    close(open(path, O_WRONLY | O_CREAT, 0600));
}

static void await(const char *path)
{
    while (access(path, F_OK) != 0)
        rest(2);
}

/* Returns whether the act was one without an argument. */
static int act_alone(const char *act)
{
    if (strcmp(act, "child") == 0)
        make_child();
    else if (strcmp(act, "daemon") == 0)
        make_daemon();
    else if (strcmp(act, "threaded") == 0)
        make_threaded();
    else if (strcmp(act, "comet") == 0)
        comet();
    else if (strcmp(act, "flood") == 0)
        flood();
    else if (strcmp(act, "copy") == 0)
        copy();
    else if (strcmp(act, "ignore-term") == 0)
        signal(SIGTERM, SIG_IGN);
    else if (strcmp(act, "stop") == 0)
        raise(SIGSTOP);
    else if (strcmp(act, "pause") == 0)
        stay();
    else
        return 0;
    return 1;
}

static void act_with(const char *act, const char *value)
{
    if (strcmp(act, "print") == 0) {
        say(1, value);
    } else if (strcmp(act, "complain") == 0) {
        say(2, value);
    } else if (strcmp(act, "flood-err") == 0) {
        flood_err(atol(value));
    } else if (strcmp(act, "on-term") == 0) {
        term_text = value;
        signal(SIGTERM, on_term);
    } else if (strcmp(act, "spring") == 0) {
        spring(atoi(value));
    } else if (strcmp(act, "exit") == 0) {
        _exit(atoi(value));
    } else if (strcmp(act, "signal") == 0) {
        crash(atoi(value));
    } else if (strcmp(act, "touch") == 0) {
        touch(value);
    } else if (strcmp(act, "await") == 0) {
        await(value);
    } else {
        _exit(92);
    }
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (act_alone(argv[i]))
            continue;
        if (i + 1 == argc)
            return 91;
        act_with(argv[i], argv[i + 1]);
        i++;
    }
    return 0;
}

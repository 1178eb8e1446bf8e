/* SPDX-License-Identifier: MIT */
/*
 * The ways in which a CLI is hard on its reader and its parent: too much, too
 * long, too slow, not UTF-8, not leaving, leaving a process behind.
 */
#include "transport/puppet/play.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where a line's number goes: the digits are put over it. */
static const char marker[] = "0123456789";
enum { MARKER = sizeof(marker) - 1 };

static void put_number(char *at, long number)
{
    for (int i = MARKER - 1; i >= 0; i--, number /= 10)
        at[i] = (char)('0' + number % 10);
}

/* A line of the back-end of (at least) size bytes with a marker in its text.
 * Returns where the marker is. */
static size_t make_line(struct play *p, long size, struct text *line)
{
    struct text text = {0};

    text_adds(&text, marker);
    p->teller->lines->filler(p->teller, text.data, line);
    long more = size - (long)line->len;
    for (long i = 0; i < more; i++)
        text_add(&text, i % 61 ? "x" : " ", 1);
    text_clear(line);
    p->teller->lines->filler(p->teller, text.data, line);
    text_finish(&text);
    return (size_t)(strstr(line->data, marker) - line->data);
}

static bool is_streaming(const struct play *p)
{
    return p->teller->options->format == FORMAT_STREAM;
}

/* Building JSON for each line would cost a microsecond; the same bytes with
 * another number in them cost a copy. */
bool play_flood(struct play *p, const struct step *s)
{
    struct text line = {0};
    size_t at = make_line(p, s->args[FLOOD_SIZE].number, &line);
    long lines = is_streaming(p) ? s->args[FLOOD_LINES].number : 0;

    for (long i = 1; i <= lines && !p->teller->out.is_broken; i++) {
        put_number(line.data + at, i);
        out_add(&p->teller->out, line.data, line.len);
    }
    text_finish(&line);
    return true;
}

bool play_trickle(struct play *p, const struct step *s)
{
    struct text line = {0};
    size_t at = make_line(p, 0, &line);
    long lines = s->args[TRICKLE_LINES].number;

    for (long i = 1; !lines || i <= lines; i++) {
        put_number(line.data + at, i);
        if (is_streaming(p))
            out_add(&p->teller->out, line.data, line.len);
        teller_pause(p->teller, s->args[TRICKLE_EVERY].number);
        if (p->teller->out.is_broken)
            break;
    }
    text_finish(&line);
    return true;
}

bool play_line(struct play *p, const struct step *s)
{
    struct text line = {0};
    char block[4096];
    size_t at = make_line(p, 0, &line);
    long left = s->args[LINE_BYTES].number;

    if (!left)
        left = s->args[LINE_MB].number * 1024 * 1024;
    left -= (long)line.len;
    memset(block, 'x', sizeof(block));
    out_add(&p->teller->out, line.data, at);
    for (long part; left > 0; left -= part) {
        part = left < (long)sizeof(block) ? left : (long)sizeof(block);
        out_add(&p->teller->out, block, (size_t)part);
    }
    out_add(&p->teller->out, line.data + at, line.len - at);
    text_finish(&line);
    return true;
}

bool play_bad_utf8(struct play *p, const struct step *s)
{
    /* Ten bytes for the marker's ten: a stray continuation, an overlong
     * slash, a surrogate, a cut-off sequence, bytes that never occur. */
    static const char bad[] = "\x80\xc0\xaf\xed\xa0\x80\xe3\x81\xff\xfe";
    struct text line = {0};
    size_t at = make_line(p, 0, &line);

    memcpy(line.data + at, bad, MARKER);
    for (long i = 0; i < s->args[BAD_UTF8_LINES].number; i++)
        out_add(&p->teller->out, line.data, line.len);
    text_finish(&line);
    return true;
}

bool play_ignore_term(struct play *p, const struct step *s)
{
    (void)p;
    signal(SIGTERM, s->args[IGNORE_TERM_ON].number ? SIG_IGN : SIG_DFL);
    return true;
}

bool play_hang(struct play *p, const struct step *s)
{
    (void)p;
    (void)s;
    for (;;)
        pause();
}

bool play_crash(struct play *p, const struct step *s)
{
    int sig = step_signal(s->args[CRASH_SIGNAL].number);

    out_flush(&p->teller->out);
    /* Past any handler (a sanitizer's too) and any SIG_IGN of ours: the
     * parent is to see death by this signal. */
    signal(sig, SIG_DFL);
    prctl(PR_SET_DUMPABLE, 0);
    kill(getpid(), sig);
    return play_hang(p, s);
}

static _Noreturn void live_on(const struct step *s, int ready)
{
    pid_t self = getpid();

    /* It was forked, not executed: without this it would hold the input of
     * the MCP server, which then could not see its end. */
    if (ready > 3)
        close_range(3, (unsigned)ready - 1, 0);
    close_range((unsigned)ready + 1, ~0U, 0);
    int null = open("/dev/null", O_RDWR);
    setsid();
    prctl(PR_SET_NAME, "worker-server");
    signal(SIGTERM, s->args[DAEMON_IGNORE_TERM].number ? SIG_IGN : SIG_DFL);
    signal(SIGHUP, SIG_IGN);
    dup2(null, 0);
    if (!s->args[DAEMON_HOLD_STDOUT].number) {
        dup2(null, 1);
        dup2(null, 2);
    }
    if (write(ready, &self, sizeof(self)) != sizeof(self))
        _exit(1);
    close(ready);
    /* A limit of its own, so that a test that died leaves nothing for ever. */
    for (unsigned left = (unsigned)s->args[DAEMON_SECONDS].number; left;)
        left = sleep(left);
    _exit(0);
}

bool play_daemon(struct play *p, const struct step *s)
{
    int ready[2];
    pid_t pid = 0;

    out_flush(&p->teller->out);
    if (pipe2(ready, O_CLOEXEC))
        return false;
    pid_t child = fork();
    if (!child) {
        close(ready[0]);
        if (!fork())
            live_on(s, ready[1]);
        _exit(0);
    }
    close(ready[1]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    /* Going on only when it is there: the reader of the next line may look for
     * it at once. */
    if (read(ready[0], &pid, sizeof(pid)) != sizeof(pid))
        pid = 0;
    close(ready[0]);
    vars_set_number(p->vars, "daemon_pid", pid);
    return true;
}

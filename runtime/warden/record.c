/* SPDX-License-Identifier: MIT */
/*
 * No fsync: the record must survive the death of processes. After a power cut
 * the agent is gone anyway, and the hub treats a missing record as that.
 */
#include "runtime/warden/record.h"

#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

void record_measure(struct record *r)
{
    struct rusage u;

    getrusage(RUSAGE_CHILDREN, &u);
    r->maxrss_kb = u.ru_maxrss;
    r->utime_ms = u.ru_utime.tv_sec * 1000 + u.ru_utime.tv_usec / 1000;
    r->stime_ms = u.ru_stime.tv_sec * 1000 + u.ru_stime.tv_usec / 1000;
}

static void add_number(struct text *t, const char *name, int64_t n)
{
    text_add(t, name);
    text_number(t, n);
}

static void add_string(struct text *t, const char *name, const char *s)
{
    text_add(t, name);
    text_json(t, s);
}

static void add_status(struct text *t, const struct record *r)
{
    text_add(t, ",\"code\":");
    if (r->has_status && WIFEXITED(r->status))
        text_number(t, WEXITSTATUS(r->status));
    else
        text_add(t, "null");
    text_add(t, ",\"signal\":");
    if (r->has_status && WIFSIGNALED(r->status))
        text_number(t, WTERMSIG(r->status));
    else
        text_add(t, "null");
}

void record_write(const struct record *r, struct text *t)
{
    add_string(t, "\"agent\":", r->agent);
    add_status(t, r);
    add_string(t,
               ",\"error\":", r->error != 0 ? strerrorname_np(r->error) : NULL);
    add_string(t, ",\"stage\":", r->stage);
    add_string(t, ",\"reason\":", r->reason);
    text_add(t, ",\"lingered\":");
    text_add(t, r->lingered ? "true" : "false");
    add_number(t, ",\"left\":", r->left);
    add_number(t, ",\"startedAt\":", r->started_at);
    add_number(t, ",\"endedAt\":", r->ended_at);
    add_number(t, ",\"elapsed_ms\":", r->elapsed_ms);
    add_number(t, ",\"stdoutBytes\":", r->stdout_bytes);
    add_number(t, ",\"stderrBytes\":", r->stderr_bytes);
    add_number(t, ",\"maxrss_kb\":", r->maxrss_kb);
    add_number(t, ",\"utime_ms\":", r->utime_ms);
    add_number(t, ",\"stime_ms\":", r->stime_ms);
}

int record_save(const struct record *r, const struct claim *claim)
{
    char buf[RECORD_TEXT_MAX];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "{");
    record_write(r, &t);
    text_add(&t, "}");
    return claim_save(claim, t.at, t.len);
}

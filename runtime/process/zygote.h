/*
 * The zygote of a hub: the process that forks wardens for it. Orders are
 * written to it and answers read from it (runtime/warden/order.h). All of it is
 * the spawner's.
 */
#ifndef RUNTIME_PROCESS_ZYGOTE_H
#define RUNTIME_PROCESS_ZYGOTE_H

#include <sys/types.h>

#include "runtime/process/process.h"
#include "runtime/text/bytes.h"
#include "runtime/warden/order.h"

struct zygote {
    pid_t pid; /* 0: there is none */
    int fd;    /* our end of its socket */
};

/* 0 or a negative errno. From *news, which is the caller's, struct order_news
 * can be read, also when the zygote has ended: its wardens have the other end.
 */
int zygote_start(struct zygote *z, const struct process_config *config,
                 int *news);

/*
 * Orders a warden with this command line, of whole strings that end with "--",
 * for the words and variables of the spec. The directory stays the caller's. 0,
 * or a negative errno: -E2BIG, nothing was sent; else the zygote is lost.
 */
int zygote_order(const struct zygote *z, uint64_t ticket, int dir,
                 const struct bytes *words, uint32_t count,
                 const struct process_spec *spec);

/* The answers that have come, at most `max`; 0 when there is none yet; or
 * -EPIPE: it has ended, and so has every fork of it that had not answered. */
int zygote_answers(const struct zygote *z, struct order_answer *to, size_t max);

/* Ends it, and every fork of it that has not answered. What was answered before
 * can still be read. */
void zygote_kill(const struct zygote *z);
/* Of one that was killed: then there is none. */
void zygote_close(struct zygote *z);

#endif

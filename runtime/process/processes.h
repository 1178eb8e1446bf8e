/*
 * What the files of the processes actor share: processes.c is the
 * actor and its messages, reading.c the transcripts, child.c what happens to
 * one process, adopt.c what the disk says of one, link.c the socket wardens
 * connect to, news.c where they tell of starts before. All of it runs in the
 * processes actor's turns.
 */
#ifndef RUNTIME_PROCESS_PROCESSES_H
#define RUNTIME_PROCESS_PROCESSES_H

#include <sys/types.h>

#include "runtime/list.h"
#include "runtime/process/process.h"
#include "runtime/process/spawner.h"
#include "runtime/process/tail.h"
#include "runtime/process/warden_record.h"
#include "runtime/text/index.h"

#define PROCESSES_LINE 4096

/* Its own kinds. */
enum {
    PROCESSES_PUMP = 0x1a0, /* tails wait to be read */
    PROCESSES_RESTED,       /* and may have become more meanwhile */
    PROCESSES_LOOK,         /* the regular look at what no event tells */
    PROCESSES_OVERDUE,      /* an end has not come in time */
    PROCESSES_TELL_ORPHANS /* struct rt_ref: who asked for PROCESS_NO_ORPHANS */
};
#define PROCESSES_LOOK_MS 250
/* Peers that may be silent at once, and for how long: wardens say hello as soon
 * as they have connected. */
#define PROCESSES_SILENT 32
#define PROCESSES_SILENCE_MS 2000

enum child_phase {
    CHILD_STARTING, /* the spawner has it */
    CHILD_AWAITED,  /* a warden is there, or should be; not connected yet */
    CHILD_LINKED,   /* its warden is connected */
    CHILD_KILLING,  /* its warden is dead: what it left is being killed */
    CHILD_ENDED     /* the exit is known, the transcript is read to its end */
};

/* One process, from START or ADOPT to GONE. */
struct child {
    struct tail tail;             /* first: a tail is found in its child */
    LIST_LINK(struct child) link; /* of all */
    struct index_link by_owner, by_id, by_ticket;
    struct rt_ref owner; /* RT_NOBODY: it died */
    struct process_spec *spec;
    struct process_exit *exit; /* once known */
    uint64_t ticket;
    enum child_phase phase;
    int pidfd;           /* of the warden when it is our own child, or -1 */
    pid_t warden, cli;   /* 0: not known yet */
    struct peer *peer;   /* when linked */
    uint64_t started_at; /* as its warden says, or 0 */
    bool has_run;        /* an earlier hub saw it run, whatever the disk says */
    bool was_told_started;
    bool is_end_wanted;
    uint64_t end_grace_ms;
    uint64_t overdue; /* the timer of an end that does not come, or 0 */
};

/* A connection to the socket; a child's once it has said hello. */
struct peer {
    int fd;
    pid_t pid;         /* as the kernel says */
    uint64_t since;    /* monotonic ns: when it was accepted, ... */
    uint64_t accepted; /* ... and ns of CLOCK_BOOTTIME, as processes are born */
    struct child *child;
    LIST_LINK(struct peer) link; /* of those without a child */
    bool is_silent;              /* has not said a whole line yet */
    size_t len;
    char line[PROCESSES_LINE];
};

/* What a descriptor is used for. */
struct fd_use {
    enum {
        FD_NONE,
        FD_LISTEN,
        FD_TAILS,
        FD_PEER,
        FD_WARDEN,
        FD_REAP,
        FD_NEWS
    } what;
    void *of;
};

struct processes {
    struct process_config config; /* its strings are owned */
    struct rt_ref spawner;
    unsigned orphans;            /* of the children: their owner died */
    struct rt_ref orphans_asker; /* is told when there are none; or RT_NOBODY */
    struct tails *tails;
    int listener;
    dev_t socket_dev; /* of the socket's file, as we made it */
    ino_t socket_ino;
    bool is_paused; /* the listener is not watched until the next look, or until
                       a silent peer speaks */
    unsigned silent; /* of the unclaimed: have not said a line */
    bool is_pumping; /* a PROCESSES_PUMP is under way */
    bool is_resting; /* a PROCESSES_RESTED is, and tails' events wait */
    bool is_looking; /* and so is a PROCESSES_LOOK */
    uint64_t tickets;
    LIST(struct child) children;
    struct index by_owner, by_id, by_ticket;
    /* Connections that said nothing yet, or of agents unknown here. */
    LIST(struct peer) unclaimed;
    struct fd_use *fds;
    size_t fd_count;
};

/* ---- reading.c ---- */
/* Reads what there is and may be read; now, when others had their turn, or
 * after a rest in which more may come. */
void processes_pump(struct rt_turn *t, struct processes *ps);
void processes_pump_soon(struct rt_turn *t, struct processes *ps);
void processes_rest(struct rt_turn *t, struct processes *ps, uint64_t ms);
void processes_on_rested(struct rt_turn *t, struct processes *ps);
/* Looks at every peer and child. */
void processes_look(struct rt_turn *t, struct processes *ps);
void processes_look_soon(struct rt_turn *t, struct processes *ps);

/* ---- processes.c ---- */
/* Watches a descriptor for reading. 0 or -errno. */
int processes_watch(struct rt_turn *t, struct processes *ps, int fd, int what,
                    void *of);
void processes_unwatch(struct rt_turn *t, struct processes *ps, int fd);
struct child *processes_by_id(struct processes *ps, const char *id);
/* NULL: it has gone. Tickets outlive their children. */
struct child *processes_by_ticket(struct processes *ps, uint64_t ticket);
void processes_forget(struct rt_turn *t, struct processes *ps, struct child *c);

/* ---- child.c ---- */
struct child *child_create(struct processes *ps, struct rt_ref owner,
                           struct process_spec *spec);
void child_destroy(struct rt_turn *t, struct processes *ps, struct child *c);
/* Waits for a warden whose child is no more. */
void child_reap(struct rt_turn *t, struct processes *ps, int pidfd);
/* Reads its transcript, up to its limit. Takes the descriptor. */
void child_open_tail(struct processes *ps, struct child *c, int out);
/* The spawner's answer. */
void child_on_spawned(struct rt_turn *t, struct processes *ps, struct child *c,
                      struct spawner_started *s);
/* Its CLI runs. It may call us at any moment, and its owner is told before,
 * whether the spawner has told us of its warden or not. */
void child_on_runs(struct rt_turn *t, struct child *c, pid_t cli,
                   uint64_t started_at);
/* Its warden has connected and said this. */
void child_on_record(struct rt_turn *t, struct processes *ps, struct child *c,
                     const struct warden_record *n);
void child_on_unlinked(struct rt_turn *t, struct processes *ps,
                       struct child *c);
/* Its warden, our own child, has ended. */
void child_on_warden_dead(struct rt_turn *t, struct processes *ps,
                          struct child *c);
void child_order_end(struct rt_turn *t, struct processes *ps, struct child *c,
                     uint64_t grace_ms);
/* The regular look at a child without a connection. */
void child_look(struct rt_turn *t, struct processes *ps, struct child *c);
/* The warden of one was told long ago to end the tree, and has not said so. */
void child_on_overdue(struct rt_turn *t, struct processes *ps,
                      const struct rt_alarm *alarm);
void child_on_killed(struct rt_turn *t, struct processes *ps, struct child *c,
                     uint32_t left);
/* Its transcript has been read to the end: tells the owner, lets it go. */
void child_finish(struct rt_turn *t, struct processes *ps, struct child *c);

/* How it ended is known: reads the rest of its transcript. Takes the exit. */
void child_set_exit(struct rt_turn *t, struct processes *ps, struct child *c,
                    struct process_exit *exit);

/* ---- adopt.c ---- */
/* Finds out what has become of a process started by an earlier hub. */
void child_adopt(struct rt_turn *t, struct processes *ps, struct child *c);
/* Whether a warden holds the lock of its agent's directory. */
bool adopt_has_warden(const struct child *c);
/* Wall clock, ms; 0: its CLI was not started. */
uint64_t adopt_when_started(const struct child *c);
/* No warden is there (any more): closes by the record, or kills the rest. */
void adopt_close_without_warden(struct rt_turn *t, struct processes *ps,
                                struct child *c);
/* Kills what is left; then child_on_killed closes it. */
void adopt_kill_rest(struct rt_turn *t, struct processes *ps, struct child *c);

/* ---- link.c ---- */
/* 0 or -errno. */
int link_listen(struct rt_turn *t, struct processes *ps);
/* Stops listening and removes the socket. */
void link_shut(struct rt_turn *t, struct processes *ps);
void link_on_listener(struct rt_turn *t, struct processes *ps);
void link_on_ready(struct rt_turn *t, struct processes *ps, struct peer *p);
/* Gives a child the peer that has named it, if one is waiting. */
void link_claim(struct rt_turn *t, struct processes *ps, struct child *c);
/* Sends a line to its warden; a broken link is closed, the warden comes back.
 */
void link_send(struct rt_turn *t, struct processes *ps, struct peer *p,
               const char *format, unsigned long long number);
void link_close(struct rt_turn *t, struct processes *ps, struct peer *p);
/* The regular look at peers that say nothing, and at the listener. */
void link_look(struct rt_turn *t, struct processes *ps);

/* ---- news.c ---- */
/* Takes the descriptor, if it can be watched. */
void news_open(struct rt_turn *t, struct processes *ps, struct spawner_news *n);
void news_on_ready(struct rt_turn *t, struct processes *ps, int fd);
void news_close(struct rt_turn *t, struct processes *ps, int fd);

#endif

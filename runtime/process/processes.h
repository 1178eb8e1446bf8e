/*
 * the processes actor's insides, shared by its three files: processes.c is the
 * actor and its messages, child.c what happens to one process, link.c the
 * socket wardens connect to. All of it runs in the processes actor's turns.
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

/* the processes actor's own kinds. */
enum {
    PROCESSES_PUMP = 0x1a0, /* tails wait to be read */
    PROCESSES_LOOK,         /* the regular look at what nobody will tell us */
    PROCESSES_MOURN         /* struct rt_ref: who asked for orphans */
};
#define PROCESSES_LOOK_MS 250
/* Silent strangers let in at once, and for how long: wardens speak as soon as
 * their CLI is started. */
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
    struct rt_ref owner; /* nobody: it died */
    struct process_spec *spec;
    struct process_exit *exit; /* once known */
    uint64_t ticket;
    enum child_phase phase;
    int pidfd;         /* of the warden when it is our own child, or -1 */
    pid_t warden, cli; /* 0: not known yet */
    struct peer *peer; /* when linked */
    bool was_told_started;
    bool is_end_wanted;
    uint64_t end_grace_ms;
};

/* A connection to the socket; a child's once it has said hello. */
struct peer {
    int fd;
    pid_t pid;      /* as the kernel says */
    uint64_t since; /* monotonic ns: when it came in */
    struct child *child;
    LIST_LINK(struct peer) link; /* of those without a child */
    bool is_silent;              /* has not said a whole line yet */
    size_t len;
    char line[PROCESSES_LINE];
};

/* What a descriptor means. */
struct seat_of {
    enum { FD_NONE, FD_LISTEN, FD_TAILS, FD_PEER, FD_WARDEN, FD_REAP } what;
    void *of;
};

struct processes {
    struct process_config config; /* its strings are the processes actor's */
    struct rt_ref spawner;
    unsigned orphans;      /* of the children: their owner died */
    struct rt_ref mourner; /* is told when there are none, or nobody */
    struct tails *tails;
    int listener;
    dev_t socket_dev; /* of the socket's file, as we made it */
    ino_t socket_ino;
    bool is_deaf;    /* listens again at the next look, or when one speaks */
    unsigned silent; /* of the strangers */
    bool is_pumping,
        is_looking; /* a PROCESSES_PUMP, a PROCESSES_LOOK is under way */
    uint64_t tickets;
    LIST(struct child) children;
    struct index by_owner, by_id, by_ticket;
    LIST(struct peer)
    strangers; /* said nothing yet, or of agents unknown here */
    struct seat_of *fds;
    size_t fd_count;
};

/* ---- processes.c ---- */
void processes_pump_soon(struct rt_turn *t, struct processes *w, uint64_t ms);
void processes_look_soon(struct rt_turn *t, struct processes *w);
/* Watches a descriptor for reading. 0 or -errno. */
int processes_watch(struct rt_turn *t, struct processes *w, int fd, int what,
                    void *of);
void processes_unwatch(struct rt_turn *t, struct processes *w, int fd);
struct child *processes_by_id(struct processes *w, const char *id);
void processes_forget(struct rt_turn *t, struct processes *w, struct child *c);

/* ---- child.c ---- */
struct child *child_create(struct processes *w, struct rt_ref owner,
                           struct process_spec *spec);
void child_destroy(struct rt_turn *t, struct processes *w, struct child *c);
const char *child_transcript(struct tail *tail);
/* The spawner's answer. */
void child_on_spawned(struct rt_turn *t, struct processes *w, struct child *c,
                      struct spawner_started *s);
/* Finds out what has become of a process started by an earlier hub. */
void child_adopt(struct rt_turn *t, struct processes *w, struct child *c);
/* Its warden has connected and said this. */
void child_on_record(struct rt_turn *t, struct processes *w, struct child *c,
                     const struct warden_record *n);
void child_on_unlinked(struct rt_turn *t, struct processes *w, struct child *c);
/* Its warden, our own child, has ended. */
void child_on_warden_dead(struct rt_turn *t, struct processes *w,
                          struct child *c);
void child_order_end(struct rt_turn *t, struct processes *w, struct child *c,
                     uint64_t grace_ms);
/* The regular look at a child nobody is connected for. */
void child_look(struct rt_turn *t, struct processes *w, struct child *c);
void child_on_killed(struct rt_turn *t, struct processes *w, struct child *c);
/* Its transcript has been read to the end: tells the owner, lets it go. */
void child_finish(struct rt_turn *t, struct processes *w, struct child *c);

/* ---- link.c ---- */
/* 0 or -errno. */
int link_listen(struct rt_turn *t, struct processes *w);
/* Closes the door and removes the socket. */
void link_shut(struct rt_turn *t, struct processes *w);
void link_on_listener(struct rt_turn *t, struct processes *w);
void link_on_ready(struct rt_turn *t, struct processes *w, struct peer *p);
/* Gives a child the stranger that asked for it, if one is waiting. */
void link_claim(struct rt_turn *t, struct processes *w, struct child *c);
/* Sends a line to its warden; a broken link is closed, the warden comes back.
 */
void link_send(struct rt_turn *t, struct processes *w, struct peer *p,
               const char *format, unsigned long long number);
void link_close(struct rt_turn *t, struct processes *w, struct peer *p);
/* The regular look at those who say nothing, and at the door. */
void link_look(struct rt_turn *t, struct processes *w);

#endif

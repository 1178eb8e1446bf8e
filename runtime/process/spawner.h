/*
 * The spawner: an actor with a loop of its own, because making files, and
 * looking at all processes there are, takes milliseconds, and no other actor
 * may wait for it.
 */
#ifndef RUNTIME_PROCESS_SPAWNER_H
#define RUNTIME_PROCESS_SPAWNER_H

#include "runtime/process/process.h"

enum {
    SPAWNER_START = 0x180, /* struct spawner_start */
    SPAWNER_KILL,          /* struct spawner_kill */
    SPAWNER_STARTED,       /* to the asker: carries struct spawner_started */
    SPAWNER_NEWS,          /* to the asker: carries struct spawner_news */
    SPAWNER_KILLED,        /* to the asker: struct spawner_killed */
    SPAWNER_CLEAR          /* carries struct process_spec: it has gone, and
                              its copies are to go */
};

struct spawner_start {
    struct process_spec *spec; /* carried */
    uint64_t ticket;
};

/* An object, so that a descriptor that is not taken is closed with it. */
struct spawner_started {
    struct rt_obj obj;
    uint64_t ticket;
    int32_t pid;   /* of the warden */
    int32_t out;   /* the transcript, open for reading; or -1 */
    int32_t error; /* an errno, and then nothing was started */
    char stage[16];
};

/* Of a zygote that was started: from there wardens tell of their CLIs' starts
 * (struct order_news). The descriptor is closed with it if it is not taken. */
struct spawner_news {
    struct rt_obj obj;
    int fd;
};

/* Ends every process that carries this agent's id in its environment, or gives
 * up on those that do not end. */
struct spawner_kill {
    uint64_t ticket;
    char id[136];
};

struct spawner_killed {
    uint64_t ticket;
    uint32_t left; /* that could not be killed */
};

/* The configuration is borrowed for the spawner's life. */
struct rt_ref spawner_start(struct rt_turn *t, unsigned home,
                            const struct process_config *config);

#endif

/*
 * A config watch notices that a configuration's files have changed and come to
 * rest: 300 ms after the last change it reads them, and once more 300 ms later,
 * until it has read the same twice. So a file that an editor has emptied and
 * not yet filled, or that is being written in portions, is not taken for what
 * its user means.
 *
 * What it goes by are stat's words of each path. inotify, on the directories
 * the files lie in, only says when to look, so it does not matter by which of
 * the many ways an editor replaces a file; where it says nothing (other file
 * systems, no watches left, a directory that is not there yet) it is looked
 * every two seconds. A directory in which much happens costs no more than a
 * look each 300 ms.
 */
#ifndef ACTORS_HEALTH_CONFIG_WATCH_H
#define ACTORS_HEALTH_CONFIG_WATCH_H

#include "actors/order/settings.h"

/* Its timers, which its actor hands on. */
enum { CONFIG_WATCH_LOOK = 0x6f0, CONFIG_WATCH_REST };

struct config_watch {
    char *const *env;
    int inotify;     /* -1: none */
    uint64_t stamp;  /* of the files, when last looked at */
    uint64_t read;   /* fingerprint of what was read last */
    uint64_t taken;  /* and of what was told of last */
    uint64_t rest;   /* timer; 0: nothing has changed */
    unsigned unrest; /* times in a row that they had changed again */
    bool is_changed; /* since they were last at rest */
    bool has_read;   /* since they changed */
};

enum config_watch_news {
    CONFIG_WATCH_NOTHING,
    CONFIG_WATCH_CHANGED, /* they have come to rest and are not what they were
                           */
    CONFIG_WATCH_RESTLESS /* they change and change; told once */
};

/* env is borrowed until the end. Begins with a look: the files may have changed
 * since c was loaded. */
void config_watch_start(struct rt_turn *t, struct config_watch *w,
                        const struct config *c, char *const *env);
void config_watch_stop(struct rt_turn *t, struct config_watch *w);
/* For RT_READY, CONFIG_WATCH_LOOK and CONFIG_WATCH_REST. c is in force. */
enum config_watch_news config_watch_on(struct rt_turn *t,
                                       struct config_watch *w,
                                       const struct config *c,
                                       struct rt_msg *m);

#endif

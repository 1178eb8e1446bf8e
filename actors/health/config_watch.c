/* SPDX-License-Identifier: MIT */
#include "actors/health/config_watch.h"

#include <libgen.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/bytes.h"

#define REST_MS 300
#define LOOK_MS 2000
#define UNREST_MAX 34 /* ten seconds of it */
#define EVENTS                                                                 \
    (IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |    \
     IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

/* ---- looking ----------------------------------------------------------- */

static uint64_t stamp_of(const struct config *c, char *const *env)
{
    char *paths[CONFIG_FILES];
    uint64_t all[CONFIG_FILES][7] = {0};

    config_files(c, env, paths);
    for (size_t i = 0; i < CONFIG_FILES; i++) {
        struct stat s;
        if (paths[i] != NULL && stat(paths[i], &s) == 0)
            memcpy(all[i],
                   (uint64_t[7]){
                       s.st_dev, s.st_ino, (uint64_t)s.st_size,
                       (uint64_t)s.st_mtim.tv_sec, (uint64_t)s.st_mtim.tv_nsec,
                       (uint64_t)s.st_ctim.tv_sec, (uint64_t)s.st_ctim.tv_nsec},
                   sizeof(all[i]));
        free(paths[i]);
    }
    return slice_stable_hash(slice_of((const char *)all, sizeof(all)));
}

static bool has_changed(struct config_watch *w, const struct config *c)
{
    uint64_t stamp = stamp_of(c, w->env);

    if (stamp == w->stamp)
        return false;
    w->stamp = stamp;
    w->is_changed = true;
    w->has_read = false;
    return true;
}

/* ---- inotify ----------------------------------------------------------- */

static void add(struct config_watch *w, const char *path)
{
    char *copy = bytes_text("%s", path);

    inotify_add_watch(w->inotify, dirname(copy), EVENTS);
    free(copy);
}

static void close_inotify(struct rt_turn *t, struct config_watch *w)
{
    if (w->inotify < 0)
        return;
    rt_unwatch(t, w->inotify);
    close(w->inotify);
    w->inotify = -1;
}

/* Anew after each change: directories may have been replaced, and links lead
 * elsewhere. Without it there are the looks. */
static void open_inotify(struct rt_turn *t, struct config_watch *w,
                         const struct config *c)
{
    char *paths[CONFIG_FILES];

    close_inotify(t, w);
    w->inotify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    config_files(c, w->env, paths);
    for (size_t i = 0; i < CONFIG_FILES; i++) {
        char *real = paths[i] != NULL ? realpath(paths[i], NULL) : NULL;
        if (paths[i] != NULL && w->inotify >= 0)
            add(w, paths[i]);
        if (real != NULL && w->inotify >= 0)
            add(w, real);
        free(real);
        free(paths[i]);
    }
    if (w->inotify >= 0 && rt_watch(t, w->inotify, EPOLLIN) != 0)
        close_inotify(t, w);
}

static void drain(const struct config_watch *w)
{
    char events[4096];

    while (w->inotify >= 0 && read(w->inotify, events, sizeof(events)) > 0)
        ;
}

/* ---- coming to rest ----------------------------------------------------- */

static void wait_for_rest(struct rt_turn *t, struct config_watch *w)
{
    w->rest = rt_after(t, REST_MS, CONFIG_WATCH_REST);
}

/* Nothing more is heard until the look that this begins: what writes without
 * an end next to the file would have us wake as often as it writes. */
static void on_event(struct rt_turn *t, struct config_watch *w,
                     const struct config *c)
{
    rt_unwatch(t, w->inotify);
    has_changed(w, c);
    if (w->rest == 0)
        wait_for_rest(t, w);
}

static enum config_watch_news go_on(struct rt_turn *t, struct config_watch *w)
{
    wait_for_rest(t, w);
    return ++w->unrest == UNREST_MAX ? CONFIG_WATCH_RESTLESS
                                     : CONFIG_WATCH_NOTHING;
}

/* The same has been read twice. */
static enum config_watch_news settle(struct rt_turn *t, struct config_watch *w,
                                     const struct config *c)
{
    bool is_new = w->read != w->taken || w->unrest >= UNREST_MAX;

    w->taken = w->read;
    w->is_changed = w->has_read = false;
    w->unrest = 0;
    open_inotify(t, w, c);
    /* Between the last look and the new watch something may have happened. */
    if (has_changed(w, c))
        wait_for_rest(t, w);
    return is_new ? CONFIG_WATCH_CHANGED : CONFIG_WATCH_NOTHING;
}

static enum config_watch_news on_rest(struct rt_turn *t, struct config_watch *w,
                                      const struct config *c)
{
    uint64_t now;

    w->rest = 0;
    drain(w);
    if (has_changed(w, c))
        return go_on(t, w);
    if (!w->is_changed) { /* it was something else in the directory */
        if (w->inotify >= 0)
            rt_watch(t, w->inotify, EPOLLIN);
        return CONFIG_WATCH_NOTHING;
    }
    now = config_fingerprint(c, w->env);
    if (w->has_read && now == w->read)
        return settle(t, w, c);
    w->read = now;
    w->has_read = true;
    return go_on(t, w);
}

static void on_look(struct rt_turn *t, struct config_watch *w,
                    const struct config *c)
{
    rt_after(t, LOOK_MS, CONFIG_WATCH_LOOK);
    if (has_changed(w, c) && w->rest == 0)
        wait_for_rest(t, w);
}

enum config_watch_news config_watch_on(struct rt_turn *t,
                                       struct config_watch *w,
                                       const struct config *c, struct rt_msg *m)
{
    if (m->kind == CONFIG_WATCH_REST)
        return on_rest(t, w, c);
    if (m->kind == CONFIG_WATCH_LOOK)
        on_look(t, w, c);
    else if (m->kind == RT_READY && w->inotify >= 0)
        on_event(t, w, c);
    return CONFIG_WATCH_NOTHING;
}

void config_watch_start(struct rt_turn *t, struct config_watch *w,
                        const struct config *c, char *const *env)
{
    *w = (struct config_watch){.env = env, .inotify = -1};
    open_inotify(t, w, c);
    has_changed(w, c);
    w->is_changed = true;
    wait_for_rest(t, w);
    rt_after(t, LOOK_MS, CONFIG_WATCH_LOOK);
}

void config_watch_stop(struct rt_turn *t, struct config_watch *w)
{
    close_inotify(t, w);
}

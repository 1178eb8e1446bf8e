/* SPDX-License-Identifier: MIT */
#include "transport/relay/seeker.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/messages.h"
#include "config/reason.h"
#include "transport/wire/build.h"

#define SEEK_MS 10000
#define GREET_MS 60000 /* a hub that listens may have much to remember */
#define LEAVE_MS 5000
#define START_AGAIN_MS 50
#define KILLED_MAX 3 /* by then it is no accident */

static void say(struct bytes *out, const char *text)
{
    bytes_append(out, text, strlen(text));
}

#define SAY(s, name) MESSAGE((s)->home.language == CONFIG_EN, name)

static bool refuse_config(struct seeker *s, const char *why)
{
    s->reason.len = 0;
    say(&s->reason, SAY(s, RELAY_CONFIG_WRONG));
    say(&s->reason, why);
    return false;
}

static bool look_for_home(struct seeker *s)
{
    struct config_error e = {0};

    if (s->home.socket)
        return true;
    home_finish(&s->home);
    s->home_error = home_find(&s->home, s->file, environ, &e);
    return s->home_error == 0 ||
           refuse_config(s, config_error_in(&e, s->home.language == CONFIG_EN));
}

/* A wrong configuration is told when it matters: when a hub is to be started
 * by it. By then it may have been mended. */
static bool can_start(struct seeker *s)
{
    if (!s->home.wrong)
        return true;
    home_finish(&s->home);
    return look_for_home(s) &&
           (!s->home.wrong || refuse_config(s, s->home.wrong));
}

void seeker_init(struct seeker *s, const char *file)
{
    *s = (struct seeker){
        .link = HUBLINK_CLOSED, .start = HUBSTART_NONE, .file = file};
    look_for_home(s);
}

void seeker_finish(struct seeker *s)
{
    hublink_close(&s->link);
    hubstart_end(&s->start);
    home_finish(&s->home);
    bytes_finish(&s->reason);
}

void seeker_want(struct seeker *s, int64_t now)
{
    if (s->state != SEEKER_IDLE)
        return;
    s->state = SEEKER_SEEKING;
    s->since = s->next_try = s->next_start = now;
    s->deadline = now + (s->home.is_agent ? s->home.lease_ms : SEEK_MS);
    s->has_started = false;
    s->killed = 0;
    s->last_error = 0;
}

void seeker_lost(struct seeker *s)
{
    hublink_close(&s->link);
    s->state = SEEKER_IDLE;
}

static enum seeker_news fail(struct seeker *s)
{
    hubstart_end(&s->start);
    seeker_lost(s);
    return SEEKER_FAILED;
}

static enum seeker_news give_up(struct seeker *s, int64_t now)
{
    char text[200];

    snprintf(text, sizeof(text), SAY(s, RELAY_NO_HUB_REACHED),
             (long long)((now - s->since) / 1000),
             s->last_error
                 ? reason_of(s->last_error, s->home.language == CONFIG_EN).text
                 : SAY(s, RELAY_NO_ANSWER));
    s->reason.len = 0;
    say(&s->reason, text);
    say(&s->reason, s->home.socket);
    return fail(s);
}

/* The longer it has taken, the longer it may take: so a try comes at most an
 * eighth too late, and there are few of them. */
static void try_later(struct seeker *s, int64_t now)
{
    int64_t delay = (now - s->since) / 8;

    s->state = SEEKER_SEEKING;
    s->next_try = now + (delay < 1 ? 1 : delay > 100 ? 100 : delay);
}

static enum seeker_news start_hub(struct seeker *s)
{
    if (!can_start(s))
        return fail(s);
    s->reason.len = 0;
    say(&s->reason, SAY(s, RELAY_HUB_CANNOT_START));
    if (hubstart_begin(&s->start, &s->home, &s->reason) != 0)
        return fail(s);
    s->has_started = true;
    return SEEKER_NOTHING;
}

/*
 * A hub that yielded has seen another's lock. That one may have been about to
 * leave; so when there is still none after a while, another is started.
 */
static enum seeker_news look_at_start(struct seeker *s, int64_t now)
{
    s->reason.len = 0;
    say(&s->reason, SAY(s, RELAY_HUB_DID_NOT_START));
    switch (hubstart_look(&s->start, &s->home, &s->reason)) {
    case HUBSTART_NOTHING:
        break;
    case HUBSTART_YIELDED:
        s->next_start = now + START_AGAIN_MS;
        break;
    case HUBSTART_KILLED:
        if (++s->killed >= KILLED_MAX)
            return fail(s);
        s->next_start = now + START_AGAIN_MS;
        break;
    case HUBSTART_FAILED:
        return fail(s);
    }
    return SEEKER_NOTHING;
}

static void warn_of_build(struct seeker *s, const struct hublink_welcome *w)
{
    if (s->has_warned)
        return;
    s->has_warned = true;
    fprintf(stderr, SAY(s, RELAY_ANOTHER_BUILD), (int)w->pid, w->build,
            build_id());
}

/* A hub that we have started lies beside us on the disk: it is another build
 * because we have been replaced there, and starting it again changes nothing.
 */
static bool is_to_be_replaced(struct seeker *s, const struct hublink_welcome *w)
{
    if (strcmp(w->build, build_id()) == 0)
        return false;
    if (w->running == 0 && !s->has_replaced && !s->has_started &&
        !s->home.is_agent)
        return true;
    warn_of_build(s, w);
    return false;
}

static enum seeker_news on_welcome(struct seeker *s,
                                   const struct hublink_welcome *w, int64_t now)
{
    hubstart_end(&s->start);
    if (!is_to_be_replaced(s, w)) {
        s->state = SEEKER_UP;
        return SEEKER_FOUND;
    }
    s->has_replaced = true;
    hublink_put(&s->link, WIRE_STOP, 0, SLICE("{\"keepAgents\":false}"));
    s->state = SEEKER_LEAVING;
    s->deadline = now + LEAVE_MS;
    return SEEKER_NOTHING;
}

static enum seeker_news greet(struct seeker *s, int64_t now)
{
    struct hublink_welcome w = {0};
    struct wire_frame frame;
    int error = hublink_flush(&s->link);

    if (error == 0)
        error = hublink_read(&s->link);
    int found = error == 0 ? hublink_next(&s->link, &frame) : error;
    if (found > 0 && hublink_welcome_read(&frame, &w))
        return on_welcome(s, &w, now);
    if (found != 0) { /* it is leaving, or no hub */
        s->last_error = found < 0 ? found : -EPROTO;
        hublink_close(&s->link);
        try_later(s, now);
    }
    return SEEKER_NOTHING;
}

static enum seeker_news refuse_stranger(struct seeker *s)
{
    s->reason.len = 0;
    say(&s->reason, s->home.socket);
    say(&s->reason, SAY(s, RELAY_ANOTHER_USERS_HUB));
    return fail(s);
}

static enum seeker_news seek(struct seeker *s, int64_t now)
{
    if (!look_for_home(s))
        return fail(s);
    s->last_error = hublink_open(&s->link, s->home.socket);
    if (s->last_error == 0) {
        hublink_greet(&s->link, build_id(), "relay", environ);
        s->state = SEEKER_GREETING;
        return greet(s, now);
    }
    if (s->last_error == -EPERM)
        return refuse_stranger(s);
    try_later(s, now);
    if (s->start.fd >= 0)
        return look_at_start(s, now);
    bool is_absent = s->last_error == -ENOENT || s->last_error == -ECONNREFUSED;
    if (is_absent && !s->home.is_agent && now >= s->next_start)
        return start_hub(s);
    return SEEKER_NOTHING;
}

/* What it says on its way is of no interest. */
static void see_off(struct seeker *s, int64_t now)
{
    struct wire_frame frame;
    int error = hublink_flush(&s->link);

    if (error == 0)
        error = hublink_read(&s->link);
    while (error == 0 && hublink_next(&s->link, &frame) > 0)
        ;
    if (error == 0 && now < s->deadline)
        return;
    hublink_close(&s->link);
    s->state = SEEKER_IDLE;
    seeker_want(s, now);
}

static int64_t greeted_by(const struct seeker *s)
{
    return s->home.is_agent ? s->deadline : s->since + GREET_MS;
}

enum seeker_news seeker_turn(struct seeker *s, int64_t now)
{
    switch (s->state) {
    case SEEKER_IDLE:
    case SEEKER_UP:
        return SEEKER_NOTHING;
    case SEEKER_LEAVING:
        see_off(s, now);
        return SEEKER_NOTHING;
    case SEEKER_SEEKING:
        if (now >= s->deadline)
            return give_up(s, now);
        if (now >= s->next_try)
            return seek(s, now);
        return s->start.fd >= 0 ? look_at_start(s, now) : SEEKER_NOTHING;
    case SEEKER_GREETING:
        return now >= greeted_by(s) ? give_up(s, now) : greet(s, now);
    }
    return SEEKER_NOTHING;
}

int seeker_due(const struct seeker *s, int64_t now)
{
    int64_t due = s->state == SEEKER_GREETING ? greeted_by(s) : s->deadline;

    if (s->state == SEEKER_IDLE || s->state == SEEKER_UP)
        return -1;
    if (s->state == SEEKER_SEEKING && s->next_try < due)
        due = s->next_try;
    return due <= now ? 0 : due - now > 60000 ? 60000 : (int)(due - now);
}

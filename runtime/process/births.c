/* SPDX-License-Identifier: MIT */
#include "runtime/process/births.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "runtime/os.h"
#include "runtime/process/warden_words.h"
#include "runtime/process/workdir.h"
#include "runtime/text/folder.h"

/* Orders without an answer: their answers fit into the socket, so nobody ever
 * waits for us to read them. */
#define SENT_MAX 64
/* A warden answers within a millisecond. A zygote that has none of them do so
 * for this long is stopped, or was taken over by something. */
#define LATE_MS 10000
/* One by one somebody may kill the first zygotes, but not for ever. */
#define TRIES 16

struct birth {
    LIST_LINK(struct birth) link;
    struct process_spec *spec;      /* kept */
    struct spawner_started *answer; /* the one reference */
    struct bytes words;             /* of the warden's command line */
    uint32_t count;
    int dir;
    unsigned tries;
};

/* ---- one ----------------------------------------------------------------- */

static void free_answer(struct rt_obj *o)
{
    struct spawner_started *answer = (struct spawner_started *)o;

    if (answer->out >= 0)
        close(answer->out);
    free(answer);
}

static struct birth *birth_create(const struct spawner_start *order)
{
    struct birth *one = os_alloc(sizeof(*one), 16);
    struct spawner_started *answer = os_alloc(sizeof(*answer), 16);

    *answer = (struct spawner_started){.ticket = order->ticket, .out = -1};
    rt_obj_init(&answer->obj, free_answer);
    *one = (struct birth){
        .spec = RT_KEEP(order->spec), .answer = answer, .dir = -1};
    return one;
}

static void birth_destroy(struct birth *one)
{
    if (one->answer != NULL)
        rt_obj_drop(&one->answer->obj);
    if (one->dir >= 0)
        close(one->dir);
    bytes_finish(&one->words);
    rt_obj_drop(&one->spec->obj);
    free(one);
}

static void tell(struct rt_turn *t, const struct births *b, struct birth *one)
{
    rt_pass_take(t, b->asker, SPAWNER_STARTED, &one->answer->obj);
    one->answer = NULL;
    birth_destroy(one);
}

static void fail(struct rt_turn *t, const struct births *b, struct birth *one,
                 const char *stage, int error)
{
    snprintf(one->answer->stage, sizeof(one->answer->stage), "%s", stage);
    one->answer->error = -error;
    tell(t, b, one);
}

/* The transcript is there before the warden: the processes actor can watch it
 * at once. 0, or a negative errno and what it was about. */
static int fill(struct birth *one, const char **stage)
{
    const struct process_spec *spec = one->spec;
    int error = 0;

    *stage = "dir";
    one->dir = workdir_open(spec->dir);
    if (one->dir < 0)
        return one->dir;
    *stage = "stdout";
    one->answer->out =
        folder_file(one->dir, "stdout.ndjson", O_RDONLY | O_CREAT);
    if (one->answer->out < 0)
        return one->answer->out;
    *stage = "stdin";
    if (spec->input != NULL)
        error = workdir_write(one->dir, "stdin", spec->input, spec->input_len);
    return error != 0 ? error : workdir_make(one->dir, spec, stage);
}

/* ---- the zygote ---------------------------------------------------------- */

static struct birth *take_sent(struct births *b, uint64_t ticket)
{
    LIST_EACH (one, &b->sent, link) {
        if (one->answer->ticket != ticket)
            continue;
        LIST_REMOVE(&b->sent, one, link);
        b->sent_count--;
        return one;
    }
    return NULL;
}

static void take_answer(struct rt_turn *t, struct births *b,
                        const struct order_answer *a)
{
    struct birth *one = take_sent(b, a->ticket);

    b->answers++;
    if (one == NULL)
        return;
    one->answer->pid = a->pid;
    if (a->error != 0)
        fail(t, b, one, "spawn", -a->error);
    else
        tell(t, b, one);
}

/* False when there will be no more. */
static bool take_answers(struct rt_turn *t, struct births *b)
{
    struct order_answer answers[SENT_MAX];
    int count;

    while ((count = zygote_answers(&b->zygote, answers, SENT_MAX)) > 0)
        for (int i = 0; i < count; i++)
            take_answer(t, b, &answers[i]);
    return count == 0;
}

/* What has not been answered is to be ordered again, in the order it was. */
void births_end_zygote(struct rt_turn *t, struct births *b)
{
    struct birth *one;

    if (b->zygote.pid == 0)
        return;
    zygote_kill(&b->zygote);
    take_answers(t, b);
    rt_unwatch(t, b->zygote.fd);
    zygote_close(&b->zygote);
    while ((one = b->sent.last) != NULL) {
        LIST_REMOVE(&b->sent, one, link);
        LIST_PREPEND(&b->waiting, one, link);
    }
    b->sent_count = 0;
}

static void fail_waiting(struct rt_turn *t, struct births *b, const char *stage,
                         int error)
{
    LIST_EACH (one, &b->waiting, link) {
        LIST_REMOVE(&b->waiting, one, link);
        fail(t, b, one, stage, error);
    }
}

static void free_news(struct rt_obj *o)
{
    struct spawner_news *news = (struct spawner_news *)o;

    if (news->fd >= 0)
        close(news->fd);
    free(news);
}

/* Before any order, so that it is read when there is any. */
static void pass_news(struct rt_turn *t, const struct births *b, int fd)
{
    struct spawner_news *news = os_alloc(sizeof(*news), 16);

    rt_obj_init(&news->obj, free_news);
    news->fd = fd;
    rt_pass_take(t, b->asker, SPAWNER_NEWS, &news->obj);
}

static int need_zygote(struct rt_turn *t, struct births *b)
{
    int error, news;

    if (b->zygote.pid != 0)
        return 0;
    error = zygote_start(&b->zygote, b->config, &news);
    if (error != 0)
        return error;
    pass_news(t, b, news);
    error = rt_watch(t, b->zygote.fd, EPOLLIN);
    if (error != 0) {
        zygote_kill(&b->zygote);
        zygote_close(&b->zygote);
    }
    return error;
}

/* ---- orders -------------------------------------------------------------- */

static void time_answers(struct rt_turn *t, struct births *b)
{
    if (b->is_timed)
        return;
    b->is_timed = true;
    b->answers = 0;
    rt_after(t, LATE_MS, b->late_kind);
}

static void send_one(struct rt_turn *t, struct births *b, struct birth *one)
{
    int error = zygote_order(&b->zygote, one->answer->ticket, one->dir,
                             &one->words, one->count, one->spec);

    LIST_REMOVE(&b->waiting, one, link);
    if (error == -E2BIG) {
        fail(t, b, one, "spawn", error);
        return;
    }
    LIST_APPEND(&b->sent, one, link);
    b->sent_count++;
    one->tries++;
    if (error != 0)
        births_end_zygote(t, b);
    else
        time_answers(t, b);
}

static void send_waiting(struct rt_turn *t, struct births *b)
{
    while (b->waiting.first != NULL && b->sent_count < SENT_MAX) {
        struct birth *one = b->waiting.first;
        int error = need_zygote(t, b);

        if (error != 0) {
            fail_waiting(t, b, "spawn", error);
        } else if (one->tries == TRIES) {
            LIST_REMOVE(&b->waiting, one, link);
            fail(t, b, one, "warden", -EIO);
        } else {
            send_one(t, b, one);
        }
    }
}

/* Many are ordered at once, and word of the zygote would wait behind them all:
 * it would have nothing to do while the files of the last are made. */
static void listen(struct rt_turn *t, struct births *b)
{
    if (b->sent_count >= SENT_MAX / 2 && !take_answers(t, b))
        births_end_zygote(t, b);
}

/* Its zygote starts while its files are made. */
void births_begin(struct rt_turn *t, struct births *b, struct rt_ref asker,
                  const struct spawner_start *order, const char *cgroup)
{
    struct birth *one = birth_create(order);
    const char *stage;
    int error;

    b->asker = asker;
    listen(t, b);
    error = need_zygote(t, b);
    if (error != 0) {
        fail(t, b, one, "spawn", error);
        return;
    }
    error = fill(one, &stage);
    if (error != 0) {
        fail(t, b, one, stage, error);
        return;
    }
    one->count = warden_words(&one->words, b->config, one->spec, cgroup);
    LIST_APPEND(&b->waiting, one, link);
    send_waiting(t, b);
}

void births_on_ready(struct rt_turn *t, struct births *b)
{
    if (!take_answers(t, b))
        births_end_zygote(t, b);
    send_waiting(t, b);
}

void births_on_late(struct rt_turn *t, struct births *b)
{
    b->is_timed = false;
    if (b->sent_count == 0)
        return;
    if (b->answers == 0)
        births_end_zygote(t, b);
    send_waiting(t, b);
    time_answers(t, b);
}

void births_finish(struct rt_turn *t, struct births *b)
{
    births_end_zygote(t, b);
    LIST_EACH (one, &b->waiting, link)
        birth_destroy(one);
}

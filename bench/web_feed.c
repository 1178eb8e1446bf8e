/* SPDX-License-Identifier: MIT */
/*
 * Clients of a feed that measure it, one figure a run:
 *
 *   web-feed rate   PORT FLOW SOURCES CLIENTS SECONDS 0 [INTEREST...]
 *                   messages per second of all clients together, the sources
 *                   as fast as their events arrive
 *   web-feed p50    PORT FLOW SOURCES CLIENTS SECONDS RATE [INTEREST...]
 *   web-feed p99    the same: ns from a source's writing to a client's reading,
 *                   so many events a second for each client
 *   web-feed status PORT FLOW SOURCES CLIENTS SECONDS RATE AGENT...
 *                   ns from a source's tool call to the status update which
 *                   counts it, 99th of a hundred; AGENTs are the sources' ids,
 *                   and RATE the calls a second of all together
 *   web-feed frozen PORT FLOW SOURCES CLIENTS EVENTS PID [INTEREST...]
 *                   bytes by which PID grows over so many events, while there
 *                   is one more client that never reads
 *
 * Of n INTERESTs client i sends the one with the number i % n, and hears the
 * source of that number only; without any, all hear all. Sources that nobody
 * hears say little.
 *
 * One thread for all of them: a hub has the other cores.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "bench/dial.h"
#include "bench/flow.h"
#include "bench/tally.h"
#include "bench/web_client.h"

/* On its way of each source at most: few enough for a client's buffers, and
 * enough for nobody to wait for the reader. */
enum { WINDOW = 64, WIDE_WINDOW = 512, CLIENTS_MAX = 256 };

#define SECOND 1000000000ull
#define PATIENCE (20 * SECOND) /* until each client has heard something */
#define UNHEARD_STEP (SECOND / 100)

struct feed;

struct client {
    struct web_client ws;
    struct feed *feed;
    unsigned number;
    uint32_t last[FLOW_SOURCES]; /* the latest event heard of each */
};

struct feed {
    const char *what;
    uint16_t port;
    struct flow *flow;
    unsigned sources, count;
    char **words; /* interests or agents */
    unsigned word_count;
    int epoll;
    uint64_t now;                   /* when the last bytes were read */
    uint64_t reached[FLOW_SOURCES]; /* sums of the clients' last */
    unsigned hearers[FLOW_SOURCES]; /* how many clients hear it */
    unsigned waiting;               /* for the first event of a source */
    uint64_t delivered;             /* messages */
    uint32_t window;                /* events of a source on their way */
    struct tally tally;
    struct client clients[CLIENTS_MAX];
};

static bool is_of_status(const struct feed *feed)
{
    return strcmp(feed->what, "status") == 0;
}

static bool is_heard_by(const struct feed *feed, unsigned client,
                        unsigned source)
{
    return feed->word_count == 0 || is_of_status(feed) ||
           client % feed->word_count == source;
}

/* ---- what is heard ------------------------------------------------------ */

static void count_to(struct client *c, unsigned source, uint32_t number)
{
    struct feed *feed = c->feed;

    if (c->last[source] == 0)
        feed->waiting--;
    feed->reached[source] += number - c->last[source];
    c->last[source] = number;
}

static void on_event(void *arg, const char *text, size_t len)
{
    struct client *c = arg;
    struct feed *feed = c->feed;
    struct flow_mark mark;

    if (!flow_find(text, len, &mark) || mark.source >= feed->sources)
        return;
    if (c->last[mark.source] != 0 && mark.number != c->last[mark.source] + 1)
        dial_fail("events are lost, or come twice, before", text);
    count_to(c, mark.source, mark.number);
    feed->delivered++;
    tally_add(&feed->tally, feed->now - mark.stamp);
}

/* What stands behind a key in a JSON text, ended by a NUL or by `"`. */
static const char *value_of(const char *text, size_t len, const char *key)
{
    const char *at = memmem(text, len, key, strlen(key));

    return at == NULL ? NULL : at + strlen(key);
}

static bool find_agent(const struct feed *feed, const char *text, size_t len,
                       unsigned *source)
{
    const char *id = value_of(text, len, "\"agentId\":\"");

    for (unsigned i = 0; id != NULL && i < feed->word_count; i++)
        if (strncmp(id, feed->words[i], strlen(feed->words[i])) == 0) {
            *source = i;
            return true;
        }
    return false;
}

/* An update tells of all calls since the one before it; each has waited. */
static void on_status(void *arg, const char *text, size_t len)
{
    struct client *c = arg;
    struct feed *feed = c->feed;
    const char *count = value_of(text, len, "\"toolCallCount\":");
    unsigned source;
    uint32_t number;

    if (count == NULL || memmem(text, len, ":status_update", 14) == NULL ||
        !find_agent(feed, text, len, &source))
        return;
    number = (uint32_t)strtoul(count, NULL, 10);
    for (uint32_t n = c->last[source] + 1; n <= number; n++)
        tally_add(&feed->tally,
                  feed->now - flow_stamp_of(feed->flow, source, n));
    if (number <= c->last[source])
        return;
    feed->delivered++;
    count_to(c, source, number);
}

/* ---- the loop ----------------------------------------------------------- */

static void grant(struct feed *feed)
{
    for (unsigned i = 0; i < feed->sources; i++)
        if (feed->flow->sources[i].step == 0)
            flow_grant(feed->flow, i,
                       (uint32_t)(feed->reached[i] / feed->hearers[i]) +
                           feed->window);
}

static void turn(struct feed *feed, int timeout_ms)
{
    struct epoll_event ready[64];
    int n = epoll_wait(feed->epoll, ready, 64, timeout_ms);

    for (int i = 0; i < n; i++) {
        struct client *c = ready[i].data.ptr;

        feed->now = flow_now();
        if (!web_client_hear(&c->ws, is_of_status(feed) ? on_status : on_event,
                             c))
            dial_fail("the server closed", "a client that reads");
    }
}

static void connect_all(struct feed *feed)
{
    feed->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned i = 0; i < feed->count; i++) {
        struct client *c = &feed->clients[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

        c->feed = feed;
        c->number = i;
        web_client_open(&c->ws, feed->port);
        epoll_ctl(feed->epoll, EPOLL_CTL_ADD, c->ws.fd, &event);
        if (feed->word_count > 0 && !is_of_status(feed))
            web_client_say(&c->ws, feed->words[i % feed->word_count]);
        for (unsigned s = 0; s < feed->sources; s++)
            if (is_heard_by(feed, i, s)) {
                feed->hearers[s]++;
                feed->waiting++;
            }
    }
}

/* Until everybody has heard everything that concerns it. What was said before
 * an interest was taken in it is heard by nobody, so that the sources say one
 * thing at a time for as long. */
static void warm_up(struct feed *feed, uint64_t step)
{
    uint64_t end = flow_now() + PATIENCE;

    for (unsigned i = 0; i < feed->sources; i++)
        feed->flow->sources[i].step =
            feed->hearers[i] > 0 ? step : UNHEARD_STEP;
    flow_begin(feed->flow, is_of_status(feed));
    for (uint32_t said = 1; feed->waiting > 0; said++) {
        for (unsigned i = 0; i < feed->sources; i++)
            flow_grant(feed->flow, i, said);
        turn(feed, 2);
        if (flow_now() > end)
            dial_fail("waited", "not every client hears every source");
    }
}

static double run(struct feed *feed, double seconds)
{
    uint64_t begun = flow_now(), end = begun + (uint64_t)(seconds * 1e9);

    feed->delivered = 0;
    memset(&feed->tally, 0, sizeof(feed->tally));
    while (flow_now() < end) {
        grant(feed);
        turn(feed, 100);
    }
    return (double)feed->delivered * 1e9 / (double)(flow_now() - begun);
}

static double percent(struct feed *feed, double seconds, double rate,
                      unsigned percent_of)
{
    unsigned heard = 0; /* sources, by a client */

    for (unsigned i = 0; i < feed->sources; i++)
        heard += is_heard_by(feed, 0, i);
    warm_up(feed, (uint64_t)(heard * 1e9 / rate));
    rate = run(feed, seconds) / (rate * feed->count);
    /* Few of them may all be fast, and say nothing of the others. */
    if (!is_of_status(feed) && rate < 0.8)
        dial_fail("too slow", "fewer events have come than were due");
    return tally_percent(&feed->tally, percent_of);
}

/* ---- one that does not read --------------------------------------------- */

/* Bytes, of a line in a process's status. */
static uint64_t memory_of(const char *pid, const char *name)
{
    char path[64], line[256];
    uint64_t kb = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%.16s/status", pid);
    if ((file = fopen(path, "re")) == NULL)
        dial_fail("cannot read", path);
    while (fgets(line, sizeof(line), file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            kb = strtoull(line + strlen(name) + 1, NULL, 10);
    fclose(file);
    return kb * 1024;
}

/* From here on the peak is counted anew. */
static void forget_peak(const char *pid)
{
    char path[64];
    int fd;

    snprintf(path, sizeof(path), "/proc/%.16s/clear_refs", pid);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "5", 1) != 1)
        dial_fail("cannot write", path);
    close(fd);
}

static double frozen(struct feed *feed, double events, const char *pid)
{
    struct web_client stiff;
    uint64_t before;

    warm_up(feed, 0);
    while (feed->delivered < events / 10) {
        grant(feed);
        turn(feed, 100);
    }
    before = memory_of(pid, "VmRSS");
    forget_peak(pid);
    web_client_open(&stiff, feed->port);
    if (feed->word_count > 0)
        web_client_say(&stiff, feed->words[0]);
    feed->delivered = 0;
    while (feed->delivered < events) {
        grant(feed);
        turn(feed, 100);
    }
    web_client_close(&stiff);
    return (double)memory_of(pid, "VmHWM") - (double)before;
}

static double measure(struct feed *feed, double amount, const char *word)
{
    const char *what = feed->what;

    if (strcmp(what, "frozen") == 0)
        return frozen(feed, amount, word);
    if (strcmp(what, "p50") == 0)
        return percent(feed, amount, strtod(word, NULL), 50);
    if (strcmp(what, "p99") == 0 || is_of_status(feed))
        return percent(feed, amount, strtod(word, NULL), 99);
    warm_up(feed, 0);
    run(feed, amount / 5);
    return run(feed, amount);
}

int main(int argc, char **argv)
{
    static struct feed feed;
    double figure;

    if (argc < 8)
        dial_fail("usage", "web-feed WHAT PORT FLOW SOURCES CLIENTS ...");
    feed.what = argv[1];
    /* How fast the million goes by is not the question there. */
    feed.window = strcmp(feed.what, "frozen") == 0 ? WIDE_WINDOW : WINDOW;
    feed.port = (uint16_t)strtoul(argv[2], NULL, 10);
    feed.flow = flow_open(argv[3]);
    feed.sources = (unsigned)strtoul(argv[4], NULL, 10);
    feed.count = (unsigned)strtoul(argv[5], NULL, 10);
    feed.words = argv + 8;
    feed.word_count = (unsigned)argc - 8;
    if (feed.sources < 1 || feed.sources > FLOW_SOURCES || feed.count < 1 ||
        feed.count > CLIENTS_MAX)
        dial_fail("usage", "too few or too many sources or clients");
    connect_all(&feed);
    figure = measure(&feed, strtod(argv[6], NULL), argv[7]);
    flow_end(feed.flow);
    for (unsigned i = 0; i < feed.count; i++)
        web_client_close(&feed.clients[i].ws);
    printf("%.0f\n", figure);
    return 0;
}

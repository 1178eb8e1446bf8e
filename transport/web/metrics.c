/* SPDX-License-Identifier: MIT */
#include "transport/web/metrics.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "actors/registry/registry.h"
#include "transport/http/site.h"

struct question {
    struct calls *calls;
    const struct feed *feed;
    size_t mcp_sessions;
    struct site *site;
    struct exchange *exchange;
    uint64_t call;
};

/* One family: its help, its type, and then its lines. */
static void head(struct bytes *out, const char *name, const char *type,
                 const char *help)
{
    char line[256];

    bytes_append(out, line,
                 (size_t)snprintf(line, sizeof(line),
                                  "# HELP kuromajutsu_%s %s\n"
                                  "# TYPE kuromajutsu_%s %s\n",
                                  name, help, name, type));
}

static void value(struct bytes *out, const char *name, const char *label,
                  uint64_t number)
{
    char line[192];

    bytes_append(out, line,
                 (size_t)snprintf(line, sizeof(line),
                                  "kuromajutsu_%s%s %" PRIu64 "\n", name, label,
                                  number));
}

static void one(struct bytes *out, const char *name, const char *type,
                const char *help, uint64_t number)
{
    head(out, name, type, help);
    value(out, name, "", number);
}

static void put_runtime(struct bytes *out, struct rt_turn *t)
{
    struct rt_stats s;
    uint64_t dead = 0;

    rt_stats(t, &s);
    for (int i = 0; i < RT_DEAD_REASONS; i++)
        dead += s.dead[i];
    one(out, "actors", "gauge", "Actors alive.", s.actors);
    one(out, "actors_spawned_total", "counter", "Actors ever started.",
        s.spawned);
    one(out, "messages_sent_total", "counter", "Messages put into mailboxes.",
        s.sent);
    one(out, "messages_waiting", "gauge", "Messages in mailboxes.", s.waiting);
    one(out, "turns_total", "counter", "Turns in which mail was handled.",
        s.turns);
    one(out, "wakes_total", "counter", "Threads woken for mail.", s.wakes);
    one(out, "dead_letters_total", "counter",
        "Messages to actors that were gone.", dead);
}

static void put_hub(struct bytes *out, const struct registry_counts *n)
{
    const struct slots_places *places = &n->places;
    char label[64];

    head(out, "agents", "gauge", "Agents in the live lists, by state.");
    for (int i = 0; i < AGENT_STATES; i++) {
        snprintf(label, sizeof(label), "{state=\"%s\"}",
                 agent_state_name((enum agent_state)i));
        value(out, "agents", label, n->agents[i]);
    }
    one(out, "agents_leaving", "gauge", "Done, but their processes are there.",
        n->leaving);
    one(out, "groups_active", "gauge", "Groups that are not deleted.",
        n->groups_active);
    one(out, "places", "gauge", "Agents that may run at once.",
        places->limits.max[SLOTS_AGENTS]);
    one(out, "places_held", "gauge", "Places that are taken.",
        places->held[SLOTS_AGENTS]);
    one(out, "places_waiting", "gauge", "Agents that wait for a place.",
        places->waiting[SLOTS_AGENTS]);
    one(out, "agents_started_total", "counter", "Processes of agents started.",
        n->streams.started);
    one(out, "stream_lines_total", "counter", "Lines of agents that were read.",
        n->streams.lines);
    one(out, "stream_bytes_total", "counter", "Bytes of agents that were read.",
        n->streams.bytes);
    one(out, "uptime_seconds", "gauge", "Since the hub has started.",
        n->uptime_ms / 1000);
}

static void put_memory(struct bytes *out)
{
    unsigned long long size = 0, resident = 0;
    FILE *f = fopen("/proc/self/statm", "re");

    if (f != NULL) {
        if (fscanf(f, "%llu %llu", &size, &resident) != 2)
            resident = 0;
        fclose(f);
    }
    one(out, "resident_bytes", "gauge", "Memory that the hub occupies.",
        resident * (uint64_t)sysconf(_SC_PAGESIZE));
}

static void put_web(struct bytes *out, const struct question *q)
{
    const struct feed_counts *feed = &q->feed->counts;
    const struct site *s = q->site;

    one(out, "http_connections", "gauge", "Open connections.", s->connections);
    one(out, "http_accepted_total", "counter", "Connections ever opened.",
        s->accepted);
    one(out, "http_refused_total", "counter", "Connections over the limit.",
        s->refused);
    one(out, "http_dropped_total", "counter",
        "Connections ended to make room for others.", s->dropped);
    one(out, "http_turned_away_total", "counter",
        "Requests that were not ours to serve.", s->access.turned_away);
    one(out, "http_requests_total", "counter", "Requests.", s->served);
    one(out, "mcp_sessions", "gauge", "Sessions of MCP over HTTP.",
        q->mcp_sessions);
    one(out, "feed_watchers", "gauge", "Connections to the feed.",
        feed->subscribers);
    one(out, "feed_sent_total", "counter", "Messages sent to watchers.",
        feed->sent);
    one(out, "feed_dropped_total", "counter",
        "Messages that slow watchers did not get.", feed->dropped);
    one(out, "feed_kicked_total", "counter",
        "Watchers closed for being too slow.", feed->kicked);
    one(out, "feed_lag_milliseconds", "gauge",
        "Age of the newest event when it got here.", feed->lag_ms);
}

static void on_answer(struct rt_turn *t, void *ctx, uint64_t handle,
                      const struct answer *a)
{
    struct question *q = ctx;
    struct bytes out = {0};

    (void)handle;
    q->call = 0;
    put_runtime(&out, t);
    if (!a->is_error)
        put_hub(&out, (const struct registry_counts *)a->with);
    put_memory(&out);
    put_web(&out, q);
    exchange_add_header(q->exchange, "cache-control", SLICE("no-store"));
    exchange_reply(q->exchange, 200, "text/plain; version=0.0.4; charset=utf-8",
                   &out);
}

static const struct calls_client client = {.on_answer = on_answer};

static void on_gone(void *ctx)
{
    struct question *q = ctx;

    calls_cancel(q->site->turn, q->calls, q->call);
    free(q);
}

void metrics_serve(struct calls *calls, const struct feed *feed,
                   size_t mcp_sessions, struct exchange *x)
{
    struct question *q = bytes_zalloc(sizeof(*q));
    uint64_t call;

    *q = (struct question){.calls = calls,
                           .feed = feed,
                           .mcp_sessions = mcp_sessions,
                           .site = exchange_site(x),
                           .exchange = x};
    exchange_own(x, q, on_gone);
    call = calls_place(
        q->site->turn, calls,
        &(struct call){.client = &client, .ctx = q, .kind = ORDER_HUB_COUNTS});
    if (call != 0)
        q->call = call;
}

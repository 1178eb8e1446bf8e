/* SPDX-License-Identifier: MIT */
/*
 * A client that measures tool calls over HTTP, one figure a run:
 *
 *   web-calls rate PORT CONNECTIONS SECONDS TOOL BODY   calls per second
 *   web-calls p50 ...                                   ns of a call, median
 *   web-calls p99 ...                                   99th of a hundred
 *
 * Each connection is kept and has one request in flight, asked anew as soon
 * as it was answered. BODY is the JSON-RPC request, in the newer era's form.
 * One thread for all of them: a hub has the other cores.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "bench/dial.h"
#include "bench/flow.h"
#include "bench/tally.h"

enum { CONNECTIONS_MAX = 1024, ANSWER_MAX = 1 << 16, REQUEST_MAX = 4096 };

struct connection {
    int fd;
    uint64_t asked; /* when */
    size_t len;
    char in[ANSWER_MAX + 1];
};

struct load {
    char request[REQUEST_MAX];
    size_t request_len;
    size_t first; /* bytes of the first answer's body: no other is far off */
    int epoll;
    struct connection *connections;
    struct tally tally;
};

static void write_request(struct load *load, uint16_t port, const char *tool,
                          const char *body)
{
    int n = snprintf(load->request, REQUEST_MAX,
                     "POST /mcp HTTP/1.1\r\n"
                     "Host: 127.0.0.1:%u\r\n"
                     "Content-Type: application/json\r\n"
                     "Accept: application/json, text/event-stream\r\n"
                     "MCP-Protocol-Version: 2026-07-28\r\n"
                     "Mcp-Method: tools/call\r\n"
                     "Mcp-Name: %s\r\n"
                     "Content-Length: %zu\r\n\r\n%s",
                     port, tool, strlen(body), body);

    if (n >= REQUEST_MAX)
        dial_fail("too long", body);
    load->request_len = (size_t)n;
}

static void ask(struct load *load, struct connection *c)
{
    c->len = 0;
    c->asked = flow_now();
    dial_say(c->fd, load->request, load->request_len);
}

/* An error would be answered fast, and be taken for a good figure. */
static void judge(struct load *load, const struct connection *c,
                  const struct dial_answer *answer)
{
    size_t body = answer->whole - answer->head;

    if (answer->status != 200 || c->len != answer->whole)
        dial_fail("no good answer", c->in);
    if (load->first == 0) {
        if (strstr(c->in, "\"isError\":true") != NULL ||
            strstr(c->in, "\"result\":") == NULL)
            dial_fail("an error", c->in);
        load->first = body;
    }
    if (body < load->first / 2)
        dial_fail("a short answer", c->in);
}

/* Whether an answer has come to its end. */
static bool hear(struct load *load, struct connection *c)
{
    struct dial_answer answer;

    c->len += dial_hear(c->fd, c->in + c->len, ANSWER_MAX - c->len);
    c->in[c->len] = '\0';
    if (!dial_answered(c->in, c->len, &answer))
        return false;
    judge(load, c, &answer);
    return true;
}

static void turn(struct load *load)
{
    struct epoll_event ready[64];
    int n = epoll_wait(load->epoll, ready, 64, 10000);

    if (n <= 0)
        dial_fail("waited", "no answer in ten seconds");
    for (int i = 0; i < n; i++) {
        struct connection *c = ready[i].data.ptr;

        if (!hear(load, c))
            continue;
        tally_add(&load->tally, flow_now() - c->asked);
        ask(load, c);
    }
}

static double run(struct load *load, uint64_t ns)
{
    uint64_t begun = flow_now(), now;

    memset(&load->tally, 0, sizeof(load->tally));
    do
        turn(load);
    while ((now = flow_now()) < begun + ns);
    return (double)load->tally.count * 1e9 / (double)(now - begun);
}

static void open_all(struct load *load, uint16_t port, unsigned count)
{
    load->connections = calloc(count, sizeof(*load->connections));
    load->epoll = epoll_create1(EPOLL_CLOEXEC);
    for (unsigned i = 0; i < count; i++) {
        struct connection *c = &load->connections[i];
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};

        c->fd = dial(port);
        epoll_ctl(load->epoll, EPOLL_CTL_ADD, c->fd, &event);
        ask(load, c);
    }
}

int main(int argc, char **argv)
{
    static struct load load;
    unsigned count = argc == 7 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    double seconds = argc == 7 ? strtod(argv[4], NULL) : 0, rate;
    uint16_t port;

    if (count < 1 || count > CONNECTIONS_MAX || seconds <= 0)
        dial_fail("usage", "web-calls rate|p50|p99 PORT CONNECTIONS SECONDS "
                           "TOOL BODY");
    port = (uint16_t)strtoul(argv[2], NULL, 10);
    write_request(&load, port, argv[5], argv[6]);
    open_all(&load, port, count);
    run(&load, (uint64_t)(seconds * 2e8)); /* to warm up */
    rate = run(&load, (uint64_t)(seconds * 1e9));
    if (strcmp(argv[1], "rate") != 0)
        rate = tally_percent(&load.tally, argv[1][1] == '5' ? 50 : 99);
    printf("%.0f\n", rate);
    free(load.connections);
    return 0;
}

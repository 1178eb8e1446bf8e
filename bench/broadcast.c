/* SPDX-License-Identifier: MIT */
/*
 * Agents on a hub's socket, each with a connection and a mailbox of its own,
 * all of which wait for a message; one more writes to all of them, again and
 * again. Prints an object of nanoseconds from the call on: until it is
 * answered, when the message is on the disk and in every mailbox (sent), and
 * until the last of those who wait has it (heard); medians, and the slowest.
 *
 *   broadcast SOCKET AGENTS TIMES
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "bench/wire_client.h"
#include "runtime/os.h"

#define AGENTS_MAX 4000
#define TIMES_MAX 1000

static struct wire_client clients[AGENTS_MAX + 1]; /* the last one writes */
static struct pollfd fds[AGENTS_MAX + 1];
static unsigned agents, unanswered;
static uint64_t sent_at; /* when the writer was answered */

static void hear(struct wire_client *c, const struct wire_frame *f)
{
    if (f->head.kind != WIRE_ANSWER && f->head.kind != WIRE_WELCOME)
        return;
    unanswered--;
    if (c->number == agents)
        sent_at = os_now();
}

static void hear_until(unsigned left)
{
    while (unanswered > left) {
        if (poll(fds, agents + 1, 60000) <= 0)
            wire_client_fail("poll", SLICE("nothing is heard"));
        for (unsigned i = 0; i <= agents; i++)
            if (fds[i].revents != 0)
                wire_client_hear(&clients[i], hear);
    }
}

static void open_all(const char *path)
{
    for (unsigned i = 0; i <= agents; i++) {
        wire_client_open(&clients[i], i, path);
        fds[i] = (struct pollfd){.fd = clients[i].fd, .events = POLLIN};
    }
    unanswered = agents + 1;
    hear_until(0);
    for (unsigned i = 0; i < agents; i++)
        wire_client_call(&clients[i], "agent_register",
                         "{\"agent_id\":\"agent-%u\",\"name\":\"Agent\"}", i);
    unanswered = agents;
    hear_until(0);
}

/* A client's calls are taken in turn: when a look at who one is was answered,
 * the call before it waits. */
static void wait_all(void)
{
    for (unsigned i = 0; i < agents; i++) {
        wire_client_call(&clients[i], "agent_receive_messages",
                         "{\"agent_id\":\"agent-%u\",\"wait_ms\":600000}", i);
        wire_client_call(&clients[i], "agent_get",
                         "{\"agent_id\":\"agent-%u\"}", i);
    }
    unanswered = 2 * agents;
    hear_until(agents);
}

static void broadcast(double *sent, double *heard)
{
    uint64_t begun = os_now();

    wire_client_call(&clients[agents], "agent_send_message",
                     "{\"sender_id\":\"director\",\"content\":"
                     "\"Pipeline stage: testing\"}");
    unanswered++;
    hear_until(0);
    *heard = (double)(os_now() - begun);
    *sent = (double)(sent_at - begun);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void print(const char *name, double *taken, unsigned times)
{
    qsort(taken, times, sizeof(*taken), compare);
    printf("\"%s\":%.0f,\"%s_most\":%.0f", name, taken[times / 2], name,
           taken[times - 1]);
}

static void allow_descriptors(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

int main(int argc, char **argv)
{
    static double sent[TIMES_MAX], heard[TIMES_MAX];
    unsigned times = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;

    agents = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    if (agents == 0 || agents > AGENTS_MAX || times == 0 || times > TIMES_MAX)
        wire_client_fail("usage", SLICE("broadcast SOCKET AGENTS TIMES"));
    allow_descriptors();
    open_all(argv[1]);
    for (unsigned i = 0; i < times; i++) {
        wait_all();
        broadcast(&sent[i], &heard[i]);
    }
    printf("{");
    print("sent", sent, times);
    printf(",");
    print("heard", heard, times);
    printf("}\n");
    return 0;
}

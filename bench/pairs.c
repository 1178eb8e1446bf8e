/* SPDX-License-Identifier: MIT */
/*
 * Clients on a hub's socket that do two things in turn, each as soon as the
 * one before was answered. Prints such pairs a second.
 *
 *   pairs SOCKET groups CLIENTS SECONDS   create a group, and delete it
 *   pairs SOCKET mail CLIENTS SECONDS     write to one's neighbour, and wait
 *                                         for what one's other neighbour wrote
 *
 * One thread for all of them: a hub has the other cores.
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/wire_client.h"
#include "runtime/os.h"

#define CLIENTS_MAX 1024
#define WARM_UP_NS 300000000

static struct client {
    struct wire_client wire;
    uint64_t pairs;
    bool is_second; /* the second of its pair is under way */
} clients[CLIENTS_MAX];
static unsigned client_count;

/* ---- groups ------------------------------------------------------------- */

static void begin_group(struct wire_client *c)
{
    wire_client_call(c, "create_group", "{\"description\":\"bench\"}");
}

/* {"groupId":"...", is how an answer to create_group begins. */
static void end_group(struct wire_client *c, struct slice p)
{
    static const char begin[] = "{\"groupId\":\"";
    struct slice id;
    const char *end;

    if (p.len < sizeof(begin) || memcmp(p.ptr, begin, sizeof(begin) - 1))
        wire_client_fail("no group in", p);
    id = slice_of(p.ptr + sizeof(begin) - 1, p.len - (sizeof(begin) - 1));
    end = memchr(id.ptr, '"', id.len);
    if (end == NULL)
        wire_client_fail("no id in", p);
    wire_client_call(c, "delete_group", "{\"groupId\":\"%.*s\"}",
                     (int)(end - id.ptr), id.ptr);
}

/* ---- mail --------------------------------------------------------------- */

static void begin_letter(struct wire_client *c)
{
    wire_client_call(c, "agent_send_message",
                     "{\"sender_id\":\"agent-%u\",\"receiver_id\":\"agent-%u\","
                     "\"content\":\"Ready for review: part %llu\"}",
                     c->number, (c->number + 1) % client_count,
                     (unsigned long long)c->calls);
}

static void end_letter(struct wire_client *c, struct slice answer)
{
    (void)answer;
    wire_client_call(
        c, "agent_receive_messages",
        "{\"agent_id\":\"agent-%u\",\"limit\":1,\"wait_ms\":60000}", c->number);
}

/* ---- both --------------------------------------------------------------- */

static const struct work {
    const char *name;
    void (*begin)(struct wire_client *c);
    void (*end)(struct wire_client *c, struct slice answer);
} works[] = {{"groups", begin_group, end_group},
             {"mail", begin_letter, end_letter}};
static const struct work *work;

static void hear(struct wire_client *c, const struct wire_frame *f)
{
    struct client *client = (struct client *)c;

    if (f->head.kind == WIRE_WELCOME) {
        work->begin(c);
    } else if (f->head.kind == WIRE_ANSWER && client->is_second) {
        client->pairs++;
        client->is_second = false;
        work->begin(c);
    } else if (f->head.kind == WIRE_ANSWER) {
        client->is_second = true;
        work->end(c, f->payload);
    }
}

static uint64_t all_pairs(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < client_count; i++)
        sum += clients[i].pairs;
    return sum;
}

static void run_until(struct pollfd *fds, uint64_t end)
{
    while (os_now() < end) {
        if (poll(fds, client_count, 1000) < 0)
            wire_client_fail("poll", SLICE("interrupted"));
        for (unsigned i = 0; i < client_count; i++)
            if (fds[i].revents != 0)
                wire_client_hear(&clients[i].wire, hear);
    }
}

static bool read_words(int argc, char **argv)
{
    if (argc != 5)
        return false;
    client_count = (unsigned)strtoul(argv[3], NULL, 10);
    for (unsigned i = 0; i < sizeof(works) / sizeof(*works); i++)
        if (strcmp(works[i].name, argv[2]) == 0)
            work = &works[i];
    return work != NULL && client_count > 0 && client_count <= CLIENTS_MAX &&
           atof(argv[4]) > 0;
}

int main(int argc, char **argv)
{
    static struct pollfd fds[CLIENTS_MAX];
    uint64_t begun, before;

    if (!read_words(argc, argv))
        wire_client_fail("usage",
                         SLICE("pairs SOCKET groups|mail CLIENTS SECONDS"));
    for (unsigned i = 0; i < client_count; i++) {
        wire_client_open(&clients[i].wire, i, argv[1]);
        fds[i] = (struct pollfd){.fd = clients[i].wire.fd, .events = POLLIN};
    }
    run_until(fds, os_now() + WARM_UP_NS);
    begun = os_now();
    before = all_pairs();
    run_until(fds, begun + (uint64_t)(atof(argv[4]) * 1e9));
    printf("%.1f\n",
           (double)(all_pairs() - before) * 1e9 / (double)(os_now() - begun));
    return 0;
}

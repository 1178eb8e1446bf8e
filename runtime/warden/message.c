/* SPDX-License-Identifier: MIT */
#include "runtime/warden/message.h"

#include <unistd.h>

#include "runtime/warden/text.h"

/* Holds any of them: names are bounded, and escaped 6 times at most. */
#define MESSAGE_MAX 2048

void message_hello(struct link *l, const struct options *o, pid_t cli,
                   const char *state, int64_t started_at)
{
    char buf[MESSAGE_MAX];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "{\"hello\":\"warden\",\"agent\":");
    text_json(&t, o->id);
    text_add(&t, ",\"build\":");
    text_json(&t, o->build);
    text_add(&t, ",\"warden\":");
    text_number(&t, getpid());
    text_add(&t, ",\"cli\":");
    text_number(&t, cli);
    text_add(&t, ",\"state\":");
    text_json(&t, state);
    text_add(&t, ",\"startedAt\":");
    text_number(&t, started_at);
    text_add(&t, "}\n");
    link_send(l, &t);
}

void message_started(struct link *l, pid_t cli)
{
    char buf[MESSAGE_MAX];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "{\"event\":\"started\",\"cli\":");
    text_number(&t, cli);
    text_add(&t, "}\n");
    link_send(l, &t);
}

void message_ending(struct link *l, const char *reason)
{
    char buf[MESSAGE_MAX];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "{\"event\":\"ending\",\"reason\":");
    text_json(&t, reason);
    text_add(&t, "}\n");
    link_send(l, &t);
}

void message_ended(struct link *l, const struct record *r)
{
    char buf[MESSAGE_MAX];
    struct text t;

    text_init(&t, buf, sizeof(buf));
    text_add(&t, "{\"event\":\"ended\",");
    record_write(r, &t);
    text_add(&t, "}\n");
    link_send(l, &t);
}

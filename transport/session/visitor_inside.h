/*
 * The visitor's insides, shared by its files: visitor.c is the actor and what
 * it is told, visitor_stream.c the bytes, visitor_hear.c what frames mean.
 */
#ifndef TRANSPORT_SESSION_VISITOR_INSIDE_H
#define TRANSPORT_SESSION_VISITOR_INSIDE_H

#include "transport/io/eager.h"
#include "transport/io/outbox.h"
#include "transport/session/desk.h"
#include "transport/session/visitor.h"
#include "transport/wire/wire.h"

/* Its own kinds. */
enum {
    VISITOR_FLUSH = 0x780, /* all that waited in the inbox has been put out */
    VISITOR_SILENCE        /* it has had its time to say hello */
};

/* More than this unsent, and nothing is read. */
#define VISITOR_QUEUE ((size_t)1 << 20)
/* A hello is an environment, which the kernel limits to less. */
#define VISITOR_HELLO_MAX ((size_t)8 << 20)
#define VISITOR_SILENCE_MS 10000

enum visitor_phase {
    VISITOR_GREETED,  /* HELLO is awaited */
    VISITOR_ASKING,   /* the reception's word is awaited */
    VISITOR_WELCOMED, /* calls are taken */
    VISITOR_LEAVING   /* what is unsent goes out, nothing comes in */
};

struct visitor {
    struct hub_context *context;
    const struct tools *tools;
    const struct log *log;
    struct rt_ref registry;
    int fd;
    int32_t pid;
    enum visitor_phase phase;
    char agent_id[ORDER_ID]; /* "": it is no agent's */
    struct desk desk;        /* from the welcome on */
    struct wire_reader in;
    struct outbox out;
    struct eager eager;
    uint32_t watched; /* epoll events asked for */
    bool is_flushing; /* VISITOR_FLUSH is under way */
    bool is_ended;    /* the peer says no more */
    bool is_deaf;     /* the peer hears no more: what it said still counts */
    bool is_closing;  /* the hub begins nothing new */
    bool was_filled;  /* the last read took all there was room for */
    uint64_t silence; /* timer */
};

/* ---- visitor_stream.c: 0, or a negative errno that ends the visit ---- */
int visitor_receive(struct rt_turn *t, struct visitor *v);
/* Hears the frames that were read, as far as may be. */
int visitor_hear_all(struct rt_turn *t, struct visitor *v);
int visitor_send(struct rt_turn *t, struct visitor *v);
/* Sends, and looks whether there is more to be heard already. */
int visitor_flush(struct rt_turn *t, struct visitor *v);
int visitor_watch(struct rt_turn *t, struct visitor *v);
void visitor_put(struct rt_turn *t, struct visitor *v, enum wire_kind kind,
                 unsigned flags, uint64_t handle, struct slice payload);
/* Sends, and hears on, when all that waits in the inbox is handled. */
void visitor_flush_soon(struct rt_turn *t, struct visitor *v);
size_t visitor_unsent(const struct visitor *v);

/* ---- visitor_hear.c ---- */
/* 0, or -EPROTO: this is no way to speak. */
int visitor_hear(struct rt_turn *t, struct visitor *v,
                 const struct wire_frame *frame);

#endif

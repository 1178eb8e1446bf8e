/*
 * The session's insides, shared by its files: session.c is the actor and what
 * it is told, session_stream.c the bytes, session_hello.c who it is, and
 * session_commands.c what frames mean.
 */
#ifndef TRANSPORT_SESSION_SESSION_INSIDE_H
#define TRANSPORT_SESSION_SESSION_INSIDE_H

#include "transport/io/outbox.h"
#include "transport/io/readahead.h"
#include "transport/session/ancestry.h"
#include "transport/session/calls.h"
#include "transport/session/session.h"
#include "transport/wire/wire.h"

/* Its own kinds. */
enum {
    SESSION_FLUSH = 0x780, /* all that waited in the inbox has been put out */
    SESSION_SILENCE        /* it has had its time to say hello */
};

/* More than this unsent, and nothing is read. */
#define SESSION_QUEUE ((size_t)1 << 20)
/* A hello is an environment, which the kernel limits to less. */
#define SESSION_HELLO_MAX ((size_t)8 << 20)
#define SESSION_SILENCE_MS 10000

enum session_phase {
    SESSION_GREETED,  /* HELLO is awaited */
    SESSION_ASKING,   /* the sessions actor's word is awaited */
    SESSION_WELCOMED, /* calls are taken */
    SESSION_LEAVING   /* what is unsent goes out, nothing comes in */
};

struct session {
    struct hub_context *context;
    const struct tools *tools;
    const struct log *log;
    struct rt_ref registry;
    int fd;
    int32_t pid;
    uint64_t accepted;
    enum session_phase phase;
    bool is_relay;           /* and speaks for a model */
    enum ancestry ancestry;  /* unknown: no call is taken */
    char agent_id[ORDER_ID]; /* "": it is no agent's */
    struct calls calls;      /* from the hello on */
    struct wire_reader in;
    struct outbox out;
    struct readahead readahead;
    uint32_t watched; /* epoll events asked for */
    bool is_flushing; /* SESSION_FLUSH is under way */
    bool is_ended;    /* the peer says no more */
    bool is_unread;   /* the peer reads no more: what it said still counts */
    bool is_closing;  /* the hub begins nothing new */
    bool was_filled;  /* the last read took all there was room for */
    uint64_t silence; /* timer */
};

/* ---- session.c ---- */
extern const struct calls_client session_client;

/* ---- session_stream.c: 0, or a negative errno that ends the session ---- */
int session_receive(struct rt_turn *t, struct session *s);
/* Hears the frames that were read, as far as may be. */
int session_take_frames(struct rt_turn *t, struct session *s);
int session_send(struct rt_turn *t, struct session *s);
/* Sends, and looks whether more has come already. */
int session_flush(struct rt_turn *t, struct session *s);
int session_watch(struct rt_turn *t, struct session *s);
void session_put(struct rt_turn *t, struct session *s, enum wire_kind kind,
                 unsigned flags, uint64_t handle, struct slice payload);
/* Sends, and goes on reading, when all that waits in the inbox is handled. */
void session_flush_soon(struct rt_turn *t, struct session *s);
size_t session_unsent(const struct session *s);

/* ---- session_hello.c ---- */
/* Takes the hello: who it is, and what its agents shall have. 0 or -EPROTO. */
int session_take_hello(struct rt_turn *t, struct session *s,
                       const struct wire_frame *frame);
/* Whether it may be an agent or not, nobody knows: then the call of this handle
 * has been refused. */
bool session_refuse_unknown(struct rt_turn *t, struct session *s,
                            uint64_t handle);

/* ---- session_commands.c ---- */
/* 0, or -EPROTO: this is no way to speak. */
int session_take_frame(struct rt_turn *t, struct session *s,
                       const struct wire_frame *frame);

#endif

/*
 * A flow is memory between those who write events (sources: CLIs of agents,
 * or the bare server's producer) and the one who reads what became of them:
 * it lets them go at a pace, or as fast as their events arrive.
 */
#ifndef BENCH_FLOW_H
#define BENCH_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOW_SOURCES = 16, FLOW_STAMPS = 4096, FLOW_TEXT = 400 };

enum flow_state { FLOW_NOT_YET, FLOW_RUNS, FLOW_OVER };

struct flow_source {
    uint64_t step;    /* ns from one event to the next; 0: as granted */
    uint32_t granted; /* events 1 to this may go; sources sleep on it */
    uint64_t stamps[FLOW_STAMPS]; /* when event n was written, n % STAMPS */
};

struct flow {
    uint32_t state;
    uint32_t is_of_tools; /* events are tool calls, else pieces of text */
    uint64_t begin;       /* monotonic ns; event 1 is due at */
    struct flow_source sources[FLOW_SOURCES];
};

/* What a piece of text says of itself. */
struct flow_mark {
    unsigned source;
    uint32_t number; /* from 1, without a gap */
    uint64_t stamp;  /* monotonic ns, when it was written */
};

/* The file is made if it is not there. Ends the program when it cannot. */
struct flow *flow_open(const char *path);
uint64_t flow_now(void);

/* For the reader, who sets the steps before it begins. */
void flow_begin(struct flow *f, bool is_of_tools);
void flow_grant(struct flow *f, unsigned source, uint32_t upto);
void flow_end(struct flow *f);

/* For a source: sleeps until event `n` may go, and gives how many from there
 * on may; 0 when the flow is over. */
uint32_t flow_wait(struct flow *f, unsigned source, uint32_t n);
/* Notes that event `n` is written now. */
void flow_stamp(struct flow *f, unsigned source, uint32_t n);
uint64_t flow_stamp_of(const struct flow *f, unsigned source, uint32_t n);

/* Text of 80 to 230 bytes that needs no escape in JSON; its length. */
size_t flow_text(char text[FLOW_TEXT], unsigned source, uint32_t n);
/* Looks for such a text in a feed's message. Only a delta is one: the end of a
 * message, and a status, repeat what was said before. */
bool flow_find(const char *json, size_t len, struct flow_mark *mark);

#endif

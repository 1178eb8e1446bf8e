/* SPDX-License-Identifier: MIT */
#include "runtime/trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "runtime/os.h"

struct record {
    uint64_t at;
    const char *name; /* a behaviour's, or a literal */
    struct rt_ref who;
    uint32_t took; /* nanoseconds, at most four seconds of them */
    uint32_t event;
};

_Static_assert(sizeof(struct record) == 32, "two to a cache line");

struct trace {
    uint64_t written;
    unsigned size;
    struct record ring[];
};

struct trace *trace_create(unsigned records)
{
    struct trace *trace =
        os_alloc(sizeof(*trace) + records * sizeof(struct record), 64);

    trace->written = 0;
    trace->size = records;
    return trace;
}

void trace_destroy(struct trace *trace)
{
    free(trace);
}

static void write_record(struct trace *trace, struct record record)
{
    trace->ring[trace->written++ % trace->size] = record;
}

/* The actor may be gone when its turn ends: what names it is kept here. */
struct trace_span trace_begin(const struct rt_actor *a)
{
    return (struct trace_span){
        .begun = os_now(), .name = a->behaviour->name, .who = a->exit.from};
}

void trace_end(struct rt_seat *seat, const struct trace_span *span)
{
    uint64_t took = os_now() - span->begun;

    write_record(
        seat->trace,
        (struct record){.at = span->begun,
                        .name = span->name,
                        .who = span->who,
                        .took = took > UINT32_MAX ? UINT32_MAX : (uint32_t)took,
                        .event = TRACE_TURN});
}

void trace_mark_on(struct rt_seat *seat, enum trace_event event,
                   const char *name, struct rt_ref who)
{
    write_record(seat->trace,
                 (struct record){
                     .at = os_now(), .name = name, .who = who, .event = event});
}

/* A name is the program's: whatever is in it must not break the JSON. */
static void write_name(FILE *out, const char *prefix, const char *name)
{
    fprintf(out, "\"name\":\"%s", prefix);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            fputc('\\', out);
        fputc((unsigned char)*name < ' ' ? '?' : *name, out);
    }
    fputs("\",", out);
}

static void write_json(FILE *out, const struct record *r, unsigned thread,
                       const char *separator)
{
    fprintf(out, "%s\n{\"pid\":1,\"tid\":%u,\"ts\":%" PRIu64 ".%03u,",
            separator, thread, r->at / 1000, (unsigned)(r->at % 1000));
    write_name(out, r->event == TRACE_END ? "end of " : "", r->name);
    if (r->event == TRACE_TURN)
        fprintf(out, "\"ph\":\"X\",\"dur\":%u.%03u,", r->took / 1000,
                r->took % 1000);
    else
        fputs("\"ph\":\"i\",\"s\":\"t\",", out);
    fprintf(out, "\"args\":{\"actor\":\"%" PRIx64 "\"}}", r->who.id);
}

void trace_write(const struct rt *rt, FILE *out)
{
    unsigned threads = rt->worker_count + rt->loop_count;
    const char *separator = "";

    fputs("{\"traceEvents\":[", out);
    for (unsigned i = 0; i < threads; i++) {
        const struct trace *trace = rt->seats[i].trace;
        uint64_t first = 0;

        if (trace == NULL)
            continue;
        if (trace->written > trace->size)
            first = trace->written - trace->size;
        for (uint64_t n = first; n < trace->written; n++) {
            write_json(out, &trace->ring[n % trace->size], i, separator);
            separator = ",";
        }
    }
    fputs("\n]}\n", out);
}

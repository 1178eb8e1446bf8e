/* What was read, in forms that tests can compare: events as lines of text, and
 * a whole state as a number. */
#ifndef TESTS_ACTORS_STREAM_DESCRIBE_H
#define TESTS_ACTORS_STREAM_DESCRIBE_H

#include "actors/stream/transcript.h"
#include "runtime/text/bytes.h"

/* An event_fn; ctx is a struct bytes that gets one line per event. */
void describe_event(void *ctx, const struct event *ev);

struct replay {
    struct transcript *tr;
    const struct transcript_state *state;
    struct bytes log;
};

/* Feeds text in chunks (0 = all at once) to its end, describing the events. */
struct replay replay_text(const struct backend *b, const char *text, size_t len,
                          size_t chunk, size_t line_limit);
/* The same for a string, at once. */
struct replay replay_str(const struct backend *b, const char *text);
void replay_finish(struct replay *r);
/* The log so far as a string. */
const char *replay_log(struct replay *r);
/* One number for the whole state: equal streams, equal numbers. */
uint64_t transcript_digest(const struct transcript *tr);
/* A fixture's bytes; the caller frees them with bytes_finish. */
struct bytes read_fixture(const char *name);

#endif

/*
 * A recording is a group and the groups below it as one JSON value, for the
 * page that `export --html` makes (web/src/feed/recording.ts reads it):
 *
 *   {"version":1, "groupId", "exportedAt", "build", "language",
 *    "groups": [{..., "ledgers", "agents": [{"record": {..., "samples"},
 *                "prompt", "process", "story": {"entries", "size",
 *                "isCut"}}]}],
 *    "events": [...]}
 *
 * It stands inside a script element of HTML: no text in it can end that, for
 * no < is written but as an escape.
 */
#ifndef TRANSPORT_COMMAND_RECORDING_H
#define TRANSPORT_COMMAND_RECORDING_H

#include "transport/command/records.h"

struct recording {
    struct records *records;
    FILE *out;
    bool is_full; /* stories whole, however long they are */
    /* What came of it: */
    uint64_t agents, cut; /* cut: whose beginnings were left out */
    /* Its own: */
    char **groups; /* found so far, in this order */
    size_t group_count;
    uint64_t story_most; /* bytes of one story */
};

/* Looks what there is; nothing is written yet. CONSOLE_FINE, else told. To be
 * finished in any case. */
int recording_begin(struct recording *r, const char *group);
/* The same; errors of the file are the caller's to look at. */
int recording_write(struct recording *r);
void recording_finish(struct recording *r);

#endif

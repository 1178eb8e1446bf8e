/*
 * A transcript file is what an agent's CLI prints, as it lies in the state
 * directory: it can be read while it grows and after the hub has gone. Holes in
 * it are passed over.
 */
#ifndef TRANSPORT_COMMAND_TRANSCRIPT_FILE_H
#define TRANSPORT_COMMAND_TRANSCRIPT_FILE_H

#include "transport/command/console.h"

struct transcript_file {
    char *parent;   /* STATE/agents */
    char *dir;      /* STATE/agents/ID */
    int fd;         /* -1: not there yet, or packed */
    uint64_t at;    /* of the next byte of it */
    void *packed;   /* zlib's, or NULL */
    int notes;      /* inotify, or -1 */
    int watched;    /* 0: nothing, 1: the parent, 2: the agent's directory */
    bool was_there; /* the directory, when it was last looked for */
};

/* False: no agent can have that id, and nothing was opened. */
bool transcript_file_open(struct transcript_file *f, const char *state_dir,
                          const char *id);
void transcript_file_close(struct transcript_file *f);
/* Whether the agent was started, or is just being. */
bool transcript_file_exists(const struct transcript_file *f);
/* Whether nothing will be added: its process tree has ended, or all that was
 * there of it was removed. To be asked before the file is read to its end. */
bool transcript_file_is_complete(struct transcript_file *f);
/* Whether there was something to be read; it may have been dropped by now. */
bool transcript_file_is_found(const struct transcript_file *f);
/* Reads what comes next, packed or not: its size, 0 at the end, or a negative
 * errno. */
ssize_t transcript_file_read(struct transcript_file *f, char *to, size_t size);
/* Blocks until something may have changed, a second at most. */
void transcript_file_wait(struct transcript_file *f);
/* Appends the end of a file beside the transcript, at most `most` bytes. */
void transcript_file_tail(const struct transcript_file *f, const char *name,
                          size_t most, struct bytes *out);
/* Appends the record of its end, JSON, if there is one. */
void transcript_file_exit(const struct transcript_file *f, struct bytes *out);

#endif

/*
 * What the command line asks of a warden.
 */
#ifndef RUNTIME_WARDEN_OPTIONS_H
#define RUNTIME_WARDEN_OPTIONS_H

#include <stdint.h>

/* Longer names are refused, so that every message has a largest size. */
#define OPTIONS_NAME_MAX 128

struct options {
    const char *dir;    /* the agent's own directory */
    const char *socket; /* the hub's */
    const char *id;
    const char *build;
    const char *stdin_path; /* NULL: /dev/null */
    const char *cwd;        /* NULL: the warden's */
    const char *cgroup;     /* to be made for the CLI; NULL: none */
    const char *record;     /* WARDEN_FILE, or NULL: three files, for hubs
                               that know no other */
    int64_t memory_max;     /* bytes; with a cgroup */
    int64_t lease_ms;
    int64_t grace_ms;
    int64_t give_up_ms; /* from KILL on */
    int64_t stdout_limit;
    int64_t stderr_limit;
    int64_t nice;   /* how much nicer than ours is; 0 to 19 */
    int64_t files;  /* the CLI's limit of open descriptors; 0: as ours is */
    char **program; /* NULL-terminated: the CLI and its arguments */
};

/* Fills o with pointers into argv. Returns NULL, or what is wrong with it. */
const char *options_parse(struct options *o, char **argv);

/*
 * Reads a whole string of digits as a count of milliseconds or bytes.
 * Returns it, or -1 where it is anything else or too large to add up.
 */
int64_t options_number(const char *s);

#endif

/*
 * Processes: agents' CLIs, each under a warden of its own, as actors see them.
 *
 * The processes actor has all of them, on a loop: it starts wardens (through
 * the spawner, which has a thread to itself because starting a process stalls
 * its caller), hears from them on the hub's socket, reads the transcripts they
 * leave on disk and tells each process's owner. A process is known by its
 * owner: one actor owns at most one.
 *
 *   owner  -- START or ADOPT -->  processes
 *   owner  <-- STARTED, CHUNK..., GONE --  processes
 *   owner  -- CREDIT for every CHUNK, END at any time -->  processes
 *
 * GONE is the last thing an owner hears: the whole tree has ended and every
 * byte of the transcript was sent before. An owner that dies takes its
 * process with it.
 *
 * A process can be beyond killing: one that waits for a disk or a network that
 * does not answer has its SIGKILL pending and does not die; another user's
 * cannot be sent one. What is left after give_up_ms is counted in the exit,
 * config.told hears of it, and GONE is said all the same: it may take until the
 * machine's next start, and does no more work meanwhile, so to hold the place
 * for it would take the place for good.
 */
#ifndef RUNTIME_PROCESS_PROCESS_H
#define RUNTIME_PROCESS_PROCESS_H

#include "runtime/process/cgroup.h"
#include "runtime/rt.h"

enum {
    /* to the processes actor */
    PROCESS_START = 0x100, /* carries struct process_spec */
    PROCESS_ADOPT,         /* carries struct process_spec */
    PROCESS_ADOPT_STARTED, /* the same, of one that was seen to run */
    PROCESS_CREDIT,        /* a chunk has been used up */
    PROCESS_END,           /* struct process_end: end the whole tree */
    PROCESS_CPU,           /* asks for struct process_cpu */
    PROCESS_ORPHANS,       /* asks for PROCESS_NO_ORPHANS */
    /* to the owner */
    PROCESS_STARTED,     /* struct process_started */
    PROCESS_CHUNK,       /* carries struct process_chunk */
    PROCESS_CPU_USED,    /* struct process_cpu */
    PROCESS_NOT_STARTED, /* answer to ADOPT: its CLI was never started */
    PROCESS_GONE,        /* carries struct process_exit */
    /* to config.others */
    PROCESS_OTHER, /* carries struct process_connection: no warden's */
    /* to config.told */
    PROCESS_LEFT,   /* struct process_left: some could not be killed */
    PROCESS_MEMORY, /* struct process_memory: when it was first wanted */
    /* to who asked last, once: all that are left have an owner */
    PROCESS_NO_ORPHANS
};

/* Chunks an owner may hold before the processes actor stops reading for it. */
#define PROCESS_CREDITS 4
#define PROCESS_CHUNK_BYTES (256 * 1024)

/* Put into its directory before it starts, 0600. */
struct process_file {
    const char *name; /* relative to dir; its folders are made */
    const char *bytes;
    size_t len;
};

/* A file of the user's, or a folder: the small regular files at its top. A
 * source that is not there is no failure. Removed when the process has gone,
 * with all else in the folder; one with nothing in it but files of the spec's
 * own may stay. */
struct process_copy {
    /* absolute; NULL: there is only something to be removed */
    const char *from;
    const char *to; /* relative to dir */
    bool is_folder; /* `to` is made, also when `from` is not there */
};

/* Enough for a busy machine to bring warden and hub together. */
#define PROCESS_BRIEF_LEASE_MS 10000

/* What is to be run. Everything in it is one block, made by
 * process_spec_create and constant afterwards. */
struct process_spec {
    struct rt_obj obj;
    const char *id;    /* the agent's; also in its environment */
    const char *dir;   /* its own, made 0700 when missing, with its parent */
    const char *cwd;   /* or NULL */
    const char *input; /* its stdin, or NULL for /dev/null */
    size_t input_len;
    const char *const *argv; /* ended by NULL */
    const char *const *envp; /* ended by NULL */
    const struct process_file *files;
    size_t file_count;
    const struct process_copy *copies;
    size_t copy_count;
    /* What whoever wants to know later is told of its start, in its warden's
     * file (warden_file.h); or NULL. */
    const char *papers;
    size_t papers_len;
    unsigned nice; /* how much nicer than ours its tree is; 0 to 19 */
    /* Bytes that its tree may have in memory, where that can be held; 0: any.
     * One that wants more is killed whole. */
    uint64_t memory_max;
    uint64_t grace_ms; /* what a tree gets between TERM and KILL */
    /* How long it outlives us; 0: as long as others, PROCESS_BRIEF_LEASE_MS:
     * nobody wants what comes of it once we are gone. */
    uint64_t lease_ms;
    /* Bytes. A transcript that is larger ends the tree, and is read no further
     * than to here; 0: a GiB. */
    uint64_t stdout_limit;
    uint64_t stderr_limit; /* 0: the warden's own */
};

/* Copies all that `from` points to. The caller owns the one reference. */
struct process_spec *process_spec_create(const struct process_spec *from);

/* Its words and then its variables, as they lie in the block: one behind the
 * other, each ended by a zero. */
struct process_strings {
    const char *at;
    size_t size;
    uint32_t words, variables;
};

struct process_strings process_spec_strings(const struct process_spec *spec);

struct process_started {
    int32_t pid;         /* of the CLI */
    uint64_t started_at; /* wall clock, ms: an adopted one began earlier */
};

struct process_chunk {
    struct rt_obj obj;
    struct block_cache *cache; /* the processes actor's */
    uint64_t offset;           /* of its first byte in the transcript */
    uint64_t past; /* so much of that was there when it was adopted */
    size_t len;
    char bytes[];
};

struct process_end {
    uint64_t grace_ms;
};

/* What the tree has used so far; the stall watch compares two of them. */
struct process_cpu {
    uint64_t ms;
};

enum process_reason {
    PROCESS_EXITED,       /* by itself */
    PROCESS_ORDERED,      /* we ended it */
    PROCESS_LEASE,        /* it ran out of lease while no hub was there */
    PROCESS_OUTPUT_LIMIT, /* its transcript grew too large */
    PROCESS_MEMORY_LIMIT, /* it wanted more memory than it may have */
    PROCESS_NEVER_RAN,    /* error and stage say why */
    PROCESS_INTERRUPTED   /* its warden died without leaving a record */
};

struct process_exit {
    struct rt_obj obj;
    enum process_reason reason;
    bool has_code, has_signal;
    int32_t code, signal;
    char error[32];   /* an errno's name, or empty */
    char stage[16];   /* where that happened: exec, chdir, spawn ... */
    int system;       /* that errno, or 0 */
    char about[200];  /* which program, directory ... it was; or empty */
    char detail[256]; /* all that in English, or empty */
    bool lingered;    /* something had to be killed after the CLI's exit */
    uint32_t left;    /* processes that could not be killed: see PROCESS_GONE */
    uint64_t started_at, ended_at, elapsed_ms; /* by the warden's clocks */
    uint64_t stdout_bytes, stderr_bytes;
    uint64_t maxrss_kb, cpu_ms;
    size_t stderr_len; /* of the tail that follows */
    char stderr_tail[];
};

/* A connection to the socket of our own user, whose first line is no warden's,
 * handed over with what it has said so far, that line included. The descriptor
 * is non-blocking, and closed with the object unless the receiver puts -1
 * there. */
struct process_connection {
    struct rt_obj obj;
    int fd;
    int32_t pid;       /* as the kernel says; 0: of a namespace we do not see */
    uint64_t accepted; /* ns of CLOCK_BOOTTIME */
    size_t len;
    char bytes[];
};

struct process_left {
    char id[136];
    uint32_t count;
};

/* Whether limits of memory are held here. */
struct process_memory {
    enum cgroup_verdict verdict;
};

#define PROCESS_GIVE_UP_MS 60000

struct process_config {
    const char *socket;   /* path of the hub's socket, to listen at */
    const char *warden;   /* path of kuromajutsu-warden */
    const char *build;    /* who we are, for hellos */
    uint64_t lease_ms;    /* how long trees outlive us */
    unsigned spawn_home;  /* the loop the spawner may stall */
    uint64_t files;       /* descriptors that programs may open; 0: as we may */
    uint64_t give_up_ms;  /* on a tree that cannot be killed; 0: a minute */
    struct rt_ref others; /* gets PROCESS_OTHER; RT_NOBODY: they are closed */
    struct rt_ref told;   /* gets PROCESS_LEFT and such; or RT_NOBODY */
};

/* How long its tree outlives us. */
uint64_t process_lease(const struct process_config *config,
                       const struct process_spec *spec);

/*
 * Starts the processes actor as a child of the current actor, on the loop
 * `home`. The strings are copied. A socket left by a dead hub is replaced: the
 * caller holds the hub's lock.
 */
struct rt_ref processes_spawn(struct rt_turn *t, unsigned home,
                              const struct process_config *config);

/* Descriptors the hub needs for each process (link, pidfd, transcript, and the
 * session of its MCP server), and for itself. */
#define PROCESS_FILES_EACH 4
#define PROCESS_FILES_OURS 64

/* For how many processes at once the limit of open descriptors is enough; more
 * are refused. Any thread. */
unsigned process_capacity(void);
/* Raises that limit as far as the system lets us, and returns what is then
 * enough. *before is what programs are to get, as process_config has it: one
 * that uses select or closes all there could be is not to meet ours. */
unsigned process_raise_limits(uint64_t *before);

/* Makes the table of descriptors large enough for so many processes at once,
 * and for a thousand in any case. In a program of one thread, before there are
 * more: to grow a table that threads share the kernel lets them all wait, for
 * tens of milliseconds each time it doubles. */
void process_reserve_files(unsigned processes);

#endif

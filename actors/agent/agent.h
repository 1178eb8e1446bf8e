/*
 * An agent: one run of one CLI, from the line it waits in to the end of its
 * process tree.
 *
 *   queued -> running -> completed | failed | timedOut | cancelled
 *   and from any of them but cancelled -> resultReported
 *
 * Two notions of its end. Done: its result can be read, which is the earliest
 * of a report, a cancellation, its time's end, the tree's end, or the stream's
 * terminal event plus the exit grace. Gone: the process tree has ended; until
 * then a done agent's files, calls and usage may grow, and nothing else. Its
 * parent is told of every change, and an agent that is gone stays to be asked
 * until it is stopped.
 */
#ifndef ACTORS_AGENT_AGENT_H
#define ACTORS_AGENT_AGENT_H

#include "actors/agent/result.h"
#include "actors/stream/backend.h"
#include "runtime/process/process.h"

enum agent_state {
    AGENT_QUEUED,
    AGENT_RUNNING,
    AGENT_COMPLETED,
    AGENT_FAILED,
    AGENT_TIMED_OUT,
    AGENT_CANCELLED,
    AGENT_RESULT_REPORTED,
    AGENT_STATES
};

/* "timedOut" and so on. */
const char *agent_state_name(enum agent_state state);

enum {
    /* to the agent */
    AGENT_RUN = 0x200, /* carries struct process_spec: it has a place, start */
    AGENT_RECOVER,     /* carries struct agent_past: an earlier hub had it */
    AGENT_REPORT,      /* carries struct agent_result; answered */
    AGENT_KEPT,        /* its report outlives the hub, and its answer is out */
    AGENT_CANCEL,      /* struct agent_cancel: end it, whatever it does */
    AGENT_ASK,         /* answered with AGENT_VIEW */
    AGENT_LISTEN,      /* struct agent_listen */
    /* from the agent */
    AGENT_REPORT_TAKEN,   /* answer to AGENT_REPORT */
    AGENT_REPORT_REFUSED, /* likewise: not started yet, or cancelled */
    AGENT_VIEW,           /* carries struct agent_view; answer to AGENT_ASK */
    AGENT_NEWS,           /* carries struct agent_view; to its listener */
    AGENT_PROGRESS,       /* struct agent_step; to its watcher */
    AGENT_TOUCHED,        /* carries struct agent_touched; to its watcher */
    AGENT_STREAM          /* carries struct agent_stream; to who listens */
};

/* More are not heard. One that dies is forgotten. */
#define AGENT_LISTENERS 16

/* Whether this actor is to be sent what the CLI says from now on. */
struct agent_listen {
    struct rt_ref listener;
    bool is_on;
};

#define AGENT_REASON 200

struct agent_cancel {
    char reason[AGENT_REASON]; /* "": none was given */
};

/* What AGENT_NEWS is about; several may come in one. */
enum agent_news {
    AGENT_NEWS_STATE = 1,
    AGENT_NEWS_DONE = 2, /* once, and again when a report replaces a result */
    AGENT_NEWS_GONE = 4, /* once, the last */
    AGENT_NEWS_STALLED = 8,
    AGENT_NEWS_REVIVED = 16, /* it had stalled and shows life again */
    AGENT_NEWS_MET = 32      /* its stream has said which model it is */
};

struct agent_progress {
    uint64_t lines, bytes, tool_calls, messages;
};

#define AGENT_TOOL 64
#define AGENT_TITLE 192
/* Of what it said last, in whole characters. */
#define AGENT_SAID 500

/* What its stream shows at one moment. */
struct agent_live {
    struct agent_progress progress;
    struct transcript_usage usage;
    uint32_t edited, created;  /* files */
    uint32_t unknown, skipped; /* lines */
    char tool[AGENT_TOOL];     /* running now, or "" */
    char title[AGENT_TITLE];   /* what that is about: a file, a command */
    uint64_t tool_at;          /* when it began, ms; 0: before this hub */
};

/* Sent for every portion of the stream. A watcher may drop any of them, and
 * then lacks what the agent said last until it says something else. */
struct agent_step {
    uint64_t serial; /* its definition's */
    struct agent_live live;
    uint64_t past; /* bytes of its stream from before this hub */
    bool has_said; /* something new, which follows */
    uint32_t said_len;
    char said[]; /* no terminator */
};

/* Files that its stream shows to be touched, each once, by their normalised
 * absolute paths. Constant. */
struct agent_touched {
    struct rt_obj obj;
    uint64_t serial; /* its definition's */
    size_t count;
    struct slice paths[];
};

/* The agent at one moment. Constant, shared. */
struct agent_view {
    struct rt_obj obj;
    const char *id; /* its definition's; valid while the view is kept */
    enum agent_state state;
    unsigned news;
    bool is_done, is_gone, is_stalled;
    int32_t pid;         /* of the CLI; 0: none yet */
    uint64_t started_at; /* wall clock, ms; 0: not yet */
    uint64_t elapsed_ms; /* from the spawn to now, or to done */
    struct agent_progress progress;
    char session_id[TRANSCRIPT_NAME_CAP];
    char model[TRANSCRIPT_NAME_CAP]; /* what the CLI says it uses */
    char tool[TRANSCRIPT_NAME_CAP];  /* running now, or empty */
    char title[AGENT_TITLE];         /* what that is about */
    uint64_t tool_at; /* when it began, wall clock, ms; 0: not known */
    struct transcript_usage usage;
    uint64_t unknown_lines, skipped_lines;
    struct agent_result *result; /* NULL until done */
    struct agent_def *def;       /* kept by the view */
};

/* What an agent is. One block, constant once the agent has it. */
struct agent_def {
    struct rt_obj obj;
    const char *id;  /* its spec will have the same */
    uint64_t serial; /* the registry's number for it */
    const struct backend *backend;
    struct rt_ref processes;
    struct rt_ref listener;   /* gets AGENT_NEWS */
    struct rt_ref watcher;    /* gets AGENT_PROGRESS; may be RT_NOBODY */
    uint64_t created_at;      /* wall clock, ms; 0: not known */
    uint64_t timeout_ms;      /* from the spawn; 0: none */
    uint64_t exit_grace_ms;   /* from the terminal event to its end */
    uint64_t report_grace_ms; /* of silence after a kept report, no call open */
    uint64_t stall_warn_ms;   /* of silence and no CPU use; 0: no watch */
    size_t line_limit;        /* bytes; 0: the framing's own */
    bool is_english;          /* what is said of its end; else Japanese */
};

/*
 * What an earlier hub left of an agent. One whose tree had not left is adopted
 * and its transcript read again; what was already said of it stays said.
 */
struct agent_past {
    struct rt_obj obj;
    struct process_spec *spec; /* kept; NULL if it is gone */
    struct agent_view *view;   /* kept; NULL if nothing was known of it */
};

struct agent_past *agent_past_create(struct process_spec *spec,
                                     struct agent_view *view);

/* Copies a view and keeps what it points to. */
struct agent_view *agent_view_create(const struct agent_view *from);

/* A moment of the wall clock's past as one of the runtime's clock; one that
 * lies ahead is now. */
uint64_t agent_moment(struct rt_turn *t, uint64_t wall_ms);

#define AGENT_EXIT_GRACE_MS 5000
#define AGENT_REPORT_GRACE_MS 30000

/* Copies `from` and its id. The caller owns the one reference. */
struct agent_def *agent_def_create(const struct agent_def *from);

/* Starts an agent, queued, as a child of the current actor; keeps the def. */
struct rt_ref agent_spawn(struct rt_turn *t, struct agent_def *def);

#endif

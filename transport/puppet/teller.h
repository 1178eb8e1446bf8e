/*
 * Who tells the story on standard output: the run's identity and what was
 * said so far, which later lines repeat. struct lines is how one back-end
 * writes each happening; play.c knows the happenings only.
 */
#ifndef TRANSPORT_PUPPET_TELLER_H
#define TRANSPORT_PUPPET_TELLER_H

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

#include "transport/puppet/options.h"
#include "transport/puppet/out.h"
#include "transport/puppet/steps.h"
#include "transport/puppet/text.h"

enum { TELLER_UUID = 37 };

struct teller {
    const struct options *options;
    const struct lines *lines;
    struct out out;
    const char *model;  /* as the init line shows it */
    const char *server; /* the MCP server's name, NULL without one */
    struct text cwd;
    char session_id[64], request_id[TELLER_UUID];
    int64_t started_ms;
    double speed;          /* delays are multiplied by it */
    struct text narration; /* everything said */
    struct text last;      /* the last complete message */
    long usage[4];         /* by USAGE_* */
    unsigned calls, turns;
    unsigned model_calls; /* Cursor: one for a message and its tools */
    /* Claude only: the API message its lines belong to. */
    char message_id[48];
    bool is_message_open;
    int block;
    yyjson_mut_doc *denials;
};

struct speech {
    const char *text;
    size_t len;
    long chunks, delay;
    bool is_complete;
    bool is_final; /* nothing is said or done after it */
};

struct edit {
    const char *path, *before, *after;
    bool is_created;
};

struct call {
    const char *tool;   /* read, shell, edit, mcp…: the scenario's word */
    const char *server; /* of an mcp call, with name for the tool there */
    const char *name;
    yyjson_mut_val *args;   /* never NULL */
    yyjson_mut_val *answer; /* what success holds, NULL: made up from output */
    const struct edit *edit;
    enum outcome outcome;
    const char *output, *reason; /* never NULL */
    long exit_code;
    char id[2 * TELLER_UUID + 32];
    int64_t started_ms;
};

struct ending {
    const char *text;
    bool is_error;
    long status;
    const char *reason;
};

struct limit {
    const char *status, *type;
    int64_t resets_at;
};

struct retry {
    long attempt, max, delay, status;
    const char *error;
};

struct lines {
    void (*init)(struct teller *t);
    void (*prompt)(struct teller *t);
    void (*think)(struct teller *t, const struct speech *s);
    void (*say)(struct teller *t, const struct speech *s);
    void (*tool_started)(struct teller *t, struct call *c);
    void (*tool_completed)(struct teller *t, struct call *c);
    void (*filler)(struct teller *t, const char *text, struct text *line);
    void (*limit)(struct teller *t, const struct limit *l);
    void (*retry)(struct teller *t, const struct retry *r);
    void (*result)(struct teller *t, const struct ending *e);
};

extern const struct lines cursor_lines, claude_lines;

/* Fills a zeroed t; model and server are borrowed. */
void teller_init(struct teller *t, const struct options *o, const char *model,
                 const char *server);
void teller_finish(struct teller *t);
/* Says it back-end by back-end and remembers it. */
void teller_say(struct teller *t, const struct speech *s);
/* The end in any output format. */
void teller_end(struct teller *t, const struct ending *e);
/* Prints doc as one line if the format is stream-json, and frees it. */
void teller_print(struct teller *t, yyjson_mut_doc *doc);
/* The same for the result line, which --output-format json prints too. */
void teller_print_end(struct teller *t, yyjson_mut_doc *doc);
/* Adds doc as one line to text, and frees it. */
void teller_write(yyjson_mut_doc *doc, struct text *line);
/* Shows everything printed so far, then waits. */
void teller_pause(struct teller *t, long ms);
/* The same, but keeps a core busy meanwhile. */
void teller_spin(struct teller *t, long ms);
/* Where the next piece of a speech ends. Pieces never split a character. */
size_t teller_piece(const struct speech *s, size_t from);

int64_t teller_wall_ms(void);
int64_t teller_clock_ms(void);
void teller_uuid(char uuid[TELLER_UUID]);
/* A new document whose root is an object with this type. */
yyjson_mut_doc *teller_line(const char *type, const char *subtype);

#endif

/*
 * tools is a table of tools in one language: what clients are told of them,
 * and what arguments they take. Kuromajutsu's own are in toolsets/, which also
 * have the arguments of the orders that are no tools.
 */
#ifndef TRANSPORT_MCP_TOOLS_H
#define TRANSPORT_MCP_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include "actors/order/code.h"
#include "actors/order/order_kind.h"
#include "runtime/text/bytes.h"
#include "transport/mcp/schema.h"

enum tools_language { TOOLS_JAPANESE, TOOLS_ENGLISH };

/* What a client's version knows of a tool. */
enum tools_detail {
    TOOLS_PLAIN,     /* 2024-11-05: name, description, inputSchema */
    TOOLS_ANNOTATED, /* 2025-03-26: and annotations */
    TOOLS_FULL,      /* 2025-06-18: and title, outputSchema, _meta */
    TOOLS_DETAILS
};

struct tool {
    enum order_kind kind; /* in another table only its place there */
    enum toolset toolset; /* whose manner its errors are in */
    unsigned toolsets;    /* bits of that and of others that share it */
    struct slice text;    /* its name */
    yyjson_val *table;    /* its entry, texts in the language chosen */
    yyjson_val *input;    /* inputSchema */
    yyjson_val *output;   /* what it answers: answerSchema, which clients are
                             not told, else outputSchema; or NULL */
    bool has_headers;     /* some argument is told in a header too */
    const struct tools *tools;
};

struct tools;

/* What is wrong with a call's arguments. path and expected are in the answer's
 * details, message is for people and models. */
struct tools_problem {
    enum code code;
    char path[SCHEMA_PATH];
    enum tools_language language; /* of the next two */
    struct bytes expected;
    struct bytes message;
};

/* Heap; read-only afterwards, so sessions on any thread may share it. All
 * toolsets. */
struct tools *tools_create(enum tools_language language);
/*
 * The same table of which only some is listed: these toolsets (bits), and of
 * them, unless set is empty, what one set of clients is offered, with
 * instructions of its own, as sub-agents are. What is in no toolset that was
 * chosen cannot be called; what is not in the set can: who may do what is the
 * registry's to say. NULL: there is no such set.
 */
struct tools *tools_choose(enum tools_language language, unsigned toolsets,
                           struct slice set);
/* The same of another table in the manner of toolsets/: {"instructions":
 * [...]?, "tools":[{"name", "description", "inputSchema", ...}]}. NULL: it is
 * none. */
struct tools *tools_create_from(struct slice json,
                                enum tools_language language);
void tools_destroy(struct tools *tools);
enum tools_language tools_language(const struct tools *tools);
/* What was chosen: the name of its set, or empty; and its toolsets. */
struct slice tools_set(const struct tools *tools);
unsigned tools_toolsets(const struct tools *tools);
/* By the number of its order, tool or not; NULL: one without a name. */
const struct tool *tools_get(const struct tools *tools, enum order_kind kind);
/* NULL if there is none of that name in the toolsets that were chosen. */
const struct tool *tools_find(const struct tools *tools, struct slice name);
/* The array of tools/list; lives as long as the table. */
struct slice tools_list(const struct tools *tools, enum tools_detail detail);
/* A toolset as its table has it, with what it offers besides tools; NULL: it
 * was not chosen, or has nothing for the set that was. */
yyjson_val *tools_toolset(const struct tools *tools, enum toolset toolset);
/* When to use which mode, for the client's model. */
struct slice tools_instructions(const struct tools *tools);

/*
 * Calls on_header for each argument that the schema wants in a header too, at
 * any depth: name is x-mcp-header's, value is NULL if it is not given. True:
 * each was found good.
 */
bool tools_check_headers(const struct tool *tool, yyjson_val *args,
                         bool (*on_header)(void *ctx, struct slice name,
                                           yyjson_val *value),
                         void *ctx);

/* args may be NULL: none were given. False: *problem says in this language
 * what is wrong, and wants tools_problem_finish. On true there is nothing to
 * finish. */
bool tools_check_args(const struct tool *tool, yyjson_val *args,
                      enum tools_language language,
                      struct tools_problem *problem);
void tools_problem_finish(struct tools_problem *problem);
/* Appends the body of the problem's answer. */
void tools_problem_body(struct bytes *out, const struct tools_problem *problem);
/* Whether an answer is what the tool's outputSchema promises. */
bool tools_check_answer(const struct tool *tool, yyjson_val *answer,
                        struct schema_problem *problem);

#endif

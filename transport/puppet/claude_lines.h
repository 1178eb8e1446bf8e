/*
 * Inside Claude's half of the lines: claude_tools.c writes the tool calls,
 * claude_lines.c everything else.
 */
#ifndef TRANSPORT_PUPPET_CLAUDE_LINES_H
#define TRANSPORT_PUPPET_CLAUDE_LINES_H

#include "transport/puppet/teller.h"

/* Adds session_id and uuid. */
void claude_add_tail(struct teller *t, yyjson_mut_doc *doc);
/* A content block of the current message, which is opened if there is none. */
void claude_start_block(struct teller *t, const char *kind);
/* The same for a tool call, with its input as the one piece of it. */
void claude_start_tool(struct teller *t, const struct call *c, const char *name,
                       yyjson_mut_val *input);
void claude_stop_block(struct teller *t);
void claude_close_message(struct teller *t, const char *reason);
/* The assistant line with one empty block, for the caller to fill. */
yyjson_mut_doc *claude_assistant_line(struct teller *t, yyjson_mut_val **block);

/* Gives the call its id and its time. */
void claude_tool_started(struct teller *t, struct call *c);
void claude_tool_completed(struct teller *t, struct call *c);

#endif

/*
 * Inside Cursor's half of the lines: cursor_tools.c writes the tool calls,
 * cursor_lines.c everything else.
 */
#ifndef TRANSPORT_PUPPET_CURSOR_LINES_H
#define TRANSPORT_PUPPET_CURSOR_LINES_H

#include "transport/puppet/teller.h"

/* Each adds one field to the line's root. */
void cursor_add_time(yyjson_mut_doc *doc);
void cursor_add_session(struct teller *t, yyjson_mut_doc *doc);
void cursor_add_model_call(struct teller *t, yyjson_mut_doc *doc);

/* Gives the call its id and its time. */
void cursor_tool_started(struct teller *t, struct call *c);
void cursor_tool_completed(struct teller *t, struct call *c);

#endif

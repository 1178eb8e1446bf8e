/* A group's recording inside the page that shows it (recording.h): one file of
 * HTML that needs neither a hub nor a network. */
#ifndef TRANSPORT_COMMAND_EXPORT_HTML_H
#define TRANSPORT_COMMAND_EXPORT_HTML_H

#include "transport/command/records.h"

/* CONSOLE_FINE, else told. Errors of the file are the caller's to look at. */
int export_html(struct records *r, FILE *out, const char *group, bool is_full);

#endif

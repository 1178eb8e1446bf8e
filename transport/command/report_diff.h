/* What git can tell of the files that agents have touched. */
#ifndef TRANSPORT_COMMAND_REPORT_DIFF_H
#define TRANSPORT_COMMAND_REPORT_DIFF_H

#include "transport/command/console.h"
#include "transport/command/touched.h"

/* Appends Markdown: the changes since the last commit, at most some tens of
 * kilobytes, or why there are none to be had. */
void report_diff(struct console *con, const char *directory,
                 const struct touched *files, struct bytes *out);

#endif

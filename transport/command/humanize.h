/* Numbers, times and states as people read them. */
#ifndef TRANSPORT_COMMAND_HUMANIZE_H
#define TRANSPORT_COMMAND_HUMANIZE_H

#include <stdint.h>

#include "runtime/text/slice.h"
#include "transport/command/term.h"

struct humanized {
    char text[48];
};

/* "12,345". */
struct humanized humanize_number(uint64_t n);
/* "99 ms", "1.2 s", "42 s", "3m 05s", "2h 10m", "4d 03h". */
struct humanized humanize_duration(uint64_t ms);
/* "812", "12,345", "3.4M": all digits as long as they are few. */
struct humanized humanize_count(uint64_t n);
struct humanized humanize_bytes(uint64_t n);
/* A moment in local time, as strftime writes it. */
struct humanized humanize_moment(int64_t ms, const char *format);
/* A time as the hub writes it (ISO 8601, UTC) in local time; "-" if it is
 * none. */
struct humanized humanize_time(struct slice iso);
/* How an agent's state looks. */
enum term_style humanize_state(struct slice state);

#endif

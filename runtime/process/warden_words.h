/* The command line of a warden, but for the CLI's own words behind it. */
#ifndef RUNTIME_PROCESS_WARDEN_WORDS_H
#define RUNTIME_PROCESS_WARDEN_WORDS_H

#include "runtime/process/process.h"
#include "runtime/text/bytes.h"

/* Appends them, each ended by a zero; how many. */
uint32_t warden_words(struct bytes *out, const struct process_config *config,
                      const struct process_spec *spec, const char *cgroup);

#endif

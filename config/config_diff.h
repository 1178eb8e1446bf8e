/* What becomes of the configuration's file, for people to look at. */
#ifndef CONFIG_CONFIG_DIFF_H
#define CONFIG_CONFIG_DIFF_H

#include "config/config.h"
#include "runtime/text/slice.h"

/* As a unified diff, without secrets; the caller's to free. `was` is the text
 * of c's file, "" if there is none. */
char *config_diff(const struct config *c, const char *was, struct slice now);

#endif

/*
 * The token by which requests are accepted over HTTP. It stands in the
 * configuration, or in a file that only its owner can read.
 */
#ifndef CONFIG_TOKEN_H
#define CONFIG_TOKEN_H

#include "config/config.h"

#define TOKEN_MAX 512

/* dashboard.token, else what dashboard.tokenFile holds, else "". 0, or a
 * negative errno with the error told; the caller frees *out. */
int token_load(const struct config *c, char **out, struct config_error *e);

#endif

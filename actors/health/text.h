/* What health has to say to people, in both languages: why a role cannot be
 * hired, and what to do about it. Each appends UTF-8 without a newline. */
#ifndef ACTORS_HEALTH_TEXT_H
#define ACTORS_HEALTH_TEXT_H

#include "actors/health/check.h"
#include "actors/stream/backend.h"
#include "config/config.h"
#include "runtime/text/bytes.h"

/* No program of this back-end is there; command is agent.command or "". */
void health_text_missing(struct bytes *out, enum config_language language,
                         const struct backend *backend, const char *command);
/* What is there is another maker's, and there is nothing else. */
void health_text_stranger(struct bytes *out, enum config_language language,
                          const struct backend *backend, const char *program);
/* agent.command came with the project and is not trusted yet. */
void health_text_withheld(struct bytes *out, const struct config *c);
/* `program models` was of no use: r failed, or named no model. */
void health_text_no_models(struct bytes *out, enum config_language language,
                           const char *program, const struct check_result *r,
                           uint64_t limit_ms);
void health_text_unknown_model(struct bytes *out, enum config_language language,
                               const char *model);
void health_text_skipped(struct bytes *out, enum config_language language);
/* Why a check did not pass; one that succeeded said nothing. In the CLI's own
 * words if it had any: on stderr, else on stdout. */
void health_text_failure(struct bytes *out, enum config_language language,
                         const struct check_result *r, uint64_t limit_ms);
/* A tool that a role's agents will miss; one after the other. */
void health_text_tool(struct bytes *out, enum config_language language,
                      const char *tool, const char *reason);

#endif

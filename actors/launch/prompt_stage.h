/* What the stage before came to, as a part of the prompt. */
#ifndef ACTORS_LAUNCH_PROMPT_STAGE_H
#define ACTORS_LAUNCH_PROMPT_STAGE_H

#include "actors/launch/prompt.h"
#include "actors/launch/prompt_text.h"

/*
 * Appends the fourth layer, at most in->inject_limit bytes of it. Those who
 * say little are kept whole; the others share what is left in equal parts and
 * are cut with a note that names the agent.
 */
void prompt_stage(const struct prompt_input *in, const struct prompt_text *text,
                  struct bytes *out);

#endif

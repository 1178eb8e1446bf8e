/* SPDX-License-Identifier: MIT */
/* What a hub refuses, as people read it. Its text is made for models, whose
 * way out is a tool; a person's is the command that asks the same. */
#ifndef TRANSPORT_COMMAND_REFUSAL_H
#define TRANSPORT_COMMAND_REFUSAL_H

#include "runtime/text/bytes.h"

void refusal_put(struct bytes *out, struct slice message);

#endif

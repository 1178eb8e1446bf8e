/* SPDX-License-Identifier: MIT */
#include "transport/wire/prompt.h"

#include "runtime/text/turns.h"

/* The shortest there is: an answer takes less. */
#define TURN_NS 100000

void prompt_thread(void)
{
    turns_ask(TURN_NS, true);
}

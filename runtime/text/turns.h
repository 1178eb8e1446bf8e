/*
 * Turns are how long the kernel lets a thread run at a time. Of those who wait
 * it takes the one whose turn would be over first (Linux 6.12 on; older ones
 * take no notice). No right is needed for it.
 */
#ifndef RUNTIME_TEXT_TURNS_H
#define RUNTIME_TEXT_TURNS_H

#include <stdbool.h>
#include <stdint.h>

/* Asks for turns of that length for the calling thread, if it is scheduled as
 * most are; errno stays as it is. What it starts inherits that unless
 * is_own. */
void turns_ask(uint64_t length_ns, bool is_own);

#endif

/*
 * What actors' code calls of the runtime, for code that is run outside of any
 * turn: there is nobody else, and nothing is sent anywhere.
 */
#ifndef TESTS_FUZZ_OUTSIDE_H
#define TESTS_FUZZ_OUTSIDE_H

#include "runtime/rt.h"

/* Looks at each message that is sent, before it is gone; or NULL. */
extern void (*outside_on_send)(struct rt_msg *m);

#endif

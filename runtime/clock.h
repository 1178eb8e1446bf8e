/* The clock: the actor behind rt_after. It lives on the first loop. */
#ifndef RUNTIME_CLOCK_H
#define RUNTIME_CLOCK_H

#include "runtime/rt.h"

extern const struct rt_behaviour clock_behaviour;

#endif

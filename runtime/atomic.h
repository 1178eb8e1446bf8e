/*
 * The atomics of the runtime: ck's verbs and containers, with a second face
 * for builds that must see every step.
 *
 * ck's verbs are inline assembly, which neither ThreadSanitizer nor the
 * simulator can look into. In a checked build the verbs this runtime uses
 * are spelled with the compiler's atomics instead, each behind a point where
 * the simulator may switch threads. Everything below runtime/ includes this
 * header and no ck header directly.
 */
#ifndef RUNTIME_ATOMIC_H
#define RUNTIME_ATOMIC_H

#include <ck_pr.h>
#include <string.h>

#if defined(RT_SIM) || defined(__SANITIZE_THREAD__)
#define RT_CHECKED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RT_CHECKED 1
#endif
#endif

#ifdef RT_CHECKED
#include "runtime/atomic_checked.h"
#else
#include <ck_ring.h>
#include <ck_stack.h>
#endif

#endif

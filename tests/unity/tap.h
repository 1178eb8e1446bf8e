/*
 * TAP output for Unity: one "ok" or "not ok" line per test function, so that
 * meson and tests/count.py count test cases and not programs.
 */
#ifndef TESTS_UNITY_TAP_H
#define TESTS_UNITY_TAP_H

#include <unity.h>

typedef void (*tap_fn)(void);

/* setUp and tearDown are a program's own, or do nothing. */
void tap_run(tap_fn fn, const char *name, int line);
/* Prints the plan. Returns what main is to return. */
int tap_end(void);

#define TAP_BEGIN() UNITY_BEGIN()
#define TEST(fn) tap_run(fn, #fn, __LINE__)
#define TAP_END() tap_end()

#endif

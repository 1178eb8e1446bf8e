/* Which test cases of a program are to run: TAP_ONLY names them. */
#ifndef TESTS_UNITY_ONLY_H
#define TESTS_UNITY_ONLY_H

#include <stdbool.h>

/* Whether TAP_ONLY, a name a line, lets this one run; all may without it. */
bool only_chosen(const char *name);

#endif

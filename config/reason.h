/*
 * Why the system has refused something, in words for people. The system's own
 * words are English: in Japanese those that people meet are said in ours, and
 * all others are quoted.
 */
#ifndef CONFIG_REASON_H
#define CONFIG_REASON_H

#include <stdbool.h>

struct reason {
    char text[160];
};

/* Of an errno, of either sign. */
struct reason reason_of(int error, bool is_english);

#endif

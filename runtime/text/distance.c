/* SPDX-License-Identifier: MIT */
#include "runtime/text/distance.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST 64

static bool is_same(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t distance_between(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1], *older = rows[0], *old = rows[1];
    size_t *now = rows[2], la = strlen(a), lb = strlen(b);

    if (la > LONGEST || lb > LONGEST)
        return INT_MAX;
    for (size_t j = 0; j <= lb; j++)
        old[j] = older[j] = j;
    for (size_t i = 1; i <= la; i++) {
        now[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = old[j - 1] + !is_same(a[i - 1], b[j - 1]);
            now[j] = least(change, least(old[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && is_same(a[i - 1], b[j - 2]) &&
                is_same(a[i - 2], b[j - 1]))
                now[j] = least(now[j], older[j - 2] + 1);
        }
        size_t *spare = older;
        older = old;
        old = now;
        now = spare;
    }
    return old[lb];
}

const char *distance_nearest(const char *word, const char *const *names)
{
    const char *best = NULL;
    size_t far = least(strlen(word), LONGEST) / 3 + 2; /* too far */

    for (; *names; names++) {
        size_t distance = distance_between(word, *names);
        /* The beginning of a name is near however much is left out. */
        if (strlen(word) > 1 && !strncmp(word, *names, strlen(word)))
            distance = 1;
        if (distance < far) {
            far = distance;
            best = *names;
        }
    }
    return best;
}

/* SPDX-License-Identifier: MIT */
#include "transport/io/eager.h"

#define PAUSE_MAX 127

bool eager_looks(struct eager *e)
{
    if (e->left == 0)
        return true;
    e->left--;
    return false;
}

void eager_learn(struct eager *e, bool has_found)
{
    if (has_found) {
        e->pause = 0;
        return;
    }
    e->left = e->pause;
    e->pause = e->pause < PAUSE_MAX ? e->pause * 2 + 1 : PAUSE_MAX;
}

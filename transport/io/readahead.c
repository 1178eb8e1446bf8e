/* SPDX-License-Identifier: MIT */
#include "transport/io/readahead.h"

#define PAUSE_MAX 127

bool readahead_looks(struct readahead *e)
{
    if (e->left == 0)
        return true;
    e->left--;
    return false;
}

void readahead_learn(struct readahead *e, bool has_found)
{
    if (has_found) {
        e->pause = 0;
        return;
    }
    e->left = e->pause;
    e->pause = e->pause < PAUSE_MAX ? e->pause * 2 + 1 : PAUSE_MAX;
}

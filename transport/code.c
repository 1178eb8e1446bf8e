/* SPDX-License-Identifier: MIT */
#include "transport/code.h"

#define NAME(name) SLICE_INIT(#name),
static const struct slice names[] = {CODE_LIST(NAME)};
#undef NAME

struct slice code_name(enum code code)
{
    return names[code];
}

enum code code_find(struct slice name)
{
    unsigned i = 0;

    while (i < CODE_COUNT && !slice_eq(names[i], name))
        i++;
    return (enum code)i;
}

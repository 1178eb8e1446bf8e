/* SPDX-License-Identifier: MIT */
/* What makes a relay one of another build. */
#include "transport/wire/build.h"

const char *build_id(void)
{
    return "0.1.0+0000000000000000";
}

/* SPDX-License-Identifier: MIT */
/* Why agents' memory cannot be limited, for people. Not of CGROUP_FIT. */
#ifndef TRANSPORT_WIRE_CGROUP_TEXT_H
#define TRANSPORT_WIRE_CGROUP_TEXT_H

#include "runtime/process/cgroup.h"

const char *cgroup_why(enum cgroup_verdict verdict, bool is_english);
/* What would help. */
const char *cgroup_remedy(enum cgroup_verdict verdict, bool is_english);

#endif

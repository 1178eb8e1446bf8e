/* SPDX-License-Identifier: MIT */
#include "runtime/text/turns.h"

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel first had it; the library has none. */
struct attributes {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

void turns_ask(uint64_t length_ns, bool is_own)
{
    int before = errno;
    /* The niceness is set along with the turns: to what it is. */
    struct attributes a = {.size = sizeof(a),
                           .policy = SCHED_NORMAL,
                           .flags = is_own ? SCHED_FLAG_RESET_ON_FORK : 0,
                           .nice = getpriority(PRIO_PROCESS, 0),
                           .runtime = length_ns};

    if (sched_getscheduler(0) == SCHED_NORMAL)
        syscall(SYS_sched_setattr, 0, &a, 0);
    errno = before;
}

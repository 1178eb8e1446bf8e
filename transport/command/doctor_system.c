/* SPDX-License-Identifier: MIT */
/* What is around us: the system's limits. */
#include "transport/command/doctor.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "config/reason.h"
#include "runtime/process/process.h"
#include "transport/wire/cgroup_text.h"

static void see_files(struct doctor *x)
{
    enum doctor_subject subject = DOCTOR_FILES;
    struct rlimit limit;
    int64_t agents = x->config ? x->config->agent.max_concurrent +
                                     x->config->agent.max_orchestrators
                               : 0;
    rlim_t need = (rlim_t)(agents * PROCESS_FILES_EACH + PROCESS_FILES_OURS);

    if (getrlimit(RLIMIT_NOFILE, &limit))
        return;
    if (limit.rlim_max < need) {
        FIND(x, DOCTOR_FAIL, subject, SYSTEM_TOO_FEW_FILES,
             (unsigned long long)limit.rlim_max, (unsigned long long)need);
        MEND(x, SYSTEM_RAISE_FILES, "");
    } else {
        FIND(x, DOCTOR_OK, subject, SYSTEM_ENOUGH_FILES,
             (unsigned long long)limit.rlim_max, (unsigned long long)need);
    }
}

/* Tried, not computed: others of this user have taken from the same count. */
static int try_inotify(void)
{
    int fd = inotify_init1(IN_CLOEXEC), error = fd < 0 ? errno : 0;

    if (fd >= 0 && inotify_add_watch(fd, "/", IN_MODIFY) < 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error;
}

/* Of the hub that runs, else of one that would be started from here. */
static void see_memory(struct doctor *x)
{
    enum doctor_subject subject = DOCTOR_MEMORY;
    bool is_english = x->console->is_english;
    char base[PATH_MAX];
    enum cgroup_verdict verdict =
        cgroup_judge("/proc", x->hub > 0 ? x->hub : getpid(), base);

    if (x->config == NULL || x->config->agent.memory_max_bytes == 0)
        return;
    if (verdict == CGROUP_FIT) {
        FIND(x, DOCTOR_OK, subject, SYSTEM_MEMORY_ENFORCED, base);
        return;
    }
    FIND(x, DOCTOR_WARN, subject, SYSTEM_MEMORY_NOT_ENFORCED,
         cgroup_why(verdict, is_english));
    doctor_mend(x, "%s", cgroup_remedy(verdict, is_english));
}

void doctor_see_limits(struct doctor *x)
{
    int error = try_inotify();

    see_files(x);
    see_memory(x);
    if (!error) {
        FIND(x, DOCTOR_OK, DOCTOR_INOTIFY, SYSTEM_INOTIFY_ROOM, "");
        return;
    }
    FIND(x, DOCTOR_FAIL, DOCTOR_INOTIFY, SYSTEM_INOTIFY_UNUSABLE,
         reason_of(error, x->console->is_english).text);
    MEND(x, SYSTEM_INOTIFY_RAISE,
         error == EMFILE ? "fs.inotify.max_user_instances=1024"
                         : "fs.inotify.max_user_watches=524288");
}

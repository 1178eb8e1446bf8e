/* SPDX-License-Identifier: MIT */
#include "transport/wire/cgroup_text.h"

#include "config/messages.h"

const char *cgroup_why(enum cgroup_verdict verdict, bool is_english)
{
    static const struct message words[] = {
        [CGROUP_FIT] = {"", ""},
        [CGROUP_NONE] = BOTH(CGROUP_NONE_HERE),
        [CGROUP_OLD] = BOTH(CGROUP_IS_V1),
        [CGROUP_NO_MEMORY] = BOTH(CGROUP_WITHOUT_MEMORY),
        [CGROUP_NOT_OURS] = BOTH(CGROUP_NOT_WRITABLE),
        [CGROUP_SHARED] = BOTH(CGROUP_IS_SHARED),
        [CGROUP_REFUSED] = BOTH(CGROUP_NOT_DIVIDED),
    };

    return message_pick(is_english, words[verdict]);
}

const char *cgroup_remedy(enum cgroup_verdict verdict, bool is_english)
{
    return verdict == CGROUP_NONE || verdict == CGROUP_OLD
               ? MESSAGE(is_english, CGROUP_REMEDY_BOOT)
               : MESSAGE(is_english, CGROUP_REMEDY_DELEGATE);
}

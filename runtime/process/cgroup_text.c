/* SPDX-License-Identifier: MIT */
#include "runtime/process/cgroup.h"

struct words {
    const char *ja, *en;
};

static const char *pick(const struct words *words, bool is_english)
{
    return is_english ? words->en : words->ja;
}

const char *cgroup_why(enum cgroup_verdict verdict, bool is_english)
{
    static const struct words words[] = {
        [CGROUP_FIT] = {"", ""},
        [CGROUP_NONE] = {"この環境には cgroup v2 がない",
                         "there is no cgroup v2 here"},
        [CGROUP_OLD] = {"このマシンではメモリは cgroup v1 が管理している",
                        "memory is under cgroup v1 on this machine"},
        [CGROUP_NO_MEMORY] = {"ハブの cgroup に memory コントローラーがない",
                              "the hub's cgroup was not given the memory "
                              "controller"},
        [CGROUP_NOT_OURS] = {"ハブの cgroup に書き込めない",
                             "the hub may not write to its cgroup"},
        [CGROUP_SHARED] = {"ハブの cgroup に他のプロセスもいる",
                           "other processes are in the hub's cgroup"},
        [CGROUP_REFUSED] = {"カーネルが cgroup の分割を拒んだ",
                            "the kernel did not let the hub divide its "
                            "cgroup"},
    };

    return pick(&words[verdict], is_english);
}

const char *cgroup_remedy(enum cgroup_verdict verdict, bool is_english)
{
    static const struct words boot = {
        "systemd.unified_cgroup_hierarchy=1 を付けてカーネルを起動する（cgroup "
        "v2 だけを使う）",
        "boot with systemd.unified_cgroup_hierarchy=1 (cgroup v2 only)"};
    static const struct words delegate = {
        "ハブを専用の cgroup で起動する: systemd-run --user --scope -p "
        "Delegate=yes kuromajutsu serve",
        "start the hub in a cgroup of its own: systemd-run --user --scope -p "
        "Delegate=yes kuromajutsu serve"};

    return pick(verdict == CGROUP_NONE || verdict == CGROUP_OLD ? &boot
                                                                : &delegate,
                is_english);
}

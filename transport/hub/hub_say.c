/* SPDX-License-Identifier: MIT */
/* What the hub has to say of those it has started, in the log. */
#include "transport/hub/hub_inside.h"

void hub_say_condition(const struct hub *h, const struct store_condition *c)
{
    if (c->is_good && c->why[0] == 0)
        LOG_INFO(h->setup->log, "store.well",
                 "データベースへの書き込みが回復しました",
                 "everything is kept again");
    else if (c->is_good)
        LOG_ERROR(h->setup->log, "store.refused", "%s", "%s", c->why);
    else
        LOG_ERROR(h->setup->log, "store.trouble",
                  "直るまで何も変更できません: %s",
                  "nothing can be changed until this is mended: %s", c->why);
}

void hub_say_memory(const struct hub *h, const struct process_memory *m)
{
    if (m->verdict == CGROUP_FIT)
        LOG_INFO(h->setup->log, "agent.memory",
                 "agent.memoryMax_bytes を適用します（Agent ごとに cgroup）",
                 "agent.memoryMax_bytes is enforced: a cgroup for each agent");
    else
        LOG_WARN(h->setup->log, "agent.memory",
                 "agent.memoryMax_bytes はここでは適用できず、Agent は"
                 "制限なしで動きます: %s。%s",
                 "agent.memoryMax_bytes is set and cannot be enforced here, so "
                 "agents run without it: %s; %s",
                 cgroup_why(m->verdict, h->setup->log->is_english),
                 cgroup_remedy(m->verdict, h->setup->log->is_english));
}

void hub_say_left(const struct hub *h, const struct process_left *left)
{
    LOG_WARN(h->setup->log, "agent.left",
             "%s は終わりましたが、プロセス %u 個を終わらせられません"
             "でした",
             "%s is closed, and of its processes %u could not be killed",
             left->id, left->count);
}

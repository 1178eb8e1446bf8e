/* SPDX-License-Identifier: MIT */
#include "actors/order/order_kind.h"

static const struct slice names[ORDER_KINDS] = {
    [ORDER_CREATE_GROUP] = SLICE_INIT("create_group"),
    [ORDER_DELETE_GROUP] = SLICE_INIT("delete_group"),
    [ORDER_RUN_AGENTS] = SLICE_INIT("run_agents"),
    [ORDER_RUN_SEQUENTIAL] = SLICE_INIT("run_sequential"),
    [ORDER_RUN_MAGENTIC] = SLICE_INIT("run_magentic"),
    [ORDER_LIST_AGENTS] = SLICE_INIT("list_agents"),
    [ORDER_GET_AGENT_STATUS] = SLICE_INIT("get_agent_status"),
    [ORDER_WAIT_AGENT] = SLICE_INIT("wait_agent"),
    [ORDER_REPORT_RESULT] = SLICE_INIT("report_result"),
    [ORDER_LIST_ROLES] = SLICE_INIT("list_roles"),
    [ORDER_UPDATE_LEDGER] = SLICE_INIT("update_ledger"),
    [ORDER_CANCEL_AGENT] = SLICE_INIT("cancel_agent"),
    [ORDER_LIST_GROUPS] = SLICE_INIT("list_groups"),
    [ORDER_SHOW_AGENT] = SLICE_INIT("show_agent"),
    [ORDER_RETRY] = SLICE_INIT("retry"),
    [ORDER_HUB_STATUS] = SLICE_INIT("hub_status"),
    [ORDER_HISTORY] = SLICE_INIT("history"),
    [ORDER_EVENTS] = SLICE_INIT("events"),
    [ORDER_USAGE] = SLICE_INIT("usage"),
    [ORDER_NOTIFICATIONS] = SLICE_INIT("notifications"),
    [ORDER_RECORD] = SLICE_INIT("record"),
    [ORDER_GC] = SLICE_INIT("gc"),
    [ORDER_FIND] = SLICE_INIT("find"),
    [ORDER_OVERVIEW] = SLICE_INIT("overview"),
    [ORDER_SNAPSHOT] = SLICE_INIT("snapshot"),
    [ORDER_TRANSCRIPT] = SLICE_INIT("transcript"),
    [ORDER_STORY] = SLICE_INIT("story"),
    [ORDER_STDERR] = SLICE_INIT("stderr"),
    [ORDER_PROMPT] = SLICE_INIT("prompt"),
    [ORDER_PROCESS] = SLICE_INIT("process"),
    [ORDER_ROLE] = SLICE_INIT("role"),
    [ORDER_MODELS] = SLICE_INIT("models"),
    [ORDER_CONFIG] = SLICE_INIT("config"),
    [ORDER_UPDATE_ROLE] = SLICE_INIT("update_role"),
    [ORDER_CREATE_ROLE] = SLICE_INIT("create_role"),
    [ORDER_DELETE_ROLE] = SLICE_INIT("delete_role"),
    [ORDER_REVALIDATE] = SLICE_INIT("revalidate"),
    [ORDER_HEALTH] = SLICE_INIT("health"),
    [ORDER_EVENT_PAGE] = SLICE_INIT(""),
    [ORDER_HUB_COUNTS] = SLICE_INIT(""),
};

struct slice order_name(enum order_kind kind)
{
    return names[kind];
}

enum order_kind order_find(struct slice name)
{
    int i = 0;

    while (i < ORDER_KINDS && !slice_eq(names[i], name))
        i++;
    return name.len > 0 ? (enum order_kind)i : ORDER_KINDS;
}

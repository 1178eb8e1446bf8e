/* SPDX-License-Identifier: MIT */
#include "actors/order/order_kind.h"

#include <string.h>

#include "runtime/text/field.h"

static const struct {
    struct slice name;
    enum toolset toolset;
    bool is_change;
} kinds[ORDER_KINDS] = {
    [ORDER_CREATE_GROUP] = {SLICE_INIT("create_group"), .is_change = true},
    [ORDER_DELETE_GROUP] = {SLICE_INIT("delete_group"), .is_change = true},
    [ORDER_RUN_AGENTS] = {SLICE_INIT("run_agents"), .is_change = true},
    [ORDER_RUN_SEQUENTIAL] = {SLICE_INIT("run_sequential"), .is_change = true},
    [ORDER_RUN_MAGENTIC] = {SLICE_INIT("run_magentic"), .is_change = true},
    [ORDER_LIST_AGENTS] = {SLICE_INIT("list_agents")},
    [ORDER_GET_AGENT_STATUS] = {SLICE_INIT("get_agent_status")},
    [ORDER_WAIT_AGENT] = {SLICE_INIT("wait_agent")},
    [ORDER_REPORT_RESULT] = {SLICE_INIT("report_result"), .is_change = true},
    [ORDER_LIST_ROLES] = {SLICE_INIT("list_roles")},
    [ORDER_UPDATE_LEDGER] = {SLICE_INIT("update_ledger"), .is_change = true},
    [ORDER_CANCEL_AGENT] = {SLICE_INIT("cancel_agent")},
    [ORDER_LIST_GROUPS] = {SLICE_INIT("list_groups")},
    [ORDER_AGENT_REGISTER] = {SLICE_INIT("agent_register"), TOOLSET_MAIL, true},
    [ORDER_AGENT_GET] = {SLICE_INIT("agent_get"), TOOLSET_MAIL},
    [ORDER_AGENT_SEND_MESSAGE] = {SLICE_INIT("agent_send_message"),
                                  TOOLSET_MAIL, true},
    [ORDER_AGENT_RECEIVE_MESSAGES] = {SLICE_INIT("agent_receive_messages"),
                                      TOOLSET_MAIL, true},
    [ORDER_CONTEXT_SHARE] = {SLICE_INIT("context_share"), TOOLSET_MAIL, true},
    [ORDER_CONTEXT_READ] = {SLICE_INIT("context_read"), TOOLSET_MAIL},
    [ORDER_INJECT_PHASE_PROMPT] = {SLICE_INIT("inject_phase_prompt"),
                                   TOOLSET_PHASES, true},
    [ORDER_TRANSITION_TO_NEXT_PHASE] = {SLICE_INIT("transition_to_next_phase"),
                                        TOOLSET_PHASES, true},
    [ORDER_GET_PHASE_CONTEXT] = {SLICE_INIT("get_phase_context"),
                                 TOOLSET_PHASES},
    [ORDER_SAVE_PHASE_RESULT] = {SLICE_INIT("save_phase_result"),
                                 TOOLSET_PHASES, true},
    [ORDER_HEALTH_CHECK] = {SLICE_INIT("health_check"), TOOLSET_PM},
    [ORDER_LIST_ACTIVE_PROJECTS_WITH_AGENTS] =
        {SLICE_INIT("list_active_projects_with_agents"), TOOLSET_PM},
    [ORDER_SHOULD_START] = {SLICE_INIT("should_start"), TOOLSET_PM},
    [ORDER_AUTHENTICATE] = {SLICE_INIT("authenticate"), TOOLSET_PM, true},
    [ORDER_GET_MY_TASK] = {SLICE_INIT("get_my_task"), TOOLSET_PM, true},
    [ORDER_GET_MY_PROFILE] = {SLICE_INIT("get_my_profile"), TOOLSET_PM},
    [ORDER_LIST_TASKS] = {SLICE_INIT("list_tasks"), TOOLSET_PM},
    [ORDER_UPDATE_TASK_STATUS] = {SLICE_INIT("update_task_status"), TOOLSET_PM,
                                  true},
    [ORDER_REPORT_COMPLETED] = {SLICE_INIT("report_completed"), TOOLSET_PM,
                                true},
    [ORDER_LOGOUT] = {SLICE_INIT("logout"), TOOLSET_PM, true},
    [ORDER_GET_AGENT_PROFILE] = {SLICE_INIT("get_agent_profile"), TOOLSET_PM},
    [ORDER_GET_TASK] = {SLICE_INIT("get_task"), TOOLSET_PM},
    [ORDER_CREATE_HANDOFF] = {SLICE_INIT("create_handoff"), TOOLSET_PM, true},
    [ORDER_GET_PENDING_HANDOFFS] = {SLICE_INIT("get_pending_handoffs"),
                                    TOOLSET_PM},
    [ORDER_ACCEPT_HANDOFF] = {SLICE_INIT("accept_handoff"), TOOLSET_PM, true},
    [ORDER_SAVE_CONTEXT] = {SLICE_INIT("save_context"), TOOLSET_PM, true},
    [ORDER_CREATE_PROJECT] = {SLICE_INIT("create_project"), TOOLSET_PM_ADMIN,
                              true},
    [ORDER_CREATE_AGENT] = {SLICE_INIT("create_agent"), TOOLSET_PM_ADMIN, true},
    [ORDER_ASSIGN_AGENT] = {SLICE_INIT("assign_agent"), TOOLSET_PM_ADMIN, true},
    [ORDER_CREATE_TASK] = {SLICE_INIT("create_task"), TOOLSET_PM_ADMIN, true},
    [ORDER_ASSIGN_TASK] = {SLICE_INIT("assign_task"), TOOLSET_PM_ADMIN, true},
    [ORDER_LIST_PROJECTS] = {SLICE_INIT("list_projects"), TOOLSET_PM_ADMIN},
    [ORDER_GET_PROJECT] = {SLICE_INIT("get_project"), TOOLSET_PM_ADMIN},
    [ORDER_GET_TASK_CONTEXT] = {SLICE_INIT("get_task_context"),
                                TOOLSET_PM_ADMIN},
    [ORDER_SHOW_AGENT] = {SLICE_INIT("show_agent")},
    [ORDER_RETRY] = {SLICE_INIT("retry"), .is_change = true},
    [ORDER_HUB_STATUS] = {SLICE_INIT("hub_status")},
    [ORDER_HISTORY] = {SLICE_INIT("history")},
    [ORDER_EVENTS] = {SLICE_INIT("events")},
    [ORDER_USAGE] = {SLICE_INIT("usage")},
    [ORDER_NOTIFICATIONS] = {SLICE_INIT("notifications")},
    [ORDER_RECORD] = {SLICE_INIT("record")},
    [ORDER_GC] = {SLICE_INIT("gc")},
    [ORDER_FIND] = {SLICE_INIT("find")},
    [ORDER_OVERVIEW] = {SLICE_INIT("overview")},
    [ORDER_SNAPSHOT] = {SLICE_INIT("snapshot")},
    [ORDER_TRANSCRIPT] = {SLICE_INIT("transcript")},
    [ORDER_STORY] = {SLICE_INIT("story")},
    [ORDER_STDERR] = {SLICE_INIT("stderr")},
    [ORDER_PROMPT] = {SLICE_INIT("prompt")},
    [ORDER_PROCESS] = {SLICE_INIT("process")},
    [ORDER_ROLE] = {SLICE_INIT("role")},
    [ORDER_MODELS] = {SLICE_INIT("models")},
    [ORDER_CONFIG] = {SLICE_INIT("config")},
    [ORDER_UPDATE_ROLE] = {SLICE_INIT("update_role"), .is_change = true},
    [ORDER_CREATE_ROLE] = {SLICE_INIT("create_role"), .is_change = true},
    [ORDER_DELETE_ROLE] = {SLICE_INIT("delete_role"), .is_change = true},
    [ORDER_REVALIDATE] = {SLICE_INIT("revalidate")},
    [ORDER_HEALTH] = {SLICE_INIT("health")},
    [ORDER_MAIL_TALKS] = {SLICE_INIT("mail_talks")},
    [ORDER_MAIL_BOXES] = {SLICE_INIT("mail_boxes")},
    [ORDER_MAIL_MESSAGES] = {SLICE_INIT("mail_messages")},
    [ORDER_MAIL_VALUES] = {SLICE_INIT("mail_values")},
    [ORDER_PHASES] = {SLICE_INIT("phases")},
    [ORDER_RUN_PHASES] = {SLICE_INIT("run_phases"), .is_change = true},
    [ORDER_UPDATE_PROJECT] = {SLICE_INIT("update_project"), .is_change = true},
    [ORDER_UPDATE_AGENT] = {SLICE_INIT("update_agent"), .is_change = true},
    [ORDER_UPDATE_TASK] = {SLICE_INIT("update_task"), .is_change = true},
    [ORDER_SET_PASSKEY] = {SLICE_INIT("set_passkey"), .is_change = true},
    [ORDER_IMPORT_PROJECTS] = {SLICE_INIT("import_projects"),
                               .is_change = true},
    [ORDER_PROJECTS] = {SLICE_INIT("projects")},
    [ORDER_PROJECT_TASK] = {SLICE_INIT("project_task")},
    [ORDER_RESOURCES] = {SLICE_INIT("resources")},
    [ORDER_RESOURCE] = {SLICE_INIT("resource")},
    [ORDER_PROMPT_TEXT] = {SLICE_INIT("prompt_text")},
    [ORDER_EVENT_PAGE] = {SLICE_INIT("")},
    [ORDER_HUB_COUNTS] = {SLICE_INIT("")},
};

struct slice order_name(enum order_kind kind)
{
    return kinds[kind].name;
}

enum order_kind order_find(struct slice name)
{
    int i = 0;

    while (i < ORDER_KINDS && !slice_eq(kinds[i].name, name))
        i++;
    return name.len > 0 ? (enum order_kind)i : ORDER_KINDS;
}

enum toolset order_toolset(enum order_kind kind)
{
    return kinds[kind].toolset;
}

bool order_is_change(enum order_kind kind)
{
    return kinds[kind].is_change;
}

bool order_is_wait(enum order_kind kind, yyjson_val *args)
{
    return kind == ORDER_WAIT_AGENT || (kind == ORDER_AGENT_RECEIVE_MESSAGES &&
                                        FIELD_COUNT(args, "wait_ms") > 0);
}

/* ---- toolsets ---------------------------------------------------------- */

struct slice toolset_name(enum toolset toolset)
{
#define NAME(name, word) SLICE_INIT(word),
    static const struct slice names[] = {TOOLSET_LIST(NAME)};
#undef NAME

    return names[toolset];
}

static unsigned find(struct slice word)
{
    for (unsigned i = 0; i < TOOLSETS; i++)
        if (slice_eq(toolset_name((enum toolset)i), word))
            return TOOLSET_BIT(i);
    return 0;
}

unsigned toolset_read(struct slice list, struct slice *wrong)
{
    unsigned all = 0;

    *wrong = SLICE_EMPTY;
    while (list.len > 0) {
        const char *comma = memchr(list.ptr, ',', list.len);
        size_t len = comma != NULL ? (size_t)(comma - list.ptr) : list.len;
        struct slice word = slice_of(list.ptr, len);
        unsigned one = find(word);

        if (one == 0 && wrong->len == 0)
            *wrong = word;
        all |= one;
        list = slice_of(list.ptr + len, list.len - len);
        list = list.len > 0 ? slice_of(list.ptr + 1, list.len - 1) : list;
    }
    return all;
}

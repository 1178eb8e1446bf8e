/*
 * The kinds of orders there are, by number and by name, and whose they are. The
 * tables of tools (transport/mcp/tools) say what arguments each of them takes.
 */
#ifndef ACTORS_ORDER_ORDER_KIND_H
#define ACTORS_ORDER_ORDER_KIND_H

#include <stdbool.h>

#include <yyjson.h>

#include "config/toolset.h"
#include "runtime/text/slice.h"

/* The tools in the order of their tables, then what only people ask. */
enum order_kind {
    ORDER_CREATE_GROUP,
    ORDER_DELETE_GROUP,
    ORDER_RUN_AGENTS,
    ORDER_RUN_SEQUENTIAL,
    ORDER_RUN_MAGENTIC,
    ORDER_LIST_AGENTS,
    ORDER_GET_AGENT_STATUS,
    ORDER_WAIT_AGENT,
    ORDER_REPORT_RESULT,
    ORDER_LIST_ROLES,
    ORDER_UPDATE_LEDGER,
    ORDER_CANCEL_AGENT,
    ORDER_LIST_GROUPS,
    ORDER_AGENT_REGISTER,
    ORDER_AGENT_GET,
    ORDER_AGENT_SEND_MESSAGE,
    ORDER_AGENT_RECEIVE_MESSAGES,
    ORDER_CONTEXT_SHARE,
    ORDER_CONTEXT_READ,
    ORDER_INJECT_PHASE_PROMPT,
    ORDER_TRANSITION_TO_NEXT_PHASE,
    ORDER_GET_PHASE_CONTEXT,
    ORDER_SAVE_PHASE_RESULT,
    ORDER_HEALTH_CHECK,
    ORDER_LIST_ACTIVE_PROJECTS_WITH_AGENTS,
    ORDER_SHOULD_START,
    ORDER_AUTHENTICATE,
    ORDER_GET_MY_TASK,
    ORDER_GET_MY_PROFILE,
    ORDER_LIST_TASKS,
    ORDER_UPDATE_TASK_STATUS,
    ORDER_REPORT_COMPLETED,
    ORDER_LOGOUT,
    ORDER_GET_AGENT_PROFILE,
    ORDER_GET_TASK,
    ORDER_CREATE_HANDOFF,
    ORDER_GET_PENDING_HANDOFFS,
    ORDER_ACCEPT_HANDOFF,
    ORDER_SAVE_CONTEXT,
    ORDER_CREATE_PROJECT,
    ORDER_CREATE_AGENT,
    ORDER_ASSIGN_AGENT,
    ORDER_CREATE_TASK,
    ORDER_ASSIGN_TASK,
    ORDER_LIST_PROJECTS,
    ORDER_GET_PROJECT,
    ORDER_GET_TASK_CONTEXT,
    ORDER_TOOLS,
    ORDER_SHOW_AGENT = ORDER_TOOLS, /* {agentId} -> all that is known of it */
    ORDER_HUB_STATUS,               /* {} -> counts and places */
    ORDER_RETRY, /* {agentIds | groupId, failed?} -> as run_* answers */
    /* Questions of the history; the store answers them (store.h). */
    ORDER_HISTORY,       /* agents that were, newest first */
    ORDER_EVENTS,        /* the feed, from a number on */
    ORDER_USAGE,         /* tokens and cost, summed up */
    ORDER_NOTIFICATIONS, /* {limit?} -> the newest notifications first */
    ORDER_RECORD,        /* all there is of one agent or group */
    ORDER_GC,            /* removes what is old enough */
    ORDER_FIND, /* {id} -> agents and groups whose ids begin or end so */
    /* As list_agents, with what a person wants to see of each. */
    ORDER_OVERVIEW,
    /* What the dashboard asks for. */
    ORDER_SNAPSHOT,    /* {} -> the whole picture, and the number of the last
                          event in it: see feed.h */
    ORDER_TRANSCRIPT,  /* {agentId, from? or before?, limit?} -> a page of its
                          lines */
    ORDER_STORY,       /* the same -> what it said and did */
    ORDER_STDERR,      /* the same -> what it wrote there */
    ORDER_PROMPT,      /* {agentId} -> what it was started with, in layers */
    ORDER_PROCESS,     /* {agentId} -> how it was started, runs or ended */
    ORDER_ROLE,        /* {roleId} -> the whole role, and where it is from */
    ORDER_MODELS,      /* {} -> what each back-end offers */
    ORDER_CONFIG,      /* {} -> the settings in force, and their sources */
    ORDER_UPDATE_ROLE, /* {roleId, model? ...} -> the role as it is now */
    ORDER_CREATE_ROLE, /* the same, of a new one; {from}: like another */
    ORDER_DELETE_ROLE, /* {roleId} */
    ORDER_REVALIDATE,  /* {roleId?} -> the roles that are checked again */
    ORDER_HEALTH,      /* {} -> what the checks of roles have found */
    /* What it asks of mail (actors/mail): now, or at a moment. */
    ORDER_MAIL_TALKS,    /* {before?, at?} -> who writes to whom */
    ORDER_MAIL_BOXES,    /* {after?, at?} -> mailboxes, and what is unread */
    ORDER_MAIL_MESSAGES, /* {agent, with | neither} -> a page of them */
    ORDER_MAIL_VALUES,   /* {after?, at?} -> what is shared, and with whom */
    ORDER_PHASES,        /* {projectPath?, at?} -> how projects stand */
    ORDER_RUN_PHASES,    /* {text, projectPath?, from?} -> the plan's group */
    /* Of projects (actors/projects), what people change and see. */
    ORDER_UPDATE_PROJECT,
    ORDER_UPDATE_AGENT,
    ORDER_UPDATE_TASK,
    ORDER_SET_PASSKEY,     /* {agent_id, passkey?} -> the new one, if drawn */
    ORDER_IMPORT_PROJECTS, /* {projects?, agents?, assignments?, tasks?} -> what
                              was made, all of it or nothing */
    ORDER_PROJECTS,        /* {project_id?, at?} -> projects with all in them */
    ORDER_PROJECT_TASK,    /* {task_id, at?} -> a task and what became of it */
    /* What MCP clients read besides tools. */
    ORDER_RESOURCES,   /* {cursor?} -> what there is to read */
    ORDER_RESOURCE,    /* {uri} -> {text}: JSON of one of them */
    ORDER_PROMPT_TEXT, /* {name, arguments?} -> {description, text} */
    /* Between actors, without a name: no JSON is written or read, what was
     * wanted is the answer's `with`. */
    ORDER_EVENT_PAGE, /* order.page -> struct event_page */
    ORDER_HUB_COUNTS, /* -> struct registry_counts */
    ORDER_KINDS
};

/* "create_group" and so on. */
struct slice order_name(enum order_kind kind);
/* ORDER_KINDS if there is none of that name. */
enum order_kind order_find(struct slice name);
enum toolset order_toolset(enum order_kind kind);
/* Whether it changes what is durable, agents that it ends aside: what cannot
 * be kept is not begun, and what was answered is not done again. */
bool order_is_change(enum order_kind kind);
/* Whether one with these arguments (or NULL) may last until something happens,
 * and can be taken back. */
bool order_is_wait(enum order_kind kind, yyjson_val *args);

/* "kuro", "mail" and so on. */
struct slice toolset_name(enum toolset toolset);
/* Bit i is toolset i, of a list with commas; *wrong is the first word that is
 * none, or empty. */
unsigned toolset_read(struct slice list, struct slice *wrong);

#endif

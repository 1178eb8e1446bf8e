/*
 * Views are what clients are told: answers to questions, and the pieces of
 * JSON that answers and events have in common.
 *
 *   view_agents.c      agents
 *   view_entry.c       agents in the picture
 *   view_groups.c      groups
 *   view_roles.c       roles, what health has found
 *   view_config.c      the configuration, as the feed tells it
 *   view_settings.c    one role whole, models, settings with their sources
 *   view_hub.c         how the hub is
 *   view_snapshot.c    all of it, for the feed
 *   view_transcript.c  what an agent's CLI has written
 *
 * put functions append. "Members" are those of an object that is open.
 */
#ifndef ACTORS_REGISTRY_VIEWS_H
#define ACTORS_REGISTRY_VIEWS_H

#include "actors/agent/agent.h"
#include "actors/order/order.h"
#include "actors/order/roster.h"
#include "actors/store/agent_record.h"

struct agent_entry;
struct group_entry;
struct registry;
struct transcript_usage;

/* Agents of a snapshot. */
#define VIEW_LIST 1000
/* Agents and groups of a list, unless the order says how many. */
#define VIEW_AGENTS 200
#define VIEW_GROUPS 100
/* Bytes of a description in a list: what is long is in the group's record. */
#define VIEW_DESCRIPTION 500
/* Bytes of a summary or an error in a picture, and of what a group is to do. */
#define VIEW_SUMMARY 500
#define VIEW_TASK 2000

/* ---- view_agents.c ---- */
void view_answer_overview(struct rt_turn *t, struct registry *r,
                          struct order *o);
void view_answer_agents(struct rt_turn *t, struct registry *r, struct order *o);
/* get_agent_status and show_agent. */
void view_answer_agent(struct rt_turn *t, struct registry *r, struct order *o);
/* Writes what never changes of it, once. */
void view_put_head(struct agent_entry *agent);
/* What a list has; the object stays open. */
void view_put_line(struct rt_turn *t, struct bytes *out,
                   struct agent_entry *agent);
/* All that is known, as an object. */
void view_put_agent(struct rt_turn *t, struct registry *r, struct bytes *out,
                    struct agent_entry *agent);
/* The result alone, as an object. */
void view_put_result(struct bytes *out, const struct agent_entry *agent);
/* As the picture has it, an object. All that is in it is in what
 * view_put_agent writes, too: see actors/store/picture.h. */
void view_put_entry(struct rt_turn *t, const struct registry *r,
                    struct bytes *out, struct agent_entry *agent);
/* What an event that tells all of an agent needs beside that. Members. */
void view_put_more(struct bytes *out, const struct agent_entry *agent);
/* What its stream shows: by its last step, or by a view that is newer. */
struct agent_live view_look(const struct agent_entry *agent);
struct agent_record_usage view_usage_of(const struct registry *r,
                                        const struct agent_entry *agent);
/* The first words of it are what an agent is about. */
struct slice view_asked_of(const struct agent_entry *agent);
/* `"usage":{...}`, with costUsd where it is known. */
void view_put_usage(struct bytes *out, const struct registry *r,
                    const struct agent_entry *agent,
                    const struct transcript_usage *u);

/* ---- view_groups.c ---- */
void view_answer_groups(struct rt_turn *t, struct registry *r, struct order *o);
/* The member, cut to VIEW_DESCRIPTION. */
void view_put_description(struct bytes *out, const struct group_entry *group);
/* What a list has; the object stays open. */
void view_put_group(struct bytes *out, const struct group_entry *group,
                    bool is_brief);
/* And what events and the picture have, but for the ledger; likewise. */
void view_put_group_entry(struct bytes *out, const struct registry *r,
                          const struct group_entry *group);

/* ---- view_roles.c ---- */
void view_answer_roles(struct rt_turn *t, struct registry *r, struct order *o);
/* Members. */
void view_put_roles(struct bytes *out, const struct registry *r,
                    enum config_language language);
void view_put_models(struct bytes *out, const struct roster *roster);
void view_put_findings(struct bytes *out, const struct roster *roster);
/* Objects. */
void view_put_role(struct bytes *out, const struct roster_role *role,
                   enum config_language language);
void view_put_finding(struct bytes *out, const struct roster_role *role);
/* Members: what health has found, and the tools. */
void view_put_checks(struct bytes *out, const struct roster_role *role);
void view_put_tools(struct bytes *out, const struct role *def);

/* ---- view_config.c ---- */
/* All of a role that can be edited; the object stays open. */
void view_put_definition(struct bytes *out, const struct role *def);
/* "configError": where the file is wrong, or null; "atRestart": keys of it that
 * take effect with the next hub. */
void view_put_trouble(struct bytes *out, const struct registry *r);
/* The data of config:updated. */
void view_put_config(struct bytes *out, const struct registry *r);
void view_put_withheld(struct bytes *out, const struct config *c);

/* ---- view_settings.c ---- */
/* Members: the file, and the version of its text. */
void view_put_file(struct bytes *out, const struct registry *r);
/* An object; there must be such a role. */
void view_put_whole_role(struct bytes *out, const struct registry *r,
                         struct slice id);
void view_answer_role(struct rt_turn *t, struct registry *r, struct order *o);
void view_answer_models(struct rt_turn *t, struct registry *r, struct order *o);
void view_answer_config(struct rt_turn *t, struct registry *r, struct order *o);

/* ---- view_hub.c ---- */
void view_answer_hub(struct rt_turn *t, struct registry *r, struct order *o);
void view_answer_counts(struct rt_turn *t, struct registry *r, struct order *o);
void view_answer_health(struct rt_turn *t, struct registry *r, struct order *o);
/* Members. */
void view_put_places(struct bytes *out, const struct registry *r);
void view_put_language(struct bytes *out, const struct registry *r);
/* The data of server:startup. */
void view_put_server(struct bytes *out, const struct registry *r);

/* ---- view_snapshot.c ---- */
/* All there is now, as an object. */
void view_put_picture(struct rt_turn *t, struct registry *r, struct bytes *out);
/* Of a past moment (`at`) the store tells it. */
void view_answer_snapshot(struct rt_turn *t, struct registry *r,
                          struct order *o);

/* ---- view_transcript.c ---- */
void view_answer_transcript(struct rt_turn *t, struct registry *r,
                            struct order *o);

#endif

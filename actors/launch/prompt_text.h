/* The texts a prompt is made of, one table per language. {name} is filled in;
 * see prompt.c for which names are known where. */
#ifndef ACTORS_LAUNCH_PROMPT_TEXT_H
#define ACTORS_LAUNCH_PROMPT_TEXT_H

struct prompt_text {
    const char *metadata; /* {agentId} {groupId} {role} */
    const char *tools_head, *tools_tail;
    const char *previous_head, *previous_tail;
    const char *previous_agent; /* {agentId} {role} {status} */
    const char *summary, *error, *response;
    const char *no_summary, *no_response;
    const char *retry_head; /* {agentId} */
    const char *retry_tail;
    const char *cut;   /* {bytes} {agentId} */
    const char *more;  /* {count} {groupId} */
    const char *guide; /* for orchestrators; {agentId} {groupId} */
    const char *task, *criteria, *scope, *constraints, *context;
    const char *parameters;
    const char *role; /* {id} {name} {description} */
    const char *no_roles;
    const char *iterations, *timeout; /* {count} */
    const char *block_tail;
};

extern const struct prompt_text prompt_text_ja, prompt_text_en;

#endif

/* code names what a tool refuses: every error code there is. */
#ifndef ACTORS_ORDER_CODE_H
#define ACTORS_ORDER_CODE_H

#include "runtime/text/bytes.h"

#define CODE_LIST(X)                                                           \
    X(VALIDATION_ERROR)                                                        \
    X(EMPTY_AGENTS)                                                            \
    X(EMPTY_STAGES)                                                            \
    X(EMPTY_STAGE_TASKS)                                                       \
    X(EMPTY_AGENT_IDS)                                                         \
    X(GROUP_NOT_FOUND)                                                         \
    X(GROUP_NOT_ACTIVE)                                                        \
    X(GROUP_HAS_RUNNING_AGENTS)                                                \
    X(MODE_MISMATCH)                                                           \
    X(NOT_MAGENTIC_GROUP)                                                      \
    X(ROLE_NOT_FOUND)                                                          \
    X(ROLE_UNAVAILABLE)                                                        \
    X(ROLE_NOT_ALLOWED)                                                        \
    X(ORCHESTRATOR_ROLE_NOT_FOUND)                                             \
    X(ORCHESTRATOR_UNAVAILABLE)                                                \
    X(MAX_CONCURRENT_REACHED)                                                  \
    X(MAX_ITERATIONS_REACHED)                                                  \
    X(MAX_DEPTH_REACHED)                                                       \
    X(NESTING_NOT_ALLOWED)                                                     \
    X(NOT_PERMITTED)                                                           \
    X(CALLER_UNKNOWN)                                                          \
    X(RETRY_REFUSED)                                                           \
    X(AGENT_NOT_FOUND)                                                         \
    X(REPORT_FAILED)                                                           \
    X(AGENTS_START_FAILED)                                                     \
    X(SEQUENTIAL_START_FAILED)                                                 \
    X(MAGENTIC_START_FAILED)                                                   \
    X(ANSWER_TOO_LARGE)                                                        \
    X(STORE_UNAVAILABLE)                                                       \
    X(BUDGET_EXCEEDED)                                                         \
    X(CONFIG_NOT_WRITTEN)                                                      \
    X(NOT_FOUND)                                                               \
    X(METHOD_NOT_ALLOWED)                                                      \
    X(TRANSCRIPT_NOT_FOUND)                                                    \
    X(CONTEXT_NOT_FOUND)                                                       \
    X(PROMPT_NOT_FOUND)                                                        \
    X(INVALID_PHASE_TRANSITION)                                                \
    X(CLOUD_API_ERROR)                                                         \
    X(MISSING_ARGUMENTS)                                                       \
    X(TASK_NOT_FOUND)                                                          \
    X(PROJECT_NOT_FOUND)                                                       \
    X(HANDOFF_NOT_FOUND)                                                       \
    X(RESOURCE_NOT_FOUND)                                                      \
    X(INVALID_STATUS)                                                          \
    X(INVALID_STATUS_TRANSITION)                                               \
    X(DEPENDENCY_NOT_COMPLETE)                                                 \
    X(MAX_PARALLEL_TASKS)                                                      \
    X(TOKEN_REQUIRED)                                                          \
    X(TOKEN_INVALID)                                                           \
    X(SESSION_AGENT_MISMATCH)                                                  \
    X(AGENT_NOT_ASSIGNED)                                                      \
    X(TASK_ACCESS_DENIED)                                                      \
    X(TASK_CLOSED)                                                             \
    X(HANDOFF_ALREADY_ACCEPTED)                                                \
    X(HANDOFF_NOT_FOR_YOU)                                                     \
    X(AUTH_FAILED)                                                             \
    X(ALREADY_RUNNING)                                                         \
    X(ALREADY_EXISTS)                                                          \
    X(NO_TASK)                                                                 \
    X(HUB_RESTARTED)                                                           \
    X(HUB_UNAVAILABLE)                                                         \
    X(INTERNAL_ERROR)

#define CODE_ENUM(name) CODE_##name,
enum code { CODE_LIST(CODE_ENUM) CODE_COUNT };
#undef CODE_ENUM

/* As the wire has it: "GROUP_NOT_FOUND". */
struct slice code_name(enum code code);
/* CODE_COUNT if there is none of that name. */
enum code code_find(struct slice name);
/* Appends {"error":true,"code":...,"message":...}; details is the text of a
 * JSON object to add, or empty. */
void code_put_error(struct bytes *out, enum code code, struct slice message,
                    struct slice details);

#endif

/*
 * A script is what a simulated agent CLI does, written into its prompt behind
 * the word "story:", as steps with blanks between them:
 *
 *   never         it cannot be started
 *   work:N        about N ms of messages and tool calls
 *   sleep:N       about N ms of nothing
 *   burst:N       N KiB of output at once
 *   edit:PATH     an edit of that file
 *   edits:N       of the files /shared/0.c, /shared/1.c, ..., just N of them
 *   report:S      report_result with status S, and waits for the answer
 *   report!:S     the same, and it must be taken
 *   sees:N        its prompt must hold the results of N other agents
 *   lead:NAME     an orchestrator of that name does its work
 *   result        the stream's last line; result:error a bad one
 *   exit:N        leaves with code N; without it, 0 at the end
 *   hang          does nothing more, until it is ended
 *   stubborn      from now on uses up all the grace it is given
 *
 * Numbers are drawn anew in every run, up to twice what is written.
 */
#ifndef TESTS_STORIES_SCRIPT_H
#define TESTS_STORIES_SCRIPT_H

#include <stdbool.h>

#include "runtime/process/process.h"

enum step {
    STEP_END,
    STEP_NEVER,
    STEP_WORK,
    STEP_SLEEP,
    STEP_BURST,
    STEP_EDIT,
    STEP_EDITS,
    STEP_REPORT,
    STEP_MUST_REPORT,
    STEP_SEES,
    STEP_LEAD,
    STEP_RESULT,
    STEP_EXIT,
    STEP_HANG,
    STEP_STUBBORN
};

/* Where a reader of a script is. */
struct script {
    const char *at; /* in the spec's prompt */
};

/* Of the prompt in the spec, which must have one. */
struct script script_of(const struct process_spec *spec);
/* The whole prompt, or NULL. */
const char *script_prompt(const struct process_spec *spec);

#define SCRIPT_WORD 64

/* The next step and what stands behind its colon; "" if nothing does. */
enum step script_next(struct script *s, char word[SCRIPT_WORD]);

#endif

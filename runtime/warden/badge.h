/*
 * The badge: what /proc shows of a warden that was forked. Hubs know wardens,
 * and whose caller is whose, by the environment there, which is that of the
 * zygote's start: a warden writes its own into a place kept free for it.
 */
#ifndef RUNTIME_WARDEN_BADGE_H
#define RUNTIME_WARDEN_BADGE_H

#include <stdbool.h>
#include <stddef.h>

struct badge {
    char *words; /* for ps: all but the program's name */
    size_t words_size;
    char *variables;
    size_t variables_size;
};

/* Finds its place in what this process was started with, and blanks it. False:
 * there is none. */
bool badge_init(struct badge *b, char **argv, char **envp);

/* Shows whose warden it is, of the CLI's variables. False: they do not fit. */
bool badge_wear(const struct badge *b, char *const *variables, const char *id);

#endif

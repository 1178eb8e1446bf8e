/* SPDX-License-Identifier: MIT */
#include "runtime/warden/badge.h"

#include <string.h>

#include "runtime/warden/order.h"

/* By these two a process is known as an agent's, and which hub's. */
static const char *const names[] = {"KUROMAJUTSU_AGENT_ID=",
                                    "KUROMAJUTSU_SOCKET="};

/* The kernel lays words and variables one behind the other. */
bool badge_init(struct badge *b, char **argv, char **envp)
{
    size_t last = 1;

    if (argv[0] == NULL || argv[1] == NULL || envp[0] == NULL ||
        strncmp(envp[0], ORDER_VARIABLE, strlen(ORDER_VARIABLE)) != 0)
        return false;
    while (argv[last + 1] != NULL)
        last++;
    b->words = argv[1];
    b->words_size = (size_t)(argv[last] - argv[1]) + strlen(argv[last]);
    b->variables = envp[0];
    b->variables_size = strlen(envp[0]);
    memset(argv[last], 0, strlen(argv[last]));
    memset(b->variables, 0, b->variables_size);
    return true;
}

/* One string, with its zero if there is room for it behind. */
static bool put(char **at, size_t *left, const char *s)
{
    size_t size = strlen(s) + 1;

    if (size > *left)
        return false;
    memcpy(*at, s, size);
    *at += size;
    *left -= size;
    return true;
}

static void show_words(const struct badge *b, const char *id)
{
    char *at = b->words;
    size_t left = b->words_size;

    memset(at, 0, left);
    if (put(&at, &left, "--id"))
        put(&at, &left, id);
}

bool badge_wear(const struct badge *b, char *const *variables, const char *id)
{
    char *at = b->variables;
    size_t left = b->variables_size;

    for (; *variables != NULL; variables++)
        for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
            if (strncmp(*variables, names[i], strlen(names[i])) == 0 &&
                !put(&at, &left, *variables))
                return false;
    show_words(b, id);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * A CLI that does next to nothing, so that what is measured is what it takes
 * to start and end one:
 *
 *   brief ... "brief: stamp"   says when it began, in ns of the monotonic
 *                              clock, as its result, and leaves
 *   brief ... "brief: stay"    begins, and stays until it is ended
 *
 * With any other prompt or question it is the puppet beside it, which knows
 * how to be asked for models and health. Static, as chatter is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/puppet.h"

#define PROMPT "brief: "
#define TAIL "\"session_id\":\"ebb521c2-0d5e-4b2f-9a5b-3f6a8a1c7d10\"}\n"

static void say(const char *text)
{
    size_t len = strlen(text);

    if (write(STDOUT_FILENO, text, len) != (ssize_t)len)
        _exit(1);
}

static void begin(void)
{
    say("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/src\","
        "\"apiKeySource\":\"login\",\"model\":\"Auto\"," TAIL);
}

static void end(unsigned long long begun)
{
    char line[256];

    snprintf(line, sizeof(line),
             "{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,"
             "\"duration_ms\":1,\"result\":\"%llu\"," TAIL,
             begun);
    say(line);
}

int main(int argc, char **argv)
{
    struct timespec now;
    const char *prompt = argc > 1 ? strstr(argv[argc - 1], PROMPT) : NULL;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (prompt == NULL)
        puppet_become(argv);
    begin();
    if (strncmp(prompt + strlen(PROMPT), "stay", 4) == 0)
        for (;;)
            pause();
    end((unsigned long long)now.tv_sec * 1000000000 +
        (unsigned long long)now.tv_nsec);
    return 0;
}

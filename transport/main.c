/* SPDX-License-Identifier: MIT */
/* kuromajutsu: one program of many commands, and the relay without one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "transport/build.h"
#include "transport/hubstart.h"
#include "transport/relay/relay.h"

struct command {
    const char *name;
    const char *help;
    /* Its name is argv[0]. What it returns is the program's exit code. */
    int (*run)(int argc, char **argv);
};

static int run_hub(int argc, char **argv)
{
    char *args[64] = {NULL};
    size_t n = 1;

    for (int i = 0; i < argc && n < 63; i++)
        args[n++] = argv[i];
    int error = hubstart_exec(args);
    fprintf(stderr, "kuromajutsu: %s: %s\n", args[0] ? args[0] : "hub",
            strerror(-error));
    return 1;
}

static const struct command commands[] = {
    {"mcp", "be an MCP server on stdin and stdout (for MCP clients)",
     relay_main},
    {"serve", "run the hub in the foreground", run_hub},
    {"--standalone", "hub and MCP server in one process", run_hub},
};

static void print_help(FILE *out)
{
    fputs("usage: kuromajutsu COMMAND [OPTIONS]\n\n", out);
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        fprintf(out, "  %-13s %s\n", commands[i].name, commands[i].help);
    fputs("\nWithout a command, and stdin no terminal: mcp.\n", out);
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

/* Options only (or nothing at all) are the relay's, if a client starts us. */
static bool is_relay(int argc, char **argv)
{
    return !isatty(STDIN_FILENO) &&
           (argc < 2 || strcmp(argv[1], "--config") == 0);
}

int main(int argc, char **argv)
{
    const struct command *command = argc > 1 ? find(argv[1]) : NULL;

    if (command)
        return command->run(argc - 1, argv + 1);
    if (argc > 1 && strcmp(argv[1], "--version") == 0) {
        printf("kuromajutsu %s\n", build_id());
        return 0;
    }
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        print_help(stdout);
        return 0;
    }
    if (is_relay(argc, argv))
        return relay_main(argc, argv);
    if (argc > 1)
        fprintf(stderr, "kuromajutsu: unknown command: %s\n\n", argv[1]);
    print_help(stderr);
    return 2;
}

/* SPDX-License-Identifier: MIT */
/* kuromajutsu: one program of many commands, and the relay without one. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "config/language.h"
#include "config/reason.h"
#include "transport/command/command.h"
#include "transport/relay/relay.h"
#include "transport/wire/hubstart.h"

static int run_hub(int argc, char **argv)
{
    char *args[64] = {NULL};
    size_t n = 1;

    for (int i = 0; i < argc && n < 63; i++)
        args[n++] = argv[i];
    int error = hubstart_exec(args);
    fprintf(stderr, "kuromajutsu: %s: %s\n", args[0] ? args[0] : "hub",
            reason_of(error, language_of(environ) == CONFIG_EN).text);
    return 1;
}

/* What goes on for as long as it is wanted; the rest are questions. */
static const struct {
    const char *name;
    /* Its name is argv[0]. What it returns is the program's exit code. */
    int (*run)(int argc, char **argv);
} services[] = {
    {"mcp", relay_main},
    {"serve", run_hub},
    {"--standalone", run_hub},
};

/* Options only (or nothing at all) are the relay's, if a client starts us. */
static bool is_relay(int argc, char **argv)
{
    int i = 1;

    while (i + 1 < argc && (strcmp(argv[i], "--config") == 0 ||
                            strcmp(argv[i], "--project") == 0))
        i += 2;
    return !isatty(STDIN_FILENO) && i == argc;
}

static bool wants_help(int argc, char **argv)
{
    return argc > 2 &&
           (strcmp(argv[2], "--help") == 0 || strcmp(argv[2], "-h") == 0);
}

int main(int argc, char **argv)
{
    char help[] = "help", *asked[] = {argv[0], help, argv[1], NULL};

    for (size_t i = 0; i < sizeof(services) / sizeof(services[0]); i++) {
        if (argc < 2 || strcmp(argv[1], services[i].name) != 0)
            continue;
        return wants_help(argc, argv) ? command_main(3, asked)
                                      : services[i].run(argc - 1, argv + 1);
    }
    if (is_relay(argc, argv))
        return relay_main(argc, argv);
    return command_main(argc, argv);
}

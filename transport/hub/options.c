/* SPDX-License-Identifier: MIT */
#include "transport/hub/options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "transport/wire/build.h"

static const char usage[] =
    "usage: kuromajutsu-hub [serve | --background | --standalone |\n"
    "                        --read DIR | --recording-page | --post |\n"
    "                        --fetch]\n"
    "                       [--project DIR] [--config FILE] [--db FILE]\n"
    "\n"
    "  serve          serve in the foreground until SIGTERM or SIGINT\n"
    "                 (the default); the log goes to stderr\n"
    "  --background   as relays start it: leaves some time after the last\n"
    "                 relay and agent; the log goes to hub.log\n"
    "  --stay         with --background: stays until it is told to leave\n"
    "  --standalone   be the MCP server of one client on stdin and stdout\n"
    "  --read DIR     be no hub, but tell the command line, by the socket on\n"
    "                 stdin, what lies in this state directory\n"
    "  --recording-page\n"
    "                 write the page that 'kuromajutsu export --html' puts "
    "its\n"
    "                 recording into\n"
    "  --post         be no hub, but post to the address in the first line of\n"
    "                 stdin what follows there\n"
    "  --fetch        be no hub, but get what is at the address in the first\n"
    "                 line of stdin, with the key in the second\n"
    "  --project DIR  instead of the project that is found from here\n"
    "  --config FILE  instead of the project's kuromajutsu.config.yaml\n"
    "  --db FILE      the store is this database, and the hub its own\n"
    "  --version      which build this is\n"
    "\n"
    "Leaves with 0 when told to, or when another hub serves this project;\n"
    "1 when it cannot serve; 2 when the command line or the configuration\n"
    "is wrong.\n";

enum {
    BACKGROUND = 256,
    STAY,
    STANDALONE,
    READ,
    PAGE,
    POST,
    FETCH,
    CONFIG,
    PROJECT,
    DATABASE,
    VERSION
};

static const struct option table[] = {
    {"background", no_argument, NULL, BACKGROUND},
    {"stay", no_argument, NULL, STAY},
    {"standalone", no_argument, NULL, STANDALONE},
    {"read", required_argument, NULL, READ},
    {"recording-page", no_argument, NULL, PAGE},
    {"post", no_argument, NULL, POST},
    {"fetch", no_argument, NULL, FETCH},
    {"config", required_argument, NULL, CONFIG},
    {"project", required_argument, NULL, PROJECT},
    {"db", required_argument, NULL, DATABASE},
    {"version", no_argument, NULL, VERSION},
    {"help", no_argument, NULL, 'h'},
    {0}};

static int wrong(const char *what, const char *word)
{
    fprintf(stderr, "kuromajutsu-hub: %s '%s'\n\n%s", what, word, usage);
    return 2;
}

static int take(struct options *o, int option, const char *word)
{
    switch (option) {
    case BACKGROUND:
        o->mode = OPTIONS_BACKGROUND;
        return 0;
    case STAY:
        o->stays = true;
        return 0;
    case STANDALONE:
        o->mode = OPTIONS_STANDALONE;
        return 0;
    case READ:
        o->mode = OPTIONS_READ;
        o->state_dir = optarg;
        return 0;
    case PAGE:
        o->mode = OPTIONS_RECORDING_PAGE;
        return 0;
    case POST:
        o->mode = OPTIONS_POST;
        return 0;
    case FETCH:
        o->mode = OPTIONS_FETCH;
        return 0;
    case CONFIG:
        o->config = optarg;
        return 0;
    case PROJECT:
        o->project = optarg;
        return 0;
    case DATABASE:
        o->database = optarg;
        return 0;
    case VERSION:
        printf("kuromajutsu-hub %s\n", build_id());
        return 1;
    case 'h':
        fputs(usage, stdout);
        return 1;
    default:
        return wrong("unknown option, or one without its value:", word);
    }
}

int options_read(struct options *o, int argc, char **argv)
{
    int option, verdict = 0;

    *o = (struct options){.mode = OPTIONS_SERVE};
    opterr = 0;
    while (verdict == 0 &&
           (option = getopt_long(argc, argv, "h", table, NULL)) != -1)
        verdict = take(o, option, argv[optind - 1]);
    if (verdict != 0 || optind == argc)
        return verdict;
    if (optind + 1 == argc && strcmp(argv[optind], "serve") == 0)
        return 0;
    return wrong("unknown command", argv[optind]);
}

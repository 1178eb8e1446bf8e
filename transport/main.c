/* SPDX-License-Identifier: MIT */
/* kuromajutsu: one program of many commands, and the relay without one. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "config/language.h"
#include "config/reason.h"
#include "transport/command/command.h"
#include "transport/command/service.h"
#include "transport/relay/relay.h"
#include "transport/wire/hubstart.h"

static int run_hub(const char *mode, const struct service *s)
{
    const char *args[8] = {NULL, mode};
    size_t n = 2;

    if (s->config) {
        args[n++] = "--config";
        args[n++] = s->config;
    }
    if (s->project) {
        args[n++] = "--project";
        args[n++] = s->project;
    }
    home_name_database(s->database);
    int error = hubstart_exec((char **)args);
    fprintf(stderr, "kuromajutsu: %s: %s\n", args[0] ? args[0] : "hub",
            reason_of(error, language_of(environ) == CONFIG_EN).text);
    return 1;
}

static int run_relay(const struct service *s)
{
    unsigned toolsets = s->toolsets ? relay_toolsets(s->toolsets) : 0;

    if (s->toolsets && toolsets == 0)
        return 2;
    if (s->project)
        home_name_project(s->project);
    home_name_database(s->database);
    if (!s->config)
        home_enter_project();
    if (!s->is_standalone)
        return relay_main(s->config, toolsets);
    if (s->toolsets)
        setenv("KUROMAJUTSU_TOOLSETS", s->toolsets, 1);
    return run_hub("--standalone", s);
}

int main(int argc, char **argv)
{
    struct service s;
    int code = service_read(&s, argc, argv);

    if (code >= 0)
        return code;
    switch (s.kind) {
    case SERVICE_MCP:
        return run_relay(&s);
    case SERVICE_SERVE:
        return run_hub("serve", &s);
    case SERVICE_STANDALONE:
        return run_hub("--standalone", &s);
    case SERVICE_NONE:
    case SERVICE_KINDS:
        break;
    }
    return command_main(argc, argv);
}

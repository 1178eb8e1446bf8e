/* SPDX-License-Identifier: MIT */
#include "runtime/warden/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "runtime/text/warden_file.h"

struct word {
    const char *name;
    const char **value;
};

struct count {
    const char *name;
    int64_t *value;
};

int64_t options_number(const char *s)
{
    const int64_t limit = INT64_C(1) << 53;
    int64_t n = 0;

    if (*s == '\0')
        return -1;
    for (; *s != '\0'; s++) {
        if (*s < '0' || *s > '9' || n > limit / 10)
            return -1;
        n = n * 10 + (*s - '0');
    }
    return n <= limit ? n : -1;
}

static const char *take(struct options *o, const char *name, const char *value)
{
    const struct word words[] = {
        {"--dir", &o->dir},       {"--socket", &o->socket},
        {"--id", &o->id},         {"--build", &o->build},
        {"--cwd", &o->cwd},       {"--stdin", &o->stdin_path},
        {"--cgroup", &o->cgroup}, {"--record", &o->record},
    };
    const struct count counts[] = {
        {"--lease", &o->lease_ms},
        {"--grace", &o->grace_ms},
        {"--give-up", &o->give_up_ms},
        {"--stdout-limit", &o->stdout_limit},
        {"--stderr-limit", &o->stderr_limit},
        {"--files", &o->files},
        {"--nice", &o->nice},
        {"--memory-max", &o->memory_max},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(name, words[i].name) == 0) {
            *words[i].value = value;
            return NULL;
        }
    }
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        if (strcmp(name, counts[i].name) == 0) {
            *counts[i].value = options_number(value);
            return *counts[i].value >= 0 ? NULL : "a number is not one";
        }
    }
    return "an option is unknown";
}

static const char *check(const struct options *o)
{
    if (o->dir == NULL || o->socket == NULL || o->id == NULL ||
        o->build == NULL)
        return "--dir, --socket, --id and --build are required";
    if (strlen(o->id) > OPTIONS_NAME_MAX || strlen(o->build) > OPTIONS_NAME_MAX)
        return "--id or --build is too long";
    if (o->nice > 19)
        return "--nice is over 19";
    if ((o->cgroup != NULL) != (o->memory_max > 0))
        return "--cgroup and --memory-max belong together";
    if (o->record != NULL && strcmp(o->record, WARDEN_FILE) != 0)
        return "--record is not " WARDEN_FILE;
    if (o->program[0] == NULL)
        return "the program is missing";
    return NULL;
}

const char *options_parse(struct options *o, char **argv)
{
    *o = (struct options){
        .lease_ms = 60000,
        .grace_ms = 5000,
        .give_up_ms = 60000,
        .stdout_limit = INT64_C(1) << 30,
        .stderr_limit = INT64_C(1) << 20,
    };
    if (*argv != NULL)
        argv++;
    while (*argv != NULL && strcmp(*argv, "--") != 0) {
        if (argv[1] == NULL)
            return "an option has no value";

        const char *wrong = take(o, argv[0], argv[1]);

        if (wrong != NULL)
            return wrong;
        argv += 2;
    }
    if (*argv == NULL)
        return "-- and the program are missing";
    o->program = argv + 1;
    return check(o);
}

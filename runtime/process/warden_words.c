/* SPDX-License-Identifier: MIT */
#include "runtime/process/warden_words.h"

#include <string.h>

#include "runtime/text/warden_file.h"

struct words {
    struct bytes *out;
    uint32_t count;
};

static void add(struct words *w, const char *word)
{
    bytes_append(w->out, word, strlen(word) + 1);
    w->count++;
}

static void option(struct words *w, const char *name, const char *value)
{
    if (value == NULL)
        return;
    add(w, name);
    add(w, value);
}

static void number(struct words *w, const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)value);
    option(w, name, text);
}

/* Of those that may be left out. */
static void number_if(struct words *w, const char *name, uint64_t value)
{
    if (value != 0)
        number(w, name, value);
}

static void input(struct words *w, const struct process_spec *spec)
{
    if (spec->input == NULL)
        return;
    add(w, "--stdin");
    bytes_format(w->out, "%s/stdin", spec->dir);
    bytes_append(w->out, "", 1);
    w->count++;
}

uint32_t warden_words(struct bytes *out, const struct process_config *config,
                      const struct process_spec *spec, const char *cgroup)
{
    struct words w = {.out = out};

    add(&w, config->warden);
    option(&w, "--dir", spec->dir);
    option(&w, "--socket", config->socket);
    option(&w, "--id", spec->id);
    option(&w, "--build", config->build);
    option(&w, "--record", WARDEN_FILE);
    number(&w, "--lease", process_lease(config, spec));
    number(&w, "--grace", spec->grace_ms);
    number(&w, "--give-up", config->give_up_ms);
    number(&w, "--stdout-limit", spec->stdout_limit);
    number_if(&w, "--stderr-limit", spec->stderr_limit);
    number_if(&w, "--nice", spec->nice);
    number_if(&w, "--files", config->files);
    option(&w, "--cwd", spec->cwd);
    input(&w, spec);
    if (cgroup != NULL) {
        option(&w, "--cgroup", cgroup);
        number(&w, "--memory-max", spec->memory_max);
    }
    add(&w, "--");
    return w.count;
}

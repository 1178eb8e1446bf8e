/* SPDX-License-Identifier: MIT */
#include "tests/stories/script.h"

#include "runtime/os.h"

#define MARK "story: "

static const struct {
    const char *name;
    enum step step;
} steps[] = {{"never", STEP_NEVER},   {"work", STEP_WORK},
             {"sleep", STEP_SLEEP},   {"burst", STEP_BURST},
             {"edit", STEP_EDIT},     {"edits", STEP_EDITS},
             {"report", STEP_REPORT}, {"report!", STEP_MUST_REPORT},
             {"sees", STEP_SEES},     {"lead", STEP_LEAD},
             {"result", STEP_RESULT}, {"exit", STEP_EXIT},
             {"hang", STEP_HANG},     {"stubborn", STEP_STUBBORN}};

const char *script_prompt(const struct process_spec *spec)
{
    for (unsigned i = 0; spec->argv[i] != NULL; i++)
        if (strstr(spec->argv[i], MARK) != NULL)
            return spec->argv[i];
    return spec->input;
}

struct script script_of(const struct process_spec *spec)
{
    const char *prompt = script_prompt(spec), *at = NULL;

    while (prompt != NULL && (prompt = strstr(prompt, MARK)) != NULL)
        at = prompt += strlen(MARK);
    if (at == NULL)
        os_panic("%s has no story in its prompt", spec->id);
    return (struct script){.at = at};
}

static size_t span(const char *at, const char *ends)
{
    return strcspn(at, ends);
}

enum step script_next(struct script *s, char word[SCRIPT_WORD])
{
    size_t name, rest;

    while (*s->at == ' ')
        s->at++;
    name = span(s->at, ": \n");
    word[0] = 0;
    if (name == 0)
        return STEP_END;
    for (unsigned i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (strlen(steps[i].name) != name ||
            memcmp(s->at, steps[i].name, name) != 0)
            continue;
        s->at += name;
        if (*s->at == ':') {
            rest = span(++s->at, " \n");
            if (rest >= SCRIPT_WORD)
                os_panic("a word of a story is too long: %s", s->at);
            memcpy(word, s->at, rest);
            word[rest] = 0;
            s->at += rest;
        }
        return steps[i].step;
    }
    os_panic("no step of a story: %s", s->at);
}

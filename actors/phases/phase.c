/* SPDX-License-Identifier: MIT */
#include "actors/phases/inside.h"

struct slice phase_name(int phase)
{
    static const struct slice names[PHASES] = {
        SLICE_INIT("phase0"), SLICE_INIT("phase1"), SLICE_INIT("phase2"),
        SLICE_INIT("phase3"), SLICE_INIT("phase4")};

    return names[phase];
}

int phase_find(struct slice name)
{
    int phase = PHASES - 1;

    while (phase >= 0 && !slice_eq(phase_name(phase), name))
        phase--;
    return phase;
}

struct slice phase_status_name(enum phase_status status)
{
    static const struct slice names[] = {
        SLICE_INIT("pending"), SLICE_INIT("in_progress"),
        SLICE_INIT("completed"), SLICE_INIT("failed")};

    return names[status];
}

struct slice prompt_source_name(enum prompt_source source)
{
    static const struct slice names[] = {
        SLICE_INIT("builtin"), SLICE_INIT("file"), SLICE_INIT("cloud")};

    return names[source];
}

void prompt_finish(struct prompt *p)
{
    bytes_finish(&p->title);
    bytes_finish(&p->content);
    bytes_finish(&p->origin);
    bytes_finish(&p->cause);
}

static void copy(struct bytes *to, const struct bytes *from)
{
    bytes_append(to, from->ptr, from->len);
}

void prompt_copy(struct prompt *to, const struct prompt *from)
{
    prompt_finish(to);
    *to = (struct prompt){
        .state = from->state, .source = from->source, .version = from->version};
    copy(&to->title, &from->title);
    copy(&to->content, &from->content);
    copy(&to->origin, &from->origin);
    copy(&to->cause, &from->cause);
}

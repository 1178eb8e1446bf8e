/* SPDX-License-Identifier: MIT */
#include "actors/registry/ids.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "actors/registry/inside.h"

/* The next second's are taken when half of one's are used up: the time in an id
 * is what it always was, about right. */
static unsigned draw_number(struct rt_turn *t, struct ids *ids)
{
    uint64_t now = rt_wall_ms(t) / 1000;
    unsigned n;

    if (now > ids->second || ids->count >= 32768) {
        ids->second = now > ids->second ? now : ids->second + 1;
        ids->count = 0;
        memset(ids->given, 0, sizeof(ids->given));
    }
    do
        n = (unsigned)(rt_random(t) & 0xffff);
    while (ids->given[n / 64] >> n % 64 & 1);
    ids->given[n / 64] |= (uint64_t)1 << n % 64;
    ids->count++;
    return n;
}

static void draw(struct rt_turn *t, struct ids *ids, const char *prefix,
                 char id[ORDER_ID])
{
    unsigned n = draw_number(t, ids);

    snprintf(id, ORDER_ID, "%s-%" PRIu64 "-%04x", prefix, ids->second, n);
}

/* A directory of that name belongs to an agent of an earlier hub. */
static bool is_agent(struct registry *r, const char *id)
{
    char path[4096 + ORDER_ID];
    struct stat st;

    if (agent_entry_any(r, slice_cstr(id)) != NULL)
        return true;
    snprintf(path, sizeof(path), "%s/agents/%s", r->context->state_dir, id);
    return lstat(path, &st) == 0;
}

void ids_draw_group(struct rt_turn *t, struct registry *r, char id[ORDER_ID])
{
    do
        draw(t, &r->ids, "grp", id);
    while (group_entry_any(r, slice_cstr(id)) != NULL);
}

void ids_draw_agent(struct rt_turn *t, struct registry *r, const char *role,
                    char id[ORDER_ID])
{
    do
        draw(t, &r->ids, role, id);
    while (is_agent(r, id));
}

/* SPDX-License-Identifier: MIT */
/* Agents at work on the same file: each pair is told once per file, in
 * whatever order their edits come, and only while both are at work. */
#include "actors/registry/conflicts.h"
#include "runtime/os.h"
#include "tests/stories/hearer.h"
#include "tests/stories/stories.h"
#include "tests/stories/tale.h"

#define LOOKS 10000

static const char *begin(struct client *c, const char *group,
                         const char *script)
{
    return reply_text(MUST(tale_run(c, group, 1, script)), "/agents/0/agentId");
}

static size_t conflicts_of(struct client *c, const char *id)
{
    return yyjson_arr_size(reply_at(tale_look(c, id), "/conflicts"));
}

static void until_conflicts(struct client *c, const char *id, size_t count)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        if (conflicts_of(c, id) >= count || client_is_hung_up(c))
            return;
        client_sleep(c, 1);
    }
    os_panic("%s has %zu conflicts, not %zu", id, conflicts_of(c, id), count);
}

static void until_told(struct client *c, struct hearer *h, unsigned count)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        if (hearer_tally(h).conflicts >= count || client_is_hung_up(c))
            return;
        client_sleep(c, 1);
    }
    os_panic("%u conflicts are told, not %u", hearer_tally(h).conflicts, count);
}

/* Exactly these others, all in this file. */
static void check_with(struct client *c, const char *id, const char *path,
                       const char *const *others, size_t count)
{
    const struct reply *look = tale_look(c, id);
    yyjson_val *all = reply_at(look, "/conflicts"), *one;
    size_t i, max, met = 0;

    TALE_CHECK(yyjson_arr_size(all) == count);
    yyjson_arr_foreach(all, i, max, one)
    {
        struct slice other = FIELD_TEXT(one, "agentId");

        TALE_CHECK(slice_eq(FIELD_TEXT(one, "path"), slice_cstr(path)));
        for (size_t k = 0; k < count; k++)
            met += slice_eq(other, slice_cstr(others[k]));
    }
    TALE_CHECK(met == count);
}

static void cancel(struct client *c, const char *id)
{
    MUST(client_call(c, ORDER_CANCEL_AGENT, "{'agentIds':['%s']}", id));
}

static struct hearer *hear(struct world *w, struct client *c)
{
    struct hearer *h = hearer_create(w);

    hearer_tell(h, HEARER_SUBSCRIBE, "");
    hearer_until_pictures(c, h, 1);
    return h;
}

/* All that was told by now is heard. */
static unsigned tell_all(struct client *c, struct hearer *h)
{
    unsigned conflicts;

    hearer_tell(h, HEARER_UNSUBSCRIBE, "");
    hearer_until_pictures(c, h, 2);
    conflicts = hearer_tally(h).conflicts;
    hearer_tell(h, HEARER_END, "");
    hearer_until_over(c, h);
    hearer_destroy(h);
    return conflicts;
}

/* Three by three names of one file; one of them ends, another comes; those of
 * a group that was deleted are in nobody's way. */
static void pairs(struct world *w, struct client *c)
{
    struct hearer *h = hear(w, c);
    const char *group = tale_group(c, "concurrent"), *ids[4], *late;
    const struct reply *r;

    ids[0] = begin(c, group, "edit:/p/a.c edit:/p/b.c hang");
    ids[1] = begin(c, group, "edit:/p/./a.c edit:/p/a.c hang");
    ids[2] = begin(c, group, "edit:/p/q/../a.c hang");
    for (unsigned i = 0; i < 3; i++)
        until_conflicts(c, ids[i], 2);
    check_with(c, ids[0], "/p/a.c", (const char *[]){ids[1], ids[2]}, 2);
    check_with(c, ids[1], "/p/a.c", (const char *[]){ids[0], ids[2]}, 2);
    cancel(c, ids[0]);
    ids[3] = begin(c, group, "edit:/p/b.c edit:/p/a.c hang");
    until_conflicts(c, ids[3], 2);
    check_with(c, ids[3], "/p/a.c", (const char *[]){ids[1], ids[2]}, 2);
    r = MUST(client_call(c, ORDER_WAIT_AGENT,
                         "{'agentIds':['%s'],'timeout_ms':0}", ids[3]));
    TALE_CHECK(yyjson_arr_size(reply_at(r, "/conflicts")) == 2);
    for (unsigned i = 1; i < 4; i++)
        cancel(c, ids[i]);
    for (unsigned i = 0; i < 4; i++)
        tale_until_gone(c, ids[i]);
    tale_delete(c, group);
    late = begin(c, tale_group(c, "concurrent"),
                 "edit:/p/a.c edit:/p/b.c report!:success result");
    tale_until_gone(c, late);
    TALE_CHECK(conflicts_of(c, late) == 0);
    TALE_CHECK(tell_all(c, h) == 3 + 2);
}

/* What is remembered of one agent, and what is told of it, has a bound. */
static void bounds(struct world *w, struct client *c)
{
    struct hearer *h = hear(w, c);
    const char *group = tale_group(c, "concurrent"), *ids[4];

    TALE_CHECK(CONFLICTS_FILES == 2000 && CONFLICTS_TOLD == 100);
    ids[0] = begin(c, group, "edits:2050 hang");
    ids[1] = begin(c, group, "edit:/shared/2049.c edit:/shared/1999.c hang");
    until_conflicts(c, ids[0], 1);
    check_with(c, ids[1], "/shared/1999.c", ids, 1);
    for (unsigned i = 0; i < 2; i++)
        cancel(c, ids[i]);
    TALE_CHECK(hearer_tally(h).conflicts <= 1);
    until_told(c, h, 1);
    for (unsigned i = 2; i < 4; i++)
        ids[i] = begin(c, group, "edits:150 hang");
    until_told(c, h, 1 + CONFLICTS_TOLD);
    client_sleep(c, 100);
    for (unsigned i = 2; i < 4; i++)
        cancel(c, ids[i]);
    for (unsigned i = 0; i < 4; i++)
        tale_until_gone(c, ids[i]);
    TALE_CHECK(tell_all(c, h) == 1 + CONFLICTS_TOLD);
}

const struct story conflict_stories[] = {
    {.name = "conflicts",
     .settings = "agent: {maxConcurrent: 8}\n",
     .tell = pairs},
    {.name = "bounds of conflicts",
     .settings = "agent: {maxConcurrent: 8}\n",
     .tell = bounds},
    {.name = NULL}};

/* SPDX-License-Identifier: MIT */
#include "actors/store/process_tree.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Processes that are looked at: some milliseconds. */
#define MOST 512

struct member {
    int32_t parent;
    char name[32];
    uint64_t ticks, pages;
};

static size_t read_file(int32_t pid, const char *name, char *to, size_t size)
{
    char path[128];
    FILE *f;
    size_t n;

    snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
    f = fopen(path, "re");
    if (f == NULL)
        return 0;
    n = fread(to, 1, size - 1, f);
    to[n] = 0;
    fclose(f);
    return n;
}

/* A name may have anything in it, so what follows is behind the last bracket.
 */
static bool look_at(int32_t pid, struct member *m)
{
    char text[1024], *name, *end;
    unsigned long long user, system, child_user, child_system;
    long long pages;
    int parent;

    if (read_file(pid, "stat", text, sizeof(text)) == 0)
        return false;
    name = strchr(text, '(');
    end = strrchr(text, ')');
    if (name == NULL || end == NULL || end < name)
        return false;
    *end = 0;
    snprintf(m->name, sizeof(m->name), "%s", name + 1);
    if (sscanf(end + 1,
               " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu"
               " %llu %*d %*d %*d %*d %*u %*u %lld",
               &parent, &user, &system, &child_user, &child_system,
               &pages) != 6)
        return false;
    m->parent = parent;
    m->ticks = user + system + child_user + child_system;
    m->pages = pages > 0 ? (uint64_t)pages : 0;
    return true;
}

static size_t add_children(int32_t pid, int32_t *list, size_t count)
{
    char name[64], text[8192], *at = text, *end;

    snprintf(name, sizeof(name), "task/%d/children", (int)pid);
    if (read_file(pid, name, text, sizeof(text)) == 0)
        return count;
    while (count < MOST) {
        long child = strtol(at, &end, 10);

        if (end == at)
            break;
        list[count++] = (int32_t)child;
        at = end;
    }
    return count;
}

static void add(struct process_tree *tree, const struct member *m)
{
    tree->cpu_ms += m->ticks * 1000 / (uint64_t)sysconf(_SC_CLK_TCK);
    tree->memory += m->pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Numbers are given again: the one that has a warden above it is the CLI. */
void process_tree_look(struct process_tree *tree, int32_t cli)
{
    int32_t list[MOST];
    struct member m, warden;
    size_t count;

    if (!look_at(cli, &m) || !look_at(m.parent, &warden) ||
        strncmp(warden.name, "kuromajutsu-war", 15) != 0)
        return;
    tree->warden = m.parent;
    count = add_children(m.parent, list, 0);
    if (count == 0)
        list[count++] = cli;
    for (size_t i = 0; i < count; i++) {
        if (!look_at(list[i], &m))
            continue;
        tree->count++;
        add(tree, &m);
        count = add_children(list[i], list, count);
    }
}

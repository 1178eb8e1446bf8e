/* SPDX-License-Identifier: MIT */
#include "runtime/process/process.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "runtime/os.h"

#define CAPACITY_MAX 1000000u
#define RESERVED_MIN 1000u
#define STDOUT_LIMIT ((uint64_t)1 << 30)

/* A bump pointer over the one block; with a NULL base it only measures. */
struct block {
    char *base;
    size_t used;
};

static void *take(struct block *b, const void *from, size_t len)
{
    char *to = b->base != NULL ? b->base + b->used : NULL;

    if (to != NULL && len > 0)
        memcpy(to, from, len);
    b->used += len;
    return to;
}

static const char *take_string(struct block *b, const char *s)
{
    return s == NULL ? NULL : take(b, s, strlen(s) + 1);
}

static size_t count(const char *const *list)
{
    size_t n = 0;

    while (list[n] != NULL)
        n++;
    return n;
}

/* Pointers first: the block starts aligned and strings come last. */
static const char **take_list(struct block *b, const char *const *list)
{
    return take(b, list, (count(list) + 1) * sizeof(*list));
}

static void take_items(struct block *b, const char **to,
                       const char *const *list)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        const char *item = take_string(b, list[i]);
        if (to != NULL)
            to[i] = item;
    }
}

static void take_files(struct block *b, struct process_file *to,
                       const struct process_spec *from)
{
    for (size_t i = 0; i < from->file_count; i++) {
        const struct process_file *f = &from->files[i];
        struct process_file own = {.name = take_string(b, f->name),
                                   .bytes = take(b, f->bytes, f->len),
                                   .len = f->len};
        if (to != NULL)
            to[i] = own;
    }
}

static void take_copies(struct block *b, struct process_copy *to,
                        const struct process_spec *from)
{
    for (size_t i = 0; i < from->copy_count; i++) {
        const struct process_copy *c = &from->copies[i];
        struct process_copy own = {.from = take_string(b, c->from),
                                   .to = take_string(b, c->to),
                                   .is_folder = c->is_folder};
        if (to != NULL)
            to[i] = own;
    }
}

static struct process_spec *lay_out(struct block *b,
                                    const struct process_spec *from)
{
    struct process_spec *spec = take(b, from, sizeof(*from));
    const char **argv = take_list(b, from->argv);
    const char **envp = take_list(b, from->envp);
    struct process_file *files =
        take(b, from->files, from->file_count * sizeof(*files));
    struct process_copy *copies =
        take(b, from->copies, from->copy_count * sizeof(*copies));
    struct process_spec copy = *from;

    take_files(b, files, from);
    take_copies(b, copies, from);
    copy.files = files;
    copy.copies = copies;
    /* Next to each other: see process_spec_strings. */
    take_items(b, argv, from->argv);
    take_items(b, envp, from->envp);
    copy.argv = argv;
    copy.envp = envp;
    copy.id = take_string(b, from->id);
    copy.dir = take_string(b, from->dir);
    copy.cwd = take_string(b, from->cwd);
    if (from->input != NULL)
        copy.input = take(b, from->input, from->input_len);
    if (from->papers != NULL)
        copy.papers = take(b, from->papers, from->papers_len);
    if (spec != NULL)
        *spec = copy;
    return spec;
}

struct process_spec *process_spec_create(const struct process_spec *from)
{
    struct block measure = {0}, block = {0};
    struct process_spec *spec;

    lay_out(&measure, from);
    block.base = os_alloc(measure.used, 16);
    spec = lay_out(&block, from);
    if (spec->stdout_limit == 0)
        spec->stdout_limit = STDOUT_LIMIT;
    rt_obj_init(&spec->obj, rt_obj_free);
    return spec;
}

struct process_strings process_spec_strings(const struct process_spec *spec)
{
    size_t words = count(spec->argv), variables = count(spec->envp);
    const char *first = words > 0 ? spec->argv[0] : spec->envp[0];
    const char *last = variables > 0 ? spec->envp[variables - 1]
                       : words > 0   ? spec->argv[words - 1]
                                     : NULL;

    return (struct process_strings){
        .at = first,
        .size = last == NULL ? 0 : (size_t)(last - first) + strlen(last) + 1,
        .words = (uint32_t)words,
        .variables = (uint32_t)variables};
}

uint64_t process_lease(const struct process_config *config,
                       const struct process_spec *spec)
{
    return spec->lease_ms != 0 && spec->lease_ms < config->lease_ms
               ? spec->lease_ms
               : config->lease_ms;
}

unsigned process_capacity(void)
{
    struct rlimit limit;
    rlim_t count;

    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
        limit.rlim_cur <= PROCESS_FILES_OURS)
        return 0;
    count = (limit.rlim_cur - PROCESS_FILES_OURS) / PROCESS_FILES_EACH;
    return count > CAPACITY_MAX ? CAPACITY_MAX : (unsigned)count;
}

unsigned process_raise_limits(uint64_t *before)
{
    struct rlimit limit;

    *before = 0;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
        limit.rlim_cur < limit.rlim_max) {
        *before = limit.rlim_cur;
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return process_capacity();
}

void process_reserve_files(unsigned processes)
{
    rlim_t wanted = processes > RESERVED_MIN ? processes : RESERVED_MIN;
    struct rlimit limit;
    int fd;

    wanted = wanted * PROCESS_FILES_EACH + PROCESS_FILES_OURS;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == 0)
        return;
    if (wanted > limit.rlim_cur)
        wanted = limit.rlim_cur;
    /* The table never shrinks. */
    fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, (int)wanted - 1);
    if (fd >= 0)
        close(fd);
}

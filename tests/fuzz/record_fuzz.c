/* SPDX-License-Identifier: MIT */
/*
 * What comes from a warden, or from whoever passes for one: bytes on the hub's
 * socket, in pieces, and its record and stderr.log on disk. The hub does not
 * crash, tells the end of a process once, and what it tells is whole. An input
 * is a byte that says how large the pieces are and how the record is kept, and
 * three texts with a NUL between them; in the first, @PID@ stands for our own
 * process, which is the warden.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/process/processes.h"
#include "runtime/text/array.h"
#include "runtime/text/bytes.h"
#include "runtime/text/path.h"
#include "runtime/text/slice.h"
#include "runtime/text/warden_file.h"
#include "tests/fuzz/outside.h"

#define CHECK(fact)                                                            \
    do                                                                         \
        if (!(fact))                                                           \
            abort();                                                           \
    while (0)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* In memory where there is such a place: files are half the work. */
static char dir[] = "/dev/shm/kuromajutsu-XXXXXX";
static char socket_path[64];
static struct process_spec *spec;
static struct processes ps;
static unsigned started, gone, others;

/* ---- what link.c and child.c know of the actor --------------------------- */

void processes_pump_soon(struct rt_turn *t, struct processes *all)
{
    (void)t, (void)all;
}

void processes_rest(struct rt_turn *t, struct processes *all, uint64_t ms)
{
    (void)t, (void)all, (void)ms;
}

void processes_look_soon(struct rt_turn *t, struct processes *all)
{
    (void)t, (void)all;
}

int processes_watch(struct rt_turn *t, struct processes *all, int fd, int what,
                    void *of)
{
    (void)t;
    ARRAY_REACH(all->fds, &all->fd_count, (size_t)fd);
    all->fds[fd] = (struct fd_use){.what = what, .of = of};
    return 0;
}

void processes_unwatch(struct rt_turn *t, struct processes *all, int fd)
{
    (void)t;
    all->fds[fd] = (struct fd_use){0};
}

struct child *processes_by_id(struct processes *all, const char *id)
{
    struct child *c = all->children.first;

    return c != NULL && strcmp(c->spec->id, id) == 0 ? c : NULL;
}

void processes_forget(struct rt_turn *t, struct processes *all, struct child *c)
{
    LIST_REMOVE(&all->children, c, link);
    child_destroy(t, all, c);
}

/* ---- what is told ------------------------------------------------------- */

static bool is_text(const char *text, size_t size)
{
    return strnlen(text, size) < size;
}

static void look_at_exit(const struct process_exit *e)
{
    CHECK(++gone == 1);
    CHECK(e->reason <= PROCESS_INTERRUPTED && e->stderr_len <= 4096);
    CHECK(is_text(e->error, sizeof(e->error)) &&
          is_text(e->stage, sizeof(e->stage)) &&
          is_text(e->detail, sizeof(e->detail)));
    /* It must be readable to its last byte. */
    CHECK(slice_hash(SLICE_HASH, slice_of(e->stderr_tail, e->stderr_len)) != 1);
}

static void on_send(struct rt_msg *m)
{
    if (m->kind == PROCESS_GONE)
        look_at_exit(RT_OBJ(m, struct process_exit));
    started += m->kind == PROCESS_STARTED;
    others += m->kind == PROCESS_OTHER;
    CHECK(started <= 1 && (started == 0 || gone <= 1));
}

/* ---- an input ----------------------------------------------------------- */

static void save(const char *name, struct slice text)
{
    char path[PATH_MAX];
    int fd;

    path_join(path, dir, name);
    if (text.len == 0) {
        unlink(path);
        return;
    }
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(write(fd, text.ptr, text.len) == (ssize_t)text.len);
    close(fd);
}

/* Up to the next NUL, which is skipped. */
static struct slice take_text(struct slice *rest)
{
    const char *end = rest->len > 0 ? memchr(rest->ptr, 0, rest->len) : NULL;
    struct slice text =
        slice_of(rest->ptr, end ? (size_t)(end - rest->ptr) : rest->len);

    *rest = end ? slice_of(end + 1, rest->len - text.len - 1) : SLICE_EMPTY;
    return text;
}

static void spell_out(struct slice text, struct bytes *out)
{
    static const char word[] = "@PID@";
    char pid[16];
    const char *at;

    snprintf(pid, sizeof(pid), "%d", getpid());
    while (text.len > 0 &&
           (at = memmem(text.ptr, text.len, word, sizeof(word) - 1)) != NULL) {
        size_t before = (size_t)(at - text.ptr);

        bytes_append(out, text.ptr, before);
        bytes_append(out, pid, strlen(pid));
        text = slice_of(at + sizeof(word) - 1,
                        text.len - before - (sizeof(word) - 1));
    }
    bytes_append(out, text.ptr, text.len);
}

static struct peer *find_peer(void)
{
    for (size_t fd = 0; fd < ps.fd_count; fd++)
        if (ps.fds[fd].what == FD_PEER)
            return ps.fds[fd].of;
    return NULL;
}

/* The spawner has answered: one that was too early is heard now. */
static void claim(void)
{
    struct child *c = ps.children.first;

    if (c == NULL || c->phase != CHILD_STARTING)
        return;
    c->phase = CHILD_AWAITED;
    link_claim(NULL, &ps, c);
}

/* Sends it as a warden would and lets the hub read, piece by piece. The
 * answers go unread, as those of a warden that does not listen. */
static void speak(struct slice text, size_t piece)
{
    struct sockaddr_un address;
    int folder, fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    CHECK(path_address(socket_path, &address, &folder) == 0);
    CHECK(connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0);
    link_on_listener(NULL, &ps);
    for (size_t i = 0; i < text.len && find_peer() != NULL; i += piece) {
        size_t len = text.len - i < piece ? text.len - i : piece;

        if (send(fd, text.ptr + i, len, MSG_NOSIGNAL) != (ssize_t)len)
            break;
        link_on_ready(NULL, &ps, find_peer());
    }
    claim();
    close(fd);
    if (find_peer() != NULL)
        link_on_ready(NULL, &ps, find_peer());
    CHECK(find_peer() == NULL);
}

/* Our own child, whose warden is there but has not connected yet. */
static int begin(bool is_known)
{
    int pidfd = (int)syscall(SYS_pidfd_open, getpid(), 0);
    struct child *c = child_create(&ps, (struct rt_ref){.id = 1}, spec);

    LIST_PREPEND(&ps.children, c, link);
    c->phase = is_known ? CHILD_AWAITED : CHILD_STARTING;
    c->warden = getpid();
    c->pidfd = pidfd;
    processes_watch(NULL, &ps, pidfd, FD_WARDEN, c);
    return pidfd;
}

/* As an earlier version has it, as this one has, or as it came to be. */
static void save_record(uint8_t how, struct slice text)
{
    char path[PATH_MAX];
    int fd;

    save(WARDEN_FILE_EXIT, (how & 6) == 0 ? text : SLICE_EMPTY);
    save(WARDEN_FILE, (how & 6) == 4 ? text : SLICE_EMPTY);
    if ((how & 2) == 0)
        return;
    path_join(path, dir, WARDEN_FILE);
    fd = open(path, O_RDWR | O_CREAT, 0600);
    CHECK(fd >= 0);
    warden_file_put_exit(fd, how, text.ptr, text.len);
    close(fd);
}

static void clean_up(void)
{
    save_record(0, SLICE_EMPTY);
    save("stderr.log", SLICE_EMPTY);
    link_shut(NULL, &ps);
    free(ps.fds);
    rt_obj_drop(&spec->obj);
    rmdir(dir);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    static const char *const nothing[] = {NULL};
    static const char *const program[] = {"agent", NULL};

    (void)argc, (void)argv;
    if (mkdtemp(dir) == NULL) {
        strcpy(dir, "/tmp/kuromajutsu-XXXXXX");
        CHECK(mkdtemp(dir) != NULL);
    }
    atexit(clean_up);
    snprintf(socket_path, sizeof(socket_path), "%s/hub.sock", dir);
    spec = process_spec_create(&(struct process_spec){
        .id = "code-1-abcd", .dir = dir, .argv = program, .envp = nothing});
    ps.config.socket = socket_path;
    ps.config.others = (struct rt_ref){.id = 2};
    outside_on_send = on_send;
    CHECK(link_listen(NULL, &ps) == 0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice rest = slice_of((const char *)data, size);
    struct bytes said = {0};
    size_t piece;
    int pidfd;

    if (size < 1)
        return 0;
    piece = data[0] == 255 ? PROCESSES_LINE : (size_t)data[0] + 1;
    rest = slice_of(rest.ptr + 1, rest.len - 1);
    spell_out(take_text(&rest), &said);
    save_record(data[0], take_text(&rest));
    save("stderr.log", rest);
    started = gone = others = 0;
    pidfd = begin(data[0] & 1);
    speak(bytes_slice(&said), piece);
    CHECK(ps.unclaimed.first == NULL && ps.silent == 0);
    if (ps.children.first != NULL)
        child_on_killed(NULL, &ps, ps.children.first, 0);
    if (ps.children.first != NULL)
        processes_forget(NULL, &ps, ps.children.first);
    processes_unwatch(NULL, &ps, pidfd);
    close(pidfd);
    bytes_finish(&said);
    return 0;
}

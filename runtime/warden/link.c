/* SPDX-License-Identifier: MIT */
#include "runtime/warden/link.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "runtime/warden/options.h"

void link_init(struct link *l, const char *path)
{
    l->path = path;
    l->fd = -1;
    l->retry_at = 0;
    l->is_skipping = false;
    l->out_len = 0;
    l->in_len = 0;
}

/*
 * sun_path holds 107 characters and state directories may be deeper: then
 * the name is spelled from a descriptor of its directory, given back in *dir.
 */
static bool name_socket(const char *path, struct sockaddr_un *name, int *dir)
{
    const char *slash = strrchr(path, '/');
    char folder[PATH_MAX];
    struct text t;

    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    *dir = -1;
    if (strlen(path) < sizeof(name->sun_path)) {
        memcpy(name->sun_path, path, strlen(path) + 1);
        return true;
    }
    if (slash == NULL || (size_t)(slash - path) >= sizeof(folder))
        return false;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    *dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (*dir < 0)
        return false;
    text_init(&t, name->sun_path, sizeof(name->sun_path) - 1);
    text_add(&t, "/proc/self/fd/");
    text_number(&t, *dir);
    text_add(&t, slash);
    return !t.is_cut;
}

/* Another user's word could end the tree. */
static bool is_own_user(int fd)
{
    struct ucred hub;
    socklen_t size = sizeof(hub);

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &hub, &size) == 0 &&
           hub.uid == geteuid();
}

bool link_connect(struct link *l, int64_t now)
{
    struct sockaddr_un name;
    int dir;
    bool is_named = name_socket(l->path, &name, &dir);

    l->retry_at = now + LINK_RETRY_MS;
    l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    /* A full backlog is EAGAIN at once: to be tried again like a refusal. */
    if (l->fd >= 0 &&
        (!is_named ||
         connect(l->fd, (const struct sockaddr *)&name, sizeof(name)) != 0 ||
         !is_own_user(l->fd)))
        link_close(l, now);
    if (dir >= 0)
        close(dir);
    return l->fd >= 0;
}

void link_flush(struct link *l)
{
    while (l->fd >= 0 && l->out_len > 0) {
        ssize_t n = send(l->fd, l->out, l->out_len, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        /*
         * A hub that has left may have said something before: the loss is
         * noticed by reading, after the last of its orders.
         */
        if (n < 0)
            n = (ssize_t)l->out_len;
        l->out_len -= (size_t)n;
        memmove(l->out, l->out + n, l->out_len);
    }
}

void link_send(struct link *l, const struct text *t)
{
    if (l->fd < 0)
        return;
    if (t->is_cut || t->len > sizeof(l->out) - l->out_len) {
        /* Reading then finds the end; the next hello tells all of it. */
        l->out_len = 0;
        shutdown(l->fd, SHUT_RDWR);
        return;
    }
    memcpy(l->out + l->out_len, t->at, t->len);
    l->out_len += t->len;
}

bool link_receive(struct link *l)
{
    ssize_t n = recv(l->fd, l->in + l->in_len, sizeof(l->in) - l->in_len, 0);

    if (n < 0)
        return errno == EAGAIN || errno == EINTR;
    l->in_len += (size_t)n;
    return n > 0;
}

static enum link_order understand(char *line, int64_t *number)
{
    static const struct {
        const char *word;
        enum link_order order;
    } orders[] = {
        {"welcome", LINK_WELCOME}, {"end", LINK_END}, {"bye", LINK_BYE}};
    char *space = strchr(line, ' ');

    *number = -1;
    if (space != NULL) {
        *space = '\0';
        *number = options_number(space + 1);
        if (*number < 0)
            return LINK_UNKNOWN;
    }
    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        if (strcmp(line, orders[i].word) == 0)
            return orders[i].order;
    }
    return LINK_UNKNOWN;
}

enum link_order link_take(struct link *l, int64_t *number)
{
    char *end = memchr(l->in, '\n', l->in_len);

    if (end == NULL) {
        if (l->in_len == sizeof(l->in)) {
            l->is_skipping = true;
            l->in_len = 0;
        }
        return LINK_NOTHING;
    }
    *end = '\0';

    size_t taken = (size_t)(end - l->in) + 1;
    /* A zero inside must not make an order of a line that is none. */
    bool is_text = !l->is_skipping && strlen(l->in) + 1 == taken;
    enum link_order order = is_text ? understand(l->in, number) : LINK_UNKNOWN;

    l->is_skipping = false;
    l->in_len -= taken;
    memmove(l->in, l->in + taken, l->in_len);
    return order;
}

void link_close(struct link *l, int64_t now)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
    l->retry_at = now + LINK_RETRY_MS;
    l->is_skipping = false;
    l->out_len = 0;
    l->in_len = 0;
}

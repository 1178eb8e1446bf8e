/* SPDX-License-Identifier: MIT */
#include "transport/wire/hublink.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config/env.h"
#include "config/language.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"
#include "runtime/text/moment.h"
#include "runtime/text/path.h"
#include "runtime/text/utf8.h"

#define CHUNK ((size_t)64 << 10)
#define KEEP ((size_t)256 << 10)

/* A client tells its whole environment. */
static int check_user(int fd)
{
    struct ucred hub;
    socklen_t size = sizeof(hub);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &hub, &size) != 0)
        return -errno;
    return hub.uid == geteuid() ? 0 : -EPERM;
}

int hublink_open(struct hublink *l, const char *socket_path)
{
    struct sockaddr_un address;
    int dir, error = path_address(socket_path, &address, &dir);

    *l = HUBLINK_CLOSED;
    if (error == 0) {
        l->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (l->fd < 0 || connect(l->fd, (const struct sockaddr *)&address,
                                 sizeof(address)) != 0)
            error = -errno;
    }
    if (dir >= 0)
        close(dir);
    if (error == 0)
        error = check_user(l->fd);
    if (error != 0)
        hublink_close(l);
    return error;
}

void hublink_close(struct hublink *l)
{
    if (l->fd >= 0)
        close(l->fd);
    wire_finish(&l->in);
    outbox_finish(&l->out);
    *l = HUBLINK_CLOSED;
}

static bool is_text(const char *text)
{
    return utf8_is_valid(text, strlen(text));
}

/* Appends the variables, and to *odd those that are no text. */
static void put_env(struct bytes *hello, struct bytes *odd, char *const *env)
{
    unsigned count = 0;

    for (size_t i = 0; env && env[i]; i++) {
        if (env_is_hubs(env[i]))
            continue;
        if (count > 0)
            JSON_RAW(hello, ",");
        json_string(hello, slice_cstr(env[i]));
        if (!is_text(env[i])) {
            bytes_format(odd, "%s\"%u\":", odd->len > 0 ? "," : "", count);
            wire_put_bytes(odd, slice_cstr(env[i]));
        }
        count++;
    }
}

/* A hub of an earlier build makes do with what JSON can say of them. */
static void put_bytes(struct bytes *hello, const char *cwd,
                      const struct bytes *odd)
{
    JSON_RAW(hello, ",\"bytes\":{\"env\":{");
    json_raw(hello, bytes_slice(odd));
    JSON_RAW(hello, "}");
    if (!is_text(cwd)) {
        JSON_RAW(hello, ",\"cwd\":");
        wire_put_bytes(hello, slice_cstr(cwd));
    }
    JSON_RAW(hello, "}");
}

/* Answers are for who has started us. */
static void put_languages(struct bytes *hello)
{
    enum config_language named = language_named(environ);

    if (named != CONFIG_AUTO)
        JSON_TEXT(hello, "language", slice_cstr(language_word(named)));
    JSON_TEXT(hello, "locale",
              slice_cstr(language_word(language_of_locale(environ))));
}

void hublink_greet(struct hublink *l, const char *build, const char *client,
                   char *const *env)
{
    struct bytes hello = {0}, odd = {0};
    char *cwd = getcwd(NULL, 0);
    const char *key = getenv("KUROMAJUTSU_AGENT_KEY");

    outbox_put(&l->out, SLICE(WIRE_GREETING));
    JSON_RAW(&hello, "{\"build\":");
    json_string(&hello, slice_cstr(build));
    JSON_TEXT(&hello, "client", slice_cstr(client));
    if (key != NULL)
        JSON_TEXT(&hello, "key", slice_cstr(key));
    put_languages(&hello);
    JSON_TEXT(&hello, "cwd", slice_cstr(cwd ? cwd : "/"));
    JSON_RAW(&hello, ",\"env\":[");
    put_env(&hello, &odd, env);
    JSON_RAW(&hello, "]");
    if (odd.len > 0 || (cwd && !is_text(cwd)))
        put_bytes(&hello, cwd ? cwd : "/", &odd);
    JSON_RAW(&hello, "}");
    hublink_put(l, WIRE_HELLO, 0, bytes_slice(&hello));
    bytes_finish(&hello);
    bytes_finish(&odd);
    free(cwd);
}

void hublink_put(struct hublink *l, enum wire_kind kind, uint64_t handle,
                 struct slice payload)
{
    wire_put(&l->out.bytes, kind, 0, handle, payload);
}

size_t hublink_queued(const struct hublink *l)
{
    return outbox_left(&l->out);
}

int hublink_flush(struct hublink *l)
{
    struct nonblocking to = nonblocking_of_socket(l->fd);
    ssize_t n = outbox_flush(&l->out, &to);

    /* Questions are short, and there may be a relay for each of many agents. */
    if (outbox_left(&l->out) == 0)
        bytes_clear(&l->out.bytes, KEEP);
    return n < 0 ? (int)n : 0;
}

int hublink_read(struct hublink *l)
{
    char *space = wire_space(&l->in, CHUNK);
    ssize_t n =
        recv(l->fd, space, l->in.buffer.cap - l->in.buffer.len, MSG_DONTWAIT);

    if (n == 0)
        return -EPIPE;
    if (n < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    wire_filled(&l->in, (size_t)n);
    return 0;
}

int hublink_next(struct hublink *l, struct wire_frame *frame)
{
    return wire_next(&l->in, frame);
}

bool hublink_welcome_read(const struct wire_frame *frame,
                          struct hublink_welcome *w)
{
    yyjson_doc *doc =
        frame->head.kind == WIRE_WELCOME
            ? yyjson_read(frame->payload.ptr, frame->payload.len, 0)
            : NULL;
    yyjson_val *root = yyjson_doc_get_root(doc);
    bool is_good = yyjson_is_obj(root);

    if (is_good) {
        slice_keep(w->build, sizeof(w->build), FIELD_TEXT(root, "build"));
        slice_keep(w->agent_id, sizeof(w->agent_id),
                   FIELD_TEXT(root, "agentId"));
        w->pid = (pid_t)FIELD_COUNT(root, "pid");
        w->running = FIELD_COUNT(root, "running");
    }
    yyjson_doc_free(doc);
    return is_good;
}

/* Until the socket can be read, or has taken all there was to send. */
static int wait_once(struct hublink *l, int64_t end)
{
    short events = hublink_queued(l) > 0 ? POLLIN | POLLOUT : POLLIN;
    struct pollfd p = {.fd = l->fd, .events = events};
    int64_t left = end < 0 ? -1 : end - moment_monotonic();
    int n = poll(&p, 1, left < 0 && end >= 0 ? 0 : (int)left);

    if (n == 0)
        return -ETIMEDOUT;
    if (n < 0)
        return errno == EINTR ? 0 : -errno;
    return p.revents & (POLLIN | POLLHUP | POLLERR) ? hublink_read(l) : 0;
}

int hublink_wait(struct hublink *l, int timeout_ms, struct wire_frame *frame)
{
    int64_t end = timeout_ms < 0 ? -1 : moment_monotonic() + timeout_ms;

    for (;;) {
        int found = hublink_next(l, frame);
        if (found < 0)
            return found;
        if (found > 0)
            return frame->head.kind == WIRE_LEAVING ? -ESHUTDOWN : 0;
        int error = hublink_flush(l);
        if (error == 0)
            error = wait_once(l, end);
        if (error != 0)
            return error;
    }
}

int hublink_meet(struct hublink *l, const char *socket_path, const char *build,
                 const char *client, int timeout_ms, struct hublink_welcome *w)
{
    struct wire_frame frame;
    int error = hublink_open(l, socket_path);

    if (error != 0)
        return error;
    hublink_greet(l, build, client, NULL);
    error = hublink_wait(l, timeout_ms, &frame);
    if (error == 0 && !hublink_welcome_read(&frame, w))
        error = -EPROTO;
    if (error != 0)
        hublink_close(l);
    return error;
}

static void put_call(struct hublink *l, const char *name, struct slice args)
{
    struct bytes call = {0};

    JSON_RAW(&call, "{\"name\":");
    json_string(&call, slice_cstr(name));
    JSON_RAW(&call, ",\"args\":");
    json_raw(&call, args);
    JSON_RAW(&call, ",\"progress\":false,\"key\":\"\"}");
    hublink_put(l, WIRE_CALL, 1, bytes_slice(&call));
    bytes_finish(&call);
}

int hublink_ask(struct hublink *l, const char *name, struct slice args,
                int timeout_ms, struct bytes *answer, bool *is_error)
{
    struct wire_frame frame;

    put_call(l, name, args);
    int error = hublink_wait(l, timeout_ms, &frame);
    if (error != 0)
        return error;
    if (frame.head.kind != WIRE_ANSWER)
        return -EPROTO;
    json_raw(answer, frame.payload);
    *is_error = frame.head.flags & WIRE_IS_ERROR;
    return 0;
}

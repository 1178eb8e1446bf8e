/* SPDX-License-Identifier: MIT */
#include "transport/puppet/mcp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "transport/puppet/teller.h"

/* A server that sees its input end leaves at once, when it has the processor:
 * the time tells a stubborn one from a slow machine. A test of one sets it. */
enum { LINE_LIMIT = 64 * 1024 * 1024, START_MS = 30000, LEAVE_MS = 20000 };

void mcp_init(struct mcp *m, const struct mcp_entry *entry)
{
    *m = (struct mcp){.entry = entry, .to = -1, .from = -1};
}

static int spawn(struct mcp *m, int in, int out)
{
    char **argv = mcp_entry_argv(m->entry), **env = mcp_entry_env(m->entry);
    const char *cwd = yyjson_get_str(yyjson_obj_get(m->entry->server, "cwd"));
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attr;
    sigset_t defaults;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 0);
    posix_spawn_file_actions_adddup2(&actions, out, 1);
    if (cwd)
        posix_spawn_file_actions_addchdir_np(&actions, cwd);
    /* ignore_term is the CLI's own stubbornness, not its servers'. */
    posix_spawnattr_init(&attr);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGTERM);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attr, &defaults);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF);
    int rc = posix_spawnp(&m->pid, argv[0], &actions, &attr, argv, env);
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&actions);
    mcp_entry_free(argv);
    mcp_entry_free(env);
    if (rc)
        m->pid = 0;
    return -rc;
}

static int open_server(struct mcp *m)
{
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC))
        return -errno;
    if (pipe2(out, O_CLOEXEC)) {
        close(in[0]);
        close(in[1]);
        return -EMFILE;
    }
    int rc = spawn(m, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    m->to = in[1];
    m->from = out[0];
    fcntl(m->to, F_SETFL, O_NONBLOCK);
    fcntl(m->from, F_SETFL, O_NONBLOCK);
    return rc;
}

static int read_some(struct mcp *m)
{
    char block[65536];
    ssize_t got = read(m->from, block, sizeof(block));

    if (got > 0) {
        text_add(&m->in, block, (size_t)got);
        return m->in.len - m->in_at > LINE_LIMIT ? -EMSGSIZE : 0;
    }
    if (!got)
        return -EPIPE;
    return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

/* Waits until the server can be written to (if wanted) or has said something.
 * Reading goes on while writing: two full pipes would be a dead-lock. */
static int wait_server(struct mcp *m, bool wants_out, int64_t deadline,
                       bool *can_write)
{
    struct pollfd fds[2] = {
        {.fd = m->from, .events = POLLIN},
        {.fd = wants_out ? m->to : -1, .events = POLLOUT},
    };
    int64_t left = deadline - teller_clock_ms();

    *can_write = false;
    if (left <= 0)
        return -ETIMEDOUT;
    if (poll(fds, 2, (int)left) < 0)
        return errno == EINTR ? 0 : -errno;
    *can_write = fds[1].revents != 0;
    return fds[0].revents ? read_some(m) : 0;
}

static int write_all(struct mcp *m, const struct text *line, int64_t deadline)
{
    size_t at = 0;
    bool can_write = true;

    while (at < line->len) {
        ssize_t put =
            can_write ? write(m->to, line->data + at, line->len - at) : 0;
        if (put < 0 && errno != EAGAIN && errno != EINTR)
            return -errno;
        at += put > 0 ? (size_t)put : 0;
        if (at == line->len)
            break;
        int rc = wait_server(m, true, deadline, &can_write);
        if (rc)
            return rc;
    }
    return 0;
}

static int send_doc(struct mcp *m, yyjson_mut_doc *doc, int64_t deadline)
{
    struct text line = {0};

    teller_write(doc, &line);
    int rc = write_all(m, &line, deadline);
    text_finish(&line);
    return rc;
}

static yyjson_mut_doc *message(const char *method)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);

    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "jsonrpc", "2.0");
    if (method)
        yyjson_mut_obj_add_str(doc, root, "method", method);
    return doc;
}

/* One line from what was read; false if there is no whole one. */
static bool take_line(struct mcp *m, const char **line, size_t *len)
{
    const char *from = text_str(&m->in) + m->in_at;
    size_t rest = m->in.len - m->in_at;
    /* in_seen: a line of megabytes is not searched again at every read. */
    const char *end = rest > m->in_seen
                          ? memchr(from + m->in_seen, '\n', rest - m->in_seen)
                          : NULL;

    if (!end) {
        m->in_seen = rest;
        if (m->in_at && !rest) {
            text_clear(&m->in);
            m->in_at = 0;
        }
        return false;
    }
    *line = from;
    *len = (size_t)(end - from);
    m->in_at += *len + 1;
    m->in_seen = 0;
    return true;
}

/* Requests of the server: ping is answered, nothing else is offered. */
static int answer_request(struct mcp *m, yyjson_val *root, int64_t deadline)
{
    const char *method = yyjson_get_str(yyjson_obj_get(root, "method"));
    yyjson_val *id = yyjson_obj_get(root, "id");

    if (!id)
        return 0;
    yyjson_mut_doc *doc = message(NULL);
    yyjson_mut_val *reply = yyjson_mut_doc_get_root(doc);
    yyjson_mut_obj_add_val(doc, reply, "id", yyjson_val_mut_copy(doc, id));
    if (!strcmp(method, "ping")) {
        yyjson_mut_obj_add_obj(doc, reply, "result");
    } else {
        yyjson_mut_val *error = yyjson_mut_obj_add_obj(doc, reply, "error");
        yyjson_mut_obj_add_int(doc, error, "code", -32601);
        yyjson_mut_obj_add_str(doc, error, "message", "Method not found");
    }
    return send_doc(m, doc, deadline);
}

/* Reads until the response to id has come. Anything else on the way is
 * answered or passed over, lines that are not JSON among it. */
static int await(struct mcp *m, int64_t id, int64_t deadline,
                 yyjson_doc **response)
{
    const char *line;
    size_t len;
    bool unused;

    for (int rc = 0; !rc;) {
        while (!rc && take_line(m, &line, &len)) {
            yyjson_doc *doc = yyjson_read(line, len, 0);
            yyjson_val *root = yyjson_doc_get_root(doc);
            yyjson_val *got = yyjson_obj_get(root, "id");
            if (yyjson_is_str(yyjson_obj_get(root, "method")))
                rc = answer_request(m, root, deadline);
            else if (yyjson_is_int(got) && yyjson_get_sint(got) == id) {
                *response = doc;
                return 0;
            }
            yyjson_doc_free(doc);
        }
        if (!rc)
            rc = wait_server(m, false, deadline, &unused);
        if (rc)
            return rc;
    }
    return 0;
}

static void cancel(struct mcp *m, int64_t id)
{
    yyjson_mut_doc *doc = message("notifications/cancelled");
    yyjson_mut_val *params =
        yyjson_mut_obj_add_obj(doc, yyjson_mut_doc_get_root(doc), "params");

    yyjson_mut_obj_add_int(doc, params, "requestId", id);
    yyjson_mut_obj_add_str(doc, params, "reason", "timed out");
    send_doc(m, doc, teller_clock_ms() + 100);
}

/* Sends doc, which gets the next id, and waits for its response. */
static int request(struct mcp *m, yyjson_mut_doc *doc, long timeout_ms,
                   yyjson_doc **response, struct text *error)
{
    int64_t id = m->next_id++, deadline = teller_clock_ms() + timeout_ms;

    yyjson_mut_obj_add_int(doc, yyjson_mut_doc_get_root(doc), "id", id);
    int rc = send_doc(m, doc, deadline);
    if (!rc)
        rc = await(m, id, deadline, response);
    if (rc == -ETIMEDOUT) {
        text_addf(error, "no answer within %ld ms", timeout_ms);
        cancel(m, id);
    } else if (rc == -EPIPE) {
        text_adds(error, "the server has left");
    } else if (rc) {
        text_adds(error, strerror(-rc));
    }
    return rc;
}

static int initialize(struct mcp *m, struct text *error)
{
    yyjson_mut_doc *doc = message("initialize");
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    yyjson_doc *response = NULL;

    yyjson_mut_val *params = yyjson_mut_obj_add_obj(doc, root, "params");
    yyjson_mut_obj_add_str(doc, params, "protocolVersion", "2025-11-25");
    yyjson_mut_obj_add_obj(doc, params, "capabilities");
    yyjson_mut_val *info = yyjson_mut_obj_add_obj(doc, params, "clientInfo");
    yyjson_mut_obj_add_str(doc, info, "name", "kuromajutsu-puppet");
    yyjson_mut_obj_add_str(doc, info, "version", "1.0.0");
    int rc = request(m, doc, START_MS, &response, error);
    if (!rc && !yyjson_is_str(
                   yyjson_doc_ptr_get(response, "/result/protocolVersion"))) {
        text_adds(error, "initialize was refused");
        rc = -EPROTO;
    }
    yyjson_doc_free(response);
    if (!rc)
        rc = send_doc(m, message("notifications/initialized"),
                      teller_clock_ms() + START_MS);
    return rc;
}

static int start(struct mcp *m, struct text *error)
{
    if (m->pid)
        return 0;
    if (!m->entry->name.len) {
        text_adds(error, "no MCP server is configured");
        return -ENOENT;
    }
    /* A server that has gone must be an error here, not our death. */
    signal(SIGPIPE, SIG_IGN);
    int rc = open_server(m);
    if (rc)
        text_addf(error, "cannot start '%s': %s", m->entry->name.data,
                  strerror(-rc));
    if (!rc)
        rc = initialize(m, error);
    if (rc)
        mcp_finish(m);
    return rc;
}

int mcp_call(struct mcp *m, const char *tool, yyjson_mut_val *args,
             long timeout_ms, yyjson_doc **answer, yyjson_val **result,
             struct text *error)
{
    int rc = start(m, error);

    if (rc)
        return rc;
    yyjson_mut_doc *doc = message("tools/call");
    yyjson_mut_val *params =
        yyjson_mut_obj_add_obj(doc, yyjson_mut_doc_get_root(doc), "params");
    yyjson_mut_obj_add_str(doc, params, "name", tool);
    yyjson_mut_obj_add_val(doc, params, "arguments",
                           yyjson_mut_val_mut_copy(doc, args));
    rc = request(m, doc, timeout_ms, answer, error);
    if (rc)
        return rc;
    yyjson_val *root = yyjson_doc_get_root(*answer);
    *result = yyjson_obj_get(root, "result");
    if (*result)
        return 0;
    const char *text = yyjson_get_str(yyjson_ptr_get(root, "/error/message"));
    text_addf(error, "the server refused: %s", text ? text : "no result");
    yyjson_doc_free(*answer);
    *answer = NULL;
    return -EPROTO;
}

/* Waits for the end without reaping, so that the pid stays ours to signal. */
static bool has_left(pid_t pid, int ms)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    int64_t deadline = teller_clock_ms() + ms, left = ms;
    int rc = 0;

    while (fd >= 0 && left > 0 && (rc = poll(&wait, 1, (int)left)) < 0)
        left = deadline - teller_clock_ms();
    if (fd >= 0)
        close(fd);
    return rc > 0;
}

static int leave_ms(void)
{
    const char *env = getenv("KUROMAJUTSU_PUPPET_LEAVE_MS");

    return env && *env ? atoi(env) : LEAVE_MS;
}

void mcp_finish(struct mcp *m)
{
    if (m->to >= 0)
        close(m->to);
    if (m->from >= 0)
        close(m->from);
    m->to = m->from = -1;
    if (m->pid) {
        if (!has_left(m->pid, leave_ms())) {
            kill(m->pid, SIGTERM);
            if (!has_left(m->pid, leave_ms()))
                kill(m->pid, SIGKILL);
        }
        while (waitpid(m->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        m->pid = 0;
    }
    text_finish(&m->in);
    m->in_at = m->in_seen = 0;
}

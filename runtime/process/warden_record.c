/* SPDX-License-Identifier: MIT */
#include "runtime/process/warden_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <yyjson.h>

#include "runtime/os.h"
#include "runtime/text/folder.h"
#include "runtime/text/warden_file.h"

#define STDERR_TAIL 4096

static void copy_text(char *to, size_t size, yyjson_val *value)
{
    const char *text = yyjson_get_str(value);

    snprintf(to, size, "%s", text != NULL ? text : "");
}

static bool is_text(yyjson_val *value, const char *text)
{
    return yyjson_equals_str(value, text);
}

static enum warden_record_kind kind_of(yyjson_val *root)
{
    if (is_text(yyjson_obj_get(root, "hello"), "warden"))
        return WARDEN_RECORD_HELLO;
    if (is_text(yyjson_obj_get(root, "event"), "started"))
        return WARDEN_RECORD_STARTED;
    if (is_text(yyjson_obj_get(root, "event"), "ended"))
        return WARDEN_RECORD_ENDED;
    return WARDEN_RECORD_UNKNOWN;
}

struct warden_record warden_record_parse(const char *line, size_t len)
{
    yyjson_doc *doc = yyjson_read(line, len, 0);
    yyjson_val *root = yyjson_doc_get_root(doc);
    struct warden_record n = {.kind = kind_of(root)};

    copy_text(n.agent, sizeof(n.agent), yyjson_obj_get(root, "agent"));
    copy_text(n.build, sizeof(n.build), yyjson_obj_get(root, "build"));
    n.cli = yyjson_get_int(yyjson_obj_get(root, "cli"));
    n.warden = yyjson_get_int(yyjson_obj_get(root, "warden"));
    n.has_ended = is_text(yyjson_obj_get(root, "state"), "ended");
    n.started_at = warden_record_moment(
        yyjson_get_uint(yyjson_obj_get(root, "startedAt")));
    yyjson_doc_free(doc);
    return n;
}

/* ---- the exit record ------------------------------------------------------
 */

uint64_t warden_record_moment(uint64_t at)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return at / 1000 > (uint64_t)now.tv_sec ? (uint64_t)now.tv_sec * 1000 : at;
}

static struct process_exit *exit_create(void)
{
    struct process_exit *exit = os_alloc(sizeof(*exit) + STDERR_TAIL, 16);

    memset(exit, 0, sizeof(*exit));
    rt_obj_init(&exit->obj, rt_obj_free);
    return exit;
}

static void read_stderr(struct process_exit *exit, int dir)
{
    exit->stderr_len =
        folder_read_end(dir, "stderr.log", exit->stderr_tail, STDERR_TAIL);
}

static enum process_reason reason_of(yyjson_val *root)
{
    yyjson_val *reason = yyjson_obj_get(root, "reason");

    if (!yyjson_is_null(yyjson_obj_get(root, "error")))
        return PROCESS_NEVER_RAN;
    if (is_text(reason, "order"))
        return PROCESS_ORDERED;
    if (is_text(reason, "lease"))
        return PROCESS_LEASE;
    if (is_text(reason, "output limit"))
        return PROCESS_OUTPUT_LIMIT;
    if (is_text(reason, "memory limit"))
        return PROCESS_MEMORY_LIMIT;
    return PROCESS_EXITED;
}

/* What a stage was about, or NULL. */
static const char *subject(const char *stage, const struct process_spec *spec)
{
    if (strcmp(stage, "exec") == 0)
        return spec->argv[0];
    if (strcmp(stage, "chdir") == 0)
        return spec->cwd;
    if (strcmp(stage, "dir") == 0)
        return spec->dir;
    if (strcmp(stage, "cgroup") == 0)
        return "for the limit of memory";
    return NULL;
}

/* The error for people: what failed, and what the system calls it. */
static void describe(struct process_exit *exit, int error,
                     const struct process_spec *spec)
{
    const char *what = subject(exit->stage, spec);

    exit->system = error;
    snprintf(exit->about, sizeof(exit->about), "%s", what != NULL ? what : "");
    snprintf(exit->detail, sizeof(exit->detail), "%s%s%.*s: %s", exit->stage,
             what != NULL ? " " : "", (int)sizeof(exit->detail) / 2,
             what != NULL ? what : "",
             error != 0 ? strerror(error) : exit->error);
}

static int errno_of(const char *name)
{
    static const int known[] = {ENOENT,  EACCES, ENOTDIR,      E2BIG,  ENOEXEC,
                                ENOMEM,  EAGAIN, EMFILE,       ENFILE, ENOSPC,
                                ELOOP,   EROFS,  ENAMETOOLONG, EISDIR, EPERM,
                                ETXTBSY, EIO};

    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
        if (strcmp(strerrorname_np(known[i]), name) == 0)
            return known[i];
    return 0;
}

static uint64_t number(yyjson_val *root, const char *key)
{
    return yyjson_get_uint(yyjson_obj_get(root, key));
}

static void fill(struct process_exit *exit, yyjson_val *root,
                 const struct process_spec *spec)
{
    yyjson_val *code = yyjson_obj_get(root, "code");
    yyjson_val *signal = yyjson_obj_get(root, "signal");

    exit->reason = reason_of(root);
    exit->has_code = yyjson_is_int(code);
    exit->code = yyjson_get_int(code);
    exit->has_signal = yyjson_is_int(signal);
    exit->signal = yyjson_get_int(signal);
    copy_text(exit->error, sizeof(exit->error), yyjson_obj_get(root, "error"));
    copy_text(exit->stage, sizeof(exit->stage), yyjson_obj_get(root, "stage"));
    exit->lingered = yyjson_get_bool(yyjson_obj_get(root, "lingered"));
    exit->left = (uint32_t)number(root, "left");
    exit->ended_at = warden_record_moment(number(root, "endedAt"));
    exit->elapsed_ms = number(root, "elapsed_ms");
    exit->stdout_bytes = number(root, "stdoutBytes");
    exit->stderr_bytes = number(root, "stderrBytes");
    exit->maxrss_kb = number(root, "maxrss_kb");
    exit->cpu_ms = number(root, "utime_ms") + number(root, "stime_ms");
    if (exit->reason == PROCESS_NEVER_RAN)
        describe(exit, errno_of(exit->error), spec);
}

/* Without a start that no mark tells: a stream read again must not have begun
 * at another time than was told while it ran. */
static struct process_exit *read_exit(const struct process_spec *spec, int dir)
{
    char text[WARDEN_FILE_TEXT];
    uint64_t started;
    size_t len = warden_file_exit(dir, text, sizeof(text), &started);
    yyjson_doc *doc = len > 0 ? yyjson_read(text, len, 0) : NULL;
    struct process_exit *exit = NULL;

    if (yyjson_is_obj(yyjson_doc_get_root(doc))) {
        exit = exit_create();
        fill(exit, yyjson_doc_get_root(doc), spec);
        if (exit->reason != PROCESS_NEVER_RAN)
            exit->started_at = warden_record_moment(started);
        if (exit->stderr_bytes > 0)
            read_stderr(exit, dir);
    }
    yyjson_doc_free(doc);
    return exit;
}

struct process_exit *warden_record_read_exit(const struct process_spec *spec)
{
    int dir = folder_open(spec->dir);
    struct process_exit *exit = NULL;

    if (dir >= 0) {
        exit = read_exit(spec, dir);
        close(dir);
    }
    return exit;
}

struct process_exit *warden_record_make_exit(enum process_reason reason,
                                             int error, const char *stage,
                                             const struct process_spec *spec)
{
    struct process_exit *exit = exit_create();
    const char *name = error != 0 ? strerrorname_np(error) : NULL;
    int dir = folder_open(spec->dir);

    if (dir >= 0) {
        read_stderr(exit, dir);
        close(dir);
    }
    exit->reason = reason;
    snprintf(exit->error, sizeof(exit->error), "%s", name != NULL ? name : "");
    snprintf(exit->stage, sizeof(exit->stage), "%s", stage);
    if (error != 0)
        describe(exit, error, spec);
    return exit;
}

/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_papers.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actors/store/process_tree.h"
#include "runtime/text/folder.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"
#include "runtime/text/warden_file.h"

/* A prompt may have some MiB, and as JSON a little more; an agent may have put
 * anything there. */
#define RECORD_MAX ((size_t)32 << 20)

static void begin(struct bytes *out, const struct transcript_page *p)
{
    JSON_RAW(out, "{");
    JSON_TEXT(out, "agentId", slice_cstr(p->id));
}

/* So many bytes of JSON from there on; NULL if they are none. */
static yyjson_doc *read_json(int fd, uint64_t at, uint64_t len)
{
    yyjson_doc *doc;
    char *text;
    ssize_t n;

    if (len == 0 || len > RECORD_MAX)
        return NULL;
    text = bytes_alloc((size_t)len);
    n = pread(fd, text, (size_t)len, (off_t)at);
    doc = n > 0 ? yyjson_read(text, (size_t)n, 0) : NULL;
    free(text);
    return doc;
}

/* Of agents of earlier versions. */
static yyjson_doc *read_file(int dir)
{
    int fd = folder_file(dir, "launch.json", O_RDONLY);
    yyjson_doc *doc = NULL;
    struct stat st;

    if (fd < 0)
        return NULL;
    if (fstat(fd, &st) == 0)
        doc = read_json(fd, 0, (uint64_t)st.st_size);
    close(fd);
    return doc;
}

/* How it was started; NULL: that cannot be read. */
static yyjson_doc *read_papers(int dir)
{
    yyjson_doc *doc = NULL;
    uint64_t len;
    int fd = dir >= 0 ? warden_file_papers(dir, &len) : -ENOENT;

    if (fd >= 0) {
        doc = read_json(fd, WARDEN_FILE_PAPERS, len);
        close(fd);
    }
    return doc != NULL || dir < 0 ? doc : read_file(dir);
}

static yyjson_doc *read_exit(int dir)
{
    char text[WARDEN_FILE_TEXT];
    size_t len = dir >= 0 ? warden_file_exit(dir, text, sizeof(text), NULL) : 0;

    return len > 0 ? yyjson_read(text, len, 0) : NULL;
}

static void put_val(struct bytes *out, struct slice name, yyjson_val *val)
{
    json_key(out, name);
    if (val != NULL)
        json_val(out, val);
    else
        JSON_RAW(out, "null");
}
#define PUT_VAL(out, literal, val) put_val(out, SLICE(literal), val)

/* ---- the prompt -------------------------------------------------------- */

static void put_prompt(struct bytes *out, const struct transcript_page *p,
                       int dir)
{
    yyjson_doc *doc = read_papers(dir);
    yyjson_val *layers = FIELD(yyjson_doc_get_root(doc), "layers"), *layer;
    size_t i, n;
    uint64_t bytes = 0;

    yyjson_arr_foreach(layers, i, n, layer) bytes +=
        FIELD_TEXT(layer, "text").len + (i > 0 ? 2 : 0);
    begin(out, p);
    JSON_BOOL(out, "isKnown", yyjson_is_arr(layers));
    JSON_UINT(out, "bytes", bytes);
    JSON_KEY(out, "layers");
    if (yyjson_is_arr(layers))
        json_val(out, layers);
    else
        JSON_RAW(out, "[]");
    JSON_RAW(out, "}");
    yyjson_doc_free(doc);
}

/* ---- the process ------------------------------------------------------- */

static struct slice reason_of(yyjson_val *exit)
{
    static const struct slice names[][2] = {
        {SLICE_INIT("exit"), SLICE_INIT("exited")},
        {SLICE_INIT("order"), SLICE_INIT("ordered")},
        {SLICE_INIT("lease"), SLICE_INIT("lease")},
        {SLICE_INIT("output limit"), SLICE_INIT("outputLimit")},
        {SLICE_INIT("memory limit"), SLICE_INIT("memoryLimit")}};
    struct slice reason = FIELD_TEXT(exit, "reason");

    if (!yyjson_is_num(FIELD(exit, "code")) &&
        !yyjson_is_num(FIELD(exit, "signal")))
        return SLICE("neverRan");
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (slice_eq(names[i][0], reason))
            return names[i][1];
    return reason;
}

static uint64_t file_size(int dir, const char *name)
{
    struct stat st;

    return dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                   S_ISREG(st.st_mode)
               ? (uint64_t)st.st_size
               : 0;
}

/* Numbers that there are only while it runs, or only then not. */
static void put_number(struct bytes *out, struct slice name, bool is_there,
                       uint64_t number)
{
    json_key(out, name);
    if (is_there)
        json_uint(out, number);
    else
        JSON_RAW(out, "null");
}
#define PUT_NUMBER(out, literal, is_there, number)                             \
    put_number(out, SLICE(literal), is_there, number)

static void put_start(struct bytes *out, yyjson_val *launch)
{
    PUT_VAL(out, "argv", FIELD(launch, "argv"));
    PUT_VAL(out, "promptAs", FIELD(launch, "promptAs"));
    PUT_VAL(out, "workingDirectory", FIELD(launch, "workingDirectory"));
}

/* A tree that left no record was interrupted. */
static void put_end(struct bytes *out, const struct transcript_page *p,
                    yyjson_val *exit, bool has_run)
{
    uint64_t started_at = FIELD_COUNT(exit, "startedAt");

    JSON_KEY(out, "startedAt");
    json_time(out, started_at > 0 ? started_at : p->started_at);
    JSON_KEY(out, "endedAt");
    json_time(out, FIELD_COUNT(exit, "endedAt"));
    PUT_VAL(out, "exitCode", FIELD(exit, "code"));
    PUT_VAL(out, "signal", FIELD(exit, "signal"));
    JSON_KEY(out, "reason");
    if (exit != NULL)
        json_string(out, reason_of(exit));
    else if (p->is_gone && has_run)
        json_string(out, SLICE("interrupted"));
    else
        JSON_RAW(out, "null");
    PUT_VAL(out, "error", FIELD(exit, "error"));
}

static void put_use(struct bytes *out, const struct process_tree *tree,
                    yyjson_val *exit)
{
    bool is_running = tree->count > 0;

    PUT_NUMBER(out, "cpu_ms", is_running || exit != NULL,
               is_running ? tree->cpu_ms
                          : FIELD_COUNT(exit, "utime_ms") +
                                FIELD_COUNT(exit, "stime_ms"));
    PUT_NUMBER(out, "memory_bytes", is_running, tree->memory);
    PUT_NUMBER(out, "peakMemory_bytes", exit != NULL,
               FIELD_COUNT(exit, "maxrss_kb") * 1024);
    PUT_NUMBER(out, "processes", is_running, tree->count);
}

static void put_process(struct bytes *out, const struct transcript_page *p,
                        int dir)
{
    yyjson_doc *launch = read_papers(dir);
    yyjson_doc *ended = read_exit(dir);
    yyjson_val *exit = yyjson_doc_get_root(ended);
    struct process_tree tree = {0};

    if (!p->is_gone && p->pid > 0 && exit == NULL)
        process_tree_look(&tree, p->pid);
    begin(out, p);
    JSON_BOOL(out, "isRunning", tree.count > 0);
    put_start(out, yyjson_doc_get_root(launch));
    PUT_NUMBER(out, "pid", tree.count > 0, (uint64_t)p->pid);
    PUT_NUMBER(out, "wardenPid", tree.warden > 0, (uint64_t)tree.warden);
    put_end(out, p, exit, dir >= 0);
    put_use(out, &tree, exit);
    PUT_NUMBER(out, "stdoutBytes", true,
               exit != NULL ? FIELD_COUNT(exit, "stdoutBytes")
                            : file_size(dir, "stdout.ndjson"));
    PUT_NUMBER(out, "stderrBytes", true,
               exit != NULL ? FIELD_COUNT(exit, "stderrBytes")
                            : file_size(dir, "stderr.log"));
    JSON_RAW(out, "}");
    yyjson_doc_free(launch);
    yyjson_doc_free(ended);
}

/* ---- stderr ------------------------------------------------------------ */

/* What is behind the last line is left for the next page, and before the first
 * for the one before, unless nothing else is there. */
static struct slice whole_lines(struct slice text, bool has_before,
                                bool has_after)
{
    const char *first = memchr(text.ptr, '\n', text.len);
    const char *last = memrchr(text.ptr, '\n', text.len);
    size_t cut = has_before && first != NULL && first != last
                     ? (size_t)(first + 1 - text.ptr)
                     : 0;

    if (has_after && last != NULL)
        text.len = (size_t)(last + 1 - text.ptr);
    else if (has_after && text.len > 4) /* at least a character */
        text.len = utf8_cut(text.ptr, text.len, text.len - 1);
    return slice_of(text.ptr + cut, text.len - cut);
}

static void put_place(struct bytes *out, struct slice name, bool is_there,
                      uint64_t at)
{
    put_number(out, name, is_there, at);
}

static void put_stderr(struct bytes *out, const struct transcript_page *p,
                       struct slice text, uint64_t at, uint64_t size)
{
    uint64_t end = at + text.len;

    begin(out, p);
    JSON_UINT(out, "from", at);
    JSON_TEXT(out, "text", text);
    put_place(out, SLICE("previous"), at > 0, at);
    put_place(out, SLICE("next"), end < size, end);
    JSON_UINT(out, "size", size);
    JSON_BOOL(out, "isComplete", p->is_gone && end >= size);
    JSON_RAW(out, "}");
}

/* A page that goes forward begins where it was asked to. */
static int read_stderr(struct bytes *out, const struct transcript_page *p,
                       int fd, uint64_t size)
{
    size_t limit = p->limit > 0 ? p->limit : AGENT_PAPERS_STDERR;
    uint64_t end = p->at < size ? p->at : size;
    uint64_t at = p->is_backward ? end > limit ? end - limit : 0 : end;
    char *text;
    struct slice lines;
    ssize_t n;

    if (p->is_backward)
        limit = (size_t)(end - at);
    text = bytes_alloc(limit + 1);
    n = pread(fd, text, limit, (off_t)at);
    if (n >= 0) {
        lines = whole_lines(slice_of(text, (size_t)n), p->is_backward && at > 0,
                            !p->is_backward && at + (uint64_t)n < size);
        put_stderr(out, p, lines, at + (uint64_t)(lines.ptr - text), size);
    }
    free(text);
    return n < 0 ? -errno : 0;
}

static int put_log(struct bytes *out, const struct transcript_page *p, int dir)
{
    int fd = dir >= 0 ? folder_file(dir, "stderr.log", O_RDONLY) : -ENOENT, rc;
    struct stat st;

    if (fd < 0 && fd != -ENOENT)
        return fd;
    if (fd < 0) {
        put_stderr(out, p, SLICE_EMPTY, 0, 0);
        return 0;
    }
    rc = fstat(fd, &st) == 0 ? read_stderr(out, p, fd, (uint64_t)st.st_size)
                             : -errno;
    close(fd);
    return rc;
}

int agent_papers_put(struct bytes *out, const struct transcript_page *p,
                     int dir)
{
    if (p->order->kind == ORDER_STDERR)
        return put_log(out, p, dir);
    if (p->order->kind == ORDER_PROMPT)
        put_prompt(out, p, dir);
    else
        put_process(out, p, dir);
    return 0;
}

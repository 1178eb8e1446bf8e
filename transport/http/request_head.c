/* SPDX-License-Identifier: MIT */
#include "transport/http/request_head.h"

#include <stdlib.h>
#include <strings.h>

#include "runtime/text/bytes.h"
#include "runtime/text/utf8.h"
#include "transport/http/h2o.h"

static const struct slice names[REQUEST_FIELDS] = {
    [REQUEST_HOST] = SLICE_INIT("host"),
    [REQUEST_ORIGIN] = SLICE_INIT("origin"),
    [REQUEST_CONTENT_LENGTH] = SLICE_INIT("content-length"),
    [REQUEST_TRANSFER_ENCODING] = SLICE_INIT("transfer-encoding"),
    [REQUEST_AUTHORIZATION] = SLICE_INIT("authorization"),
    [REQUEST_CONTENT_TYPE] = SLICE_INIT("content-type"),
    [REQUEST_COOKIE] = SLICE_INIT("cookie"),
    [REQUEST_EXPECT] = SLICE_INIT("expect"),
    [REQUEST_UPGRADE] = SLICE_INIT("upgrade"),
    [REQUEST_WEBSOCKET_KEY] = SLICE_INIT("sec-websocket-key"),
    [REQUEST_WEBSOCKET_VERSION] = SLICE_INIT("sec-websocket-version"),
    [REQUEST_FETCH_SITE] = SLICE_INIT("sec-fetch-site"),
    [REQUEST_FETCH_MODE] = SLICE_INIT("sec-fetch-mode")};

/* ---- lines -------------------------------------------------------------- */

/* Which field a line is, or REQUEST_FIELDS. */
static enum request_field field_of(struct slice line)
{
    enum request_field i = 0;

    while (i < REQUEST_FIELDS &&
           (line.len <= names[i].len || line.ptr[names[i].len] != ':' ||
            strncasecmp(line.ptr, names[i].ptr, names[i].len) != 0))
        i++;
    return i;
}

/* Takes a line off input, without its end; false if that is not CR LF. */
static bool take_line(struct slice *input, struct slice *line)
{
    const char *end =
        input->len > 0 ? memchr(input->ptr, '\n', input->len) : NULL;
    size_t len = end != NULL ? (size_t)(end - input->ptr) : 0;

    if (len == 0 || end[-1] != '\r')
        return false;
    *line = slice_of(input->ptr, len - 1);
    *input = slice_of(end + 1, input->len - len - 1);
    return true;
}

/* Where the next line begins, however this one ends; NULL: nowhere. */
static const char *next_line(const char *at, const char *end)
{
    const char *sign = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;

    return sign != NULL ? sign + 1 : NULL;
}

static bool is_empty_line(const char *at, const char *end)
{
    return at < end &&
           (*at == '\n' || (*at == '\r' && end - at > 1 && at[1] == '\n'));
}

size_t request_head_length(struct slice input)
{
    const char *at = input.ptr, *end = input.ptr + input.len;

    /* An empty line before the request is forgiven everywhere. */
    if (is_empty_line(at, end))
        at = next_line(at, end);
    while ((at = next_line(at, end)) != NULL)
        if (is_empty_line(at, end))
            return (size_t)(next_line(at, end) - input.ptr);
    return 0;
}

void request_head_drop_body(char *head, size_t len)
{
    const char *end = head + len;

    for (const char *at = head; at != NULL; at = next_line(at, end)) {
        enum request_field field = field_of(slice_of(at, (size_t)(end - at)));

        if (field == REQUEST_CONTENT_LENGTH || field == REQUEST_EXPECT ||
            field == REQUEST_TRANSFER_ENCODING)
            head[at - head] = 'x';
    }
}

/* ---- the target --------------------------------------------------------- */

/* What a target may consist of; a fragment is never sent. */
static bool is_fair_target(struct slice line)
{
    for (size_t i = 0; i < line.len; i++) {
        unsigned char c = (unsigned char)line.ptr[i];

        if (c < 0x20 || c >= 0x7f || c == '#' || c == '\\')
            return false;
    }
    return true;
}

/* Whether a path, its escapes resolved, is one that a client may mean. */
static bool is_fair_path(struct slice path)
{
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];

        if (c < 0x20 || c == 0x7f || c == '\\')
            return false;
    }
    return utf8_is_valid(path.ptr, path.len);
}

/* As h2o will resolve it. The target may be as a proxy would send it: what it
 * names must be what Host names. */
static const char *read_target(struct request_head *head, struct slice target)
{
    h2o_mem_pool_t *pool = bytes_alloc(sizeof(*pool));
    h2o_iovec_t path = h2o_iovec_init(target.ptr, target.len);
    size_t query_at, *indexes;
    h2o_url_t url;

    h2o_mem_init_pool(pool);
    head->own = pool;
    if (target.len == 0 || target.ptr[0] != '/') {
        if (h2o_url_parse(target.ptr, target.len, &url) != 0 ||
            url.scheme != &H2O_URL_SCHEME_HTTP ||
            !slice_eq(slice_of(url.authority.base, url.authority.len),
                      head->fields[REQUEST_HOST]))
            return "the target is neither a path nor an address of ours";
        path = url.path;
    }
    target = slice_of(path.base, path.len);
    path = h2o_url_normalize_path(pool, target.ptr, target.len, &query_at,
                                  &indexes);
    head->path = slice_of(path.base, path.len);
    if (query_at != SIZE_MAX)
        head->query =
            slice_of(target.ptr + query_at + 1, target.len - query_at - 1);
    return is_fair_path(head->path) ? NULL
                                    : "a character that may not stand in a "
                                      "path";
}

/* ---- the head ----------------------------------------------------------- */

/* METHOD TARGET HTTP/1.x, with a blank between each. */
static bool split(struct slice line, struct request_head *head,
                  struct slice *target)
{
    const char *first = line.len > 0 ? memchr(line.ptr, ' ', line.len) : NULL;
    const char *last = line.len > 0 ? memrchr(line.ptr, ' ', line.len) : NULL;

    if (first == last)
        return false;
    head->method = slice_of(line.ptr, (size_t)(first - line.ptr));
    *target = slice_of(first + 1, (size_t)(last - first) - 1);
    return memchr(target->ptr, ' ', target->len) == NULL &&
           slice_starts(slice_of(last, line.len - (size_t)(last - line.ptr)),
                        SLICE(" HTTP/1."));
}

/* The fields; what is wrong, or NULL. */
static const char *read_fields(struct request_head *head, struct slice *input)
{
    const char *why = NULL;
    struct slice line;

    for (;;) {
        enum request_field i;

        if (!take_line(input, &line))
            return "a line of the head does not end with CR LF";
        if (line.len == 0)
            return why;
        if (*line.ptr == ' ' || *line.ptr == '\t')
            return "a header goes on in the next line";
        i = field_of(line);
        if (i == REQUEST_FIELDS)
            continue;
        if (head->fields[i].ptr != NULL)
            why = i == REQUEST_HOST
                      ? "there must be one Host"
                      : "a header that may stand once stands twice";
        head->fields[i] = slice_trim(
            slice_of(line.ptr + names[i].len + 1, line.len - names[i].len - 1));
    }
}

static const char *judge(const struct request_head *head, bool is_old)
{
    bool is_chunked = head->fields[REQUEST_TRANSFER_ENCODING].ptr != NULL;

    if (head->fields[REQUEST_HOST].ptr == NULL)
        return "there must be one Host";
    if (is_chunked && head->fields[REQUEST_CONTENT_LENGTH].ptr != NULL)
        return "Content-Length and Transfer-Encoding exclude each other";
    if (is_chunked && is_old)
        return "HTTP/1.0 has no Transfer-Encoding";
    return NULL;
}

const char *request_head_read(struct slice input, struct request_head *head)
{
    const char *begin = input.ptr, *why;
    struct slice line, target;
    bool is_old;

    *head = (struct request_head){.len = input.len};
    if (!take_line(&input, &line) ||
        (line.len == 0 && !take_line(&input, &line)))
        return "a line of the head does not end with CR LF";
    if (!is_fair_target(line))
        return "a character that may not stand in a request's target";
    if (!split(line, head, &target))
        return "the first line is not METHOD TARGET VERSION";
    is_old = slice_ends(line, SLICE(" HTTP/1.0"));
    if ((why = read_fields(head, &input)) != NULL)
        return why;
    head->len = (size_t)(input.ptr - begin);
    why = judge(head, is_old);
    return why != NULL ? why : read_target(head, target);
}

void request_head_finish(struct request_head *head)
{
    if (head->own != NULL)
        h2o_mem_clear_pool(head->own);
    free(head->own);
    head->own = NULL;
}

bool request_head_is_method(const struct request_head *head, const char *name)
{
    return slice_eq(head->method, slice_cstr(name));
}

bool request_head_has_body(const struct request_head *head)
{
    return head->fields[REQUEST_CONTENT_LENGTH].ptr != NULL ||
           head->fields[REQUEST_TRANSFER_ENCODING].ptr != NULL;
}

bool request_head_is_below(struct slice path, const char *top)
{
    struct slice above = slice_cstr(top);

    return slice_starts(path, above) &&
           (path.len == above.len || path.ptr[above.len] == '/');
}

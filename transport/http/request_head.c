/* SPDX-License-Identifier: MIT */
#include "transport/http/request_head.h"

#include <strings.h>

#include "runtime/text/utf8.h"

/* At most one of each: h2o would take the first of some, the last of others. */
enum single {
    HOST,
    ORIGIN,
    CONTENT_LENGTH,
    TRANSFER_ENCODING,
    AUTHORIZATION,
    CONTENT_TYPE,
    COOKIE,
    EXPECT,
    UPGRADE,
    WEBSOCKET_KEY,
    WEBSOCKET_VERSION,
    SINGLES
};

static const struct slice names[SINGLES] = {
    [HOST] = SLICE_INIT("host"),
    [ORIGIN] = SLICE_INIT("origin"),
    [CONTENT_LENGTH] = SLICE_INIT("content-length"),
    [TRANSFER_ENCODING] = SLICE_INIT("transfer-encoding"),
    [AUTHORIZATION] = SLICE_INIT("authorization"),
    [CONTENT_TYPE] = SLICE_INIT("content-type"),
    [COOKIE] = SLICE_INIT("cookie"),
    [EXPECT] = SLICE_INIT("expect"),
    [UPGRADE] = SLICE_INIT("upgrade"),
    [WEBSOCKET_KEY] = SLICE_INIT("sec-websocket-key"),
    [WEBSOCKET_VERSION] = SLICE_INIT("sec-websocket-version")};

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

static void count(unsigned char *seen, struct slice line)
{
    for (size_t i = 0; i < SINGLES; i++) {
        if (line.len > names[i].len && line.ptr[names[i].len] == ':' &&
            strncasecmp(line.ptr, names[i].ptr, names[i].len) == 0) {
            seen[i] += seen[i] < 2;
            return;
        }
    }
}

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

static const char *judge(const unsigned char *seen, bool is_old)
{
    if (seen[HOST] != 1)
        return "there must be one Host";
    for (size_t i = 0; i < SINGLES; i++)
        if (seen[i] > 1)
            return "a header that may stand once stands twice";
    if (seen[TRANSFER_ENCODING] && seen[CONTENT_LENGTH])
        return "Content-Length and Transfer-Encoding exclude each other";
    if (seen[TRANSFER_ENCODING] && is_old)
        return "HTTP/1.0 has no Transfer-Encoding";
    return NULL;
}

const char *request_head_check(struct slice input, size_t *len)
{
    static const char ends[] = "a line of the head does not end with CR LF";
    unsigned char seen[SINGLES] = {0};
    const char *begin = input.ptr;
    struct slice line;
    bool is_old;

    *len = input.len;
    /* An empty line before the request is forgiven everywhere. */
    if (!take_line(&input, &line) ||
        (line.len == 0 && !take_line(&input, &line)))
        return ends;
    if (!is_fair_target(line))
        return "a character that may not stand in a request's target";
    is_old = slice_ends(line, SLICE(" HTTP/1.0"));
    for (;;) {
        if (!take_line(&input, &line))
            return ends;
        if (line.len == 0)
            break;
        if (*line.ptr == ' ' || *line.ptr == '\t')
            return "a header goes on in the next line";
        count(seen, line);
    }
    *len = (size_t)(input.ptr - begin);
    return judge(seen, is_old);
}

bool request_head_is_fair_path(struct slice path)
{
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];

        if (c < 0x20 || c == 0x7f || c == '\\')
            return false;
    }
    return utf8_is_valid(path.ptr, path.len);
}

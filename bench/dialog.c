/* SPDX-License-Identifier: MIT */
#include "bench/dialog.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BEGIN "{\"jsonrpc\":\"2.0\",\"id\":"
#define RESULT ",\"result\":{"
#define PIPE_BYTES 65536

void dialog_fail(const char *what, const char *detail)
{
    fprintf(stderr, "rpc: %s: %s\n", what, detail);
    exit(1);
}

void dialog_init(struct dialog *d, int to, int from, const char *method,
                 const char *params)
{
    *d = (struct dialog){
        .to = to, .from = from, .method = method, .params = params};
}

void dialog_say(int to, const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(to, text, len);

        if (n < 0 && errno != EINTR)
            dialog_fail("cannot write", strerror(errno));
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

/* Nobody reads the answers meanwhile: a batch over the pipe's size could wait
 * for ever on a server that waits for us. */
void dialog_ask(struct dialog *d, unsigned calls)
{
    char batch[PIPE_BYTES];
    size_t len = 0;

    for (unsigned i = 0; i < calls; i++) {
        d->open_sum += ++d->asked;
        len += (size_t)snprintf(batch + len, sizeof(batch) - len,
                                BEGIN "%lu,\"method\":\"%s\",\"params\":%s}\n",
                                (unsigned long)d->asked, d->method, d->params);
        if (len >= sizeof(batch))
            dialog_fail("too much for the pipe", d->params);
    }
    dialog_say(d->to, batch, len);
}

/* An answer is known by its id; all of them together are known by the sum. */
static bool is_answer(struct dialog *d)
{
    char *end;
    uint64_t id;

    d->head[d->head_len] = '\0';
    if (strstr(d->head, "\"method\":") != NULL)
        return false;
    if (strncmp(d->head, BEGIN, strlen(BEGIN)) != 0)
        dialog_fail("no answer", d->head);
    id = strtoull(d->head + strlen(BEGIN), &end, 10);
    if (id == 0 || id > d->asked || strncmp(end, RESULT, strlen(RESULT)) != 0 ||
        id > d->open_sum)
        dialog_fail("not what was asked", d->head);
    if (d->line < d->first / 2)
        dialog_fail("a short answer", d->head);
    if (d->first == 0)
        d->first = d->line;
    d->open_sum -= id;
    d->answered++;
    return true;
}

static void take(struct dialog *d, const char *bytes, size_t len)
{
    size_t room = sizeof(d->head) - 1 - d->head_len;
    size_t part = len < room ? len : room;

    memcpy(d->head + d->head_len, bytes, part);
    d->head_len += part;
    d->line += len;
}

unsigned dialog_hear(struct dialog *d)
{
    static char chunk[1 << 18];
    ssize_t n = read(d->from, chunk, sizeof(chunk));
    unsigned answers = 0;

    if (n <= 0)
        dialog_fail("the server left", n < 0 ? strerror(errno) : "end");
    for (char *p = chunk, *end = chunk + n; p < end;) {
        char *newline = memchr(p, '\n', (size_t)(end - p));
        char *stop = newline != NULL ? newline : end;

        take(d, p, (size_t)(stop - p));
        if (newline != NULL) {
            answers += is_answer(d);
            d->line = d->head_len = 0;
        }
        p = stop + 1;
    }
    if (d->answered == d->asked && d->open_sum != 0)
        dialog_fail("answers", "some call was answered twice");
    return answers;
}

/* SPDX-License-Identifier: MIT */
#include "transport/puppet/teller.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ms(clockid_t clock)
{
    struct timespec ts;

    clock_gettime(clock, &ts);
    return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

int64_t teller_wall_ms(void)
{
    return now_ms(CLOCK_REALTIME);
}

int64_t teller_clock_ms(void)
{
    return now_ms(CLOCK_MONOTONIC);
}

void teller_uuid(char uuid[TELLER_UUID])
{
    unsigned char b[16];

    if (getrandom(b, sizeof(b), 0) != sizeof(b))
        abort();
    snprintf(uuid, TELLER_UUID,
             "%02x%02x%02x%02x-%02x%02x-4%01x%02x-%02x%02x-%02x%02x%02x%02x"
             "%02x%02x",
             b[0], b[1], b[2], b[3], b[4], b[5], b[6] & 15, b[7],
             (b[8] & 63) | 128, b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

static void find_cwd(struct teller *t)
{
    const char *workspace = t->options->values[OPTION_WORKSPACE];
    char *path = workspace ? realpath(workspace, NULL) : getcwd(NULL, 0);

    text_adds(&t->cwd, path ? path : workspace ? workspace : "/");
    free(path);
}

void teller_init(struct teller *t, const struct options *o, const char *model,
                 const char *server)
{
    const char *speed = getenv("KUROMAJUTSU_PUPPET_SPEED");
    const char *session = o->values[OPTION_RESUME];

    t->options = o;
    t->model = model;
    t->server = server;
    t->lines = o->backend == BACKEND_CURSOR ? &cursor_lines : &claude_lines;
    t->out.fd = STDOUT_FILENO;
    t->started_ms = teller_clock_ms();
    t->speed = speed && *speed ? strtod(speed, NULL) : 1;
    t->denials = yyjson_mut_doc_new(NULL);
    yyjson_mut_doc_set_root(t->denials, yyjson_mut_arr(t->denials));
    find_cwd(t);
    teller_uuid(t->session_id);
    teller_uuid(t->request_id);
    if (!session)
        session = o->values[OPTION_SESSION_ID];
    if (session)
        snprintf(t->session_id, sizeof(t->session_id), "%s", session);
}

void teller_finish(struct teller *t)
{
    out_finish(&t->out);
    text_finish(&t->cwd);
    text_finish(&t->narration);
    text_finish(&t->last);
    yyjson_mut_doc_free(t->denials);
}

yyjson_mut_doc *teller_line(const char *type, const char *subtype)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);

    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "type", type);
    if (subtype)
        yyjson_mut_obj_add_str(doc, root, "subtype", subtype);
    return doc;
}

void teller_write(yyjson_mut_doc *doc, struct text *line)
{
    size_t len;
    /* A scenario may say what is not Unicode (YAML's "\ud800" is not let
     * through, but saved answers might): better a bad line than none. */
    char *json =
        yyjson_mut_write(doc, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &len);

    if (!json)
        abort();
    text_add(line, json, len);
    text_adds(line, "\n");
    free(json);
    yyjson_mut_doc_free(doc);
}

void teller_print_end(struct teller *t, yyjson_mut_doc *doc)
{
    struct text line = {0};

    teller_write(doc, &line);
    out_add(&t->out, line.data, line.len);
    text_finish(&line);
}

void teller_print(struct teller *t, yyjson_mut_doc *doc)
{
    if (t->options->format == FORMAT_STREAM)
        teller_print_end(t, doc);
    else
        yyjson_mut_doc_free(doc);
}

void teller_pause(struct teller *t, long ms)
{
    double scaled = (double)ms * t->speed;

    out_flush(&t->out);
    if (!(scaled > 0))
        return;
    struct timespec left = {.tv_sec = (time_t)(scaled / 1000)};
    left.tv_nsec = (long)((scaled - (double)left.tv_sec * 1000) * 1e6);
    while (nanosleep(&left, &left) && errno == EINTR)
        ;
}

static int64_t now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void teller_spin(struct teller *t, long ms)
{
    int64_t end = now_us() + (int64_t)((double)ms * 1000 * t->speed);

    out_flush(&t->out);
    while (now_us() < end)
        ;
}

size_t teller_piece(const struct speech *s, size_t from)
{
    size_t pieces = (size_t)s->chunks;

    if (!pieces)
        pieces = s->len / 16 < 12 ? s->len / 16 + 1 : 12;
    size_t step = (s->len + pieces - 1) / pieces;
    size_t end = from + (step ? step : 1);
    if (end >= s->len)
        return s->len;
    /* A character must not be cut: JSON carries no half ones. */
    while (end < s->len && ((unsigned char)s->text[end] & 0xc0) == 0x80)
        end++;
    return end;
}

void teller_say(struct teller *t, const struct speech *s)
{
    t->lines->say(t, s);
    if (!s->is_complete)
        return;
    text_add(&t->narration, s->text, s->len);
    text_clear(&t->last);
    text_add(&t->last, s->text, s->len);
    t->turns++;
}

void teller_end(struct teller *t, const struct ending *e)
{
    const char *answer = e->text ? e->text : text_str(&t->last);

    if (t->options->format == FORMAT_TEXT) {
        out_add(&t->out, answer, strlen(answer));
        out_add(&t->out, "\n", 1);
    } else {
        t->lines->result(t, e);
    }
}

/* SPDX-License-Identifier: MIT */
#include "actors/store/rows.h"

#include <stdlib.h>

#include "actors/store/work.h"
#include "runtime/text/array.h"

/*
 * A row is 'R', its statement, and its parameters, each a letter and a value.
 * It never leaves the process, so numbers are the machine's own.
 */

static void free_write(struct rt_obj *obj)
{
    struct store_write *w = (struct store_write *)obj;

    bytes_finish(&w->rows);
    if (w->answer != NULL)
        rt_obj_drop(&w->answer->obj);
    if (w->work != NULL)
        rt_obj_drop(&w->work->obj);
    for (size_t i = 0; i < w->message_count; i++)
        rt_obj_drop(w->messages[i].obj);
    free(w->messages);
    free(w);
}

struct store_write *store_write_create(void)
{
    struct store_write *w = bytes_zalloc(sizeof(*w));

    rt_obj_init(&w->obj, free_write);
    return w;
}

void store_row(struct store_write *w, enum store_statement statement)
{
    char head[2] = {'R', (char)statement};

    bytes_append(&w->rows, head, sizeof(head));
}

static void put(struct store_write *w, char letter, const void *value,
                size_t size)
{
    bytes_append(&w->rows, &letter, 1);
    bytes_append(&w->rows, value, size);
}

void store_int(struct store_write *w, int64_t value)
{
    put(w, 'I', &value, sizeof(value));
}

void store_text(struct store_write *w, struct slice text)
{
    put(w, 'T', &text.len, sizeof(text.len));
    bytes_append(&w->rows, text.ptr, text.len);
}

void store_null(struct store_write *w)
{
    put(w, 'N', NULL, 0);
}

void store_say(struct store_write *w, struct rt_ref to, uint16_t kind,
               struct rt_obj *obj)
{
    ARRAY_GROW(w->messages, w->message_count);
    w->messages[w->message_count++] =
        (struct store_message){.to = to, .kind = kind, .obj = rt_obj_keep(obj)};
}

static size_t read_param(const char *in, struct rows_param *p)
{
    size_t len;

    switch (*in) {
    case 'I':
        p->type = ROWS_INT;
        memcpy(&p->number, in + 1, sizeof(p->number));
        return 1 + sizeof(p->number);
    case 'T':
        memcpy(&len, in + 1, sizeof(len));
        p->type = ROWS_TEXT;
        p->text = (struct slice){in + 1 + sizeof(len), len};
        return 1 + sizeof(len) + len;
    default:
        p->type = ROWS_NULL;
        return 1;
    }
}

bool store_write_next(const struct store_write *w, size_t *at,
                      struct rows_values *values)
{
    const char *rows = w->rows.ptr;

    if (*at >= w->rows.len)
        return false;
    values->statement = (enum store_statement)(unsigned char)rows[*at + 1];
    values->count = 0;
    *at += 2;
    while (*at < w->rows.len && rows[*at] != 'R') {
        if (values->count == ROWS_PARAMS)
            abort();
        *at += read_param(rows + *at, &values->params[values->count++]);
    }
    return true;
}

/* ---- what waits behind them -------------------------------------------- */

bool store_write_is_said(const struct store_write *w)
{
    return w->rows.len == 0 && w->answer == NULL && w->work == NULL;
}

void store_write_deliver(struct rt_turn *t, const struct store_write *w,
                         struct rt_ref registry)
{
    if (w->answer != NULL)
        rt_pass(t, w->asker, ORDER_ANSWER, &w->answer->obj);
    if (w->work != NULL)
        work_deliver(t, w->work, registry);
    for (size_t i = 0; i < w->message_count; i++)
        rt_pass(t, w->messages[i].to, w->messages[i].kind, w->messages[i].obj);
}

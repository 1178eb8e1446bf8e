/* SPDX-License-Identifier: MIT */
#include "actors/health/models.h"

#include <ctype.h>
#include <string.h>

#include "runtime/text/bytes.h"
#include "runtime/text/distance.h"
#include "runtime/text/utf8.h"

#define ID_MAX 128
#define LABEL_MAX 200
#define LINE_KEEP 4096

/* Without the colours and the line's own redrawing of a terminal program. */
static void strip(struct bytes *out, struct slice line)
{
    for (size_t i = 0; i < line.len; i++) {
        if (line.ptr[i] != '\033') {
            bytes_append(out, line.ptr + i, 1);
            continue;
        }
        if (i + 1 < line.len && line.ptr[i + 1] == '[')
            i++;
        while (i + 1 < line.len && !isalpha((unsigned char)line.ptr[i + 1]))
            i++;
        i++;
    }
}

static struct slice without(struct slice s, struct slice prefix)
{
    if (!slice_starts(s, prefix))
        return s;
    return slice_of(s.ptr + prefix.len, s.len - prefix.len);
}

/* Before the first occurrence of `mark`; *is_there says whether there is. */
static struct slice before(struct slice s, struct slice mark, bool *is_there)
{
    const char *at = memmem(s.ptr, s.len, mark.ptr, mark.len);

    *is_there = at != NULL;
    return at != NULL ? slice_of(s.ptr, (size_t)(at - s.ptr)) : s;
}

static bool is_id(struct slice s)
{
    if (s.len == 0 || s.len > ID_MAX || !isalnum((unsigned char)s.ptr[0]))
        return false;
    for (size_t i = 0; i < s.len; i++)
        if (!isalnum((unsigned char)s.ptr[i]) &&
            (s.ptr[i] == 0 || strchr("._-:/@+", s.ptr[i]) == NULL))
            return false;
    return true;
}

static bool has(const struct health_models *m, struct slice id)
{
    for (size_t i = 0; i < m->count; i++)
        if (slice_eq(slice_cstr(m->ids[i]), id))
            return true;
    return false;
}

/* As the CLI says it, in whole characters whatever it prints. */
static const char *keep_label(struct health_models *m, struct slice label)
{
    struct bytes text = {0};
    const char *own;

    utf8_repair(label.ptr, utf8_cut(label.ptr, label.len, LABEL_MAX), &text);
    own = arena_copy(&m->arena, bytes_slice(&text).ptr, text.len);
    bytes_finish(&text);
    return own;
}

/* A sentence has blanks before its dash, an id has none. */
static void read_line(struct health_models *m, struct slice line)
{
    static const struct slice bullets[] = {
        SLICE_INIT("* "), SLICE_INIT("- "), SLICE_INIT("> "), SLICE_INIT("• "),
        SLICE_INIT("→ "), SLICE_INIT("✓ "), SLICE_INIT("❯ ")};
    bool has_label, has_note;
    struct slice id, label;

    line = slice_trim(line);
    for (size_t i = 0; i < sizeof(bullets) / sizeof(*bullets); i++)
        line = slice_trim(without(line, bullets[i]));
    id = before(line, SLICE(" - "), &has_label);
    label =
        has_label
            ? slice_trim(slice_of(id.ptr + id.len + 3, line.len - id.len - 3))
            : SLICE_EMPTY;
    id = slice_trim(before(id, SLICE(" ("), &has_note));
    if (!has_label || !is_id(id) || has(m, id) || m->count >= HEALTH_MODELS_MAX)
        return;
    m->ids = arena_grow(&m->arena, m->ids, m->count, sizeof(*m->ids));
    m->labels = arena_grow(&m->arena, m->labels, m->count, sizeof(*m->labels));
    m->ids[m->count] = arena_copy(&m->arena, id.ptr, id.len);
    m->labels[m->count++] = keep_label(m, label);
}

void health_models_read(struct health_models *m, struct slice text)
{
    struct bytes line = {0};

    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end != NULL ? (size_t)(end - text.ptr) : text.len;

        bytes_clear(&line, LINE_KEEP);
        strip(&line, slice_of(text.ptr, len));
        read_line(m, bytes_slice(&line));
        len += end != NULL;
        text = slice_of(text.ptr + len, text.len - len);
    }
    bytes_finish(&line);
}

void health_models_suggest(const struct health_models *m, const char *model,
                           const char **out, size_t max)
{
    size_t limit = strlen(model) / 2 > 3 ? strlen(model) / 2 : 3, found = 0;

    for (size_t far = 1; far <= limit && found < max; far++)
        for (size_t i = 0; i < m->count && found < max; i++)
            if (distance_between(model, m->ids[i]) == far)
                out[found++] = m->ids[i];
}

bool health_models_have(const struct health_models *m, const char *model)
{
    return has(m, slice_cstr(model)) ||
           has(m, slice_of(model, strcspn(model, "[")));
}

void health_models_finish(struct health_models *m)
{
    arena_finish(&m->arena);
    *m = (struct health_models){0};
}

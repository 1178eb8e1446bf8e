/* SPDX-License-Identifier: MIT */
#include "tests/stories/album.h"

#include <inttypes.h>
#include <stdlib.h>

#include "actors/store/picture.h"
#include "runtime/os.h"
#include "runtime/text/field.h"
#include "runtime/text/json.h"

struct album {
    struct picture *picture;
};

struct album *album_create(struct slice picture)
{
    struct album *a = bytes_zalloc(sizeof(*a));

    a->picture = picture_create(picture);
    if (a->picture == NULL)
        os_panic("no picture: %.*s", (int)picture.len, picture.ptr);
    return a;
}

void album_destroy(struct album *a)
{
    if (a != NULL)
        picture_destroy(a->picture);
    free(a);
}

void album_hear(struct album *a, const struct feed_event *e, yyjson_val *data)
{
    struct bytes text = {0};

    json_val(&text, data);
    picture_fold(a->picture,
                 &(struct picture_event){.seq = e->seq,
                                         .at = e->at,
                                         .type = slice_cstr(e->type),
                                         .data = bytes_slice(&text)});
    bytes_finish(&text);
}

/* ---- comparing ---------------------------------------------------------- */

static const struct slice never[] = {SLICE_INIT("elapsed_ms"), {0}};
/* Of what is not gone, and of the whole. */
static const struct slice progress[] = {SLICE_INIT("elapsed_ms"),
                                        SLICE_INIT("toolCallCount"),
                                        SLICE_INIT("lastAssistantMessage"),
                                        SLICE_INIT("tool"),
                                        SLICE_INIT("toolTitle"),
                                        SLICE_INIT("toolAt"),
                                        SLICE_INIT("editedFileCount"),
                                        SLICE_INIT("createdFileCount"),
                                        SLICE_INIT("usage"),
                                        {0}};
static const struct slice outside[] = {SLICE_INIT("at"),
                                       SLICE_INIT("places"),
                                       SLICE_INIT("agents"),
                                       SLICE_INIT("groups"),
                                       {0}};

static bool is_passed_over(const struct slice *names, yyjson_val *key)
{
    while (names->len > 0 && !slice_eq(*names, field_text(key)))
        names++;
    return names->len > 0;
}

static size_t count_kept(yyjson_val *obj, const struct slice *passed)
{
    yyjson_val *key, *val;
    size_t i, max, count = 0;

    yyjson_obj_foreach(obj, i, max, key, val)
    {
        count += !is_passed_over(passed, key);
    }
    return count;
}

/* Members of another order are the same. */
static bool are_same(yyjson_val *a, yyjson_val *b, const struct slice *passed)
{
    yyjson_val *key, *val;
    size_t i, max;

    if (!yyjson_is_obj(a) || !yyjson_is_obj(b))
        return yyjson_equals(a, b);
    yyjson_obj_foreach(a, i, max, key, val)
    {
        if (!is_passed_over(passed, key) &&
            !are_same(val, field_get(b, field_text(key)), never))
            return false;
    }
    return count_kept(a, passed) == count_kept(b, passed);
}

static void must_be_same(yyjson_val *drawn, yyjson_val *folded,
                         const struct slice *passed, uint64_t seq)
{
    char *a, *b;

    if (are_same(drawn, folded, passed))
        return;
    a = yyjson_val_write(drawn, 0, NULL);
    b = yyjson_val_write(folded, 0, NULL);
    os_panic("at %" PRIu64 " drawn: %s\nfolded: %s", seq, a, b);
}

/* A list whose items move until they say that they have come to an end. */
static void check_list(yyjson_val *drawn, yyjson_val *folded, struct slice end,
                       uint64_t seq)
{
    yyjson_val *one;
    size_t i, max;

    if (yyjson_arr_size(drawn) != yyjson_arr_size(folded))
        must_be_same(drawn, folded, never, seq);
    yyjson_arr_foreach(drawn, i, max, one)
    {
        must_be_same(one, yyjson_arr_get(folded, i),
                     yyjson_is_true(field_get(one, end)) ? never : progress,
                     seq);
    }
}

void album_check(struct album *a, struct slice picture)
{
    struct bytes text = {0};
    yyjson_doc *drawn = yyjson_read(picture.ptr, picture.len, 0), *folded;
    yyjson_val *of_drawn = yyjson_doc_get_root(drawn), *of_folded;
    uint64_t seq = FIELD_COUNT(of_drawn, "seq");

    picture_put(&text, a->picture,
                &(struct picture_moment){.at = picture_at(a->picture)});
    folded = yyjson_read(text.ptr, text.len, 0);
    of_folded = yyjson_doc_get_root(folded);
    check_list(FIELD(of_drawn, "groups"), FIELD(of_folded, "groups"),
               SLICE("completed"), seq);
    check_list(FIELD(of_drawn, "agents"), FIELD(of_folded, "agents"),
               SLICE("gone"), seq);
    must_be_same(of_drawn, of_folded, outside, seq);
    yyjson_doc_free(drawn);
    yyjson_doc_free(folded);
    bytes_finish(&text);
}

/* SPDX-License-Identifier: MIT */
/*
 * What a wait answers, within a bound: a model reads all of it, and clients
 * cut what is long in the middle. First the summaries become shorter, all of
 * them to the same length; where that does not help, there are none, and what
 * is left out is counted.
 */
#include "actors/registry/wait_watch.h"

#include "actors/store/agent_record.h"
#include "actors/store/store.h"
#include "runtime/text/json.h"
#include "runtime/text/utf8.h"

#define ANSWER_MAX ((size_t)64 << 10)
/* Of it, when all is cut: for agents that are still at work. */
#define PENDING_MAX ((size_t)16 << 10)
/* For the counts, which come last. */
#define COUNTS_MAX 256

/* Characters of each summary; then none. */
static const size_t lengths[] = {STORE_SUMMARY, 300, 160, 80, 0};
#define LENGTHS (sizeof(lengths) / sizeof(*lengths))

static struct slice outcome_of(const struct watch_item *item)
{
    return agent_record_outcome(slice_cstr(agent_state_name(item->state)),
                                agent_outcome_name(item->result->outcome));
}

static void put_prefix(struct bytes *out, struct slice name, struct slice text,
                       size_t length)
{
    json_key(out, name);
    json_string(out,
                slice_of(text.ptr, utf8_prefix(text.ptr, text.len, length)));
}

static void put_item(struct bytes *out, const struct watch_item *item,
                     size_t length)
{
    const struct agent_result *result = item->result;

    JSON_TEXT(out, "agentId", slice_cstr(item->id));
    JSON_TEXT(out, "status", slice_cstr(agent_state_name(item->state)));
    if (result == NULL)
        return;
    JSON_TEXT(out, "outcome", outcome_of(item));
    if (length == 0)
        return;
    JSON_UINT(out, "duration_ms", item->duration_ms);
    put_prefix(out, SLICE("summary"), result->summary, length);
    if (result->error.len > 0 && !slice_eq(result->error, result->summary))
        put_prefix(out, SLICE("errorMessage"), result->error, length);
}

/* Those that are done, or those that are not, as far as they fit under max. */
static void put_items(struct bytes *out, const struct watch_list *l,
                      bool is_done, size_t length, size_t max)
{
    bool is_first = true;

    for (unsigned i = 0; i < l->count; i++) {
        size_t before = out->len;

        if ((l->items[i].result != NULL) != is_done)
            continue;
        json_raw(out, is_first ? SLICE("{") : SLICE(",{"));
        put_item(out, &l->items[i], length);
        JSON_RAW(out, "}");
        if (out->len > max) {
            out->len = before;
            return;
        }
        is_first = false;
    }
}

static void put_counts(struct bytes *out, const struct watch_list *l)
{
    unsigned done = 0, good = 0;

    for (unsigned i = 0; i < l->count; i++)
        if (l->items[i].result != NULL) {
            done++;
            good += slice_eq(outcome_of(&l->items[i]), SLICE("success"));
        }
    JSON_RAW(out, ",\"truncated\":true,\"counts\":{");
    JSON_UINT(out, "completed", done);
    JSON_UINT(out, "success", good);
    JSON_UINT(out, "failure", done - good);
    JSON_UINT(out, "pending", l->count - done);
    JSON_RAW(out, "}");
}

static void put_lists(struct bytes *out, const struct watch_list *l,
                      size_t length, size_t done_max, size_t pending_max)
{
    JSON_RAW(out, "{\"completed\":[");
    put_items(out, l, true, length, done_max);
    JSON_RAW(out, "],\"pending\":[");
    put_items(out, l, false, length, pending_max);
    JSON_RAW(out, "]");
}

void wait_put_answer(struct bytes *out, const struct watch_list *l,
                     bool is_time_up, bool is_again)
{
    size_t from = out->len, i = 0,
           max = from + ANSWER_MAX - COUNTS_MAX - l->conflicts.len;

    do {
        out->len = from;
        put_lists(out, l, lengths[i], SIZE_MAX, SIZE_MAX);
    } while (out->len > max && ++i < LENGTHS);
    if (i == LENGTHS) {
        out->len = from;
        put_lists(out, l, 0, max - PENDING_MAX, max);
    }
    JSON_BOOL(out, "timedOut", is_time_up);
    if (is_again)
        JSON_RAW(out, ",\"again\":true");
    if (l->conflicts.len > 0) {
        JSON_RAW(out, ",\"conflicts\":[");
        json_raw(out, bytes_slice(&l->conflicts));
        JSON_RAW(out, "]");
    }
    if (i >= LENGTHS - 1)
        put_counts(out, l);
    JSON_RAW(out, "}");
}

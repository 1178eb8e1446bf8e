/* SPDX-License-Identifier: MIT */
/*
 * What the phases ask, for people who look: as it would be handed out now, and
 * where it is from. Looking asks nobody and changes nothing, so of the Cloud
 * API there is the copy that was kept, or none yet.
 */
#include "actors/phases/inside.h"
#include "runtime/text/json.h"

/* A prompt, and what is kept of it. */
struct shown {
    const struct prompt *prompt;
    struct handed kept;
    bool is_kept, is_same; /* same: what is kept is what is asked */
};

static void look(struct phase_work *w, struct shown *s)
{
    const struct prompt *p = s->prompt;

    if (p->state == PROMPT_UNREADABLE)
        return;
    s->is_kept = prompt_find_kept(w, p, &s->kept);
    s->is_same = s->is_kept && (p->state == PROMPT_WANTED ||
                                slice_eq(bytes_slice(&s->kept.content),
                                         bytes_slice(&p->content)));
}

/* The file or the site; nothing of what is built in. */
static void put_origin(struct bytes *out, const struct prompt *p, int phase)
{
    struct bytes path = {0};

    JSON_KEY(out, "origin");
    if (p->source == PROMPT_BUILTIN) {
        JSON_RAW(out, "null");
        return;
    }
    bytes_append(&path, p->origin.ptr, p->origin.len);
    if (p->source == PROMPT_FILE)
        bytes_format(&path, "/%s.md", phase_name(phase).ptr);
    json_string(out, bytes_slice(&path));
    bytes_finish(&path);
}

static void put_text(struct bytes *out, const struct shown *s)
{
    bool is_given = s->prompt->state == PROMPT_GIVEN;
    const struct bytes *title = is_given ? &s->prompt->title : &s->kept.title;
    const struct bytes *content =
        is_given ? &s->prompt->content : &s->kept.content;

    JSON_TEXT(out, "title", bytes_slice(title));
    JSON_TEXT(out, "content", bytes_slice(content));
    if (s->prompt->state == PROMPT_UNREADABLE)
        JSON_TEXT(out, "problem", bytes_slice(&s->prompt->cause));
}

/* A change that nobody was handed yet will be the next version. */
static void put_age(struct phase_work *w, struct bytes *out,
                    const struct shown *s)
{
    bool is_given = s->prompt->state == PROMPT_GIVEN;
    int64_t version = s->kept.version + (is_given && !s->is_same);

    JSON_UINT(out, "version", (uint64_t)version);
    JSON_KEY(out, "fetchedAt");
    json_time(out, s->is_same ? (uint64_t)s->kept.fetched_at : 0);
    JSON_BOOL(out, "isStale",
              s->prompt->state == PROMPT_WANTED && s->is_kept &&
                  !prompt_is_fresh(w, s->kept.fetched_at));
}

static void put_prompt(struct phase_work *w, struct bytes *out)
{
    struct shown s = {.prompt = &w->asked[w->phase]};

    look(w, &s);
    JSON_RAW(out, "{");
    JSON_TEXT(out, "phase", phase_name(w->phase));
    JSON_TEXT(out, "source", prompt_source_name(s.prompt->source));
    put_origin(out, s.prompt, w->phase);
    put_age(w, out, &s);
    put_text(out, &s);
    JSON_RAW(out, "}");
    handed_finish(&s.kept);
}

void asked_put(struct phase_work *w, struct bytes *out)
{
    JSON_KEY(out, "prompts");
    JSON_RAW(out, "[");
    for (w->phase = 0; w->phase < PHASES; w->phase++) {
        if (w->phase > 0)
            JSON_RAW(out, ",");
        put_prompt(w, out);
    }
    JSON_RAW(out, "]");
}

/*
 * The models a CLI offers, read from what `models` prints for people: lines
 * of "id - Label" among titles, tips and decorations.
 */
#ifndef ACTORS_HEALTH_MODELS_H
#define ACTORS_HEALTH_MODELS_H

#include "runtime/text/arena.h"
#include "runtime/text/slice.h"

#define HEALTH_MODELS_MAX 1000

struct health_models {
    struct arena arena; /* zeroed memory is an empty list */
    const char **ids, **labels;
    size_t count;
};

/* Adds each id once, in their order; the text is not kept. */
void health_models_read(struct health_models *m, struct slice text);
/* "id[option=...]" is the model id. */
bool health_models_have(const struct health_models *m, const char *model);
/* Up to max that may have been meant, the nearest first; the rest of out is
 * left as it is. They are the list's own. */
void health_models_suggest(const struct health_models *m, const char *model,
                           const char **out, size_t max);
void health_models_finish(struct health_models *m);

#endif

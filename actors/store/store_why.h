/*
 * Why the store cannot do something, in both languages: it is kept for a while,
 * and told to whoever asks.
 */
#ifndef ACTORS_STORE_STORE_WHY_H
#define ACTORS_STORE_STORE_WHY_H

#include <stdbool.h>

#include "config/messages.h"

struct store_why {
    char ja[360], en[360]; /* "": nothing is wrong */
};

static inline const char *store_why_in(const struct store_why *w,
                                       bool is_english)
{
    return is_english ? w->en : w->ja;
}

/* By one of messages.h, cut where there is no room. */
#define STORE_WHY_SAY(w, name, ...)                                            \
    store_why_say(w, JA_##name, EN_##name, __VA_ARGS__)
void store_why_say(struct store_why *w, const char *ja, const char *en, ...)
    __attribute__((format(printf, 2, 4), format(printf, 3, 4)));
/* "PATH: " and what the system says of an errno. */
void store_why_system(struct store_why *w, const char *path, int error);
bool store_why_is_same(const struct store_why *a, const struct store_why *b);

#endif

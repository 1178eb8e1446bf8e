/*
 * Speakers are the hub's own caller in each language: over HTTP nobody has a
 * locale, but a request may name a language (Accept-Language, and a command of
 * the feed's), which then counts whatever the configuration says.
 */
#ifndef TRANSPORT_SESSION_SPEAKERS_H
#define TRANSPORT_SESSION_SPEAKERS_H

#include "actors/order/order.h"

struct speakers {
    struct caller *in[CONFIG_AUTO + 1]; /* kept */
};

/* Copies self for each language, and keeps it for who names none. */
void speakers_init(struct speakers *s, struct caller *self);
void speakers_finish(struct speakers *s);

#endif

/*
 * An album is the picture that somebody folds of what he hears, held against
 * those that the registry draws: at every number at which one is drawn they
 * must be the same, but for what passes between events.
 */
#ifndef TESTS_STORIES_ALBUM_H
#define TESTS_STORIES_ALBUM_H

#include "actors/registry/feed.h"

struct album;

/* The first picture, and what is heard from there on. */
struct album *album_create(struct slice picture);
/* Accepts NULL. */
void album_destroy(struct album *a);
void album_hear(struct album *a, const struct feed_event *e, yyjson_val *data);
/* Panics if the registry's picture is another one. */
void album_check(struct album *a, struct slice picture);

#endif

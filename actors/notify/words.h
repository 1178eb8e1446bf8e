/* The words of a notification, in the hub's language. */
#ifndef ACTORS_NOTIFY_WORDS_H
#define ACTORS_NOTIFY_WORDS_H

#include "actors/registry/notice.h"

#define WORDS_BODY 400 /* bytes, at most */

/* Of so many notices of one kind, the first of which is n. group is "" if they
 * are of several. What is of any origin in them becomes one line without
 * control characters. */
void words_put(struct bytes *title, struct bytes *body, const struct notice *n,
               uint64_t count, const char *group);

#endif

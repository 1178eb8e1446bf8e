/* An event of the feed in words. */
#ifndef TRANSPORT_COMMAND_REPLAY_WORDS_H
#define TRANSPORT_COMMAND_REPLAY_WORDS_H

#include <yyjson.h>

#include "transport/command/console.h"

/* Writes a line of it to out, which is the console's or like it. False: it
 * says nothing that other events do not, and nothing was written. */
bool replay_words(struct console *con, struct term *out, yyjson_val *event);

#endif

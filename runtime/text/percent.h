/* Percent-encoding, as addresses have it. */
#ifndef RUNTIME_TEXT_PERCENT_H
#define RUNTIME_TEXT_PERCENT_H

#include "runtime/text/bytes.h"

/* Appends what the text stands for; what is no escape stays as it is. */
void percent_decode(struct bytes *out, struct slice text);

#endif

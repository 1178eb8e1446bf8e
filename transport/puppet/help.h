/* The manual of the puppet: how to run it and how to write a scenario. */
#ifndef TRANSPORT_PUPPET_HELP_H
#define TRANSPORT_PUPPET_HELP_H

#include "transport/puppet/text.h"

void help_add(struct text *out);

#endif

/* The manual of the puppet: how to run it and how to write a scenario. */
#ifndef TESTS_PUPPET_HELP_H
#define TESTS_PUPPET_HELP_H

#include "tests/puppet/text.h"

void help_add(struct text *out);

#endif

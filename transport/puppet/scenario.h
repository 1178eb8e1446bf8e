/*
 * A scenario: the steps of a YAML text, checked whole before anything of it
 * is played. A wrong one gives NAME:LINE:COLUMN and what was expected there.
 */
#ifndef TRANSPORT_PUPPET_SCENARIO_H
#define TRANSPORT_PUPPET_SCENARIO_H

#include <stdbool.h>
#include <yaml.h>
#include <yyjson.h>

#include "transport/puppet/steps.h"
#include "transport/puppet/text.h"
#include "transport/puppet/vars.h"

enum {
    SCENARIO_BYTES = 256 * 1024,
    SCENARIO_NODES = 20000,
    SCENARIO_DEPTH = 32
};

struct arg {
    bool is_set;
    const char *text; /* still with its ${...}; lives in the document */
    size_t len;
    long number;
    yyjson_mut_val *json;
};

struct step {
    enum step_kind kind;
    size_t line;
    struct arg args[STEP_ARGS];
    struct step *body; /* of repeat */
    size_t body_count;
};

struct scenario {
    const char *name; /* borrowed: the file, or the built-in */
    bool is_parsed, has_init;
    yaml_document_t document;
    yyjson_mut_doc *json;
    struct step *steps;
    size_t count;
};

/*
 * Reads text into a zeroed s. vars holds what texts may refer to and gets the
 * scenario's own parameters; given overrides those. Returns 0, or -EINVAL
 * with the whole message in error. scenario_finish must follow either way.
 */
int scenario_load(struct scenario *s, const char *name, const struct text *text,
                  struct vars *vars, const struct vars *given,
                  struct text *error);
void scenario_finish(struct scenario *s);

#endif

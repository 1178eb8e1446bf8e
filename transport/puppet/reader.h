/*
 * What the parts of reading a scenario share: guard.c knows YAML, scenario.c
 * knows steps, value.c knows the values of their arguments.
 */
#ifndef TRANSPORT_PUPPET_READER_H
#define TRANSPORT_PUPPET_READER_H

#include "transport/puppet/scenario.h"

struct reader {
    struct scenario *scenario;
    struct vars *vars;
    struct text *error;
};

/* Adds NAME:LINE:COLUMN and the message. Always returns -EINVAL. */
int reader_fail(struct reader *r, yaml_mark_t mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Text to document, with everything refused that could make it more than a
 * small tree. */
int reader_parse(struct reader *r, const struct text *text);
yaml_node_t *reader_node(struct reader *r, int id);
const char *reader_scalar(const yaml_node_t *node);
/* A plain empty scalar, ~ or null: `hang:` has nothing to say. */
bool reader_is_null(const yaml_node_t *node);

/* Reads one argument that is not a list of steps. */
int value_read(struct reader *r, const struct arg_form *form, int id,
               struct arg *arg);

#endif

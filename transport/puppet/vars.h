/*
 * The variables a scenario's texts refer to as ${name}: parameters, what the
 * command line said, and what was saved from answers of the hub.
 */
#ifndef TRANSPORT_PUPPET_VARS_H
#define TRANSPORT_PUPPET_VARS_H

#include <stdbool.h>
#include <yyjson.h>

#include "transport/puppet/text.h"

struct vars {
    yyjson_mut_doc *doc; /* its root is an object: name -> value */
};

void vars_init(struct vars *v);
void vars_finish(struct vars *v);
/* Copies both name and value. */
void vars_set(struct vars *v, const char *name, const char *value);
void vars_set_json(struct vars *v, const char *name, yyjson_mut_val *value);
/* In place where it can: a long repeat must not grow the memory. */
void vars_set_number(struct vars *v, const char *name, long number);
/* KUROMAJUTSU_* are always known, whether or not the environment has them. */
bool vars_knows(const struct vars *v, const char *name);
/* Adds the names to list, parted by commas. */
void vars_names(const struct vars *v, struct text *list);

/* Adds text with each ${name} replaced; $${ stands for ${ itself. What is not
 * a string is written as JSON. Unknown names become nothing: the scenario was
 * checked before. */
void vars_expand(const struct vars *v, const char *text, size_t len,
                 struct text *out);
/* A deep copy of value in doc with all its strings expanded. A string that is
 * one ${name} and nothing else becomes that variable's value, type and all. */
yyjson_mut_val *vars_expand_json(const struct vars *v, yyjson_mut_doc *doc,
                                 yyjson_mut_val *value);
/* Puts the first name in text that is not known into name. */
bool vars_unknown(const struct vars *v, const char *text, size_t len,
                  struct text *name);

#endif

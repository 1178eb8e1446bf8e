/* SPDX-License-Identifier: MIT */
#include "actors/order/args_read.h"

#include "runtime/text/moment.h"

static void read_arg(yyjson_val *val, const struct arg *arg)
{
    if (arg->type == ARG_BOOL && yyjson_is_bool(val))
        *(bool *)arg->out = unsafe_yyjson_get_bool(val);
    else if (arg->type == ARG_TEXT && yyjson_is_str(val))
        *(struct slice *)arg->out = field_text(val);
    else if (arg->type == ARG_TIME && yyjson_is_str(val))
        moment_read(field_text(val), arg->out);
    else if (arg->type != ARG_TEXT && yyjson_is_num(val))
        *(int64_t *)arg->out = (int64_t)field_count(val);
}

void args_read(const struct order *o, const struct arg *args)
{
    for (; args->name != NULL; args++)
        read_arg(field_get(o->args, slice_cstr(args->name)), args);
}

/* SPDX-License-Identifier: MIT */
#include "transport/puppet/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void open_parser(yaml_parser_t *parser, const struct text *text)
{
    if (!yaml_parser_initialize(parser))
        abort();
    yaml_parser_set_input_string(parser, (const unsigned char *)text_str(text),
                                 text->len);
}

int reader_fail(struct reader *r, yaml_mark_t mark, const char *format, ...)
{
    char *message = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&message, format, args) < 0)
        abort();
    va_end(args);
    text_addf(r->error, "%s:%zu:%zu: %s", r->scenario->name, mark.line + 1,
              mark.column + 1, message);
    free(message);
    return -EINVAL;
}

static int fail_yaml(struct reader *r, const yaml_parser_t *parser)
{
    return reader_fail(r, parser->problem_mark, "expected YAML: %s",
                       parser->problem ? parser->problem : "cannot be read");
}

static int guard_event(struct reader *r, const yaml_event_t *event, int *depth,
                       int *nodes)
{
    bool opens = event->type == YAML_SEQUENCE_START_EVENT ||
                 event->type == YAML_MAPPING_START_EVENT;

    if (event->type == YAML_ALIAS_EVENT)
        return reader_fail(r, event->start_mark,
                           "expected no alias: write it out instead");
    if (event->type == YAML_SEQUENCE_END_EVENT ||
        event->type == YAML_MAPPING_END_EVENT)
        --*depth;
    if (opens && ++*depth > SCENARIO_DEPTH)
        return reader_fail(r, event->start_mark,
                           "expected fewer levels: %d at most", SCENARIO_DEPTH);
    if ((opens || event->type == YAML_SCALAR_EVENT) &&
        ++*nodes > SCENARIO_NODES)
        return reader_fail(r, event->start_mark,
                           "expected fewer values: %d at most", SCENARIO_NODES);
    return 0;
}

/* Looks through the events before anything is built from them: libyaml needs
 * minutes for 256 KiB of opening brackets, but only past the depth at which
 * this has stopped. */
static int guard(struct reader *r, const struct text *text)
{
    yaml_parser_t parser;
    yaml_event_t event;
    int depth = 0, nodes = 0, rc = 0;

    open_parser(&parser, text);
    for (bool is_end = false; !rc && !is_end;) {
        if (!yaml_parser_parse(&parser, &event)) {
            rc = fail_yaml(r, &parser);
            break;
        }
        is_end = event.type == YAML_DOCUMENT_END_EVENT ||
                 event.type == YAML_STREAM_END_EVENT;
        rc = guard_event(r, &event, &depth, &nodes);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return rc;
}

int reader_parse(struct reader *r, const struct text *text)
{
    struct scenario *s = r->scenario;
    yaml_parser_t parser;
    int rc = guard(r, text);

    if (rc)
        return rc;
    open_parser(&parser, text);
    s->is_parsed = yaml_parser_load(&parser, &s->document);
    if (!s->is_parsed)
        rc = fail_yaml(r, &parser);
    yaml_parser_delete(&parser);
    return rc;
}

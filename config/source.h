/* A source is the text of a configuration file, checked to be text at all. */
#ifndef CONFIG_SOURCE_H
#define CONFIG_SOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "config/config_error.h"

#define SOURCE_LIMIT (1024 * 1024)

struct source {
    const char *name; /* as errors show it; borrowed */
    char *text;       /* terminated, len bytes before the terminator */
    size_t len;
    size_t bom;       /* bytes of a byte order mark at the beginning */
    struct stat stat; /* of the file when it was read */
};

/* -ENOENT and other errnos as the system gives them; -EINVAL for what is no
 * regular file, too long or not text. The caller finishes it, also on error. */
int source_read(struct source *s, const char *path, struct config_error *e);
/* The same from memory; text is taken and freed by source_finish. */
int source_take(struct source *s, const char *name, char *text, size_t len,
                struct config_error *e);
void source_finish(struct source *s);
/* Bytes of the UTF-8 character at text and its code; 0 if it is broken. */
size_t source_decode(const char *text, size_t len, unsigned *code);
/* What YAML 1.1 calls printable; libyaml refuses the rest without a place. */
bool source_is_printable(unsigned code);
/* To tell whether a text is still the same; no defence against malice. */
uint64_t source_hash(const char *text, size_t len);

#endif

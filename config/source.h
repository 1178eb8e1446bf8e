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
/* What YAML 1.1 calls printable; libyaml refuses the rest without a place. */
bool source_is_printable(uint32_t code);

#endif

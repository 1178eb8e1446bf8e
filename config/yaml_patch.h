/* A patch is one change of a text: the bytes from start to end become what is
 * written to out. Shared by the files of edit. */
#ifndef CONFIG_YAML_PATCH_H
#define CONFIG_YAML_PATCH_H

#include "config/edit.h"
#include "config/keys.h"
#include "config/scalar.h"

struct patch {
    const struct source *source;
    const struct config_edit *edit; /* NULL: the role is to go */
    const struct key *key;          /* NULL: tools */
    const char *eol;
    size_t start, end;
    FILE *out;
};

/* Where the value ends in truth: libyaml lets collections and blocks end with
 * the next token, beyond blank lines and comments. */
size_t patch_end(const struct source *s, const struct child *c);
/* The first place after `at` where a line begins; the end of the text, perhaps
 * in the middle of a line, if there is none. */
size_t patch_line_after(const struct source *s, size_t at);
/* Writes the value; true if a line end must follow, see scalar_write. */
bool patch_value(struct patch *p, struct scalar_place place);
/* The list in the place of the one there is. */
void patch_list(struct patch *p, const struct child *c, size_t indent);
/* "[a, b]", items that were in `was` (or NULL) as they were written. */
void patch_flow_list(struct patch *p, const struct node *was);
/* Takes the list's item, or the mapping's key, out of the text. */
void patch_remove_item(struct patch *p, const struct node *list, size_t i);
void patch_remove_key(struct patch *p, const struct node *mapping,
                      const struct child *c);

#endif

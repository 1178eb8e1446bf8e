/*
 * Trust says which keys of a project's file hold. The file comes with the
 * project, and a checkout is somebody else's until its user has looked: what
 * it could run or expose (the keys with needs_trust) holds only once the user
 * has said `kuromajutsu trust`. Noted is a digest of the file's real path and
 * of these keys' values, so other edits ask nothing, and a copy elsewhere asks
 * again. The user's own file, the environment and a file that was named by its
 * user are trusted as they are.
 */
#ifndef CONFIG_TRUST_H
#define CONFIG_TRUST_H

#include <stdbool.h>

#include "config/config_error.h"
#include "runtime/text/sha256.h"

struct node;

/* Of that file with this content (NULL: empty). False: it has no key that needs
 * trust. */
bool trust_digest(const char *file, const struct node *root,
                  char digest[static SHA256_HEX]);
/* Where that is noted; the caller frees it. NULL: there is no place for it. */
char *trust_list_path(char *const *env);
/* Whether the user of this environment has trusted what has this digest. A
 * list that others could have written says nothing. */
bool trust_is_noted(char *const *env, const char *digest);
/* Notes it, durably. 0, or a negative errno with the error told. */
int trust_note(char *const *env, const char *digest, const char *file,
               struct config_error *e);
/* Forgets all that was trusted in that file. */
int trust_forget(char *const *env, const char *file, struct config_error *e);

#endif

/*
 * In which language a person, or the program of one, is spoken to: what
 * $KUROMAJUTSU_LANGUAGE says, else the configuration, and where that says auto,
 * or cannot be read, the locale.
 */
#ifndef CONFIG_LANGUAGE_H
#define CONFIG_LANGUAGE_H

#include <stdbool.h>

#include "runtime/text/slice.h"

enum config_language { CONFIG_JA, CONFIG_EN, CONFIG_AUTO };

/* By $KUROMAJUTSU_LANGUAGE: ja or en, else CONFIG_AUTO. */
enum config_language language_named(char *const *env);
/*
 * By the first of LC_ALL, LC_MESSAGES and LANG that is set: Japanese for ja*,
 * English for every other language. C and POSIX name none, nor does no variable
 * at all: then it is Japanese.
 */
enum config_language language_of_locale(char *const *env);
/* The first, else the second. */
enum config_language language_of(char *const *env);
/* By the one of most weight in an Accept-Language that is ours; English where
 * it names others only, CONFIG_AUTO where it names none. */
enum config_language language_accepted(struct slice header);
/* "ja", "en" or "auto", and back; CONFIG_AUTO for anything else. */
const char *language_word(enum config_language language);
enum config_language language_read(const char *word);

#endif

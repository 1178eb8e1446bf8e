/* Whether a person sits before a desktop that programs of this environment can
 * speak to: there is a session bus. */
#ifndef CONFIG_DESKTOP_H
#define CONFIG_DESKTOP_H

#include <stdbool.h>

#define DESKTOP_PROGRAM "notify-send"

bool desktop_is_there(char *const *env);

#endif

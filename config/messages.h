/* SPDX-License-Identifier: MIT */
/*
 * What people and models are told, in both languages: every text that C prints
 * or answers has a name, and one line in each table below config/messages/.
 *
 * A text is chosen by its name where it is used, so that the compiler checks
 * its conversions against the arguments in both languages, and a name that one
 * table misses does not compile. tests/config/messages_test.py holds the rest.
 *
 * Elsewhere, in files of one language each: the built-in roles (builtin_ja.c,
 * builtin_en.c), the prompts (actors/launch/, actors/phases/ and
 * actors/projects/), the descriptions of the tools (transport/mcp/toolsets/)
 * and the dashboard (web/src/text/).
 */
#ifndef CONFIG_MESSAGES_H
#define CONFIG_MESSAGES_H

#include <stdbool.h>

#include "config/messages/actors_en.h"
#include "config/messages/actors_ja.h"
#include "config/messages/command_en.h"
#include "config/messages/command_ja.h"
#include "config/messages/config_en.h"
#include "config/messages/config_ja.h"
#include "config/messages/doctor_en.h"
#include "config/messages/doctor_ja.h"
#include "config/messages/keys_en.h"
#include "config/messages/keys_ja.h"
#include "config/messages/manual_en.h"
#include "config/messages/manual_ja.h"
#include "config/messages/pm_en.h"
#include "config/messages/pm_ja.h"
#include "config/messages/show_en.h"
#include "config/messages/show_ja.h"
#include "config/messages/transport_en.h"
#include "config/messages/transport_ja.h"

/* A literal, of either language. */
#define MESSAGE(is_english, name) ((is_english) ? EN_##name : JA_##name)

/* Both, for tables of them; not for formats, which nobody would check. */
struct message {
    const char *ja, *en;
};
#define BOTH(name)                                                             \
    {                                                                          \
        JA_##name, EN_##name                                                   \
    }
#define MESSAGE_OF(name) ((struct message)BOTH(name))

static inline const char *message_pick(bool is_english, struct message m)
{
    return is_english ? m.en : m.ja;
}

#endif

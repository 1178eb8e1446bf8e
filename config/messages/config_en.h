/* SPDX-License-Identifier: MIT */
/* What is wrong with a configuration, in English. */
#ifndef CONFIG_MESSAGES_CONFIG_EN_H
#define CONFIG_MESSAGES_CONFIG_EN_H

#include <inttypes.h>

/* clang-format off */

/* config/: config_error.c, replace_file.c, source.c, location.c, identity.c, config.c */
#define EN_CONFIG_RESTLESS \
    "%s: changes all the time: expected a file at rest; what was read before " \
    "stays in force"
#define EN_CONFIG_USER_FILE_NOT_YOURS \
    "%s: expected a file of yours that nobody else may write: chown and " \
    "chmod it, or remove it"
#define EN_CONFIG_NO_STATE_PLACE \
    "no place for the state: expected an absolute path in KUROMAJUTSU_HOME, " \
    "XDG_STATE_HOME or HOME"
#define EN_CONFIG_NO_DIRECTORY \
    "%s: there is no such directory; name the project's by --project or " \
    "KUROMAJUTSU_PROJECT, or leave that out to have it found"
#define EN_CONFIG_NO_PLACE_FOR_DATABASE \
    "%s: there is no directory for this database; make it, or name another " \
    "file by --db or KUROMAJUTSU_DB"
#define EN_CONFIG_DATABASE_NO_FILE \
    "%s: this is no file; name a database by --db or KUROMAJUTSU_DB"
#define EN_CONFIG_NO_UTF8 "expected UTF-8, found the byte 0x%02X"
#define EN_CONFIG_NO_TEXT "expected text, found the character U+%04X"
#define EN_CONFIG_TOO_LARGE "expected at most %d bytes, found %zu"
#define EN_CONFIG_NO_REGULAR_FILE "%s: expected a regular file"
#define EN_CONFIG_NAMED_MISSING \
    "%s: there is no such file; name one that exists by %s, or leave that " \
    "out to use the project's %s"
#define EN_CONFIG_IS_GONE \
    "%s:1:1: expected settings, found that the file is gone; to go on " \
    "without it, start the hub again: kuromajutsu stop --keep-agents"
#define EN_CONFIG_IS_EMPTY \
    "%s:1:1: expected settings, found that the file is empty; to go on " \
    "without it, start the hub again: kuromajutsu stop --keep-agents"

/* config/: value.c, keys_text.c */
#define EN_VALUE_WRONG "%s: expected %s, found %s"
#define EN_VALUE_EXPECTED_MAPPING "a mapping"
#define EN_VALUE_EXPECTED_LIST "a list of at most %zu"
#define EN_VALUE_EXPECTED_TOOL "the id of a tool:"
#define EN_VALUE_EXPECTED_MODEL "the name of a model"
#define EN_VALUE_EXPECTED_WORD "one of"
#define EN_VALUE_EXPECTED_SOME "a list of one or more of"
#define EN_VALUE_EXPECTED_SET "a list, which may be empty, of"
#define EN_VALUE_EXPECTED_WORDS "a list of at most %" PRId64 " words"
#define EN_VALUE_EXPECTED_URL \
    "an address that begins with http:// or https://, of at most " \
    "%" PRId64 " bytes"
#define EN_VALUE_EXPECTED_INT "a whole number from %" PRId64 " to %" PRId64 "%s"
#define EN_VALUE_OR_NULL ", or null"
#define EN_VALUE_EXPECTED_MONEY \
    "an amount from %" PRId64 " to %" PRId64 " such as 2.50"
#define EN_VALUE_EXPECTED_BOOL "true or false"
#define EN_VALUE_EXPECTED_TEXT "a text of 1 to %" PRId64 " bytes"
#define EN_VALUE_EXPECTED_TEXT_OR_NONE "a text of at most %" PRId64 " bytes"
#define EN_VALUE_EXPECTED_LINE "a line of text of 1 to %" PRId64 " bytes"
#define EN_VALUE_EXPECTED_LINE_OR_NONE \
    "a line of text of at most %" PRId64 " bytes"
#define EN_VALUE_EXPECTED_ID "an id of 1 to 64 letters, digits, _ and -"
#define EN_VALUE_FOUND_LIST "a list"
#define EN_VALUE_FOUND_MAPPING "a mapping"
#define EN_VALUE_FOUND_NOTHING "nothing"
#define EN_VALUE_FOUND_QUOTED "the quoted text %s"

/* config/: edit.c, yaml_patch.c */
#define EN_EDIT_NO_UTF8 "roles[%s].%s: expected UTF-8, found the byte 0x%02X"
#define EN_EDIT_NO_SUCH_KEY \
    "roles[%s].%.64s: expected a key of a role that can be edited"
#define EN_EDIT_NOT_TRUSTED \
    "roles[%s].%s: %s is not trusted yet, so this would not hold: look at " \
    "the file, then: kuromajutsu trust"
#define EN_EDIT_ELSEWHERE_TOO \
    "roles[%s]: %s has it too: remove it there, or disable it (enabled: " \
    "false)"
#define EN_EDIT_NOT_BY_ITSELF \
    "%s: roles[%s] cannot be changed by itself: other values share its text, " \
    "or it is written in an unusual way; edit the file by hand"
#define EN_EDIT_FILE_CHANGED "%s: changed since it was read"
#define EN_EDIT_BAD_ID \
    "roles[%.64s]: expected an id of 1 to 64 letters, digits, _ and -"
#define EN_EDIT_ID_TAKEN \
    "roles[%s]: there is one already: choose another id, or change that one"
#define EN_EDIT_BUILT_IN \
    "roles[%s]: a built-in role cannot be deleted: disable it instead " \
    "(enabled: false)"
#define EN_EDIT_NO_SUCH_ROLE "roles[%.64s]: expected the id of a role"
#define EN_EDIT_COUNT "roles[%s]: expected 1 to %d edits"
#define EN_CONFIG_FILE_NO_MAPPING "%s: expected a mapping"

/* config/: token.c, trust.c */
#define EN_TOKEN_TOO_LONG "%s: expected at most %d characters"
#define EN_TOKEN_HAS_BLANKS \
    "%s: expected a token of letters, digits and signs, without blanks"
#define EN_TOKEN_FILE_UNREADABLE "dashboard.tokenFile: %s: %s"
#define EN_TRUST_LIST_NOT_YOURS \
    "%s: expected a file of yours that nobody else may write; remove it, and " \
    "trust again"
#define EN_TOKEN_FILE_IS_NO_FILE "dashboard.tokenFile: %s is no regular file"
#define EN_TOKEN_FILE_IS_ANOTHERS \
    "dashboard.tokenFile: %s belongs to another user"
#define EN_TOKEN_FILE_IS_OPEN \
    "dashboard.tokenFile: %s can be read by others: chmod 600 it"
#define EN_TOKEN_FILE_IS_EMPTY "dashboard.tokenFile: %s is empty"
#define EN_TOKEN_FILE_IS_TOO_LONG \
    "dashboard.tokenFile: %s is too long for a token"
#define EN_TOKEN_FILE_HAS_NO_TEXT "dashboard.tokenFile: %s holds no text"

/* config/: loader.c, loader_roles.c, tree.c, price.c */
#define EN_CONFIG_ID_TWICE_AT "%s: %s: given twice, first in line %zu"
#define EN_CONFIG_BAD_NAME "%s: expected a name of letters, digits, _ and -"
#define EN_CONFIG_KEY_MISSING "%s: expected the key %s"
#define EN_CONFIG_NO_SUCH_PARAMETER "%s.%s: expected a parameter of the tool %s"
#define EN_CONFIG_ID_TWICE "%s: %s: given twice"
#define EN_CONFIG_TAB \
    "expected spaces, found a tab: YAML is indented with spaces alone"
#define EN_CONFIG_NO_YAML "expected YAML: %s%s%s"
#define EN_CONFIG_KEY_NO_NAME "expected a name as key"
#define EN_CONFIG_TOO_MANY_KEYS "expected at most %d keys in one mapping"
#define EN_CONFIG_KEY_TWICE "%.64s: given twice, first in line %zu"
#define EN_CONFIG_MERGE_NO_MAPPING \
    "<<: expected a mapping or a list of mappings"
#define EN_CONFIG_MERGE_TOO_MANY "<<: expected at most %d keys in one mapping"
#define EN_CONFIG_NO_ANCHOR "*%.64s: expected an anchor &%.64s before it"
#define EN_CONFIG_TOO_MANY_ANCHORS "expected at most %d anchors"
#define EN_CONFIG_TOKEN_NEEDED \
    "dashboard.token: expected a token, since dashboard.host is not a " \
    "loopback address"
#define EN_CONFIG_IS_LIST "expected a mapping of settings, found a list"
#define EN_CONFIG_IS_TEXT "expected a mapping of settings, found a text"
#define EN_CONFIG_TOO_MANY_VALUES "expected at most %zu values"
#define EN_CONFIG_TEXT_HAS_NUL "expected a text without NUL"
#define EN_CONFIG_TOO_MANY_ALIASES "expected at most %zu aliases"
#define EN_CONFIG_TOO_DEEP "expected at most %zu levels"
#define EN_CONFIG_ONE_DOCUMENT "expected one document only"
#define EN_CONFIG_KEY_UNKNOWN "%s:%zu:%zu: %s%s%.64s: unknown key"
#define EN_CONFIG_KEY_UNKNOWN_NEAR \
    "%s:%zu:%zu: %s%s%.64s: unknown key; did you mean %s?"
#define EN_CONFIG_VARIABLE_UNKNOWN_NEAR \
    "KUROMAJUTSU_%.64s: unknown variable; did you mean KUROMAJUTSU_%s?"
#define EN_CONFIG_VARIABLE_NOT_READ \
    "%s=%.40s is left out of account: expected %s"
#define EN_CONFIG_KEY_NOT_TRUSTED \
    "%s:%zu:%zu: %s does not hold: it came with the project, and you have " \
    "not trusted it yet; look at it, then: kuromajutsu trust"

/* config/reason.c */
#define EN_REASON_NOT_THERE "No such file or directory"
#define EN_REASON_DENIED "Permission denied"
#define EN_REASON_NO_SPACE "No space left on device"
#define EN_REASON_READ_ONLY "Read-only file system"
#define EN_REASON_NO_DIRECTORY "Not a directory"
#define EN_REASON_IS_DIRECTORY "Is a directory"
#define EN_REASON_IS_THERE "File exists"
#define EN_REASON_TOO_MANY_FILES "Too many open files"
#define EN_REASON_NO_MEMORY "Cannot allocate memory"
#define EN_REASON_NO_ROOM_NOW "Resource temporarily unavailable"
#define EN_REASON_IN_USE "Device or resource busy"
#define EN_REASON_INPUT_OUTPUT "Input/output error"
#define EN_REASON_FILE_TOO_LARGE "File too large"
#define EN_REASON_NAME_TOO_LONG "File name too long"
#define EN_REASON_LINKS_IN_A_CIRCLE "Too many levels of symbolic links"
#define EN_REASON_NOT_RUNNABLE "Exec format error"
#define EN_REASON_ADDRESS_IN_USE "Address already in use"
#define EN_REASON_ADDRESS_NOT_HERE "Cannot assign requested address"
#define EN_REASON_CONNECTION_REFUSED "Connection refused"
#define EN_REASON_CONNECTION_CUT "Connection reset by peer"
#define EN_REASON_UNREACHABLE "Network is unreachable"
#define EN_REASON_TIMED_OUT "Connection timed out"
#define EN_REASON_NOT_OUR_PROTOCOL "Protocol error"
#define EN_REASON_OTHER "%s"

/* clang-format on */

#endif

/* SPDX-License-Identifier: MIT */
/* What `kuromajutsu doctor` and `mcp-config` say, in English. */
#ifndef CONFIG_MESSAGES_DOCTOR_EN_H
#define CONFIG_MESSAGES_DOCTOR_EN_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/client.c */
#define EN_CLIENT_CURSOR "CURSOR_API_KEY and the like can go into \"env\"."
#define EN_CLIENT_CLAUDE \
"claude asks once whether to approve it, and hands its environment on. It needs\n" \
"no time-out: calls that tell their progress are not cut (if you set\n" \
"MCP_TOOL_TIMEOUT: 300000 or more)."
#define EN_CLIENT_CODEX \
"Without default_tools_approval_mode its default policy refuses run_agents. Only\n" \
"variables named in env_vars are handed on, and calls are cut after\n" \
"tool_timeout_sec."
#define EN_CLIENT_GEMINI \
"Of variables that are keys it hands on only those that \"env\" has as\n" \
"\"NAME\": \"$NAME\". In folders it does not trust servers are off. To have it\n" \
"call without asking, add \"trust\": true."
#define EN_CLIENT_OPENCODE \
    "It hands its environment on. Calls are cut after timeout (ms)."

/* transport/command/doctor.c */
#define EN_SUBJECT_CONFIG "configuration"
#define EN_SUBJECT_STATE "state"
#define EN_SUBJECT_SOCKET "socket"
#define EN_SUBJECT_PROGRAM "program"
#define EN_SUBJECT_HUB "hub"
#define EN_SUBJECT_ROLE "role"
#define EN_SUBJECT_LOGIN "login"
#define EN_SUBJECT_CLIENT "client"
#define EN_SUBJECT_OPEN_FILES "open files"
#define EN_SUBJECT_MEMORY_LIMIT "memory limit"
#define EN_SUBJECT_NOTIFICATIONS "notifications"
#define EN_DOCTOR_SUM_BAD "%u to mend, %u to look at.\n"
#define EN_DOCTOR_SUM_GOOD "All is well (%u to look at).\n"

/* transport/command/doctor_cli.c */
#define EN_CLI_ANOTHER_MAKERS \
    "%s is another maker's by its --help, and is not used"
#define EN_CLI_DID_NOT_END "`%s %s` did not end within %d seconds"
#define EN_CLI_FAILED "`%s %s` failed (%d): %.*s"
#define EN_CLI_TRY_IN_TERMINAL "try `%s %s` in a terminal"
#define EN_CLI_HAS_NOT_THE_MODEL \
    "%s asks for the model '%s', which this CLI has not"
#define EN_CLI_CHANGE_THE_MODEL "change its model below roles: %s"
#define EN_CLI_NOT_LOGGED_IN "%s: nobody is logged in"
#define EN_CLI_LOGIN_OF_CURSOR "login`, or in the environment: `CURSOR_API_KEY"
#define EN_CLI_ANSWERS_MODELS "%s answers `models`"
#define EN_CLI_LOGIN_NOT_KNOWN \
    "%s: this version cannot be asked whether somebody is logged in"
#define EN_CLI_UPDATE_OR_TRY "update it, or try in a terminal: %s -p hi"
#define EN_CLI_LOGGED_IN "logged in (%.*s)"
#define EN_CLI_LOGIN_OF_CLAUDE \
    "auth login`, or in the environment: `ANTHROPIC_API_KEY"
#define EN_CLI_REFUSES_ROOT \
    "%s refuses --dangerously-skip-permissions to root, so no agent starts"
#define EN_CLI_NOT_AS_ROOT \
    "use it as another user, or if this is a sandbox, put IS_SANDBOX=1 into " \
    "the env of the client's entry%s"
#define EN_CLI_NOT_ON_PATH "'%s' is not on PATH (back-end %s)"
#define EN_CLI_INSTALL_CURSOR \
"install Cursor's CLI: curl https://cursor.com/install -fsS | bash\n" \
"only to try: KUROMAJUTSU_AGENT_COMMAND=kuromajutsu-puppet%s"
#define EN_CLI_INSTALL "install '%s', or change the roles' backend"
#define EN_CLI_NOT_TRUSTED \
    "agent.command of %s is not trusted yet, and is not run"
#define EN_CLI_TRUST "look at it, then: kuromajutsu trust '%s'"
#define EN_CLI_TOOL_UNUSABLE "the tool %s cannot be used: %.*s"

/* transport/command/doctor_clients.c */
#define EN_CLIENT_BY_URL "%s: %s, by its URL"
#define EN_CLIENT_PROGRAM_MISSING \
    "%s: %s names '%s', and there is no such program"
#define EN_CLIENT_SET_COMMAND "set command to \"%s\""
#define EN_CLIENT_ANOTHER_PROGRAM "%s: %s has another program, %s"
#define EN_CLIENT_SET_COMMAND_TO_THIS "for this one set command to \"%s\""
#define EN_CLIENT_KEEPS_VARIABLE \
    "%s: it does not hand the variable %s on to servers"
#define EN_CLIENT_MEND_ENTRY "mend %s after: kuromajutsu mcp-config --for %s"
#define EN_CLIENT_CODEX_REFUSES \
    "%s: without default_tools_approval_mode = \"approve\" codex exec " \
    "refuses run_agents"
#define EN_CLIENT_FILE_UNREADABLE "%s: %s cannot be read (%s)"
#define EN_CLIENT_MEND_FILE "mend it after: kuromajutsu mcp-config --for %s"
#define EN_CLIENT_ADD_ENTRY \
"add to %s (kuromajutsu mcp-config --for %s):\n" \
"%.*s"
#define EN_CLIENT_WITHOUT_ENTRY "%s (%s): without an entry"
#define EN_CLIENT_NONE_HAS_ENTRY "no MCP client has an entry for kuromajutsu%s"

/* transport/command/doctor_hub.c */
#define EN_HUB_HANGS "pid %d holds the lock and does not answer: %s"
#define EN_HUB_SEE_LOG_OR_KILL "see %s/hub.log, and if need be: kill %d"
#define EN_HUB_IS_ANOTHER_USERS "another user listens at %s"
#define EN_HUB_SET_HOME "set KUROMAJUTSU_HOME to a place of yours%s"
#define EN_HUB_NOT_RUNNING \
    "not running (MCP clients start it when they need it)%s"
#define EN_HUB_LEFT_ITS_SOCKET \
    "not running; a dead one's socket is left, the next replaces it%s"
#define EN_HUB_CANNOT_CONNECT "cannot connect to %s: %s"
#define EN_HUB_LOOK_AT_RIGHTS "look at owner and rights: ls -l '%s'"
#define EN_HUB_CONFIG_AT_RESTART \
    "%s was changed, which takes effect when the hub starts again"
#define EN_HUB_CONFIG_OF_BEFORE \
    "the hub that runs goes by what it has read before: %s"
#define EN_HUB_MEND_CONFIG "mend that line, and the hub reads the file again%s"
#define EN_HUB_RUNNING \
    "running, pid %d, agents: %" PRIu64 " running, %" PRIu64 " queued, %" \
    PRIu64 " leaving"
#define EN_HUB_GIVES_NO_ANSWER "pid %d does not answer a question"
#define EN_HUB_SEE_LOG "see %s/hub.log"
#define EN_HUB_ROLE_UNUSABLE "%.*s cannot be used: %.*s"
#define EN_HUB_ROLES_USABLE "roles: %zu, of which %zu can be used (%zu being checked)"
#define EN_HUB_OF_ANOTHER_BUILD "pid %d is of another build: %s (this is %s)"
#define EN_HUB_STOP_WHEN_ENDED "when its agents have ended: kuromajutsu stop%s"

/* transport/command/doctor_notify.c */
#define EN_NOTIFY_NO_SESSION \
    "no desktop session here: nothing is shown on a desktop%s"
#define EN_NOTIFY_NO_PROGRAM \
    "%s is not found: nothing is shown on the desktop"
#define EN_NOTIFY_INSTALL "install it (the package %s, or one like it)"
#define EN_NOTIFY_DESKTOP "desktop, by %s"
#define EN_NOTIFY_WITHHELD \
    "%s does not hold: it came with the project and is not trusted"
#define EN_NOTIFY_TRUST "look at it, then: kuromajutsu trust%s"
#define EN_NOTIFY_NOT_SET "the channel %s is named, but %s is empty"
#define EN_NOTIFY_SET "set %s, or take %s out of notifications"
#define EN_NOTIFY_NOT_WANTED "%s is set, but no kind names the channel %s"
#define EN_NOTIFY_WANT "add %s to notifications.failed, or to another kind"
#define EN_NOTIFY_COMMAND "command, by %s"
#define EN_NOTIFY_COMMAND_MISSING "notifications.command: %s is not found"
#define EN_NOTIFY_COMMAND_NAME "name a program on PATH, or its whole path%s"
#define EN_NOTIFY_WEBHOOK "webhook, to %.*s"

/* transport/command/doctor_setup.c */
#define EN_SETUP_MEND_CONFIG \
    "mend or remove that line. All keys: kuromajutsu help config%s"
#define EN_SETUP_NO_CONFIG "no file, the defaults hold (%s)"
#define EN_SETUP_HOME_IS_NO_DIRECTORY "%s is no directory"
#define EN_SETUP_REMOVE_HOME \
    "remove it, or set KUROMAJUTSU_HOME to another place: %s"
#define EN_SETUP_HOME_IS_ANOTHERS "%s belongs to another user (uid %u)"
#define EN_SETUP_CHOWN_HOME \
    "chown it, or set KUROMAJUTSU_HOME to a place of yours%s"
#define EN_SETUP_CANNOT_WRITE "cannot write to %s: %s"
#define EN_SETUP_OTHERS_CAN_READ "others can read %s (%03o)"
#define EN_SETUP_CANNOT_MAKE "cannot make %s: %s is not ours to write"
#define EN_SETUP_WRITABLE_HOME \
    "set KUROMAJUTSU_HOME to a place you can write to%s"
#define EN_SETUP_NOT_YET_THERE "%s (not yet there; the first use makes it)"
#define EN_SETUP_SOCKET_PATH_LONG \
    "its path has %zu bytes (over 107): it works, but other tools cannot " \
    "reach it"
#define EN_SETUP_PROGRAM_MISSING "%s is missing or cannot be run"
#define EN_SETUP_BUILD_AGAIN \
    "the three programs belong into one directory. Once more: ./run build%s"

/* transport/command/doctor_system.c */
#define EN_SYSTEM_TOO_FEW_FILES "the limit %llu is too low (%llu are needed)"
#define EN_SYSTEM_RAISE_FILES "raise ulimit -Hn, or lower agent.maxConcurrent%s"
#define EN_SYSTEM_ENOUGH_FILES "%llu (%llu needed)"
#define EN_SYSTEM_MEMORY_ENFORCED "agent.memoryMax_bytes is enforced (%s)"
#define EN_SYSTEM_MEMORY_NOT_ENFORCED \
    "agent.memoryMax_bytes is set and cannot be enforced here, so agents run " \
    "without it: %s"
#define EN_SYSTEM_INOTIFY_ROOM "there is room%s"
#define EN_SYSTEM_INOTIFY_UNUSABLE "cannot be used: %s"
#define EN_SYSTEM_INOTIFY_RAISE "raise it: sysctl %s"

/* clang-format on */

#endif

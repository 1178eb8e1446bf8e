/* SPDX-License-Identifier: MIT */
/* What commands complain of and report, in English. */
#ifndef CONFIG_MESSAGES_COMMAND_EN_H
#define CONFIG_MESSAGES_COMMAND_EN_H

#include <inttypes.h>

/* clang-format off */

/* transport/command/cancel.c */
#define EN_CANCEL_NOTHING "nothing in it was running"
#define EN_CANCEL_DONE "cancelled"
#define EN_CANCEL_WAS_NOT_RUNNING "was not running"

/* transport/command/command.c */
#define EN_COMMAND_UNKNOWN_NEAR "unknown command '%s'. Did you mean %s?"
#define EN_COMMAND_UNKNOWN_OPTION \
    "unknown option '%s'. See `kuromajutsu --help`"
#define EN_COMMAND_NEEDS_VALUE \
    "option %s needs a value. See `kuromajutsu --help`"
#define EN_COMMAND_UNKNOWN "unknown command '%s'. See `kuromajutsu --help`"

/* transport/command/export.c */
#define EN_EXPORT_UNREADABLE "cannot read what %s printed: %s"
#define EN_EXPORT_CANNOT_WRITE "cannot write %s: %s"
#define EN_OPERAND_AGENT_OR_GROUP "an agent's or group's id"
#define EN_EXPORT_NOT_TO_TERMINAL \
    "%s: this is not for a terminal; give it -o FILE"
#define EN_EXPORT_FULL_IS_OF_HTML "%s: --full belongs to --html; give both"
#define EN_EXPORT_HTML_IS_OF_GROUPS \
    "--html: '%s' is not a group's id; give it a group, whose agents come " \
    "with it: kuromajutsu groups"

/* transport/command/export_html.c */
#define EN_EXPORT_NO_PAGE \
    "cannot get the page from kuromajutsu-hub: %s; have it beside " \
    "kuromajutsu, of the same build"
#define EN_EXPORT_STORIES_CUT \
    "long stories were cut: the beginning is left out of so many: %s; --full " \
    "has them whole"

/* transport/command/hub_log.c */
#define EN_LOGS_NO_HUB_LOG \
    "there is no log of a hub (%s); one in the foreground (kuromajutsu " \
    "serve) writes to its terminal"

/* transport/command/hub_question.c */
#define EN_NO_HUB_CONFIG_WRONG \
"no hub is running, and none could start, for the configuration is wrong:\n" \
"%s"
#define EN_NO_HUB \
"no hub is running%s.\n" \
"An MCP client starts it when it is first used; by hand: kuromajutsu start"
#define EN_NO_HUB_OF_DATABASE \
"no hub of the database %s is running.\n" \
"An MCP client starts it when it is first used; by hand: kuromajutsu start " \
"--db '%s'"
#define EN_HUB_DOES_NOT_ANSWER \
    "the hub does not answer (%s). Its log: %s/hub.log"
#define EN_HUB_BELONGS_TO_ANOTHER \
    "%s: another user listens there, who is told nothing; set " \
    "KUROMAJUTSU_HOME to a place of your own"
#define EN_HUB_IS_LEAVING "the hub is leaving (%s)"
#define EN_HUB_CANNOT_SPEAK "cannot speak with the hub (%s): %s"

/* transport/command/ids.c */
#define EN_ID_AMBIGUOUS "several ids begin or end with '%s':%.*s"
#define EN_ID_TOO_SHORT "'%s' is too short: %zu characters of an id are wanted"

/* transport/command/mcp_config.c */
#define EN_MCP_CONFIG_NO_UTF8 "a path that is no UTF-8 cannot be written: %s"
#define EN_MCP_CONFIG_IN_PROJECT_ALONE \
    "the entry is for clients that start it in the project%s alone"
#define EN_MCP_CONFIG_PROJECT ""
#define EN_MCP_CONFIG_NO_CLIENT "mcp-config: --for is one of %.*s, not '%s'"
#define EN_MCP_CONFIG_WHERE \
    "%s: put this into %s (if there is one, add kuromajutsu to its %s).\n"

/* transport/command/options.c */
#define EN_OPTION_UNKNOWN_NEAR "%s: unknown option '%s'. Did you mean %s?"
#define EN_OPTION_UNKNOWN "%s: unknown option '%s'. See `kuromajutsu help %s`"
#define EN_OPTION_TAKES_NO_VALUE "%s: option %s takes no value"
#define EN_OPTION_NEEDS_VALUE "%s: option %s needs a value"
#define EN_OPTION_TWICE "%s: option %s is given twice"
#define EN_OPERAND_MISSING "%s: %s is missing. See `kuromajutsu help %s`"
#define EN_OPERAND_TOO_MUCH "%s: '%s' is too much. See `kuromajutsu help %s`"
#define EN_OPTION_NO_NUMBER \
    "%s: %s must be a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'"
#define EN_OPTION_NO_CHOICE "%s: %s cannot be '%s'. %s%s%sOne of: %.*s"
#define EN_OPTION_AFTER_NEAR "? "

/* transport/command/records.c */
#define EN_RECORDS_NONE \
"nothing is recorded of this project yet, and no hub is running%s.\n" \
"It begins when an MCP client is first used; by hand: kuromajutsu start"
#define EN_RECORDS_NO_READER \
    "cannot speak with kuromajutsu-hub, which reads what is recorded: %s"
#define EN_RECORDS_WITHOUT_HUB \
    "No hub is running; to have one take over: kuromajutsu start\n"

/* transport/command/retry.c */
#define EN_RETRY_GROUP "group "
#define EN_RETRY_GROUP_ALONE "%s: name a group by itself, without others: '%s'"
#define EN_RETRY_FAILED_OF_GROUP \
    "%s: --failed is for a group, whose id begins with grp-, not for '%s'"
#define EN_RETRY_PAST_PART \
    "agent '%s' was part of a plan of long ago, of which the hub has the results " \
    "and not the order. To have it done again, give its prompt to your main " \
    "agent: kuromajutsu show %s"
#define EN_RETRY_PAST_APART \
    "'%s' and others are not all of long ago; retry those of long ago apart " \
    "from the rest"
#define EN_RETRY_OF_THE_PAST "retry of %s"
#define EN_OPERAND_AN_AGENT_OR_GROUP "an agent's or a group's id"

/* transport/command/start.c */
#define EN_START_FAILED "the hub cannot be started: %.*s. Its log: %s/hub.log"
#define EN_START_DONE "The hub has started (pid %u)."
#define EN_START_RUNS_ALREADY "The hub runs already (pid %u)."
#define EN_START_DASHBOARD " The dashboard: "
#define EN_START_NO_DASHBOARD " There is no dashboard."
#define EN_START_NOT_FOR_AGENTS \
    "%s: not inside an agent, with which the hub would end; a person has to " \
    "say it in a terminal"

/* transport/command/stop.c */
#define EN_STOP_DOES_NOT_END \
    "the hub (pid %d) does not end. Its log: %s/hub.log"
#define EN_STOP_DONE "The hub (pid %d) has ended."
#define EN_STOP_AGENTS_WAIT_ONE " %" PRIu64 " agent waits for the next one."
#define EN_STOP_AGENTS_WAIT " %" PRIu64 " agents wait for the next one."
#define EN_STOP_AGENTS_ENDED_ONE " %" PRIu64 " agent ended with it."
#define EN_STOP_AGENTS_ENDED " %" PRIu64 " agents ended with it."

/* transport/command/trust.c */
#define EN_TRUST_SECRET "(a secret)"
#define EN_TRUST_TAKEN_UP \
    "the hub that runs takes it up within seconds (dashboard host, token and " \
    "tokenFile when it starts again: kuromajutsu stop --keep-agents)\n"
#define EN_TRUST_NOT_NEEDED ": nothing in it needs trust\n"
#define EN_TRUST_DONE "trusted, until one of these values changes.\n"
#define EN_TRUST_TAKEN_BACK ": not trusted any more\n"
#define EN_TRUST_NOT_FOR_AGENTS \
    "%s: not for agents: a person has to say it in a terminal"

/* transport/command/wait.c */
#define EN_WAIT_TIMED_OUT "%s has not ended (--timeout)"
#define EN_WAIT_NO_HUB \
    "%.*s has not ended, and no hub runs that it could be waited for with; " \
    "to have one take over: kuromajutsu start"

/* transport/command/when.c */
#define EN_OPTION_NO_TIME \
    "%s: %s: '%s' is no time (such as 2h, 3d, 2026-02-13 or 2026-02-13T12:00)"

/* clang-format on */

#endif

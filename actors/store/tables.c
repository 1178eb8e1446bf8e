/* SPDX-License-Identifier: MIT */
#include "actors/store/tables.h"

#include <stdio.h>

#include "actors/store/query.h"

/*
 * An agent is two rows: a slim one that lists and sums run over, and its
 * texts. Times that have not come are 0.
 *
 * The search index holds trigrams, since Japanese has no spaces to split at,
 * and only which agents have them (detail=none, no copy of the texts): what
 * it finds is looked at again in the texts themselves (ask_history.c). An
 * index without a copy must be told the old text to forget it, so whatever
 * changes a text first takes it out; it is put in again, from the same view, by
 * search_index.c. Beyond its bound a text is kept but not searched.
 */
static const char version_1[] =
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE groups(serial INTEGER PRIMARY KEY, id TEXT NOT NULL,"
    " description TEXT NOT NULL, mode TEXT NOT NULL, parent INTEGER,"
    " created_at INTEGER NOT NULL, deleted_at INTEGER NOT NULL DEFAULT 0,"
    " stage INTEGER NOT NULL DEFAULT 0, stages INTEGER NOT NULL DEFAULT 0,"
    " has_plan INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX groups_by_id ON groups(id);"
    "CREATE INDEX groups_by_end ON groups(deleted_at);"
    "CREATE INDEX groups_by_parent ON groups(parent)"
    " WHERE parent IS NOT NULL;"
    "CREATE TABLE orders(first INTEGER PRIMARY KEY, grp INTEGER NOT NULL,"
    " kind TEXT NOT NULL, args TEXT NOT NULL, caller TEXT NOT NULL,"
    " directory TEXT NOT NULL, count INTEGER NOT NULL,"
    " created_at INTEGER NOT NULL);"
    "CREATE INDEX orders_by_group ON orders(grp);"
    "CREATE TABLE agents(serial INTEGER PRIMARY KEY, id TEXT NOT NULL,"
    " ord INTEGER NOT NULL, grp INTEGER NOT NULL, stage INTEGER NOT NULL,"
    " role TEXT NOT NULL, model TEXT NOT NULL, backend TEXT NOT NULL,"
    " directory TEXT NOT NULL, timeout_ms INTEGER NOT NULL,"
    " created_at INTEGER NOT NULL, state TEXT NOT NULL DEFAULT 'queued',"
    " started_at INTEGER NOT NULL DEFAULT 0,"
    " finished_at INTEGER NOT NULL DEFAULT 0,"
    " gone_at INTEGER NOT NULL DEFAULT 0,"
    " elapsed_ms INTEGER NOT NULL DEFAULT 0,"
    " tool_calls INTEGER NOT NULL DEFAULT 0,"
    " session_id TEXT NOT NULL DEFAULT '', cli_model TEXT NOT NULL DEFAULT '',"
    " input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0,"
    " cache_read INTEGER NOT NULL DEFAULT 0,"
    " cache_write INTEGER NOT NULL DEFAULT 0, cost INTEGER,"
    " messages INTEGER NOT NULL DEFAULT 0, lines INTEGER NOT NULL DEFAULT 0,"
    " outcome TEXT NOT NULL DEFAULT '',"
    " duration_ms INTEGER NOT NULL DEFAULT 0,"
    " is_reported INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX agents_by_id ON agents(id);"
    "CREATE INDEX agents_by_group ON agents(grp);"
    "CREATE INDEX agents_by_order ON agents(ord);"
    "CREATE INDEX agents_by_start ON agents(started_at);"
    "CREATE INDEX agents_not_gone ON agents(grp) WHERE gone_at = 0;"
    "CREATE TABLE texts(serial INTEGER PRIMARY KEY, prompt TEXT NOT NULL,"
    " summary TEXT NOT NULL DEFAULT '', response TEXT NOT NULL DEFAULT '',"
    " error TEXT NOT NULL DEFAULT '', edited TEXT NOT NULL DEFAULT '[]',"
    " created TEXT NOT NULL DEFAULT '[]');"
    "CREATE VIEW searchable(serial, prompt, summary, response, files) AS"
    " SELECT serial, substr(prompt, 1, 65536), substr(summary, 1, 65536),"
    " substr(response, 1, 65536), substr(edited || created, 1, 65536)"
    " FROM texts;"
    "CREATE VIRTUAL TABLE agents_fts USING fts5(prompt, summary, response,"
    " files, content='', columnsize=0, detail=none, tokenize='trigram');"
    "CREATE TABLE states(agent INTEGER NOT NULL, at INTEGER NOT NULL,"
    " state TEXT NOT NULL, UNIQUE(agent, at, state));"
    "CREATE TABLE ledgers(serial INTEGER PRIMARY KEY, grp INTEGER NOT NULL,"
    " at INTEGER NOT NULL, json TEXT NOT NULL, iteration INTEGER NOT NULL,"
    " is_stalled INTEGER NOT NULL, is_exhausted INTEGER NOT NULL);"
    "CREATE INDEX ledgers_by_group ON ledgers(grp);"
    "CREATE TABLE events(seq INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " type TEXT NOT NULL, grp INTEGER, agent INTEGER, data TEXT NOT NULL);"
    "CREATE INDEX events_by_group ON events(grp) WHERE grp IS NOT NULL;"
    "CREATE INDEX events_by_agent ON events(agent) WHERE agent IS NOT NULL;"
    "CREATE TABLE calls(key TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,"
    " is_error INTEGER NOT NULL, answer TEXT NOT NULL);"
    "CREATE TABLE health(key TEXT PRIMARY KEY, json TEXT NOT NULL);"
    "CREATE TABLE leavings(id TEXT PRIMARY KEY) WITHOUT ROWID;"
    "PRAGMA application_id = 0x4b75726f;";

/* What is on disk of the transcripts of agents that are gone. */
static const char version_2[] =
    "ALTER TABLE agents ADD COLUMN form INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE agents ADD COLUMN transcript INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX agents_whole ON agents(gone_at, id)"
    " WHERE gone_at > 0 AND form = 0;"
    "CREATE INDEX agents_kept ON agents(gone_at, transcript, id)"
    " WHERE gone_at > 0 AND form < 2;";

/* Before, nothing was ever written to it. */
static const char version_3[] =
    "DROP TABLE health;"
    "CREATE TABLE health(backend TEXT NOT NULL, program TEXT NOT NULL,"
    " model TEXT NOT NULL, prompt TEXT NOT NULL, at INTEGER NOT NULL,"
    " response_ms INTEGER NOT NULL,"
    " PRIMARY KEY(backend, program, model, prompt)) WITHOUT ROWID;";

static const char version_4[] =
    "ALTER TABLE agents ADD COLUMN retry_of TEXT NOT NULL DEFAULT '';";

/* Empty: the hub that has made the group did not note it. */
static const char version_5[] =
    "ALTER TABLE groups ADD COLUMN language TEXT NOT NULL DEFAULT '';";

/* When a transcript had been read up to which byte; 0: not known. */
static const char version_6[] =
    "CREATE TABLE line_times(agent INTEGER NOT NULL, up_to INTEGER NOT NULL,"
    " at INTEGER NOT NULL, PRIMARY KEY(agent, up_to)) WITHOUT ROWID;";

/* Of what a person is to be told, until a notification has. */
static const char version_7[] =
    "CREATE TABLE notices(number INTEGER PRIMARY KEY, kind TEXT NOT NULL,"
    " at INTEGER NOT NULL, grp TEXT NOT NULL, agent TEXT NOT NULL,"
    " role TEXT NOT NULL, other TEXT NOT NULL, first INTEGER NOT NULL,"
    " second INTEGER NOT NULL, text TEXT NOT NULL);"
    "CREATE INDEX events_notified ON events(seq)"
    " WHERE type = 'notification:raised';";

/* Past moments: how agents got on, and pictures to go on from. agents.samples
 * is what the samples of one that is gone take. */
static const char version_8[] =
    "CREATE TABLE samples(agent INTEGER NOT NULL, at INTEGER NOT NULL,"
    " follows INTEGER NOT NULL, tool_calls INTEGER NOT NULL,"
    " input INTEGER NOT NULL, output INTEGER NOT NULL,"
    " cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL,"
    " cost INTEGER, edited INTEGER NOT NULL, created INTEGER NOT NULL,"
    " tool TEXT NOT NULL, said TEXT NOT NULL, PRIMARY KEY(agent, at))"
    " WITHOUT ROWID;"
    "CREATE TABLE checkpoints(seq INTEGER PRIMARY KEY, at INTEGER NOT NULL,"
    " is_base INTEGER NOT NULL, bytes INTEGER NOT NULL, data BLOB NOT NULL);"
    "ALTER TABLE agents ADD COLUMN samples INTEGER NOT NULL DEFAULT 0;"
    "CREATE INDEX agents_sampled ON agents(gone_at, samples)"
    " WHERE samples > 0;";

/* What the tool at work was about, and since when it was. */
static const char version_9[] =
    "ALTER TABLE samples ADD COLUMN title TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE samples ADD COLUMN tool_at INTEGER NOT NULL DEFAULT 0;";

/*
 * Mail (actors/mail). A message to one has its state in its row: 0 pending, 1
 * read, 2 archived; one to all has receipts. Numbers of messages are never used
 * again, for mailboxes remember them. state of a mailbox: see mailbox.c.
 * untold is what has happened in works and is no event yet.
 */
static const char version_10[] =
    "CREATE TABLE mail_agents(id TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " description TEXT, state INTEGER NOT NULL,"
    " registered_by TEXT NOT NULL DEFAULT '', since INTEGER NOT NULL,"
    " done INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,"
    " active_at INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE mail_messages(seq INTEGER PRIMARY KEY AUTOINCREMENT,"
    " id TEXT NOT NULL UNIQUE, sender TEXT NOT NULL, receiver TEXT,"
    " type TEXT NOT NULL, content TEXT NOT NULL, metadata TEXT NOT NULL,"
    " created_at INTEGER NOT NULL, status INTEGER NOT NULL DEFAULT 0,"
    " read_at INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX mail_pending ON mail_messages(receiver, seq)"
    " WHERE status = 0;"
    "CREATE INDEX mail_read ON mail_messages(receiver, seq)"
    " WHERE status = 1;"
    "CREATE INDEX mail_broadcasts ON mail_messages(seq)"
    " WHERE receiver IS NULL;"
    "CREATE INDEX mail_by_time ON mail_messages(created_at, seq);"
    "CREATE TABLE mail_receipts(agent TEXT NOT NULL,"
    " message INTEGER NOT NULL, read_at INTEGER NOT NULL,"
    " PRIMARY KEY(agent, message)) WITHOUT ROWID;"
    "CREATE INDEX mail_receipts_by_message ON mail_receipts(message);"
    "CREATE TABLE mail_contexts(key TEXT NOT NULL UNIQUE,"
    " value TEXT NOT NULL, owner TEXT NOT NULL, is_public INTEGER NOT NULL,"
    " updated_by TEXT NOT NULL, created_at INTEGER NOT NULL,"
    " updated_at INTEGER NOT NULL);"
    "CREATE TABLE mail_context_readers(key TEXT NOT NULL,"
    " agent TEXT NOT NULL, PRIMARY KEY(key, agent)) WITHOUT ROWID;"
    "CREATE TABLE untold(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " at INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL);";

/* What two have written to each other, and what has happened in mail: both are
 * looked for from a moment on. Its terms stand one by one, for SQLite knows an
 * index by them only so. */
static const char version_11[] =
    "CREATE INDEX mail_between ON mail_messages(sender, receiver, seq)"
    " WHERE receiver IS NOT NULL;"
    "CREATE INDEX events_of_mail ON events(type, seq)"
    " WHERE type = 'mail:registered' OR type = 'mail:sent'"
    " OR type = 'mail:read' OR type = 'context:shared';";

/*
 * Phases (actors/phases). status of a record: see enum phase_status. A prompt
 * is kept as its source last gave it: language is '' where it has no other,
 * origin is the file or the site. A plan is a group whose stages are the phases
 * from `first` on; `done` of them have been entered into the records.
 */
static const char version_12[] =
    "CREATE TABLE phase_records(project TEXT NOT NULL,"
    " phase INTEGER NOT NULL, status INTEGER NOT NULL,"
    " attempts INTEGER NOT NULL, started_at INTEGER NOT NULL,"
    " completed_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
    " result TEXT, files TEXT NOT NULL DEFAULT '[]',"
    " PRIMARY KEY(project, phase)) WITHOUT ROWID;"
    "CREATE TABLE phase_checkpoints(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " project TEXT NOT NULL, phase INTEGER NOT NULL, name TEXT NOT NULL,"
    " data TEXT NOT NULL, saved_at INTEGER NOT NULL);"
    "CREATE INDEX phase_checkpoints_of ON phase_checkpoints(project, phase,"
    " number);"
    "CREATE TABLE phase_prompts(phase INTEGER NOT NULL, source TEXT NOT NULL,"
    " language TEXT NOT NULL, origin TEXT NOT NULL, title TEXT NOT NULL,"
    " content TEXT NOT NULL, version INTEGER NOT NULL,"
    " fetched_at INTEGER NOT NULL,"
    " PRIMARY KEY(phase, source, language, origin)) WITHOUT ROWID;"
    "CREATE TABLE phase_plans(grp TEXT PRIMARY KEY, project TEXT NOT NULL,"
    " first INTEGER NOT NULL, done INTEGER NOT NULL DEFAULT 0,"
    " is_over INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE INDEX events_phases ON events(seq) WHERE type = 'phase:changed';";

/*
 * Projects (actors/projects). Secrets are kept as what they come to: passkeys
 * by PBKDF2, tokens by SHA-256; `call` is the key of the call that made one, so
 * that a call repeated is given another instead of being refused. An instance
 * is an agent that the runner has started, from before its start to its end;
 * there is one for an agent and a project at a time, as there is one session.
 * Who may act under a mailbox besides its owner is in mail_actors.
 */
static const char version_13[] =
    "CREATE TABLE pm_projects(id TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " description TEXT NOT NULL, status TEXT NOT NULL, directory TEXT,"
    " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE pm_agents(id TEXT PRIMARY KEY, name TEXT NOT NULL,"
    " role TEXT NOT NULL, type TEXT NOT NULL, ai_type TEXT, model TEXT,"
    " runs_as TEXT, role_type TEXT NOT NULL, hierarchy TEXT NOT NULL,"
    " parent TEXT, max_parallel INTEGER NOT NULL, capabilities TEXT NOT NULL,"
    " system_prompt TEXT, status TEXT NOT NULL, created_at INTEGER NOT NULL,"
    " updated_at INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE pm_assignments(project TEXT NOT NULL, agent TEXT NOT NULL,"
    " assigned_at INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0,"
    " cool_until INTEGER NOT NULL DEFAULT 0, cool_reason TEXT,"
    " PRIMARY KEY(project, agent)) WITHOUT ROWID;"
    "CREATE INDEX pm_assignments_by_agent ON pm_assignments(agent);"
    "CREATE TABLE pm_tasks(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " id TEXT NOT NULL UNIQUE, project TEXT NOT NULL, title TEXT NOT NULL,"
    " description TEXT NOT NULL, status TEXT NOT NULL, priority TEXT NOT NULL,"
    " assignee TEXT, parent TEXT, created_by TEXT, blocked_reason TEXT,"
    " result TEXT, summary TEXT, estimated INTEGER, actual INTEGER,"
    " created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,"
    " started_at INTEGER NOT NULL DEFAULT 0,"
    " completed_at INTEGER NOT NULL DEFAULT 0);"
    "CREATE INDEX pm_tasks_by_project ON pm_tasks(project, status);"
    "CREATE INDEX pm_tasks_by_assignee ON pm_tasks(assignee, status);"
    "CREATE INDEX pm_tasks_by_parent ON pm_tasks(parent)"
    " WHERE parent IS NOT NULL;"
    "CREATE TABLE pm_dependencies(task TEXT NOT NULL, needs TEXT NOT NULL,"
    " PRIMARY KEY(task, needs)) WITHOUT ROWID;"
    "CREATE INDEX pm_dependencies_by_needs ON pm_dependencies(needs);"
    "CREATE TABLE pm_passkeys(agent TEXT PRIMARY KEY,"
    " iterations INTEGER NOT NULL, salt TEXT NOT NULL, hash TEXT NOT NULL,"
    " call TEXT NOT NULL, created_at INTEGER NOT NULL,"
    " used_at INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE TABLE pm_instances(id TEXT PRIMARY KEY, agent TEXT NOT NULL,"
    " project TEXT NOT NULL, run TEXT NOT NULL DEFAULT '', task TEXT,"
    " claimed_at INTEGER NOT NULL, key_until INTEGER NOT NULL,"
    " call TEXT NOT NULL DEFAULT '', ended_at INTEGER NOT NULL DEFAULT 0,"
    " outcome TEXT NOT NULL DEFAULT '') WITHOUT ROWID;"
    "CREATE UNIQUE INDEX pm_instances_live ON pm_instances(agent, project)"
    " WHERE ended_at = 0;"
    "CREATE INDEX pm_instances_by_run ON pm_instances(run) WHERE run <> '';"
    "CREATE TABLE pm_sessions(id TEXT PRIMARY KEY,"
    " token TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, project TEXT NOT NULL,"
    " task TEXT, run TEXT NOT NULL, call TEXT NOT NULL,"
    " created_at INTEGER NOT NULL, active_at INTEGER NOT NULL,"
    " expires_at INTEGER NOT NULL, UNIQUE(agent, project)) WITHOUT ROWID;"
    "CREATE INDEX pm_sessions_by_run ON pm_sessions(run) WHERE run <> '';"
    "CREATE TABLE pm_contexts(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, agent TEXT, session TEXT,"
    " progress TEXT, findings TEXT, blockers TEXT, next_steps TEXT,"
    " created_at INTEGER NOT NULL);"
    "CREATE INDEX pm_contexts_by_task ON pm_contexts(task, number);"
    "CREATE TABLE pm_handoffs(number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " id TEXT NOT NULL UNIQUE, task TEXT NOT NULL, sender TEXT NOT NULL,"
    " receiver TEXT, summary TEXT NOT NULL, context TEXT,"
    " recommendations TEXT, accepted_by TEXT,"
    " accepted_at INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL);"
    "CREATE INDEX pm_handoffs_by_task ON pm_handoffs(task, number);"
    "CREATE INDEX pm_handoffs_pending ON pm_handoffs(receiver, number)"
    " WHERE accepted_at = 0;"
    "CREATE TABLE mail_actors(mailbox TEXT NOT NULL, run TEXT NOT NULL,"
    " PRIMARY KEY(mailbox, run)) WITHOUT ROWID;"
    "CREATE INDEX events_of_projects ON events(type, seq)"
    " WHERE type = 'pm:project' OR type = 'pm:agent' OR type = 'pm:assigned'"
    " OR type = 'pm:task' OR type = 'pm:context' OR type = 'pm:handoff'"
    " OR type = 'pm:session';";

/* Which texts are in the search index: it is behind, and catches up
 * (search_index.h). Before, it never was. */
static const char version_14[] =
    "ALTER TABLE texts ADD COLUMN is_indexed INTEGER NOT NULL DEFAULT 1;"
    "CREATE INDEX texts_not_indexed ON texts(serial) WHERE is_indexed = 0;"
    "DROP VIEW searchable;"
    "CREATE VIEW searchable(serial, prompt, summary, response, files,"
    " is_indexed) AS"
    " SELECT serial, substr(prompt, 1, 65536), substr(summary, 1, 65536),"
    " substr(response, 1, 65536), substr(edited || created, 1, 65536),"
    " is_indexed FROM texts;";

static const char *const steps[TABLES_VERSION] = {
    version_1,  version_2,  version_3,  version_4, version_5,
    version_6,  version_7,  version_8,  version_9, version_10,
    version_11, version_12, version_13, version_14};

const char *const *tables_steps(void)
{
    return steps;
}

/* ---- migration --------------------------------------------------------- */

static int climb(sqlite3 *db, const char *const *by, int count)
{
    char version[40];
    int64_t at = 0;
    int code = query_sql_number(db, "PRAGMA user_version", &at);

    if (code == SQLITE_OK && at > count)
        return SQLITE_SCHEMA;
    for (; code == SQLITE_OK && at < count; at++)
        code = sqlite3_exec(db, by[at], NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return code;
    snprintf(version, sizeof(version), "PRAGMA user_version = %d", count);
    return sqlite3_exec(db, version, NULL, NULL, NULL);
}

int tables_migrate(sqlite3 *db, const char *const *by, int count)
{
    int code = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);

    if (code != SQLITE_OK)
        return code;
    code = climb(db, by, count);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
    if (code != SQLITE_OK)
        sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return code;
}

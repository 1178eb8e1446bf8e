/* SPDX-License-Identifier: MIT */
/*
 * Bare SQLite doing what mail does for a message that is sent and received, on
 * one thread, each call a transaction of its own: the same rows, statements,
 * schema and pragmas, but for the row of what is no event yet: here it is one
 * at once. Prints one JSON object: pairs per second.
 *
 *   mail-bare FILE SECONDS
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bare.h"

#define CONTENT "Ready for review: part 1"

static sqlite3_stmt *find, *send, *look, *mark;
static sqlite3_int64 serial;

static void prepare(struct bare *b)
{
    find = bare_prepare(b, "SELECT state FROM mail_agents WHERE id = ?1");
    send = bare_prepare(
        b, "INSERT INTO mail_messages(id, sender, receiver, type, content,"
           " metadata, created_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)");
    look = bare_prepare(
        b, "SELECT seq, id, sender, receiver, type, content, metadata,"
           " created_at, 0 FROM mail_messages WHERE receiver = ?1"
           " AND status = 0 UNION ALL SELECT seq, id, sender, receiver, type,"
           " content, metadata, created_at, 0 FROM mail_messages"
           " WHERE receiver IS NULL AND sender <> ?1 AND seq > 0 AND NOT"
           " EXISTS (SELECT 1 FROM mail_receipts WHERE agent = ?1"
           " AND message = seq) ORDER BY 1 LIMIT 2");
    mark = bare_prepare(b, "UPDATE mail_messages SET status = 1, read_at = ?2"
                           " WHERE seq = ?1");
}

static void run_send(struct bare *b, const char *id)
{
    char data[320];

    bare_run(b, b->begin);
    bare_text(find, 1, "agent-1");
    bare_run(b, find);
    bare_text(find, 1, "agent-2");
    bare_run(b, find);
    bare_text(send, 1, id);
    bare_text(send, 2, "agent-1");
    bare_text(send, 3, "agent-2");
    bare_text(send, 4, "direct");
    bare_text(send, 5, CONTENT);
    bare_text(send, 6, "{}");
    sqlite3_bind_int64(send, 7, bare_now());
    bare_run(b, send);
    snprintf(data, sizeof(data),
             "{\"id\":\"%s\",\"sender_id\":\"agent-1\",\"receiver_id\":"
             "\"agent-2\",\"message_type\":\"direct\",\"content\":\"" CONTENT
             "\",\"created_at\":\"2026-01-01T00:00:00.000Z\"}",
             id);
    bare_run_rest(b, "mail:sent", 0, data);
    bare_run(b, b->commit);
}

static void run_receive(struct bare *b)
{
    bare_run(b, b->begin);
    bare_text(look, 1, "agent-2");
    bare_run(b, look);
    sqlite3_bind_int64(mark, 1, serial);
    sqlite3_bind_int64(mark, 2, bare_now());
    bare_run(b, mark);
    bare_run_rest(b, "mail:read", 0,
                  "{\"agent_id\":\"agent-2\",\"direct\":1,\"broadcast\":0,"
                  "\"read_at\":\"2026-01-01T00:00:00.000Z\"}");
    bare_run(b, b->commit);
}

static void run_pair(struct bare *b)
{
    char id[40];

    serial++;
    snprintf(id, sizeof(id), "%08llx-1111-4111-8111-%012llx",
             (unsigned long long)serial * 2654435761u & 0xffffffff,
             (unsigned long long)serial);
    run_send(b, id);
    run_receive(b);
}

int main(int argc, char **argv)
{
    struct bare b = {0};

    if (argc != 3 || atof(argv[2]) <= 0) {
        fprintf(stderr, "usage: mail-bare FILE SECONDS\n");
        return 2;
    }
    bare_open(&b, argv[1]);
    prepare(&b);
    bare_measure(&b, argv[2], run_pair);
    bare_close(&b);
    return 0;
}

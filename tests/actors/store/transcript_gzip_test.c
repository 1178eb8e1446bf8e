/* SPDX-License-Identifier: MIT */
/* What is packed is read again, from anywhere in it. */
#include "actors/store/agent_dirs_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"

#define LINE 16 /* bytes of each */

static char top[64];
static struct agent_dirs agent_dirs;

static void run(const char *command)
{
    char line[4300];

    snprintf(line, sizeof(line), "cd '%s' && %s", top, command);
    TEST_ASSERT_EQUAL_INT(0, system(line));
}

void setUp(void)
{
    strcpy(top, "/tmp/kuro-packed-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(top));
    run("mkdir -p agents/a-1");
    TEST_ASSERT_EQUAL_INT(0, agent_dirs_open(&agent_dirs, top));
}

void tearDown(void)
{
    agent_dirs_close(&agent_dirs);
    run("rm -rf agents");
    rmdir(top);
}

static void write_lines(unsigned lines)
{
    char path[128];
    FILE *f;

    snprintf(path, sizeof(path), "%s/agents/a-1/stdout.ndjson", top);
    f = fopen(path, "w");
    for (unsigned i = 0; i < lines; i++)
        fprintf(f, "line %10u\n", i);
    fclose(f);
}

static void pack(void)
{
    int rc;

    while ((rc = agent_dirs_pack(&agent_dirs, "a-1")) == 1)
        ;
    TEST_ASSERT_EQUAL_INT(0, rc);
}

static struct agent_dirs_reading *open_reading(void)
{
    struct agent_dirs_reading *r;

    TEST_ASSERT_EQUAL_INT(0, agent_dirs_reading_open(&agent_dirs, "a-1", &r));
    return r;
}

/* The line of this number and some behind it; how often it had to go on. */
static unsigned check_line(struct agent_dirs_reading *r, unsigned line)
{
    char want[LINE + 1], got[3 * LINE];
    unsigned steps = 0;
    int rc;

    while ((rc = agent_dirs_reading_seek(r, (uint64_t)line * LINE)) == 1)
        steps++;
    TEST_ASSERT_EQUAL_INT(0, rc);
    TEST_ASSERT_EQUAL_UINT64((uint64_t)line * LINE, agent_dirs_reading_at(r));
    TEST_ASSERT_EQUAL_INT(sizeof(got),
                          agent_dirs_reading_read(r, got, sizeof(got)));
    for (unsigned i = 0; i < 3; i++) {
        snprintf(want, sizeof(want), "line %10u\n", line + i);
        TEST_ASSERT_EQUAL_STRING_LEN(want, got + i * LINE, LINE);
    }
    return steps;
}

static void check_reading(unsigned lines)
{
    /* Across the ends of members, back and forth. */
    const unsigned all[] = {0,     65535,  65534, lines - 3, 1,
                            65536, 131071, 7,     lines / 2, 65533};
    struct agent_dirs_reading *r = open_reading();
    char rest[8];

    TEST_ASSERT_EQUAL_UINT64((uint64_t)lines * LINE,
                             agent_dirs_reading_size(r));
    for (unsigned i = 0; i < sizeof(all) / sizeof(*all); i++)
        check_line(r, all[i]);
    while (agent_dirs_reading_seek(r, (uint64_t)lines * LINE) == 1)
        ;
    TEST_ASSERT_EQUAL_INT(0, agent_dirs_reading_read(r, rest, sizeof(rest)));
    agent_dirs_reading_close(r);
}

static void a_transcript_is_entered_anywhere(void)
{
    write_lines(200000);
    check_reading(200000);
    pack();
    run("gzip -t agents/a-1/stdout.ndjson.gz");
    check_reading(200000);
}

/* Of whole MiB, and of nothing. */
static void every_size_is_packed(void)
{
    struct agent_dirs_reading *r;

    write_lines(131072);
    pack();
    r = open_reading();
    TEST_ASSERT_EQUAL_UINT64((uint64_t)2 << 20, agent_dirs_reading_size(r));
    check_line(r, 131069);
    agent_dirs_reading_close(r);
    run("rm agents/a-1/*");
    write_lines(0);
    pack();
    r = open_reading();
    TEST_ASSERT_EQUAL_UINT64(0, agent_dirs_reading_size(r));
    TEST_ASSERT_EQUAL_INT(0, agent_dirs_reading_seek(r, 5));
    TEST_ASSERT_EQUAL_INT(0, agent_dirs_reading_read(r, (char[8]){0}, 8));
    agent_dirs_reading_close(r);
}

/* A member is entered without unpacking what lies before it. */
static void far_away_needs_no_unpacking(void)
{
    const unsigned lines = 1000000; /* 15 MiB */
    struct agent_dirs_reading *r;

    write_lines(lines);
    pack();
    r = open_reading();
    TEST_ASSERT_EQUAL_UINT(0, check_line(r, lines - 3));
    TEST_ASSERT_EQUAL_UINT(0, check_line(r, 1));
    TEST_ASSERT_EQUAL_UINT(0, check_line(r, lines / 2));
    agent_dirs_reading_close(r);
}

static void what_was_packed_as_one_is_read(void)
{
    write_lines(200000);
    run("gzip agents/a-1/stdout.ndjson");
    check_reading(200000);
}

/* An index that does not fit is none, and a file that is none an error. */
static void a_strange_file_harms_nobody(void)
{
    struct agent_dirs_reading *r;
    char byte;

    write_lines(200000);
    pack();
    run("printf '\\377\\377' | dd of=agents/a-1/stdout.ndjson.gz bs=1 seek=16"
        " conv=notrunc status=none");
    r = open_reading();
    check_line(r, 199997);
    check_line(r, 3);
    agent_dirs_reading_close(r);
    run("head -c 3000 agents/a-1/stdout.ndjson.gz > x &&"
        " mv x agents/a-1/stdout.ndjson.gz");
    r = open_reading();
    TEST_ASSERT_EQUAL_INT(-EIO, agent_dirs_reading_seek(r, 900000));
    agent_dirs_reading_close(r);
    run("echo nonsense > agents/a-1/stdout.ndjson.gz");
    r = open_reading();
    TEST_ASSERT_EQUAL_INT(-EIO, agent_dirs_reading_read(r, &byte, 1));
    agent_dirs_reading_close(r);
}

int main(void)
{
    TAP_BEGIN();
    TEST(a_transcript_is_entered_anywhere);
    TEST(every_size_is_packed);
    TEST(far_away_needs_no_unpacking);
    TEST(what_was_packed_as_one_is_read);
    TEST(a_strange_file_harms_nobody);
    return TAP_END();
}

/* SPDX-License-Identifier: MIT */
#include "actors/store/agent_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tap.h"

static char top[64];
static struct agent_dirs agent_dirs;

static const char *in_top(const char *name)
{
    static char path[4][4200];
    static unsigned at;

    at = (at + 1) % 4;
    snprintf(path[at], sizeof(path[at]), "%s/%s", top, name);
    return path[at];
}

static void run(const char *command)
{
    char line[4300];

    snprintf(line, sizeof(line), "cd '%s' && %s", top, command);
    TEST_ASSERT_EQUAL_INT(0, system(line));
}

static bool is_there(const char *name)
{
    struct stat st;

    return lstat(in_top(name), &st) == 0;
}

void setUp(void)
{
    strcpy(top, "/tmp/kuro-attic-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(top));
    run("mkdir agents");
    TEST_ASSERT_EQUAL_INT(0, agent_dirs_open(&agent_dirs, top));
}

void tearDown(void)
{
    agent_dirs_close(&agent_dirs);
    run("rm -rf agents outside");
    rmdir(top);
}

static int finish(int (*step)(struct agent_dirs *, const char *),
                  const char *id)
{
    int rc;

    while ((rc = step(&agent_dirs, id)) == 1)
        ;
    return rc;
}

static void a_directory_goes_with_all_in_it(void)
{
    run("mkdir -p agents/a-1/b/c agents/a-2 && touch agents/a-1/b/c/x"
        " agents/a-2/x");
    run("i=0; while [ $i -lt 700 ]; do : > agents/a-1/b/$i; i=$((i+1)); done");
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-1"));
    TEST_ASSERT_FALSE(is_there("agents/a-1"));
    TEST_ASSERT_TRUE(is_there("agents/a-2/x"));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-1"));
}

static void nothing_is_followed_out(void)
{
    uint64_t bytes;

    run("mkdir -p outside/dir agents/a-1/sub && echo x > outside/file &&"
        " echo x > outside/dir/file && ln -s ../../outside agents/a-1/link &&"
        " ln -s ../../../outside/dir agents/a-1/sub/link &&"
        " ln -s ../../outside/file agents/a-1/stdout.ndjson &&"
        " ln -s ../outside agents/a-2");
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_NOTHING,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-2"));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-2"));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-1"));
    TEST_ASSERT_FALSE(is_there("agents/a-1"));
    TEST_ASSERT_FALSE(is_there("agents/a-2"));
    TEST_ASSERT_FALSE(is_there("outside/stdout.ndjson.gz"));
    TEST_ASSERT_TRUE(is_there("outside/file"));
    TEST_ASSERT_TRUE(is_there("outside/dir/file"));
}

/* A FIFO has its opener wait until somebody writes. */
static void nothing_is_waited_for(void)
{
    uint64_t bytes;

    run("mkdir agents/a-1 && cd agents/a-1 && mkfifo warden lock stdout.ndjson"
        " stdout.ndjson.gz stdout.ndjson.gz.part");
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_NOTHING,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_drop, "a-1"));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-1"));
    TEST_ASSERT_FALSE(is_there("agents/a-1"));
}

/* No disk holds so much, and no day is long enough to read it. */
static void holes_are_neither_counted_nor_packed(void)
{
    uint64_t bytes;
    gzFile gz;
    char text[64];
    int n;

    run("mkdir agents/a-1 && cd agents/a-1 && echo first > stdout.ndjson &&"
        " truncate -s 1T stdout.ndjson && echo last >> stdout.ndjson");
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_WHOLE,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_LESS_THAN_UINT64(1 << 20, bytes);
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_IS_PACKED,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    gz = gzopen(in_top("agents/a-1/stdout.ndjson.gz"), "r");
    TEST_ASSERT_NOT_NULL(gzgets(gz, text, sizeof(text)));
    TEST_ASSERT_EQUAL_STRING("first\n", text);
    while ((n = gzgetc(gz)) == 0)
        ;
    TEST_ASSERT_EQUAL_INT('l', n);
    gzclose(gz);
}

static void only_ids_are_names(void)
{
    static const char *const wrong[] = {"",    ".",          "..",
                                        "a/b", "../outside", "a.b"};

    run("mkdir outside");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        TEST_ASSERT_EQUAL_INT(-EINVAL,
                              agent_dirs_remove(&agent_dirs, wrong[i]));
    TEST_ASSERT_TRUE(is_there("outside"));
}

static void check_left_alone(const char *lock)
{
    int fd;

    run("mkdir agents/a-1 && echo x > agents/a-1/stdout.ndjson");
    fd = open(in_top(lock), O_CREAT | O_RDWR, 0600);
    TEST_ASSERT_EQUAL_INT(0, flock(fd, LOCK_EX));
    TEST_ASSERT_EQUAL_INT(-EBUSY, finish(agent_dirs_remove, "a-1"));
    TEST_ASSERT_EQUAL_INT(-EBUSY, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_EQUAL_INT(-EBUSY, finish(agent_dirs_drop, "a-1"));
    TEST_ASSERT_TRUE(is_there("agents/a-1/stdout.ndjson"));
    close(fd);
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_remove, "a-1"));
}

static void who_lives_there_is_left_alone(void)
{
    check_left_alone("agents/a-1/warden");
    check_left_alone("agents/a-1/lock"); /* of an earlier version */
}

static void a_transcript_is_packed_and_the_same(void)
{
    static char line[64];
    const unsigned lines = 40000;
    uint64_t bytes;
    FILE *f;
    gzFile gz;

    run("mkdir agents/a-1");
    f = fopen(in_top("agents/a-1/stdout.ndjson"), "w");
    for (unsigned i = 0; i < lines; i++)
        fprintf(f, "{\"line\":%u}\n", i);
    fclose(f);
    run("echo rest > agents/a-1/stdout.ndjson.gz.part");
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_WHOLE,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_FALSE(is_there("agents/a-1/stdout.ndjson"));
    TEST_ASSERT_FALSE(is_there("agents/a-1/stdout.ndjson.gz.part"));
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_IS_PACKED,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_LESS_THAN_UINT64(lines * 6, bytes);
    gz = gzopen(in_top("agents/a-1/stdout.ndjson.gz"), "r");
    for (unsigned i = 0; i < lines; i++) {
        char want[64];

        snprintf(want, sizeof(want), "{\"line\":%u}\n", i);
        TEST_ASSERT_NOT_NULL(gzgets(gz, line, sizeof(line)));
        TEST_ASSERT_EQUAL_STRING(want, line);
    }
    gzclose(gz);
    /* Nothing is left to pack, which is no error. */
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_pack, "a-1"));
    TEST_ASSERT_EQUAL_INT(0, finish(agent_dirs_drop, "a-1"));
    TEST_ASSERT_EQUAL_INT(AGENT_DIRS_NOTHING,
                          agent_dirs_look(&agent_dirs, "a-1", &bytes));
    TEST_ASSERT_EQUAL_UINT64(0, bytes);
}

/* A hub that ends in the middle leaves the original. */
static void what_is_not_complete_is_not_there(void)
{
    run("mkdir agents/a-1 && head -c 3000000 /dev/zero >"
        " agents/a-1/stdout.ndjson");
    TEST_ASSERT_EQUAL_INT(1, agent_dirs_pack(&agent_dirs, "a-1"));
    agent_dirs_close(&agent_dirs);
    TEST_ASSERT_TRUE(is_there("agents/a-1/stdout.ndjson"));
    TEST_ASSERT_FALSE(is_there("agents/a-1/stdout.ndjson.gz"));
    TEST_ASSERT_FALSE(is_there("agents/a-1/stdout.ndjson.gz.part"));
}

int main(void)
{
    TAP_BEGIN();
    TEST(a_directory_goes_with_all_in_it);
    TEST(nothing_is_followed_out);
    TEST(nothing_is_waited_for);
    TEST(holes_are_neither_counted_nor_packed);
    TEST(only_ids_are_names);
    TEST(who_lives_there_is_left_alone);
    TEST(a_transcript_is_packed_and_the_same);
    TEST(what_is_not_complete_is_not_there);
    return TAP_END();
}

/* SPDX-License-Identifier: MIT */
/* A transcript that is followed: what wakes its reader, and when it is over. */
#include "transport/command/transcript_file.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define ID "impl-code-1-abcd"

static char top[] = "/tmp/transcript-XXXXXX";
static struct transcript_file file;

static char *path_of(const char *name)
{
    return bytes_text("%s/agents/" ID "/%s", top, name);
}

static int open_file(const char *name)
{
    char *path = path_of(name);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);

    TEST_ASSERT_TRUE(fd >= 0);
    free(path);
    return fd;
}

static void run(const char *command)
{
    char *line = bytes_text("cd '%s' && %s", top, command);

    TEST_ASSERT_EQUAL_INT(0, system(line));
    free(line);
}

static int lock, out;

/* An agent that runs, as its warden leaves it. */
void setUp(void)
{
    strcpy(top, "/tmp/transcript-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(top));
    run("mkdir -p agents/" ID);
    close(open_file("started"));
    lock = open_file("lock");
    TEST_ASSERT_EQUAL_INT(0, flock(lock, LOCK_EX));
    out = open_file("stdout.ndjson");
    TEST_ASSERT_TRUE(transcript_file_open(&file, top, ID));
}

void tearDown(void)
{
    transcript_file_close(&file);
    close(lock);
    close(out);
    run("cd / && rm -rf \"$OLDPWD\"");
}

static bool is_told(void)
{
    struct pollfd p = {.fd = file.notes, .events = POLLIN};

    return poll(&p, 1, 0) == 1;
}

/* All that a reader does between two waits. */
static size_t look(void)
{
    struct bytes tail = {0};
    char text[64];
    size_t size = 0;

    transcript_file_exists(&file);
    transcript_file_is_complete(&file);
    transcript_file_tail(&file, "stderr.log", sizeof(text), &tail);
    for (ssize_t n; (n = transcript_file_read(&file, text, sizeof(text))) > 0;)
        size += (size_t)n;
    bytes_finish(&tail);
    return size;
}

static void looking_wakes_nobody(void)
{
    transcript_file_wait(&file);
    TEST_ASSERT_TRUE(file.notes >= 0);
    TEST_ASSERT_EQUAL_size_t(0, look());
    TEST_ASSERT_FALSE(is_told());
}

static void what_is_written_wakes(void)
{
    transcript_file_wait(&file);
    look();
    TEST_ASSERT_EQUAL_INT(3, write(out, "{}\n", 3));
    TEST_ASSERT_TRUE(is_told());
    transcript_file_wait(&file);
    TEST_ASSERT_EQUAL_size_t(3, look());
    TEST_ASSERT_FALSE(is_told());
}

static void its_end_wakes(void)
{
    transcript_file_wait(&file);
    look();
    close(lock);
    lock = -1;
    TEST_ASSERT_TRUE(is_told());
    TEST_ASSERT_TRUE(transcript_file_is_complete(&file));
}

static void one_that_was_removed_is_over(void)
{
    TEST_ASSERT_FALSE(transcript_file_is_complete(&file));
    transcript_file_wait(&file);
    look();
    run("rm -rf agents/" ID);
    TEST_ASSERT_TRUE(is_told());
    TEST_ASSERT_TRUE(transcript_file_is_complete(&file));
}

static void one_that_has_not_begun_is_not_over(void)
{
    struct transcript_file other;

    TEST_ASSERT_TRUE(transcript_file_open(&other, top, "impl-code-2-abcd"));
    TEST_ASSERT_FALSE(transcript_file_is_complete(&other));
    transcript_file_close(&other);
}

int main(void)
{
    TAP_BEGIN();
    TEST(looking_wakes_nobody);
    TEST(what_is_written_wakes);
    TEST(its_end_wakes);
    TEST(one_that_was_removed_is_over);
    TEST(one_that_has_not_begun_is_not_over);
    return TAP_END();
}

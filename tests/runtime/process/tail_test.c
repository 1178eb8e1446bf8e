/* SPDX-License-Identifier: MIT */
/* What the kernel may do to a watch, which no writer does on purpose. */
#include "runtime/process/tail.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tap.h"

#define LIMIT (16 * TAIL_PLENTY)

struct file {
    struct tail tail;
    char path[64];
    int writer;
};

static char folder[] = "/tmp/tail-XXXXXX";
static struct tails *tails;
static uint64_t now_ms = 1000;

void setUp(void)
{
    TEST_ASSERT_EQUAL_INT(0, tails_create(&tails));
}

void tearDown(void)
{
    tails_destroy(tails);
}

static void file_open(struct file *f, unsigned number)
{
    snprintf(f->path, sizeof(f->path), "%s/%u", folder, number);
    f->writer = open(f->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    TEST_ASSERT_TRUE(f->writer >= 0);
    tail_open(tails, &f->tail, open(f->path, O_RDONLY | O_CLOEXEC), LIMIT);
}

static void file_close(struct file *f)
{
    tail_close(tails, &f->tail);
    close(f->writer);
    unlink(f->path);
}

static void append(const struct file *f, const char *text)
{
    TEST_ASSERT_EQUAL_INT(strlen(text), write(f->writer, text, strlen(text)));
}

/* Reads what there is, of all; how many bytes that is. */
static size_t read_all(void)
{
    struct process_chunk *chunk;
    struct tail *from;
    size_t len = 0;

    while ((chunk = tails_read(tails, &from)) != NULL) {
        len += chunk->len;
        tail_credit(tails, from);
        rt_obj_drop(&chunk->obj);
    }
    return len;
}

static void test_what_is_written_is_read(void)
{
    struct file f;

    file_open(&f, 0);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    TEST_ASSERT_FALSE(tails_look(tails));
    append(&f, "one");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    TEST_ASSERT_FALSE(tails_look(tails));
    file_close(&f);
}

/* A look that finds this, so long after the one before, and what it waits. */
static uint64_t pause_after(struct file *f, uint64_t ms, const char *text)
{
    append(f, text);
    TEST_ASSERT_TRUE(tails_look(tails));
    now_ms += ms;
    return tails_pause(tails, now_ms);
}

/* One who watches a line or two has them at once; a fleet's are read together.
 */
static void test_looks_that_follow_closely_wait_for_more(void)
{
    struct file f;

    file_open(&f, 0);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    TEST_ASSERT_EQUAL_UINT64(TAIL_PAUSE_MS, pause_after(&f, 1000, "one"));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    TEST_ASSERT_EQUAL_UINT64(TAIL_PAUSE_MS,
                             pause_after(&f, TAIL_CLOSE_MS, "two"));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    TEST_ASSERT_EQUAL_UINT64(TAIL_LONG_PAUSE_MS,
                             pause_after(&f, TAIL_CLOSE_MS - 1, "three"));
    TEST_ASSERT_EQUAL_size_t(5, read_all());
    file_close(&f);
}

/* A fleet at full speed is not held up: pauses become what it takes for plenty
 * to come, and are long again when little does. */
static void test_looks_that_bring_plenty_wait_less(void)
{
    static char text[2 * TAIL_PLENTY + 1];
    uint64_t pause, before = TAIL_LONG_PAUSE_MS;
    struct file f;

    memset(text, 'a', 2 * TAIL_PLENTY);
    file_open(&f, 0);
    pause_after(&f, 1000, "one");
    read_all();
    TEST_ASSERT_EQUAL_UINT64(before, pause_after(&f, 1, "two"));
    do {
        append(&f, text);
        TEST_ASSERT_EQUAL_size_t(3 + 2 * TAIL_PLENTY, read_all());
        pause = pause_after(&f, before, "two");
        TEST_ASSERT_TRUE(pause < before);
        before = pause;
    } while (pause > TAIL_PAUSE_MS);
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    TEST_ASSERT_EQUAL_UINT64(TAIL_LONG_PAUSE_MS, pause_after(&f, 1, "six"));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    file_close(&f);
}

static void test_a_file_that_got_another_name_is_still_read(void)
{
    struct file f;
    char other[80];

    file_open(&f, 0);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    append(&f, "one");
    TEST_ASSERT_TRUE(tails_look(tails));
    snprintf(other, sizeof(other), "%s.away", f.path);
    TEST_ASSERT_EQUAL_INT(0, rename(f.path, other));
    TEST_ASSERT_EQUAL_INT(0, symlink("/dev/zero", f.path));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    append(&f, "four");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(4, read_all());
    unlink(other);
    file_close(&f);
}

/* Its size is anything its writer likes, and is no reason to read on. */
static void test_the_limit_is_the_end(void)
{
    struct file f;

    file_open(&f, 0);
    TEST_ASSERT_EQUAL_INT(0, ftruncate(f.writer, (off_t)1 << 40));
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(LIMIT, read_all());
    append(&f, "one");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    file_close(&f);
}

static void test_a_file_cut_short_is_read_when_it_is_longer(void)
{
    struct file f;

    file_open(&f, 0);
    append(&f, "12345678");
    TEST_ASSERT_EQUAL_size_t(8, read_all());
    TEST_ASSERT_EQUAL_INT(0, ftruncate(f.writer, 0));
    append(&f, "1234");
    tails_look(tails);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    append(&f, "567890");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(2, read_all());
    file_close(&f);
}

/*
 * A writer that has told of its write but has not taken the one-shot away is
 * the one who takes away the watch we ask for meanwhile. All we hear of that
 * is the farewell.
 */
static void test_a_watch_that_was_taken_away_is_noticed(void)
{
    struct file f;

    file_open(&f, 0);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    TEST_ASSERT_EQUAL_INT(0, inotify_rm_watch(tails_fd(tails), f.tail.watch));
    append(&f, "one");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(3, read_all());
    append(&f, "four");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(4, read_all());
    file_close(&f);
}

static unsigned limit_of(const char *name)
{
    char path[64];
    unsigned value = 0;
    FILE *f;

    snprintf(path, sizeof(path), "/proc/sys/fs/inotify/%s", name);
    f = fopen(path, "re");
    if (f != NULL) {
        if (fscanf(f, "%u", &value) != 1)
            value = 0;
        fclose(f);
    }
    return value;
}

/* Each write makes an event and a farewell. */
static void test_more_events_than_the_queue_holds(void)
{
    unsigned count = limit_of("max_queued_events") / 2 + 100;
    struct rlimit files = {0};
    struct file *all;

    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (count > 20000 || limit_of("max_user_watches") < count ||
        files.rlim_cur < 2 * (rlim_t)count + 100)
        TEST_IGNORE_MESSAGE("the queue is too long for our limits");
    all = calloc(count, sizeof(*all));
    for (unsigned i = 0; i < count; i++)
        file_open(&all[i], i);
    TEST_ASSERT_EQUAL_size_t(0, read_all());
    for (unsigned i = 0; i < count; i++)
        append(&all[i], "one");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(3 * (size_t)count, read_all());
    append(&all[count - 1], "four");
    TEST_ASSERT_TRUE(tails_look(tails));
    TEST_ASSERT_EQUAL_size_t(4, read_all());
    for (unsigned i = 0; i < count; i++)
        file_close(&all[i]);
    free(all);
}

int main(void)
{
    int failed;

    if (mkdtemp(folder) == NULL)
        return 1;
    TAP_BEGIN();
    TEST(test_what_is_written_is_read);
    TEST(test_looks_that_follow_closely_wait_for_more);
    TEST(test_looks_that_bring_plenty_wait_less);
    TEST(test_a_file_that_got_another_name_is_still_read);
    TEST(test_the_limit_is_the_end);
    TEST(test_a_file_cut_short_is_read_when_it_is_longer);
    TEST(test_a_watch_that_was_taken_away_is_noticed);
    TEST(test_more_events_than_the_queue_holds);
    failed = TAP_END();
    rmdir(folder);
    return failed;
}

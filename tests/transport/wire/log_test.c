/* SPDX-License-Identifier: MIT */
#include "transport/wire/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

#define JA_TEST_LARGE "大"
#define EN_TEST_LARGE "large"
#define JA_TEST_LARGE_NUMBER "大 %d"
#define EN_TEST_LARGE_NUMBER "large %d"
#define JA_TEST_AFTER "後"
#define EN_TEST_AFTER "after"
#define JA_TEST_NOTHING "無"
#define EN_TEST_NOTHING "nothing"

static struct config config;
static struct log log_;
static char dir[64], path[96];
static int kept_stderr;

void setUp(void)
{
    config = (struct config){.language = CONFIG_EN};
    config.log.level = CONFIG_LOG_INFO;
    log_ = (struct log){0};
    strcpy(dir, "/tmp/log-test-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/hub.log", dir);
    kept_stderr = dup(STDERR_FILENO);
}

void tearDown(void)
{
    char old[128];

    log_close(&log_);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    snprintf(old, sizeof(old), "%s.1", path);
    unlink(path);
    unlink(old);
    rmdir(dir);
}

static char *text_of(int fd)
{
    static char text[200000];
    ssize_t n = read(fd, text, sizeof(text) - 1);

    text[n > 0 ? n : 0] = 0;
    return text;
}

static off_t size_of(const char *name)
{
    struct stat st;

    return stat(name, &st) == 0 ? st.st_size : -1;
}

/* ---- lines -------------------------------------------------------------- */

static void test_a_line_for_programs_has_names_and_duration(void)
{
    struct bytes out = {0};
    struct log_line l = {.at = 1000,
                         .level = CONFIG_LOG_WARN,
                         .event = "agent.failed",
                         .about = {.agent = "a-1",
                                   .group = "g-1",
                                   .role = "code",
                                   .has_duration = true,
                                   .duration_ms = 12},
                         .message = SLICE_INIT("no \"luck\"\n")};

    log_line_json(&out, &l);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING(
        "{\"time\":\"1970-01-01T00:00:01.000Z\",\"level\":\"warn\","
        "\"event\":\"agent.failed\",\"message\":\"no \\\"luck\\\"\\n\","
        "\"agentId\":\"a-1\",\"groupId\":\"g-1\",\"role\":\"code\","
        "\"duration_ms\":12}\n",
        out.ptr);
    bytes_finish(&out);
}

static void test_a_line_for_people_obeys_nobody(void)
{
    struct bytes out = {0};
    struct log_line l = {
        .at = 0,
        .level = CONFIG_LOG_ERROR,
        .event = "x",
        .message = SLICE_INIT("a\n\033[31mb\xe2\x80\xae\x80\xe9\xbb\x92")};

    setenv("TZ", "UTC", 1);
    log_line_text(&out, &l, false);
    bytes_append(&out, "", 1);
    TEST_ASSERT_EQUAL_STRING("01-01 00:00:00  error  a \\u001b[31mb\\u202e"
                             "\xef\xbf\xbd\xe9\xbb\x92\n",
                             out.ptr);
    out.len = 0;
    log_line_text(&out, &l, true);
    bytes_append(&out, "", 1);
    TEST_ASSERT_NOT_NULL(strstr(out.ptr, "\033[31merror\033[0m"));
    bytes_finish(&out);
}

/* ---- where it goes ------------------------------------------------------ */

static void test_what_is_below_the_level_is_not_written(void)
{
    int ends[2];

    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    log_open(&log_, &config, ends[1]);
    log_say(&log_, CONFIG_LOG_DEBUG, "x", "small");
    LOG_INFO(&log_, "x", TEST_LARGE);
    const char *said = text_of(ends[0]);
    TEST_ASSERT_NULL(strstr(said, "small"));
    TEST_ASSERT_NOT_NULL(strstr(said, "\"message\":\"large\""));
    close(ends[0]);
    close(ends[1]);
}

static void test_the_language_and_the_form_are_the_configurations(void)
{
    int ends[2];

    config.language = CONFIG_JA;
    config.log.format = CONFIG_LOG_TEXT;
    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    log_open(&log_, &config, ends[1]);
    LOG_WARN(&log_, "x", TEST_LARGE_NUMBER, 7);
    const char *said = text_of(ends[0]);
    TEST_ASSERT_NOT_NULL(strstr(said, "  warn   大 7\n"));
    TEST_ASSERT_NULL(strchr(said, '\033'));
    close(ends[0]);
    close(ends[1]);
}

/* It would wait for ever: nobody reads. */
static void test_a_full_pipe_loses_lines_and_says_how_many(void)
{
    int ends[2], wrote = 0;

    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    log_open(&log_, &config, ends[1]);
    for (; wrote < 4000; wrote++)
        log_say(&log_, CONFIG_LOG_INFO, "x", "%0100d", wrote);
    const char *said = text_of(ends[0]);
    TEST_ASSERT_NULL(strstr(said, "log.lost"));
    TEST_ASSERT_EQUAL_INT('\n', said[strlen(said) - 1]);
    LOG_INFO(&log_, "x", TEST_AFTER);
    said = text_of(ends[0]);
    TEST_ASSERT_NOT_NULL(strstr(said, "lines that could not be written here: "));
    TEST_ASSERT_NOT_NULL(strstr(said, "after"));
    /* The flags of what we share with others are as they were. */
    TEST_ASSERT_EQUAL_INT(0, fcntl(ends[1], F_GETFL) & O_NONBLOCK);
    close(ends[0]);
    close(ends[1]);
}

static void test_a_long_message_is_cut_for_a_pipe(void)
{
    char *text = bytes_alloc(100001);
    int ends[2];

    memset(text, '\001', 100000);
    text[100000] = 0;
    TEST_ASSERT_EQUAL_INT(0, pipe(ends));
    log_open(&log_, &config, ends[1]);
    log_say(&log_, CONFIG_LOG_INFO, "x", "%s", text);
    const char *said = text_of(ends[0]);
    TEST_ASSERT_TRUE(strlen(said) > 500 && strlen(said) <= 4096);
    close(ends[0]);
    close(ends[1]);
    free(text);
}

static void test_a_socket_that_is_not_read_stops_nobody(void)
{
    int ends[2];

    TEST_ASSERT_EQUAL_INT(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    log_open(&log_, &config, ends[1]);
    for (int i = 0; i < 5000; i++)
        log_say(&log_, CONFIG_LOG_INFO, "x", "%0500d", i);
    TEST_ASSERT_NOT_NULL(strstr(text_of(ends[0]), "\"event\":\"x\""));
    close(ends[0]);
    close(ends[1]);
}

static void test_a_file_is_bounded_and_its_last_part_kept(void)
{
    char old[128], last[32];

    snprintf(old, sizeof(old), "%s.1", path);
    TEST_ASSERT_EQUAL_INT(0, log_open_file(&log_, &config, path, 10000));
    for (int i = 0; i < 1000; i++) {
        log_say(&log_, CONFIG_LOG_INFO, "x", "%d", i);
        TEST_ASSERT_TRUE(size_of(path) < 10000);
    }
    TEST_ASSERT_TRUE(size_of(old) >= 10000 && size_of(old) < 10200);
    snprintf(last, sizeof(last), "\"message\":\"%d\"", 999);
    int fd = open(path, O_RDONLY);
    TEST_ASSERT_NOT_NULL(strstr(text_of(fd), last));
    close(fd);
}

static void test_stderr_follows_the_file(void)
{
    int fd;

    TEST_ASSERT_EQUAL_INT(0, log_open_file(&log_, &config, path, 300));
    for (int i = 0; i < 20; i++)
        log_say(&log_, CONFIG_LOG_INFO, "x", "%d", i);
    TEST_ASSERT_EQUAL_INT(4, write(STDERR_FILENO, "oops", 4));
    fd = open(path, O_RDONLY);
    TEST_ASSERT_NOT_NULL(strstr(text_of(fd), "oops"));
    close(fd);
}

static void test_one_that_was_left_too_large_is_begun_anew(void)
{
    int fd = open(path, O_WRONLY | O_CREAT, 0600);

    TEST_ASSERT_EQUAL_INT(0, ftruncate(fd, 20000));
    close(fd);
    TEST_ASSERT_EQUAL_INT(0, log_open_file(&log_, &config, path, 10000));
    TEST_ASSERT_EQUAL_INT(0, size_of(path));
}

static void test_a_place_that_cannot_be_written_is_told(void)
{
    TEST_ASSERT_EQUAL_INT(
        -ENOENT, log_open_file(&log_, &config, "/nonexistent/hub.log", 1));
    LOG_INFO(&log_, "x", TEST_NOTHING); /* and nothing happens */
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_line_for_programs_has_names_and_duration);
    TEST(test_a_line_for_people_obeys_nobody);
    TEST(test_what_is_below_the_level_is_not_written);
    TEST(test_the_language_and_the_form_are_the_configurations);
    TEST(test_a_full_pipe_loses_lines_and_says_how_many);
    TEST(test_a_long_message_is_cut_for_a_pipe);
    TEST(test_a_socket_that_is_not_read_stops_nobody);
    TEST(test_a_file_is_bounded_and_its_last_part_kept);
    TEST(test_stderr_follows_the_file);
    TEST(test_one_that_was_left_too_large_is_begun_anew);
    TEST(test_a_place_that_cannot_be_written_is_told);
    return TAP_END();
}

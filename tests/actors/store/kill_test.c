/* SPDX-License-Identifier: MIT */
/*
 * A process that says aloud each answer its store has given is killed at some
 * moment; what it has said must be in the file. Rounds go on in one file.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "tests/actors/store/scene.h"

#define WINDOW 16   /* writes under way at a time */
#define WRITES 2000 /* more than anybody wants to hear of */

static void send_one(struct scene *s, uint64_t serial)
{
    struct store_write *w = store_write_create();
    char key[40];

    snprintf(key, sizeof(key), "k-%llu", (unsigned long long)serial);
    scene_add_group(w, serial, key);
    scene_add_order(w, serial, serial, "run_agents", 1);
    scene_add_agent(w, serial, key, serial, serial, "殺されても残る");
    scene_set_result(w, serial, "s", "r", "[]");
    store_row(w, STORE_ADD_CALL);
    store_text(w, slice_cstr(key));
    store_int(w, 1);
    store_int(w, 0);
    store_text(w, SLICE("{}"));
    scene_write_answered(s, w, serial);
}

/* The child: never returns. */
static void work(int out)
{
    struct scene *s = scene_open();
    uint64_t first = scene_past(s)->last_serial + 1;

    for (uint64_t n = first; n < first + WINDOW; n++)
        send_one(s, n);
    for (uint64_t n = first; n < first + WRITES; n++) {
        scene_answer(s, n);
        if (write(out, &n, sizeof(n)) != sizeof(n))
            _exit(1);
        send_one(s, n + WINDOW);
    }
    /* Whoever listens may be late, and the pipe holds it all. */
    for (;;)
        pause();
}

/* The numbers it said before it was killed, all of the pipe. */
static unsigned listen(int in, pid_t pid, unsigned until, uint64_t *last)
{
    unsigned count = 0;
    uint64_t n;

    while (read(in, &n, sizeof(n)) == sizeof(n)) {
        *last = n;
        if (++count == until)
            kill(pid, SIGKILL);
    }
    return count;
}

static unsigned round_of(unsigned until)
{
    uint64_t last = 0;
    unsigned said;
    int fds[2], status;
    char sql[200];
    pid_t pid;

    TEST_ASSERT_EQUAL_INT(0, pipe(fds));
    fflush(stdout);
    pid = fork();
    if (pid == 0)
        work(fds[1]);
    close(fds[1]);
    said = listen(fds[0], pid, until, &last);
    close(fds[0]);
    TEST_ASSERT_EQUAL_INT(pid, waitpid(pid, &status, 0));
    TEST_ASSERT_TRUE(WIFSIGNALED(status));
    TEST_ASSERT_GREATER_OR_EQUAL_UINT(until, said);
    /* Answers come in the order of writes, so the last one vouches for all. */
    snprintf(sql, sizeof(sql),
             "SELECT count(*) FROM agents a JOIN groups USING(serial)"
             " JOIN texts USING(serial) JOIN calls c ON c.key = a.id"
             " WHERE a.serial <= %llu AND a.outcome = 'success'",
             (unsigned long long)last);
    TEST_ASSERT_EQUAL_INT64((int64_t)last, scene_sql(sql));
    return said;
}

static void test_what_was_answered_outlives_a_kill(void)
{
    unsigned rounds = getenv("KUROMAJUTSU_LONG") != NULL ? 200 : 20, said = 0;
    uint32_t seed;

    scene_fresh();
    TEST_ASSERT_EQUAL_INT(sizeof(seed), getrandom(&seed, sizeof(seed), 0));
    printf("# seed %u\n", seed);
    srandom(seed);
    for (unsigned i = 0; i < rounds; i++)
        said += round_of(1 + (unsigned)random() % 100);
    printf("# kills %u, answers checked %u, lost 0\n", rounds, said);
    TEST_ASSERT_EQUAL_INT64(1, scene_sql("SELECT integrity_check = 'ok'"
                                         " FROM pragma_integrity_check"));
    TEST_ASSERT_EQUAL_INT64(
        0, scene_sql("SELECT count(*) - count(DISTINCT id) FROM agents"));
    scene_sql("INSERT INTO agents_fts(agents_fts) VALUES('integrity-check')");
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_what_was_answered_outlives_a_kill);
    return TAP_END();
}

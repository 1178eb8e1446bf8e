/* SPDX-License-Identifier: MIT */
#include "actors/order/signing_key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/text/hex.h"
#include "tap.h"

static char folder[32], path[64];
static struct signing_key ours, other;
static struct bytes sealed;

void setUp(void)
{
    strcpy(folder, "/tmp/signing-key-XXXXXX");
    TEST_ASSERT_NOT_NULL(mkdtemp(folder));
    snprintf(path, sizeof(path), "%s/key", folder);
    signing_key_draw(&ours);
    sealed = (struct bytes){0};
}

void tearDown(void)
{
    unlink(path);
    rmdir(folder);
    bytes_finish(&sealed);
}

static void assert_opens(const struct signing_key *s, const char *text)
{
    struct slice found;

    TEST_ASSERT_TRUE(signing_key_open(s, bytes_slice(&sealed), &found));
    TEST_ASSERT_EQUAL_size_t(strlen(text), found.len);
    TEST_ASSERT_EQUAL_STRING_LEN(text, found.ptr, found.len);
}

static void test_a_text_comes_back(void)
{
    static const char *const texts[] = {"", ".", "coder-1-abcd", "a.b.c"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        sealed.len = 0;
        signing_key_put(&sealed, &ours, slice_cstr(texts[i]));
        TEST_ASSERT_EQUAL_size_t(strlen(texts[i]) + 33, sealed.len);
        assert_opens(&ours, texts[i]);
    }
}

/* Vectors of OpenSSL's SIPHASH with size:16: the bytes 0, 1, 2, ... under a
 * secret of the same kind. */
static void test_the_mark_is_siphash(void)
{
    static const struct {
        size_t len;
        const char *mark;
    } known[] = {{0, "a3817f04ba25a8e66df67214c7550293"},
                 {1, "da87c1d86b99af44347659119b22fc45"},
                 {2, "8177228da4a45dc7fca38bdef60affe4"},
                 {15, "5493e99933b0a8117e08ec0f97cfc3d9"},
                 {17, "473d06e8738db89854c066c47ae47740"}};
    uint8_t bytes[32], mark[SIGNING_KEY_MARK];
    char hex[2 * SIGNING_KEY_MARK + 1] = "";

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)i;
    memcpy(ours.secret, bytes, sizeof(ours.secret));
    for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
        signing_key_mark(&ours, bytes, known[i].len, mark);
        hex_write(hex, mark, sizeof(mark));
        TEST_ASSERT_EQUAL_STRING(known[i].mark, hex);
    }
}

static void test_nobody_makes_one_up(void)
{
    struct slice found;
    size_t len;

    signing_key_draw(&other);
    signing_key_put(&sealed, &other, SLICE("coder-1-abcd"));
    TEST_ASSERT_FALSE(signing_key_open(&ours, bytes_slice(&sealed), &found));
    sealed.len = 0;
    signing_key_put(&sealed, &ours, SLICE("coder-1-abcd"));
    len = sealed.len;
    for (size_t i = 0; i < len; i++) {
        sealed.ptr[i] ^= 1;
        TEST_ASSERT_FALSE(
            signing_key_open(&ours, bytes_slice(&sealed), &found));
        sealed.ptr[i] ^= 1;
        TEST_ASSERT_FALSE(
            signing_key_open(&ours, slice_of(sealed.ptr, i), &found));
    }
    assert_opens(&ours, "coder-1-abcd");
}

static void test_the_next_hub_has_the_same(void)
{
    struct stat st;

    TEST_ASSERT_EQUAL_INT(0, signing_key_load(&ours, path));
    TEST_ASSERT_EQUAL_INT(0, stat(path, &st));
    TEST_ASSERT_EQUAL_INT(0600, st.st_mode & 0777);
    signing_key_put(&sealed, &ours, SLICE("x"));
    TEST_ASSERT_EQUAL_INT(0, signing_key_load(&other, path));
    assert_opens(&other, "x");
}

static void test_a_broken_file_is_made_anew(void)
{
    struct slice found;

    TEST_ASSERT_EQUAL_INT(0, signing_key_load(&other, path));
    signing_key_put(&sealed, &other, SLICE("x"));
    TEST_ASSERT_EQUAL_INT(0, truncate(path, 5));
    TEST_ASSERT_EQUAL_INT(0, signing_key_load(&ours, path));
    TEST_ASSERT_FALSE(signing_key_open(&ours, bytes_slice(&sealed), &found));
    TEST_ASSERT_EQUAL_INT(0, signing_key_load(&other, path));
    TEST_ASSERT_EQUAL_MEMORY(&ours, &other, sizeof(ours));
}

/* It is still one that nobody else has. */
static void test_a_file_that_cannot_be_is_told(void)
{
    rmdir(folder);
    memset(&ours, 0, sizeof(ours));
    memset(&other, 0, sizeof(other));
    TEST_ASSERT_EQUAL_INT(-ENOENT, signing_key_load(&ours, path));
    TEST_ASSERT_TRUE(memcmp(&ours, &other, sizeof(ours)) != 0);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_a_text_comes_back);
    TEST(test_the_mark_is_siphash);
    TEST(test_nobody_makes_one_up);
    TEST(test_the_next_hub_has_the_same);
    TEST(test_a_broken_file_is_made_anew);
    TEST(test_a_file_that_cannot_be_is_told);
    return TAP_END();
}

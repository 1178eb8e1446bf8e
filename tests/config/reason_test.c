/* SPDX-License-Identifier: MIT */
#include "config/reason.h"

#include <errno.h>
#include <string.h>

#include "tap.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static bool is_ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static bool has_latin(const char *text)
{
    for (; *text; text++)
        if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))
            return true;
    return false;
}

static void what_people_meet_is_said_in_their_language(void)
{
    static const int met[] = {ENOENT,     EACCES,       EPERM,  ENOSPC,
                              EDQUOT,     EROFS,        EMFILE, ENFILE,
                              ENOMEM,     EIO,          EBUSY,  ENOTDIR,
                              EADDRINUSE, ECONNREFUSED, EPIPE,  ETIMEDOUT};

    for (size_t i = 0; i < sizeof(met) / sizeof(*met); i++) {
        TEST_ASSERT_TRUE(is_ascii(reason_of(met[i], true).text));
        TEST_ASSERT_FALSE_MESSAGE(has_latin(reason_of(met[i], false).text),
                                  reason_of(met[i], false).text);
    }
}

static void either_sign_is_taken(void)
{
    TEST_ASSERT_EQUAL_STRING("No space left on device",
                             reason_of(-ENOSPC, true).text);
    TEST_ASSERT_EQUAL_STRING(reason_of(ENOSPC, false).text,
                             reason_of(-ENOSPC, false).text);
}

static void all_others_are_quoted(void)
{
    TEST_ASSERT_EQUAL_STRING(strerror(EXDEV), reason_of(EXDEV, true).text);
    TEST_ASSERT_NOT_NULL(strstr(reason_of(EXDEV, false).text, strerror(EXDEV)));
    TEST_ASSERT_FALSE(is_ascii(reason_of(EXDEV, false).text));
}

int main(void)
{
    TAP_BEGIN();
    TEST(what_people_meet_is_said_in_their_language);
    TEST(either_sign_is_taken);
    TEST(all_others_are_quoted);
    return TAP_END();
}

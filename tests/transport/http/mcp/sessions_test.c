/* SPDX-License-Identifier: MIT */
#include "transport/http/mcp/sessions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static struct http_sessions s, later;

void setUp(void)
{
    http_sessions_init(&s, NULL, 3);
}

void tearDown(void)
{
    http_sessions_finish(&s);
}

/* With no users any more; its id goes to *id. */
static void admit(struct http_sessions *to, enum mcp_version version, char *id)
{
    struct http_session *one = http_session_create();

    one->client.version = version;
    one->client.can = MCP_CAN_ROOTS;
    TEST_ASSERT_TRUE(http_sessions_admit(to, one));
    memcpy(id, one->id, SESSION_ID + 1);
    http_session_drop(one);
}

static bool is_known(struct http_sessions *in, const char *id)
{
    struct http_session *one = http_sessions_find(in, slice_cstr(id));

    http_session_drop(one);
    return one != NULL;
}

static void test_an_id_carries_what_was_agreed(void)
{
    char id[SESSION_ID + 1];
    struct signing_key signing_key;

    signing_key_draw(&signing_key);
    http_sessions_finish(&s);
    http_sessions_init(&s, &signing_key, 3);
    admit(&s, MCP_2025_06_18, id);
    http_sessions_init(&later, &signing_key, 3);
    struct http_session *one = http_sessions_find(&later, slice_cstr(id));
    TEST_ASSERT_NOT_NULL(one);
    TEST_ASSERT_EQUAL_INT(MCP_2025_06_18, one->client.version);
    TEST_ASSERT_EQUAL_UINT(MCP_CAN_ROOTS, one->client.can);
    TEST_ASSERT_TRUE(one->client.has_handshake && one->client.is_initialized);
    http_session_drop(one);
    http_sessions_finish(&later);
    http_sessions_init(&later, NULL, 3);
    TEST_ASSERT_FALSE(is_known(&later, id));
    http_sessions_finish(&later);
}

static void test_nobody_makes_one_up(void)
{
    char id[SESSION_ID + 1];

    admit(&s, MCP_2025_11_25, id);
    for (int i = 0; i < SESSION_ID; i++) {
        char was = id[i];
        id[i] = was == '0' ? '1' : '0';
        TEST_ASSERT_FALSE(is_known(&s, id));
        id[i] = was;
    }
    id[SESSION_ID - 1] = '\0';
    TEST_ASSERT_FALSE(is_known(&s, id));
    TEST_ASSERT_FALSE(is_known(&s, ""));
}

static void test_the_oldest_gives_way_unless_it_is_used(void)
{
    char ids[4][SESSION_ID + 1];

    for (int i = 0; i < 3; i++)
        admit(&s, MCP_2025_11_25, ids[i]);
    struct http_session *used = http_sessions_find(&s, slice_cstr(ids[0]));
    admit(&s, MCP_2025_11_25, ids[3]);
    TEST_ASSERT_EQUAL_UINT(3, s.count);
    TEST_ASSERT_EQUAL_PTR(used, http_sessions_find(&s, slice_cstr(ids[0])));
    TEST_ASSERT_TRUE(is_known(&s, ids[1])); /* revived */
    TEST_ASSERT_EQUAL_UINT(3, s.count);
    http_session_drop(used);
    http_session_drop(used);
}

static void test_no_room_while_all_are_used(void)
{
    struct http_session *all[4];

    for (int i = 0; i < 4; i++) {
        all[i] = http_session_create();
        TEST_ASSERT_EQUAL_INT(i < 3, http_sessions_admit(&s, all[i]));
    }
    for (int i = 0; i < 4; i++)
        http_session_drop(all[i]);
}

static void test_what_was_ended_stays_so(void)
{
    char id[SESSION_ID + 1];

    admit(&s, MCP_2025_11_25, id);
    struct http_session *one = http_sessions_find(&s, slice_cstr(id));
    http_sessions_end(&s, one);
    TEST_ASSERT_TRUE(one->is_ended);
    TEST_ASSERT_FALSE(is_known(&s, id));
    http_sessions_end(&s, one);
    http_session_drop(one);
    TEST_ASSERT_EQUAL_UINT(0, s.count);
}

int main(void)
{
    TAP_BEGIN();
    TEST(test_an_id_carries_what_was_agreed);
    TEST(test_nobody_makes_one_up);
    TEST(test_the_oldest_gives_way_unless_it_is_used);
    TEST(test_no_room_while_all_are_used);
    TEST(test_what_was_ended_stays_so);
    return TAP_END();
}

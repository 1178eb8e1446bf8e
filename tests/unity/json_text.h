/*
 * JSON that can be read: in single quotes, "{'agentId':'a'}" instead of
 * "{\"agentId\":\"a\"}".
 */
#ifndef TESTS_UNITY_JSON_TEXT_H
#define TESTS_UNITY_JSON_TEXT_H

/* What is meant: every single quote is a double one, unless the text has
 * double ones of its own. Valid for as long as the program runs. */
const char *json_of(const char *text);

/* The same where a slice is wanted. */
#define json_slice(text) slice_cstr(json_of(text))

#define ASSERT_JSON(want, actual)                                              \
    TEST_ASSERT_EQUAL_STRING(json_of(want), actual)
/* It is a part of it. */
#define ASSERT_JSON_IN(want, actual)                                           \
    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(actual, json_of(want)), want)

#endif

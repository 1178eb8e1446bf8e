/* SPDX-License-Identifier: MIT */
#include "transport/command/refusal.h"

#include <ctype.h>
#include <string.h>

static const struct {
    struct slice tool;
    const char *command;
} ways[] = {
    {SLICE_INIT("list_agents"), "kuromajutsu agents"},
    {SLICE_INIT("list_groups"), "kuromajutsu groups"},
    {SLICE_INIT("list_roles"), "kuromajutsu roles"},
    {SLICE_INIT("get_agent_status"), "kuromajutsu show"},
    {SLICE_INIT("wait_agent"), "kuromajutsu wait"},
    {SLICE_INIT("cancel_agent"), "kuromajutsu cancel"},
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_at(struct slice text, size_t i)
{
    size_t n = 0;

    while (i + n < text.len && is_word(text.ptr[i + n]))
        n++;
    return n;
}

static const char *command_of(struct slice word)
{
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
        if (slice_eq(ways[i].tool, word))
            return ways[i].command;
    return NULL;
}

/* The "(groupId)" of a call, which is no way to type it. */
static size_t arguments_at(struct slice text, size_t i)
{
    const char *end = i < text.len && text.ptr[i] == '('
                          ? memchr(text.ptr + i, ')', text.len - i)
                          : NULL;

    return end != NULL ? (size_t)(end - (text.ptr + i)) + 1 : 0;
}

void refusal_put(struct bytes *out, struct slice message)
{
    size_t i = 0;

    while (i < message.len) {
        size_t n = word_at(message, i);
        struct slice word = {message.ptr + i, n > 0 ? n : 1};
        const char *command = command_of(word);

        i += word.len;
        if (command != NULL) {
            bytes_append(out, command, strlen(command));
            i += arguments_at(message, i);
        } else {
            bytes_append(out, word.ptr, word.len);
        }
    }
}

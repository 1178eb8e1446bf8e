/* SPDX-License-Identifier: MIT */
#include "actors/stream/event.h"

const char *event_kind_name(enum event_kind kind)
{
    static const char *const names[EVENT_KINDS] = {
        "started",  "prompt",      "text",  "thinking",   "tool_start",
        "tool_end", "file_change", "usage", "rate_limit", "retry",
        "ask",      "child_task",  "note",  "result"};

    return kind < EVENT_KINDS ? names[kind] : "?";
}

# SPDX-License-Identifier: MIT
"""Looking until something is so, and saying what was seen instead."""

import os
import time

# A hang is told from slowness by this alone: generous, and no test is faster
# or slower for it.
DEADLINE = int(os.environ.get("LOOK_DEADLINE", "120"))


def until(look, what):
    """Looks until the answer is true, and returns it."""
    end = time.monotonic() + DEADLINE
    while True:
        seen = look()
        if seen:
            return seen
        assert time.monotonic() < end, f"waited in vain: {what}"
        time.sleep(0.002)


def equal(seen, wanted):
    assert seen == wanted, f"{repr(seen):.500} is not {repr(wanted):.500}"


def is_sanitized(pid):
    """Whether its memory is mostly a sanitizer's, and says nothing of ours."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        seen = maps.read()
    return "libasan" in seen or "libtsan" in seen

# SPDX-License-Identifier: MIT
"""Looking until something is so, and saying what was seen instead."""

import os
import time

# A hang is told from slowness by this alone: generous, and no test is faster
# or slower for it.
DEADLINE = int(os.environ.get("LOOK_DEADLINE", "120"))
FOREVER = 600000  # ms: what ends by itself after them does not in a test


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


def contains(text, part):
    assert part in text, f"{part!r} is not in {repr(text):.500}"


def patiently(attempt, ms):
    """For what has to be done within a time that the test itself sets: tries
    with more and more of it. A slow machine fails at first, a fault always."""
    for _ in range(3):
        if attempt(ms):
            return
        ms *= 5
    raise AssertionError("more time does not help")

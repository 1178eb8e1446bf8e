# SPDX-License-Identifier: MIT
"""Processes that live, told apart by a mark in their environment."""

import os


def environments():
    """(pid, its variables) of every process that we may look at."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/environ", "rb") as f:
                yield int(name), f.read().split(b"\0")
        except OSError:
            continue


def marked(mark):
    """Those with this in their environment. One that is about to run another
    program has for a moment no environment at all."""
    return [pid for pid, env in environments() if mark.encode() in env]


def program(pid):
    """The path of what it runs; "" when it has ended meanwhile."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def is_sanitized(pid):
    """Whether its memory is mostly a sanitizer's, and says nothing of ours."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        seen = maps.read()
    return "libasan" in seen or "libtsan" in seen

# SPDX-License-Identifier: MIT
"""Processes that live: found by a mark in their environment, asked what they
run and what they need, and ended."""

import os
import signal


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


def runs(pid, *names):
    """Whether it runs a program of such a name."""
    return os.path.basename(program(pid)) in names


def is_zygote(pid):
    """Whether it is no warden, but what a hub has wardens forked from. What
    it has just forked looks like it, but is of its process group."""
    try:
        if os.getpgid(pid) != pid:
            return False
        with open(f"/proc/{pid}/cmdline", "rb") as f:
            return b"--zygote" in f.read().split(b"\0")
    except OSError:
        return False


def children(pid):
    """Those of all its threads."""
    found = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/children") as f:
                found += map(int, f.read().split())
    except OSError:
        pass
    return found


def status(pid, field):
    """The first word that /proc has of it under this name."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
        for line in f:
            if line.startswith(field + ":"):
                return line.split()[1]
    raise KeyError(field)


def resident_kb(pid):
    return int(status(pid, "VmRSS"))


def peak_kb(pid):
    return int(status(pid, "VmHWM"))


def has_gone(pid):
    """Whether nothing is left of it but what its parent is to be told."""
    try:
        return status(pid, "State") in "ZX"
    except (FileNotFoundError, ProcessLookupError, KeyError):
        return True


def is_sanitized(pid):
    """Whether its memory is mostly a sanitizer's, and says nothing of ours."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        seen = maps.read()
    return "libasan" in seen or "libtsan" in seen


def stuck(thread):
    """A look at a thread of ours: whether it waits in the same call as when
    it was looked at before."""
    seen = [None]

    def look():
        with open(f"/proc/self/task/{thread.native_id}/syscall") as f:
            was, seen[0] = seen[0], f.read()
        return seen[0] == was and seen[0] != "running\n"
    return look


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

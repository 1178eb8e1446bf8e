# SPDX-License-Identifier: MIT
"""Processes that SIGKILL does not end, as one that waits for a dead disk.

A process that is traced with PTRACE_O_TRACEEXIT stops on its way out, after
the kill, and goes no further before its tracer lets it; there is no second
kill to a process that is dying. It shows as alive, environment and all."""

import ctypes
import errno
import os

from harness import tap

SEIZE, DETACH, TRACEEXIT = 0x4206, 17, 0x40
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.ptrace.argtypes = [ctypes.c_long] * 4
LIBC.ptrace.restype = ctypes.c_long


class Unkillable:
    """Makes a process one. It is let go by the thread that has made it, at
    the end of the block."""

    def __init__(self, pid):
        self.pid = pid
        if LIBC.ptrace(SEIZE, pid, 0, TRACEEXIT) != 0:
            error = ctypes.get_errno()
            if error == errno.EPERM:
                raise tap.Skip("another's process may not be traced here")
            raise OSError(error, os.strerror(error))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            # It may be anywhere between the kill and its stop.
            os.waitpid(self.pid, 0x40000000)  # __WALL
        except ChildProcessError:
            pass
        LIBC.ptrace(DETACH, self.pid, 0, 0)

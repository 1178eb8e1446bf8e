# SPDX-License-Identifier: MIT
"""Another user of the machine: only root can be one."""

import contextlib
import os
import select
import signal
import socket

from harness import tap
from harness.until import DEADLINE

NOBODY = 65534


def become_nobody():
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)


def needs_root():
    if os.geteuid() != 0:
        raise tap.Skip("only root can be another user")


def next_word(pipe):
    ready, _, _ = select.select([pipe], [], [], DEADLINE)
    assert ready and os.read(pipe, 1), "waited in vain for another user"


@contextlib.contextmanager
def nobody_listens(path, note, says=b""):
    """Another user's socket at that path, in a directory of theirs; every byte
    that it is told is in the note. Gives what waits for the next connection
    to come and go."""
    needs_root()
    ready, is_ready = os.pipe()
    child = os.fork()
    if child == 0:
        with open(note, "wb", buffering=0) as f, \
                socket.socket(socket.AF_UNIX) as s:
            become_nobody()
            os.chdir(os.path.dirname(path))
            s.bind(os.path.basename(path))
            s.listen()
            os.write(is_ready, b"x")
            while True:
                with s.accept()[0] as peer, \
                        contextlib.suppress(OSError):
                    peer.sendall(says)
                    while said := peer.recv(1 << 16):
                        f.write(said)
                os.write(is_ready, b"x")
    os.close(is_ready)
    try:
        next_word(ready)
        yield lambda: next_word(ready)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(ready)

# SPDX-License-Identifier: MIT
"""What other users do to a site, and requests as they may send them."""

import contextlib
import json
import os

from harness import tap
from harness.until import DEADLINE

TOKEN = "s3cret~token/+="
NOBODY = 65534


def bearer(token=TOKEN):
    return {"Authorization": f"Bearer {token}"}


def request(lines, path="/echo", method="GET"):
    return (f"{method} {path} HTTP/1.1\r\n" + "".join(
        f"{line}\r\n" for line in lines) + "\r\n").encode()


def begun_post(h, length, *more, path="/mcp"):
    """The head of a request whose body is to come."""
    return h.head(path, "POST", "".join(
        f"{line}\r\n" for line in ("Content-Type: application/json",
                                   f"Content-Length: {length}", *more)))


@contextlib.contextmanager
def another_user(work):
    """What work says when another user does it, whose connections stay open
    meanwhile."""
    if os.geteuid() != 0:
        raise tap.Skip("only root can be another user")
    # What a connection imports at first use may lie where only root can read.
    "localhost".encode("idna")
    receive, send = os.pipe()
    go, let_go = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(let_go)
            os.setgroups([])
            os.setresgid(NOBODY, NOBODY, NOBODY)
            os.setresuid(NOBODY, NOBODY, NOBODY)
            said, kept = work(), None
            if isinstance(said, tuple):
                said, kept = said
            os.write(send, json.dumps(said).encode())
            os.close(send)
            os.read(go, 1)
            del kept
        finally:
            os._exit(0)
    os.close(send)
    os.close(go)
    try:
        with os.fdopen(receive, "rb") as f:
            yield json.loads(f.read())
    finally:
        os.close(let_go)
        os.waitpid(child, 0)


def as_nobody(work):
    with another_user(work) as said:
        return said


def crowd(h, count, data):
    """So many connections that each send as much of that as is taken."""
    lines = []
    for _ in range(count):
        try:
            s = h.connect()
            lines.append(s)
            s.settimeout(0.05)
            s.sendall(data)
        except OSError:
            pass
    for s in lines:
        s.settimeout(DEADLINE)
    return lines

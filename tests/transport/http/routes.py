# SPDX-License-Identifier: MIT
"""A site of every kind of route (site.c), and ways to speak to it."""

import http.client
import json
import re
import resource
import select
import socket

from harness.processes import resident_kb
from harness.programs import built
from harness.site import Site
from harness.until import until

SITE = built("tests/transport/http/http-site")
TCP_REPAIR = 19


class Routes(Site):
    """with Routes("--idle", "500") as s: ..."""

    def __init__(self, *options, host="127.0.0.1", files=None, user=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
        super().__init__(SITE, "--host", host, *options, host=host, user=user,
                         preexec_fn=limit if files else None)

    def head(self, path, method="GET", more=""):
        return (f"{method} {path} HTTP/1.1\r\n"
                f"Host: 127.0.0.1:{self.port}\r\n{more}\r\n").encode()

    def raw(self, data):
        """All that comes back for these bytes until the connection ends, or
        the answer is whole."""
        with self.connect() as s:
            try:
                s.sendall(data)
            except OSError:
                pass  # refused before it was sent
            return read_answer(s)

    def status(self, data):
        """The status of a raw request's answer; 0: it was just closed."""
        got = self.raw(data)
        return int(got.split(b" ", 2)[1]) if got else 0

    def try_stats(self):
        """What the site counts; None when it did not answer."""
        try:
            status, body = self.ask("GET", "/stats")
        except (OSError, http.client.HTTPException):
            return None
        return json.loads(body) if status == 200 else None

    def has_room(self):
        return self.try_stats() is not None

    def stats(self):
        """Where idle connections end soon, ours may have before we came to
        ask; then we ask again."""
        return until(self.try_stats, "an answer to /stats")

    def unanswered(self):
        """A connection whose /never is the first to be served; it tries again
        when it was idle for too long before it came to ask."""
        def attempt():
            s = self.connect()
            s.sendall(self.head("/never"))
            until(lambda: self.stats()["held"]
                  or select.select([s], [], [], 0)[0], "its lot")
            if self.stats()["held"]:
                return s
            return s.close()
        return until(attempt, "a request that waits")

    def memory(self):
        return resident_kb(self.process.pid) << 10


def read_all(s, is_enough=lambda got: False):
    """Until the other side ends it; whether in good order is not asked."""
    got = b""
    while not is_enough(got):
        try:
            piece = s.recv(65536)
        except ConnectionError:
            return got
        if not piece:
            return got
        got += piece
    return got


def is_answer(got):
    head, sign, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
    return sign and length and len(body) >= int(length[1])


def read_answer(s):
    return read_all(s, is_answer)


def reset(s):
    """Leaves without a word."""
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    s.close()


def vanish(s):
    """Ends a socket of ours so that its peer hears nothing of it; for root."""
    s.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    s.close()

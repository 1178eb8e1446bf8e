#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten thousand connections, broken in every way.

CHURN_SEED repeats a run, CHURN_COUNT makes it longer.
"""

import os
import random
import socket

from harness import tap
from harness.processes import is_sanitized
from harness.until import equal, until
from routes import Routes, reset, vanish

COUNT = int(os.environ.get("CHURN_COUNT", "10000"))
SEED = int(os.environ.get("CHURN_SEED", "1"))
CROWD = 40  # open at a time
MB = 1 << 20


def beginnings(h):
    """What a client may send."""
    own = f"Host: 127.0.0.1:{h.port}\r\n"
    post = f"POST /echo HTTP/1.1\r\n{own}".encode()
    shake = (f"GET /ws HTTP/1.1\r\n{own}Connection: Upgrade\r\n"
             "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
             "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").encode()
    frame = b"\x81\x85\0\0\0\0hello"
    return [
        h.head("/echo"), h.head("/later"), h.head("/never"),
        h.head("/stream"), h.head("/flood"), h.head("/big"),
        h.head("/none"), h.head("/echo", "HEAD"), h.head("/echo", "OPTIONS"),
        h.head("/echo") * 500, h.head("/later") * 20,
        h.head("/stream") + h.head("/never") * 300,
        h.head("/echo", "GET", "Origin: http://evil\r\n"),
        post + b"Content-Length: 1000\r\n\r\n" + b"x" * 1000,
        post + b"Content-Length: 300000\r\n\r\n" + b"x" * 300000,
        post + b"Transfer-Encoding: chunked\r\n\r\n"
        + b"1000\r\n" + b"x" * 4096 + b"\r\n" + b"0\r\n\r\n",
        post + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n12345",
        post + b"Content-Length: 99999999\r\n\r\n" + b"x" * 1000,
        post + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
        shake, shake + frame, shake + frame * 100,
        shake + b"\x88\x80\0\0\0\0", shake + b"\xff" * 200,
        shake + b"\x81\xff\x7f" + b"\xff" * 7 + b"\0" * 100,
        b"\0" * 100, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 100, b"\r\n" * 10,
        b"GET / HTTP/1.1\r\na: " + b"b" * 70000]


def send(s, data, dice):
    """All of it or a part; whatever does not fit at once is left out."""
    if dice.random() < 0.6:
        data = data[:dice.randrange(len(data) + 1)]
    try:
        s.send(data)
        if dice.random() < 0.3:
            s.recv(dice.choice((1, 100, 65536)))
    except OSError:
        pass


def leave(s, dice, endings):
    try:
        dice.choice(endings)(s)
    except OSError:
        s.close()


def half_close(s):
    s.shutdown(socket.SHUT_WR)
    s.close()


def abandon(s):
    s.shutdown(socket.SHUT_RD)
    s.close()


def churn(h, count, dice):
    endings = [socket.socket.close, reset, half_close, abandon] * 10
    if os.geteuid() == 0:
        endings.append(vanish)  # few: they keep their place for a while
    data = beginnings(h)
    for _ in range(count // CROWD):
        crowd = [h.connect() for _ in range(CROWD)]
        for s in crowd:
            s.setblocking(False)
            send(s, dice.choice(data), dice)
        # Connections are taken in order: when this one is answered, the site
        # has seen all of them. Some crowds leave before it has.
        if dice.random() < 0.8:
            h.stats()
        dice.shuffle(crowd)
        for s in crowd:
            leave(s, dice, endings)


def descriptors(h):
    return len(os.listdir(f"/proc/{h.process.pid}/fd"))


def settle(h):
    until(lambda: h.stats()["connections"] == 1,
          "that all of them have left")


@tap.test
def ten_thousand_broken_connections_leave_nothing():
    print(f"# seed {SEED}")
    dice = random.Random(SEED)
    # Those who vanish in the middle of a request are told by the idle limit.
    with Routes("--idle", "2000", "--connections", "1000") as h:
        churn(h, COUNT // 5, dice)
        settle(h)
        heap, files = h.stats()["heap"], descriptors(h)
        churn(h, COUNT - COUNT // 5, dice)
        settle(h)
        # The asker's own connection may be there or just gone.
        assert abs(descriptors(h) - files) <= 1
        if not is_sanitized(h.process.pid):
            # What is allocated, not what malloc keeps for later.
            grown = h.stats()["heap"] - heap
            assert grown < 2 * MB, f"{grown >> 10} KB more"
        seen = h.stats()
        print(f"# {seen}")
        assert seen["accepted"] >= COUNT
        assert seen["refused"] < COUNT // 10, "it was full too often"
        equal((seen["held"], seen["opened"]),
              (seen["left"], seen["closed"]))
        assert seen["held"] and seen["opened"]
        equal(h.ask("POST", "/echo", b"x" * MB), (200, b"x" * MB))
        equal(h.ask("GET", "/stream"), (200, b"data: piece\n\n" * 10))
        equal(h.ask("GET", "/later"), (200, b"later"))


if __name__ == "__main__":
    tap.run()

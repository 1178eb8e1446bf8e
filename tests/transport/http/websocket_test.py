#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""WebSockets, spoken to byte by byte."""

import json
import select
import socket
import struct

from harness import tap, websocket as ws
from harness.programs import built
from harness.site import Site
from harness.until import DEADLINE, equal, until

MOST = 64 << 10


class WebSockets(Site):
    """The program of websockets.c."""

    def __init__(self, *options):
        super().__init__(built("tests/transport/http/http-websockets"),
                         *options)

    def get(self, path):
        return self.ask("GET", path)

    def counts(self):
        return json.loads(self.get("/counts")[1])

    def open(self, path="/echo", **how):
        return ws.WebSocket(self.port, path, **how)

    def becomes(self, **wanted):
        until(lambda: wanted.items() <= self.counts().items(),
              f"{wanted}")


@tap.test
def texts_come_back():
    with WebSockets() as p, p.open() as s:
        for text in ("", "a", "日本語", "x" * 125, "x" * 126, "x" * 65535,
                     "x" * MOST):
            s.say(text)
            equal(s.read(), text)
        equal(s.close(), 1000)
        p.becomes(open=0, gone=1)


@tap.test
def fragments_with_pings_between_are_one_text():
    with WebSockets() as p, p.open() as s:
        s.send(ws.TEXT, "日".encode()[:2], fin=False)
        s.send(ws.PING, b"still there?")
        s.send(0, "日".encode()[2:], fin=False)
        equal(s.frame(), (ws.PONG, b"still there?"))
        s.send(0, b"!", fin=True)
        equal(s.read(), "日!")


@tap.test
def bytes_one_by_one_are_understood():
    with WebSockets() as p, p.open() as s:
        for byte in ws.frame(ws.TEXT, b"slowly"):
            s.sock.sendall(bytes([byte]))
        equal(s.read(), "slowly")


@tap.test
def many_texts_at_once_are_all_answered():
    with WebSockets() as p, p.open() as s:
        s.sock.sendall(b"".join(ws.frame(ws.TEXT, str(i).encode())
                                for i in range(2000)))
        for i in range(2000):
            equal(s.read(), str(i))


@tap.test
def texts_right_behind_the_handshake_are_heard():
    with WebSockets() as p:
        with socket.create_connection(("127.0.0.1", p.port),
                                      DEADLINE) as s:
            s.sendall(ws.handshake(p.port, "/echo", "A" * 22 + "==")
                      + ws.frame(ws.TEXT, b"first"))
            got = b""
            while not got.endswith(b"\x81\x05first"):
                piece = s.recv(4096)
                assert piece, got
                got += piece


@tap.test
def what_is_against_the_rules_is_closed_with_its_code():
    bad = {1009: [ws.frame(ws.TEXT, b"x" * (MOST + 1)),
                  ws.frame(ws.TEXT, b"x" * MOST, fin=False)
                  + ws.frame(0, b"x")],
           1003: [ws.frame(ws.BINARY, b"x")],
           1007: [ws.frame(ws.TEXT, b"\xff"),
                  ws.frame(ws.TEXT, "日".encode()[:2])],
           1002: [ws.frame(0, b"x"), ws.frame(3, b"x"),
                  ws.frame(ws.TEXT, b"x", rsv=4),
                  ws.frame(ws.TEXT, b"x", fin=False)
                  + ws.frame(ws.TEXT, b"x"),
                  ws.frame(ws.CLOSE, struct.pack(">H", 999))]}
    with WebSockets() as p:
        for code, cases in bad.items():
            for case in cases:
                with p.open() as s:
                    s.sock.sendall(case)
                    equal(s.closed(), code)
        # What wslay only cuts off: no mask, control frames that are too long
        # or in fragments.
        for case in (ws.frame(ws.TEXT, b"x", mask=None),
                     ws.frame(ws.PING, b"x" * 126),
                     ws.frame(ws.PING, b"x", fin=False)):
            with p.open() as s:
                s.sock.sendall(case)
                assert s.closed() in (None, 1002)
        p.becomes(open=0)


@tap.test
def a_large_message_is_refused_with_a_reason_that_arrives():
    with WebSockets() as p, p.open() as s:
        # Refused at its head, and not waited for until all of it has come.
        s.send(ws.TEXT, b"x" * (4 << 20), mask=b"\0" * 4)
        equal(s.closed(), 1009)


@tap.test
def a_close_of_ours_waits_for_theirs():
    with WebSockets() as p, p.open() as s, p.open() as deaf:
        s.say("before")
        s.say("bye")
        s.say("after")
        equal(s.read(), "before")
        equal(s.closed(), 1001)
        p.becomes(open=1)
        deaf.say("bye")  # and never answers
        equal(deaf.frame()[0], ws.CLOSE)
        p.becomes(open=0, gone=2)


@tap.test
def handshakes_that_are_none_are_refused():
    cases = [(426, {"Upgrade": None}), (426, {"Upgrade": "h2c"}),
             (426, {"Connection": "close"}),
             (426, {"Sec_WebSocket_Version": "12"}),
             (426, {"Sec_WebSocket_Version": None}),
             (400, {"Sec_WebSocket_Key": None}),
             (400, {"Sec_WebSocket_Key": "short"}),
             (403, {"Origin": "http://evil.example"}),
             (403, {"Host": "evil.example"})]
    with WebSockets() as p:
        for status, headers in cases:
            try:
                p.open(**headers).close()
                assert False, headers
            except ws.Refused as refused:
                equal((headers, refused.status), (headers, status))
                if "Version" in str(headers):
                    assert "sec-websocket-version: 13" in refused.head
        equal(p.get("/echo")[0], 426)
        equal(p.counts()["open"], 0)


@tap.test
def all_hear_the_same_in_order():
    with WebSockets(60000, 64 << 20) as p:
        lines = [p.open("/cast") for _ in range(20)]
        p.becomes(open=20)
        equal(p.get("/say?times=3000&bytes=100"), (200, b"said"))
        for s in lines:
            for i in range(3000):
                text = s.read()
                assert text.startswith(f"{i} ") and len(text) == 100, text
        equal(p.counts()["slow"], 0)
        for s in lines:
            s.sock.close()
        p.becomes(open=0, gone=20)


@tap.test
def a_slow_reader_is_closed_and_the_others_go_on():
    with WebSockets(60000, 1 << 20) as p:
        frozen = p.open("/cast", buffer=4096)
        with p.open("/cast") as s:
            p.becomes(open=2)
            for _ in range(200):
                p.get("/say?times=100&bytes=1000")
                for i in range(100):
                    assert s.read().startswith(f"{i} ")
            p.becomes(slow=1, open=1)
        frozen.sock.close()


@tap.test
def one_larger_than_the_limit_may_still_pass():
    with WebSockets(60000, 1 << 20) as p, p.open("/cast") as s:
        p.becomes(open=1)
        p.get("/say?times=1&bytes=3000000")
        equal(len(s.read()), 3000000)
        p.get("/say?times=1&bytes=10")
        equal(len(s.read()), 10)
        equal(p.counts()["slow"], 0)


@tap.test
def one_who_pings_and_never_reads_is_closed():
    with WebSockets(60000, 1 << 16) as p, p.open(buffer=4096) as s:
        many = ws.frame(ws.PING, b"x" * 125) * 1000
        rest = many  # what was taken in part goes on where it stopped
        s.sock.settimeout(0.05)

        def has_had_enough():
            nonlocal rest
            try:
                rest = rest[s.sock.send(rest):] or many
            except OSError:
                pass
            return p.counts()["open"] == 0
        until(has_had_enough, "the end")
        equal(p.counts()["slow"], 1)


@tap.test
def the_silent_are_found():
    # Two pings may go unanswered: so much time we have to answer ours.
    with WebSockets(1000) as p, p.open() as good, p.open() as bad:
        bad.answers_pings = False
        pings = 0
        while p.counts()["lost"] == 0:
            if good.rest or select.select([good.sock], [], [], 0.02)[0]:
                opcode, payload = good.frame()
                equal(opcode, ws.PING)
                good.send(ws.PONG, payload)
                pings += 1
        assert pings > 0
        equal(bad.closed(), None)
        good.say("alive")
        equal(good.read(), "alive")


@tap.test
def resets_and_half_closes_leave_nobody():
    with WebSockets() as p:
        for i in range(200):
            if i % 4 == 0:
                s = socket.create_connection(("127.0.0.1", p.port))
                s.sendall(ws.handshake(p.port, "/echo", "A" * 22 + "==")
                          [:20 + i])
                s.close()
                continue
            s = p.open("/echo" if i % 2 else "/cast")
            if i % 4 == 1:
                s.drop()
            elif i % 4 == 2:
                s.sock.shutdown(socket.SHUT_WR)
            else:
                s.say("x" * 1000)
                s.sock.sendall(ws.frame(ws.TEXT, b"cut")[:-1])
                s.sock.close()
        p.becomes(open=0)


@tap.test
def it_ends_with_websockets_of_every_kind():
    with WebSockets() as p:
        lines = [p.open("/cast", buffer=4096), p.open(), p.open()]
        p.get("/say?times=1&bytes=9000000")
        lines[1].say("bye")
        early = socket.create_connection(("127.0.0.1", p.port))
        early.sendall(ws.handshake(p.port, "/echo", "A" * 22 + "=="))
    for s in lines:
        s.sock.close()
    early.close()


if __name__ == "__main__":
    tap.run()

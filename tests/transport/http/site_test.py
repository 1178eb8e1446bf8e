#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The HTTP side by itself, spoken to byte by byte."""

import http.client
import socket

from harness import tap
from harness.until import equal, until
from routes import Routes


@tap.test
def a_body_comes_back():
    with Routes() as h:
        for size in (0, 1, 65536, 3 << 20):
            equal(h.ask("POST", "/echo", b"x" * size),
                  (200, b"x" * size))


@tap.test
def a_body_over_the_limit_is_refused():
    with Routes() as h, h.connect() as s:
        s.sendall(h.head("/echo", "POST").replace(
            b"\r\n\r\n", b"\r\nContent-Length: 17000000\r\n\r\n"))
        assert b" 413 " in s.recv(64)


@tap.test
def many_requests_use_one_connection():
    with Routes() as h:
        line = http.client.HTTPConnection("127.0.0.1", h.port)
        for i in range(200):
            path = ("/echo", "/later")[i % 40 == 0]
            line.request("POST", path, b"one")
            equal(line.getresponse().read(),
                  b"later" if path == "/later" else b"one")
        line.close()


@tap.test
def requests_sent_ahead_are_answered_in_order():
    with Routes() as h, h.connect() as s:
        s.sendall(h.head("/later") + h.head("/query?q=a%20b+c")
                  + h.head("/later"))
        got = b""
        while got.count(b"later") < 2:
            piece = s.recv(65536)
            assert piece, got
            got += piece
        assert got.index(b"later") < got.index(b"a b c") < got.rindex(
            b"later"), got


@tap.test
def headers_are_found_whatever_their_case():
    with Routes() as h:
        equal(h.ask("GET", "/head/mcp-method",
                    headers={"MCP-Method": "  tools/list "}),
              (200, b"tools/list"))
        equal(h.ask("GET", "/head/content-type",
                    headers={"Content-Type": "a/b"}), (200, b"a/b"))
        equal(h.ask("GET", "/head/nothing"), (200, b"(none)"))


@tap.test
def what_is_not_there_is_not_found():
    with Routes() as h:
        for path in ("/none", "/echo/", "/../etc/passwd"):
            equal(h.ask("GET", path)[0], 404)


@tap.test
def a_head_that_is_too_large_is_refused():
    with Routes() as h:
        equal(h.ask("GET", "/echo", headers={"x": "y" * 70000})[0], 431)


@tap.test
def a_stream_comes_piece_by_piece():
    with Routes() as h:
        equal(h.ask("GET", "/stream"),
              (200, b"data: piece\n\n" * 10))


@tap.test
def one_who_leaves_is_noticed():
    with Routes() as h:
        for count in range(1, 6):
            with h.connect() as s:
                s.sendall(h.head("/never"))
                until(lambda: h.stats()["held"] == count, "a request that waits")
                if count % 2:
                    s.shutdown(socket.SHUT_WR)
            until(lambda: h.stats()["left"] == count, "that it has left")


@tap.test
def one_who_does_not_read_is_cut_off():
    with Routes() as h, h.connect() as s:
        s.sendall(h.head("/flood"))
        # The site says nothing of it; the connection's end does.
        def is_cut():
            try:
                s.send(b"x")
                return False
            except OSError:
                return True
        until(is_cut, "the end of the connection")


@tap.test
def too_many_connections_are_turned_away():
    with Routes() as h:
        lines = [h.connect() for _ in range(64)]
        for s in lines[1:]:
            s.sendall(h.head("/never"))
        until(lambda: h.stats()["held"] == 63, "requests that wait")
        # That was by the place of the one that had nothing to say.
        equal(lines[0].recv(64), b"")
        lines[0] = h.connect()
        lines[0].sendall(h.head("/never"))
        with h.connect() as one:
            equal(one.recv(64), b"")
        for s in lines:
            s.close()
        until(h.has_room, "a free place")


@tap.test
def it_ends_with_clients_of_every_kind():
    with Routes() as h:
        lines = []
        for path in ("/never", "/stream", "/flood", "/echo", None):
            s = h.connect()
            lines.append(s)
            if path:
                s.sendall(h.head(path))
        until(lambda: lines[2].recv(1, socket.MSG_PEEK), "a flood")
    for s in lines:
        s.close()


if __name__ == "__main__":
    tap.run()

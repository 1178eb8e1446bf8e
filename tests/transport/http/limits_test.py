#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients that are slow, gone, greedy or too many."""

import itertools
import json
import os
import resource
import select
import socket

from harness import tap
from harness.processes import is_sanitized
from harness.until import equal, until
from routes import Routes, read_all, read_answer, reset, vanish

MB = 1 << 20


def post(h, *more):
    return (f"POST /echo HTTP/1.1\r\nHost: 127.0.0.1:{h.port}\r\n"
            + "".join(f"{line}\r\n" for line in more) + "\r\n").encode()


def drip(s, pieces):
    """Sends piece by piece until the other side has had enough; what it said.
    The pauses only make it a slow sender: it is awaited, not timed."""
    for piece in pieces:
        if select.select([s], [], [], 0.01)[0]:
            break
        try:
            s.send(piece)
        except OSError:
            break
    return read_all(s)


def check_memory(h, before, most):
    if not is_sanitized(h.process.pid):
        grown = h.memory() - before
        assert grown < most, f"{grown >> 20} MB more"


@tap.test
def slow_senders_are_cut_off():
    with Routes("--idle", "300") as h:
        for begin, rest in (
                (b"", b""), (b"", b"GET / HTTP/1.1\r\n"),
                (b"GET / HTTP/1.1\r\n", b"a: b\r\n"),
                (b"GET / HTTP/1.1\r\na: ", b"b"),
                (post(h, "Content-Length: 100000"), b"x"),
                (post(h, "Content-Length: 100000",
                      "Expect: 100-continue"), b"x"),
                (post(h, "Transfer-Encoding: chunked"), b"1\r\nx\r\n"),
                (post(h, "Transfer-Encoding: chunked") + b"1;", b"ext"),
                (post(h, "Transfer-Encoding: chunked") + b"0\r\n", b"t: x\r\n"),
                (h.head("/echo"), b"")):
            with h.connect() as s:
                s.sendall(begin)
                # One byte at a time; without any it is just silent.
                drip(s, itertools.cycle([bytes((b,)) for b in rest] or [b""]))
        until(lambda: h.stats()["connections"] == 1, "their end")


@tap.test
def one_who_waits_is_not_cut_off():
    with Routes("--idle", "300") as h, h.unanswered():
        for _ in range(3):
            with h.connect() as s:
                read_all(s)  # until its time is over, which began later
        equal(h.stats()["left"], 0)


@tap.test
def one_who_does_not_read_an_answer_is_cut_off():
    with Routes("--idle", "1000") as h:
        for path in ("/big", "/flood"):
            with h.connect() as s:
                s.sendall(h.head(path))
                until(lambda: h.stats()["connections"] == 1, "its end")


@tap.test
def one_who_vanishes_is_missed():
    if os.geteuid() != 0:
        raise tap.Skip("only root can make a socket vanish")
    with Routes("--idle", "1000") as h:
        vanish(h.unanswered())
        for data in (h.head("/flood"), b"GET /ha"):
            s = h.connect()
            s.sendall(data)
            if data == h.head("/flood"):
                s.recv(1)
            vanish(s)
        until(lambda: h.stats()["connections"] == 1, "their end")
        equal(h.stats()["left"], 1)


@tap.test
def a_reset_may_come_at_any_byte():
    with Routes() as h:
        for data in (post(h, "Content-Length: 3") + b"abc",
                     post(h, "Transfer-Encoding: chunked")
                     + b"3\r\nabc\r\n0\r\n\r\n", h.head("/never"),
                     h.head("/stream"), h.head("/later")):
            for at in range(len(data) + 1):
                s = h.connect()
                s.send(data[:at])
                reset(s)
        until(lambda: h.has_room()
              and h.stats()["connections"] == 1, "their end")
        equal(h.ask("POST", "/echo", b"abc"), (200, b"abc"))


@tap.test
def half_closing_is_understood():
    with Routes() as h:
        for at, data in enumerate((b"", b"GET ", h.head("/echo")[:-1],
                                   post(h, "Content-Length: 3") + b"ab")):
            with h.connect() as s:
                s.sendall(data)
                s.shutdown(socket.SHUT_WR)
                equal((at, read_all(s)), (at, b""))


@tap.test
def requests_ahead_wait_in_the_kernel():
    with Routes() as h, h.connect() as s:
        s.sendall(h.head("/never"))
        until(lambda: h.stats()["held"] == 1, "a request that waits")
        before = h.memory()
        s.setblocking(False)
        sent, flood = 0, h.head("/echo") * 1000
        try:
            while sent < 256 * MB:
                sent += s.send(flood)
        except BlockingIOError:
            pass
        assert sent < 256 * MB
        check_memory(h, before, 16 * MB)
        h.stats()
        reset(s)


@tap.test
def requests_without_end_are_not_kept():
    """Their answers are not read: neither are they, from some point on."""
    with Routes("--idle", "1000") as h:
        before = h.memory()
        with h.connect() as s:
            flood, sent = h.head("/echo") * 1000, 0
            try:
                while sent < 1024 * MB:
                    sent += s.send(flood)
            except OSError:
                pass
        assert sent < 1024 * MB
        check_memory(h, before, 32 * MB)
        until(lambda: h.stats()["connections"] == 1, "its end")


@tap.test
def bodies_without_end_are_refused():
    with Routes() as h:
        before = h.memory()
        block = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        with h.connect() as s:
            s.sendall(post(h, "Transfer-Encoding: chunked"))
            sent = 0
            try:
                while sent < 256 * MB:
                    s.sendall(block)
                    sent += len(block)
            except OSError:
                pass
            assert 15 * MB < sent < 256 * MB, sent
        until(lambda: h.stats()["connections"] == 1, "its end")
        # What is exactly allowed is allowed.
        status, body = h.ask("POST", "/echo", b"x" * (16 * MB))
        equal((status, len(body)), (200, 16 * MB))
        equal(h.status(post(h, f"Content-Length: {16 * MB + 1}")), 413)
        check_memory(h, before, 64 * MB)


@tap.test
def all_bodies_together_have_a_limit():
    with Routes("--input", str(8 * MB)) as h:
        crowd = [h.connect() for _ in range(32)]
        for s in crowd:
            s.sendall(post(h, f"Content-Length: {2 * MB}"))
            try:
                s.sendall(b"x" * MB)
            except OSError:
                pass  # it is one of those
        until(lambda: h.stats()["connections"] <= 9, "room")
        assert h.stats()["cut"] >= 24
        equal(h.ask("POST", "/echo", b"x" * MB)[0], 200)
        for s in crowd:
            s.close()


@tap.test
def a_client_may_send_ahead_while_a_stream_runs():
    with Routes() as h, h.connect() as s:
        s.sendall(h.head("/stream") + h.head("/query?q=after")
                  + h.head("/stream") + h.head("/query?q=last"))
        got = b""
        while b"last" not in got:
            piece = s.recv(65536)
            assert piece, got
            got += piece
        equal(got.count(b"data: piece"), 20)
        assert got.index(b"after") < got.rindex(b"HTTP/1.1 "), got


@tap.test
def it_ends_whatever_has_been_sent_ahead():
    with Routes() as h:
        lines = []
        for path in ("/never", "/stream", "/flood", "/later", "/big"):
            for more in (b"", b"GET", h.head("/never") * 4000):
                s = h.connect()
                s.setblocking(False)
                lines.append(s)
                try:
                    s.send(h.head(path) + more)
                except BlockingIOError:
                    pass
        until(lambda: h.stats()["held"] >= 3, "requests that wait")
    for s in lines:
        s.close()


@tap.test
def more_connections_than_places():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2048:
        raise tap.Skip("not enough descriptors here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
    try:
        # However long it takes until the first is heard again.
        with Routes("--connections", "1024", "--idle", "600000",
                    files=2048) as h:
            lines = []
            for _ in range(1024):
                s = h.connect()
                s.sendall(h.head("/echo"))
                assert b" 200 " in read_answer(s)
                lines.append(s)
            # The first of them are at work, the others have been idle for
            # long: those make room, one for one.
            for s in lines[:24]:
                s.sendall(h.head("/never"))
            for s in lines[24:34]:
                s.sendall(h.head("/echo")[:-1])
            until(lambda: h.stats()["held"] == 24, "requests that wait")
            gone = h.stats()["dropped"]
            for _ in range(100):
                s = h.connect()
                s.sendall(h.head("/echo"))
                assert b" 200 " in read_answer(s)
                lines.append(s)
            equal(h.stats()["left"], 0)
            # The place of who asked how it is may have been free.
            assert h.stats()["dropped"] >= gone + 99
            for s in lines[24:34]:
                s.sendall(b"\n")
                assert b" 200 " in read_answer(s)
            for s in lines[-100:]:
                s.sendall(h.head("/echo"))
                assert b" 200 " in read_answer(s)
            for s in lines:
                s.close()
            until(h.has_room, "a free place")
            until(lambda: h.stats()["connections"] == 1, "their end")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@tap.test
def without_descriptors_it_waits_and_does_not_spin():
    with Routes("--connections", "1024", files=48) as h, h.connect() as teller:
        def stats():
            teller.sendall(h.head("/stats"))
            return json.loads(read_answer(teller).split(b"\r\n\r\n")[1])
        first = stats()
        crowd = [h.connect() for _ in range(100)]
        begin = until(lambda: (s := stats())["pauses"] > 3 and s,
                      "pauses")
        assert begin["connections"] < 48, begin
        # A turn or two for each pause and for each question, and no more.
        asked = 0
        while (now := stats())["pauses"] < begin["pauses"] + 5:
            select.select([], [], [], 0.02)
            asked += 1
        turns = now["turns"] - begin["turns"]
        assert turns < 10 * (asked + 6), (turns, asked)
        for s in crowd[:90]:
            s.close()
        crowd[-1].sendall(h.head("/echo"))
        assert b" 200 " in read_answer(crowd[-1])
        assert stats()["accepted"] > first["accepted"]
        for s in crowd:
            s.close()


if __name__ == "__main__":
    tap.run()

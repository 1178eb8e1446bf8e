#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What those who are not let in can take of the site: time, room, memory."""

import contextlib

from harness import tap
from harness.processes import is_sanitized
from harness.until import FOREVER, equal, patiently, until
from routes import Routes, read_all, read_answer
from users import TOKEN, another_user, as_nobody, bearer, begun_post, crowd


@tap.test
def another_users_body_is_not_waited_for():
    with Routes() as h:
        def ask():
            with h.connect() as s:
                s.sendall(begun_post(h, 1000000))
                return s.recv(12).decode()
        equal(as_nobody(ask), "HTTP/1.1 403")
        # It is told so before it has asked for anything.
        equal(as_nobody(lambda: read_all(h.connect()).decode()[:12]),
              "HTTP/1.1 403")
        equal(h.stats()["served"], 1)


@tap.test
def a_refused_body_is_not_waited_for():
    """Whatever the reason is, and also when it is not the first request."""
    for options, more, status in (
            ((), ["Origin: http://evil"], b"403"),
            ((), ["Host: localhost"], b"400"),
            ((), ["Transfer-Encoding: chunked"], b"400"),
            (("--token", TOKEN), [], b"401"),
            (("--token", TOKEN), ["Authorization: Bearer x"], b"401")):
        with Routes(*options) as h:
            lead = h.head("/echo", more=f"Authorization: Bearer {TOKEN}\r\n")
            for expect in ([], ["Expect: 100-continue"]):
                data = begun_post(h, 1000000, *more, *expect)
                with h.connect() as s:
                    s.sendall(data)
                    equal((more, read_all(s)[9:12]), (more, status))
                with h.connect() as s:
                    s.sendall(lead)
                    assert b" 200 " in read_answer(s)
                    s.sendall(data)
                    equal((more, read_all(s)[9:12]), (more, status))
            # Sent ahead of the first's answer.
            with h.connect() as s:
                s.sendall(lead + begun_post(h, 1000000, *more) + b"x" * 100)
                got = read_all(s)
                equal((more, got.count(b"HTTP/1.1 "),
                       got.rpartition(b"HTTP/1.1 ")[2][:3]),
                      (more, 2, status))
            until(lambda: h.ask("GET", "/stats", None, bearer())[0] == 200,
                  "an answer")


@tap.test
def a_refusal_reaches_one_who_goes_on_sending():
    with Routes("--token", TOKEN) as h:
        equal(h.ask("POST", "/mcp", b"x" * (8 << 20))[0], 401)
        equal(h.ask("POST", "/mcp", iter([b"x" * 65536] * 100))[0], 401)


@tap.test
def bodies_of_strangers_fill_no_memory():
    for options in ((), ("--token", TOKEN)):
        with Routes("--connections", "1024", *options, files=2048) as h:
            def ask():
                return h.ask("GET", "/echo", None, bearer())[0]
            equal(ask(), 200)
            before = h.memory()
            data = begun_post(h, 2 << 20) + b"x" * (1 << 20)
            with another_user(lambda: (0, crowd(h, 255, data))):
                equal(ask(), 200)
                grown = h.memory() - before
                # All that they have sent would be 255 MB.
                assert is_sanitized(h.process.pid) or grown < 32 << 20, \
                    f"{grown >> 20} MB more"


@tap.test
def strangers_do_not_take_the_room():
    for options in ((), ("--token", TOKEN)):
        with Routes("--connections", "16", "--idle", FOREVER, *options) as h:
            for data in (b"", b"GET / HT", h.head("/echo"),
                         begun_post(h, 1000) + b"x"):
                with another_user(lambda: (0, crowd(h, 40, data))), \
                        contextlib.ExitStack() as stack:
                    # All the room there is but for two is ours all the same.
                    for _ in range(14):
                        s = stack.enter_context(h.connect())
                        s.sendall(h.head(
                            "/echo",
                            more=f"Authorization: Bearer {TOKEN}\r\n"))
                        assert b" 200 " in read_answer(s)


@tap.test
def a_stranger_with_the_token_is_none():
    """Its connection stays, whoever else comes."""
    with Routes("--connections", "16", "--token", TOKEN,
                "--idle", FOREVER) as h:
        def talk():
            ask = h.head("/echo", more=f"Authorization: Bearer {TOKEN}\r\n")
            with h.connect() as s:
                s.sendall(ask)
                first = read_answer(s)[9:12].decode()
                lines = crowd(h, 40, b"GET")
                s.sendall(ask)
                return [first, read_answer(s)[9:12].decode(), len(lines)]
        equal(as_nobody(talk), ["200", "200", 40])


@tap.test
def a_stranger_has_little_time():
    """One of ours that is as slow, and came before, is still heard when the
    stranger has been sent away."""
    def attempt(idle):
        with Routes("--token", TOKEN, "--idle", idle) as h, h.connect() as own:
            own.sendall(h.head("/echo")[:-2])
            equal(as_nobody(lambda: read_all(crowd(h, 1, b"GET / HT")[0])
                            .decode()), "")
            try:
                own.sendall(f"Authorization: Bearer {TOKEN}\r\n\r\n".encode())
            except OSError:
                return False
            return b" 200 " in read_answer(own)
    patiently(attempt, 6000)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests that two programs could read in two ways."""

from harness import tap
from harness.until import equal
from routes import Routes, read_all, read_answer

# Answered as if it were a request, this would be seen in /stats.
SMUGGLED = b"GET /never HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"


def lines(h, *more, path="/echo", method="POST", version="HTTP/1.1"):
    return (f"{method} {path} {version}\r\nHost: 127.0.0.1:{h.port}\r\n"
            + "".join(f"{line}\r\n" for line in more) + "\r\n").encode("latin1")


def check_refused(h, data, statuses=(400,)):
    """Refused, and what follows on the connection is not a request."""
    with h.connect() as s:
        try:
            s.sendall(data + SMUGGLED % h.port)
        except ConnectionError:
            pass  # refused before all of it was sent
        got = read_all(s)
    assert int(got.split(b" ", 2)[1]) in statuses, (data, got)
    equal((data, got.count(b"HTTP/1.1 ")), (data, 1))


@tap.test
def lengths_that_contradict_each_other_are_refused():
    with Routes() as h:
        for more in (("Content-Length: 5", "Content-Length: 5"),
                     ("Content-Length: 5", "Content-Length: 6"),
                     ("Content-Length: 0", "content-length: 44"),
                     ("Content-Length: 5, 5",), ("Content-Length: 5,6",),
                     ("Content-Length: +5",), ("Content-Length: -1",),
                     ("Content-Length: 0x5",), ("Content-Length: 5 5",),
                     ("Content-Length: five",), ("Content-Length:",),
                     ("Content-Length: 5;",), ("Content-Length: 5.0",),
                     ("Content-Length: 99999999999999999999999",),
                     ("Content-Length: 18446744073709551615",),
                     ("Content-Length: 18446744073709551616",)):
            check_refused(h, lines(h, *more) + b"12345", (400, 413))
        equal(h.stats()["held"], 0)


@tap.test
def encodings_that_are_not_plainly_chunked_are_refused():
    body = b"5\r\n12345\r\n0\r\n\r\n"
    with Routes() as h:
        for more in (("Transfer-Encoding: chunked", "Content-Length: 5"),
                     ("Content-Length: 5", "Transfer-Encoding: chunked"),
                     ("Transfer-Encoding: chunked",
                      "Transfer-Encoding: chunked"),
                     ("Transfer-Encoding: chunked",
                      "Transfer-Encoding: identity"),
                     ("Transfer-Encoding: identity",),
                     ("Transfer-Encoding: gzip, chunked",),
                     ("Transfer-Encoding: chunked, chunked",),
                     ("Transfer-Encoding: xchunked",),
                     ("Transfer-Encoding: chunkedx",),
                     ("Transfer-Encoding: \x0bchunked",),
                     ("Transfer-Encoding: \"chunked\"",),
                     ("Transfer-Encoding:",)):
            check_refused(h, lines(h, *more) + body)
        check_refused(h, lines(h, "Transfer-Encoding: chunked",
                               "Connection: keep-alive",
                               version="HTTP/1.0") + body)
        equal(h.ask("POST", "/echo", iter([b"12", b"345"])),
              (200, b"12345"))
        equal(h.stats()["held"], 0)


@tap.test
def broken_chunks_are_refused():
    with Routes() as h:
        for body in (b"x\r\n", b"-5\r\n", b"\r\n", b"11111111111111111\r\n",
                     b"5\r\n12345X", b"5\r\n123456\r\n", b";\r\n"):
            check_refused(h, lines(h, "Transfer-Encoding: chunked") + body)
        equal(h.stats()["held"], 0)


@tap.test
def headers_that_are_not_plain_are_refused():
    with Routes() as h:
        for more in (" folded: x", "\tfolded: x", "a: b\r\n c", "a: b\r\n\tc",
                     "Content-Length : 5", "Host : evil", "a b: c", ": empty",
                     "no-colon", "a\x00: b", "a: b\x00c", "a: b\x01c",
                     "a: b\rc", "a: b\x7fc", "a(: b", "a\xe9: b", "@: b",
                     "a: b\nx: y", "Transfer-Encoding\t: chunked"):
            check_refused(h, lines(h, more, method="GET"))
        # A line that ends with LF alone.
        plain = lines(h, "a: b", method="GET")
        for at in range(plain.count(b"\r\n")):
            pieces = plain.split(b"\r\n")
            broken = (b"\r\n".join(pieces[:at + 1]) + b"\n"
                      + b"\r\n".join(pieces[at + 1:]))
            check_refused(h, broken)
        equal(h.stats()["held"], 0)


@tap.test
def headers_that_may_stand_once_stand_once():
    with Routes() as h:
        for name in ("Origin", "Authorization", "Content-Type", "Cookie",
                     "Upgrade", "Sec-WebSocket-Key", "Sec-WebSocket-Version"):
            check_refused(h, lines(h, f"{name}: a", f"{name.lower()}: b",
                                   method="GET"))
        equal(h.status(lines(h, "Accept: a", "Accept: b",
                             method="GET")), 200)
        # Names that only begin alike are others.
        equal(h.status(lines(h, "Hosts: a", "Host-: b", "Origins: c",
                             method="GET")), 200)


@tap.test
def too_many_headers_are_refused():
    with Routes() as h:
        equal(h.status(lines(h, *["a: b"] * 90, method="GET")), 200)
        for count in (100, 1000, 20000):
            check_refused(h, lines(h, *["a: b"] * count, method="GET"))
        check_refused(h, lines(h, "a: " + "b" * 70000, method="GET"), (431,))
        check_refused(h, lines(h, method="GET", path="/" + "p" * 70000),
                      (431,))
        check_refused(h, lines(h, "a" * 70000 + ": b", method="GET"), (431,))
        # A head without end.
        with h.connect() as s:
            s.sendall(b"GET / HTTP/1.1\r\na: ")
            try:
                while True:
                    s.sendall(b"b" * 65536)
            except ConnectionError:
                pass
        equal(h.stats()["held"], 0)


@tap.test
def request_lines_are_read_strictly():
    with Routes() as h:
        host = f"\r\nHost: 127.0.0.1:{h.port}\r\n\r\n"
        for line in ("GET /echo", "GET /echo HTTP/0.9", "GET /echo HTTP/2.0",
                     "GET /echo HTTP/1.1 ", "GET  /echo HTTP/1.1",
                     " GET /echo HTTP/1.1", "GET /echo  HTTP/1.1",
                     "GET\t/echo HTTP/1.1", "GET /ec ho HTTP/1.1",
                     "GET /echo HTTP/1.x", "GET /echo http/1.1",
                     "GET /echo HTTP/11", "GET echo HTTP/1.1",
                     "GET * HTTP/1.1", "OPTIONS * HTTP/1.1",
                     f"CONNECT 127.0.0.1:{h.port} HTTP/1.1",
                     "GET /echo\x00 HTTP/1.1", "GET /echo#x HTTP/1.1",
                     "GET /ec\xc3\xa9ho HTTP/1.1", "GET /a\\b HTTP/1.1",
                     "GET ?x HTTP/1.1", "GET ../echo HTTP/1.1"):
            check_refused(h, (line + host).encode("latin1"), (400, 405))
        equal(h.status(b"\r\n" + h.head("/echo")), 200)


@tap.test
def older_and_newer_protocols_are_not_spoken():
    with Routes() as h:
        assert h.raw(b"GET /echo\r\n").startswith(b"HTTP/1.1 400")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        assert h.raw(preface + b"\0\0\0\4\0\0\0\0\0").startswith(
            b"HTTP/1.1 400")
        got = h.raw(lines(h, "Connection: Upgrade, HTTP2-Settings",
                          "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__",
                          method="GET"))
        assert got.startswith(b"HTTP/1.1 200 "), got
        assert h.raw(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 4
                     ).startswith(b"HTTP/1.1 400")
        # 1.0: no chunks, and the connection ends.
        with h.connect() as s:
            s.sendall(lines(h, method="GET", version="HTTP/1.0",
                            path="/stream"))
            got = read_all(s)
        assert b"chunked" not in got and got.endswith(
            b"\r\n\r\n" + b"data: piece\n\n" * 10), got


@tap.test
def one_who_asks_before_sending_is_answered():
    with Routes() as h, h.connect() as s:
        s.sendall(lines(h, "Content-Length: 5", "Expect: 100-continue"))
        got = b""
        while not got.endswith(b"\r\n\r\n"):
            got += s.recv(100)
        equal(got, b"HTTP/1.1 100 Continue\r\n\r\n")
        s.sendall(b"12345")
        assert read_answer(s).endswith(b"\r\n\r\n12345")
        equal(h.status(lines(h, "Content-Length: 5",
                             "Expect: 200-ok")), 417)
        equal(h.status(lines(h, "Content-Length: 17000000",
                             "Expect: 100-continue")), 413)


@tap.test
def targets_may_be_whole_addresses_of_ours():
    with Routes() as h:
        own = f"http://127.0.0.1:{h.port}"
        equal(h.raw(lines(h, path=f"{own}/query?q=a%20b")
                    )[-3:], b"a b")
        equal(h.raw(lines(h, path=own, method="GET"))[-1:], b"/")
        equal(h.raw(lines(h, path=f"{own}/files/../files/x",
                          method="GET"))[-8:], b"/files/x")
        for path in (f"http://evil:{h.port}/echo", "http://evil/echo",
                     f"http://localhost:{h.port}/echo",
                     f"https://127.0.0.1:{h.port}/echo", "http:///echo",
                     f"http://u@127.0.0.1:{h.port}/echo", "http://",
                     f"{own}?q", f"ftp://127.0.0.1:{h.port}/", "http:/echo"):
            check_refused(h, lines(h, path=path, method="GET"))


@tap.test
def a_head_alone_is_answered_with_a_head():
    with Routes() as h, h.connect() as s:
        for path, status in (("/query?q=abc", 200), ("/later", 200),
                             ("/none", 404), ("/big", 200)):
            s.sendall(h.head(path, "HEAD") + h.head("/query?q=next"))
            got = b""
            while not got.endswith(b"next"):
                got += s.recv(4096)
            first, second, body = got.split(b"\r\n\r\n")
            assert first.startswith(b"HTTP/1.1 %d " % status), got
            assert second.startswith(b"HTTP/1.1 200 "), got
            equal(body, b"next")
        s.sendall(h.head("/stream", "HEAD"))
        assert s.recv(4096).startswith(b"HTTP/1.1 200 ")
    with Routes() as h:
        got = h.raw(h.head("/empty") .replace(b"\r\n\r\n",
                                              b"\r\nConnection: close\r\n\r\n"))
        assert got.startswith(b"HTTP/1.1 204 "), got
        assert b"ontent-" not in got.replace(b"x-content-type-options", b"")


@tap.test
def nothing_leads_out_of_a_path():
    inside = ("/files/a", "/files/a%20b", "/files/%e3%81%82", "/files/a..b",
              "/files/...", "/files/./a", "/files/a//b", "/files/%2e/a",
              "/files/b/../a", "/files/%252e%252e/a", "/files//a")
    outside = ("/files/..", "/files/../x", "/files/%2e%2e/x",
               "/files/.%2e/x", "/files/%2E./x", "/files/..%2fx",
               "/files/%2e%2e%2fx", "/files%2f..%2fx", "/files/a/../../x",
               "/../x", "/../../x", "/files/./../x", "/files//../../x",
               "/files/%2f..%2f..%2fx", "/..", "/..%2f", "/x/../files/../x",
               "/files/../../../../../../etc/passwd")
    refused = ("/files/%00", "/files/a%00b", "/files/..%00/x", "/files/%0a",
               "/files/%0d%0ax", "/files/%5c..%5cx", "/files/..%5cx",
               "/files/%7f", "/files/%c0%ae%c0%ae/x", "/files/%c0%af",
               "/files/%e0%80%ae", "/files/%f0%80%80%ae", "/files/%ff",
               "/files/%ed%a0%80", "/files/%80", "/files/%c3")
    with Routes() as h:
        for path in inside:
            status, _, body = h.answer("GET", path)
            equal((path, status, body[:7]), (path, 200, b"/files/"))
            assert b"/../" not in body and not body.endswith(b"/.."), body
        for path in outside:
            got = h.raw(lines(h, path=path, method="GET"))
            assert b" 404 " in got[:16] or got.endswith(b"\r\n\r\n/"), got
        for path in refused:
            equal((path, h.status(lines(h, path=path, method="GET"))),
                  (path, 400))


@tap.test
def a_request_may_come_in_any_pieces():
    with Routes() as h:
        whole = lines(h, "Content-Length: 3") + b"abc"
        chunked = lines(h, "Transfer-Encoding: chunked") + (
            b"1;x=y\r\na\r\n2\r\nbc\r\n0\r\nt: x\r\n\r\n")
        for data in (whole, chunked):
            with h.connect() as s:
                for byte in data:
                    s.send(bytes((byte,)))
                assert read_answer(s).endswith(b"\r\n\r\nabc")
            for at in range(1, len(data)):
                with h.connect() as s:
                    s.send(data[:at])
                    s.send(data[at:])
                    assert read_answer(s).endswith(b"\r\n\r\nabc")


@tap.test
def what_follows_does_not_change_what_came():
    """h2o's words for a request lie where the next bytes would be read to."""
    with Routes() as h, h.connect() as s:
        first = lines(h, "X-Mine: " + "m" * 100, method="GET",
                      path="/late-head/x-mine")
        other = lines(h, "X-Mine: " + "y" * 3000, method="GET",
                      path="/head/x-mine")
        s.sendall(first)
        s.sendall(other * 40)
        got = b""
        while got.count(b"y" * 3000) < 40:
            piece = s.recv(65536)
            assert piece, got
            got += piece
        assert got.split(b"\r\n\r\n")[1].startswith(b"m" * 100), got[:500]


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who gets in, and who is told why not."""

import json
import os
import signal
import socket

from harness import tap
from harness.until import DEADLINE, equal, until
from routes import SITE, Routes, read_answer
from users import NOBODY, TOKEN, as_nobody, request


@tap.test
def host_must_name_us():
    with Routes() as h:
        p = h.port
        good = [f"127.0.0.1:{p}", f"localhost:{p}", f"LOCALHOST:{p}",
                f"[::1]:{p}", f"  localhost:{p}\t"]
        bad = ["evil.example.com", f"evil.example.com:{p}", "localhost",
               "127.0.0.1", f"localhost:{p + 1}", f"localhost.:{p}",
               f"127.0.0.1.:{p}", f"user@localhost:{p}", f"localhost:{p}.",
               f"127.0.0.1:{p}/", f"127.0.0.1:{p},evil", f"127.1:{p}",
               f"0.0.0.0:{p}", f"::1:{p}", f"[::1]:0{p}", f"localhost:{p}#",
               f"http://localhost:{p}", f"xlocalhost:{p}", f"2130706433:{p}",
               f"[::ffff:127.0.0.1]:{p}", f"localhost:{p}\\", ""]
        for host in good:
            equal((host, h.status(request([f"Host: {host}"]))),
                  (host, 200))
        for host in bad:
            equal((host, h.status(request([f"Host: {host}"]))),
                  (host, 403))


@tap.test
def the_address_listened_on_is_ours_too():
    with Routes(host="127.0.0.2") as h:
        for host, status in ((f"127.0.0.2:{h.port}", 200),
                             (f"localhost:{h.port}", 200),
                             (f"127.0.0.3:{h.port}", 403)):
            equal(h.status(request([f"Host: {host}"])), status)
        equal(h.ask("GET", "/echo", None,
                    {"Origin": f"http://127.0.0.2:{h.port}"})[0], 200)
    with Routes(host="::1") as h:
        for host, status in ((f"[::1]:{h.port}", 200), (f"::1:{h.port}", 403)):
            equal(h.status(request([f"Host: {host}"])), status)


@tap.test
def there_must_be_one_host():
    with Routes() as h:
        own = f"Host: localhost:{h.port}"
        equal(h.status(request([])), 400)
        equal(h.status(request([own, own])), 400)
        equal(h.status(request(["Host: evil", own])), 400)
        equal(h.status(request([own, "hOST: evil"])), 400)
        equal(h.status(b"GET /echo HTTP/1.0\r\n\r\n"), 400)


@tap.test
def origin_must_be_ours():
    with Routes() as h:
        p, own = h.port, f"Host: localhost:{h.port}"
        good = [f"http://localhost:{p}", f"http://127.0.0.1:{p}",
                f"http://[::1]:{p}"]
        bad = ["null", "", "http://evil.example.com", "http://localhost",
               f"https://localhost:{p}", f"http://localhost:{p + 1}",
               f"http://localhost:{p}/", f"http://localhost:{p}.evil.com",
               f"http://localhost.:{p}", f"http://a@localhost:{p}",
               f"http://localhost:{p} http://evil", f"localhost:{p}",
               f"ws://localhost:{p}", f"HTTP://evil:{p}", "file://", "*"]
        for path in ("/echo", "/mcp", "/api/x"):
            for origin in good:
                equal(h.status(request([own, f"Origin: {origin}"],
                                       path)), 200)
            for origin in bad:
                equal((origin, h.status(request(
                    [own, f"Origin: {origin}"], path))), (origin, 403))
        equal(h.status(request([own, f"Origin: {good[0]}",
                                "Origin: http://evil"])), 400)


@tap.test
def no_page_elsewhere_is_ever_allowed():
    with Routes() as h:
        for origin in (None, f"http://localhost:{h.port}", "http://evil"):
            for method in ("GET", "POST", "OPTIONS"):
                status, headers, _ = h.answer(
                    method, "/mcp", None,
                    {"Origin": origin} if origin else {})
                assert not [k for k in headers
                            if k.lower().startswith("access-control")]
                if method == "OPTIONS":
                    assert status in (403, 405), status
        status, headers, _ = h.answer("OPTIONS", "/echo")
        equal((status, headers["allow"]),
              (405, "GET, HEAD, POST, DELETE"))
        for method in ("TRACE", "PUT", "PATCH", "CONNECT", "get", "X"):
            equal(h.status(h.head("/echo", method)), 405)


@tap.test
def refusals_speak_the_askers_language():
    with Routes() as h:
        bad = {"Origin": "http://evil"}
        equal(json.loads(h.ask("GET", "/mcp", None, bad)[1]),
              {"jsonrpc": "2.0", "error": {
                  "code": -32000,
                  "message": "Origin is not this server"}})
        equal(json.loads(h.ask("GET", "/api/groups", None, bad)[1]),
              {"error": True, "code": "FORBIDDEN",
               "message": "Origin is not this server"})
        equal(h.ask("GET", "/mcpx", None, bad),
              (403, b"Origin is not this server\n"))
        status, headers, _ = h.answer("GET", "/mcp", None, bad)
        equal((status, headers["content-type"]),
              (403, "application/json"))


@tap.test
def tools_are_called_with_json_only():
    with Routes() as h:
        for kind, status in (("application/json", 200),
                             ("Application/JSON; charset=utf-8", 200),
                             ("text/plain", 415), ("", 415), (None, 415),
                             ("application/x-www-form-urlencoded", 415),
                             ("multipart/form-data; boundary=x", 415),
                             ("text/plain; application/json", 415),
                             ("application/jsonx", 415)):
            headers = {} if kind is None else {"Content-Type": kind}
            for path in ("/mcp", "/api/x"):
                equal((kind, h.ask("POST", path, b"{}", headers)[0]),
                      (kind, status))


@tap.test
def another_user_stays_outside():
    with Routes() as h:
        equal(as_nobody(lambda: h.ask("GET", "/stats")[0]), 403)
        equal(as_nobody(lambda: h.ask("GET", "/echo")[1].decode()),
              "this server is another user's\n")
        equal(h.ask("GET", "/echo")[0], 200)
        assert h.stats()["turnedAway"] == 2
    with Routes(host="::1") as h:
        equal(as_nobody(lambda: h.ask("GET", "/stats")[0]), 403)
        equal(h.ask("GET", "/echo")[0], 200)


@tap.test
def root_may_look_after_a_user():
    if os.geteuid() != 0:
        raise tap.Skip("only root can be another user")
    if not as_nobody(lambda: os.access(SITE, os.X_OK)):
        raise tap.Skip("others may not enter where this was built")
    with Routes(user=NOBODY) as h:
        equal(h.ask("GET", "/echo")[0], 200)
        equal(as_nobody(lambda: h.ask("GET", "/echo")[0]), 200)


@tap.test
def an_address_in_the_other_notation_is_the_same():
    with Routes("--token", "", host="::") as h:
        for family, address in ((socket.AF_INET, "127.0.0.1"),
                                (socket.AF_INET6, "::1"),
                                (socket.AF_INET6, "::ffff:127.0.0.1")):
            def ask():
                with socket.socket(family) as s:
                    s.settimeout(DEADLINE)
                    s.connect((address, h.port))
                    s.sendall(h.head("/echo"))
                    return read_answer(s)[9:12].decode()
            equal((address, ask()), (address, "200"))
            if os.geteuid() == 0:
                equal((address, as_nobody(ask)), (address, "403"))


def outside_address():
    """An address of this machine that is not loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.connect(("192.0.2.1", 9))
        except OSError:
            return None
        return s.getsockname()[0]


@tap.test
def one_whose_user_cannot_be_had_is_told_what_to_do():
    address = outside_address()
    if not address or address.startswith("127."):
        raise tap.Skip("this machine has no address but loopback")
    with Routes(host="0.0.0.0") as h:
        with socket.create_connection((address, h.port),
                                      DEADLINE) as s:
            s.sendall(h.head("/echo"))
            got = read_answer(s)
        equal(got[9:12], b"403")
        assert b"dashboard.token" in got, got
    with Routes("--token", TOKEN, "--open", host="0.0.0.0") as h:
        with socket.create_connection((address, h.port),
                                      DEADLINE) as s:
            s.sendall(request([f"Host: {address}:{h.port}",
                               f"Authorization: Bearer {TOKEN}"]))
            equal(read_answer(s)[9:12], b"200")


@tap.test
def one_who_has_left_is_nobody():
    """The kernel calls a socket that nobody holds any more root's."""
    with Routes("--connections", "128") as h:
        h.process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, h.process.pid, os.WSTOPPED | os.WNOWAIT)
        for _ in range(10):
            with h.connect() as s:
                s.sendall(h.head("/never"))
        h.process.send_signal(signal.SIGCONT)
        until(lambda: h.stats()["turnedAway"] == 10, "refusals")
        until(lambda: h.stats()["connections"] == 1, "their end")
        equal(h.stats()["held"], 0)


@tap.test
def what_another_site_embeds_is_not_served():
    with Routes() as h:
        for site, mode, method, status in (
                (None, None, "GET", 200), ("none", "navigate", "GET", 200),
                ("same-origin", "cors", "GET", 200),
                ("same-origin", "cors", "POST", 200),
                ("cross-site", "navigate", "GET", 200),
                ("same-site", "navigate", "GET", 200),
                ("cross-site", "navigate", "POST", 403),
                ("cross-site", "no-cors", "GET", 403),
                ("same-site", "no-cors", "GET", 403),
                ("cross-site", "websocket", "GET", 403),
                ("cross-site", None, "GET", 403)):
            headers = {k: v for k, v in (("Sec-Fetch-Site", site),
                                         ("Sec-Fetch-Mode", mode)) if v}
            equal((site, mode, method, h.ask(method, "/echo", None,
                                             headers)[0]),
                  (site, mode, method, status))


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who gets in by a token, or by the cookie that is given for it."""

from harness import tap
from harness.until import equal
from routes import Routes
from users import TOKEN, as_nobody, bearer, request


@tap.test
def an_open_site_needs_a_token():
    with Routes("--open") as h:
        equal(h.ask("GET", "/echo")[0], 403)


@tap.test
def a_token_is_asked_of_everybody():
    with Routes("--token", TOKEN) as h:
        for headers in ({}, bearer("wrong"), bearer(TOKEN + "x"),
                        bearer(TOKEN[:-1]), bearer(""), bearer(TOKEN.upper()),
                        {"Authorization": TOKEN},
                        {"Authorization": f"Basic {TOKEN}"},
                        {"Authorization": f"Bearer{TOKEN}"},
                        {"Cookie": f"kuromajutsu-{h.port}={TOKEN}"},
                        {"Cookie": f"kuromajutsu-{h.port}="},
                        {"Cookie": "=;;=; ;"}):
            for path in ("/", "/echo", "/mcp", "/api/x", "/nowhere"):
                status, got, body = h.answer("GET", path, None, headers)
                equal((headers, status, got["www-authenticate"]),
                      (headers, 401, "Bearer"))
                assert TOKEN.encode() not in body
        equal(h.ask("GET", "/echo", None, bearer())[0], 200)
        equal(h.ask("GET", "/mcp", None, bearer())[0], 200)
        equal(h.ask("GET", "/echo", None,
                    {"Authorization": f"bearer  {TOKEN} "})[0], 200)
        equal(as_nobody(
            lambda: h.ask("GET", "/echo", None, bearer())[0]), 200)
        equal(as_nobody(lambda: h.ask("GET", "/echo")[0]), 401)


@tap.test
def a_browser_trades_the_token_for_a_cookie():
    with Routes("--token", TOKEN) as h:
        status, headers, _ = h.answer("GET", "/?token=s3cret~token%2F%2B%3D")
        equal((status, headers["location"], headers["cache-control"],
               headers["referrer-policy"]),
              (303, "/", "no-store", "no-referrer"))
        cookie, *marks = headers["set-cookie"].split("; ")
        equal(marks, ["Path=/", "HttpOnly", "SameSite=Strict"])
        assert TOKEN not in cookie
        own = {"Sec-Fetch-Site": "same-origin"}
        for text in (cookie, f"a=b; {cookie}; c=d", f"{cookie};x"):
            for path in ("/", "/echo", "/api/x"):
                equal(h.ask("GET", path, None, {"Cookie": text, **own})[0], 200)
        # Where tools are called a browser has no business.
        equal(h.ask("GET", "/mcp", None, {"Cookie": cookie, **own})[0], 401)
        equal(h.ask("GET", "/x/../%6dcp", None,
                    {"Cookie": cookie, **own})[0], 401)
        for bad in (cookie[:-1], cookie + "0", "x" + cookie,
                    cookie.replace("=", "==")):
            equal(h.ask("GET", "/echo", None, {"Cookie": bad, **own})[0], 401)
        for path in ("/?token=wrong", "/?token=", "/?token", "/?x=1",
                     f"/echo?token={TOKEN}", f"/mcp?token={TOKEN}"):
            equal((path, h.ask("GET", path)[0]), (path, 401))
        equal(h.ask("POST", f"/?token={TOKEN}")[0], 401)
    with Routes("--token", "another") as h:
        equal(h.ask("GET", "/echo", None, {"Cookie": cookie, **own})[0], 401)


@tap.test
def with_the_token_any_name_of_ours_will_do():
    with Routes("--token", TOKEN) as h:
        own = [f"Authorization: Bearer {TOKEN}"]
        for host, origin, status in (
                ("box.lan:8080", None, 200),
                ("box.lan:8080", "http://box.lan:8080", 200),
                ("box.lan", "https://box.lan", 200),
                ("[fe80::1]:80", None, 200),
                ("box.lan:8080", "http://box.lan", 403),
                ("box.lan:8080", "http://evil", 403),
                ("box.lan:8080", "null", 403),
                (f"localhost:{h.port}", "http://localhost:3000", 403),
                (f"localhost:{h.port}", f"https://localhost:{h.port}", 403),
                ("box.lan.:8080", None, 403), ("box.lan.", None, 403),
                ("a@box.lan", None, 403), ("box.lan/x", None, 403),
                ("", None, 403)):
            lines = own + [f"Host: {host}"]
            lines += [f"Origin: {origin}"] if origin else []
            equal((host, origin, h.status(request(lines))),
                  (host, origin, status))
        equal(h.status(request(["Host: box.lan"])), 401)


if __name__ == "__main__":
    tap.run()

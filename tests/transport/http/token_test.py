#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who gets in by a token, or by the cookie that is given for it."""

from harness import tap
from harness.until import equal
from harness.websocket import Refused, WebSocket
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


def cookie_of(h):
    _, headers, _ = h.answer("GET", "/?token=s3cret~token%2F%2B%3D")
    return headers["set-cookie"].split(";")[0]


def open_socket(h, **headers):
    """The status of a handshake."""
    try:
        with WebSocket(h.port, "/ws", **headers):
            return 101
    except Refused as no:
        return no.status


@tap.test
def a_cookie_counts_from_our_own_page_only():
    with Routes("--token", TOKEN) as h:
        cookie, own = cookie_of(h), f"http://127.0.0.1:{h.port}"
        for method, headers, status in (
                ("GET", {"Sec-Fetch-Site": "same-origin"}, 200),
                ("GET", {"Sec-Fetch-Site": "none"}, 200),
                ("HEAD", {"Sec-Fetch-Site": "none"}, 200),
                ("GET", {"Origin": own}, 200),
                ("GET", {}, 401),
                # A link on another port's page, and one that it embeds.
                ("GET", {"Sec-Fetch-Site": "same-site",
                         "Sec-Fetch-Mode": "navigate"}, 401),
                ("GET", {"Sec-Fetch-Site": "same-site",
                         "Sec-Fetch-Mode": "no-cors"}, 403),
                ("GET", {"Origin": own, "Sec-Fetch-Site": "cross-site"}, 403),
                ("POST", {"Origin": own}, 200),
                ("POST", {"Sec-Fetch-Site": "same-origin"}, 401),
                ("POST", {"Sec-Fetch-Site": "none"}, 401),
                ("POST", {}, 401),
                ("POST", {"Origin": f"http://127.0.0.1:{h.port + 1}"}, 403),
                ("DELETE", {"Sec-Fetch-Site": "same-origin"}, 401),
                ("DELETE", {"Origin": own}, 200)):
            for path in ("/echo", "/api/x"):
                equal((method, headers, h.ask(
                    method, path, None,
                    {"Cookie": cookie, "Content-Type": "application/json",
                     **headers})[0]), (method, headers, status))


@tap.test
def a_socket_wants_the_page_that_opens_it():
    with Routes("--token", TOKEN) as h:
        cookie, own = cookie_of(h), f"http://127.0.0.1:{h.port}"
        site = {"Sec_Fetch_Site": "same-origin"}
        equal(open_socket(h, Cookie=cookie, Origin=own), 101)
        equal(open_socket(h, Cookie=cookie, Origin=own, **site), 101)
        equal(open_socket(h, Authorization=f"Bearer {TOKEN}"), 101)
        equal(open_socket(h, Cookie=cookie), 401)
        equal(open_socket(h, Cookie=cookie, **site), 401)
        equal(open_socket(h, Cookie=cookie, Origin="null"), 403)
        equal(open_socket(
            h, Cookie=cookie, Origin=f"http://127.0.0.1:{h.port + 1}"), 403)


@tap.test
def a_cookie_is_its_users():
    """Browsers show it to every port of the host, so to other users too."""
    with Routes("--token", TOKEN) as h:
        cookie, own = cookie_of(h), f"http://127.0.0.1:{h.port}"
        page = {"Cookie": cookie, "Origin": own,
                "Sec-Fetch-Site": "same-origin"}
        equal(open_socket(h, Cookie=cookie, Origin=own), 101)
        equal(as_nobody(lambda: open_socket(h, Cookie=cookie, Origin=own)), 401)
        for path in ("/", "/echo", "/api/x"):
            equal(h.ask("GET", path, None, page)[0], 200)
            equal(as_nobody(lambda: h.ask("GET", path, None, page)[0]), 401)
        # With the token itself anybody gets in.
        equal(as_nobody(lambda: open_socket(
            h, Authorization=f"Bearer {TOKEN}")), 101)


@tap.test
def a_page_on_another_host_may_say_less():
    """Browsers tell Sec-Fetch-Site only where they trust the way there."""
    with Routes("--token", TOKEN) as h:
        cookie = cookie_of(h)
        for more, status in (([], 200), (["Sec-Fetch-Site: same-site"], 403),
                             (["Origin: http://box.lan:8080"], 200)):
            equal(h.status(request(["Host: box.lan:8080", f"Cookie: {cookie}",
                                    *more])), status)


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

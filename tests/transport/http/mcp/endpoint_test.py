#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""MCP over HTTP, situation by situation."""

import os
import tempfile

from harness import tap
from harness.http import BOTH
from harness.mcp import META, MODERN
from harness.until import equal, until
from fixture_site import FixtureSite

LONG = 500000  # ms: nothing that ends by itself within a test


def seen(answer):
    return answer.status, answer.error


# ---- whatever the era -------------------------------------------------------

@tap.test
def methods_of_http():
    with FixtureSite() as f:
        for method in ("GET", "DELETE"):
            a = f.send(method, headers={"Accept": BOTH})
            equal((a.status, a.headers["allow"]), (405, "POST"))
        a = f.send("GET", headers={"MCP-Protocol-Version": MODERN,
                                   "Mcp-Session-Id": "x", "Accept": BOTH})
        equal(a.status, 405)
        for method in ("PUT", "OPTIONS", "PATCH", "HEAD"):
            equal(f.send(method).status, 405)


@tap.test
def content_types():
    with FixtureSite() as f:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        for kind in ("text/plain", "application/jsonp", None, ""):
            equal(f.post(ping, {"Content-Type": kind}).status, 415)
        for kind in ("application/json; charset=utf-8", "Application/JSON"):
            equal(f.post(ping, {"Content-Type": kind}).status, 200)


@tap.test
def what_a_client_accepts():
    with FixtureSite() as f:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        for accept in ("application/json", "text/event-stream", "text/html"):
            equal(f.post(ping, accept=accept).status, 406)
        for accept in ("*/*", None, "text/event-stream;q=1, application/json"):
            a = f.post(ping, accept=accept)
            equal((a.status, a.type), (200, "application/json"))
        a = f.call("wait", {"ms": 1}, meta={"progressToken": 1}, accept="*/*")
        equal((a.status, a.type), (200, "application/json"))


@tap.test
def what_is_no_message():
    with FixtureSite() as f:
        for text, code in (("{", -32700), (b"\xff", -32700), ("", -32700),
                           ("7", -32600), ("{}", -32600), ("[]", -32600),
                           ('{"jsonrpc":"2.0","id":null,"method":"ping"}',
                            -32600),
                           ('[{"jsonrpc":"2.0","id":1,"method":7}]', -32600)):
            a = f.post(text, {"MCP-Protocol-Version": "2025-11-25"})
            equal(seen(a), (400, code))
            assert "id" not in a.json, a.json


@tap.test
def other_origins_and_hosts_stay_outside():
    with FixtureSite() as f:
        ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        for head in ({"Origin": "http://evil.example"}, {"Origin": "null"},
                     {"Host": "evil.example"}):
            equal(f.post(ping, head).status, 403)
        equal(f.post(ping, {"Origin": f"http://localhost:{f.port}",
                            "Host": f"localhost:{f.port}"}).status, 200)


# ---- the newer era ----------------------------------------------------------

@tap.test
def headers_must_agree():
    with FixtureSite() as f:
        bad = ({"MCP-Protocol-Version": None},
               {"MCP-Protocol-Version": "2025-11-25"},
               {"Mcp-Method": None}, {"Mcp-Method": "tools/list"},
               {"Mcp-Method": "Tools/Call"}, {"Mcp-Name": None},
               {"Mcp-Name": "other"}, {"Mcp-Name": "=?base64?dGVzdA?="})
        for head in bad:
            a = f.call("test_simple_text", headers=head, ident="x")
            equal((*seen(a), a.json["id"]), (400, -32020, "x"))
        for head in ({"Mcp-Name": "=?base64?dGVzdF9zaW1wbGVfdGV4dA==?="},
                     {"Mcp-Method": " tools/call\t"},
                     {"Mcp-Session-Id": "whatever", "Last-Event-ID": "7"}):
            equal(f.call("test_simple_text", headers=head).status, 200)


@tap.test
def arguments_in_headers():
    with FixtureSite() as f:
        def region(args, head):
            return f.call("test_header_parameters", args,
                          headers={f"Mcp-Param-{k}": v
                                   for k, v in head.items()}).status
        equal(region({}, {}), 200)
        equal(region({"region": "a"}, {"Region": "a"}), 200)
        equal(region({"region": "a"}, {}), 400)
        equal(region({"region": "a"}, {"Region": "b"}), 400)
        equal(region({}, {"Region": "b"}), 400)
        equal(region({"level": 42}, {"Level": "42.0"}), 200)
        equal(region({"level": 42}, {"Level": "43"}), 400)
        equal(region({"deep": {"dry": True}}, {"Dry": "true"}), 200)
        equal(region({"deep": {"dry": True}}, {"Dry": "True"}), 400)
        equal(region({"region": "世"}, {"Region": "=?base64?5LiW?="}),
              200)
        equal(region({"region": "世"}, {"Region": "=?base64?5LiX?="}),
              400)


@tap.test
def envelopes_and_versions():
    with FixtureSite() as f:
        head = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/list"}
        equal(seen(f.legacy("tools/list", {}, head)), (400, -32602))
        equal(seen(f.legacy("initialize", {}, head)), (400, -32020))
        a = f.modern("tools/list", version="v999.0.0")
        equal((*seen(a), a.json["error"]["data"]),
              (400, -32022, {"supported": [MODERN],
                             "requested": "v999.0.0"}))
        a = f.modern("tools/list", version="v999.0.0",
                     headers={"MCP-Protocol-Version": MODERN})
        equal(seen(a), (400, -32020))
        equal(seen(f.modern("nothing/such")), (404, -32601))
        equal(seen(f.modern("initialize")), (404, -32601))
        equal(seen(f.call("nobody")), (200, -32602))
        equal(seen(f.modern("tools/list", {"cursor": "x"})),
              (200, -32602))
        a = f.call("test_missing_capability")
        equal((*seen(a), a.json["error"]["data"]),
              (400, -32021, {"requiredCapabilities": {"sampling": {}}}))


@tap.test
def a_long_call_begins_at_once():
    # Not with the first comment: none comes while this test lasts.
    with FixtureSite(FIXTURE_COMMENT_MS="600000") as f:
        with f.call("wait", {"ms": LONG}) as a:
            equal((a.status, a.is_stream), (200, True))
        head = {**f.initialize(), "Accept": BOTH}
        with f.send("GET", headers=head) as a:
            equal((a.status, a.is_stream), (200, True))
        with f.legacy_call("wait", {"ms": LONG}, head) as a:
            equal((a.status, a.is_stream), (200, True))


@tap.test
def a_long_call_shows_life():
    with FixtureSite(FIXTURE_COMMENT_MS="50") as f, \
            f.call("wait", {"ms": LONG}) as a:
        equal((a.status, a.is_stream), (200, True))
        equal(a.raw.getheader("cache-control"), "no-cache, no-transform")
        equal(a.raw.getheader("x-accel-buffering"), "no")
        a.comment()
        a.comment()


@tap.test
def progress_comes_before_the_answer():
    with FixtureSite() as f:
        a = f.call("test_tool_with_progress", meta={"progressToken": 0})
        events = a.events()
        equal([e["params"]["progress"] for e in events[:-1]],
              [0, 50, 100])
        equal(events[-1]["result"]["resultType"], "complete")


@tap.test
def leaving_cancels():
    with FixtureSite() as f:
        before = f.call("count")
        a = f.call("wait", {"ms": LONG})
        equal(playing(f), 1)
        a.leave()
        until(lambda: playing(f) == 0, "the call is still there")
        equal(before.status, 200)


def playing(f):
    text = f.call("count").json["result"]["content"][0]["text"]
    return int(text)


@tap.test
def listening():
    with FixtureSite() as f:
        wants = {"notifications": {"toolsListChanged": True,
                                   "resourceSubscriptions": [
                                       "test://watched-resource"]}}
        a = f.modern("subscriptions/listen", wants, ident="l")
        b = f.modern("subscriptions/listen",
                     {"notifications": {"promptsListChanged": True}},
                     ident=7, accept="*/*")
        mark = {META + "subscriptionId": "l"}
        first = a.event()
        equal(first["method"],
              "notifications/subscriptions/acknowledged")
        equal(first["params"]["_meta"], mark)
        equal(b.event()["params"]["notifications"],
              {"promptsListChanged": True})
        for what in ("prompt", "tool", "resource"):
            equal(f.call(f"test_trigger_{what}_change").status, 200)
        equal(a.event(), {
            "jsonrpc": "2.0", "method": "notifications/tools/list_changed",
            "params": {"_meta": mark}})
        equal(a.event()["params"],
              {"_meta": mark, "uri": "test://watched-resource"})
        equal(b.event()["method"], "notifications/prompts/list_changed")
        b.leave()
        f.process.terminate()
        last = a.events()
        equal((last[-1]["id"], last[-1]["result"]["resultType"]),
              ("l", "complete"))


@tap.test
def concurrent_requests_have_their_own_streams():
    with FixtureSite() as f:
        many = [f.call("wait", {"ms": 300 - i}, ident=i) for i in range(20)]
        for i, a in enumerate(many):
            equal([e["id"] for e in a.events()], [i])


# ---- the older era ----------------------------------------------------------

@tap.test
def without_a_session():
    with FixtureSite() as f:
        equal(f.legacy("ping", {}, {}).json["result"], {})
        a = f.legacy("tools/list", {}, {})
        assert "resultType" not in a.json["result"]
        equal(f.legacy("ping", {}, {"MCP-Protocol-Version":
                                    "2020-01-01"}).status, 400)
        equal(f.note("notifications/initialized", None, {}), 202)
        equal(f.post({"jsonrpc": "2.0", "id": "s1-1",
                      "result": {}}).status, 202)
        equal(seen(f.legacy("nothing/such", {}, {})), (200, -32601))


@tap.test
def sessions_live_and_end():
    with FixtureSite() as f:
        head = f.initialize()
        assert all(0x21 <= ord(c) <= 0x7e for c in head["Mcp-Session-Id"])
        other = f.initialize()
        assert head != other
        equal(f.legacy("ping", {}, head).status, 200)
        equal(f.send("DELETE", headers=head).status, 204)
        equal(f.legacy("ping", {}, head).status, 404)
        equal(f.send("DELETE", headers=head).status, 404)
        equal(f.send("GET", headers={**head, "Accept": BOTH}).status, 404)
        for method in ("GET", "DELETE"):
            old = {**other, "Accept": BOTH}
            old["MCP-Protocol-Version"] = "2020-01-01"
            equal(f.send(method, headers=old).status, 400)
            old["MCP-Protocol-Version"] = MODERN
            equal(f.send(method, headers=old).status, 405)
        equal(f.legacy("ping", {}, other).status, 200)
        for made_up in ("x", "0" * 68, other["Mcp-Session-Id"][:-1] + "g"):
            equal(f.legacy("ping", {}, {"Mcp-Session-Id": made_up}).status,
                  404)


@tap.test
def sessions_outlive_the_process():
    with tempfile.TemporaryDirectory() as home:
        key = os.path.join(home, "key")
        with FixtureSite(FIXTURE_KEY=key) as f:
            head = f.initialize("2024-11-05")
        equal(os.stat(key).st_mode & 0o777, 0o600)
        with FixtureSite(FIXTURE_KEY=key) as f:
            a = f.legacy("tools/list", {}, head)
            equal(a.status, 200)
            assert "annotations" not in a.json["result"]["tools"][0]
        with FixtureSite() as f:
            equal(f.legacy("tools/list", {}, head).status, 404)


@tap.test
def cancelling_by_a_message():
    with FixtureSite() as f:
        head, other = f.initialize(), f.initialize()
        a = f.legacy_call("wait", {"ms": LONG}, head, 5)
        b = f.legacy_call("wait", {"ms": LONG}, other, 5)
        equal(f.note("notifications/cancelled", {"requestId": 6}, head),
              202)
        equal(f.note("notifications/cancelled", {"requestId": 5}, head),
              202)
        equal(a.events(), [])
        equal(playing(f), 1)
        b.leave()


@tap.test
def a_cancellation_may_overtake_its_call():
    with FixtureSite() as f:
        head = f.initialize()
        equal(f.note("notifications/cancelled", {"requestId": 7}, head),
              202)
        a = f.legacy_call("wait", {"ms": LONG}, head, 7)
        equal(a.events(), [])
        equal(playing(f), 0)
        # It was meant for one call, not for the id.
        b = f.legacy_call("wait", {"ms": LONG}, head, 7)
        equal(playing(f), 1)
        b.leave()


@tap.test
def leaving_does_not_cancel():
    with FixtureSite() as f:
        head = f.initialize()
        a = f.legacy_call("wait", {"ms": LONG}, head, 5)
        equal(playing(f), 1)
        a.leave()
        # It is still there for a message to cancel, whenever that comes.
        equal(playing(f), 1)
        equal(f.note("notifications/cancelled", {"requestId": 5}, head),
              202)
        equal(playing(f), 0)


@tap.test
def the_end_of_a_session_ends_its_calls():
    with FixtureSite() as f:
        head = f.initialize()
        a = f.legacy_call("wait", {"ms": LONG}, head)
        equal(f.send("DELETE", headers=head).status, 204)
        equal((a.events(), playing(f)), ([], 0))


@tap.test
def news_of_a_session():
    with FixtureSite() as f:
        head = {**f.initialize(), "Accept": BOTH}
        with f.send("GET", headers=head) as a:
            equal((a.status, a.is_stream), (200, True))
            equal(f.send("GET", headers=head).status, 409)
            equal(f.legacy("resources/subscribe",
                           {"uri": "test://watched-resource"},
                           head).json["result"], {})
            f.call("test_trigger_tool_change")
            f.call("test_trigger_resource_change")
            equal([a.event()["method"] for _ in range(3)],
                  ["notifications/tools/list_changed",
                   "notifications/resources/list_changed",
                   "notifications/resources/updated"])
        until(lambda: f.send("GET", headers=head).status == 200,
              "the place of the stream is not free")


@tap.test
def questions_to_the_client():
    with FixtureSite() as f:
        head = f.initialize(can={"elicitation": {}})
        other = f.initialize(can={"elicitation": {}})
        a = f.legacy_call("test_elicitation", {"message": "m"}, head)
        question = a.event()
        equal((question["method"], question["params"]["message"]),
              ("elicitation/create", "m"))
        reply = {"jsonrpc": "2.0", "id": question["id"],
                 "result": {"action": "decline"}}
        equal(f.post(reply, other).status, 202)
        equal(playing(f), 1)
        equal(f.post(reply, head).status, 202)
        said = a.event()["result"]["content"][0]["text"]
        equal(said, 'User response: {"action":"decline"}')
        a = f.legacy_call("test_sampling", {"prompt": "p"}, head)
        equal(a.json["result"]["isError"], True)


@tap.test
def batches_of_the_version_that_has_them():
    with FixtureSite() as f:
        two = [{"jsonrpc": "2.0", "id": i, "method": "tools/call",
                "params": {"name": "wait", "arguments": {"ms": i}}}
               for i in (1, 2)]
        head = f.initialize("2025-03-26")
        events = f.post(two, head).events()
        equal(sorted(e["id"] for e in events[0]), [1, 2])
        notes = [{"jsonrpc": "2.0", "method": "notifications/cancelled",
                  "params": {"requestId": 9}}]
        a = f.legacy_call("wait", {"ms": LONG}, head, 9)
        equal(f.post(notes, head).status, 202)
        equal(a.events(), [])
        equal(seen(f.post(two, f.initialize())), (400, -32600))


@tap.test
def logs_by_their_level():
    with FixtureSite() as f:
        head = f.initialize()
        a = f.legacy_call("test_tool_with_logging", {}, head)
        equal(len(a.events()), 4)
        f.legacy("logging/setLevel", {"level": "error"}, head)
        a = f.legacy_call("test_tool_with_logging", {}, head)
        equal(a.json["id"], 1)
        a = f.call("test_logging_tool", meta={META + "logLevel": "debug"})
        equal(len(a.events()), 2)


# ---- trouble ----------------------------------------------------------------

@tap.test
def both_eras_at_once_and_clients_that_leave():
    with FixtureSite() as f:
        head = f.initialize()
        for i in range(100):
            a = f.call("wait", {"ms": LONG}) if i % 2 else \
                f.modern("subscriptions/listen",
                         {"notifications": {"toolsListChanged": True}})
            f.legacy("ping", {}, head)
            a.leave()
        until(lambda: playing(f) == 0, "a call is still there")


@tap.test
def too_many_at_once_are_refused():
    with FixtureSite(FIXTURE_REQUESTS="3") as f:
        open_ones = [f.call("wait", {"ms": LONG}) for _ in range(3)]
        equal(f.call("test_simple_text").status, 503)
        open_ones[0].leave()
        until(lambda: f.call("test_simple_text").status == 200,
              "there is no room")
        for a in open_ones[1:]:
            a.leave()


@tap.test
def who_does_not_read_news_is_cut_off():
    with FixtureSite() as f:
        head = {**f.initialize(), "Accept": BOTH}
        a = f.send("GET", headers=head)
        b = f.modern("subscriptions/listen",
                     {"notifications": {"toolsListChanged": True}})
        f.call("test_trigger_tool_change", {"times": 20000})
        until(lambda: f.send("GET", headers=head).status == 200,
              "the stream is still there")
        for stream in (a, b):
            stream.leave()


@tap.test
def sessions_are_bounded():
    with FixtureSite(FIXTURE_SESSIONS="2") as f:
        heads = [f.initialize() for _ in range(5)]
        # Forgotten, but known again by their mark.
        for head in heads:
            equal(f.legacy("ping", {}, head).status, 200)


if __name__ == "__main__":
    tap.run()

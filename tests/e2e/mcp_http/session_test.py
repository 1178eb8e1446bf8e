#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is sent without a request, and whom it belongs to: sessions of the older
era, their streams and their ends, notices, batches, and bodies however they
come."""

import json

from harness import tap
from harness.http import JSON, SSE, Message, refused
from harness.mcp import MODERN
from harness.until import equal
import hub
from hub import ERAS, line, post, raw, served, session, tools_list


def wire(headers):
    return [(name.replace("_", "-"), value) for name, value in headers.items()]


@tap.test
def get_is_a_stream_of_a_session():
    headers = wire(session()) + [("Accept", SSE)]
    with line() as at, line() as second:
        answer = at.ask("GET", "/mcp", headers)
        # The stream's head came at once, not with the first sign of life.
        assert b"keepalive" not in at.came(answer)
        equal((answer.status, answer.type), (200, SSE))
        equal(second.ask("GET", "/mcp", headers).status, 409)
    with line() as at:
        headers[0] = ("Mcp-Session-Id", "nobody-has-been-given-this")
        equal(at.ask("GET", "/mcp", headers).status, 404)


@tap.test
def get_without_a_session_is_not_allowed():
    for headers in ([("Accept", SSE)], [("MCP-Protocol-Version", MODERN)],
                    [("MCP-Protocol-Version", MODERN), ("Accept", SSE),
                     ("Last-Event-ID", "1")]):
        with line() as at:
            answer = at.ask("GET", "/mcp", headers)
            equal((headers, answer.status), (headers, 405))
            assert "POST" in answer.headers["allow"], answer.headers


@tap.test
def delete_ends_a_session():
    headers = session()
    served(tools_list().set(**headers))
    with line() as at:
        answer = at.ask("DELETE", "/mcp", wire(headers))
        assert answer.status in (200, 204), answer.status
    equal(post(tools_list().set(**headers)).status, 404)
    for method in ("DELETE", "GET"):
        with line() as at:
            answer = at.ask(method, "/mcp", wire(headers) + [("Accept", SSE)])
            equal((method, answer.status), (method, 404))


@tap.test
def delete_without_a_session():
    with line() as at:
        headers = [("Mcp-Session-Id", "nobody-has-been-given-this")]
        equal(at.ask("DELETE", "/mcp", headers).status, 404)
    for headers in ([], [("MCP-Protocol-Version", MODERN)]):
        with line() as at:
            answer = at.ask("DELETE", "/mcp", headers)
            equal((headers, answer.status), (headers, 405))


@tap.test
def batches_belong_to_one_version():
    both = [{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (1, 2)]
    body = json.dumps(both).encode()
    for version in (None, "2025-03-26"):
        answer = raw(body, MCP_Protocol_Version=version)
        equal((version, answer.status), (version, 200))
        assert answer.type == JSON, answer.headers
        got = sorted(json.loads(answer.body), key=lambda m: m["id"])
        equal(got, [{"jsonrpc": "2.0", "id": n, "result": {}}
                    for n in (1, 2)])
    for version in ("2025-06-18", "2025-11-25", MODERN):
        refused(raw(body, MCP_Protocol_Version=version), 400, -32600)
    refused(raw(body, **session()), 400, -32600)


@tap.test
def notices_and_answers_are_accepted():
    headers = session()
    heard = [Message("notifications/cancelled", {"requestId": 99}, id=None),
             Message("notifications/nobody/knows", id=None)]
    answer = Message("x")
    answer.body = {"jsonrpc": "2.0", "id": 7, "result": {}}
    for message in (*heard, answer):
        for more in ({}, headers):
            got = post(message.set(**more))
            equal((message.body, got.status, got.body),
                  (message.body, 202, b""))
    got = post(Message("notifications/cancelled", {"requestId": 99}, id=None,
                       era="modern").set(Mcp_Method=None, Mcp_Name=None))
    equal((got.status, got.body), (202, b""))


@tap.test
def a_session_is_not_needed_but_must_be_ours():
    served(tools_list())
    served(tools_list().set(**session()))
    for id in ("nobody-has-been-given-this", "", "x" * 4000, "a b"):
        answer = post(tools_list().set(Mcp_Session_Id=id))
        equal((id[:30], answer.status), (id[:30], 404))
    served(tools_list("modern").set(Mcp_Session_Id="whatever"))
    first, second = session(), session()
    assert first["Mcp_Session_Id"] != second["Mcp_Session_Id"]


@tap.test
def ids_come_back_as_they_were():
    for era in ERAS:
        for id in (0, -1, 2**53, 1.5, "", "0", "listen:0", "名前"):
            with line() as at:
                answer = tools_list(era, id=id).post(at)
                got = answer.message
            equal((era, got["id"], type(got["id"])), (era, id, type(id)))


@tap.test
def bodies_come_in_every_way():
    message = tools_list("modern")
    body = json.dumps(message.body).encode()
    with line() as at:
        at.say(at.head("POST", "/mcp", [*message.headers.items(),
                                        ("Transfer-Encoding", "chunked")]))
        for byte in body:
            at.say(b"1\r\n%c\r\n" % byte)
        at.say(b"0\r\n\r\n")
        assert at.hear().message["result"]["tools"]
    with line() as at:
        at.say(at.head("POST", "/mcp", [
            *message.headers.items(), ("Expect", "100-continue"),
            ("Content-Length", len(body))]))
        equal(at.socket.recv(100).split(b"\r\n")[0], b"HTTP/1.1 100 Continue")
        at.say(body)
        assert at.hear().message["result"]["tools"]
    with line() as at:
        for _ in range(3):  # one connection, one request after the other
            assert message.post(at).message["result"]["tools"]


if __name__ == "__main__":
    hub.run()

# SPDX-License-Identifier: MIT
"""The one hub that all tests of a file ask over HTTP, and how they ask it."""

import json

from harness import tap
from harness.http import JSON, SSE, Connection, Message, initialize
from harness.hub import HubHome
from harness.until import equal

ERAS = ("legacy", "modern")
SETTINGS = {"language": "en", "dashboard": {"port": 0}}
_url = []


def url():
    return _url[0]


def port():
    return url().rstrip("/").rsplit(":", 1)[1]


def line():
    return Connection(url())


def post(message):
    """Sends it on a connection of its own; the answer, all of it read."""
    with line() as at:
        answer = message.post(at)
        answer.messages()
        return answer


def raw(body, **headers):
    """The answer to these bytes, sent as if they were a good request."""
    with line() as at:
        answer = at.ask("POST", "/mcp",
                        tools_list().set(**headers).headers.items(), body)
        answer.messages()
        return answer


def served(message):
    """The result of a request that must be answered well."""
    answer = post(message)
    equal(answer.status, 200)
    assert answer.type in (JSON, SSE), answer.headers
    last = answer.message
    equal(last.get("id"), message.body["id"])
    assert "result" in last, last
    return last["result"]


def content(result):
    """What a tool has answered. Those who do not say their version are taken
    for the oldest of it, which knows text alone."""
    return json.loads(result["content"][0]["text"])


def tools_list(era="legacy", **options):
    return Message("tools/list", era=era, **options)


def call(name, args=None, era="legacy", **options):
    return Message("tools/call", {"name": name, "arguments": args or {}},
                   era=era, **options)


def session(version="2025-11-25"):
    """The headers of a session that has been opened."""
    answer = post(initialize(version))
    equal(answer.status, 200)
    equal(answer.message["result"]["protocolVersion"], version)
    id = answer.headers["mcp-session-id"]
    assert len(id) >= 22 and all("!" <= c <= "~" for c in id), id
    headers = {"Mcp_Session_Id": id, "MCP_Protocol_Version": version}
    note = Message("notifications/initialized", id=None).set(**headers)
    equal(post(note).status, 202)
    return headers


def run():
    """Runs the file's tests."""
    with HubHome(SETTINGS) as home:
        _url.append(home.serve())
        tap.run()

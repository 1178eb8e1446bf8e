#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What real clients say first over HTTP, byte by byte
as it was recorded, each on the connections it uses."""

import json

from harness import tap
from harness.http import JSON, SSE
from harness.mcp import usual_tools
from harness.until import equal
import hub
from hub import line

PROBES = ("/.well-known/oauth-protected-resource/mcp",
          "/.well-known/oauth-protected-resource")
BOTH = [("Content-Type", JSON), ("Accept", f"{JSON}, {SSE}")]

CLAUDE_META = (
    '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
    '"io.modelcontextprotocol/clientInfo":{"name":"claude-code","title":'
    '"Claude Code","version":"2.1.325","description":"Anthropic\'s agentic '
    'coding tool","websiteUrl":"https://claude.com/claude-code"},'
    '"io.modelcontextprotocol/clientCapabilities":{"roots":{"listChanged":'
    'true},"elicitation":{"form":{},"url":{}}}%s}')
CURSOR_HELLO = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{'
    '"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{},'
    '"url":{}},"roots":{"listChanged":true},"extensions":{'
    '"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}'
    '}},"clientInfo":{"name":"cursor-vscode","version":"1.0.0"}}}')


class Client:
    """One that sends texts as they are, each on a free connection."""

    def __init__(self, headers=()):
        self.headers = [*BOTH, *headers]

    def post(self, text, *more):
        """The answer, and the connection that it may still be coming on."""
        at = line()
        return at.ask("POST", "/mcp", [*self.headers, *more],
                      text.encode()), at

    def ask(self, text, *more):
        """The message that answers; the status must be good."""
        answer, at = self.post(text, *more)
        with at:
            equal(answer.status, 200)
            return answer.message

    def note(self, text):
        answer, at = self.post(text)
        with at:
            equal((answer.status, answer.body), (202, b""))


def probes():
    """Whoever looks for OAuth hears that there is none: a 401 would send a
    person to a login that is not there."""
    for path in PROBES:
        with line() as at:
            answer = at.ask("GET", path, [("Accept", JSON)])
            equal((path, answer.status), (path, 404))
            assert "www-authenticate" not in answer.headers


def claude(id, method, params="", token=""):
    """(text, headers) of a request as Claude Code says it."""
    name = [("Mcp-Name", json.loads("{%s}" % params.strip(","))["name"])
            ] if method == "tools/call" else []
    return (f'{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":'
            f'{{{params}{CLAUDE_META % token}}}}}',
            ("Mcp-Method", method), *name)


@tap.test
def claude_code_2_1_325():
    client = Client([("MCP-Protocol-Version", "2026-07-28")])
    hello = client.ask(*claude('"server-discover-probe-1"', "server/discover"))
    equal(hello["id"], "server-discover-probe-1")
    result = hello["result"]
    equal(result["resultType"], "complete")
    equal(result["supportedVersions"], ["2026-07-28"])
    assert result["ttlMs"] >= 0 and result["cacheScope"] in (
        "public", "private"), result
    named = result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"]
    equal(named, "kuromajutsu")

    # It holds the listening open and calls beside it.
    listen, held = client.post(*claude(
        '"listen:0"', "subscriptions/listen",
        '"notifications":{"toolsListChanged":true},'))
    with held:
        equal((listen.status, listen.type), (200, SSE))
        first = listen.event()
        equal(first["method"], "notifications/subscriptions/acknowledged")
        equal(first["params"]["notifications"], {"toolsListChanged": True})
        equal(first["params"]["_meta"],
              {"io.modelcontextprotocol/subscriptionId": "listen:0"})
        again = client.ask(*claude(0, "server/discover"))
        equal(again["result"], result)
        listed = client.ask(*claude(1, "tools/list"))
        equal(len(listed["result"]["tools"]),
              len(usual_tools()))
        called = client.ask(*claude(
            2, "tools/call", '"name":"list_roles","arguments":{},',
            ',"claudecode/toolUseId":"toolu_1","progressToken":2'))
        equal(called["id"], 2)
        assert called["result"]["structuredContent"]["roles"]


@tap.test
def claude_code_falls_back_to_initialize():
    probes()
    client = Client()
    hello = client.ask(
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{'
        '"protocolVersion":"2025-11-25","capabilities":{"roots":{'
        '"listChanged":true},"elicitation":{"form":{},"url":{}}},'
        '"clientInfo":{"name":"claude-code","version":"2.1.325"}}}')
    equal(hello["result"]["protocolVersion"], "2025-11-25")


def open_session(hello):
    """A client whose session has been opened with this text."""
    client = Client()
    answer, at = client.post(hello)
    with at:
        equal(answer.status, 200)
        result = answer.message["result"]
    client.headers += [("Mcp-Session-Id", answer.headers["mcp-session-id"]),
                       ("MCP-Protocol-Version", result["protocolVersion"])]
    client.note('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    return client, result


@tap.test
def cursor_3_20_17():
    probes()
    client, result = open_session(CURSOR_HELLO)
    equal(result["protocolVersion"], "2025-11-25")
    equal(result["serverInfo"]["name"], "kuromajutsu")
    with line() as stream:
        listen = stream.ask("GET", "/mcp", client.headers)
        equal((listen.status, listen.type), (200, SSE))
        for id, method in enumerate(("resources/list", "tools/list",
                                     "resources/list", "prompts/list"), 1):
            said = client.ask(f'{{"jsonrpc":"2.0","id":{id},"method":'
                              f'"{method}"}}')
            equal(said["id"], id)
            if method == "tools/list":
                equal(len(said["result"]["tools"]),
                      len(usual_tools()))
            elif method == "resources/list":
                equal(said["result"], {"resources": []})
            else:
                equal(len(said["result"]["prompts"]), 5)
        said = client.ask('{"jsonrpc":"2.0","id":5,"method":'
                          '"resources/subscribe","params":{"uri":"a://b"}}')
        equal(said["error"]["code"], -32601)
        equal(client.ask('{"jsonrpc":"2.0","id":6,"method":"ping"}'),
              {"jsonrpc": "2.0", "id": 6, "result": {}})


@tap.test
def codex_0_166_0():
    client, result = open_session(
        '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{'
        '"protocolVersion":"2025-06-18","capabilities":{"experimental":{'
        '"codex/auth-change":{}},"elicitation":{"form":{},"url":{}}},'
        '"clientInfo":{"name":"codex-mcp-client","title":"Codex","version":'
        '"0.166.0"}}}')
    equal(result["protocolVersion"], "2025-06-18")
    said = client.ask('{"jsonrpc":"2.0","id":1,"method":"tools/list",'
                      '"params":{"_meta":{"progressToken":0}}}')
    equal(len(said["result"]["tools"]),
          len(usual_tools()))


@tap.test
def gemini_cli_0_61_0():
    client, result = open_session(
        '{"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        '"capabilities":{},"clientInfo":{"name":"gemini-cli-mcp-client",'
        '"version":"0.0.1"}},"jsonrpc":"2.0","id":0}')
    equal(result["protocolVersion"], "2025-06-18")
    equal(client.ask('{"method":"ping","jsonrpc":"2.0","id":1}')["result"], {})
    said = client.ask('{"method":"tools/list","jsonrpc":"2.0","id":2}')
    equal(len(said["result"]["tools"]),
          len(usual_tools()))


if __name__ == "__main__":
    hub.run()

# SPDX-License-Identifier: MIT
"""The MCP fixture, asked by a client that does what it is told, right or
wrong."""

import json

from harness.http import BOTH, JSON, Connection, Message, initialize
from harness.mcp import META, MODERN
from harness.programs import built
from harness.site import Site
from harness.until import equal

FIXTURE = built("tests/transport/http/mcp/fixture/mcp-fixture")


class FixtureSite(Site):
    def __init__(self, **env):
        super().__init__(FIXTURE, env=env, is_told=True)

    def send(self, method="POST", body=None, headers=None):
        """The answer; what is no stream has been read, and its connection is
        closed."""
        connection = Connection(self.url)
        body = body.encode() if isinstance(body, str) else body
        answer = connection.ask(method, "/mcp", (headers or {}).items(), body)
        if not answer.is_stream:
            answer.body
            answer.leave()
        return answer

    def post(self, message, headers=None, accept=BOTH):
        """A header of None is left out."""
        head = {"Content-Type": JSON, "Accept": accept, **(headers or {})}
        body = message if isinstance(message, (str, bytes)) \
            else json.dumps(message)
        return self.send("POST", body,
                         {k: v for k, v in head.items() if v is not None})

    # ---- the newer era

    def modern(self, method, params=None, headers=None, meta=None, can=None,
               ident=1, version=MODERN, accept=BOTH):
        message = Message(method, {**(params or {}), "_meta": {
            META + "protocolVersion": version,
            META + "clientCapabilities": can or {}, **(meta or {})}},
            ident, "modern")
        head = {**message.headers, "MCP-Protocol-Version": version,
                **(headers or {})}
        return self.post(message.body, {**head, "Accept": accept})

    def call(self, tool, args=None, **more):
        return self.modern("tools/call", {"name": tool,
                                          "arguments": args or {}}, **more)

    # ---- the older era

    def initialize(self, version="2025-11-25", can=None):
        """The headers of a session that has been opened."""
        answer = self.post(initialize(version, can).body)
        equal((answer.status, answer.json["result"]["protocolVersion"]),
              (200, version))
        head = {"Mcp-Session-Id": answer.headers["mcp-session-id"],
                "MCP-Protocol-Version": version}
        equal(self.note("notifications/initialized", None, head), 202)
        return head

    def note(self, method, params, head):
        return self.post(Message(method, params, None).body, head).status

    def legacy(self, method, params, head, ident=1, **more):
        return self.post(Message(method, params, ident).body, head, **more)

    def legacy_call(self, tool, args, head, ident=1, token=None, **more):
        params = {"name": tool, "arguments": args}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        return self.legacy("tools/call", params, head, ident, **more)

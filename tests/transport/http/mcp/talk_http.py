# SPDX-License-Identifier: MIT
"""A client of MCP over HTTP that does what it is told, right or wrong."""

import http.client
import json
import os
import subprocess

from harness.until import DEADLINE, equal

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"
BOTH = "application/json, text/event-stream"


class Answer:
    """One response; a stream is read event by event."""

    def __init__(self, line, raw):
        self.line = line
        self.raw = raw
        self.status = raw.status
        self.type = raw.getheader("content-type")
        self.session = raw.getheader("mcp-session-id")
        self.allow = raw.getheader("allow")
        self.is_stream = self.type == "text/event-stream"
        self.comments = 0
        self.body = None if self.is_stream else raw.read()

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        return self.json["error"]["code"]

    def event(self):
        """The next message of a stream; None at its end."""
        data = b""
        while True:
            text = self.raw.readline()
            if text == b"":
                return None
            text = text.rstrip(b"\n")
            self.comments += text.startswith(b":")
            if text.startswith(b"data: "):
                data += text[6:]
            elif text == b"" and data:
                return json.loads(data)

    def events(self):
        return list(iter(self.event, None))

    def comment(self):
        """Reads until a comment has come."""
        seen = self.comments
        while self.comments == seen:
            text = self.raw.readline()
            assert text != b"", "the stream has ended"
            self.comments += text.startswith(b":")

    def leave(self):
        self.raw.close()
        self.line.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()


class Fixture:
    def __init__(self, program, **env):
        self.command = [program]
        self.env = {**os.environ, **env}

    def __enter__(self):
        self.process = subprocess.Popen(self.command, env=self.env,
                                        stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, text=True)
        self.port = json.loads(self.process.stdout.readline())["port"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        code = self.process.wait(DEADLINE)
        self.process.stdout.close()
        equal(code, 0)

    def send(self, method="POST", body=None, headers=None):
        line = http.client.HTTPConnection("127.0.0.1", self.port,
                                          timeout=DEADLINE)
        line.request(method, "/mcp", body, headers or {})
        return Answer(line, line.getresponse())

    def post(self, message, headers=None, accept=BOTH):
        head = {"Content-Type": "application/json", "Accept": accept}
        head.update(headers or {})
        body = message if isinstance(message, (str, bytes)) \
            else json.dumps(message)
        return self.send("POST", body,
                         {k: v for k, v in head.items() if v is not None})

    # ---- the newer era

    def modern(self, method, params=None, headers=None, meta=None, can=None,
               ident=1, version=MODERN, accept=BOTH):
        params = dict(params or {})
        params["_meta"] = {META + "protocolVersion": version,
                           META + "clientCapabilities": can or {},
                           **(meta or {})}
        head = {"MCP-Protocol-Version": version, "Mcp-Method": method}
        name = params.get("name", params.get("uri"))
        if name is not None:
            head["Mcp-Name"] = name
        head.update(headers or {})
        return self.post({"jsonrpc": "2.0", "id": ident, "method": method,
                          "params": params}, head, accept)

    def call(self, tool, args=None, **more):
        return self.modern("tools/call", {"name": tool,
                                          "arguments": args or {}}, **more)

    # ---- the older era

    def initialize(self, version="2025-11-25", can=None):
        a = self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize",
                       "params": {"protocolVersion": version,
                                  "capabilities": can or {},
                                  "clientInfo": {"name": "t",
                                                 "version": "1"}}})
        equal((a.status, a.json["result"]["protocolVersion"]),
              (200, version))
        head = {"Mcp-Session-Id": a.session, "MCP-Protocol-Version": version}
        equal(self.note("notifications/initialized", None, head), 202)
        return head

    def note(self, method, params, head):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        return self.post(message, head).status

    def legacy(self, method, params, head, ident=1, **more):
        return self.post({"jsonrpc": "2.0", "id": ident, "method": method,
                          "params": params}, head, **more)

    def legacy_call(self, tool, args, head, ident=1, token=None, **more):
        params = {"name": tool, "arguments": args}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        return self.legacy("tools/call", params, head, ident, **more)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A small MCP server over stdio, the puppet's peer in its tests.

Tools: echo (its arguments, as text and as structuredContent), text (a text
block that is not JSON), fail (isError), env (its environment and directory),
count (how often it was called), noisy (a ping, notifications and a foreign
request before the answer, and the ping's answer in it), mute (no answer),
quit (leaves without one), big (an answer of `bytes` bytes).

ECHO_LOG names a file for what happened: one JSON line per message received,
then {"end": "eof"} if its input was closed.
ECHO_STUBBORN=1 makes it stay when its input is closed and SIGTERM comes.
"""

import json
import os
import signal
import sys

TOOLS = ["echo", "text", "fail", "env", "count", "noisy", "mute", "quit", "big"]


class Server:
    def __init__(self):
        self.log_path = os.environ.get("ECHO_LOG")
        self.calls = 0
        self.initialized = False

    def log(self, what):
        if self.log_path:
            with open(self.log_path, "a", encoding="utf-8") as log:
                log.write(json.dumps(what) + "\n")

    def send(self, message):
        message = {"jsonrpc": "2.0", **message}
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def receive(self):
        line = sys.stdin.readline()
        if not line:
            return None
        message = json.loads(line)
        self.log(message)
        return message

    def noisy(self):
        sys.stdout.write("this line is not JSON\n\n")
        self.send({"method": "notifications/progress",
                   "params": {"progressToken": 1, "progress": 1}})
        self.send({"id": "p1", "method": "ping"})
        self.send({"id": 7, "method": "sampling/createMessage", "params": {}})
        return [self.receive(), self.receive()]

    def call(self, name, args):
        self.calls += 1
        if name == "echo":
            return self.answer(args)
        if name == "text":
            return {"content": [{"type": "text", "text": "plain words"}]}
        if name == "fail":
            answer = self.answer({"error": "NO", "message": "it failed"})
            return {**answer, "isError": True}
        if name == "env":
            return self.answer({"env": dict(os.environ), "cwd": os.getcwd()})
        if name == "count":
            return self.answer({"calls": self.calls, "done": self.calls >= 3})
        if name == "noisy":
            return self.answer({"replies": self.noisy()})
        if name == "big":
            return self.answer({"text": "x" * int(args["bytes"])})
        return None

    @staticmethod
    def answer(data):
        return {"content": [{"type": "text", "text": json.dumps(data)}],
                "structuredContent": data}

    def initialize(self, params):
        assert params["protocolVersion"] == "2025-11-25", params
        assert params["clientInfo"]["name"], params
        return {"protocolVersion": "2025-11-25",
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "echo", "version": "1"}}

    def handle(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "notifications/initialized":
            self.initialized = True
        if "id" not in message or method is None:
            return
        reply = {"id": message["id"]}
        if method == "initialize":
            reply["result"] = self.initialize(params)
        elif method == "tools/list":
            reply["result"] = {"tools": [
                {"name": name, "inputSchema": {"type": "object"}}
                for name in TOOLS]}
        elif method == "tools/call" and not self.initialized:
            reply["error"] = {"code": -32002, "message": "not initialized"}
        elif method == "tools/call" and params["name"] == "mute":
            return
        elif method == "tools/call" and params["name"] == "quit":
            sys.exit(0)
        elif method == "tools/call" and params["name"] in TOOLS:
            reply["result"] = self.call(params["name"],
                                        params.get("arguments", {}))
        elif method == "tools/call":
            reply["error"] = {"code": -32602,
                              "message": "Unknown tool: " + params["name"]}
        else:
            reply["error"] = {"code": -32601, "message": "Method not found"}
        self.send(reply)


def main():
    server = Server()
    if os.environ.get("ECHO_STUBBORN"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        message = server.receive()
        if message is None:
            break
        server.handle(message)
    server.log({"end": "eof"})
    while os.environ.get("ECHO_STUBBORN"):
        signal.pause()


if __name__ == "__main__":
    main()

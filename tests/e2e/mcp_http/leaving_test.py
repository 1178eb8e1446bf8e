#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Requests that are there when the hub's time is up.

A stream that the leaving hub has ended leaves a connection that takes another
request. The hub is stopped right then, requests are laid into its sockets,
its last half second passes, and it goes on: its end and the requests are due
at once. They are refused or cut off; what is gone must not serve them."""

import json
import os
import signal
import time

from harness import tap, websocket
from harness.http import SSE, Connection, Message, initialize
from harness.hub import HubHome
from harness.until import until

SETTINGS = {"language": "en", "dashboard": {"port": 0}}
LAST = 0.5  # seconds that the hub's web has for its last words
LINES = 8


def mcp(line):
    message = Message("tools/call", {"name": "list_agents", "arguments": {}})
    body = json.dumps(message.body).encode()
    return line.head("POST", "/mcp", [*message.headers.items(),
                                      ("Content-Length", len(body))]) + body


def feed(line):
    port = line.host.rsplit(":", 1)[1]
    return websocket.handshake(port, "/ws", "dGhlIHNhbXBsZSBub25jZQ==")


def api(line):
    return line.head("GET", "/api/snapshot", [])


def stream(url):
    """A connection with a session's stream of news, and its answer."""
    line = Connection(url)
    hello = initialize().post(line)
    assert hello.message["result"], hello.message
    answer = line.ask("GET", "/mcp", [
        ("Mcp-Session-Id", hello.headers["mcp-session-id"]),
        ("Accept", SSE)])
    assert answer.status == 200, answer.status
    return line, answer


def leave_with(request):
    """The hub's exit status, when such requests come at its last moment."""
    with HubHome(SETTINGS) as home:
        url = home.serve()
        pid, server = home.hub_pid(), home.servers[-1]
        streams = [stream(url) for _ in range(LINES)]
        os.kill(pid, signal.SIGTERM)
        for _, answer in streams:
            assert answer.body is not None  # to its end
        os.kill(pid, signal.SIGSTOP)
        end = time.monotonic() + LAST
        for line, _ in streams:
            line.say(request(line))
        until(lambda: time.monotonic() > end, "its time to be up")
        os.kill(pid, signal.SIGCONT)
        status = server.proc.wait()
        for line, _ in streams:
            line.close()
        return status


def refused(request):
    for _ in range(5):
        status = leave_with(request)
        assert status == 0, f"the hub ended with {status}"


@tap.test
def a_late_call_is_not_served():
    refused(mcp)


@tap.test
def a_late_subscriber_is_not_let_in():
    refused(feed)


@tap.test
def a_late_question_is_not_answered():
    refused(api)


if __name__ == "__main__":
    tap.run()

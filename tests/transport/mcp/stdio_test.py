#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library behind real pipes.

What a client's process sees of it: lines and nothing else, in whatever pieces
the bytes come, a line too long, an end of input, a client that has gone."""

import json
import signal
import subprocess

from harness import tap
from harness.programs import built

SERVER = built("tests/transport/mcp/mcp-echo")
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def line(ident, method, **params):
    message = {"jsonrpc": "2.0", "id": ident, "method": method}
    if params:
        message["params"] = params
    return json.dumps(message).encode() + b"\n"


DISCOVER = line("d", "server/discover", _meta=META)
INITIALIZE = line(0, "initialize", protocolVersion="2025-11-25", capabilities={})
PING = line(1, "ping")


def start():
    return subprocess.Popen([SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def talk(data):
    """Everything that comes back, each line parsed; the exit must be 0."""
    out = subprocess.run([SERVER], input=data, stdout=subprocess.PIPE, check=True).stdout
    assert out == b"" or out.endswith(b"\n")
    return [json.loads(text) for text in out.splitlines()]


@tap.test
def discover_and_initialize_back_to_back():
    answers = talk(DISCOVER + INITIALIZE + PING)
    assert [a["id"] for a in answers] == ["d", 0, 1]
    assert answers[0]["result"]["supportedVersions"] == ["2026-07-28"]
    assert answers[1]["result"]["protocolVersion"] == "2025-11-25"


@tap.test
def nothing_is_said_unasked():
    assert talk(b"") == []
    assert talk(b"\n \r\n\t\n") == []


@tap.test
def a_last_line_without_its_end_is_a_message():
    assert [a["id"] for a in talk(PING.rstrip())] == [1]


@tap.test
def bytes_one_by_one():
    server = start()
    for byte in INITIALIZE.replace(b"\n", b"\r\n") + PING:
        server.stdin.write(bytes([byte]))
        server.stdin.flush()
    server.stdin.close()
    answers = [json.loads(text) for text in server.stdout]
    assert [a["id"] for a in answers] == [0, 1]
    assert server.wait() == 0


@tap.test
def a_line_over_the_limit_is_refused_and_the_next_one_answered():
    prompt = "x" * (65 << 20)
    answers = talk(line(1, "tools/call", name="list_roles", arguments={"a": prompt}) + PING)
    assert "id" not in answers[0] and answers[0]["error"]["code"] == -32600
    assert answers[1] == {"jsonrpc": "2.0", "id": 1, "result": {}}


@tap.test
def a_line_of_many_megabytes_under_the_limit_is_taken():
    report = {"agentId": "a", "status": "success", "summary": "s", "response": "長い" * (4 << 20)}
    answers = talk(line(1, "tools/call", name="report_result", arguments=report))
    assert answers[0]["result"]["structuredContent"]["registered"] is True


@tap.test
def broken_text_gets_one_answer_each_and_hurts_nobody():
    broken = [b"{", b"\xff\xfe", b"[" * 100000, b"\x00", b"{}" * 3, b'{"a":"\\ud800"}']
    answers = talk(b"\n".join(broken) + b"\n" + PING)
    assert len(answers) == len(broken) + 1
    assert all("id" not in a and a["error"]["code"] == -32700 for a in answers[:-1])
    assert answers[-1]["id"] == 1


@tap.test
def calls_and_pings_while_one_waits():
    wait = line("w", "tools/call", name="wait_agent", arguments={"agentIds": ["never"]})
    others = b"".join(line(i, "tools/call", name="list_agents") for i in range(20))
    answers = talk(wait + others + PING.replace(b"1", b"99"))
    assert [a["id"] for a in answers] == list(range(20)) + [99]


@tap.test
def an_open_subscription_is_answered_at_the_end():
    listen = line("listen:0", "subscriptions/listen", _meta=META,
                  notifications={"toolsListChanged": True})
    answers = talk(listen)
    assert answers[0]["method"] == "notifications/subscriptions/acknowledged"
    assert answers[1]["id"] == "listen:0"
    assert answers[1]["result"]["resultType"] == "complete"


@tap.test
def five_copies_at_once_and_ended_after_the_first_answer():
    servers = [start() for _ in range(5)]
    for server in servers:
        server.stdin.write(DISCOVER)
        server.stdin.flush()
    for server in servers:
        assert json.loads(server.stdout.readline())["id"] == "d"
        server.send_signal(signal.SIGTERM)
        server.communicate()


@tap.test
def a_client_that_has_gone():
    server = start()
    server.stdout.close()
    server.stdin.write(PING)
    server.stdin.close()
    assert server.wait() == 0


tap.run()

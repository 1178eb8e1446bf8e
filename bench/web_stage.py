#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""web_stage.py BUILD SCENE [WORD...]: sets the stage for one figure of the
web bench and prints it.

    calls rate|p50|p99             tools/call over HTTP, of our hub
    bare-calls rate|p50|p99        the same of h2o with a constant answer
    feed rate|p50|p99 CLIENTS one|each
                                   live text of ten agents at work, the clients
                                   all at one of them or dealt out to all
    bare-feed rate|p50|p99 CLIENTS a broadcast by h2o alone
    status                         coalesced updates, p99
    frozen                         what a client that never reads costs
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Callable, Iterator, Sequence

from stage import SETTINGS, open_server, status
from harness.hub import HubHome
from harness.until import until
from harness.mcp import MODERN, Talk, meta

CONNECTIONS = "32"
SECONDS = "3"
AGENTS = 10
EVENTS = "1000000"
# What a client hears in a second: with fifty of them, 200 000 deliveries.
PACE = "4000"
CALLS_PACE = "200"
WEB = {**SETTINGS, "dashboard": {"port": 0}}


def client(build: Path, name: str, *words: str) -> float:
    done = subprocess.run([build / "bench" / name, *words],
                          stdout=subprocess.PIPE, check=True)
    return float(done.stdout)


def port(home: HubHome) -> str:
    told = json.loads(home.run("status", "--json").out)
    return str(urllib.parse.urlsplit(told["url"]).port)


# ---- calls -----------------------------------------------------------------

def answer_file(build: Path) -> Path:
    return build / "bench" / "web.answer"


def request(params: dict[str, object]) -> str:
    return json.dumps({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {**params, "_meta": meta()}}, separators=(",", ":"))


def keep_answer(build: Path, at: str, tool: str, body: str) -> None:
    """For the bare server, as ours has written it."""
    asked = urllib.request.Request(
        f"http://127.0.0.1:{at}/mcp", body.encode(), {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call",
            "Mcp-Name": tool})
    with urllib.request.urlopen(asked) as answer:
        text = answer.read()
    result = json.loads(text)["result"]
    assert not result.get("isError"), result
    answer_file(build).write_bytes(text)


def calls(build: Path, what: str) -> float:
    with HubHome(WEB, build=build) as home:
        talk = open_server(home, "relay").talk
        params = status(talk)
        home.settle(talk)
        at, tool, body = port(home), str(params["name"]), request(params)
        keep_answer(build, at, tool, body)
        return client(build, "web-calls", what, at, CONNECTIONS, SECONDS,
                      tool, body)


@contextlib.contextmanager
def bare(build: Path) -> Iterator[tuple[str, str]]:
    """The port and the flow of a bare server."""
    answer = answer_file(build)
    with tempfile.TemporaryDirectory(prefix="kuromajutsu-") as top:
        flow = f"{top}/flow"
        with subprocess.Popen(
                [build / "bench/web-bare",
                 answer if answer.exists() else "/dev/null", flow,
                 str(AGENTS)], stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout
            try:
                yield server.stdout.readline().strip(), flow
            finally:
                server.kill()


def bare_calls(build: Path, what: str) -> float:
    tool = "get_agent_status"
    body = request({"name": tool, "arguments": {
        "agentId": "impl-code-1700000000-abcd"}})
    with bare(build) as (at, _):
        return client(build, "web-calls", what, at, CONNECTIONS, SECONDS,
                      tool, body)


# ---- the feed --------------------------------------------------------------

def pace(what: str) -> str:
    return "0" if what == "rate" else PACE


def hire(talk: Talk, flow: str, count: int) -> list[str]:
    """Agents that say what the flow lets them say; their ids, by source."""
    group = talk.call("create_group", description="bench")["groupId"]
    ids = [talk.call("run_agents", groupId=group, agents=[{
        "role": "impl-code", "prompt": f"web-source: {flow} {source}"}])
        ["agents"][0]["agentId"] for source in range(count)]
    until(lambda: all(
        talk.call("get_agent_status", agentId=agent)["status"] == "running"
        for agent in ids), "all agents at work")
    return ids


@contextlib.contextmanager
def streaming(build: Path, count: int) -> Iterator[
        tuple[HubHome, str, str, list[str]]]:
    """A hub whose agents stream; its home, its port, the flow, the agents."""
    source = {"KUROMAJUTSU_AGENT_COMMAND": str(build / "bench/web-source")}
    with HubHome(WEB, source, build=build) as home:
        talk = open_server(home, "relay").talk
        talk.call("list_agents")
        home.settle(talk)
        flow = f"{home.top}/flow"
        yield home, port(home), flow, hire(talk, flow, count)


def interest(agent: str) -> str:
    return json.dumps({"type": "feed:interest",
                       "data": {"agentId": agent, "text": True}})


def feed(build: Path, what: str, clients: str, watch: str) -> float:
    with streaming(build, AGENTS) as (_, at, flow, agents):
        watched = agents[:1] if watch == "one" else agents
        return client(build, "web-feed", what, at, flow, str(AGENTS), clients,
                      SECONDS, pace(what), *map(interest, watched))


def bare_feed(build: Path, what: str, clients: str) -> float:
    with bare(build) as (at, flow):
        return client(build, "web-feed", what, at, flow, str(AGENTS), clients,
                      SECONDS, pace(what))


def updates(build: Path) -> float:
    with streaming(build, AGENTS) as (_, at, flow, agents):
        return client(build, "web-feed", "status", at, flow, str(AGENTS), "50",
                      SECONDS, CALLS_PACE, *agents)


def frozen(build: Path) -> float:
    with streaming(build, 1) as (home, at, flow, agents):
        hub = home.hub_pid()
        return client(build, "web-feed", "frozen", at, flow, "1", "1", EVENTS,
                      str(hub), *map(interest, agents))


SCENES: dict[str, Callable[..., float]] = {
    "calls": calls, "bare-calls": bare_calls, "feed": feed,
    "bare-feed": bare_feed, "status": updates, "frozen": frozen}


def main(words: Sequence[str]) -> None:
    figure = SCENES[words[1]](Path(words[0]).resolve(), *words[2:])
    print(figure)


if __name__ == "__main__":
    main(sys.argv[1:])

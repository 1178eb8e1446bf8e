#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stage.py BUILD SCENE [WORD...]: sets the stage for one figure of the rpc
bench, lets bench/rpc measure, prints the figure and leaves nothing behind.

The scenes: call, start, cold, cancel, memory, of our server; null and null-start, of
a server that answers the bytes which ours has answered last; bare, of one
that sends them by way of a second process. A word "free" at the end lets the
scheduler place everybody; "busy" does so too, while agents keep all cores
busy."""

from __future__ import annotations

import contextlib
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Callable, Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from harness.hub import HubHome, Server  # noqa: E402
from harness.mcp import Talk  # noqa: E402
from harness.tools import new_group, start_agents  # noqa: E402

CROWD = 1000
COLD_STARTS = 9
STARTS = "51"
PROMPT = "puppet: reply"
BUSY = 10

# Left alone by its last relay, a hub goes at once.
SETTINGS = {
    "language": "en",
    "hub": {"linger_ms": 1000},
    "agent": {"maxConcurrent": 40, "maxQueued": CROWD},
    "log": {"level": "warn"},
}


def measure(build: Path, words: Sequence[str], talk: Talk | None = None,
            env: dict[str, str] | None = None) -> float:
    """What bench/rpc prints. The server's pipes, if there is one already,
    become its descriptors 3 and 4."""
    command = [str(build / "bench/rpc"), *words]
    if talk is None:
        done = subprocess.run(command, stdout=subprocess.PIPE, env=env,
                              check=True)
    else:
        talk.quiet()
        shell = f'exec "$0" "$@" 3>&{talk.to} 4<&{talk.source}'
        done = subprocess.run(
            ["bash", "-c", shell, *command], stdout=subprocess.PIPE,
            pass_fds=(talk.to, talk.source), check=True)
    return float(done.stdout)


def hire(talk: Talk, count: int) -> list[str]:
    """Runs so many agents to their ends; their ids."""
    group = talk.call("create_group", description="bench")["groupId"]
    task = {"role": "impl-code", "prompt": PROMPT}
    agents = talk.call("run_agents", groupId=group, agents=[task] * count)
    ids = [agent["agentId"] for agent in agents["agents"]]
    while talk.call("wait_agent", agentIds=ids, timeout_ms=60000)["timedOut"]:
        pass
    return ids


def status(talk: Talk) -> dict[str, object]:
    agent, = hire(talk, 1)
    return {"name": "get_agent_status", "arguments": {"agentId": agent}}


def crowd(talk: Talk) -> dict[str, object]:
    hire(talk, CROWD)
    return {"name": "list_agents", "arguments": {}}


QUESTIONS: dict[str, Callable[[Talk], dict[str, object]]] = {
    "status": status, "crowd": crowd}


def plain(words: Sequence[str]) -> Sequence[str]:
    """Those for bench/rpc."""
    return words[:-1] if words[-1] == "busy" else words


def answer_file(build: Path, question: str) -> Path:
    return build / "bench" / f"rpc-{question}.answer"


def keep_answer(build: Path, question: str, talk: Talk,
                params: dict[str, object]) -> None:
    """For the null server, compact as a server writes it; the id goes first,
    as it does with ours."""
    answer = talk.request("tools/call", params)
    assert not answer["result"].get("isError"), answer
    if question == "crowd":
        body = answer["result"]["structuredContent"]
        assert body["total"] == len(body["agents"]) == CROWD, body["total"]
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    answer_file(build, question).write_text(text + "\n", encoding="utf-8")


def open_server(home: HubHome, mode: str) -> Server:
    server = home.start("mcp" if mode == "relay" else "--standalone")
    server.talk.hello()
    return server


@contextlib.contextmanager
def crew(home: HubHome, talk: Talk) -> Iterator[None]:
    """Agents that speak two hundred times a second and compute all the time
    between; all of them are at it."""
    ids = start_agents(talk, *["busy"] * BUSY)
    home.until_running(talk, *ids)
    yield
    talk.call("cancel_agent", agentIds=ids)


def load(home: HubHome, talk: Talk, words: Sequence[str]
         ) -> contextlib.AbstractContextManager[None]:
    is_busy = words[-1] == "busy"
    return crew(home, talk) if is_busy else contextlib.nullcontext()


def call(build: Path, mode: str, question: str, *words: str) -> float:
    """call BUILD relay|standalone QUESTION p50|p99|rate N [WINDOW] [busy]"""
    with HubHome(SETTINGS, build=build) as home:
        talk = open_server(home, mode).talk
        params = QUESTIONS[question](talk)
        home.settle(talk)
        keep_answer(build, question, talk, params)
        with load(home, talk, words):
            return measure(build, [*plain(words), json.dumps(params)], talk)


def null(build: Path, question: str, *words: str, way: Sequence[str] = ()
         ) -> float:
    """null BUILD QUESTION p50|p99|rate N [WINDOW] [busy]"""
    if words[-1] == "busy":
        with HubHome(SETTINGS, build=build) as home:
            talk = open_server(home, "relay").talk
            home.settle(talk)
            with load(home, talk, words):
                return null(build, question, *plain(words), way=way)
    with subprocess.Popen(
            [build / "bench/null-server", answer_file(build, question), *way],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin and server.stdout
        talk = Talk(server.stdin.fileno(), server.stdout.fileno())
        params = {"name": "get_agent_status", "arguments": {
            "agentId": "impl-code-1700000000-abcd"}}
        return measure(build, [*words, json.dumps(params)], talk)


def bare(build: Path, *words: str) -> float:
    """The same with a second process in between, as a hub is."""
    return null(build, *words, way=["relay"])


def start(build: Path) -> float:
    """A relay beside a running hub: from its start to tools/list."""
    with HubHome(SETTINGS, build=build) as home:
        talk = open_server(home, "relay").talk
        home.settle(talk)
        os.chdir(home.project)
        return measure(build, ["start", STARTS, "tools/list", "{}",
                               home.path("kuromajutsu"), "mcp"], env=home.env)


def null_start(build: Path) -> float:
    return measure(build, ["start", STARTS, "tools/list", "{}",
                           str(build / "bench/null-server"),
                           str(answer_file(build, "status"))])


def cold(build: Path) -> float:
    """No hub yet: from the relay's start to the first answer of the hub."""
    params = json.dumps({"name": "list_agents", "arguments": {}})
    taken = []
    for _ in range(COLD_STARTS):
        with HubHome(SETTINGS, build=build) as home:
            os.chdir(home.project)
            taken.append(measure(
                build, ["start", "1", "tools/call", params,
                        home.path("kuromajutsu"), "mcp"], env=home.env))
            os.chdir(build)
    return statistics.median(taken)


def cancel(build: Path, count: str) -> float:
    """Of a whole group, some of it at work and the rest in the line: until
    the answer, which knows what became of each; for each agent."""
    with HubHome(SETTINGS, build=build) as home:
        talk = open_server(home, "relay").talk
        home.settle(talk)
        group = new_group(talk)
        ids = start_agents(talk, *["hang"] * int(count), group=group)
        home.until_running(talk, *ids[:SETTINGS["agent"]["maxConcurrent"]])
        begun = time.monotonic_ns()
        answer = talk.call("cancel_agent", groupId=group)
        taken = time.monotonic_ns() - begun
        assert len(answer["cancelled"]) == len(ids), answer
        return taken / len(ids)


def memory(build: Path, who: str, field: str) -> float:
    """Bytes of a hub or a relay at rest, a relay attached to the hub."""
    with HubHome(SETTINGS, build=build) as home:
        server = open_server(home, "relay")
        server.talk.call("list_agents")
        home.settle(server.talk)
        pid = server.proc.pid
        if who == "hub":
            pid = home.hub_pid()
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        line, = (x for x in text.splitlines() if x.startswith(f"{field}:"))
        return int(line.split()[1]) * 1024


SCENES: dict[str, Callable[..., float]] = {
    "call": call, "null": null, "bare": bare, "start": start, "null-start": null_start,
    "cold": cold, "cancel": cancel, "memory": memory}


def share_a_core(words: Sequence[str]) -> None:
    """One at a time everybody sleeps but one, so a second core does nothing
    for anybody but to be woken: 7 us or 70 by the host's mood, of both
    servers. Sharing one core, what is measured is the work: each system call,
    each switch and each instruction of all processes, nothing hidden behind
    another's. For a relay that means four switches where the null server has
    two, and half of those of both would be waiting if they were free. What a
    user has, who pins nobody, are the rows that say free: they are printed
    beside, and move with what else the machine does."""
    if "p50" in words or "p99" in words:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


if __name__ == "__main__":
    scene = sys.argv[2:]
    if scene[-1] == "free":
        scene.pop()
    elif scene[-1] != "busy":
        share_a_core(scene)
    figure = SCENES[scene[0]](Path(sys.argv[1]).resolve(), *scene[1:])
    print(figure)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""fanout_stage.py BUILD DIR SCENE [WORD...]: sets the stage for figures of the
fanout bench and prints them as an object.

    fanout N        N agents of a hub that knows its roles: "all", ns from the
                    order to the answer that all are done; "cpu", ns of the
                    hub's for each; "first", ns to the first instruction of
                    the CLI that was the first
    deleted N       the same, right after many files were removed
    alive N         N agents at once that stay: "hub" and "wardens", bytes of
                    the hub and of all wardens; "running", ns until all run

The state directory is in DIR, and is left there: where files were removed
lately an ext4 without a journal is slower (runner/place.py), so what one run has
made is not removed before the next.
"""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable, Iterator

from stage import SETTINGS, open_server
from store_stage import cpu_ns
from harness.hub import HubHome
from harness.tools import new_group
from harness.until import until
from harness.wire import Wire

MOST = 4000  # agents at once
REMOVED = 5000  # files
MANY = {**SETTINGS, "agent": {"maxConcurrent": MOST}}

Figures = dict[str, float]


@contextlib.contextmanager
def hub(build: Path, place: str) -> Iterator[tuple[HubHome, Wire]]:
    """A hub at rest whose agents are brief, and a client of it."""
    cli = {"KUROMAJUTSU_AGENT_COMMAND": str(build / "bench/brief")}
    with HubHome(MANY, cli, build=build) as home:
        home.home = Path(tempfile.mkdtemp(prefix="state-", dir=place))
        home.set(KUROMAJUTSU_HOME=str(home.home))
        server = open_server(home, "relay")
        server.talk.call("list_agents")
        home.settle(server.talk)
        with home.session() as wire:
            yield home, wire


def order(wire: Wire, group: str, what: str,
          count: int) -> tuple[list[str], int]:
    """The ids of so many agents, and when they were ordered."""
    tasks = [{"role": "impl-code", "prompt": f"brief: {what}"}] * count
    begun = time.monotonic_ns()
    handle = wire.order("run_agents", {"groupId": group, "agents": tasks})
    is_error, answer = wire.answer(handle)
    assert not is_error, answer
    return [agent["agentId"] for agent in answer["agents"]], begun


def stamp(wire: Wire, agent: str) -> int:
    """When its CLI began, as it has said itself; so it has done its work."""
    told = wire.call("get_agent_status", agentId=agent)
    return int(told["result"]["response"])


def fanned_out(home: HubHome, wire: Wire, count: int) -> Figures:
    pid, group = home.hub_pid(), new_group(wire)
    cpu = cpu_ns(pid)
    ids, begun = order(wire, group, "stamp", count)
    while wire.call("wait_agent", groupId=group)["timedOut"]:
        pass
    taken = time.monotonic_ns() - begun
    until(lambda: not home.living("kuromajutsu-warden"), "all gone")
    spent = cpu_ns(pid) - cpu
    return {"all": taken, "cpu": spent / count,
            "first": min(stamp(wire, agent) for agent in ids) - begun}


def fanout(build: Path, place: str, count: str) -> Figures:
    with hub(build, place) as (home, wire):
        return fanned_out(home, wire, int(count))


def remove_many(folder: Path) -> None:
    """Near where agents' directories are made, and of their kind."""
    files = [folder / f"removed-{i}" for i in range(REMOVED)]
    for file in files:
        file.write_bytes(b"x")
    for file in files:
        file.unlink()


def deleted(build: Path, place: str, count: str) -> Figures:
    with hub(build, place) as (home, wire):
        remove_many(home.state())
        # To ext4 those of this very second are not yet lately removed.
        removed = int(time.time())
        until(lambda: int(time.time()) > removed + 1, "a later second")
        return fanned_out(home, wire, int(count))


def bytes_of(pid: int) -> int:
    """Resident memory, what is shared divided among those who share it."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    line, = (x for x in text.splitlines() if x.startswith("Pss:"))
    return int(line.split()[1]) * 1024


def running(wire: Wire) -> int:
    return wire.call("hub_status")["agents"]["running"]


def alive(build: Path, place: str, count: str) -> Figures:
    with hub(build, place) as (home, wire):
        group = new_group(wire)
        _, begun = order(wire, group, "stay", int(count))
        until(lambda: running(wire) == int(count), "all of them running")
        taken = time.monotonic_ns() - begun
        wardens = home.living("kuromajutsu-warden")
        assert len(wardens) == int(count), len(wardens)
        found = {"running": taken, "hub": bytes_of(home.hub_pid()),
                 "wardens": sum(map(bytes_of, wardens))}
        wire.call("cancel_agent", groupId=group)
        until(lambda: not home.living("kuromajutsu-warden"), "all gone")
        return found


SCENES: dict[str, Callable[..., Figures]] = {
    "fanout": fanout, "deleted": deleted, "alive": alive}

if __name__ == "__main__":
    figures = SCENES[sys.argv[3]](Path(sys.argv[1]).resolve(), sys.argv[2],
                                  *sys.argv[4:])
    print(json.dumps(figures))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dashboard_stage.py BUILD SCENE [WORD...]: sets the stage for figures of the
dashboard bench and prints them as one JSON object.

    crowd SECONDS [GROUPS]  20 agents at work in each of 50 groups, watched in
                            Chromium
    past [EVENTS]           a page that travels over 10 000 events
    bundle                  bytes of all that the page may load, gzip
"""

from __future__ import annotations

import gzip
import http.client
import json
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Any, Callable, Sequence

from stage import ROOT, SETTINGS, open_server
from harness.browser import chromium
from harness.hub import HubHome
from harness.mcp import Talk
from harness.until import until
from node import environment

GROUPS, MEMBERS = "50", 20
LOADS = 5
# Each agent says something every STEP ms. One in ten leaves while one looks,
# and those who stay make the 200 updates a second all the same.
STEP_MS = 4400
LEAVING = 10
EVENTS = "10000"
JUMPS = 30

WEB = {**SETTINGS, "dashboard": {"port": 0},
       "agent": {"maxConcurrent": 1000, "maxQueued": 1000}}


def look(**order: Any) -> dict[str, float]:
    """What the browser found."""
    done = subprocess.run(
        ["node", ROOT / "bench/dashboard.mjs", ROOT / "web", chromium(),
         json.dumps(order)], env=environment(), stdout=subprocess.PIPE,
        check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def url(home: HubHome) -> str:
    said: str = json.loads(home.run("status", "--json").out)["url"]
    return said.rstrip("/") + "/"


# ---- a crowd ---------------------------------------------------------------

def task(number: int, all_of_them: int, seconds: float) -> dict[str, str]:
    share = number / all_of_them
    # Neighbours do not speak together.
    first = int(number * 0.618 % 1 * STEP_MS)
    is_leaving = number % LEAVING == 0
    events = int(seconds * 1000 * share / STEP_MS) + 5 if is_leaving else 0
    return {"role": "impl-code",
            "prompt": f"Part {number} of the work that is to be done\n"
                      f"web-crowd: {first} {STEP_MS} {events}"}


def hire(talk: Talk, groups: int, seconds: float) -> int:
    """How many there are."""
    tasks = [task(i, groups * MEMBERS, seconds)
             for i in range(groups * MEMBERS)]
    for group in range(groups):
        made = talk.call("create_group", description=f"Group {group}")
        talk.call("run_agents", groupId=made["groupId"],
                  agents=tasks[group * MEMBERS:][:MEMBERS])
    return len(tasks)


def count(home: HubHome, state: str) -> int:
    number: int = json.loads(home.run("status", "--json").out)["agents"][state]
    return number


def snapshot(address: str) -> dict[str, float]:
    """The picture as a script gets it: its size, and how long it takes."""
    there = urllib.parse.urlsplit(address).netloc
    took = []
    for _ in range(9):
        begun = time.monotonic_ns()
        way = http.client.HTTPConnection(there)
        way.request("GET", "/api/snapshot")
        answer = way.getresponse()
        first = time.monotonic_ns() - begun
        body = answer.read()
        took.append(first)
        way.close()
    return {"snapshot": len(body), "snapshot_gzip": len(gzip.compress(body, 6)),
            "snapshot_ttfb": sorted(took)[len(took) // 2]}


def crowd(build: Path, seconds: str, groups: str = GROUPS) -> dict[str, float]:
    source = {"KUROMAJUTSU_AGENT_COMMAND": str(build / "bench/web-source")}
    with HubHome(WEB, env=source, build=build) as home:
        talk = open_server(home, "relay").talk
        home.settle(talk)
        agents = hire(talk, int(groups), float(seconds))
        until(lambda: count(home, "running") >= agents * 9 // 10,
              "the agents at work")
        found = {**snapshot(url(home)),
                 **look(scene="crowd", url=url(home), seconds=float(seconds),
                        loads=LOADS if agents > 100 else 1)}
        home.run("cancel", "--all")
        return found


# ---- the past --------------------------------------------------------------

def last_event(address: str) -> int:
    there = urllib.parse.urlsplit(address).netloc
    way = http.client.HTTPConnection(there)
    way.request("GET", "/api/snapshot")
    seq: int = json.loads(way.getresponse().read())["seq"]
    return seq


def live_through(talk: Talk, address: str, events: int) -> None:
    """Groups of agents that report, until there are events enough."""
    while last_event(address) < events:
        group = talk.call("create_group", description="Past")["groupId"]
        made = talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": "Do it\npuppet: report ms=1"}] * 100)
        ids = [agent["agentId"] for agent in made["agents"]]
        while talk.call("wait_agent", agentIds=ids)["timedOut"]:
            pass


def past(build: Path, events: str = EVENTS) -> dict[str, float]:
    with HubHome(WEB, build=build) as home:
        talk = open_server(home, "relay").talk
        home.settle(talk)
        address = url(home)
        live_through(talk, address, int(events))
        return look(scene="past", url=address, jumps=JUMPS, seconds=10)


def bundle(build: Path) -> dict[str, float]:
    packed = build / "transport/web/assets.S.d/page"
    sizes = []
    for file in packed.rglob("*"):
        if file.is_file() and file.suffix not in (".gz", ".br"):
            small = file.with_name(file.name + ".gz")
            sizes.append((small if small.exists() else file).stat().st_size)
    assert sizes, packed
    return {"bundle": sum(sizes)}


SCENES: dict[str, Callable[..., dict[str, float]]] = {
    "crowd": crowd, "past": past, "bundle": bundle}


def main(words: Sequence[str]) -> None:
    found = SCENES[words[1]](Path(words[0]).resolve(), *words[2:])
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""store_stage.py BUILD SCENE [WORD...]: sets the stage for one figure of the
store bench and prints it.

    pairs CLIENTS     create_group and delete_group, pairs a second
    bare              the same rows in SQLite alone, a transaction a call
    cold              no hub yet, 100 000 agents in its database: ns from a
                      relay's start to the first list_agents
    memory            bytes of that hub thereafter
    moments OPEN [GROUPS]
                      past moments of such a history, of which at any moment so
                      many groups were open, as GET /api/snapshot?at= gives
                      them; as an object
"""

from __future__ import annotations

import http.client
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time
import urllib.parse
from pathlib import Path
from typing import Callable

from stage import SETTINGS, measure, open_server
from store_past import Words, fill_past
from harness.hub import HubHome
from harness.tools import new_group, start_agents
from harness.until import until

SECONDS = "3"
AGENTS, GROUPS, OPEN_GROUPS = 100_000, 1000, 10
COLD_STARTS = 5
MOMENTS = 20


def hub_home(home: HubHome) -> Path:
    """The state directory of its hub, made by one that has left again."""
    server = open_server(home, "relay")
    server.talk.call("list_agents")
    server.end()  # or it would want another hub
    home.run("stop")
    until(lambda: not home.living("kuromajutsu-hub"), "no hub")
    folder, = Path(home.home).iterdir()
    return folder


def database(folder: Path) -> Path:
    found, = folder.glob("*.db")
    return found


def pairs(build: Path, clients: str) -> float:
    with HubHome(SETTINGS, build=build) as home:
        server = open_server(home, "relay")
        server.talk.call("list_agents")
        home.settle(server.talk)
        folder, = Path(home.home).iterdir()
        done = subprocess.run(
            [build / "bench/pairs", folder / "hub.sock", "groups", clients,
             SECONDS],
            stdout=subprocess.PIPE, check=True)
        return float(done.stdout)


def bare(build: Path) -> float:
    with HubHome(SETTINGS, build=build) as home:
        done = subprocess.run(
            [build / "bench/store-bare", Path(home.home) / "bare.db",
             SECONDS], stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)["pairs_per_s"]


# ---- a long history --------------------------------------------------------

def rows(groups):
    """Agents of a hub that has been at work for three weeks: of every group
    that is still open there are a hundred, and all have ended."""
    begin = int(time.time() * 1000) - 21 * 86400 * 1000
    per = AGENTS // GROUPS
    serial = 0
    for g in range(groups):
        serial += 1
        group, at = serial, begin + g * 1_800_000
        seconds = at // 1000
        is_open = g >= groups - OPEN_GROUPS
        yield ("groups", (group, f"grp-{seconds}-{g:04x}", f"group {g}",
                          "concurrent", None, at,
                          0 if is_open else at + 900_000, 0, 0, 0))
        first = serial + 1
        args = {"groupId": f"grp-{seconds}-{g:04x}", "agents": [
            {"role": "impl-code", "prompt": f"Part {g}.{i} of the work"}
            for i in range(per)]}
        yield ("orders", (first, group, "run_agents", json.dumps(args), "",
                          "/tmp", per, at))
        for i in range(per):
            serial += 1
            yield ("agents", (
                serial, f"impl-code-{seconds}-{i:04x}", first, group, 0,
                "impl-code", "model", "cursor", "/tmp", 0, at, "completed",
                at + 100, at + 60000, at + 60100, 59900, 12, "session",
                "model", 9000, 200, 40000, 0, None, 9, 60, "success", 59900,
                0))
            yield ("texts", (
                serial, f"Part {g}.{i} of the work", f"Part {g}.{i} is done",
                f"Part {g}.{i}: " + "what was done, and why. " * 20, "",
                f'["src/part_{i}.c"]', "[]"))
            yield ("events", (serial, at, "agent:completed", group, serial,
                              "{}"))


def fill(path: Path, groups: int = GROUPS) -> None:
    db = sqlite3.connect(path)
    db.execute("DELETE FROM events")  # of the hub that made the file
    wording: dict[str, str] = {}
    for table, values in rows(groups):
        if table not in wording:
            # Columns that came later have their defaults.
            names = [row[1] for row in db.execute(
                f"PRAGMA table_info({table})")][:len(values)]
            wording[table] = (f"INSERT INTO {table}({','.join(names)}) VALUES"
                              f"({','.join('?' * len(values))})")
        db.execute(wording[table], values)
    db.execute("INSERT INTO agents_fts(rowid, prompt, summary, response,"
               " files) SELECT serial, prompt, summary, response, files"
               " FROM searchable")
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


def history(build: Path, folder: Path) -> Path:
    """A copy, for a hub to work on; made once a build."""
    kept = build / "bench" / "history.db"
    if not kept.exists():
        made = kept.with_suffix(".new")
        shutil.copy(database(folder), made)
        fill(made)
        made.rename(kept)
    return Path(shutil.copy(kept, database(folder)))


def forget(path: Path) -> None:
    """Out of the page cache: the hub is to read it from the disk."""
    fd = os.open(path, os.O_RDONLY)
    os.fsync(fd)
    os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
    os.close(fd)


def cold(build: Path) -> float:
    params = json.dumps({"name": "list_agents", "arguments": {}})
    taken = []
    with HubHome(SETTINGS, build=build) as home:
        folder = hub_home(home)
        os.chdir(home.project)
        for _ in range(COLD_STARTS):
            forget(history(build, folder))
            taken.append(measure(
                build, ["start", "1", "tools/call", params,
                        home.path("kuromajutsu"), "mcp"], env=home.env))
            home.run("stop")
            until(lambda: not home.living("kuromajutsu-hub"), "no hub")
        os.chdir(build)
    return statistics.median(taken)


def memory(build: Path) -> float:
    with HubHome(SETTINGS, build=build) as home:
        history(build, hub_home(home))
        talk = open_server(home, "relay").talk
        seen = talk.call("list_agents")
        assert seen["total"] >= 1000, seen["total"]
        home.settle(talk)
        pid = home.hub_pid()
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        line, = (x for x in text.splitlines() if x.startswith("Rss:"))
        return int(line.split()[1]) * 1024


# ---- past moments ----------------------------------------------------------

def example(build: Path) -> Words:
    """What a hub writes of a group of one agent that does its work."""
    with HubHome(SETTINGS, build=build) as home:
        talk = open_server(home, "relay").talk
        home.settle(talk)
        group = new_group(talk)
        agent, = start_agents(talk, "report ms=1", group=group)
        talk.call("wait_agent", agentIds=[agent])
        home.settle(talk)
        talk.call("delete_group", groupId=group)
        folder, = Path(home.home).iterdir()
        db = sqlite3.connect(database(folder))
        words = Words(db, agent, group)
        db.close()
        return words


def long_past(build: Path, folder: Path, open_groups: int,
              groups: int) -> Path:
    """A copy, for a hub to work on; made once a build."""
    kept = build / "bench" / f"past-{open_groups}-{groups}.db"
    if not kept.exists():
        made = kept.with_suffix(".new")
        shutil.copy(database(folder), made)
        fill(made, groups)
        fill_past(made, example(build), open_groups)
        made.rename(kept)
    copy = Path(shutil.copy(kept, database(folder)))
    with open(copy, "rb") as file:
        os.fsync(file.fileno())  # or the hub would wait for its writing
    return copy


def pick_moments(path: Path) -> list[str]:
    """Numbers all over it, as many times, and the events just before a
    checkpoint, which are the furthest from one."""
    db = sqlite3.connect(path)
    (last,), = db.execute("SELECT max(seq) FROM events")
    drawn = [seq for seq, in db.execute(
        "SELECT seq FROM checkpoints ORDER BY seq")]
    spread = [int(last * (i * 0.618 % 1)) for i in range(1, 2 * MOMENTS + 1)]
    times = [db.execute("SELECT at FROM events WHERE seq = ?",
                        (seq,)).fetchone()[0] for seq in spread[MOMENTS:]]
    db.close()
    far = [drawn[1 + i * (len(drawn) - 1) // MOMENTS] - 1
           for i in range(MOMENTS)]
    return [str(at) for at in (*spread[:MOMENTS], *times, *far)]


def cpu_ns(pid: int) -> int:
    """Of all threads of a process, to the nanosecond."""
    return sum(int(task.read_text().split()[0]) for task in
               Path(f"/proc/{pid}/task").glob("*/schedstat"))


def moments(build: Path, open_groups: str,
            groups: str = str(GROUPS)) -> dict[str, float]:
    taken, spent, size = [], [], 0
    with HubHome({**SETTINGS, "dashboard": {"port": 0}}, build=build) as home:
        asked = pick_moments(long_past(build, hub_home(home),
                                       int(open_groups), int(groups)))
        talk = open_server(home, "relay").talk
        home.settle(talk)
        pid = home.hub_pid()
        told = json.loads(home.run("status", "--json").out)
        way = http.client.HTTPConnection(
            urllib.parse.urlsplit(told["url"]).netloc)
        for at in asked:
            cpu, begun = cpu_ns(pid), time.monotonic_ns()
            way.request("GET", f"/api/snapshot?at={at}")
            answer = way.getresponse()
            body = answer.read()
            taken.append(time.monotonic_ns() - begun)
            spent.append(cpu_ns(pid) - cpu)
            assert answer.status == 200, body
            assert json.loads(body)["agents"], at
            size = max(size, len(body))
        way.close()
    return {"moment": max(taken), "moment_p50": statistics.median(taken),
            "moment_cpu": max(spent), "moment_size": size}


SCENES: dict[str, Callable[..., float | dict[str, float]]] = {
    "pairs": pairs, "bare": bare, "cold": cold, "memory": memory,
    "moments": moments}

if __name__ == "__main__":
    figure = SCENES[sys.argv[2]](Path(sys.argv[1]).resolve(), *sys.argv[3:])
    print(json.dumps(figure))

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mail_stage.py BUILD SCENE [WORD...]: sets the stage for one figure of the
mail bench and prints it.

    pairs AGENTS             send and receive, pairs a second
    bare                     the same rows in SQLite alone
    broadcast AGENTS TIMES   to agents that wait; as an object
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Callable, Iterator

from stage import SETTINGS, open_server
from harness.hub import HubHome

SECONDS = "3"


@contextlib.contextmanager
def socket(build: Path) -> Iterator[Path]:
    """That of a hub whose checks are done."""
    with HubHome(SETTINGS, build=build) as home:
        server = open_server(home, "relay")
        server.talk.call("list_agents")
        home.settle(server.talk)
        folder, = Path(home.home).iterdir()
        yield folder / "hub.sock"


def told(build: Path, program: str, *words: str | Path):
    done = subprocess.run([build / "bench" / program, *words],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def pairs(build: Path, agents: str) -> float:
    with socket(build) as way:
        return told(build, "pairs", way, "mail", agents, SECONDS)


def bare(build: Path) -> float:
    with HubHome(SETTINGS, build=build) as home:
        return told(build, "mail-bare", Path(home.home) / "bare.db",
                    SECONDS)["pairs_per_s"]


def broadcast(build: Path, agents: str, times: str) -> dict[str, float]:
    with socket(build) as way:
        return told(build, "broadcast", way, agents, times)


SCENES: dict[str, Callable[..., float | dict[str, float]]] = {
    "pairs": pairs, "bare": bare, "broadcast": broadcast}

if __name__ == "__main__":
    figure = SCENES[sys.argv[2]](Path(sys.argv[1]).resolve(), *sys.argv[3:])
    print(json.dumps(figure))

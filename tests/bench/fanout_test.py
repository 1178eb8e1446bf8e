#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The fanout bench in a small form: every figure that its table picks is
given, by agents of a hub and by the bare peer."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from harness import tap
from harness.programs import BUILD

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import fanout  # noqa: E402
from runner.place import file_system, nearest, plain, state_home  # noqa: E402
from runner.program import call  # noqa: E402

PATIENCE = 500  # less than that of who waits for us


def said(*words: str):
    return json.loads(call([*words], PATIENCE, ROOT))


def staged(scene: str, count: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as place:
        return said(sys.executable, "-B", "bench/fanout_stage.py", BUILD,
                    place, scene, str(count))


def picked(scene: str) -> set[str]:
    return {row.figure for row in fanout.BENCH.rows if scene in row.ours}


@tap.test
def agents_of_a_hub_give_all_figures() -> None:
    for scene in ("fanout", "deleted"):
        found = staged(scene, 3)
        assert picked(scene) <= set(found), found
        assert 0 < found["first"] < found["all"], found
        assert found["cpu"] > 0, found


@tap.test
def agents_that_stay_are_all_there_and_weighed() -> None:
    found = staged("alive", 3)
    assert picked("alive") == set(found), found
    assert all(value > 0 for value in found.values()), found


@tap.test
def the_bare_peer_starts_the_same_program() -> None:
    for what in ("all", "first"):
        assert said(f"{BUILD}/bench/fanout-bare", f"{BUILD}/bench/brief",
                    what, "3") > 0


@tap.test
def the_place_is_where_hubs_keep_their_state() -> None:
    own = {"KUROMAJUTSU_HOME": "/own", "XDG_STATE_HOME": "/xdg"}
    assert state_home(own) == Path("/own")
    assert state_home({"XDG_STATE_HOME": "/xdg"}) == Path("/xdg/kuromajutsu")
    assert state_home({"XDG_STATE_HOME": "x"}).parts[-3:] == (
        ".local", "state", "kuromajutsu")
    assert nearest(Path("/proc/not/there")) == Path("/proc")
    assert file_system(Path("/proc/self")) == "proc"
    assert plain(r"/a\040b\134") == "/a b\\"


if __name__ == "__main__":
    tap.run()

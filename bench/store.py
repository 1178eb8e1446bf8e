# SPDX-License-Identifier: MIT
"""Durable calls a second beside SQLite alone, and a hub that starts with a
long history.

The peer does the same rows on one thread, a transaction for each call: what
is between the two is group commit, less all that a hub does besides. A pair
is create_group and delete_group, each answered when it is on the disk."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Either, Row, Target


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/store_stage.py", "{build}", scene, *words]


def pairs(clients: int, *targets: Either) -> Row:
    return Row(f"pairs_{clients}", f"{clients} clients", "/s", "higher",
               stage("pairs", str(clients)), {"sqlite": stage("bare")},
               targets)


BENCH = Bench(
    name="store",
    rows=(
        pairs(1),
        pairs(8),
        pairs(64, Either(Target(8000), Target(5, of=BEST_PEER))),
        Row("history_start", "100k agents, to list_agents", "ns", "lower",
            stage("cold"), {}, (Target(120e6),)),
        Row("history_rss", "100k agents", "B", "lower", stage("memory"), {},
            (Target(32e6),)),
    ),
)

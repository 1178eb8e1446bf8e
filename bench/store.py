# SPDX-License-Identifier: MIT
"""Durable calls a second beside SQLite alone, and a hub that starts with a
long history.

The peer does the same rows on one thread, a transaction for each call: what
is between the two is group commit, less all that a hub does besides. A pair
is create_group and delete_group, each answered when it is on the disk.

`moment` is GET /api/snapshot?at= of such a history with all its events, half a
million of them: the slowest of sixty, by numbers, by times, and where it is
furthest to the next checkpoint. At any time ten groups with a thousand agents
were open; of `moment_open` none was ever deleted. `cpu` is what the hub needs
for the one that needs most."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Either, Row, Target


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/store_stage.py", "{build}", scene, *words]


def pairs(clients: int, *targets: Either) -> Row:
    return Row(f"pairs_{clients}", f"{clients} clients", "/s", "higher",
               stage("pairs", str(clients)), {"sqlite": stage("bare")},
               targets)


def moments(name: str, counts: str, open_groups: int, figure: str,
            *targets: Target) -> Row:
    return Row(name, counts, "ns", "lower",
               stage("moments", str(open_groups)), {}, targets, figure)


SOON = Target(100e6)

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
        moments("moment", "100k agents, slowest", 10, "moment", SOON),
        moments("moment_p50", "100k agents", 10, "moment_p50"),
        moments("moment_cpu", "of the hub", 10, "moment_cpu", SOON),
        moments("moment_open", "1000 groups, slowest", 1000, "moment", SOON),
        moments("moment_open_cpu", "of the hub", 1000, "moment_cpu", SOON),
    ),
)

# SPDX-License-Identifier: MIT
"""Many agents at once, of a whole hub: from the order on its socket to the
answer that all are done, on the file system on which a hub keeps its state.

An agent is a warden and a CLI, two processes, with files and rows that are on
the disk before an answer tells of them. Beside it stands what the bare system
takes to start as many of the same CLI at once, and wait for them."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Row, Target

WITHIN_TWICE = Target(0.5, of=BEST_PEER)


def stage(scene: str, count: int) -> Command:
    return ["python3", "-B", "bench/fanout_stage.py", "{build}", "{dir}",
            scene, str(count)]


def bare(what: str, count: int) -> Command:
    return ["{build}/bench/fanout-bare", "{build}/bench/brief", what,
            str(count)]


def row(name: str, counts: str, scene: str, count: int, figure: str,
        *targets: Target, peer: str = "", unit: str = "ns") -> Row:
    peers = {"bare spawns": bare(peer, count)} if peer else {}
    return Row(name, counts, unit, "lower", stage(scene, count), peers,
               targets, figure)


def fanout(count: int, *targets: Target) -> Row:
    return row(f"fanout_{count}", "until all are done", "fanout", count,
               "all", *targets, peer="all")


BENCH = Bench(
    name="fanout",
    rows=(
        fanout(1),
        fanout(10, WITHIN_TWICE),
        fanout(100, WITHIN_TWICE),
        fanout(500, WITHIN_TWICE),
        fanout(1000, WITHIN_TWICE),
        row("deleted_500", "files just removed", "deleted", 500, "all",
            WITHIN_TWICE, peer="all"),
        row("first", "to its first instruction", "fanout", 1, "first",
            Target(5e6, strict=True), peer="first"),
        row("cpu_500", "hub's CPU per agent", "fanout", 500, "cpu",
            Target(0.5e6, strict=True)),
        row("alive_running", "until 2000 run", "alive", 2000, "running"),
        row("alive_hub", "hub of 2000", "alive", 2000, "hub", unit="B"),
        row("alive_wardens", "their wardens", "alive", 2000, "wardens",
            unit="B"),
    ),
    takes_dir=True,
)

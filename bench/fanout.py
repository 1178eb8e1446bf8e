# SPDX-License-Identifier: MIT
"""Many agents at once: how long until all have run and gone.

An agent is a warden and a CLI, two processes; beside it stands what the bare
system takes to start and wait for as many processes, one after the other."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Row, Target


def ours(*args: str) -> Command:
    return ["{build}/bench/agents", *args]


def fanout(agents: int, targets: tuple[Target, ...] = ()) -> Row:
    processes = 2 * agents
    return Row(f"fanout_{agents}", "until all are gone", "ns", "lower",
               ours("fanout", str(agents)),
               {f"{processes} bare spawns": ours("bare", str(processes))},
               targets)


BENCH = Bench(
    name="fanout",
    rows=(
        fanout(10),
        fanout(100),
        fanout(500, (Target(0.5, of=BEST_PEER),)),
        fanout(1000),
        Row("running_p50", "of 500, to running", "ns", "lower",
            ours("fanout_p50", "500")),
        Row("running_p99", "of 500, to running", "ns", "lower",
            ours("fanout_p99", "500")),
    ),
)

# SPDX-License-Identifier: MIT
"""The actor engine beside Erlang processes and goroutines.

Rates do not depend on how long a run lasts, so each program gets as much work
as takes it a few tenths of a second: more for ours, less for the peers."""

from __future__ import annotations

import os
from typing import Union

from runner.table import BEST_PEER, Bench, Command, Reuse, Row, Target
from runner.table import Toolchain

CORES = len(os.sched_getaffinity(0))

TOOLCHAINS = {
    "erlang": Toolchain(
        package="erlang-base",
        tools=("erlc", "erl"),
        source="bench/peers/actors.erl",
        output="{build}/bench/peers/actors.beam",
        build=["erlc", "-o", "{build}/bench/peers", "bench/peers/actors.erl"],
    ),
    "go": Toolchain(
        package="golang-go",
        tools=("go",),
        source="bench/peers/actors.go",
        output="{build}/bench/peers/actors-go",
        build=["go", "build", "-o", "{build}/bench/peers/actors-go",
               "bench/peers/actors.go"],
        # One file of the standard library only: no module, no network.
        env={"GO111MODULE": "off", "GOFLAGS": "", "GOTOOLCHAIN": "local",
             "GOCACHE": "{build}/bench/peers/go-cache"},
    ),
}


def ours(*args: str) -> Command:
    return ["{build}/bench/actors", *args]


def erlang(*args: str) -> Command:
    # The default limit of 262144 processes is below what forkjoin may reach.
    return ["erl", "-noinput", "+P", "2000000",
            "-env", "ERL_CRASH_DUMP_BYTES", "0",
            "-pa", "{build}/bench/peers", "-run", "actors", "main", *args]


def go(*args: str) -> Command:
    return ["{build}/bench/peers/actors-go", *args]


def rate(
    name: str,
    counts: str,
    args: str,
    peer_args: str = "",
    targets: tuple[Target, ...] = (),
) -> Row:
    command = [name.split("_")[0], *args.split()]
    peers: dict[str, Union[Command, Reuse]] = {}
    if peer_args:
        theirs = [command[0], *peer_args.split()]
        peers = {"erlang": erlang(*theirs), "go": go(*theirs)}
    return Row(name, counts, "/s", "higher", ours(*command), peers, targets)


def crowded(row: Row) -> Row:
    """What it costs to have more workers than the reference machine's two
    cores; the figure beside it is that of the row itself."""
    return Row(
        f"{row.name}_4w", row.counts, row.unit, row.better,
        [*row.ours, "--workers", "4"],
        {f"{CORES} workers": Reuse(row.name)},
        (Target(0.5, of=row.name),),
    )


RATES = (
    rate("pingpong", "round trips", "5000000", "1000000",
         (Target(4, of=BEST_PEER),)),
    rate("ring", "hops", "1000 10000000", "1000 1000000",
         (Target(5, of=BEST_PEER),)),
    rate("forkjoin", "actors", "1000000", "1000000",
         (Target(2, of=BEST_PEER), Target(0.5, of="forkjoin_1e5"))),
    rate("forkjoin_1e5", "actors", "100000"),
    rate("contend", "messages", "20 500000", "20 500000",
         (Target(1, of=BEST_PEER, strict=True),)),
    rate("big", "pings", "120 20000", "120 20000"),
)

IDLE = Row("idle", "per actor", "B", "lower", ours("idle", "1000000"),
           {"erlang": erlang("idle", "100000"), "go": go("idle", "100000")},
           (Target(256),))

WAKEUP = Row("wakeup", "post to handler", "ns", "lower",
             ours("wakeup", "2000"), {"futex": ours("wakeup_bare", "2000")})

IDLE_WAKEUPS = Row("idle_wakeups", "context switches", "/s", "lower",
                   ours("idle_wakeups", "2"), {}, (Target(5, strict=True),))

BENCH = Bench(
    name="actors",
    rows=(
        *RATES, IDLE, WAKEUP, IDLE_WAKEUPS,
        *(crowded(row) for row in RATES if row.peers),
    ),
    toolchains=TOOLCHAINS,
)

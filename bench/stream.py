# SPDX-License-Identifier: MIT
"""Stream-json through the whole hub: CLI, transcript on disk, ward, agent.

Rates are per CPU-second of the hub (getrusage), all its threads together, so
that the CLIs on the same cores do not count; beside them stands bare yyjson
over the same lines in memory."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Row, Target


def ours(*args: str) -> Command:
    return ["{build}/bench/agents", *args]


def stream(agents: int, lines: int, targets: tuple[Target, ...]) -> Row:
    return Row(f"stream_{agents}", "lines per CPU-s", "/s", "higher",
               ours("stream", str(agents), str(lines)),
               {"yyjson": ours("yyjson", "1000000")}, targets)


def rate(agents: int, lines: int) -> Row:
    return Row(f"rate_{agents}", "lines", "/s", "higher",
               ours("stream_rate", str(agents), str(lines)))


BENCH = Bench(
    name="stream",
    rows=(
        Row("parse", "lines per CPU-s", "/s", "higher",
            ours("parse", "1000000"), {"yyjson": ours("yyjson", "1000000")}),
        stream(1, 1000000, (Target(3e6), Target(0.6, of=BEST_PEER))),
        stream(10, 100000, ()),
        stream(100, 10000, (Target(3e6), Target(0.8, of="stream_1"))),
        rate(1, 1000000),
        rate(10, 100000),
        rate(100, 10000),
        Row("peak_100", "hub's memory", "B", "lower",
            ours("stream_peak", "100", "10000"), {}, (Target(64e6),)),
        Row("line_50M", "hub's CPU", "ns", "lower", ours("line", "50000000"),
            {"line of 5 MB": ours("line", "5000000")},
            (Target(1 / 12, of=BEST_PEER),)),
    ),
)

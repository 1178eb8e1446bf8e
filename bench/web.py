# SPDX-License-Identifier: MIT
"""The web side beside h2o alone.

The bare server (bench/web_bare.c) answers every call with the bytes that ours
has answered, and broadcasts events as long as ours to all who listen: what is
left between the two is what a hub does. `feed` is ten agents at work, whose
live text comes from CLIs in processes of their own by way of their transcripts
on disk; all clients watch the same agent, as a broadcast is heard. In `spread`
they are dealt out to the ten, so that an event has fewer who hear it and the
hub makes ten times as many of them.

Rates are what gets through when an event goes as soon as others have come in;
times are at a pace of 4000 events a second for each client, which fifty of
them make 200 000 deliveries."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Row, Target


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/web_stage.py", "{build}", scene, *words]


def beside_bare(name: str, counts: str, scene: str, what: str,
                words: tuple[str, ...], ours: tuple[str, ...],
                *targets: Target) -> Row:
    is_rate = what == "rate"
    return Row(name, counts, "/s" if is_rate else "ns",
               "higher" if is_rate else "lower",
               stage(scene, what, *words, *ours),
               {"bare h2o": stage(f"bare-{scene}", what, *words)}, targets)


def calls(what: str, *targets: Target) -> Row:
    name = "calls" if what == "rate" else f"calls_{what}"
    return beside_bare(name, "get_agent_status", "calls", what, (), (),
                       *targets)


def feed(clients: int, what: str, *targets: Target,
         watch: str = "one") -> Row:
    name = "feed" if watch == "one" else "spread"
    end = "" if what == "rate" else f"_{what}"
    return beside_bare(f"{name}_{clients}{end}",
                       "deliveries" if what == "rate" else "at 4000/s each",
                       "feed", what, (str(clients),), (watch,), *targets)


FAST = Target(0.5, of=BEST_PEER)
NEARLY_BARE = Target(0.8, of=BEST_PEER)

BENCH = Bench(
    name="web",
    rows=(
        calls("rate", NEARLY_BARE),
        calls("p50"),
        calls("p99"),
        feed(1, "rate"),
        feed(10, "rate"),
        feed(50, "rate", FAST),
        feed(50, "rate", FAST, watch="each"),
        feed(1, "p50"),
        feed(1, "p99"),
        feed(10, "p50"),
        feed(10, "p99"),
        feed(50, "p50"),
        feed(50, "p99", Target(10e6)),
        Row("status_p99", "coalesced, 50 clients", "ns", "lower",
            stage("status"), {}, (Target(150e6),)),
        Row("frozen", "more, over 1 M events", "B", "lower", stage("frozen"),
            {}, (Target(8e6),)),
    ),
)

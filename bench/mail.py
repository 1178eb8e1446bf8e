# SPDX-License-Identifier: MIT
"""Messages between agents, beside SQLite alone.

Agents are clients on the hub's socket, where relays speak with it, each with a
connection of its own. A pair is a message that is sent to one's neighbour and
one that is waited for and received, both answered when they are on the disk;
the peer does the same rows on one thread, a transaction for each call.

A broadcast is `sent` when its call is answered: it is on the disk, and in the
mailboxes of a thousand registered agents. It is `heard` when the last of them,
who all wait, has been answered, which takes a thousand receipts on the disk."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Row, Target

SOON = Target(50e6)


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/mail_stage.py", "{build}", scene, *words]


def pairs(agents: int, *targets: Target) -> Row:
    return Row(f"pairs_{agents}", f"{agents} agents", "/s", "higher",
               stage("pairs", str(agents)), {"sqlite": stage("bare")},
               targets)


def broadcast(figure: str, counts: str, *targets: Target) -> Row:
    return Row(f"broadcast_{figure}", counts, "ns", "lower",
               stage("broadcast", "1000", "20"), {}, targets, figure)


BENCH = Bench(
    name="mail",
    rows=(
        pairs(1),
        pairs(8),
        pairs(64, Target(1, of=BEST_PEER)),
        broadcast("sent", "in 1000 mailboxes", SOON),
        broadcast("sent_most", "slowest of 20", SOON),
        broadcast("heard", "by 1000 who wait", SOON),
        broadcast("heard_most", "slowest of 20"),
    ),
)

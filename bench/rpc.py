# SPDX-License-Identifier: MIT
"""The MCP server beside one that does nothing.

The null server (bench/null_server.c) answers every request with the bytes
that ours has answered, on the same pipes and to the same client; so what is
left between the two is what our server does. `standalone` is one process,
`relay` is two: the client's relay, and the hub behind its socket. `bare` is
the null server with a second process in between that does nothing either:
what the way through two processes takes, whatever they do. What says `free`
is measured where the scheduler puts it (bench/stage.py says why the rest is
not). What says `busy` is too, and each call comes alone, while ten agents keep
all cores busy and speak two thousand lines a second; the peers are beside the
same ten."""

from __future__ import annotations

from runner.table import BEST_PEER, Bench, Command, Either, Row, Target

WINDOW = "64"


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/stage.py", "{build}", scene, *words]


def beside_null(name: str, counts: str, unit: str, mode: str,
                words: tuple[str, ...], target: tuple) -> Row:
    question, *how = words
    return Row(f"{name}_{mode}", counts, unit,
               "higher" if unit == "/s" else "lower",
               stage("call", mode, question, *how),
               {"null": stage("null", question, *how)}, target)


def one_by_one(name: str, mode: str, words: tuple[str, ...],
               target: tuple = ()) -> Row:
    row = beside_null(name, "one at a time", "ns", mode, words, target)
    if mode == "relay":
        row.peers["bare"] = stage("bare", *words)
    return row


def memory(who: str, bound: float) -> tuple[Row, Row]:
    return (Row(f"{who}_rss", "at rest", "B", "lower",
                stage("memory", who, "Rss"), {}, (Target(bound),)),
            Row(f"{who}_pss", "at rest", "B", "lower",
                stage("memory", who, "Pss")))


def cancel(count: int, *targets: Target) -> Row:
    """Ten times as many may take ten times as long, and not twice that."""
    return Row(f"cancel_{count}", "for each of a group", "ns", "lower",
               stage("cancel", str(count)), {}, targets)


STATUS = ("status", "rate", "100000", WINDOW)
CROWD = ("crowd", "rate", "1000", "8")
P50 = ("status", "p50", "10000")
P99 = ("status", "p99", "10000")
BUSY_P50 = ("status", "lone_p50", "400", "busy")
BUSY_P99 = ("status", "lone_p99", "400", "busy")
FAST = (Either(Target(60e3), Target(0.5, of=BEST_PEER)),)
HALF = (Target(0.5, of=BEST_PEER),)
PROMPT = (Target(2e6), Target(1 / 3, of=BEST_PEER))

# The targets of p50 are how many times longer than the null server: 1.5, 3.
# By relay the target is held where processes are placed as a user's are. On
# one core a second process that does nothing (bare) takes 3.6 times as long as
# the null server: that row tells of the kernel's switches, and how far we are
# above them.
# A null server shares its client's session, and with it the client's turn; a
# hub has a session of its own and must be let in by the scheduler, as the
# second process of bare must: p99 by relay stands between the two.
BENCH = Bench(
    name="rpc",
    rows=(
        beside_null("pipelined", "get_agent_status", "/s", "standalone",
                    STATUS, FAST),
        beside_null("pipelined", "get_agent_status", "/s", "relay",
                    STATUS, FAST),
        one_by_one("p50", "standalone", P50,
                   (Target(1 / 1.5, of=BEST_PEER),)),
        one_by_one("p50", "relay", P50),
        one_by_one("p50_free", "standalone", (*P50, "free"),
                   (Target(1 / 1.5, of=BEST_PEER),)),
        one_by_one("p50_free", "relay", (*P50, "free"),
                   (Target(1 / 3, of=BEST_PEER),)),
        one_by_one("p99", "standalone", P99),
        one_by_one("p99", "relay", P99),
        one_by_one("busy_p50", "standalone", BUSY_P50),
        one_by_one("busy_p50", "relay", BUSY_P50),
        one_by_one("busy_p99", "standalone", BUSY_P99, PROMPT),
        one_by_one("busy_p99", "relay", BUSY_P99, PROMPT),
        beside_null("list_1000", "list_agents", "/s", "standalone",
                    CROWD, HALF),
        beside_null("list_1000", "list_agents", "/s", "relay", CROWD, HALF),
        Row("relay_start", "to tools/list, hub there", "ns", "lower",
            stage("start"), {"null": stage("null-start")}, (Target(15e6),)),
        Row("cold_start", "to list_agents, no hub", "ns", "lower",
            stage("cold"), {}, (Target(80e6),)),
        cancel(100),
        cancel(1000, Target(0.5, of="cancel_100")),
        *memory("hub", 12e6),
        *memory("relay", 3e6),
    ),
)

# SPDX-License-Identifier: MIT
"""The dashboard in Chromium, beside a hub with a thousand agents at work.

All is real: the hub, a warden and a CLI for each agent (bench/web_source.c, as
one of a crowd), the browser that a person has. The agents, in 50 groups, make
200 updates a second. Tasks are those of the page's main thread in Chromium's
own trace, by the clock and in CPU time of the thread: on a machine with
nothing else to do the two are the same. `live` is the screen as it opens, in
rows from 200 agents on; `cards` and `lanes` (the time line) are looked at for
a tenth of the time.

`first_paint` is from the opening of the page to the frame that shows agents,
the middle of five. `grown` is what the page's heap has more, after collecting
garbage, at the end of the time (five minutes) than when it began. `travel` is
the slowest of thirty jumps over 10 000 events, from the press on the bar to the
frame that shows that moment; `travel_first` is the one before them. Where
others had a part of the cores, the verdict says so: then only CPU times tell
something."""

from __future__ import annotations

from runner.table import Bench, Command, Row, Target


def stage(scene: str, *words: str) -> Command:
    return ["python3", "-B", "bench/dashboard_stage.py", "{build}", scene,
            *words]


def crowd(name: str, counts: str, unit: str, *targets: Target) -> Row:
    return Row(name, counts, unit, "lower", stage("crowd", "{seconds}"), {},
               targets, name)


def screen(name: str) -> tuple[Row, ...]:
    """What one screen costs the main thread."""
    half, short = Target(50, strict=True), Target(50e6)
    return (crowd(f"{name}_busy", "of the main thread", "%", half),
            crowd(f"{name}_busy_cpu", "in CPU time", "%", half),
            crowd(f"{name}_longest", "task", "ns", short),
            crowd(f"{name}_longest_cpu", "in CPU time", "ns", short),
            crowd(f"{name}_nodes", "of the document", "nodes"))


def past(name: str, counts: str, *targets: Target) -> Row:
    return Row(name, counts, "ns", "lower", stage("past"), {}, targets, name)


BENCH = Bench(
    name="dashboard",
    rows=(
        Row("bundle", "gzip", "B", "lower", stage("bundle"), {},
            (Target(250e3),), "bundle"),
        crowd("snapshot", "of 1000 agents", "B"),
        crowd("snapshot_ttfb", "to its first byte", "ns"),
        crowd("first_paint", "of 1000 agents", "ns", Target(1e9, strict=True)),
        crowd("first_paint_cpu", "in CPU time", "ns", Target(1e9, strict=True)),
        Row("updates", "heard by the page", "/s", "higher",
            stage("crowd", "{seconds}"), {}, (Target(200),), "updates"),
        *screen("live"),
        *screen("cards"),
        *screen("lanes"),
        crowd("grown", "heap of the page", "B", Target(2e6)),
        past("travel", "over 10k events, slowest", Target(150e6, strict=True)),
        past("travel_cpu", "in CPU time", Target(150e6, strict=True)),
        past("travel_p50", "over 10k events"),
        past("travel_first", "the first jump"),
    ),
    rounds=1,
    seconds=300,
    timeout=300,
)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dashboard's bench in a small form: its scenes play, in Chromium, and
give every figure that the table picks."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness import tap
from harness.browser import chromium
from harness.programs import BUILD

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import dashboard  # noqa: E402
import dashboard_stage  # noqa: E402
from runner.program import call  # noqa: E402

PATIENCE = 500  # less than that of who waits for us


def played(scene: str, *words: str) -> dict[str, float]:
    chromium()  # or there is nothing to look with
    said = call([sys.executable, "-B", "bench/dashboard_stage.py", BUILD,
                 scene, *words], PATIENCE, ROOT)
    found: dict[str, float] = json.loads(said)
    return found


def picked(scene: str) -> set[str]:
    return {row.figure for row in dashboard.BENCH.rows if scene in row.ours}


@tap.test
def a_small_crowd_gives_all_figures() -> None:
    found = played("crowd", "2", "3")
    assert picked("crowd") <= set(found), found
    for name in ("snapshot", "snapshot_ttfb", "first_paint", "updates",
                 "live_busy_cpu", "cards_busy_cpu", "lanes_busy_cpu"):
        assert found[name] > 0, (name, found)
    assert 0 < found["live_longest_cpu"] <= found["live_longest"], found


@tap.test
def a_short_past_gives_all_figures() -> None:
    found = played("past", "200")
    assert picked("past") <= set(found), found
    assert 0 < found["travel_p50"] <= found["travel"], found


@tap.test
def what_is_promised_has_rows_by_clock_and_by_cpu() -> None:
    rows = {row.name: row for row in dashboard.BENCH.rows}
    for name, bound in {"first_paint": 1e9, "travel": 150e6, "live_busy": 50,
                        "live_longest": 50e6}.items():
        for row in (rows[name], rows[f"{name}_cpu"]):
            assert [t.bound for t in row.targets[0].parts()] == [bound], row
    assert rows["first_paint"].ours == rows["live_busy"].ours, "a crowd"
    assert int(dashboard_stage.GROUPS) * dashboard_stage.MEMBERS == 1000
    assert dashboard_stage.EVENTS == "10000" and dashboard.BENCH.seconds == 300


@tap.test
def the_page_is_within_its_bundle() -> None:
    found = played("bundle")
    row, = (row for row in dashboard.BENCH.rows if row.name == "bundle")
    target, = row.targets
    assert target.parts()[0].holds(found["bundle"], row.higher), found


if __name__ == "__main__":
    tap.run()

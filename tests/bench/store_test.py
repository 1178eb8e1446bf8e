#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The store's bench in a small form: a past that was made is one that a hub
can show any moment of, and every figure that the table picks is given."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness import tap
from harness.programs import BUILD

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import store  # noqa: E402
from runner.program import call  # noqa: E402

PATIENCE = 500  # less than that of who waits for us


@tap.test
def moments_of_a_short_past_give_all_figures() -> None:
    said = call([sys.executable, "-B", "bench/store_stage.py", BUILD,
                 "moments", "3", "30"], PATIENCE, ROOT)
    found: dict[str, float] = json.loads(said)
    picked = {row.figure for row in store.BENCH.rows if "moments" in row.ours}
    assert picked and picked <= set(found), found
    assert 0 < found["moment_p50"] <= found["moment"], found
    assert found["moment_cpu"] > 0 and found["moment_size"] > 0, found


if __name__ == "__main__":
    tap.run()

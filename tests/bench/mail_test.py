#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The mail bench in a small form: every figure that its table picks is given,
by agents that wait and by bare SQLite."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from harness import tap
from harness.programs import BUILD

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))

import mail  # noqa: E402
from runner.program import call  # noqa: E402

PATIENCE = 500  # less than that of who waits for us


def said(*words: str):
    return json.loads(call([sys.executable, "-B", "bench/mail_stage.py",
                            BUILD, *words], PATIENCE, ROOT))


@tap.test
def a_broadcast_to_a_few_gives_all_figures() -> None:
    found: dict[str, float] = said("broadcast", "5", "3")
    picked = {row.figure for row in mail.BENCH.rows if row.figure}
    assert picked == set(found), found
    assert 0 < found["sent"] <= found["sent_most"], found
    assert 0 < found["heard"] <= found["heard_most"], found


@tap.test
def pairs_are_made_by_agents_and_by_the_peer() -> None:
    assert said("pairs", "3") > 0
    assert said("bare") > 0


if __name__ == "__main__":
    tap.run()

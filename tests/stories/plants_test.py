#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The stories' checks find the faults planted for them, and a seed is enough
to see one again."""

from __future__ import annotations

import os
import re
import subprocess

from harness import tap
from harness.programs import built

STORIES = built("tests/stories/stories")
SEEDS = 50
ENV = {name: value for name, value in os.environ.items()
       if name not in ("SEED", "SIM_SEEDS", "KUROMAJUTSU_LONG")}


def tell(*args: str, seed: str | None = None) -> tuple[int, str]:
    done = subprocess.run([STORIES, *args], text=True, check=False,
                          env=ENV | ({"SEED": seed} if seed else {}),
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return done.returncode, done.stdout


def check_found(plant: str, story: str, symptom: str) -> None:
    status, out = tell("--plant", plant, "--seeds", str(SEEDS), story)
    assert status == 1, f"not found in {SEEDS} seeds: {out}"
    again = re.search(r"# again: SEED=(\d+) ", out)
    assert again, out
    if symptom:
        assert re.search(rf"# seed {again[1]}: .*({symptom})", out), out
    status, once = tell("--plant", plant, story, seed=again[1])
    assert status == 1, once
    said = [line for line in out.splitlines() if line.startswith("# seed")]
    assert all(line in once for line in said), (out, once)


@tap.test
def an_end_told_twice_is_found() -> None:
    # However the agent takes it: it was promised one.
    check_found("gone-twice", "concurrent", "")


@tap.test
def an_end_never_told_is_found() -> None:
    check_found("gone-never", "concurrent", "does not|stuck|rest")


@tap.test
def one_place_too_many_is_found() -> None:
    check_found("few-places", "line", "places are")


@tap.test
def a_lost_answer_is_found() -> None:
    check_found("mute", "concurrent", "stuck|without an answer")


@tap.test
def an_answer_too_many_is_found() -> None:
    check_found("echo", "concurrent", "once too often")


@tap.test
def a_look_into_the_past_is_found() -> None:
    check_found("stale", "line", "later before|had ended|no result")


@tap.test
def nothing_is_found_where_nothing_is() -> None:
    for story in ("concurrent", "line"):
        status, out = tell("--seeds", str(SEEDS), story)
        assert status == 0, out


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The simulator finds the bugs planted for it, and a seed is enough to see
one again; without a plant it finds nothing. What is planted for ThreadSanitizer
is found where the programs are built for it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from harness import tap
from harness.programs import built

STORIES = Path(built("tests/sim"))
SEEDS = 1000
FAILED = 3  # OS_SIM_FAILED
# The second argument: what the programs are built with.
SANITIZER = sys.argv[2] if len(sys.argv) > 2 else "none"
RACED = 66  # as ThreadSanitizer exits
# What each plant may lead to: a message that is lost leaks, or is missed by
# the one it was for, or somebody waits for it for ever.
PLANTS = {"lost-wakeup": "stuck|leaked|line", "lost-park": "stuck",
          "after-close": "stuck|leaked|line", "no-release": "race",
          "no-fence": "stuck"}
# ./test --all looks longer.
CLEAN_SEEDS = 200000 if "KUROMAJUTSU_LONG" in os.environ else SEEDS


def story(plant: str, *args: str) -> tuple[int, str]:
    done = subprocess.run([STORIES / f"story-{plant}", *args],
                          stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout


def check_found(plant: str) -> None:
    status, out = story(plant, "--seeds", str(SEEDS))
    assert status == FAILED, f"not found in {SEEDS} seeds: {out}"
    said = re.fullmatch(r"# seed (\d+): (.*)\n", out)
    assert said and re.search(PLANTS[plant], said[2]), out
    again = story(plant, "--seed", said[1])
    assert again == (status, out), again


@tap.test
def lost_wakeup_is_found() -> None:
    check_found("lost-wakeup")


@tap.test
def lost_park_is_found() -> None:
    check_found("lost-park")


@tap.test
def after_close_is_found() -> None:
    check_found("after-close")


def check_raced(plant: str) -> None:
    done = subprocess.run([STORIES / f"story-{plant}", "--seeds", "50"],
                          env=os.environ | {"TSAN_OPTIONS": "halt_on_error=1"},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, check=False)
    assert done.returncode == RACED, (done.returncode, done.stdout)
    assert "ThreadSanitizer: data race" in done.stderr, done.stderr


@tap.test
def no_release_is_found() -> None:
    if SANITIZER == "thread":
        check_raced("no-release")
    elif SANITIZER == "none":
        check_found("no-release")
    else:
        raise tap.Skip("plain stores are not watched under this sanitizer")


@tap.test
def no_fence_is_found() -> None:
    if SANITIZER == "thread":
        raise tap.Skip("all stores are seen at once under ThreadSanitizer")
    check_found("no-fence")


@tap.test
def no_acquire_is_found() -> None:
    if SANITIZER != "thread":
        raise tap.Skip("loads are never late here: ThreadSanitizer finds it")
    check_raced("no-acquire")


@tap.test
def nothing_is_found_where_nothing_is() -> None:
    status, out = story("none", "--seeds", str(CLEAN_SEEDS))
    assert status == 0, out
    whole = re.search(r"(\d+) of them after the whole story", out)
    assert whole and int(whole[1]) > CLEAN_SEEDS // 2, out


@tap.test
def a_seed_is_one_run() -> None:
    assert story("none", "--seed", "42") == story("none", "--seed", "42")


if __name__ == "__main__":
    tap.run()

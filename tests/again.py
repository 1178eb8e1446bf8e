#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs what failed once more, by itself:  again.py BUILD [meson options...]

Reads BUILD/meson-logs/testlog.json and leaves testlog-again.json beside it,
one line for each program that was run again: only its failed cases, where the
program can tell them apart (TAP_ONLY), else all of it. count.py judges. A
tree in which many programs fail is broken, not unsteady, and is not run
again."""

import json
import os
import subprocess
import sys

from count import failed_cases, is_bad

MOST = 8  # programs


def again(build: str, options: list[str], test: dict, number: int) -> dict | None:
    """The log of its second run; None when meson did not get that far."""
    base = f"testlog-again-{number}"
    path = os.path.join(build, "meson-logs", base + ".json")
    failed = failed_cases(test)
    env = {**os.environ, "TAP_ONLY": "\n".join(failed)}
    if os.path.exists(path):
        os.remove(path)
    print(f"\n== once more, by itself: {test['name']}"
          + "".join(f"\n   {name}" for name in failed), flush=True)
    subprocess.run(
        ["meson", "test", "-C", build, "--no-rebuild", "--print-errorlogs",
         "--num-processes", "1", "--logbase", base, *options,
         test["name"].split(" / ")[-1]], env=env, check=False)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as log:
        runs = [json.loads(line) for line in log]
    os.remove(path)
    return next((run for run in runs if run["name"] == test["name"]), None)


def main() -> int:
    build, options = sys.argv[1], sys.argv[2:]
    logs = os.path.join(build, "meson-logs")
    with open(os.path.join(logs, "testlog.json"), encoding="utf-8") as log:
        bad = [test for line in log if is_bad(test := json.loads(line))]
    if len(bad) > MOST:
        print(f"\n{len(bad)} programs failed: too many to be chance")
        bad = []
    runs = [again(build, options, test, i) for i, test in enumerate(bad)]
    with open(os.path.join(logs, "testlog-again.json"), "w",
              encoding="utf-8") as log:
        for run in filter(None, runs):
            log.write(json.dumps(run) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

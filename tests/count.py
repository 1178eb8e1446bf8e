#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts test cases in meson's testlog.json files (one JSON object a line)
and in .tap files.

Prints `N passed, N failed, N skipped` and exits with 1 when one failed. A
program that died, timed out or was ended by a sanitizer counts as a failure
also when every line it printed was good. What failed is told once more right
above the count: of a long run often only the end is kept."""

import json
import re
import sys


def cases(stdout: str) -> tuple[int, int, int]:
    good = re.findall(r"^ok \d+(.*)$", stdout, re.M)
    skipped = sum("# SKIP" in line for line in good)
    bad = len(re.findall(r"^not ok \d+", stdout, re.M))
    return len(good) - skipped, bad, skipped


def count(test: dict) -> tuple[int, int, int]:
    passed, failed, skipped = cases(test.get("stdout") or "")
    well = test["result"] in ("OK", "SKIP", "EXPECTEDFAIL")
    if passed + failed + skipped == 0:
        return (1, 0, 0) if test["result"] == "OK" else (0, int(not well), int(well))
    if not well and failed == 0:
        failed = 1
    return passed, failed, skipped


TOLD = 40  # lines of a failed program's output


def complaint(name: str, test: dict) -> str:
    """What a failed program said: its bad cases, then its last words."""
    said = (test.get("stdout") or "").splitlines()
    bad = [line for line in said
           if line.startswith("not ok") or line.startswith("#")]
    last = (test.get("stderr") or "").splitlines()
    told = bad[-TOLD:] + last[-TOLD:]
    return "\n".join([f"FAILED {test['name']} ({test['result']}, {name})"]
                     + ["  " + line for line in told or said[-TOLD:]])


def read(name: str) -> list[tuple[int, int, int]]:
    """The counts of one log; what failed in it is printed."""
    with open(name, encoding="utf-8") as log:
        tests = ([{"name": name, "result": "OK", "stdout": log.read()}]
                 if name.endswith(".tap") else [json.loads(line) for line in log])
    counts = [count(test) for test in tests]
    for test, (_, failed, _) in zip(tests, counts):
        if failed:
            print(complaint(name, test) + "\n")
    return counts


def main() -> int:
    total = [0, 0, 0]
    for name in sys.argv[1:]:
        for each in read(name):
            for i, n in enumerate(each):
                total[i] += n
    if sum(total) == 0:
        total[1] = 1
        print("no test was run")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return int(total[1] != 0)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts test cases in meson's testlog.json files (one JSON object a line)
and in .tap files.

Prints `N passed, N failed, N skipped` and exits with 1 when one failed. A
program that died, timed out or was ended by a sanitizer counts as a failure
also when every line it printed was good."""

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


def main() -> int:
    total = [0, 0, 0]
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as log:
            counts = ([cases(log.read())] if name.endswith(".tap")
                      else [count(json.loads(line)) for line in log])
        for each in counts:
            for i, n in enumerate(each):
                total[i] += n
    if sum(total) == 0:
        total[1] = 1
        print("no test was run")
    print(f"{total[0]} passed, {total[1]} failed, {total[2]} skipped")
    return int(total[1] != 0)


if __name__ == "__main__":
    sys.exit(main())

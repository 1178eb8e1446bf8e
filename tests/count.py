#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts test cases in meson's testlog.json files (one JSON object a line)
and in .tap files.

Prints `N passed, N failed, N skipped` and exits with 1 when one failed. A
program that died, timed out or was ended by a sanitizer counts as a failure
also when every line it printed was good. What failed is told once more right
above the count: of a long run often only the end is kept.

Where again.py left the second runs beside a log, a case that failed and then
passed counts as passed, and is told as unsteady: a bug to find."""

import json
import os
import re
import sys

CASE = re.compile(r"^(ok|not ok) \d+(?: - )?(.*)$", re.M)
TOLD = 40  # lines of a failed program's output


def case_names(test: dict) -> list[tuple[str, str]]:
    """(name, "ok", "not ok" or "skip") of each case that was told."""
    found = []
    for verdict, name in CASE.findall(test.get("stdout") or ""):
        name, directive, _ = (name.partition("# TODO") if "# TODO" in name
                              else name.partition("# SKIP"))
        if directive == "# SKIP" and verdict == "ok":
            verdict = "skip"
        elif directive == "# TODO":  # a known fault, until it is mended
            verdict = "skip" if verdict == "not ok" else "not ok"
        found.append((name.strip(), verdict))
    return found


def is_well(test: dict) -> bool:
    return test["result"] in ("OK", "SKIP", "EXPECTEDFAIL")


def is_bad(test: dict) -> bool:
    return not is_well(test) or any(v == "not ok" for _, v in case_names(test))


def count(test: dict) -> tuple[int, int, int]:
    verdicts = [verdict for _, verdict in case_names(test)]
    well = is_well(test)
    if not verdicts:
        return (1, 0, 0) if test["result"] == "OK" else (0, int(not well), int(well))
    failed = verdicts.count("not ok")
    if not well and failed == 0:
        failed = 1
    return verdicts.count("ok"), failed, verdicts.count("skip")


def failed_cases(test: dict) -> list[str]:
    """Those that failed; none of a program that did not get to its end, for
    nothing is known of the cases it did not tell."""
    if test["result"] != "FAIL":
        return []
    return [name for name, verdict in case_names(test) if verdict == "not ok"]


def has_recovered(test: dict, later: dict | None) -> bool:
    """Whether all that failed in the first run passed in the second."""
    if later is None or is_bad(later):
        return False
    passed = {name for name, verdict in case_names(later) if verdict == "ok"}
    return passed.issuperset(failed_cases(test))


def count_recovered(test: dict, later: dict) -> tuple[int, int, int]:
    verdicts = dict(case_names(test))
    verdicts.update(case_names(later))
    if not verdicts:
        return 1, 0, 0
    told = list(verdicts.values())
    return told.count("ok"), 0, told.count("skip")


def complaint(word: str, name: str, test: dict) -> str:
    """What a failed program said: its bad cases, then its last words."""
    said = (test.get("stdout") or "").splitlines()
    bad = [line for line in said
           if line.startswith("not ok") or line.startswith("#")]
    last = (test.get("stderr") or "").splitlines()
    told = bad[-TOLD:] + last[-TOLD:]
    return "\n".join([f"{word} {test['name']} ({test['result']}, {name})"]
                     + ["  " + line for line in told or said[-TOLD:]])


def second_runs(name: str) -> dict[str, dict]:
    path = name.removesuffix(".json") + "-again.json"
    if not name.endswith(".json") or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as log:
        return {run["name"]: run for run in map(json.loads, log)}


def read(name: str) -> list[tuple[int, int, int]]:
    """The counts of one log; what failed in it is printed."""
    with open(name, encoding="utf-8") as log:
        tests = ([{"name": name, "result": "OK", "stdout": log.read()}]
                 if name.endswith(".tap") else [json.loads(line) for line in log])
    later = second_runs(name)
    counts = []
    for test in tests:
        if not is_bad(test):
            counts.append(count(test))
        elif has_recovered(test, second := later.get(test["name"])):
            print(complaint("UNSTEADY", name, test) + "\n")
            counts.append(count_recovered(test, second))
        else:
            print(complaint("FAILED", name, test) + "\n")
            counts.append(count(test))
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

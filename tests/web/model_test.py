#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dashboard's unit tests (vitest, web/src/**/*.test.ts), a line each."""

import json
import pathlib
import subprocess
import sys

WEB = pathlib.Path(__file__).resolve().parents[2] / "web"
sys.path.insert(0, str(WEB))
from node import NotThere, environment  # noqa: E402


def results():
    """What vitest found: name and message (None: it passed)."""
    run = subprocess.run(
        [WEB / "node_modules/.bin/vitest", "run", "--reporter=json"], cwd=WEB,
        env=environment(), capture_output=True, text=True, check=False)
    begin = run.stdout.find("{")
    assert begin >= 0, run.stdout + run.stderr
    said, _ = json.JSONDecoder().raw_decode(run.stdout[begin:])
    for file in said["testResults"]:
        if not file["assertionResults"]:
            yield file["name"], file.get("message") or "no test in it"
        for case in file["assertionResults"]:
            name = f"{pathlib.Path(file['name']).stem}: {case['fullName']}"
            yield name, (None if case["status"] == "passed" else
                         "\n".join(case["failureMessages"]) or case["status"])


def main():
    try:
        cases = list(results())
    except NotThere as e:
        cases = [("the dashboard's packages are there", str(e))]
    print(f"1..{len(cases)}")
    for i, (name, message) in enumerate(cases, 1):
        print(f"{'ok' if message is None else 'not ok'} {i} - "
              f"{name.strip().replace('#', '')}")
        for line in (message or "").splitlines():
            print(f"# {line}")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""example_test.py PROGRAM: README's example does what its reader expects."""

import subprocess
import sys

from harness.programs import built


def main() -> int:
    run = subprocess.run(built("tests/example"), capture_output=True, text=True,
                         check=False)
    lines = sorted(run.stdout.splitlines())
    wanted = sorted([
        *(f"a worker says {n}" for n in (1, 3, 10, 15)),
        "a worker failed with -33", "0 leaks",
    ])
    good = run.returncode == 0 and lines == wanted
    if not good:
        print(f"# exit {run.returncode}, printed {lines}, wanted {wanted}")
    print(f"{'ok' if good else 'not ok'} 1 - README's example\n1..1")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""README's example does what its reader expects."""

import subprocess

from harness import tap
from harness.programs import built
from harness.until import equal


@tap.test
def readmes_example():
    run = subprocess.run(built("tests/example"), capture_output=True,
                         text=True, check=False)
    equal(run.returncode, 0)
    equal(sorted(run.stdout.splitlines()), sorted([
        *(f"a worker says {n}" for n in (1, 3, 10, 15)),
        "a worker failed with -33", "0 leaks"]))


if __name__ == "__main__":
    tap.run()

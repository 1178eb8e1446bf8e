#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compiled.py BUILD SUITE: the tests of a suite that are programs of the build,
and no scripts."""

import json
import subprocess
import sys
from pathlib import Path

build, suite = Path(sys.argv[1]).resolve(), sys.argv[2]
said = subprocess.run(["meson", "introspect", "--tests", build],
                      capture_output=True, text=True, check=True).stdout
for test in json.loads(said):
    suites = {name.split(":")[-1] for name in test["suite"]}
    if suite in suites and Path(test["cmd"][0]).is_relative_to(build):
        print(test["name"])

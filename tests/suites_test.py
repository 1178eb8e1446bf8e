#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ./test can choose is what meson has, and every test is known to both."""

import json
import re
import subprocess
from pathlib import Path

from harness import tap
from harness.programs import BUILD
from harness.until import equal

ROOT = Path(__file__).resolve().parents[1]
# Parts of ./test that are no suites: they build anew.
BUILDS = {"asan", "tsan", "fuzz", "arm64"}


def tests():
    """name -> its suites."""
    said = subprocess.run(["meson", "introspect", "--tests", BUILD],
                          capture_output=True, text=True, check=True).stdout
    return {test["name"]: {s.split(":")[-1] for s in test["suite"]}
            for test in json.loads(said)}


def suites():
    return set().union(*tests().values())


def script(*words):
    return subprocess.run([ROOT / "test", *words], capture_output=True,
                          text=True, check=False)


@tap.test
def a_part_that_there_is_not_names_those_that_there_are():
    run = script("--only", "nonsense")
    equal((run.returncode, run.stdout), (2, ""))
    listed = re.search(r"\(there are: (.*)\)", run.stderr)[1].split()
    equal(set(listed), suites() | BUILDS)
    equal(len(listed), len(set(listed)))


@tap.test
def help_names_them_too():
    run = script("--help")
    equal(run.returncode, 0)
    listed = run.stdout.partition("one part:")[2].partition("\n./test")[0]
    equal(set(listed.split()), suites() | BUILDS)


@tap.test
def what_sanitizers_look_at_is_there():
    chosen = re.findall(r"--(?:no-)?suite (\w+)", (ROOT / "test").read_text())
    assert {"unit", "sim", "abuse", "web", "faults"} <= set(chosen), chosen
    equal(set(chosen) - suites(), set())


@tap.test
def a_test_is_called_by_its_path():
    """So none is forgotten in a meson.build."""
    files = [path for path in (ROOT / "tests").rglob("*_test.*")
             if path.suffix in (".c", ".py", ".mjs")]
    wanted = {str(path.relative_to(ROOT / "tests").with_suffix(""))
              .removesuffix("_test") for path in files}
    # A fuzzer is called by its corpus.
    wanted |= {f"fuzz/{path.name}"
               for path in (ROOT / "tests/fuzz/corpus").iterdir()}
    # The stories are one program, told in parts.
    known = {name for name in tests() if not name.startswith("stories ")}
    equal(sorted(wanted ^ known), [])


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Inclusion points one way: a folder includes only what lies below it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import tap  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
UPPER = {"tests", "bench"}
# What each folder may include, besides itself; those not named: anything but
# tests and bench.
MAY = {"runtime": set(), "config": {"runtime"},
       "actors": {"runtime", "config"},
       "transport": {"runtime", "config", "actors"}}
FOLDERS = set(MAY) | {"web"} | UPPER
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


def included(source: Path) -> set[str]:
    """The folders of this tree that a source includes from."""
    found = set()
    for name in INCLUDE.findall(source.read_text()):
        beside = (source.parent / name).resolve()
        path = beside if beside.is_file() else (ROOT / name).resolve()
        if path.is_file() and path.is_relative_to(ROOT):
            found.add(path.relative_to(ROOT).parts[0])
    return found & FOLDERS


def sources(folder: Path) -> list[Path]:
    return [p for end in ("*.c", "*.h") for p in folder.rglob(end)]


@tap.test
def folders_include_what_is_below() -> None:
    wrong = []
    for folder in sorted(FOLDERS - UPPER):
        allowed = MAY.get(folder, FOLDERS - UPPER) | {folder}
        wrong += [f"{p.relative_to(ROOT)} includes {', '.join(upward)}"
                  for p in sources(ROOT / folder)
                  if (upward := sorted(included(p) - allowed))]
    assert not wrong, "\n".join(wrong)


@tap.test
def programs_include_no_tests() -> None:
    wrong = [p.name for p in ROOT.glob("*.[ch]") if included(p) & UPPER]
    assert not wrong, wrong


@tap.test
def includes_name_what_exists() -> None:
    """Else a wrong path would pass the other tests unseen."""
    runtime = sources(ROOT / "runtime")
    assert runtime
    for source in runtime:
        for name in INCLUDE.findall(source.read_text()):
            assert (ROOT / name).is_file(), f"{source.name}: {name}"


@tap.test
def ck_is_included_through_one_header() -> None:
    for source in sources(ROOT / "runtime"):
        if not source.name.startswith("atomic"):
            assert "<ck_" not in source.read_text(), source.name


if __name__ == "__main__":
    tap.run()

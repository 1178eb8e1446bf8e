#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""config/build.sh says what it does while it does it."""

import os
import pathlib
import pty
import subprocess
import tempfile

from harness import tap
from harness.until import equal

ROOT = pathlib.Path(__file__).resolve().parents[2]
STEPS = 40


class Project:
    """Something for ninja to do: STEPS files, each made by a command."""

    def __init__(self, command="touch $out"):
        self.top = tempfile.TemporaryDirectory(prefix="kuromajutsu-build-")
        self.dir = pathlib.Path(self.top.name)
        lines = [f"rule make\n  command = {command}\n"]
        lines += [f"build out{i}: make\n" for i in range(STEPS)]
        (self.dir / "build.ninja").write_text("".join(lines))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.top.cleanup()

    def build(self, **more):
        return subprocess.run([ROOT / "config/build.sh", self.dir],
                              stdin=subprocess.DEVNULL, check=False,
                              **{"capture_output": True, "text": True, **more})


@tap.test
def to_a_pipe_a_line_at_every_tenth():
    with Project() as p:
        run = p.build()
        equal((run.returncode, run.stdout), (0, ""))
        lines = run.stderr.splitlines()
        assert lines[0].startswith(f"build: {STEPS} steps"), lines
        assert "minutes" in lines[0], lines
        equal(lines[1:-1], [f"build: {n}0%" for n in range(1, 11)])
        assert lines[-1].startswith("build: done in "), lines


@tap.test
def nothing_to_do_is_nothing_to_say():
    with Project() as p:
        p.build()
        run = p.build()
        equal((run.returncode, run.stdout, run.stderr), (0, "", ""))


@tap.test
def a_failure_is_told_with_what_the_tool_said():
    with Project("echo oh no >&2; false") as p:
        run = p.build()
        equal((run.returncode, run.stdout), (1, ""))
        assert "oh no" in run.stderr and "FAILED" in run.stderr, run.stderr
        assert "done" not in run.stderr, run.stderr


@tap.test
def on_a_terminal_it_counts_in_place():
    with Project() as p:
        ours, theirs = pty.openpty()
        run = p.build(capture_output=False, text=False, stdout=theirs,
                      stderr=theirs, env={**os.environ, "TERM": "xterm"})
        os.close(theirs)
        said = b""
        try:
            while chunk := os.read(ours, 65536):
                said += chunk
        except OSError:
            pass
        os.close(ours)
        equal(run.returncode, 0)
        assert b"\r[%d/%d] " % (STEPS, STEPS) in said, said
        assert said.count(b"\n") < STEPS, said


if __name__ == "__main__":
    tap.run()

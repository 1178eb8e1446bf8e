#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A bench that is ended leaves nothing behind: neither its hub, which is made
to outlive whoever started it, nor files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from harness import tap
from harness.processes import kill, marked, runs
from harness.programs import BUILD
from harness.until import DEADLINE, until

RUN = Path(__file__).resolve().parents[2] / "bench/run.py"


def leaves_nothing(how: signal.Signals) -> None:
    mark = f"BENCH_MARK={uuid.uuid4().hex}"
    name, _, value = mark.partition("=")
    with tempfile.TemporaryDirectory(prefix="kuromajutsu-") as top:
        runner = subprocess.Popen(
            [sys.executable, "-B", RUN, "--build", BUILD, "store", "--only",
             "pairs_8"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, name: value, "TMPDIR": top})
        try:
            until(lambda: any(runs(pid, "kuromajutsu-hub")
                              for pid in marked(mark)), "a hub of the bench")
            runner.send_signal(how)
            runner.wait(DEADLINE)
            until(lambda: not marked(mark), "nobody left")
            until(lambda: not os.listdir(top), "nothing left")
        finally:
            runner.kill()
            runner.wait()
            while left := marked(mark):
                kill(left)


@tap.test
def by_the_keyboard() -> None:
    leaves_nothing(signal.SIGINT)


@tap.test
def by_request() -> None:
    leaves_nothing(signal.SIGTERM)


@tap.test
def by_a_closed_terminal() -> None:
    leaves_nothing(signal.SIGHUP)


@tap.test
def by_force() -> None:
    leaves_nothing(signal.SIGKILL)


if __name__ == "__main__":
    tap.run()

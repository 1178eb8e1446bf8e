# SPDX-License-Identifier: MIT
"""What a warden does with the cgroup it is told to make. Ordinary files stand
for the kernel's: they show what is written where, not that it is obeyed."""

import os
import pathlib
import subprocess

from harness import tap
from harness.programs import acts
from harness.until import DEADLINE, equal
from harness.warden import WardenHome

MAX = 64 << 20
FILES = ("memory.max", "memory.swap.max", "memory.oom.group", "cgroup.procs")


class Limited(WardenHome):
    """With what the kernel would put into a new cgroup."""

    def __init__(self, *without, kills=0):
        super().__init__()
        self.cgroup = pathlib.Path(self.folder("agent-coder-1"))
        for name in FILES:
            if name not in without:
                (self.cgroup / name).write_text("")
        (self.cgroup / "memory.events").write_text(
            f"low 0\nhigh 0\nmax 9\noom 4\noom_kill {kills}\n"
            "oom_group_kill 1\n")

    def limited(self, program, **more):
        return self.run(program, cgroup=self.cgroup, memory_max=MAX, **more)

    def written(self):
        return {name: (self.cgroup / name).read_text() for name in FILES
                if (self.cgroup / name).exists()}


@tap.test
def the_limit_is_set_and_the_cli_enters():
    with Limited() as y:
        equal(y.limited(acts("exit", 0))["reason"], "exit")
        equal(y.written(), {"memory.max": str(MAX), "memory.swap.max": "0",
                            "memory.oom.group": "1", "cgroup.procs": "0"})


@tap.test
def it_is_made_and_removed():
    """Of files of its own a directory here has none, so it fails; and what was
    made goes."""
    with WardenHome() as y:
        path = os.path.join(y.top, "agent-coder-1")
        record = y.run(acts("exit", 0), cgroup=path, memory_max=MAX)
        equal((record["error"], record["stage"]), ("ENOENT", "cgroup"))
        equal(os.path.exists(path), False)


@tap.test
def where_nothing_swaps_there_is_no_file_for_it():
    with Limited("memory.swap.max") as y:
        equal(y.limited(acts("exit", 3))["code"], 3)


@tap.test
def one_that_cannot_be_limited_does_not_run():
    for name in ("memory.max", "memory.oom.group", "cgroup.procs"):
        with Limited(name) as y:
            record = y.limited(acts("print", "up"))
            equal((record["error"], record["stage"]), ("ENOENT", "cgroup"))
            equal(y.stdout(), [])


@tap.test
def one_that_the_kernel_kills_for_it_says_so():
    with Limited(kills=2) as y:
        record = y.limited(acts("signal", 9))
        equal((record["reason"], record["signal"]), ("memory limit", 9))


@tap.test
def other_ends_are_not_taken_for_it():
    with Limited(kills=0) as y:
        equal(y.limited(acts("signal", 9))["reason"], "exit")
    with Limited(kills=2) as y:
        equal(y.limited(acts("signal", 15))["reason"], "exit")
    with Limited(kills=2) as y:
        equal(y.limited(acts("exit", 1))["reason"], "exit")
    with Limited(kills=2) as y:
        y.start(acts("pause"), cgroup=y.cgroup, memory_max=MAX)
        link = y.accept()
        link.expect(hello="warden")
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")


@tap.test
def a_limit_needs_its_cgroup():
    for more in ({"memory_max": MAX}, {"cgroup": "/nowhere"}):
        with WardenHome() as y:
            w = y.start(acts("pause"), popen={"stderr": subprocess.DEVNULL},
                        **more)
            equal(w.wait(DEADLINE), 64)


if __name__ == "__main__":
    tap.run()

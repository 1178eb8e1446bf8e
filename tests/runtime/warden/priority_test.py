# SPDX-License-Identifier: MIT
"""What an agent's tree may take of the machine: less than its warden."""

import contextlib
import ctypes
import os
import subprocess

from harness import tap
from harness.programs import acts
from harness.until import DEADLINE, equal, until
from harness.warden import WardenHome

CAP_SYS_ADMIN, PR_CAPBSET_DROP = 21, 24


def niceness(pid):
    return os.getpriority(os.PRIO_PROCESS, pid)


def share(pid):
    """The niceness of its session among others."""
    with open(f"/proc/{pid}/autogroup", encoding="ascii") as f:
        return int(f.read().split()[-1])


def need_sessions():
    try:
        with open("/proc/sys/kernel/sched_autogroup_enabled",
                  encoding="ascii") as f:
            if f.read().strip() == "1":
                return
    except FileNotFoundError:
        pass
    raise tap.Skip("this kernel does not share the machine among sessions")


def running(y, **options):
    """A warden and its CLI, which has left a daemon in a session of its own."""
    w = y.start(acts("daemon", "print", "up", "pause"), **options)
    link = y.accept()
    cli = link.expect(hello="warden", state="running")["cli"]
    y.until_printed("up")
    daemon, = (pid for pid in y.survivors() if pid not in (w.pid, cli))
    return w, link, cli, daemon


def end(y, link):
    link.say("end 0")
    y.ended(link)


@tap.test
def cli_is_nicer_than_its_warden():
    with WardenHome() as y:
        w, link, cli, daemon = running(y, nice=7)
        ours = niceness(0)
        equal([niceness(pid) for pid in (w.pid, cli, daemon)],
              [ours, min(ours + 7, 19), min(ours + 7, 19)])
        end(y, link)


@tap.test
def without_a_word_it_is_not():
    with WardenHome() as y:
        w, link, cli, daemon = running(y)
        equal([niceness(pid) for pid in (w.pid, cli, daemon)],
              [niceness(0)] * 3)
        end(y, link)


@tap.test
def nobody_is_nicer_than_can_be():
    with WardenHome() as y:
        _, link, cli, _ = running(y, nice=19,
                                  popen={"preexec_fn": lambda: os.nice(10)})
        equal(niceness(cli), 19)
        end(y, link)


@tap.test
def every_session_of_the_tree_has_a_smaller_share():
    need_sessions()
    with WardenHome() as y:
        w, link, cli, daemon = running(y, nice=7)
        for pid in (cli, daemon):
            until(lambda: share(pid) == 7, f"a smaller share of {pid}")
        equal(share(w.pid), 0)
        end(y, link)


@tap.test
def those_that_the_kernel_puts_off_try_again():
    """To all users but root it allows a change every 100 ms."""
    need_sessions()

    def be_nobody_special():
        if os.geteuid() == 0:
            libc = ctypes.CDLL(None)
            assert libc.prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN, 0, 0, 0) == 0

    with contextlib.ExitStack() as stack:
        homes = [stack.enter_context(WardenHome()) for _ in range(6)]
        for y in homes:
            y.start(acts("pause"), nice=3,
                    popen={"preexec_fn": be_nobody_special})
        for y in homes:
            cli = y.accept().expect(hello="warden", state="running")["cli"]
            until(lambda: share(cli) == 3, "a smaller share")
        for y in homes:
            end(y, y.links[0])


@tap.test
def more_than_there_is_is_refused():
    with WardenHome() as y:
        w = y.start(acts("pause"), nice=20,
                    popen={"stderr": subprocess.DEVNULL})
        equal(w.wait(DEADLINE), 64)


if __name__ == "__main__":
    tap.run()

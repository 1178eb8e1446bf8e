# SPDX-License-Identifier: MIT
"""Processes and wardens that do not end when they should."""

import fcntl
import os
import signal
import time

from harness import tap
from harness.agents import RESULT, AgentHome, puppet
from harness.processes import status
from harness.programs import acts
from harness.unkillable import Unkillable
from harness.until import equal, until

SOON = 300  # ms until a tree is given up


def running(h, hub, id, **more):
    hub.run(id, acts("print", "up", "pause"), **{"grace": 0, **more})
    h.until_printed(id, "up")
    return hub.state(id, "running")["pid"]


def is_well(hub, id):
    equal(hub.finish(id, puppet("reply"))["state"], "completed")


@tap.test
def what_a_warden_cannot_kill_is_said_and_left():
    with AgentHome(give_up=SOON) as h:
        hub = h.hub()
        with Unkillable(running(h, hub, "a")):
            hub.order("cancel", "a")
            v = hub.gone("a")
            # Its result was read before this was known.
            equal((v["state"], v["result"]["error"]),
                  ("cancelled", "cancelled"))
            equal(hub.event("left", "a")["count"], 1)
            is_well(hub, "b")


@tap.test
def what_a_dead_warden_has_left_too():
    with AgentHome(give_up=SOON) as h:
        hub = h.hub()
        with Unkillable(running(h, hub, "a")):
            os.kill(h.warden("a"), signal.SIGKILL)
            v = hub.gone("a")
            equal((v["state"], v["result"]["error"]),
                  ("failed", "interrupted; 1 process could not be killed"))
            equal(hub.event("left", "a")["count"], 1)
            is_well(hub, "b")


@tap.test
def one_of_many_is_counted_alone():
    with AgentHome(give_up=SOON) as h:
        hub = h.hub()
        hub.run("a", acts("child", "child", "daemon", "print", "up", "pause"),
                grace=0)
        h.until_printed("a", "up")
        with Unkillable(hub.state("a", "running")["pid"]):
            hub.order("cancel", "a")
            equal(hub.event("left", "a")["count"], 1)
            hub.gone("a")
            equal(len(h.tree("a")), 1)


@tap.test
def one_that_dies_late_is_no_left_one():
    with AgentHome() as h:
        hub = h.hub()
        with Unkillable(running(h, hub, "a")):
            hub.order("cancel", "a")
            hub.state("a", "cancelled")
        equal(hub.gone("a")["result"]["error"], "cancelled")
        with Unkillable(running(h, hub, "b")):
            os.kill(h.warden("b"), signal.SIGKILL)
            until(lambda: not h.of("b")[0], "a dead warden")
        equal(hub.gone("b")["result"]["error"], "interrupted")
        assert not [e for e in hub.events if e["event"] == "left"]


def waits(hub):
    """How often each thread of it has waited for something."""
    folder = f"/proc/{hub.proc.pid}/task"
    return {thread: int(status(f"{hub.proc.pid}/task/{thread}",
                               "voluntary_ctxt_switches"))
            for thread in os.listdir(folder)}


@tap.test
def it_is_looked_for_ever_less():
    """Every 20 ms its thread would wake up 150 times in three seconds."""
    with AgentHome() as h:
        hub = h.hub()
        with Unkillable(running(h, hub, "a")):
            os.kill(h.warden("a"), signal.SIGKILL)
            until(lambda: not h.of("a")[0], "a dead warden")
            time.sleep(3)  # what is measured, not waited for
            before = waits(hub)
            time.sleep(3)
            seen = {thread: count - before.get(thread, 0)
                    for thread, count in waits(hub).items()}
            assert max(seen.values()) < 75, seen
        hub.gone("a")


@tap.test
def a_stopped_warden_is_ended_with_its_tree():
    with AgentHome(give_up=SOON) as h:
        hub = h.hub()
        running(h, hub, "a")
        os.kill(h.warden("a"), signal.SIGSTOP)
        hub.order("cancel", "a")
        equal(hub.gone("a")["state"], "cancelled")
        equal(h.of("a"), ([], []))


@tap.test
def a_lock_that_no_warden_holds_can_be_cancelled():
    with AgentHome(give_up=SOON) as h:
        hub = h.hub()
        hub.finish("a", acts("print", RESULT))
        hub.kill()
        os.truncate(h.path("a", "warden"), 0)
        with open(h.path("a", "warden")) as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            hub = h.hub()
            hub.order("adopt", "a", argv=["/bin/true"])
            until(lambda: hub.ask("a")["bytes"] > 0, "its transcript")
            hub.order("cancel", "a")
            hub.gone("a")


if __name__ == "__main__":
    tap.run()

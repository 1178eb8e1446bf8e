# SPDX-License-Identifier: MIT
"""Whatever ends an agent, nothing of its tree outlives it."""

import os
import signal

from harness import tap
from harness.agents import RESULT, AgentHome, puppet
from harness.programs import acts
from harness.until import equal, patiently, until

# A plain child, one of another thread, and a daemon of a session of its own
# that is deaf to TERM; the main process is deaf, too.
FAMILY = acts("child", "threaded", "daemon", "ignore-term", "child", "print",
              "up", "pause")


def grown(h, hub, id, argv=FAMILY, **more):
    hub.run(id, argv, **{"grace": 100, **more})
    h.until_printed(id, "up")
    assert len(h.tree(id)) == 5, h.tree(id)


@tap.test
def a_cancel_ends_all_of_it():
    with AgentHome() as h:
        hub = h.hub()
        grown(h, hub, "a")
        hub.order("cancel", "a")
        hub.gone("a")
        equal(h.tree("a"), [])


@tap.test
def a_timeout_ends_all_of_it():
    with AgentHome() as h:
        hub = h.hub()

        def attempt(ms):
            id = f"a{ms}"
            hub.run(id, FAMILY, grace=100, timeout=ms)
            equal(hub.gone(id)["state"], "timedOut")
            equal(h.tree(id), [])
            # Else there was not yet much to be ended.
            return b"up\n" in h.read(id, "stdout.ndjson")
        patiently(attempt, 1000)


@tap.test
def the_exit_grace_ends_all_of_it():
    with AgentHome() as h:
        hub = h.hub()
        argv = FAMILY[:-1] + ["print", RESULT, "pause"]
        hub.run("a", argv, grace=100, exit_grace=300)
        equal(hub.gone("a")["state"], "completed")
        equal(h.tree("a"), [])


@tap.test
def an_exit_ends_what_is_left():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("daemon", ignore_term="true"), grace=100)
        equal(v["state"], "completed")
        equal(h.tree("a"), [])
        v = hub.finish("b", acts("print", RESULT, "daemon", "child"),
                       grace=100)
        equal(v["state"], "completed")
        equal(h.tree("b"), [])


@tap.test
def the_lease_ends_all_of_it():
    with AgentHome() as h:
        hub = h.hub()
        grown(h, hub, "a")
        h.orphan(hub, "a", lease=500)
        until(lambda: h.of("a") == ([], []), "an empty tree")


@tap.test
def a_killed_warden_leaves_nothing():
    with AgentHome() as h:
        hub = h.hub()
        grown(h, hub, "a")
        os.kill(h.warden("a"), signal.SIGKILL)
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("failed", "interrupted"))
        equal(h.of("a"), ([], []))


@tap.test
def a_killed_warden_of_an_adopted_one_leaves_nothing():
    with AgentHome() as h:
        hub = h.hub()
        grown(h, hub, "a")
        hub.kill()
        hub = h.hub()
        hub.order("adopt", "a", argv=FAMILY)
        hub.state("a", "running")
        os.kill(h.warden("a"), signal.SIGKILL)
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("failed", "interrupted"))
        equal(h.of("a"), ([], []))


@tap.test
def a_cancel_whose_warden_is_killed_is_one():
    with AgentHome() as h:
        hub = h.hub()
        grown(h, hub, "a", grace=60000)
        hub.order("cancel", "a")
        hub.state("a", "cancelled")
        os.kill(h.warden("a"), signal.SIGKILL)
        equal(hub.gone("a")["state"], "cancelled")
        equal(h.of("a"), ([], []))


@tap.test
def many_killed_wardens_leave_nothing():
    with AgentHome() as h:
        hub = h.hub()
        ids = [f"a{i}" for i in range(20)]
        for id in ids:
            hub.run(id, acts("daemon", "child", "print", "up", "pause"))
        for id in ids:
            h.until_printed(id, "up")
        for id in ids:
            os.kill(h.warden(id), signal.SIGKILL)
        for id in ids:
            equal(hub.gone(id)["state"], "failed")
            equal(h.of(id), ([], []))


@tap.test
def one_that_keeps_forking_is_ended():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("spring", 50, "print", "up", "comet"), grace=100)
        h.until_printed("a", "up")
        hub.order("cancel", "a")
        hub.gone("a")
        equal(h.tree("a"), [])


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Zygotes are killed, stopped and broken; no agent may be lost to it, and none
started twice.

    zygote_test.py BUILD [--kills N] [--seed N]
"""

import argparse
import os
import random
import signal
import sys
import threading
import time

from harness import tap
from harness.agents import INIT, RESULT, AgentHome, puppet
from harness.processes import children, has_gone
from harness.programs import acts
from harness.until import equal, until

parser = argparse.ArgumentParser()
parser.add_argument("--kills", type=int,
                    default=100 if "KUROMAJUTSU_LONG" in os.environ else 10)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args(sys.argv[2:])
chance = random.Random(options.seed)


def one_zygote(h, hub):
    return until(lambda: h.zygotes(hub), "a zygote")[0]


def counted(h, id, *rest):
    """A CLI that notes that it was started."""
    return ["/bin/sh", "-c", 'echo x >> "$1"; echo "$2"; shift 2; "$@"', "sh",
            os.path.join(h.top, f"runs-{id}"), RESULT, *(rest or ["true"])]


def runs(h, id):
    with open(os.path.join(h.top, f"runs-{id}")) as f:
        return f.read().count("x")


def is_well(hub, id):
    equal(hub.finish(id, puppet("reply"))["state"], "completed")


class Killer(threading.Thread):
    """Kills so many zygotes of a hub, at moments of chance."""

    def __init__(self, h, hub, kills):
        super().__init__(daemon=True)
        self.h, self.hub, self.kills = h, hub, kills

    def run(self):
        while self.kills > 0:
            for pid in self.h.zygotes(self.hub):
                self.kill(pid)

    def kill(self, pid):
        try:
            fd = os.pidfd_open(pid)
            # The fault's moment: some at once, some after a while.
            time.sleep(chance.random() ** 3 * 0.05)
            signal.pidfd_send_signal(fd, signal.SIGKILL)
            os.close(fd)
            self.kills -= 1
        except ProcessLookupError:
            pass


@tap.test
def killed_at_any_moment_it_loses_and_doubles_nothing():
    print(f"# seed {options.seed}")
    with AgentHome() as h:
        hub, count = h.hub(), 0
        killer = Killer(h, hub, options.kills)
        killer.start()
        while killer.is_alive():
            ids = [f"a{count + i}" for i in range(chance.randint(1, 40))]
            count += len(ids)
            for id in ids:
                hub.run(id, counted(h, id))
            for id in ids:
                v = hub.gone(id)
                equal((id, v["state"], v["lines"], runs(h, id)),
                      (id, "completed", 1, 1))
        killer.join()
        print(f"# {count} agents, {options.kills} zygotes killed")
        is_well(hub, "next")
        until(lambda: children(hub.proc.pid) == h.zygotes(hub), "burials")


@tap.test
def killed_it_takes_no_agent_along():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        for i in range(5):
            hub.run(f"a{i}", acts("print", INIT, "await", go, "print", RESULT))
        for i in range(5):
            hub.state(f"a{i}", "running")
        first = one_zygote(h, hub)
        os.kill(first, signal.SIGKILL)
        until(lambda: has_gone(first), "its end")
        is_well(hub, "next")
        assert one_zygote(h, hub) != first
        open(go, "w").close()
        for i in range(5):
            v = hub.gone(f"a{i}")
            equal((v["state"], v["lines"]), ("completed", 2))


@tap.test
def a_stopped_one_is_replaced():
    with AgentHome() as h:
        hub = h.hub()
        is_well(hub, "first")
        os.kill(one_zygote(h, hub), signal.SIGSTOP)
        for i in range(3):
            hub.run(f"a{i}", counted(h, f"a{i}"))
        for i in range(3):
            equal(hub.gone(f"a{i}")["state"], "completed")
            equal(runs(h, f"a{i}"), 1)


@tap.test
def hub_zygote_or_both_may_be_killed():
    """What was forked is known to the next hub, whoever is dead."""
    for victims in ("hub", "zygote", "zygote hub", "hub zygote"):
        with AgentHome() as h:
            hub, go = h.hub(), os.path.join(h.top, "go")
            argv = acts("print", INIT, "await", go, "print", RESULT)
            for id in ("a", "b", "c"):
                hub.run(id, argv)
            seen = {id: hub.state(id, "running") for id in ("a", "b", "c")}
            zygote = one_zygote(h, hub)
            for victim in victims.split():
                if victim == "hub":
                    hub.kill()
                else:
                    os.kill(zygote, signal.SIGKILL)
            until(lambda: has_gone(zygote), "its end")
            if "hub" in victims:
                hub = h.hub()
                for id in seen:
                    hub.order("adopt", id, argv=argv)
            for id, was in seen.items():
                v = hub.state(id, "running")
                equal((v["pid"], v["startedAt"]),
                      (was["pid"], was["startedAt"]))
            os.kill(h.warden("c"), signal.SIGKILL)
            equal(hub.gone("c")["result"]["error"], "interrupted")
            equal(h.of("c"), ([], []))
            open(go, "w").close()
            for id in ("a", "b"):
                equal(hub.gone(id)["state"], "completed")
            is_well(hub, "next")


@tap.test
def it_ends_with_a_killed_hub():
    with AgentHome() as h:
        hub = h.hub()
        is_well(hub, "a")
        zygote = one_zygote(h, hub)
        hub.kill()
        until(lambda: has_gone(zygote), "its end")


@tap.test
def there_is_one_for_all_and_it_stays():
    with AgentHome() as h:
        hub = h.hub()
        equal(h.zygotes(hub), [])  # not before it is needed
        is_well(hub, "a")
        zygote = one_zygote(h, hub)
        for i in range(20):
            hub.run(f"b{i}", puppet("reply"))
        for i in range(20):
            hub.gone(f"b{i}")
        equal(h.zygotes(hub), [zygote])


@tap.test
def one_that_cannot_be_started_is_said():
    with AgentHome() as h:
        hub = h.hub(warden=f"{h.top}/none")
        v = hub.finish("a", puppet("reply"))
        equal(v["state"], "failed")
        assert "No such file" in v["result"]["error"], v


@tap.test
def one_that_dies_at_once_is_given_up():
    with AgentHome() as h:
        hub = h.hub(warden="/bin/false")
        for id in ("a", "b"):
            hub.run(id, puppet("reply"))
        for id in ("a", "b"):
            equal(hub.gone(id)["state"], "failed")


if __name__ == "__main__":
    tap.run()

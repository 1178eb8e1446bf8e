# SPDX-License-Identifier: MIT
"""Hubs are killed at random moments; no agent may be lost to it.

Each round starts agents of all sorts, kills the hub somewhere on the way,
lets another one adopt what is there, and counts: every line that was written
was read, every agent has its end and its result, nothing is left alive.

    kill_test.py BUILD [--rounds N] [--agents N] [--seed N]
"""

import argparse
import os
import random
import sys
import time

from harness import tap
from harness.agents import RESULT, AgentHome, lines, puppet
from harness.programs import acts
from harness.until import equal

# What it runs, and how that must end whatever happens to hubs.
KINDS = [
    (puppet("default"), "completed"),
    (puppet("trickle", lines=20, every=20), "completed"),
    (puppet("flood", lines=20000, size=80), "completed"),
    (puppet("hang-after-result"), "completed"),
    (puppet("daemon", ignore_term="true"), "completed"),
    (puppet("failure"), "failed"),
    (puppet("no-result"), "failed"),
    (puppet("long-output", messages=50), "completed"),
    (acts("print", RESULT), "completed"),
]
ENV = ["KUROMAJUTSU_PUPPET_SPEED=0.2"]

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int,
                    default=100 if "KUROMAJUTSU_LONG" in os.environ else 5)
parser.add_argument("--agents", type=int, default=50)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args(sys.argv[2:])
chance = random.Random(options.seed)
count = {"kills": 0, "agents": 0, "losses": 0}


def order(hub, do, id, argv):
    hub.order(do, id, argv=argv, env=ENV, exit_grace=300, grace=200)


def picture(h, id):
    """What is there of an agent that does not come to its end."""
    found = os.listdir(h.path(id, "")) if os.path.exists(h.path(id, "")) else []
    return f"{id}: files {sorted(found)}, wardens and others {h.of(id)}"


def check(h, hub, id, wanted):
    try:
        v = hub.gone(id)
    except AssertionError:
        print("# " + picture(h, id))
        print(f"# {repr([e for e in hub.events if e.get('id') == id]):.900}")
        raise
    path = h.path(id, "stdout.ndjson")
    wrong = [what for what, is_right in [
        ("state", v["state"] == wanted),
        ("lines", v["lines"] == lines(path)),
        ("bytes", v["bytes"] == os.path.getsize(path)),
        ("result", v["done"] and v["result"]["status"] ==
         ("success" if wanted == "completed" else "failure")),
        ("times", v["result"]["duration"] < 120000 and v["startedAt"] > 0),
    ] if not is_right]
    if wrong:
        count["losses"] += 1
        print(f"# lost of {id}: {wrong} wanted {wanted}: {repr(v):.700}")
        print("# " + picture(h, id))
        print(f"# {[e for e in hub.events if e.get('id') == id]!r:.2000}")
        with open(h.path(id, "warden"), "rb") as f:
            print(f"# {f.read(4096).rstrip(bytes(1))!r}")


def play():
    with AgentHome(lease=60000) as h:
        agents = {f"a{i}": chance.choice(KINDS)
                  for i in range(options.agents)}
        hub = h.hub()
        for id, (argv, _) in agents.items():
            order(hub, "run", id, argv)
        for _ in range(chance.randint(1, 2)):
            time.sleep(chance.random() ** 2 * 2)  # the fault's moment
            hub.kill()
            count["kills"] += 1
            hub = h.hub()
            for id, (argv, _) in agents.items():
                order(hub, "adopt", id, argv)
        for id, (_, wanted) in agents.items():
            check(h, hub, id, wanted)
            equal(h.tree(id), [])
        count["agents"] += len(agents)


@tap.test
def no_agent_is_lost_to_a_killed_hub():
    print(f"# seed {options.seed}")
    for _ in range(options.rounds):
        play()
    print("# " + ", ".join(f"{n} {what}" for what, n in count.items()))
    equal(count["losses"], 0)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients of different processes reach for the same at once, and hubs are
killed in the middle of a project: each thing is had by one, and all ends well.

    race_test.py BUILD [--rounds N] [--kills N] [--seed N]
"""

import argparse
import collections
import os
import random
import signal
import time

from harness import tap
from harness.until import equal, until
from talks import (FAST, SECRET, agent, another, events, frontend,
                   nothing_is_left, scene, served, status, task, todo)

LONG = "KUROMAJUTSU_LONG" in os.environ

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--rounds", type=int, default=1000 if LONG else 20)
parser.add_argument("--kills", type=int, default=100 if LONG else 6)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args()
chance = random.Random(options.seed)


def both(one, two, tool, args):
    """What the two are answered who call at once: each one's object."""
    asked = [(talk, talk.order(tool, given)) for talk, given in
             zip((one, two), args)]
    if chance.random() < 0.5:
        asked.reverse()
    return [talk.result(id)["structuredContent"] for talk, id in asked]


@tap.test
def of_two_who_authenticate_one_is_let_in():
    with served() as (home, talk):
        frontend(talk)
        one, two = another(home), another(home)
        me = {"agent_id": "agt_developer", "project_id": "prj_frontend",
              "passkey": SECRET}
        for _ in range(options.rounds):
            said = both(one, two, "authenticate", [me, me])
            equal(collections.Counter(s.get("error_code", "in") for s in said),
                  {"in": 1, "ALREADY_RUNNING": 1})
            token, = [s["token"] for s in said if "token" in s]
            talk.call("logout", token=token)


@tap.test
def of_two_who_accept_a_handoff_one_has_it():
    with served() as (home, talk):
        frontend(talk)
        agent(talk, "agt_third", "prj_frontend")
        one, two = another(home), another(home)
        for i in range(options.rounds):
            task(talk, f"tsk_{i}", status="todo")
            id = talk.call("create_handoff", task_id=f"tsk_{i}", summary="s",
                           from_agent_id="agt_developer")["handoff"]["id"]
            said = both(one, two, "accept_handoff", [
                {"handoff_id": id, "agent_id": who}
                for who in ("agt_reviewer", "agt_third")])
            equal(collections.Counter(s.get("error_code", "taken")
                                      for s in said),
                  {"taken": 1, "HANDOFF_ALREADY_ACCEPTED": 1})
            took, = [s["handoff"]["accepted_by"] for s in said
                     if "handoff" in s]
            equal(talk.call("get_task", task_id=f"tsk_{i}")["assignee_id"],
                  took)


# ---- over the death of hubs --------------------------------------------------

def tell(talk, number):
    """A project's worth of tasks; their ids."""
    ids = [f"tsk_{number}{letter}" for letter in "abc"]
    todo(talk, ids[0])
    todo(talk, ids[1], "puppet: worker-hands-over to=agt_reviewer",
         dependencies=[ids[0]])
    todo(talk, ids[2], assignee="agt_reviewer", dependencies=[ids[1]])
    return ids


def kill_hub(home):
    """At any moment; whether one was there to be killed."""
    time.sleep(chance.random() * 0.25)
    for pid in home.living("kuromajutsu-hub"):
        os.kill(pid, signal.SIGKILL)
        return True
    return False


@tap.test
def a_project_ends_the_same_whenever_its_hub_dies():
    print(f"# --seed {options.seed}")
    with served(runner={**FAST, "maxFailures": 1000}) as (home, talk):
        scene(home, talk)
        kills = number = 0
        ids = []
        while kills < options.kills:
            mine = tell(talk, number)
            ids += mine
            number += 1
            while not all(status(talk, id) == "done" for id in mine):
                kills += kill_hub(home) if kills < options.kills else 0
        nothing_is_left(home, talk)
        until(lambda: all(status(talk, id) == "done" for id in ids), "done")
        ends = collections.Counter(
            e["data"]["id"] for e in events(home, "pm:task")
            if e["data"].get("new_state") == "done")
        equal(ends, {id: 1 for id in ids})
        print(f"# {kills} kills, {len(ids)} tasks")


if __name__ == "__main__":
    tap.run()

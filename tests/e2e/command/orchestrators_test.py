#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The puppet's orchestrators, each against a hub: the hub answers what the
story needs, and the story is the one its name says."""

import json

from harness import tap
from harness.command import served
from harness.tools import wait_for
from harness.until import equal, until


def start(h, directive, **more):
    return h.talk.call(
        "run_magentic", description=directive, task="puppet: " + directive,
        completionCriteria="c", scope="s", **more)


def play(h, directive, **more):
    """Its group, and its result when it has finished."""
    made = start(h, directive, **more)
    wait_for(h.talk, made["orchestratorAgentId"])
    status = h.talk.call("get_agent_status",
                         agentId=made["orchestratorAgentId"])
    return made["groupId"], status["result"]


def groups(h):
    listed = json.loads(h.run("groups", "--json").out)["groups"]
    return {group["groupId"]: group for group in listed}


@tap.test
def it_plans_anew_once():
    with served() as h:
        group, result = play(h, "orchestrator")
        equal((result["status"], result["summary"]),
              ("success", "Planned anew once. success, success, "
                          "then success."))
        listed = groups(h)
        equal(listed[group]["iteration"], 3)
        equal([child["mode"] for child in listed.values()
               if child.get("parentGroupId") == group],
              ["concurrent", "sequential"])


@tap.test
def it_stalls():
    with served() as h:
        group, result = play(h, "orchestrator-stalls")
        equal(result["status"], "failure")
        assert groups(h)[group]["stalled"]


@tap.test
def it_exceeds_its_iterations():
    with served() as h:
        _, result = play(h, "orchestrator-exceeds", maxIterations=2)
        equal(result["summary"],
              "MAX_ITERATIONS_REACHED MAX_ITERATIONS_REACHED")


@tap.test
def it_strays_to_a_role_not_allowed():
    with served() as h:
        _, result = play(h, "orchestrator-strays role=impl-test",
                         availableRoles=["impl-code"])
        equal(result["summary"], "ROLE_NOT_ALLOWED")


@tap.test
def it_nests_too_deep():
    with served() as h:
        _, result = play(h, "orchestrator-nests")
        equal(result["summary"], "Below: MAX_DEPTH_REACHED")


@tap.test
def a_worker_may_not_start_agents():
    with served() as h:
        _, (one,) = h.group("starts-agents")
        wait_for(h.talk, one)
        status = h.talk.call("get_agent_status", agentId=one)
        equal(status["result"]["summary"], "NESTING_NOT_ALLOWED")


def states(h):
    return {agent["agentId"]: agent["status"]
            for agent in h.talk.call("list_agents")["agents"]}


@tap.test
def what_it_leaves_is_ended():
    with served() as h:
        play(h, "orchestrator-leaves")
        until(lambda: "running" not in states(h).values()
              and "queued" not in states(h).values(), "their end")
        equal(sorted(states(h).values()),
              ["cancelled", "cancelled", "resultReported"])


@tap.test
def it_hangs_and_is_cancelled_as_a_family():
    with served() as h:
        group = start(h, "orchestrator-hangs")["groupId"]
        until(lambda: list(states(h).values()) == ["running"] * 3,
              "the family")
        run = h.run("cancel", "--group", group)
        equal(run.out.count("  cancelled\n"), 3)
        wait_for(h.talk, *states(h))
        equal(set(states(h).values()), {"cancelled"})


if __name__ == "__main__":
    tap.run()

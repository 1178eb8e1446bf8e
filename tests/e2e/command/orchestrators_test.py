#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The puppet's orchestrators, each against a hub: the hub answers what the
story needs, and the story is the one its name says."""

import json

from harness import tap
from harness.until import equal, until
from desk import served


def start(hub, directive, **more):
    return hub.client.call(
        "run_magentic", description=directive, task="puppet: " + directive,
        completionCriteria="c", scope="s", **more)


def play(hub, directive, **more):
    """Its group, and its result when it has finished."""
    made = start(hub, directive, **more)
    hub.finish([made["orchestratorAgentId"]])
    status = hub.client.call("get_agent_status",
                             agentId=made["orchestratorAgentId"])
    return made["groupId"], status["result"]


def groups(at):
    listed = json.loads(at.run("groups", "--json").out)["groups"]
    return {group["groupId"]: group for group in listed}


@tap.test
def it_plans_anew_once():
    with served() as (at, hub):
        group, result = play(hub, "orchestrator")
        equal((result["status"], result["summary"]),
              ("success", "Planned anew once. success, success, "
                          "then success."))
        listed = groups(at)
        equal(listed[group]["iteration"], 3)
        equal([child["mode"] for child in listed.values()
               if child.get("parentGroupId") == group],
              ["concurrent", "sequential"])


@tap.test
def it_stalls():
    with served() as (at, hub):
        group, result = play(hub, "orchestrator-stalls")
        equal(result["status"], "failure")
        assert groups(at)[group]["stalled"]


@tap.test
def it_exceeds_its_iterations():
    with served() as (_, hub):
        _, result = play(hub, "orchestrator-exceeds", maxIterations=2)
        equal(result["summary"],
              "MAX_ITERATIONS_REACHED MAX_ITERATIONS_REACHED")


@tap.test
def it_strays_to_a_role_not_allowed():
    with served() as (_, hub):
        _, result = play(hub, "orchestrator-strays role=impl-test",
                         availableRoles=["impl-code"])
        equal(result["summary"], "ROLE_NOT_ALLOWED")


@tap.test
def it_nests_too_deep():
    with served() as (_, hub):
        _, result = play(hub, "orchestrator-nests")
        equal(result["summary"], "Below: MAX_DEPTH_REACHED")


@tap.test
def a_worker_may_not_start_agents():
    with served() as (_, hub):
        _, (one,) = hub.hire("starts-agents")
        hub.finish([one])
        status = hub.client.call("get_agent_status", agentId=one)
        equal(status["result"]["summary"], "NESTING_NOT_ALLOWED")


def states(hub):
    return {agent["agentId"]: agent["status"]
            for agent in hub.client.call("list_agents")["agents"]}


@tap.test
def what_it_leaves_is_ended():
    with served() as (_, hub):
        play(hub, "orchestrator-leaves")
        until(lambda: "running" not in states(hub).values()
              and "queued" not in states(hub).values(), "their end")
        equal(sorted(states(hub).values()),
              ["cancelled", "cancelled", "resultReported"])


@tap.test
def it_hangs_and_is_cancelled_as_a_family():
    with served() as (at, hub):
        group = start(hub, "orchestrator-hangs")["groupId"]
        until(lambda: list(states(hub).values()) == ["running"] * 3,
              "the family")
        run = at.run("cancel", "--group", group)
        equal(run.out.count("  cancelled\n"), 3)
        hub.finish(list(states(hub)))
        equal(set(states(hub).values()), {"cancelled"})


if __name__ == "__main__":
    tap.run()

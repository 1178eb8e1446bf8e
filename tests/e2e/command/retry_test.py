#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`kuromajutsu retry`: the same once more, with the error it met, linked to
the one before."""

import json

from harness import tap
from harness.command import served
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until


def retried(home, *words):
    """What the hub has answered."""
    run = home.run("retry", *words, "--json")
    equal((run.returncode, run.err), (0, ""))
    return json.loads(run.out)


def refused(home, *words):
    run = home.run("retry", *words)
    equal((run.returncode, run.out), (1, ""))
    return run.err


def status(home, id):
    return home.talk.call("get_agent_status", agentId=id)


def shown(home, id):
    return json.loads(home.run("show", id, "--json").out)


def groups(home):
    return json.loads(home.run("groups", "--json").out)["groups"]


def prompt_of(home, id):
    """What its CLI was told, as the puppet gives it back."""
    return status(home, id)["result"]["response"]


ECHO = "- stderr: no luck\n- say: {text: '${prompt}'}\n- exit: 3\n"


def failing(home, **more):
    """An agent that tells its prompt and fails."""
    file = home.project / "echo.yaml"
    file.write_text(ECHO, encoding="utf-8")
    one, = start_agents(home.talk, f"x\npuppet-file: {file}", **more)
    wait_for(home.talk, one)
    return one


@tap.test
def the_same_prompt_with_the_error_it_met():
    with served() as h:
        one = failing(h, timeout_ms=60000)
        was = shown(h, one)
        new, = retried(h, one)["agents"]
        equal((new["retryOf"], new["groupId"]), (one, was["groupId"]))
        wait_for(h.talk, new["agentId"])
        again = shown(h, new["agentId"])
        for key in ("prompt", "role", "workingDirectory", "groupId"):
            equal(again[key], was[key])
        equal(again["retryOf"], one)
        assert one in h.run("show", new["agentId"]).out
        equal(status(h, new["agentId"])["retryOf"], one)
        assert "retryOf" not in status(h, one)
        told = prompt_of(h, new["agentId"])
        assert "This is another attempt" in told and one in told, told
        assert "no luck" in told.split("another attempt")[1], told
        # The next is told of the second, and only of that.
        third, = retried(h, new["agentId"])["agents"]
        wait_for(h.talk, third["agentId"])
        told = prompt_of(h, third["agentId"])
        equal(told.count("This is another attempt"), 1)
        assert new["agentId"] in told and one not in told, told
        equal(shown(h, third["agentId"])["prompt"], was["prompt"])


@tap.test
def people_read_old_and_new():
    with served() as h:
        one = failing(h)
        run = h.run("retry", one)
        equal(run.returncode, 0)
        line, group = run.out.splitlines()
        assert line.startswith(f"{one} → impl-code-"), run.out
        equal(group, "group " + shown(h, one)["groupId"])


@tap.test
def of_a_group_those_that_failed():
    with served() as h:
        group, ids = h.group("report", "failure", "crash")
        wait_for(h.talk, *ids)
        made = retried(h, group, "--failed")["agents"]
        equal([a["retryOf"] for a in made], ids[1:])
        wait_for(h.talk, *(a["agentId"] for a in made))
        # Those that have another in their place are not retried once more.
        more = retried(h, group, "--failed")["agents"]
        equal([a["retryOf"] for a in more], [a["agentId"] for a in made])
        wait_for(h.talk, *(a["agentId"] for a in more))
        equal(len(retried(h, group)["agents"]), 3)


@tap.test
def the_link_outlives_the_hub():
    with served() as h:
        one = failing(h)
        new = retried(h, one)["agents"][0]["agentId"]
        wait_for(h.talk, new)
        h.begin_again()
        equal(shown(h, new)["retryOf"], one)
        third, = retried(h, new)["agents"]
        wait_for(h.talk, third["agentId"])
        group = shown(h, one)["groupId"]
        h.talk.call("delete_group", groupId=group)
        plan = new_group(h.talk, mode="sequential")
        stage, = h.talk.call("run_sequential", groupId=plan, stages=[{
            "tasks": [{"role": "impl-code", "prompt": "puppet: report"}]}])[
                "agents"]
        wait_for(h.talk, stage["agentId"])
        h.talk.call("delete_group", groupId=plan)
        # Also where only the store knows it.
        for _ in range(3):
            other, ids = h.group(*["report"] * 8)
            wait_for(h.talk, *ids)
            until(lambda: all(shown(h, id)["gone"] for id in ids), "all gone")
            h.talk.call("delete_group", groupId=other)
        equal(shown(h, third["agentId"])["retryOf"], new)
        # That one is run again in a group of its own, with the error it met.
        again, = retried(h, one)["agents"]
        equal(again["retryOf"], one)
        assert again["groupId"] != group, again
        wait_for(h.talk, again["agentId"])
        assert "no luck" in prompt_of(h, again["agentId"])
        equal(shown(h, again["agentId"])["prompt"], shown(h, one)["prompt"])
        said = refused(h, one, again["agentId"])
        assert "apart" in said, said
        assert "of long ago" not in refused(h, "impl-code-1-none")
        said = refused(h, stage["agentId"])
        assert "part of a plan" in said and "kuromajutsu show" in said, said


@tap.test
def a_deleted_group_gets_one_in_its_place():
    with served() as h:
        one = failing(h)
        was = shown(h, one)["groupId"]
        h.talk.call("delete_group", groupId=was)
        new, = retried(h, one)["agents"]
        assert new["groupId"] != was
        made, = [g for g in groups(h) if g["groupId"] == new["groupId"]]
        equal((made["description"], made["mode"]), ("test", "concurrent"))
        wait_for(h.talk, new["agentId"])


@tap.test
def nothing_is_left_of_one_that_is_refused():
    with served("agent: {maxConcurrent: 1}\n") as h:
        one = failing(h)
        h.talk.call("delete_group", groupId=shown(h, one)["groupId"])
        until(lambda: shown(h, one)["gone"], "its place")
        busy, = start_agents(h.talk, "hang")
        before = [g["groupId"] for g in groups(h)]
        assert "too few places are free" in refused(h, one)
        equal([g["groupId"] for g in groups(h)], before)
        h.talk.call("cancel_agent", agentIds=[busy])


def plan(home, *scenarios):
    group = new_group(home.talk, mode="sequential")
    made = home.talk.call("run_sequential", groupId=group, stages=[
        {"tasks": [{"role": "impl-code", "prompt": f"puppet: {s}"}]}
        for s in scenarios])
    ids = [a["agentId"] for a in made["agents"]]
    wait_for(home.talk, *ids)
    return group, ids


@tap.test
def a_plan_runs_again_as_a_whole():
    with served() as h:
        group, ids = plan(h, "report", "failure")
        err = refused(h, ids[1])
        assert f"retry {group}" in err, err
        made = retried(h, group, "--failed")
        equal([a["retryOf"] for a in made["agents"]], ids)
        equal([a["stageIndex"] for a in made["agents"]], [0, 1])
        equal(made["groupId"], group)
        wait_for(h.talk, *(a["agentId"] for a in made["agents"]))
        group, _ = plan(h, "report")
        assert "no agents to retry" in refused(h, group, "--failed")


@tap.test
def an_orchestrator_begins_anew():
    with served() as h:
        made = h.talk.call("run_magentic", task="puppet: failure",
                           description="big", completionCriteria="c",
                           scope="s")
        one = made["orchestratorAgentId"]
        wait_for(h.talk, one)
        for what in (one, made["groupId"]):
            new = retried(h, what)
            equal(new["retryOf"], one)
            assert new["groupId"] != made["groupId"]
            wait_for(h.talk, new["orchestratorAgentId"])
            equal(shown(h, new["orchestratorAgentId"])["retryOf"], one)


@tap.test
def what_cannot_be_retried_is_said():
    with served() as h:
        one, = start_agents(h.talk, "hang")
        err = refused(h, one)
        assert "has not ended" in err and "kuromajutsu cancel" in err, err
        other = failing(h)
        h.talk.call("cancel_agent", agentIds=[one])
        assert "one group at a time" in refused(h, other, one)
        assert "kuromajutsu agents" in refused(h, "impl-code-1-none")
        assert "kuromajutsu groups" in refused(h, "grp-1-none")
        for words in ((), ("grp-1", "grp-2"), ("a-1", "grp-2"),
                      ("impl-code-1-none", "--failed"), ("a-1", "--fialed")):
            run = h.run("retry", *words)
            equal((words, run.returncode, run.out), (words, 2, ""))
        assert "--failed" in run.err, run.err


if __name__ == "__main__":
    tap.run()

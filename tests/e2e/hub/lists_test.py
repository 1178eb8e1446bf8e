#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a main agent finds again: groups without knowing their ids, and a wait
for a whole group."""

import contextlib

from harness import tap
from harness.hub import patient_home
from harness.tools import new_group, start_agents
from harness.until import contains, equal

PLAN = [{"tasks": [{"role": "impl-code", "prompt": "puppet: hang"}]},
        {"tasks": [{"role": "impl-code", "prompt": "puppet: reply"}] * 2}]


@contextlib.contextmanager
def served(**agent):
    with patient_home(agent=agent) as home:
        relay = home.relay()
        relay.talk.hello()
        relay.talk.learn()
        yield home, relay.talk


def wait(talk, **what):
    while (answer := talk.call("wait_agent", **what)).get("again"):
        pass
    return answer


def ids(answer, which="completed"):
    return sorted(agent["agentId"] for agent in answer[which])


@tap.test
def groups_are_found_with_what_became_of_them():
    with served() as (home, talk):
        mixed = new_group(talk, description="mixed")
        made = start_agents(talk, "reply", "failure", "hang", group=mixed)
        plan = new_group(talk, description="plan", mode="sequential",
                         parentGroupId=mixed)
        talk.call("run_sequential", groupId=plan, stages=PLAN)
        wait(talk, agentIds=made[:2])
        home.until_running(talk, made[2])
        one, other = talk.call("list_groups")["groups"]
        equal([one[k] for k in ("groupId", "description", "mode", "status")],
              [mixed, "mixed", "concurrent", "active"])
        agents = one["agents"]
        equal([agents[k] for k in ("total", "running", "done", "succeeded",
                                   "failed")], [3, 1, 2, 1, 1])
        equal(sum(agents["states"].values()), 3)
        equal(agents["states"]["running"], 1)
        equal([other["groupId"], other["parentGroupId"], other["stage"]],
              [plan, mixed, {"index": 0, "total": 2}])


@tap.test
def the_newest_are_listed_and_all_are_counted():
    with served() as (_, talk):
        made = [new_group(talk, description=str(i)) for i in range(103)]
        answer = talk.call("list_groups")
        equal([g["groupId"] for g in answer["groups"]], made[3:])
        equal(answer["total"], 103)
        answer = talk.call("list_groups", limit=1000)
        equal([g["groupId"] for g in answer["groups"]], made)
        answer = talk.call("list_groups", limit=1)
        equal([g["groupId"] for g in answer["groups"]], made[-1:])


@tap.test
def a_long_description_is_cut_in_lists():
    with served() as (_, talk):
        made = talk.call("create_group", description="説明" * 100000)
        one, = talk.call("list_groups")["groups"]
        equal(one["description"], made["description"])
        equal(one["description"], "説明" * 83)


@tap.test
def a_wait_for_a_group_is_one_for_all_its_agents():
    with served() as (_, talk):
        group = new_group(talk)
        made = start_agents(talk, "reply", "failure", group=group)
        child = new_group(talk, parentGroupId=group)
        made += start_agents(talk, "reply", group=child)
        equal(ids(wait(talk, groupId=group)), sorted(made))
        equal(ids(wait(talk, groupId=child)), made[2:])
        late, = start_agents(talk, "hang", group=group)
        answer = talk.call("wait_agent", groupId=group, timeout_ms=0)
        equal((ids(answer, "pending"), answer["timedOut"]), ([late], True))
        answer = talk.call("wait_agent", groupId=group, mode="any")
        equal((len(answer["completed"]), answer["timedOut"]), (3, False))


@tap.test
def a_plan_is_waited_for_to_its_last_stage():
    with served() as (_, talk):
        group = new_group(talk, mode="sequential")
        made = talk.call("run_sequential", groupId=group, stages=PLAN[1:] * 2)
        equal(ids(wait(talk, groupId=group)),
              sorted(a["agentId"] for a in made["agents"]))


@tap.test
def an_orchestrator_answers_for_all_below_it():
    with served() as (_, talk):
        made = talk.call("run_magentic", description="d", scope="s",
                         task="puppet: orchestrator", completionCriteria="c")
        answer = wait(talk, groupId=made["groupId"])
        equal(ids(answer), [made["orchestratorAgentId"]])
        groups = talk.call("list_groups")["groups"]
        below = [g["groupId"] for g in groups
                 if g.get("parentGroupId") == made["groupId"]]
        equal(len(below), 2)
        for group in below:
            assert len(wait(talk, groupId=group)["completed"]) > 0, group


@tap.test
def a_group_without_agents_is_no_wait_and_an_unknown_one_none():
    with served() as (_, talk):
        group = new_group(talk)
        for mode in ("all", "any"):
            equal(talk.call("wait_agent", groupId=group, mode=mode),
                  {"completed": [], "pending": [], "timedOut": False})
        is_error, body = talk.use("wait_agent", groupId="grp-1-dead")
        equal((is_error, body["code"]), (True, "GROUP_NOT_FOUND"))
        contains(body["message"], "list_groups")


if __name__ == "__main__":
    tap.run()

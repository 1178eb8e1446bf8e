#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a main agent finds again: groups without knowing their ids, and a wait
for a whole group."""

import contextlib
import json

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
        equal(agents, {"total": 3, "done": 2, "succeeded": 1, "failed": 1,
                       "states": {"completed": 1, "failed": 1, "running": 1}})
        with home.session() as w:  # a program is told the sums too
            sums = w.ask("list_groups")["groups"][0]["agents"]
        equal({**agents, "queued": 0, "running": 1}, sums)
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
def so_is_that_of_a_role():
    role = {"id": "long", "name": "L", "model": "auto", "systemPrompt": "s",
            "description": "長" * 1000}
    with patient_home(roles=[role]) as home:
        relay = home.relay()
        relay.talk.hello()
        told = {r["id"]: r["description"]
                for r in relay.talk.call("list_roles")["roles"]}
        equal(told["long"], "長" * 166)


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


# ---- bounds ---------------------------------------------------------------

REPORT = {"status": "success", "summary": "s", "response": "r"}
KIB = 1024


def size(answer):
    return len(json.dumps(answer, ensure_ascii=False).encode())


def forget(talk, group):
    """Deletes a group, and so many after it that only the store knows it."""
    talk.call("delete_group", groupId=group)
    for _ in range(21):  # of deleted groups twenty agents are kept
        other = new_group(talk)
        wait(talk, agentIds=start_agents(talk, "reply", group=other))
        talk.call("delete_group", groupId=other)


def told_in_brief(talk, long):
    one, paths = long["agentId"], long["editedFiles"]
    brief = talk.call("get_agent_status", agentId=one)["result"]
    equal(brief["response"], "答" * (16 * KIB // 3))
    equal((brief["responseTruncated"], brief["filesTruncated"]), (True, True))
    equal(brief["editedFiles"], paths[:200])
    assert size(brief) < 32 * KIB, size(brief)
    full = talk.call("get_agent_status", agentId=one, full=True)["result"]
    equal([full[k] for k in long], [long[k] for k in long])
    assert "responseTruncated" not in full


@tap.test
def a_long_result_is_told_in_brief_and_in_full_on_request():
    with served() as (home, talk):
        group = new_group(talk)
        one, = start_agents(talk, "hang", group=group)
        long = {"agentId": one, "status": "success", "summary": "要" * 9000,
                "response": "答" * 50000, "errorMessage": "e" * 50000,
                "editedFiles": [f"src/{i:05}.c" for i in range(5000)]}
        home.until_running(talk, one)
        talk.call("report_result", **long)
        told_in_brief(talk, long)
        forget(talk, group)
        told_in_brief(talk, long)


@tap.test
def a_wait_for_many_says_less_of_each():
    with served(maxConcurrent=1000, maxQueued=1000) as (home, talk):
        group = new_group(talk)
        made = start_agents(talk, *["hang"] * 150, group=group)
        for i, one in enumerate(made):
            home.until_running(talk, one)
            talk.call("report_result", agentId=one, response="r",
                      status="failure" if i % 2 else "success",
                      summary="文" * 500)
        seen = {}
        for count in (20, 60, 120, 150):
            answer = talk.call("wait_agent", agentIds=made[:count])
            assert size(answer) <= 64 * KIB, (count, size(answer))
            lengths = {len(a["summary"]) for a in answer["completed"]}
            equal((len(answer["completed"]), len(lengths)), (count, 1))
            seen[count] = lengths.pop()
        equal(seen[20], 500)
        assert 500 > seen[60] > seen[150] >= 80, seen


@tap.test
def a_list_has_two_hundred_and_those_at_work_first():
    with served(maxConcurrent=300) as (home, talk):
        old, = start_agents(talk, "hang")
        group = new_group(talk)
        made = start_agents(talk, *["reply"] * 205, group=group)
        new, = start_agents(talk, "hang")
        wait(talk, groupId=group)
        answer = talk.call("list_agents")
        equal(answer["total"], 207)
        equal([a["agentId"] for a in answer["agents"]],
              [old, new, *made[-198:]])
        equal(len(talk.call("list_agents", limit=1000)["agents"]), 207)
        equal([a["agentId"] for a in
               talk.call("list_agents", limit=1)["agents"]], [new])


@tap.test
def a_cancelled_group_tells_of_those_it_cancelled_only():
    with served() as (home, talk):
        group = new_group(talk)
        done, late = start_agents(talk, "reply", "hang", group=group)
        wait(talk, agentIds=[done])
        equal(talk.call("cancel_agent", groupId=group),
              {"cancelled": [late], "notRunning": []})
        equal(talk.call("cancel_agent", agentIds=[done, late]),
              {"cancelled": [], "notRunning": [done, late]})


@tap.test
def the_last_ledger_has_its_newest_entries():
    with served() as (home, talk):
        made = talk.call("run_magentic", description="d", scope="s",
                         task="puppet: hang", completionCriteria="c",
                         maxIterations=50)
        yes, said = {"reason": "r", "answer": True}, {"reason": "r",
                                                      "answer": "a"}
        for i in range(1, 12):
            talk.call("update_ledger", groupId=made["groupId"], iteration=i,
                      type="progress", isRequestSatisfied=yes, isInLoop=yes,
                      isProgressBeingMade=yes, nextAction=said,
                      instruction=said)
        one = made["orchestratorAgentId"]
        talk.call("cancel_agent", agentIds=[one])
        for full, count in ((False, 5), (True, 10)):
            ledger = talk.call("get_agent_status", agentId=one,
                               full=full)["result"]["finalLedger"]
            equal((ledger["iteration"], len(ledger["progressHistory"])),
                  (11, count))
            equal(ledger["progressLedger"]["iteration"], 11)


@tap.test
def what_was_named_is_not_sent_back_whole():
    with served() as (_, talk):
        group, name = new_group(talk), "x" * 1000000
        task = {"role": name, "prompt": "p"}
        for tool, args in (
                ("get_agent_status", {"agentId": name}),
                ("delete_group", {"groupId": name}),
                ("wait_agent", {"agentIds": [name]}),
                ("wait_agent", {"groupId": name}),
                ("cancel_agent", {"agentIds": [name]}),
                ("report_result", {"agentId": name, **REPORT}),
                ("run_agents", {"groupId": group, "agents": [task]}),
                ("run_agents", {"groupId": group, "agents": [
                    {"role": "research", "prompt": "p",
                     "workingDirectory": "/" + name}]}),
                ("run_magentic", {
                    "description": "d", "task": "t", "scope": "s",
                    "completionCriteria": "c", "availableRoles": [name]}),
                ("list_agents", {"status": name}),
                ("list_agents", {name: 1})):
            is_error, body = talk.use(tool, **args)
            assert is_error and size(body) < 2 * KIB, (tool, size(body))


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The runner: agents for the tasks of projects, without any model."""

from harness import tap
from harness.until import contains, equal, until
from talks import (FAST, agent, events, login, move, nothing_is_left, project,
                   rows, scene, served, starts, status, task, todo)


def all_done(talk, *ids, wanted="done"):
    until(lambda: all(status(talk, id) == wanted for id in ids),
          f"{ids} {wanted}")


def started(home, id="agt_developer"):
    """How often it was."""
    return rows(home, "SELECT count(*) FROM pm_instances WHERE agent = ?",
                id)[0][0]


# ---- the story ---------------------------------------------------------------

@tap.test
def three_tasks_and_two_agents_end_well():
    with served(runner=FAST) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1")
        todo(talk, "tsk_2", "puppet: worker-hands-over to=agt_reviewer",
             dependencies=["tsk_1"])
        todo(talk, "tsk_3", assignee="agt_reviewer", dependencies=["tsk_2"])
        all_done(talk, "tsk_1", "tsk_2", "tsk_3")
        nothing_is_left(home, talk)
        equal(talk.call("get_task", task_id="tsk_2")["assignee_id"],
              "agt_reviewer")
        equal([started(home), started(home, "agt_reviewer")], [2, 2])
        # All of it is in the history, in one group.
        runs = talk.call("list_agents", kind="run")["agents"]
        equal({(r["status"], r["outcome"]) for r in runs},
              {("resultReported", "success")})
        equal(len({r["groupId"] for r in runs}), 1)
        group, = [g for g in talk.call("list_groups")["groups"]]
        equal(group["description"], "pm:prj_frontend")
        changes = [(e["data"]["id"], e["data"].get("new_state"))
                   for e in events(home, "pm:task")
                   if e["data"]["event"] == "status_changed"]
        equal(changes, [(f"tsk_{i}", to) for i in (1, 2, 3)
                        for to in ("in_progress", "done")])
        # The prompt is as the specification has it, without a secret.
        prompt, = rows(home, "SELECT prompt FROM texts JOIN agents USING"
                       "(serial) ORDER BY serial LIMIT 1")[0]
        for words in ("# Task: Do tsk_1", "- Task ID: tsk_1",
                      "- Project ID: prj_frontend", "- Agent ID: agt_developer",
                      str(home.project)):
            contains(prompt, words)
        assert ".ins_" not in prompt and "ins_" not in prompt, prompt


@tap.test
def it_is_off_unless_it_is_wanted_and_trusted():
    with served() as (home, talk):
        scene(home, talk)
        task(talk, "tsk_1")
        equal(starts(talk), (True, "has_in_progress_task"))
        equal(started(home), 0)


@tap.test
def what_is_to_do_waits_where_it_is_told_to():
    with served(runner={**FAST, "startTodo": False}) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1")
        todo(talk, "tsk_2", assignee="agt_reviewer")
        move(talk, "tsk_2", "in_progress")
        all_done(talk, "tsk_2")
        equal(status(talk, "tsk_1"), "todo")
        move(talk, "tsk_1", "in_progress")
        all_done(talk, "tsk_1")
        nothing_is_left(home, talk)


# ---- ends --------------------------------------------------------------------

@tap.test
def whichever_report_comes_first_ends_the_task():
    with served(runner=FAST) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1", "puppet: worker-reports")
        all_done(talk, "tsk_1")
        now = talk.call("get_task", task_id="tsk_1")
        equal([now["completion_result"], now["completion_summary"]],
              ["success", "reported: tsk_1"])
        todo(talk, "tsk_2", "puppet: worker-reports status=failure")
        all_done(talk, "tsk_2", wanted="blocked")
        contains(talk.call("get_task", task_id="tsk_2")["blocked_reason"],
                 "reported: tsk_2")
        todo(talk, "tsk_3", "puppet: worker result=blocked")
        all_done(talk, "tsk_3", wanted="blocked")
        nothing_is_left(home, talk)
        equal(started(home), 3)


@tap.test
def who_leaves_its_task_is_started_again_and_then_no_more():
    with served(runner={**FAST, "maxFailures": 3}) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1", "puppet: worker-leaves")
        all_done(talk, "tsk_1", wanted="blocked")
        contains(talk.call("get_task", task_id="tsk_1")["blocked_reason"],
                 "without finishing the task")
        equal(started(home), 3)
        equal(rows(home, "SELECT failures FROM pm_assignments WHERE"
                   " agent = 'agt_developer'"), [(0,)])
        nothing_is_left(home, talk)


@tap.test
def a_pause_follows_a_failure_and_doubles():
    long = 3600 * 1000
    with served(runner={**FAST, "cooldown_ms": long,
                        "cooldownMax_ms": 3 * long}) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1", "puppet: worker-leaves")

        def pause():
            until(lambda: starts(talk) == (False, "cooldown"), "a pause")
            (ms, failures), = rows(
                home, "SELECT cool_until - (SELECT max(gone_at) FROM agents),"
                " failures FROM pm_assignments WHERE agent = 'agt_developer'")
            rows(home, "UPDATE pm_assignments SET cool_until = 1")
            until(lambda: started(home) > failures, "another try")
            return round(ms / long), failures
        equal([pause() for _ in range(3)], [(1, 1), (2, 2), (3, 3)])


@tap.test
def one_who_never_asks_for_its_task_has_failed_too():
    with served(runner={**FAST, "cooldown_ms": 3600000,
                        "cooldownMax_ms": 3600000}) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1", "puppet: reply")
        until(lambda: starts(talk) == (False, "cooldown"), "a pause")
        equal(status(talk, "tsk_1"), "in_progress")
        equal(started(home), 1)


@tap.test
def what_cannot_be_started_is_tried_later_and_says_why():
    with served(runner={**FAST, "cooldown_ms": 3600000,
                        "cooldownMax_ms": 3600000}) as (home, talk):
        project(talk, working_directory=str(home.project))
        agent(talk, "agt_developer", "prj_frontend", runs_as="no-such-role")
        todo(talk, "tsk_1")
        until(lambda: starts(talk) == (False, "cooldown"), "a pause")
        (why, failures), = rows(home, "SELECT cool_reason, failures FROM"
                                " pm_assignments")
        contains(why, "no-such-role")
        equal(failures, 0)
        # Which people see, now and when they look back.
        cooled = until(lambda: [e for e in events(home, "pm:assigned")
                                if e["data"]["event"] == "cooldown"],
                       "a pause that is told")[0]
        with home.session() as wire:
            for at, wanted in ((None, why), (cooled["seq"], why),
                               (cooled["seq"] - 1, None)):
                one, = wire.call("projects", at=at)["assignments"]
                equal(one.get("cool_reason"), wanted)
                equal("cool_until" in one, wanted is not None)


@tap.test
def one_of_a_pair_at_a_time():
    with served(runner={**FAST, "maxConcurrent": 1}) as (home, talk):
        scene(home, talk)
        agent(talk, "agt_many", "prj_frontend", max_parallel_tasks=3)
        token = login(talk, "agt_many")  # by hand: nobody else is started
        for i in range(3):
            todo(talk, f"tsk_{i}", assignee="agt_many")
        todo(talk, "tsk_x")
        all_done(talk, "tsk_x")
        equal(started(home, "agt_many"), 0)
        talk.call("logout", token=token)
        all_done(talk, "tsk_0", "tsk_1", "tsk_2")
        equal(started(home, "agt_many"), 3)
        nothing_is_left(home, talk)
        # Never two at once, in all of it.
        equal(rows(home, "SELECT 1 FROM pm_instances a JOIN pm_instances b ON"
                   " a.id < b.id AND a.claimed_at < b.ended_at AND"
                   " b.claimed_at < a.ended_at"), [])


@tap.test
def a_group_that_has_had_its_share_is_history():
    with served(runner=FAST) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1")
        all_done(talk, "tsk_1")
        nothing_is_left(home, talk)
        full, = talk.call("list_groups")["groups"]
        columns = [c for _, c, *_ in rows(home, "PRAGMA table_info(agents)")
                   if c not in ("serial", "id")]
        rows(home, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
             " FROM n WHERE i < 99) INSERT INTO agents(serial, id, "
             f"{', '.join(columns)}) SELECT serial + 1000 + i, id || '-' || i,"
             f" {', '.join(columns)} FROM agents, n")
        todo(talk, "tsk_2")
        all_done(talk, "tsk_2")
        until(lambda: [g["status"] for g in talk.call("list_groups")["groups"]
                       if g["groupId"] == full["groupId"]] != ["active"],
              "the full one is deleted")
        left = [g for g in talk.call("list_groups")["groups"]
                if g["status"] == "active"]
        equal([g["description"] for g in left], ["pm:prj_frontend"])
        assert left[0]["groupId"] != full["groupId"], left
        # What its agents did is still told.
        equal(talk.call("get_agent_status", agentId=rows(
            home, "SELECT id FROM agents ORDER BY serial LIMIT 1")[0][0])
            ["status"], "resultReported")


@tap.test
def a_launch_key_opens_its_own_door_once():
    with served(runner=FAST) as (home, talk):
        scene(home, talk)
        todo(talk, "tsk_1", "puppet: worker")
        all_done(talk, "tsk_1")
        # What is shown to others is no key, and neither is another's.
        for key in ("env:KUROMAJUTSU_PM_KEY", "ins_1.00", "ins_1"):
            result = talk.refused("authenticate", agent_id="agt_developer",
                                  project_id="prj_frontend", passkey=key)
            equal(result["structuredContent"]["error_code"], "AUTH_FAILED")
        nothing_is_left(home, talk)


if __name__ == "__main__":
    tap.run()

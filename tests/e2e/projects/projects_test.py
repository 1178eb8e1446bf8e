#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Projects, their tasks and who does them, by MCP clients."""

import json

from harness import inner, tap
from harness.until import contains, equal, until
from talks import (SECRET, TIME, agent, another, error, events, frontend, login,
                   move, project, rows, served, starts, status, task)


# ---- beginning --------------------------------------------------------------

@tap.test
def a_fresh_database_has_nothing_and_says_so():
    with served() as (_, talk):
        said = talk.call("health_check")
        equal([said["success"], said["status"], said["agent_count"],
               said["project_count"]], [True, "ok", 0, 0])
        assert TIME.fullmatch(said["timestamp"]), said
        equal(talk.call("list_active_projects_with_agents"),
              {"success": True, "projects": []})
        equal(error(talk, "should_start", agent_id="agt_x", project_id="p"),
              ("AGENT_NOT_FOUND", "Agent not found: agt_x"))
        equal(talk.call("list_agents"), {"agents": [], "total": 0})
        equal(talk.call("list_tasks"), {"tasks": [], "total": 0})


@tap.test
def what_waits_for_an_agent_is_told_to_runners():
    with served() as (_, talk):
        frontend(talk)
        agent(talk, "agt_human", "prj_frontend", type="human", name="Aki")
        equal(talk.call("list_active_projects_with_agents")["projects"], [
            {"project_id": "prj_frontend", "project_name": "Frontend App",
             "working_directory": "/projects/frontend",
             "agents": ["agt_developer", "agt_reviewer"]}])
        task(talk, "tsk_1", status="todo")
        equal(starts(talk), (False, "no_task"))
        move(talk, "tsk_1", "in_progress")
        equal(talk.call("should_start", agent_id="agt_developer",
                        project_id="prj_frontend"),
              {"should_start": True, "reason": "has_in_progress_task",
               "ai_type": "claude"})
        equal(starts(talk, "agt_reviewer"), (False, "no_task"))
        equal(starts(talk, "agt_stranger"), (False, "agent_not_assigned"))
        equal(starts(talk, "agt_human"), (False, "agent_not_active"))
        equal(error(talk, "should_start", agent_id="agt_developer",
                    project_id="prj_x"),
              ("PROJECT_NOT_FOUND", "Project not found: prj_x"))


# ---- sessions ---------------------------------------------------------------

@tap.test
def a_passkey_is_shown_once_and_opens_one_session():
    with served() as (home, talk):
        frontend(talk)
        project(talk, "prj_second")
        talk.call("assign_agent", project_id="prj_second",
                  agent_id="agt_developer")
        wrong = error(talk, "authenticate", agent_id="agt_developer",
                      project_id="prj_frontend", passkey="wrong horse")
        equal(wrong, ("AUTH_FAILED", "Invalid agent_id or passkey"))
        equal(error(talk, "authenticate", agent_id="agt_nobody",
                    project_id="prj_frontend", passkey=SECRET), wrong)
        # Who has not shown who it is learns nothing of projects.
        equal(error(talk, "authenticate", agent_id="agt_developer",
                    project_id="prj_x", passkey="wrong horse"), wrong)
        said = talk.call("authenticate", agent_id="agt_developer",
                         project_id="prj_frontend", passkey=SECRET)
        equal({k: said[k] for k in said if "token" not in k},
              {"success": True, "expires_in": 3600,
               "agent_name": "agt_developer", "project_name": "Frontend App",
               "working_directory": "/projects/frontend",
               "system_prompt": "Be brief.",
               "instruction": "Call get_my_task to get the task details."})
        equal(said["token"], said["session_token"])
        assert said["token"].startswith("sess_") and len(said["token"]) == 37
        equal(error(talk, "authenticate", agent_id="agt_developer",
                    project_id="prj_frontend", passkey=SECRET),
              ("ALREADY_RUNNING", "Agent already running on this project"))
        equal(starts(talk), (False, "already_running"))
        login(talk, project="prj_second")
        for code, who, where in (
                ("PROJECT_NOT_FOUND", "agt_developer", "prj_x"),
                ("AGENT_NOT_ASSIGNED", "agt_stranger", "prj_frontend")):
            equal(error(talk, "authenticate", agent_id=who, project_id=where,
                        passkey=SECRET)[0], code)
        # No secret is written down, nor an answer that has one.
        dump = home.state("kuromajutsu.db").read_bytes() + \
            home.state("kuromajutsu.db-wal").read_bytes()
        for secret in (said["token"], SECRET):
            assert secret.encode() not in dump, secret
        equal(len(rows(home, "SELECT * FROM pm_sessions")), 2)


@tap.test
def passkeys_that_are_made_are_long_and_can_be_changed():
    with served() as (home, talk):
        project(talk)
        made = talk.call("create_agent", name="Dev")
        id, passkey = made["agent"]["id"], made["passkey"]
        assert id.startswith("agt_") and len(passkey) >= 32, made
        talk.call("assign_agent", project_id="prj_frontend", agent_id=id)
        token = login(talk, id, passkey=passkey)
        talk.call("logout", token=token)
        with home.session() as wire:
            other = wire.call("set_passkey", agent_id=id)["passkey"]
            equal("passkey" in wire.call("set_passkey", agent_id=id,
                                         passkey="another one"), False)
        for old in (passkey, other):
            equal(error(talk, "authenticate", agent_id=id, passkey=old,
                        project_id="prj_frontend")[0], "AUTH_FAILED")
        login(talk, id, passkey="another one")
        code, text = error(talk, "create_agent", name="x", passkey="short")
        equal(code, "VALIDATION_ERROR")
        contains(text, "passkey")


@tap.test
def who_guesses_is_not_looked_at_for_a_while():
    with served() as (_, talk):
        frontend(talk)
        for _ in range(5):
            error(talk, "authenticate", agent_id="agt_developer",
                  project_id="prj_frontend", passkey="wrong horse")
        # The right one is told the same now; another agent is not stopped.
        equal(error(talk, "authenticate", agent_id="agt_developer",
                    project_id="prj_frontend", passkey=SECRET),
              ("AUTH_FAILED", "Invalid agent_id or passkey"))
        login(talk, "agt_reviewer")


@tap.test
def a_session_ends_by_itself():
    with served(pm={"sessionTtl_s": 3600, "sessionMax_s": 7200}) as (home, talk):
        frontend(talk)
        task(talk, "tsk_1")
        token = login(talk)
        made, = rows(home, "SELECT expires_at - created_at FROM pm_sessions")
        equal(made, (3600000,))
        rows(home, "UPDATE pm_sessions SET created_at = created_at - 1000000,"
             " expires_at = expires_at - 1000000")
        talk.call("get_my_task", token=token)  # which lasts longer by it
        (left,), = rows(home, "SELECT expires_at - active_at FROM pm_sessions")
        equal(left, 3600000)
        rows(home, "UPDATE pm_sessions SET created_at = created_at - 6000000")
        talk.call("get_my_task", token=token)
        (left,), = rows(home, "SELECT expires_at - created_at FROM pm_sessions")
        equal(left, 7200000)  # and no longer than that
        rows(home, "UPDATE pm_sessions SET expires_at = 1")
        equal(error(talk, "get_my_task", token=token),
              ("TOKEN_INVALID",
               "Invalid session_token. Please re-authenticate."))
        equal(starts(talk), (True, "has_in_progress_task"))
        login(talk)


@tap.test
def a_session_ends_with_its_process():
    with served(before=inner.install) as (home, talk):
        frontend(talk)
        task(talk, "tsk_1")
        _, said = inner.answers(home, talk, [
            ["authenticate", {"agent_id": "agt_developer",
                              "project_id": "prj_frontend",
                              "passkey": SECRET}]])
        equal(said[0][0], False)
        home.settle(talk)
        until(lambda: starts(talk) == (True, "has_in_progress_task"),
              "the pair is free")
        login(talk)
        equal(rows(home, "SELECT * FROM mail_actors"), [])


@tap.test
def a_clock_that_was_set_back_locks_nobody_out():
    with served() as (home, talk):
        frontend(talk)
        task(talk, "tsk_1")
        year = 365 * 86400 * 1000
        login(talk)
        rows(home, "UPDATE pm_sessions SET created_at = created_at + ?1,"
             " active_at = active_at + ?1, expires_at = expires_at + ?1", year)
        rows(home, "UPDATE pm_assignments SET cool_until = ?", 10 * 10 ** 12)
        equal(starts(talk), (True, "has_in_progress_task"))
        login(talk)


# ---- tasks ------------------------------------------------------------------

@tap.test
def a_task_is_taken_done_and_reported():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1", description="Make it blue")
        token = login(talk)
        said = talk.call("get_my_task", token=token)
        equal([said["success"], said["has_task"], said["instruction"]],
              [True, True, "When the task is finished call report_completed."])
        equal(said["task"], {
            "task_id": "tsk_1", "title": "Do tsk_1",
            "description": "Make it blue", "project_id": "prj_frontend",
            "status": "in_progress", "priority": "medium",
            "working_directory": "/projects/frontend", "dependencies": []})
        equal(talk.call("get_my_task", session_token=token), said)
        equal(error(talk, "report_completed", token=token, result="x"),
              ("VALIDATION_ERROR", "Invalid result value. Use 'success', "
               "'failed', or 'blocked'"))
        talk.call("get_my_task", token=token)  # the session lives
        done = talk.call("report_completed", token=token, result="success",
                         summary="It is blue", next_steps="Make it green")
        equal([done["task_id"], done["new_status"], done["action"]],
              ["tsk_1", "done", "exit"])
        now = talk.call("get_task", task_id="tsk_1")
        equal([now["status"], now["completion_result"],
               now["latest_context"]["progress"],
               now["latest_context"]["next_steps"],
               now["latest_context"]["agent_id"]],
              ["done", "success", "It is blue", "Make it green",
               "agt_developer"])
        assert TIME.fullmatch(now["completed_at"]), now
        equal(error(talk, "get_my_task", token=token)[0], "TOKEN_INVALID")
        equal(starts(talk), (False, "no_task"))


@tap.test
def failed_and_blocked_tasks_are_blocked():
    for result in ("failed", "blocked"):
        with served() as (_, talk):
            frontend(talk)
            task(talk, "tsk_1")
            token = login(talk)
            done = talk.call("report_completed", token=token, result=result,
                             summary="no paint")
            equal(done["new_status"], "blocked")
            now = talk.call("get_task", task_id="tsk_1")
            equal([now["blocked_reason"], now["latest_context"]["blockers"]],
                  ["no paint", "no paint"])


@tap.test
def a_task_that_is_over_already_ends_the_session_all_the_same():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1")
        token = login(talk)
        talk.call("get_my_task", token=token)
        move(talk, "tsk_1", "done", token=token)
        done = talk.call("report_completed", token=token, result="success")
        equal([done["success"], done["already"]], [True, "done"])
        equal(starts(talk), (False, "no_task"))
        # And who never had one is told so, and may go on.
        token = login(talk)
        equal(error(talk, "report_completed", token=token, result="success"),
              ("NO_TASK", "No in_progress task found for this agent"))
        equal(talk.call("get_my_task", token=token)["has_task"], False)
        talk.call("logout", token=token)


@tap.test
def what_may_follow_what():
    with served() as (home, talk):
        frontend(talk)
        agent(talk, "agt_two", "prj_frontend", max_parallel_tasks=2)
        for i in range(1, 5):
            task(talk, f"tsk_{i}", "agt_two", "todo",
                 dependencies=["tsk_1"] if i == 2 else [])
        equal(error(talk, "update_task_status", task_id="tsk_2",
                    status="in_progress"),
              ("DEPENDENCY_NOT_COMPLETE",
               "Task tsk_2 is blocked by incomplete dependencies: tsk_1"))
        for id, to in (("tsk_1", "done"), ("tsk_1", "todo"),
                       ("tsk_1", "blocked")):
            equal(error(talk, "update_task_status", task_id=id, status=to),
                  ("INVALID_STATUS_TRANSITION",
                   f"Invalid status transition from todo to {to}"))
        code, text = error(talk, "update_task_status", task_id="tsk_1",
                           status="in_review")
        equal((code, text), ("INVALID_STATUS", "Invalid status: in_review. "
                             "Valid values: backlog, todo, in_progress, "
                             "blocked, done, cancelled"))
        equal(move(talk, "tsk_1", "in_progress"), {
            "success": True, "task": {
                "id": "tsk_1", "title": "Do tsk_1",
                "previous_status": "todo", "new_status": "in_progress"}})
        for to in ("todo", "cancelled", "backlog"):
            error(talk, "update_task_status", task_id="tsk_1", status=to)
        move(talk, "tsk_3", "in_progress")
        equal(error(talk, "update_task_status", task_id="tsk_4",
                    status="in_progress"),
              ("MAX_PARALLEL_TASKS",
               "Agent agt_two has reached max parallel tasks limit (2/2)"))
        move(talk, "tsk_3", "blocked", reason="rain")
        equal(talk.call("get_task", task_id="tsk_3")["blocked_reason"], "rain")
        move(talk, "tsk_3", "in_progress")
        assert "blocked_reason" not in talk.call("get_task", task_id="tsk_3")
        move(talk, "tsk_1", "done")
        equal(error(talk, "update_task_status", task_id="tsk_1",
                    status="todo")[0], "INVALID_STATUS_TRANSITION")
        # A person takes back what an agent has left.
        with home.session() as wire:
            wire.call("update_task_status", task_id="tsk_3", status="todo")
        move(talk, "tsk_2", "in_progress")
        talk.call("create_task", task_id="tsk_5", title="of nobody",
                  project_id="prj_frontend", status="todo")
        code, text = error(talk, "update_task_status", task_id="tsk_5",
                           status="in_progress")
        equal(code, "INVALID_STATUS_TRANSITION")
        contains(text, "no assignee")


@tap.test
def a_whole_is_done_after_its_parts():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_whole")
        task(talk, "tsk_part", "agt_reviewer", parent_task_id="tsk_whole")
        equal(error(talk, "update_task_status", task_id="tsk_whole",
                    status="done")[0], "DEPENDENCY_NOT_COMPLETE")
        # Who has the whole may change its parts, and nobody else's task.
        token = login(talk)
        move(talk, "tsk_part", "done", token=token)
        task(talk, "tsk_other", "agt_reviewer")
        equal(error(talk, "update_task_status", task_id="tsk_other",
                    status="done", token=token)[0], "TASK_ACCESS_DENIED")
        move(talk, "tsk_whole", "done", token=token)


@tap.test
def the_most_urgent_is_first_and_lists_are_of_the_session():
    with served() as (_, talk):
        frontend(talk)
        project(talk, "prj_second")
        talk.call("assign_agent", project_id="prj_second",
                  agent_id="agt_developer")
        agent(talk, "agt_many", "prj_frontend", max_parallel_tasks=9)
        for id, priority in (("tsk_low", "low"), ("tsk_high", "high"),
                             ("tsk_urgent", "urgent"), ("tsk_medium", "medium")):
            task(talk, id, "agt_many", priority=priority)
        task(talk, "tsk_there", project="prj_second")
        token = login(talk, "agt_many")
        for id in ("tsk_urgent", "tsk_high", "tsk_medium", "tsk_low"):
            equal(talk.call("get_my_task", token=token)["task"]["task_id"], id)
            move(talk, id, "done", token=token)
        equal(talk.call("list_tasks", token=token)["total"], 4)
        equal(talk.call("list_tasks")["total"], 5)
        equal([t["id"] for t in talk.call(
            "list_tasks", status="in_progress")["tasks"]], ["tsk_there"])
        some = talk.call("list_tasks", project_id="prj_frontend", limit=2)
        equal((len(some["tasks"]), some["total"]), (2, 4))
        equal(talk.call("list_tasks", assignee_id="agt_reviewer")["total"], 0)


@tap.test
def dependencies_are_of_the_project_and_make_no_circle():
    with served() as (home, talk):
        frontend(talk)
        project(talk, "prj_second")
        talk.call("create_task", task_id="tsk_there", title="t",
                  project_id="prj_second")
        task(talk, "tsk_1", status="todo")
        task(talk, "tsk_2", status="todo", dependencies=["tsk_1"])
        equal(error(talk, "create_task", title="t", project_id="prj_frontend",
                    dependencies=["tsk_there"])[0], "VALIDATION_ERROR")
        equal(error(talk, "create_task", title="t", project_id="prj_frontend",
                    dependencies=["tsk_none"])[0], "TASK_NOT_FOUND")
        with home.session() as wire:
            for needs in ("tsk_2", "tsk_1"):
                equal(wire.refused("update_task", {"task_id": "tsk_1",
                                    "dependencies": [needs]}),
                      "VALIDATION_ERROR")
            wire.call("update_task", task_id="tsk_2", dependencies=[])
            wire.call("update_task", task_id="tsk_1", dependencies=["tsk_2"])
        equal(talk.call("get_task", task_id="tsk_1")["dependencies"],
              ["tsk_2"])


# ---- handoffs ---------------------------------------------------------------

@tap.test
def a_task_goes_from_one_to_another():
    with served() as (_, talk):
        frontend(talk)
        agent(talk, "agt_third", "prj_frontend")
        task(talk, "tsk_1")
        token = login(talk)
        talk.call("get_my_task", token=token)
        made = talk.call("create_handoff", task_id="tsk_1",
                         from_agent_id="agt_developer",
                         to_agent_id="agt_reviewer", summary="half is done",
                         context="blue", recommendations="hurry")
        handoff = made["handoff"]
        equal({k: v for k, v in handoff.items() if k not in
               ("id", "created_at")}, {
            "task_id": "tsk_1", "project_id": "prj_frontend",
            "from_agent_id": "agt_developer", "to_agent_id": "agt_reviewer",
            "summary": "half is done", "context": "blue",
            "recommendations": "hurry"})
        equal(status(talk, "tsk_1"), "in_progress")
        pending = talk.call("get_pending_handoffs", agent_id="agt_reviewer")
        equal([pending["total"], pending["handoffs"]], [1, [handoff]])
        equal(talk.call("get_pending_handoffs", agent_id="agt_third")["total"],
              0)
        # Who gave it is at it still; nobody else is started for it.
        equal(starts(talk, "agt_reviewer"), (False, "no_task"))
        equal(talk.call("report_completed", token=token,
                        result="success")["already"], "handed_off")
        equal(status(talk, "tsk_1"), "in_progress")
        equal(starts(talk), (False, "no_task"))
        equal(starts(talk, "agt_reviewer"), (True, "pending_handoff"))
        # It is in the mailbox of who is to take it.
        mail = talk.call("agent_receive_messages", agent_id="agt_reviewer")
        equal([m["metadata"]["handoff_id"] for m in mail["messages"]],
              [handoff["id"]])
        equal(mail["messages"][0]["message_type"], "context")
        contains(mail["messages"][0]["content"], "half is done")
        id = handoff["id"]
        equal(error(talk, "accept_handoff", handoff_id=id,
                    agent_id="agt_third"),
              ("HANDOFF_NOT_FOR_YOU", f"Handoff {id} is not addressed to you"))
        took = talk.call("accept_handoff", handoff_id=id,
                         agent_id="agt_reviewer")["handoff"]
        equal(took["accepted_by"], "agt_reviewer")
        equal(error(talk, "accept_handoff", handoff_id=id,
                    agent_id="agt_reviewer"),
              ("HANDOFF_ALREADY_ACCEPTED", f"Handoff already accepted: {id}"))
        equal(error(talk, "accept_handoff", handoff_id="hnd_x",
                    agent_id="agt_reviewer"),
              ("HANDOFF_NOT_FOUND", "Handoff not found: hnd_x"))
        equal(talk.call("get_task", task_id="tsk_1")["assignee_id"],
              "agt_reviewer")
        equal(talk.call("get_pending_handoffs")["total"], 0)
        token = login(talk, "agt_reviewer")
        mine = talk.call("get_my_task", token=token)["task"]
        equal([mine["task_id"], mine["handoff"]["summary"]],
              ["tsk_1", "half is done"])


@tap.test
def a_handoff_is_taken_by_asking_for_a_task():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1")
        move(talk, "tsk_1", "blocked")
        talk.call("create_handoff", task_id="tsk_1", summary="yours",
                  from_agent_id="agt_developer", to_agent_id="agt_reviewer")
        equal(starts(talk, "agt_reviewer"), (True, "pending_handoff"))
        token = login(talk, "agt_reviewer")
        mine = talk.call("get_my_task", token=token)["task"]
        equal([mine["task_id"], mine["status"]], ["tsk_1", "in_progress"])
        equal(talk.call("get_pending_handoffs")["total"], 0)


@tap.test
def one_for_anybody_is_for_anybody_but_its_author():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1")
        id = talk.call("create_handoff", task_id="tsk_1", summary="help",
                       from_agent_id="agt_developer")["handoff"]["id"]
        for who, count in (("agt_developer", 0), ("agt_reviewer", 1)):
            equal(talk.call("get_pending_handoffs", agent_id=who)["total"],
                  count)
        equal(error(talk, "accept_handoff", handoff_id=id,
                    agent_id="agt_developer")[0], "HANDOFF_NOT_FOR_YOU")
        equal(error(talk, "accept_handoff", handoff_id=id,
                    agent_id="agt_stranger")[0], "AGENT_NOT_ASSIGNED")
        talk.call("accept_handoff", handoff_id=id, agent_id="agt_reviewer")


@tap.test
def handoffs_that_make_no_sense_are_refused():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1")
        base = {"task_id": "tsk_1", "from_agent_id": "agt_developer",
                "to_agent_id": "agt_reviewer", "summary": "s"}
        for code, change in (
                ("TASK_NOT_FOUND", {"task_id": "tsk_x"}),
                ("AGENT_NOT_FOUND", {"from_agent_id": "agt_x"}),
                ("AGENT_NOT_FOUND", {"to_agent_id": "agt_x"}),
                ("AGENT_NOT_ASSIGNED", {"to_agent_id": "agt_stranger"}),
                ("TASK_ACCESS_DENIED", {"from_agent_id": "agt_reviewer",
                                        "to_agent_id": "agt_developer"}),
                ("VALIDATION_ERROR", {"to_agent_id": "agt_developer"}),
                ("VALIDATION_ERROR", {"summary": "  "})):
            equal(error(talk, "create_handoff", **{**base, **change})[0], code)
        move(talk, "tsk_1", "done")
        equal(error(talk, "create_handoff", **base)[0], "TASK_CLOSED")
        code, text = error(talk, "create_handoff", task_id="tsk_1")
        equal((code, text), ("MISSING_ARGUMENTS", "Missing required "
                             "arguments: from_agent_id, summary"))
        equal(error(talk, "get_my_task"), (
            "TOKEN_REQUIRED", "session_token is required for this operation. "
            "Authenticate first using the authenticate tool."))


# ---- contexts, profiles, projects -------------------------------------------

@tap.test
def contexts_are_kept_and_the_newest_counts():
    with served() as (_, talk):
        frontend(talk)
        task(talk, "tsk_1")
        first = talk.call("save_context", task_id="tsk_1", progress="a",
                          findings="b")["context"]
        equal({k: first[k] for k in first if k not in ("id", "created_at")},
              {"task_id": "tsk_1", "progress": "a", "findings": "b"})
        token = login(talk)
        second = talk.call("save_context", task_id="tsk_1", blockers="c",
                           next_steps="d", token=token)["context"]
        equal([second["agent_id"], second["session_id"][:4]],
              ["agt_developer", "asn_"])
        equal(talk.call("get_task", task_id="tsk_1")["latest_context"], second)
        equal(talk.call("get_task_context", task_id="tsk_1"),
              {"task_id": "tsk_1", "latest_context": second})
        equal(talk.call("get_task_context", task_id="tsk_1",
                        include_history=True)["contexts"], [second, first])
        equal(error(talk, "save_context", task_id="tsk_1")[0],
              "VALIDATION_ERROR")
        equal(error(talk, "save_context", task_id="tsk_1", progress="x",
                    agent_id="agt_reviewer", token=token),
              ("SESSION_AGENT_MISMATCH", "Session belongs to agent "
               "'agt_developer' but operation requested for agent "
               "'agt_reviewer'"))


@tap.test
def profiles_are_told_without_what_is_theirs_alone():
    with served() as (_, talk):
        frontend(talk)
        agent(talk, "agt_boss", hierarchy_type="manager", role="Boss",
              role_type="manager", capabilities=["plan", "日本語"],
              ai_type="cursor", model="m", runs_as="research")
        one = talk.call("get_agent_profile", agent_id="agt_boss")
        assert TIME.fullmatch(one.pop("created_at"))
        equal(one, {"id": "agt_boss", "name": "agt_boss", "role": "Boss",
                    "type": "ai", "role_type": "manager",
                    "hierarchy_type": "manager", "max_parallel_tasks": 1,
                    "capabilities": ["plan", "日本語"], "status": "active",
                    "ai_type": "cursor", "model": "m", "runs_as": "research"})
        token = login(talk)
        mine = talk.call("get_my_profile", token=token)
        equal(mine["id"], "agt_developer")
        assert "system_prompt" not in mine and "passkey" not in mine
        equal(talk.call("get_my_profile", agent_id="agt_boss")["id"],
              "agt_boss")
        equal(error(talk, "get_my_profile")[0], "MISSING_ARGUMENTS")
        equal(error(talk, "get_agent_profile", agent_id="x"),
              ("AGENT_NOT_FOUND", "Agent not found: x"))
        # Their mailbox is there, and nobody may take it.
        equal(talk.call("agent_get", agent_id="agt_boss")["name"], "agt_boss")


@tap.test
def projects_are_set_up_by_who_may():
    with served() as (home, talk):
        made = project(talk, description="d", working_directory="/srv/x")
        equal({k: made[k] for k in ("id", "name", "status",
                                    "working_directory")},
              {"id": "prj_frontend", "name": "Frontend App",
               "status": "active", "working_directory": "/srv/x"})
        for code, args in (
                ("ALREADY_EXISTS", {"project_id": "prj_frontend"}),
                ("VALIDATION_ERROR", {"project_id": "a b"}),
                ("VALIDATION_ERROR", {"working_directory": "here"})):
            equal(error(talk, "create_project", name="x", **args)[0], code)
        agent(talk, "agt_developer", "prj_frontend")
        agent(talk, "agt_aki", "prj_frontend", type="human")
        task(talk, "tsk_1")
        task(talk, "tsk_2", status="todo")
        whole = talk.call("get_project", project_id="prj_frontend")
        equal([whole["agents"], whole["summary"]], [
            ["agt_aki", "agt_developer"],
            {"total_tasks": 2, "completed_tasks": 0, "in_progress_tasks": 1,
             "blocked_tasks": 0, "total_agents": 2, "ai_agents": 1,
             "human_agents": 1}])
        equal(error(talk, "assign_agent", project_id="prj_frontend",
                    agent_id="agt_developer", assigned=False)[0],
              "VALIDATION_ERROR")
        equal(error(talk, "assign_task", task_id="tsk_1",
                    assignee_id="agt_aki"),
              ("TASK_ACCESS_DENIED", "Cannot reassign task tsk_1 in "
               "in_progress status; its agent hands it over by "
               "create_handoff"))
        talk.call("assign_task", task_id="tsk_2", assignee_id="agt_aki")
        with home.session() as wire:
            wire.call("update_project", project_id="prj_frontend",
                      status="paused")
        equal(starts(talk), (False, "project_not_active"))
        equal(error(talk, "authenticate", agent_id="agt_developer",
                    project_id="prj_frontend", passkey=SECRET)[1],
              "Project is not active")
        equal(talk.call("list_projects")["projects"][0]["status"], "paused")


# ---- who may do what --------------------------------------------------------

@tap.test
def an_agent_acts_for_who_it_has_shown_to_be_alone():
    with served(before=inner.install) as (home, talk):
        frontend(talk)
        task(talk, "tsk_1")
        task(talk, "tsk_2", "agt_reviewer")
        stolen = login(talk, "agt_reviewer")
        _, said = inner.answers(home, talk, [
            ["create_project", {"name": "mine"}],
            ["update_task_status", {"task_id": "tsk_1", "status": "done"}],
            ["get_my_task", {"token": stolen}],
            ["save_context", {"task_id": "tsk_1", "progress": "x",
                              "agent_id": "agt_developer"}],
            ["create_handoff", {"task_id": "tsk_1", "summary": "s",
                                "from_agent_id": "agt_developer"}],
            ["agent_receive_messages", {"agent_id": "agt_developer"}],
            ["authenticate", {"agent_id": "agt_developer",
                              "project_id": "prj_frontend",
                              "passkey": "env:KUROMAJUTSU_PM_KEY"}],
            ["authenticate", {"agent_id": "agt_developer",
                              "project_id": "prj_frontend",
                              "passkey": SECRET}],
            ["save_context", {"task_id": "tsk_1", "progress": "x",
                              "agent_id": "agt_developer"}],
            ["agent_receive_messages", {"agent_id": "agt_developer"}],
            ["agent_receive_messages", {"agent_id": "agt_reviewer"}],
            ["create_handoff", {"task_id": "tsk_2", "summary": "s",
                                "from_agent_id": "agt_reviewer"}],
            ["update_task_status", {"task_id": "tsk_2", "status": "done"}],
            ["update_task_status", {"task_id": "tsk_1", "status": "done"}],
        ])
        codes = [body.get("error_code", body.get("error_type"))
                 if is_error else "ok" for is_error, body in said]
        equal(codes, ["NOT_PERMITTED", "NOT_PERMITTED", "TOKEN_INVALID",
                      "NOT_PERMITTED", "NOT_PERMITTED", "ValidationError",
                      "AUTH_FAILED", "ok", "ok", "ok", "ValidationError",
                      "SESSION_AGENT_MISMATCH", "TASK_ACCESS_DENIED", "ok"])
        equal([status(talk, "tsk_1"), status(talk, "tsk_2")],
              ["done", "in_progress"])


@tap.test
def errors_are_told_in_japanese_too():
    with served("ja") as (_, talk):
        frontend(talk)
        contains(error(talk, "get_task", task_id="x")[1], "見つかりません")
        contains(error(talk, "get_my_task")[1], "authenticate")
        contains(error(talk, "get_task")[1], "必須")


@tap.test
def long_texts_are_told_by_their_beginning():
    with served() as (home, talk):
        frontend(talk)
        text = "長" * 5000
        task(talk, "tsk_1", status="todo", description=text)
        talk.call("save_context", task_id="tsk_1", progress=text)
        talk.call("create_handoff", task_id="tsk_1", summary=text,
                  from_agent_id="agt_developer")
        for type, name in (("pm:task", "description"),
                           ("pm:context", "progress"),
                           ("pm:handoff", "summary")):
            told = until(lambda: events(home, type), type)[-1]["data"]
            equal((told[name], told["truncated"]), (text[:4000], True))
        equal(talk.call("get_task", task_id="tsk_1")["description"], text)


# ---- lists of agents --------------------------------------------------------

@tap.test
def list_agents_has_runs_and_profiles():
    with served() as (_, talk):
        group = talk.call("create_group", description="g",
                          mode="concurrent")["groupId"]
        run = talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": "puppet: report"}])
        run = run["agents"][0]["agentId"]
        talk.call("wait_agent", agentIds=[run])
        before = talk.call("list_agents")
        assert "kind" not in before["agents"][0], before
        frontend(talk)
        both = talk.call("list_agents")
        equal([(a["kind"], a["agentId"]) for a in both["agents"]],
              [("run", run), ("profile", "agt_developer"),
               ("profile", "agt_reviewer"), ("profile", "agt_stranger")])
        equal(both["total"], 4)
        equal(both["agents"][1]["id"], "agt_developer")
        for args, count in (({"kind": "run"}, 1), ({"kind": "profile"}, 3),
                            ({"groupId": group}, 1), ({"status": "all"}, 1)):
            equal(talk.call("list_agents", **args)["total"], count)
        equal(json.loads(talk.result(talk.order(
            "list_agents", {"kind": "profile"}))["content"][0]["text"])
            ["total"], 3)


if __name__ == "__main__":
    tap.run()

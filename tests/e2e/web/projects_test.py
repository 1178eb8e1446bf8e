#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What people see of projects over HTTP, now and at any moment of the past, and
what they change by the feed."""

import contextlib
import sqlite3

from harness import tap
from harness.hub import patient_home
from harness.tools import roles_are_judged
from harness.until import contains, equal, until
from harness.web import Web
from harness.websocket import WebSocket

LISTS = ("projects", "tasks", "agents", "assignments", "sessions", "handoffs")
SECRET = "correct horse"


@contextlib.contextmanager
def planned(language="en"):
    with patient_home(dashboard={"port": 0}, language=language) as home:
        web = Web(home)
        until(lambda: roles_are_judged(web.wire), "checks that are done")
        yield web


def do(web, tool, **args):
    return web.wire.ask(tool, args)


def told(web):
    """The number of the last event, once nothing waits to be told."""
    path = web.home.state("kuromajutsu.db")

    def look():
        with contextlib.closing(sqlite3.connect(path, timeout=30)) as db:
            rest, = db.execute("SELECT count(*) FROM untold").fetchone()
            last, = db.execute("SELECT max(seq) FROM events").fetchone()
        return last if rest == 0 else None
    return until(look, "all events told")


def set_up(web):
    do(web, "create_project", project_id="prj_1", name="One",
       working_directory="/projects/one")
    for id in ("agt_dev", "agt_rev"):
        do(web, "create_agent", agent_id=id, name=id, passkey=SECRET,
           system_prompt="Be brief.")
        do(web, "assign_agent", project_id="prj_1", agent_id=id)
    do(web, "create_task", task_id="tsk_1", project_id="prj_1", title="First",
       assignee_id="agt_dev", status="todo")
    do(web, "create_task", task_id="tsk_2", project_id="prj_1", title="Second",
       dependencies=["tsk_1"])


def login(web, agent):
    return do(web, "authenticate", agent_id=agent, project_id="prj_1",
              passkey=SECRET)["token"]


def counts(board, project="prj_1"):
    one, = [p for p in board["projects"] if p["id"] == project]
    return {k: v for k, v in one["counts"].items() if v}


# ---- now --------------------------------------------------------------------

@tap.test
def without_projects_all_lists_are_empty():
    with planned() as web:
        equal(web.ask("projects"), {name: [] for name in LISTS})
        equal(web.ask("projects?at=1"), {name: [] for name in LISTS})


@tap.test
def a_board_has_all_that_there_is():
    with planned() as web:
        set_up(web)
        do(web, "update_task_status", task_id="tsk_1", status="in_progress")
        token = login(web, "agt_dev")
        do(web, "get_my_task", token=token)
        do(web, "create_handoff", task_id="tsk_1", from_agent_id="agt_dev",
           to_agent_id="agt_rev", summary="yours")
        board = web.ask("projects")
        equal(set(board), set(LISTS))
        equal(counts(board), {"backlog": 1, "in_progress": 1})
        equal([(t["id"], t["status"]) for t in board["tasks"]],
              [("tsk_1", "in_progress"), ("tsk_2", "backlog")])
        equal(board["tasks"][0], {
            k: v for k, v in do(web, "get_task", task_id="tsk_1").items()
            if k != "latest_context"})
        equal([a["id"] for a in board["agents"]], ["agt_dev", "agt_rev"])
        equal(board["assignments"], [
            {"project_id": "prj_1", "agent_id": id, "assigned": True}
            for id in ("agt_dev", "agt_rev")])
        session, = board["sessions"]
        equal([session["agent_id"], session["task_id"]], ["agt_dev", "tsk_1"])
        handoff, = board["handoffs"]
        equal([handoff["summary"], handoff["project_id"]], ["yours", "prj_1"])
        # Nobody is told what proves who one is.
        for secret in (token, SECRET, "Be brief."):
            assert secret not in str(board), secret


@tap.test
def a_board_may_be_of_one_project():
    with planned() as web:
        set_up(web)
        do(web, "create_project", project_id="prj_2", name="Two")
        do(web, "create_task", task_id="tsk_there", project_id="prj_2",
           title="There")
        board = web.ask("projects?project_id=prj_2")
        equal([p["id"] for p in board["projects"]], ["prj_2"])
        equal([t["id"] for t in board["tasks"]], ["tsk_there"])
        equal([board["assignments"], len(board["agents"])], [[], 2])
        said = web.ask("projects?project_id=prj_x", 404)
        equal(said["code"], "PROJECT_NOT_FOUND")


@tap.test
def long_texts_are_cut_and_marked():
    with planned() as web:
        set_up(web)
        text = "長" * 5000
        do(web, "update_task", task_id="tsk_1", description=text)
        seq = told(web)
        do(web, "update_task", task_id="tsk_1", description="short")
        task = web.ask(f"projects?at={seq}")["tasks"][0]
        equal([task["description"], task["truncated"]], [text[:4000], True])
        task = web.ask("projects")["tasks"][0]
        equal([task["description"], "truncated" in task], ["short", False])


@tap.test
def a_task_has_all_that_became_of_it():
    with planned() as web:
        set_up(web)
        do(web, "update_task_status", task_id="tsk_1", status="in_progress")
        token = login(web, "agt_dev")
        do(web, "get_my_task", token=token)
        for words in ("began", "half"):
            do(web, "save_context", task_id="tsk_1", progress=words,
               token=token)
        do(web, "create_handoff", task_id="tsk_1", from_agent_id="agt_dev",
           summary="x" * 5000)
        do(web, "report_completed", token=token, result="success")
        told(web)
        seen = web.ask("projects/tasks/tsk_1")
        equal([c["progress"] for c in seen["contexts"]], ["began", "half"])
        equal(len(seen["handoffs"]), 1)
        equal([(c["event"], c.get("previous_state"), c.get("new_state"),
                c.get("by")) for c in seen["history"]],
              [("started", None, None, "agt_dev"),
               ("status_changed", "todo", "in_progress", None),
               ("created", None, None, None)])
        equal([c["seq"] for c in seen["history"]],
              sorted((c["seq"] for c in seen["history"]), reverse=True))
        # Before it there was none, and at its beginning nothing of it.
        first = seen["history"][-1]["seq"]
        equal(web.ask(f"projects/tasks/tsk_1?at={first - 1}", 404)["code"],
              "TASK_NOT_FOUND")
        then = web.ask(f"projects/tasks/tsk_1?at={first}")
        equal([then["task"]["status"], then["contexts"], then["handoffs"],
               len(then["history"])], ["todo", [], [], 1])
        equal(web.ask("projects/tasks/tsk_x", 404)["code"], "TASK_NOT_FOUND")


# ---- then -------------------------------------------------------------------

def steps(web):
    """One change after the other, of every kind that is seen."""
    yield lambda: do(web, "create_project", project_id="prj_1", name="One")
    yield lambda: do(web, "create_agent", agent_id="agt_dev", name="Dev",
                     passkey=SECRET)
    yield lambda: do(web, "create_agent", agent_id="agt_rev", name="Rev",
                     passkey=SECRET)
    for id in ("agt_rev", "agt_dev"):
        yield lambda id=id: do(web, "assign_agent", project_id="prj_1",
                               agent_id=id)
    for i in (3, 1, 2):
        yield lambda i=i: do(web, "create_task", task_id=f"tsk_{i}",
                             project_id="prj_1", title=str(i), status="todo",
                             assignee_id="agt_dev")
    yield lambda: do(web, "update_task", task_id="tsk_1", priority="urgent",
                     dependencies=["tsk_3"])
    yield lambda: do(web, "update_task_status", task_id="tsk_3",
                     status="in_progress")
    token = []
    yield lambda: token.append(login(web, "agt_dev"))
    yield lambda: do(web, "get_my_task", token=token[0])
    yield lambda: do(web, "save_context", task_id="tsk_3", progress="half")
    yield lambda: do(web, "create_handoff", task_id="tsk_3", summary="yours",
                     from_agent_id="agt_dev", to_agent_id="agt_rev")
    yield lambda: do(web, "logout", token=token[0])
    yield lambda: do(web, "accept_handoff", agent_id="agt_rev",
                     handoff_id=web.ask("projects")["handoffs"][0]["id"])
    yield lambda: do(web, "update_task_status", task_id="tsk_3",
                     status="blocked", reason="rain")
    yield lambda: do(web, "update_project", project_id="prj_1",
                     status="paused", name="Uno")
    yield lambda: do(web, "update_agent", agent_id="agt_rev", role="Reviewer")
    yield lambda: do(web, "update_task_status", task_id="tsk_3", status="todo")
    yield lambda: do(web, "assign_task", task_id="tsk_3",
                     assignee_id="agt_dev")
    yield lambda: do(web, "assign_agent", project_id="prj_1",
                     agent_id="agt_rev", assigned=False)


@tap.test
def every_moment_is_as_it_was_shown_then():
    with planned() as web:
        shown = []

        def look():
            seq = told(web)
            shown.append((seq, web.ask("projects"), [
                (t["id"], web.ask(f"projects/tasks/{t['id']}"))
                for t in web.ask("projects")["tasks"]]))
        look()
        for step in steps(web):
            step()
            look()
        equal(len({seq for seq, _, _ in shown}), len(shown))
        for hub in range(2):
            for seq, board, tasks in shown:
                equal(web.ask(f"projects?at={seq}"), board)
                for id, was in tasks:
                    equal(web.ask(f"projects/tasks/{id}?at={seq}"), was)
            if hub == 0:
                web.restart(is_killed=True)
        # By a time as well, which is that of the last event before.
        at = web.ask("events?limit=5000")["events"]
        for seq, board, _ in shown[-5:]:
            when, = [e["at"] for e in at if e["seq"] == seq]
            after = [e for e in at if e["seq"] > seq
                     and e["at"] == when]
            if not after:
                equal(web.ask(f"projects?at={when}"), board)


@tap.test
def a_moment_that_is_none_is_refused():
    with planned() as web:
        set_up(web)
        for at in ("999999", "yesterday"):
            for path in ("projects", "projects/tasks/tsk_1"):
                said = web.ask(f"{path}?at={at}", 400)
                equal(said["code"], "VALIDATION_ERROR")
                contains(said["message"], "at" if at[0] == "y" else at)


# ---- by the feed ------------------------------------------------------------

class Person:
    """Who changes projects in a browser."""

    def __init__(self, socket):
        self.socket, self.last = socket, 0

    def ask(self, type, **data):
        self.last += 1
        self.socket.say({"type": f"pm:{type}", "id": self.last, "data": data,
                         "language": "en"})
        return until(lambda: (m := self.socket.event()).get("id") == self.last
                     and m, f"answer to {type}")

    def do(self, type, **data):
        said = self.ask(type, **data)
        equal(said["success"], True)
        return said["data"]

    def refused(self, type, **data):
        said = self.ask(type, **data)
        equal(said["success"], False)
        return said["error"]["code"]


@tap.test
def people_change_projects_by_the_feed():
    with planned() as web, WebSocket(
            web.port, "/ws", origin=f"http://127.0.0.1:{web.port}") as socket:
        person = Person(socket)
        person.do("create_project", project_id="prj_1", name="One")
        person.do("update_project", project_id="prj_1", name="Uno")
        made = person.do("create_agent", agent_id="agt_1", name="A")
        assert len(made["passkey"]) >= 32, made
        drawn = person.do("set_passkey", agent_id="agt_1")["passkey"]
        assert drawn != made["passkey"], drawn
        person.do("update_agent", agent_id="agt_1", role="Dev")
        person.do("assign_agent", project_id="prj_1", agent_id="agt_1")
        person.do("create_task", task_id="tsk_1", project_id="prj_1",
                  title="T")
        person.do("update_task", task_id="tsk_1", title="Title")
        person.do("assign_task", task_id="tsk_1", assignee_id="agt_1")
        for status in ("todo", "in_progress"):
            person.do("move_task", task_id="tsk_1", status=status)
        # Only a person takes back what an agent has begun.
        person.do("move_task", task_id="tsk_1", status="todo")
        board = web.ask("projects")
        equal([board["projects"][0]["name"], board["agents"][0]["role"],
               board["tasks"][0]["title"], board["tasks"][0]["status"]],
              ["Uno", "Dev", "Title", "todo"])
        for type, data, code in (
                ("move_task", {"task_id": "tsk_1", "status": "done"},
                 "INVALID_STATUS_TRANSITION"),
                ("move_task", {"task_id": "tsk_x", "status": "todo"},
                 "TASK_NOT_FOUND"),
                ("move_task", {"status": "todo"}, "VALIDATION_ERROR"),
                ("create_task", {"project_id": "prj_x", "title": "t"},
                 "PROJECT_NOT_FOUND"),
                ("create_project", {"name": "x", "project_id": "prj_1"},
                 "ALREADY_EXISTS"),
                ("create_agent", {"name": "x", "passkey": "short"},
                 "VALIDATION_ERROR")):
            equal(person.refused(type, **data), code)
        equal(do(web, "authenticate", agent_id="agt_1", project_id="prj_1",
                 passkey=drawn)["agent_name"], "A")


if __name__ == "__main__":
    tap.run()

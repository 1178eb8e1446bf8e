# SPDX-License-Identifier: MIT
"""Clients of the tools of projects, and what they are answered."""

import contextlib
import re
import sqlite3

from harness.hub import patient_home
from harness.until import equal, until

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
ALL = ["kuro", "mail", "phases", "pm", "pm_admin"]
SECRET = "correct horse"


@contextlib.contextmanager
def served(language="en", before=lambda home: None, **settings):
    """A home with a hub, and a client of all its tools."""
    with patient_home(toolsets=ALL, **settings) as home:
        home.set(KUROMAJUTSU_LANGUAGE=language)
        if "runner" in settings:
            home.trust()
        before(home)
        yield home, another(home)


def another(home, **env):
    talk = home.relay(**env).talk
    talk.hello()
    talk.learn()
    return talk


def error(talk, tool, **args):
    """The code and the text of a call that is refused, in their manner."""
    result = talk.refused(tool, **args)
    body = result["structuredContent"]
    text, = result["content"]
    equal(text["text"], f"Error: {body['error']}")
    equal(body["success"], False)
    assert set(body) <= {"success", "error", "error_code", "details"}, body
    return body["error_code"], body["error"]


def project(talk, id="prj_frontend", **more):
    return talk.call("create_project", project_id=id, name="Frontend App",
                     **more)["project"]


def agent(talk, id, *projects, name=None, **more):
    """Makes one and assigns it; its passkey."""
    made = talk.call("create_agent", agent_id=id, name=name or id,
                     passkey=SECRET, **more)
    for one in projects:
        talk.call("assign_agent", project_id=one, agent_id=id)
    return made


def task(talk, id, assignee="agt_developer", status="in_progress",
         project="prj_frontend", **more):
    talk.call("create_task", task_id=id, project_id=project, title=f"Do {id}",
              assignee_id=assignee, status="todo", **more)
    if status == "in_progress":
        move(talk, id, status)


def move(talk, id, status, **more):
    return talk.call("update_task_status", task_id=id, status=status, **more)


def login(talk, agent="agt_developer", project="prj_frontend", passkey=SECRET):
    return talk.call("authenticate", agent_id=agent, project_id=project,
                     passkey=passkey)["token"]


def status(talk, id):
    return talk.call("get_task", task_id=id)["status"]


def starts(talk, agent="agt_developer", project="prj_frontend"):
    said = talk.call("should_start", agent_id=agent, project_id=project)
    return said["should_start"], said["reason"]


def rows(home, sql, *args):
    """What the database has."""
    db = sqlite3.connect(home.state("kuromajutsu.db"), timeout=30)
    with contextlib.closing(db):
        with db:
            return db.execute(sql, args).fetchall()


def events(home, type):
    """All of that type, the oldest first."""
    with home.session() as wire:
        return wire.call("events", type=type, limit=1000)["events"]


def frontend(talk):
    """The usual scene: one project, a developer and a reviewer in it, and one
    who is not."""
    project(talk, working_directory="/projects/frontend")
    agent(talk, "agt_developer", "prj_frontend", system_prompt="Be brief.")
    agent(talk, "agt_reviewer", "prj_frontend", role="Reviewer")
    agent(talk, "agt_stranger")


# ---- the runner --------------------------------------------------------------

FAST = {"enabled": True, "interval_ms": 200, "cooldown_ms": 100,
        "cooldownMax_ms": 200}


def scene(home, talk, **more):
    """One project in the home's own directory, two agents in it."""
    project(talk, working_directory=str(home.project), **more)
    agent(talk, "agt_developer", "prj_frontend", system_prompt="Be brief.")
    agent(talk, "agt_reviewer", "prj_frontend")


def todo(talk, id, what="puppet: worker", assignee="agt_developer", **more):
    task(talk, id, assignee, "todo", description=what, **more)


def nothing_is_left(home, talk):
    """No agent, no session, no instance, no process."""
    until(lambda: not rows(home, "SELECT 1 FROM pm_instances WHERE"
                           " ended_at = 0"), "no instance")
    equal(rows(home, "SELECT * FROM pm_sessions"), [])
    equal(rows(home, "SELECT * FROM mail_actors"), [])
    home.settle(talk)

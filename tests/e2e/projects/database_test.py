#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A database that is named by --db: a hub of its own, which all who name it
meet in, and what may not become one."""

import contextlib
import hashlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess

from harness import tap
from harness.hub import patient_home
from harness.tools import start_agents, wait_for
from harness.until import DEADLINE, contains, equal, until

ADMIN = "pm,pm_admin"


@contextlib.contextmanager
def place(**settings):
    """A home with two directories and one for databases."""
    with patient_home(**settings) as h:
        h.other = h.folder("other")
        h.data = h.folder("data")
        h.file = h.data / "pm.db"
        h.set(KUROMAJUTSU_LANGUAGE="en")
        yield h


def relay(h, *words, where=None, **env):
    """A client's server, started there."""
    was, h.project = h.project, where or h.project
    try:
        server = h.start("mcp", *words, **env)
    finally:
        h.project = was
    server.talk.hello()
    return server.talk


def run(h, *words, where=None, **env):
    done = subprocess.run([h.path("kuromajutsu"), *words],
                          cwd=where or h.project, env={**h.env, **env},
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=DEADLINE, check=False)
    return done.returncode, done.stdout, done.stderr


def data(h, *words, **more):
    code, out, err = run(h, *words, "--json", **more)
    equal((code, err), (0, ""))
    return json.loads(out)


def states(h):
    """The state directories that there are."""
    return sorted(d.name for d in h.home.glob("*") if d.is_dir())


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


# ---- as its specification shows it ------------------------------------------

@tap.test
def it_stands_alone_with_nothing_but_a_file():
    """mcp-server-pm --db "/path/to/data.db", and the session it describes."""
    with place() as h:
        (h.project / "kuromajutsu.config.yaml").unlink(missing_ok=True)
        admin = relay(h, "--toolsets", ADMIN, "--db", str(h.file))
        admin.learn()
        admin.call("create_project", project_id="prj_frontend",
                   name="Frontend App", working_directory="/projects/frontend")
        equal(os.stat(h.file).st_mode & 0o777, 0o600)
        key = admin.call("create_agent", agent_id="agt_developer",
                         name="frontend-dev")["passkey"]
        admin.call("assign_agent", project_id="prj_frontend",
                   agent_id="agt_developer")
        admin.call("create_task", task_id="tsk_1", project_id="prj_frontend",
                   title="Do it", assignee_id="agt_developer", status="todo")
        admin.call("update_task_status", task_id="tsk_1", status="in_progress")
        admin.close()
        runner = relay(h, "--toolsets", "pm", "--db", str(h.file))
        names = {t["name"] for t in runner.request(
            "tools/list")["result"]["tools"]}
        assert {"health_check", "authenticate", "list_agents"} <= names, names
        assert not {"run_agents", "create_project"} & names, names
        said = runner.call("health_check")
        equal([said["status"], said["agent_count"], said["project_count"]],
              ["ok", 1, 1])
        equal(runner.call("list_active_projects_with_agents")["projects"], [
            {"project_id": "prj_frontend", "project_name": "Frontend App",
             "working_directory": "/projects/frontend",
             "agents": ["agt_developer"]}])
        equal(runner.call("should_start", agent_id="agt_developer",
                          project_id="prj_frontend")["should_start"], True)
        instance = relay(h, "--toolsets", "pm", f"--db={h.file}",
                         where=h.other)
        token = instance.call("authenticate", agent_id="agt_developer",
                              passkey=key, project_id="prj_frontend")["token"]
        equal(instance.call("get_my_task", token=token)["task"]["task_id"],
              "tsk_1")
        instance.call("report_completed", token=token, result="success",
                      summary="done")
        equal(runner.call("should_start", agent_id="agt_developer",
                          project_id="prj_frontend")["reason"], "no_task")
        equal(len(states(h)), 1)
        with contextlib.closing(sqlite3.connect(h.file)) as db:
            equal(db.execute("SELECT status FROM pm_tasks").fetchall(),
                  [("done",)])


# ---- who meets --------------------------------------------------------------

@tap.test
def all_who_name_it_meet_in_one_hub():
    with place() as h:
        link = h.other / "link.db"
        link.symlink_to("../data/pm.db")  # which is not there yet
        talks = [relay(h, "--toolsets", ADMIN, *words, where=where, **env)
                 for where, words, env in (
                     (h.project, ("--db", str(h.file)), {}),
                     (h.other, ("--db", "link.db"), {}),
                     (h.data, ("--db", "./pm.db"), {}),
                     (h.other, (), {"KUROMAJUTSU_DB": "../data/pm.db"}))]
        for i, talk in enumerate(talks):
            talk.call("create_project", project_id=f"prj_{i}", name=f"P{i}")
            for other in talks:
                equal(other.call("list_projects")["total"], i + 1)
        equal(len(states(h)), 1)
        until(lambda: len(h.living("kuromajutsu-hub")) == 1, "one hub alone")
        for words, where in ((("--db", "link.db"), h.other),
                             (("--db", str(h.file)), h.project)):
            equal(data(h, "pm", "projects", *words, where=where)["total"], 4)
            status = data(h, "status", *words, where=where)
            equal(status["database"], os.path.realpath(h.file))
        contains(run(h, "hubs")[1], str(os.path.realpath(h.file)))
        # The project has a hub of its own.
        equal(run(h, "status")[0], 3)
        mine = relay(h, "--toolsets", ADMIN)
        equal(mine.call("list_projects")["total"], 0)
        equal(len(states(h)), 2)
        equal(run(h, "stop", "--db", str(h.file))[0], 0)
        equal(run(h, "status", "--db", str(h.file))[0], 3)
        equal(run(h, "status")[0], 0)


@tap.test
def commands_start_it_and_read_it_without():
    with place() as h:
        db = ("--db", "data/pm.db")
        code, _, err = run(h, "pm", "projects", *db, where=h.top)
        equal(code, 3)
        contains(err, f"kuromajutsu start --db '{os.path.realpath(h.data)}")
        equal(run(h, "start", *db, where=h.top)[0], 0)
        equal(run(h, "pm", "setup", *db, where=h.top)[0], 0)
        before = data(h, "pm", "projects", *db, where=h.top)
        pid = data(h, "status", *db, where=h.top)["pid"]
        os.kill(pid, signal.SIGKILL)
        until(lambda: not os.path.exists(f"/proc/{pid}"), "its end")
        now = data(h, "pm", "projects", *db, where=h.top)
        equal((now.pop("hub"), now), (False, before))
        equal(data(h, "pm", "show", "prj_default", where=h.project,
                   KUROMAJUTSU_DB=str(h.file))["agents"], ["agt_claude"])
        code, _, err = run(h, "history", *db, where=h.top)
        equal((code, err), (0, ""))


@tap.test
def a_hub_that_is_killed_is_followed_by_another():
    with place() as h:
        one = relay(h, "--toolsets", ADMIN, "--db", str(h.file))
        two = relay(h, "--toolsets", ADMIN, "--db", str(h.file), where=h.other)
        for i in range(3):
            one.call("create_project", project_id=f"prj_{i}", name="P")
            os.kill(data(h, "status", "--db", str(h.file))["pid"],
                    signal.SIGKILL)
            equal(two.call("list_projects")["total"], i + 1)
            equal(one.call("get_project", project_id=f"prj_{i}")["project"][
                "id"], f"prj_{i}")
        equal(len(states(h)), 1)


@tap.test
def agents_of_it_are_told_of_no_database():
    """They find their hub by its socket, and see its projects."""
    with place() as h:
        told = h.top / "told"
        h.set(KUROMAJUTSU_AGENT_COMMAND=None)
        cli = h.top / "agent"
        cli.write_text(
            f'#!/bin/sh\ncase "$*" in *"puppet: report"*) '
            f'env > {told}; {h.path("kuromajutsu")} pm projects --json '
            f'>> {told} 2>&1;; esac\nexec {h.path("kuromajutsu-puppet")} "$@"\n')
        cli.chmod(0o700)
        h.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))
        talk = relay(h, "--toolsets", "kuro,pm_admin", "--db", str(h.file))
        talk.call("create_project", project_id="prj_seen", name="P")
        id, = start_agents(talk, "report")
        wait_for(talk, id)
        text = told.read_text()
        assert "KUROMAJUTSU_DB" not in text, text
        contains(text, "prj_seen")


# ---- what is refused --------------------------------------------------------

def refusals(h, path, reason, untouched=True):
    """By commands and by clients, with the reason; nothing is changed."""
    before = digest(path) if path.is_file() else None
    beside = sorted(p.name for p in path.parent.iterdir())
    code, _, err = run(h, "start", "--db", str(path))
    equal(code, 1)
    contains(err, reason)
    code, _, err = run(h, "serve", "--db", str(path))
    equal(code, 2)
    contains(err, reason)
    talk = relay(h, "--toolsets", ADMIN, "--db", str(path))
    contains(json.dumps(talk.refused("list_projects")), reason)
    talk.close()
    if untouched:
        equal(digest(path), before)
        equal(sorted(p.name for p in path.parent.iterdir()), beside)


@tap.test
def what_is_no_database_of_ours_stays_as_it_is():
    with place() as h:
        text = h.data / "notes.txt"
        text.write_text("not a database, and longer than a header: " * 9)
        refusals(h, text, "is not a database")
        for name, mode in (("rollback.db", "DELETE"), ("log.db", "WAL")):
            path = h.data / name
            with contextlib.closing(sqlite3.connect(path)) as db:
                db.execute(f"PRAGMA journal_mode = {mode}")
                db.execute("CREATE TABLE theirs(x)")
                db.execute("INSERT INTO theirs VALUES(1)")
                db.commit()
            refusals(h, path, "another program's database")
            code, _, err = run(h, "pm", "projects", "--db", str(path))
            equal(code, 1)
            contains(err, "another program's database")
        code, _, err = run(h, "serve", "--db", str(text),
                           KUROMAJUTSU_LANGUAGE="ja")
        equal(code, 2)
        contains(err, "データベースではありません")


@tap.test
def where_there_is_no_place_it_is_said_at_once():
    with place() as h:
        for path, reason in ((h.top / "none/pm.db", "no directory"),
                             (h.data, "no file"),
                             (f"{h.data}/pm.db/", "no directory")):
            for words in (("status",), ("serve",), ("mcp",), ("start",),
                          ("pm", "projects"), ("mcp-config",)):
                code, out, err = run(h, *words, "--db", str(path))
                equal((words, code, out), (words, 2, ""))
                contains(err, reason)
        equal(run(h, "status", "--db")[0], 2)
        equal(run(h, "status", "--db=")[0], 2)
        equal(states(h), [])
        assert not (h.top / "none").exists()
        code, _, err = run(h, "status", "--db", str(h.data),
                           KUROMAJUTSU_LANGUAGE="ja")
        contains(err, "ファイルではありません")


@tap.test
def two_names_of_one_file_are_no_two_hubs():
    with place() as h:
        equal(run(h, "start", "--db", str(h.file))[0], 0)
        twin = h.data / "twin.db"
        os.link(h.file, twin)
        refusals(h, twin, "another hub has this database open",
                 untouched=False)
        # Nor is one that was moved under a hub's feet.
        moved = h.data / "moved.db"
        twin.unlink()
        h.file.rename(moved)
        code, _, err = run(h, "start", "--db", str(moved))
        equal(code, 1)
        contains(err, "another hub has this database open")


@tap.test
def what_another_hub_left_waiting_is_not_begun():
    """A database may come with a checkout: what it holds is no order."""
    with place() as h:
        talk = relay(h, "--toolsets", "kuro", "--db", str(h.file))
        id, = start_agents(talk, "report")
        wait_for(talk, id)
        until(lambda: data(h, "show", id, "--db", str(h.file))["gone"], "gone")
        talk.close()
        equal(run(h, "stop", "--db", str(h.file))[0], 0)
        fine, waiting = h.data / "fine.db", h.data / "waiting.db"
        shutil.copy(h.file, fine)
        shutil.copy(h.file, waiting)
        with contextlib.closing(sqlite3.connect(waiting)) as db:
            db.execute("UPDATE agents SET state = 'queued', gone_at = 0, "
                       "started_at = 0, finished_at = 0, outcome = ''")
            db.commit()
        refusals(h, waiting, "have not ended")
        equal(len(data(h, "agents", "--db", str(waiting))["agents"]), 1)
        equal(run(h, "start", "--db", str(fine))[0], 0)
        equal(run(h, "stop", "--db", str(fine))[0], 0)
        # Its own hub goes on with what waits.
        equal(run(h, "start", "--db", str(h.file))[0], 0)


# ---- which settings hold ----------------------------------------------------

@tap.test
def settings_are_those_of_where_it_was_started():
    with place() as h:
        (h.other / "kuromajutsu.config.yaml").write_text(
            "language: en\ndashboard: {port: 0, host: 0.0.0.0}\n")
        equal(run(h, "start", "--db", str(h.file), where=h.other)[0], 0)
        said = data(h, "status", "--db", str(h.file))
        equal(said["config"],
              os.path.realpath(h.other / "kuromajutsu.config.yaml"))
        # A checkout's settings wait for trust as they do without it.
        equal(said["withheld"], ["dashboard.host"])
        equal(run(h, "stop", "--db", str(h.file))[0], 0)
        equal(run(h, "start", "--db", str(h.file), "--project",
                  str(h.project), where=h.other)[0], 0)
        said = data(h, "status", "--db", str(h.file))
        equal(said["config"], os.path.realpath(h.config))


# ---- entries of clients -----------------------------------------------------

@tap.test
def an_entry_names_database_and_toolsets():
    with place() as h:
        def entry(*words):
            code, out, err = run(h, "mcp-config", *words, where=h.project)
            equal(code, 0)
            return json.loads(out)["mcpServers"]["kuromajutsu"]["args"]

        here = os.path.realpath(h.project)
        equal(entry(), ["mcp", "--project", here, "--toolsets", "kuro,mail"])
        equal(entry("--toolsets", "pm", "--db", "../data/pm.db"),
              ["mcp", "--project", here, "--db", os.path.realpath(h.file),
               "--toolsets", "pm"])
        out = run(h, "mcp-config", "--for", "codex", "--db", str(h.file))[1]
        contains(out, f'"--db", "{os.path.realpath(h.file)}", "--toolsets", '
                      '"kuro,mail"]')
        for wrong in ("mial", "kuro,", "kuro,,mail", ""):
            code, out, err = run(h, "mcp-config", "--toolsets", wrong)
            equal((wrong, code, out), (wrong, 2, ""))
        contains(run(h, "mcp-config", "--toolsets", "mial")[2], "mail")
        # What it says works.
        server = h.start(*entry("--toolsets", "pm", "--db", str(h.file)))
        server.talk.hello()
        equal(server.talk.call("health_check")["status"], "ok")


if __name__ == "__main__":
    tap.run()

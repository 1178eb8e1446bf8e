#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Projects, their tasks and who does them, by `kuromajutsu pm`."""

import json
import os
import pathlib
import pty
import re
import select
import shlex
import signal
import subprocess
import unicodedata

from harness import tap
from harness.command import CommandHome, served
from harness.tools import wait_for
from harness.until import DEADLINE, contains, equal

SECRET = "correct horse"
FILE = {
    "projects": [
        {"project_id": "prj_shop", "name": "Tea shop",
         "working_directory": "/srv/shop", "status": "paused"},
        {"project_id": "prj_site", "name": "Site"}],
    "agents": [
        {"agent_id": "agt_dev", "name": "Dev", "passkey": SECRET,
         "parent_agent_id": "agt_boss", "capabilities": ["c", "sql"]},
        {"agent_id": "agt_boss", "name": "Boss", "hierarchy_type": "manager"},
        {"agent_id": "agt_aki", "name": "Aki", "type": "human"}],
    "assignments": [{"project_id": "prj_site", "agent_id": "agt_dev"},
                    {"project_id": "prj_site", "agent_id": "agt_boss"}],
    "tasks": [
        # What it depends on comes later.
        {"task_id": "tsk_test", "project_id": "prj_site", "title": "Test it",
         "dependencies": ["tsk_make"], "parent_task_id": "tsk_all"},
        {"task_id": "tsk_make", "project_id": "prj_site", "title": "Make it",
         "assignee_id": "agt_dev", "status": "todo", "priority": "urgent"},
        {"task_id": "tsk_all", "project_id": "prj_site", "title": "All"}]}


def pm(h, *words, **more):
    """What it says; it went well."""
    run = h.run("pm", *words, **more)
    equal((words, run.returncode, run.err), (words, 0, ""))
    return run.out


def data(h, *words, **more):
    return json.loads(pm(h, *words, "--json", **more))


def refused(h, *words, code=1, **more):
    run = h.run("pm", *words, **more)
    equal((words, run.returncode, run.out), (words, code, ""))
    return run.err


def imported(h, value=None, *words):
    return h.run("pm", "import", "-", *words,
                 given=json.dumps(FILE if value is None else value))


def login(h, agent, passkey, project="prj_site"):
    """Whether it is let in, by an MCP client."""
    talk = h.relay().talk
    talk.hello()
    said = talk.use("authenticate", agent_id=agent, passkey=passkey,
                    project_id=project)
    talk.close()
    return not said[0]


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


# ---- every verb -------------------------------------------------------------

@tap.test
def projects_are_made_changed_and_listed():
    with served() as h:
        contains(pm(h, "projects"), "pm setup")
        equal(pm(h, "projects", "add", "Tea shop", "--id", "prj_tea",
                 "--directory", "."), "project prj_tea was made\n")
        drawn = data(h, "projects", "add", "Other", "--directory", "not/there",
                     "--description", "")["project"]
        assert re.fullmatch("prj_[0-9a-f]{12}", drawn["id"]), drawn
        here = os.path.realpath(h.project)
        equal(drawn["working_directory"], f"{here}/not/there")
        equal(pm(h, "projects", "set", "prj_tea", "--name", "Tea", "--status",
                 "paused", "--description", "green"),
              "project prj_tea was changed\n")
        first, second = data(h, "projects", "list")["projects"]
        equal([first["name"], first["status"], first["description"],
               first["working_directory"], second["id"]],
              ["Tea", "paused", "green", here, drawn["id"]])
        pm(h, "projects", "set", "prj_tea", "--directory", "")
        equal("working_directory" in data(h, "projects")["projects"][0], False)
        contains(pm(h, "projects"), "prj_tea")
        contains(refused(h, "projects", "add", "x", "--id", "prj_tea"),
                 "prj_tea")
        contains(refused(h, "projects", "set", "prj_x", "--name", "y"),
                 "Project not found: prj_x")


@tap.test
def a_passkey_is_shown_once_and_never_typed_as_a_word():
    with served() as h:
        pm(h, "projects", "add", "Site", "--id", "prj_site")
        out = pm(h, "agents", "add", "Dev", "--id", "agt_dev", "--role",
                 "Backend", "--ai-type", "claude", "--role-type", "tester",
                 "--can", "c,sql", "--max-tasks", "3", "--model", "opus")
        shown, = re.findall(r"passkey of agt_dev: (\w{40})\n", out)
        equal(pm(h, "assign", "agt_dev", "prj_site"),
              "agt_dev works in prj_site\n")
        assert login(h, "agt_dev", shown)
        agent, = data(h, "agents")["agents"]
        equal([agent[k] for k in ("role", "ai_type", "role_type",
                                  "capabilities", "max_parallel_tasks",
                                  "model")],
              ["Backend", "claude", "tester", ["c", "sql"], 3, "opus"])
        assert shown not in pm(h, "agents") + pm(h, "show", "agt_dev")
        # Another, drawn or given; then the one before is wrong.
        pm(h, "agents", "add", "Two", "--id", "agt_two", "--stdin",
           given=f"{SECRET}\nmore\n")
        pm(h, "assign", "agt_two", "prj_site")
        other = data(h, "agents", "passkey", "agt_two")["passkey"]
        assert not login(h, "agt_two", SECRET)
        equal(pm(h, "agents", "passkey", "agt_two", "--stdin", given=SECRET),
              "agent agt_two has a new passkey\n")
        assert not login(h, "agt_two", other)
        assert login(h, "agt_two", SECRET)
        contains(refused(h, "agents", "passkey", "agt_two", "--stdin",
                         given="short\n"), "8")
        contains(refused(h, "agents", "passkey", "agt_two", "--stdin",
                         given=""), "--stdin")
        refused(h, "agents", "passkey", "agt_two", SECRET, code=2)
        refused(h, "agents", "passkey", "agt_two", f"--stdin={SECRET}", code=2)


@tap.test
def what_is_typed_is_not_shown():
    with served() as h:
        pm(h, "agents", "add", "Dev", "--id", "agt_dev")
        ours, its = pty.openpty()
        run = subprocess.Popen(
            [h.path("kuromajutsu"), "pm", "agents", "passkey", "agt_dev",
             "--stdin"], env=h.env, cwd=h.project, stdin=its, stdout=its,
            stderr=its)
        os.close(its)
        seen = b""

        def read_until(what):
            nonlocal seen
            while what not in seen:
                ready, _, _ = select.select([ours], [], [], DEADLINE)
                assert ready, seen
                seen += os.read(ours, 4096)

        read_until(b"passkey: ")
        os.write(ours, f"{SECRET}\n".encode())
        read_until(b"new passkey")
        equal(run.wait(DEADLINE), 0)
        os.close(ours)
        assert SECRET.encode() not in seen, seen


@tap.test
def agents_are_changed():
    with served() as h:
        pm(h, "agents", "add", "Dev", "--id", "agt_dev", "--model", "opus")
        (h.project / "prompt.md").write_text("Be brief.\n")
        equal(pm(h, "agents", "set", "agt_dev", "--name", "Dev 2", "--status",
                 "suspended", "--model", "", "--runs-as", "impl-code",
                 "--rank", "manager", "--prompt-file", "prompt.md"),
              "agent agt_dev was changed\n")
        agent = data(h, "show", "agt_dev")["agent"]
        equal([agent["name"], agent["status"], "model" in agent,
               agent["runs_as"], agent["hierarchy_type"]],
              ["Dev 2", "suspended", False, "impl-code", "manager"])
        contains(refused(h, "agents", "set", "agt_dev", "--prompt-file",
                         "none.md", code=2), "none.md")
        contains(refused(h, "agents", "set", "agt_x", "--name", "y"), "agt_x")


@tap.test
def tasks_are_made_moved_and_given():
    with served() as h:
        equal(imported(h).returncode, 0)
        equal(pm(h, "tasks", "add", "prj_site", "More", "--id", "tsk_more",
                 "--assignee", "agt_dev", "--priority", "high", "--needs",
                 "tsk_make,tsk_all", "--minutes", "30", "--status", "todo"),
              "task tsk_more was made\n")
        made = data(h, "show", "tsk_more")["task"]
        equal([sorted(made["dependencies"]), made["estimated_minutes"],
               made["priority"]], [["tsk_all", "tsk_make"], 30, "high"])
        contains(refused(h, "tasks", "move", "tsk_more", "in_progress"),
                 "tsk_make")
        equal(pm(h, "tasks", "move", "tsk_make", "in_progress"),
              "tsk_make: todo -> in_progress\n")
        # A person takes back what an agent may not.
        equal(pm(h, "tasks", "move", "tsk_make", "todo", "--reason", "later"),
              "tsk_make: in_progress -> todo\n")
        contains(refused(h, "tasks", "move", "tsk_make", "done"), "done")
        equal(pm(h, "tasks", "assign", "tsk_make"),
              "task tsk_make is nobody's\n")
        equal(pm(h, "tasks", "assign", "tsk_make", "agt_boss"),
              "task tsk_make is agt_boss's\n")
        contains(refused(h, "tasks", "assign", "tsk_make", "agt_aki"),
                 "agt_aki")
        equal(pm(h, "tasks", "set", "tsk_more", "--title", "Less", "--needs",
                 "", "--parent", "tsk_all"), "task tsk_more was changed\n")
        made = data(h, "show", "tsk_more")["task"]
        equal([made["title"], made["dependencies"], made["parent_task_id"]],
              ["Less", [], "tsk_all"])
        for words, wanted in (((), 4), (("--in", "prj_site"), 4),
                              (("--in", "prj_shop"), 0),
                              (("--assignee", "agt_boss"), 1),
                              (("--status", "todo"), 2),
                              (("--limit", "1"), 1)):
            equal((words, len(data(h, "tasks", *words)["tasks"])),
                  (words, wanted))
        contains(pm(h, "tasks", "--limit", "1"), "and 3 more")
        contains(refused(h, "tasks", "--in", "prj_x"), "prj_x")


@tap.test
def who_works_where_and_what_was_handed_over():
    with served() as h:
        equal(imported(h).returncode, 0)
        equal(pm(h, "handoffs"), "No handoff is waiting.\n")
        pm(h, "tasks", "move", "tsk_make", "in_progress")
        talk = h.talk
        talk.call("save_context", task_id="tsk_make", agent_id="agt_dev",
                  progress="half of it", blockers="no tea")
        talk.call("create_handoff", task_id="tsk_make", summary="half is done",
                  from_agent_id="agt_dev", to_agent_id="agt_boss",
                  recommendations="boil water")
        talk.call("create_handoff", task_id="tsk_make", summary="anybody?",
                  from_agent_id="agt_dev")
        out = pm(h, "handoffs")
        for part in ("hnd_", "tsk_make", "agt_dev", "agt_boss", "(anybody)"):
            contains(out, part)
        equal(data(h, "handoffs", "--agent", "agt_boss")["total"], 2)
        equal(data(h, "handoffs", "--agent", "agt_dev")["total"], 0)
        first = data(h, "handoffs")["handoffs"][1]["id"]
        talk.call("accept_handoff", handoff_id=first, agent_id="agt_boss")
        shown = data(h, "show", "tsk_make")
        equal([shown["contexts"][0]["progress"],
               [one.get("accepted_by") for one in shown["handoffs"]]],
              ["half of it", [None, "agt_boss"]])
        out = pm(h, "show", "tsk_make")
        for part in ("half of it", "no tea", "boil water", "agt_dev -> agt_boss",
                     "nobody yet", "in_progress"):
            contains(out, part)
        contains(refused(h, "unassign", "agt_boss", "prj_site"), "tsk_make")
        pm(h, "assign", "agt_aki", "prj_shop")
        equal(pm(h, "unassign", "agt_aki", "prj_shop"),
              "agt_aki does not work in prj_shop any more\n")
        contains(refused(h, "assign", "agt_aki", "prj_x"), "prj_x")


# ---- many at once -----------------------------------------------------------

@tap.test
def a_file_is_made_whole_and_the_second_time_nothing():
    with served() as h:
        run = imported(h, None, "--json")
        equal((run.returncode, run.err), (0, ""))
        said = json.loads(run.out)
        equal(said["made"], {
            "projects": ["prj_shop", "prj_site"],
            "agents": ["agt_dev", "agt_boss", "agt_aki"],
            "tasks": ["tsk_test", "tsk_make", "tsk_all"]})
        # Who is a person has none, and one that was given is not told.
        equal(list(said["passkeys"]), ["agt_boss"])
        assert login(h, "agt_dev", SECRET)
        assert login(h, "agt_boss", said["passkeys"]["agt_boss"])
        before = [data(h, word) for word in ("projects", "agents", "tasks")]
        equal(before[0]["projects"][0]["status"], "paused")
        test = data(h, "show", "tsk_test")["task"]
        equal([test["dependencies"], test["parent_task_id"]],
              [["tsk_make"], "tsk_all"])
        equal(data(h, "show", "agt_dev")["agent"]["parent_agent_id"],
              "agt_boss")
        pm(h, "tasks", "move", "tsk_make", "in_progress")
        said = json.loads(imported(h, None, "--json").out)
        equal([said["made"], said["there"], said["passkeys"]],
              [{"projects": [], "agents": [], "tasks": []},
               {"projects": 2, "agents": 3, "tasks": 3}, {}])
        pm(h, "tasks", "move", "tsk_make", "todo")
        equal([data(h, "projects"), data(h, "agents")], before[:2])
        out = imported(h).out
        contains(out, "0 made  3 there already")


def broken(list, place, **change):
    """The file with one thing wrong in it."""
    copy = json.loads(json.dumps(FILE))
    copy[list][place].update(change)
    return copy


@tap.test
def a_file_that_is_wrong_makes_nothing_and_the_place_is_told():
    with served() as h:
        for value, place in (
                (broken("tasks", 1, priority="now"), "tasks[1].priority"),
                (broken("tasks", 1, assignee_id="agt_aki"), "tasks[1]"),
                (broken("tasks", 1, dependencies=["tsk_test"]), "tasks[1]"),
                (broken("tasks", 2, project_id="prj_x"), "tasks[2]"),
                (broken("tasks", 2, colour="red"), "tasks[2].colour"),
                (broken("agents", 0, passkey="short"), "agents[0]"),
                (broken("agents", 0, agent_id="../x"), "agents[0]"),
                (broken("agents", 0, parent_agent_id="agt_x"), "agents[0]"),
                (broken("assignments", 1, agent_id="agt_x"),
                 "assignments[1]"),
                (broken("projects", 1, working_directory="here"),
                 "projects[1]"),
                ({"project": []}, "project"), ({"tasks": 1}, "tasks"),
                ([], "-")):
            run = imported(h, value)
            equal((place, run.returncode, run.out), (place, 1, ""))
            contains(run.err, place)
            run = h.run("pm", "import", "-", given=json.dumps(value),
                        KUROMAJUTSU_LANGUAGE="ja")
            contains(run.err, place)
        for word in ("projects", "agents", "tasks"):
            equal((word, data(h, word)["total"]), (word, 0))
        equal(h.talk.call("health_check")["project_count"], 0)
        (h.project / "bad.json").write_text('{\n  "tasks": [,]}')
        contains(refused(h, "import", "bad.json"), "line 2")
        contains(refused(h, "import", "none.json"), "none.json")
        equal(imported(h).returncode, 0)


@tap.test
def setup_makes_what_one_begins_with():
    with served() as h:
        contains(pm(h, "setup"), "passkey of agt_claude: ")
        assert "passkey" not in pm(h, "setup")
        equal([(p["id"], p["name"]) for p in data(h, "projects")["projects"]],
              [("prj_default", "Default Project")])
        shown = data(h, "show", "prj_default")
        equal(shown["agents"], ["agt_claude"])
        equal(data(h, "show", "agt_claude")["agent"]["name"], "Claude Code")


@tap.test
def many_are_made_at_once():
    with served() as h:
        equal(imported(h).returncode, 0)
        for name, step in (("up", 1), ("down", -1)):
            # A row, each of which waits for the one behind or before it, and
            # is a part of the other.
            tasks = [{"task_id": f"tsk_{name}_{i}", "project_id": "prj_site",
                      "title": f"T{i}",
                      "dependencies": [f"tsk_{name}_{i + step}"],
                      "parent_task_id": f"tsk_{name}_{i - step}"}
                     for i in range(3000)]
            for end in tasks[0], tasks[-1]:
                for field in ("dependencies", "parent_task_id"):
                    if "_-1" in str(end[field]) or "_3000" in str(end[field]):
                        del end[field]
            run = imported(h, {"tasks": tasks}, "--json")
            equal((run.returncode, run.err), (0, ""))
            equal(len(json.loads(run.out)["made"]["tasks"]), 3000)


@tap.test
def the_page_says_what_is_so():
    """docs/projects.md, with its commands typed and its file imported."""
    page = (pathlib.Path(__file__).parents[3] / "docs/projects.md").read_text(
        encoding="utf-8").partition("## On the command line")[2]
    typed, file = (re.search(f"```{kind}\n(.*?)```", page, re.S).group(1)
                   for kind in ("", "json"))
    with served() as h:
        lines = [shlex.split(line, comments=True)
                 for line in typed.splitlines()]
        assert len(lines) > 5, typed
        for words in lines:
            equal(words[:2], ["kuromajutsu", "pm"])
            pm(h, *words[2:])
        equal(data(h, "show", "tsk_pour")["task"]["dependencies"],
              ["tsk_boil"])
    with served() as h:
        equal(imported(h, json.loads(file)).returncode, 0)
        equal(data(h, "show", "tsk_pour")["task"]["dependencies"],
              ["tsk_boil"])


# ---- manners ----------------------------------------------------------------

@tap.test
def wrong_words_are_told_apart_from_what_is_refused():
    with served() as h:
        for words in ((), ("walk",), ("tasks", "walk"), ("projects", "add"),
                      ("projects", "add", "a", "b"), ("projects", "set", "x"),
                      ("projects", "set", "x", "--status", "dead"),
                      ("agents", "add", "x", "--type", "robot"),
                      ("agents", "add", "x", "--max-tasks", "0"),
                      ("tasks", "add", "x"), ("tasks", "move", "x"),
                      ("tasks", "move", "x", "walking"),
                      ("tasks", "--status", "walking"),
                      ("tasks", "add", "x", "y", "--status", "done"),
                      ("assign", "x"), ("show",), ("import",), ("setup", "x"),
                      ("tasks", "--colour"), ("--json",)):
            assert refused(h, *words, code=2), words
        contains(refused(h, "tasks", "moev", code=2), "move")
        contains(refused(h, "show", "x"), "pm tasks")
        contains(refused(h, "show", "x", KUROMAJUTSU_LANGUAGE="ja"), "ありません")


@tap.test
def tables_fit_and_both_languages_are_spoken():
    with served() as h:
        equal(imported(h).returncode, 0)
        pm(h, "projects", "add", "とても長い名前のプロジェクト" * 5,
           "--directory", "/srv/" + "long/" * 30)
        pm(h, "tasks", "add", "prj_site", "\x1b[2J題名がとても長いタスク" * 9)
        h.talk.call("create_handoff", task_id="tsk_make", summary="s" * 300,
                    from_agent_id="agt_dev", to_agent_id="agt_boss")
        for language in ("en", "ja"):
            for width in (60, 80, 120):
                for word in ("projects", "agents", "tasks", "handoffs"):
                    out = pm(h, word, COLUMNS=str(width),
                             KUROMAJUTSU_LANGUAGE=language)
                    assert "\x1b" not in out, out
                    wide = [x for x in out.splitlines() if columns(x) > width]
                    equal((language, width, word, wide),
                          (language, width, word, []))
            out = pm(h, "tasks", COLUMNS="60", KUROMAJUTSU_LANGUAGE=language)
            for id in ("tsk_test", "tsk_make", "tsk_all"):
                contains(out, id)
        contains(pm(h, "tasks", KUROMAJUTSU_LANGUAGE="ja"), "題名")
        contains(pm(h, "setup", KUROMAJUTSU_LANGUAGE="ja"), "のパスキー: ")


# ---- agents may not ---------------------------------------------------------

@tap.test
def a_launched_agent_changes_nothing_by_it():
    with CommandHome() as h:
        told = h.top / "told"
        h.begin(h.cli("agent", 'case "$*" in *"puppet: report"*) '
                      f'{h.path("kuromajutsu")} pm tasks move tsk_all '
                      f'cancelled >{told} 2>&1; echo $? >>{told};; esac'))
        equal(imported(h).returncode, 0)
        _, ids = h.group("report")
        wait_for(h.talk, *ids)
        said, code = told.read_text().splitlines()
        equal(code, "1")
        contains(said, ids[0])
        equal(data(h, "show", "tsk_all")["task"]["status"], "backlog")


# ---- without a hub ----------------------------------------------------------

@tap.test
def lists_need_no_hub_and_changes_say_that_they_do():
    with served() as h:
        equal(imported(h).returncode, 0)
        pm(h, "tasks", "move", "tsk_make", "in_progress")
        words = (("projects",), ("agents",), ("tasks",),
                 ("tasks", "--in", "prj_site", "--status", "backlog"),
                 ("handoffs",), ("show", "tsk_make"), ("show", "prj_site"),
                 ("show", "agt_dev"))
        before = [(data(h, *one), pm(h, *one)) for one in words]
        h.talk.close()
        h.served.send_signal(signal.SIGKILL)
        h.served.wait()
        for one, (was, text) in zip(words, before):
            now = data(h, *one)
            equal((one, now.pop("hub"), now), (one, False, was))
            equal((one, pm(h, *one)), (one, text))
        contains(refused(h, "show", "x"), "pm tasks")
        contains(refused(h, "tasks", "--in", "prj_x"), "prj_x")
        for one in (("projects", "add", "x"), ("setup",),
                    ("tasks", "move", "tsk_make", "done"),
                    ("agents", "passkey", "agt_dev")):
            contains(refused(h, *one, code=3), "kuromajutsu start")
        equal(h.living("kuromajutsu-hub"), [])


@tap.test
def where_nothing_is_recorded_it_is_said():
    with CommandHome() as h:
        contains(refused(h, "projects", code=3), "kuromajutsu start")
        equal(list(h.home.glob("*")), [])


if __name__ == "__main__":
    tap.run()

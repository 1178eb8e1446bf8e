#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""upgrade_test.py BUILD: what an earlier version has left goes on.

`store-3.db.gz` is the database of a hub of version 3 of the tables, and
agents.json what that hub said of its agents; `store-10.db.gz` is of version 10,
the last without phases, with some mail; `store-12.db.gz` of version 12, the
last without projects; `store-13.db.gz` of version 13, the last whose texts were
all in the index as soon as they were there. In the long form the programs of
an earlier commit are built, and their living wardens are adopted."""

import gzip
import json
import os
import pathlib
import sqlite3
import subprocess
import tempfile

from harness import tap
from harness.hub import HubHome
from harness.programs import BUILD
from harness.until import equal, until

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
# The first that is still in use, and the last whose wardens keep three files.
EARLIER = ("8c94f14a6cb76f71c48f5107ac1fcf4ef113927b",
           "0c6672ed423468ae0bd86c893b3927f962a78eb8")
PROGRAMS = ("kuromajutsu", "kuromajutsu-hub", "kuromajutsu-warden",
            "kuromajutsu-puppet")


def home(build=BUILD):
    return HubHome({"language": "en", "dashboard": {"port": 0}}, build=build)


def of_old(now, was):
    """What is said now, without what was not said at all then."""
    if not isinstance(now, dict) or not isinstance(was, dict):
        return now
    return {key: of_old(now[key], was[key]) for key in now if key in was}


def left_by(h, name):
    """Puts the database of that name in the place of the home's own."""
    h.run("status")
    server = h.relay()
    server.talk.hello()
    server.talk.call("list_agents")  # now there is a state directory
    path = h.state("kuromajutsu.db")
    h.run("stop")
    server.kill()
    until(lambda: not h.living("kuromajutsu-hub"), "no hub")
    for old in path.parent.glob("kuromajutsu.db*"):
        old.unlink()
    path.write_bytes(gzip.decompress((HERE / name).read_bytes()))
    return path


@tap.test
def agents_of_an_earlier_database_are_told_as_they_were():
    told = json.loads((HERE / "agents.json").read_text(encoding="utf-8"))
    with home() as h:
        left_by(h, "store-3.db.gz")
        talk = h.relay().talk
        talk.hello()
        for agent, was in told.items():
            # Nothing starts before it was asked for, whatever was recorded.
            if was["startedAt"] is not None:
                was["startedAt"] = max(was["startedAt"], was["createdAt"])
            equal(of_old(talk.call("get_agent_status", agentId=agent), was),
                  was)
        entries = json.loads(h.run("history", "--json").out)["agents"]
        assert set(told) <= {one["agentId"] for one in entries}, entries
        # What is new is numbered on from there.
        group = talk.call("create_group", description="new",
                          mode="concurrent")["groupId"]
        made = talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": "puppet: report"}])["agents"]
        talk.call("wait_agent", agentIds=[made[0]["agentId"]])
        equal(talk.call("get_agent_status", agentId=made[0]["agentId"])
              ["status"], "resultReported")


def build_earlier(folder, commit):
    """The programs of an earlier commit; its build directory."""
    tree = subprocess.run(["git", "archive", commit], cwd=ROOT,
                          capture_output=True, check=False)
    if tree.returncode != 0:
        raise tap.Skip("this checkout has no history")
    subprocess.run(["tar", "x"], cwd=folder, input=tree.stdout, check=True)
    for name in (".deps", "web/node_modules"):
        if (ROOT / name).exists() and (folder / name).parent.exists():
            os.symlink(ROOT / name, folder / name)
    build = folder / "build"
    subprocess.run(["meson", "setup", build, "-Db_lto=false"], cwd=folder,
                   check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", build, *PROGRAMS], check=True,
                   stdout=subprocess.DEVNULL)
    return build


@tap.test
def mail_of_a_database_without_phases_is_there_and_phases_begin():
    with home() as h:
        path = left_by(h, "store-10.db.gz")
        talk = h.relay().talk
        talk.hello()
        got = talk.call("agent_receive_messages", agent_id="coder")["messages"]
        equal([m["content"] for m in got], ["from before", "to all"])
        equal(talk.call("context_read", key="k", agent_id="x")["value"],
              {"n": 1})
        result = talk.result(talk.order("transition_to_next_phase", {
            "currentPhase": "phase0", "result": {"status": "completed"}}))
        equal(result["nextPhase"], "phase1")
        with sqlite3.connect(path) as db:
            version, = db.execute("PRAGMA user_version").fetchone()
            assert version >= 11, version
        db.close()


@tap.test
def texts_of_a_database_that_had_all_indexed_are_found():
    def found(word):
        answer = h.run("history", "--search", word, "--json")
        assert answer.returncode == 0, answer
        return len(json.loads(answer.out)["agents"])

    with home() as h:
        left_by(h, "store-13.db.gz")
        talk = h.relay().talk
        talk.hello()
        talk.call("list_agents")  # a hub, which brings it up to date
        equal([found("puppet"), found("unknown scenario"), found("report")],
              [2, 1, 2])
        group = talk.call("create_group", description="new",
                          mode="concurrent")["groupId"]
        made = talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": "puppet: report"}])["agents"]
        talk.call("wait_agent", agentIds=[made[0]["agentId"]])
        equal(found("puppet"), 3)


def check_adoption(earlier):
    """Of a hub of that build, by one of this."""
    with home(earlier) as h:
        relay = h.relay()
        relay.talk.hello()
        group = relay.talk.call("create_group", description="g",
                                mode="concurrent")["groupId"]
        hangs, reports = [one["agentId"] for one in relay.talk.call(
            "run_agents", groupId=group, agents=[
                {"role": "impl-code", "prompt": f"puppet: {what}"}
                for what in ("hang", "report")])["agents"]]
        relay.talk.call("wait_agent", agentIds=[reports])
        h.until_running(relay.talk, hangs)
        was = relay.talk.call("get_agent_status", agentId=reports)
        hub, warden = h.hub_pid(), h.warden(hangs)
        relay.kill()  # it would bring its hub back
        os.kill(hub, 9)
        until(lambda: not h.living("kuromajutsu-hub"), "no hub")
        h.build = BUILD
        talk = h.relay().talk
        talk.hello()
        equal(talk.call("get_agent_status", agentId=hangs)["status"],
              "running")
        equal(talk.call("get_agent_status", agentId=reports), was)
        equal(h.warden(hangs), warden)
        assert os.readlink(f"/proc/{warden}/exe").startswith(str(earlier))
        equal(talk.call("cancel_agent", agentIds=[hangs]),
              {"cancelled": [hangs], "notRunning": []})
        until(lambda: not h.living("kuromajutsu-warden"), "all gone")


@tap.test
def a_database_without_projects_gets_them():
    with home() as h:
        h.set(KUROMAJUTSU_TOOLSETS="kuro,mail,phases,pm,pm_admin")
        path = left_by(h, "store-12.db.gz")
        talk = h.relay().talk
        talk.hello()
        equal(len(talk.call("list_agents")["agents"]), 1)
        talk.call("create_project", project_id="prj_1", name="P")
        # A mailbox of that name was there already; it is the agent's now.
        made = talk.call("create_agent", agent_id="agt_claude", name="Claude")
        got = talk.call("agent_receive_messages", agent_id="agt_claude")
        equal(got["messages"][0]["content"], "from before")
        talk.call("assign_agent", project_id="prj_1", agent_id="agt_claude")
        talk.call("authenticate", agent_id="agt_claude", project_id="prj_1",
                  passkey=made["passkey"])
        equal(len(talk.call("list_agents")["agents"]), 2)
        with sqlite3.connect(path) as db:
            version, = db.execute("PRAGMA user_version").fetchone()
            assert version >= 13, version
        db.close()


@tap.test
def living_wardens_of_an_earlier_version_are_adopted():
    if "KUROMAJUTSU_LONG" not in os.environ:
        raise tap.Skip("it builds earlier commits: in ./test --all")
    for commit in EARLIER:
        with tempfile.TemporaryDirectory() as folder:
            check_adoption(build_earlier(pathlib.Path(folder), commit))


if __name__ == "__main__":
    tap.run()

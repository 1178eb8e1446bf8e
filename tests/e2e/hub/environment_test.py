# SPDX-License-Identifier: MIT
"""What agents have of their caller's environment and directory, to the byte,
and what is the hub's alone."""

import os
import signal
from urllib.parse import urlsplit

from harness import tap
from harness.http import request
from harness.hub import patient_home
from harness.processes import environments
from harness.programs import PUPPET
from harness.tools import roles_are_judged, start_agents
from harness.until import contains, equal, until

TOKEN = "a-secret-that-opens-everything"
HUBS = {"KUROMAJUTSU_TOKEN": TOKEN, "KUROMAJUTSU_PORT": "0",
        "KUROMAJUTSU_LOG_LEVEL": "debug", "KUROMAJUTSU_MAX_CONCURRENT": "20"}
# What the hub tells its agents itself.
TOLD = {"SOCKET", "AGENT_ID", "GROUP_ID", "AGENT_KEY", "LANGUAGE", "TOOLS"}


def telling(p):
    """A command for agents that first notes its environment; where."""
    notes = p.folder("notes")
    path = p.top / "teller"
    path.write_text(f'#!/bin/sh\nenv -0 >{notes}/$$.new\n'
                    f'mv {notes}/$$.new {notes}/$$\nexec {PUPPET} "$@"\n')
    path.chmod(0o700)
    p.set(KUROMAJUTSU_AGENT_COMMAND=str(path))
    return notes


def ours(env):
    """Which of our variables are there, of those that are not the puppet's."""
    names = {v.split(b"=")[0].decode() for v in env}
    return {n.removeprefix("KUROMAJUTSU_") for n in names
            if n.startswith("KUROMAJUTSU_")}


def noted(notes):
    return {name: (notes / name).read_bytes().split(b"\0")
            for name in os.listdir(notes) if name.isdigit()}


@tap.test
def what_is_the_hubs_reaches_no_agent():
    role = {"id": "checked", "name": "C", "description": "d", "model": "auto",
            "systemPrompt": "s", "tools": ["env"]}
    with patient_home() as p:
        notes = telling(p)
        tool = p.top / "tool"
        p.configure({"language": "en", "roles": [role], "tools": [
            {"id": "env", "name": "E", "description": "d",
             "promptInstructions": "i",
             "healthCheckCommand": f"env -0 >{tool}"}]})
        p.trust()
        relay = p.relay(**HUBS)
        relay.talk.hello()
        until(lambda: roles_are_judged(relay.talk), "all checks")
        checks = noted(notes)
        assert checks
        start_agents(relay.talk, "hang")
        until(lambda: len(noted(notes)) > len(checks), "an agent")
        for env in noted(notes).values():
            assert ours(env) <= TOLD, env
            contains(env, b"KUROMAJUTSU_LANGUAGE=en")
        assert ours(tool.read_bytes().split(b"\0")) <= TOLD
        # Not even where they could look.
        equal([pid for pid, env in environments() if pid != relay.proc.pid
               and pid in p.everybody()
               and any(TOKEN.encode() in v for v in env)], [])


@tap.test
def the_token_is_in_force_all_the_same():
    with patient_home(dashboard={"port": 0}) as p:
        p.set(KUROMAJUTSU_TOKEN=TOKEN)
        p.hub()
        with p.session() as w:
            url = p.url(w)
        port = urlsplit(url).port
        right = {"Authorization": f"Bearer {TOKEN}"}
        equal(request(port, "GET", "/api/status")[0], 401)
        equal(request(port, "GET", "/api/status", headers=right)[0], 200)


@tap.test
def the_doctor_asks_without_it_too():
    with patient_home() as p:
        notes = telling(p)
        p.run("doctor", **HUBS)
        assert noted(notes)
        for env in noted(notes).values():
            equal(ours(env), set())


# ---- to the byte ----------------------------------------------------------

ODD = b"na\xefve-\xff\xfe"  # no UTF-8


def odd_home():
    """A home whose project's name, and a variable, are bytes."""
    p = patient_home()
    p.project = p.folder(os.fsdecode(b"project-" + ODD))
    p.configure({"language": "en"})
    p.set(ODD=os.fsdecode(ODD), EVEN="gerade, 偶数")
    return p


def cwd_and_env(p, id):
    pid, = p.tree(id)
    with open(f"/proc/{pid}/environ", "rb") as f:
        return os.readlink(f"/proc/{pid}/cwd".encode()), f.read().split(b"\0")


@tap.test
def a_directory_and_a_variable_may_be_any_bytes():
    with odd_home() as p:
        relay = p.relay()
        relay.talk.hello()
        id, = start_agents(relay.talk, "hang")
        p.until_running(relay.talk, id)
        cwd, env = cwd_and_env(p, id)
        equal(cwd, os.fsencode(p.project))
        contains(env, b"PWD=" + os.fsencode(p.project))
        contains(env, b"ODD=" + ODD)
        contains(env, "EVEN=gerade, 偶数".encode())
        # What people are shown of it is text.
        equal(p.run("status").returncode, 0)
        contains(p.run("show", id).out, "\ufffd")


@tap.test
def the_next_hub_has_the_same_directory():
    with odd_home() as p:
        relay = p.relay()
        relay.talk.hello()
        until(lambda: roles_are_judged(relay.talk), "all checks")
        group = relay.talk.call("create_group", description="d",
                                mode="sequential")["groupId"]
        task = {"role": "impl-code", "prompt": "puppet: hang"}
        relay.talk.call("run_sequential", groupId=group, stages=[
            {"tasks": [task]}, {"tasks": [task]}])
        ids = {agent["agentId"] for agent in relay.talk.call(
            "list_agents", groupId=group)["agents"]}
        first, = until(lambda: [id for id in ids if p.tree(id)], "the first")
        second, = ids - {first}
        p.until_running(relay.talk, first)
        os.kill(p.hub_pid(), signal.SIGKILL)
        relay.talk.call("cancel_agent", agentIds=[first])
        p.until_running(relay.talk, second)
        equal(cwd_and_env(p, second)[0], os.fsencode(p.project))


@tap.test
def an_agent_finds_a_hub_whose_place_is_no_text():
    with odd_home() as p:
        p.user = p.folder(os.fsdecode(b"user-" + ODD))
        p.home = p.user / ".local/state/kuromajutsu"
        p.set(HOME=str(p.user), KUROMAJUTSU_HOME=None)
        relay = p.relay()
        relay.talk.hello()
        id, = start_agents(relay.talk, "report")
        until(lambda: relay.talk.call("get_agent_status", agentId=id)
              ["status"] == "resultReported", "its report")
        equal(len(p.living("kuromajutsu-hub")), 1)


@tap.test
def an_entry_that_cannot_be_written_is_said_so():
    with odd_home() as p:
        said = p.run("mcp-config")
        equal((said.returncode, '"--project"' in said.out), (0, False))
        contains(said.err, "in the project alone")
        said = p.run("--config", p.config, "mcp-config")
        equal((said.returncode, said.out), (1, ""))
        contains(said.err, "UTF-8")


if __name__ == "__main__":
    tap.run()

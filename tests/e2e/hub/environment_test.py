# SPDX-License-Identifier: MIT
"""What agents have of their caller's environment and directory, to the byte,
and what is the hub's alone."""

import os
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
TOLD = {"SOCKET", "AGENT_ID", "GROUP_ID", "AGENT_KEY", "LANGUAGE"}


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


if __name__ == "__main__":
    tap.run()

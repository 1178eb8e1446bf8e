# SPDX-License-Identifier: MIT
"""Which project is meant, wherever in it one is: relay, commands and the entry
for clients agree."""

import json
import os
import subprocess

from harness import tap
from harness.hub import HubHome
from harness.tools import start_agents, wait_for
from harness.until import DEADLINE, contains, equal


class Project(HubHome):
    """A repository with a directory deep in it, and one beside it."""

    def __init__(self):
        super().__init__("language: en\ndashboard: {port: 0}\n"
                         "hub: {linger_ms: 600000}\n",
                         {"KUROMAJUTSU_PUPPET_SPEED": "0"})
        self.deep = self.folder("project/src/deep")
        self.beside = self.folder("beside")

    def run_in(self, where, *words, **env):
        return subprocess.run(
            [self.path("kuromajutsu"), *words], cwd=where,
            env={**self.env, **env}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=DEADLINE, check=False)

    def relay_in(self, where, *words):
        """A client's server, started there."""
        was, self.project = self.project, where
        try:
            return self.start(*(words or ("mcp",)))
        finally:
            self.project = was

    def directory_of(self, id):
        return json.loads(self.run("show", id, "--json").out)[
            "workingDirectory"]

    def states(self):
        return [d for d in self.home.glob("*") if d.is_dir()]


@tap.test
def all_of_them_find_the_same_hub_from_below():
    with Project() as p:
        low = p.relay_in(p.deep).talk
        low.hello()
        id, = start_agents(low, "reply")
        wait_for(low, id)
        # Agents work where their client is, not where its project begins.
        equal(p.directory_of(id), str(p.deep))
        high = p.relay().talk
        high.hello()
        equal(high.call("list_agents")["total"], 1)
        for where in (p.project, p.deep):
            equal(p.run_in(where, "show", id).returncode, 0)
        equal(p.run_in(p.beside, "--project", str(p.project), "show",
                       id).returncode, 0)
        equal(p.run_in(p.beside, "show", id,
                       KUROMAJUTSU_PROJECT=str(p.project)).returncode, 0)
        equal(p.run_in(p.beside, "show", id).returncode, 3)
        equal(len(p.states()), 1)


@tap.test
def the_entry_for_a_client_means_it_from_anywhere():
    with Project() as p:
        said = p.run_in(p.deep, "mcp-config")
        entry = json.loads(said.stdout)["mcpServers"]["kuromajutsu"]
        equal(entry["args"], ["mcp", "--project", str(p.project),
                              "--toolsets", "kuro,mail"])
        talk = p.relay_in("/", *entry["args"]).talk
        talk.hello()
        id, = start_agents(talk, "reply")
        wait_for(talk, id)
        # Started in no part of it, the client's server is at its root.
        equal(p.directory_of(id), str(p.project))
        equal(p.run("show", id).returncode, 0)
        equal(len(p.states()), 1)


@tap.test
def agents_are_not_told_of_it():
    """One that works for another project would speak with this one's hub."""
    with Project() as p:
        cli = p.top / "cli"
        cli.write_text(f'#!/bin/sh\nenv >{p.top}/env\n'
                       f'exec {p.path("kuromajutsu-puppet")} "$@"\n')
        cli.chmod(0o755)
        p.set(KUROMAJUTSU_AGENT_COMMAND=str(cli),
              KUROMAJUTSU_PROJECT=str(p.project))
        talk = p.relay_in(p.beside).talk
        talk.hello()
        wait_for(talk, *start_agents(talk, "reply"))
        assert "KUROMAJUTSU_PROJECT" not in (p.top / "env").read_text()


@tap.test
def a_project_that_is_not_there_is_2_everywhere():
    with Project() as p:
        for words in (["status"], ["doctor"], ["trust"], ["mcp-config"],
                      ["mcp"], ["serve"], ["--standalone"]):
            for more, env in ((["--project", "/nowhere"], {}),
                              ([], {"KUROMAJUTSU_PROJECT": "/nowhere"})):
                done = p.run_in(p.deep, *words, *more, **env)
                equal((words, done.returncode, done.stdout), (words, 2, ""))
                contains(done.stderr, "/nowhere: そのようなディレクトリはありません")
        equal(p.states(), [])


@tap.test
def a_directory_that_had_a_hub_keeps_it():
    """From before anything was looked for upwards."""
    with Project() as p:
        os.rename(p.config, p.deep / p.config.name)
        talk = p.relay_in(p.deep).talk
        talk.hello()
        id, = start_agents(talk, "reply")
        wait_for(talk, id)
        os.rename(p.deep / p.config.name, p.config)
        equal(p.run_in(p.deep, "show", id).returncode, 0)
        equal(p.run("status").returncode, 3)


if __name__ == "__main__":
    tap.run()

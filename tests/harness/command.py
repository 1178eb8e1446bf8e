# SPDX-License-Identifier: MIT
"""A home to try the command line in: in English, at UTC, with nothing of the
user's own."""

import contextlib
import json
import pathlib
import signal
import urllib.parse

from harness.hub import HubHome
from harness.programs import PUPPET
from harness.tools import new_group, roles_are_judged, start_agents
from harness.until import until


class CommandHome(HubHome):
    """There is no CLI for agents until a hub is begun."""

    def __init__(self, settings=None, **env):
        super().__init__(settings, {
            "KUROMAJUTSU_AGENT_COMMAND": None, "KUROMAJUTSU_LANGUAGE": "en",
            "TZ": "UTC", "COLUMNS": None, "NO_COLOR": None, **env})

    def told_state(self):
        """Where the state of the project lies, as the program says: it need
        not be there yet."""
        line = next(line for line in self.run("doctor").out.splitlines()
                    if line.split()[1:2] == ["state"])
        return pathlib.Path(next(word for word in line.split()
                                 if word.startswith("/")))

    # ---- with a hub -----------------------------------------------------

    def begin(self, command=PUPPET):
        """Starts a hub, and a client of it."""
        self.set(KUROMAJUTSU_AGENT_COMMAND=str(command),
                 KUROMAJUTSU_PUPPET_SPEED="0")
        self.served = self.start("serve").proc
        until(lambda: self.run("status").returncode == 0, "the hub")
        self.talk = self.relay().talk
        self.talk.hello()

    def begin_again(self):
        """Another hub in its place."""
        self.talk.close()
        self.served.send_signal(signal.SIGTERM)
        self.stopped(self.served)
        self.begin()

    def port(self):
        """Where its hub serves HTTP."""
        url = until(lambda: json.loads(
            self.run("status", "--json").out).get("url"), "an address")
        return urllib.parse.urlsplit(url).port

    def cli(self, name, lines="", words=""):
        """A CLI of that name on PATH: lines of shell, then the puppet."""
        folder = self.top / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / name
        program.write_text(f'#!/bin/sh\n{lines}\nexec {PUPPET} {words} "$@"\n')
        program.chmod(0o755)
        self.set(PATH=f"{folder}:/usr/bin:/bin")
        return program

    def group(self, *scenarios, role="impl-code"):
        """A group of puppets, one for each scenario: its id and theirs. Its
        description would clear the screen."""
        self.until_judged()
        group = new_group(self.talk, description="説明 of it\x1b[2J")
        return group, start_agents(self.talk, *scenarios, group=group,
                                   role=role)

    def until_judged(self):
        """Until every role is: what is asked for before that is refused when
        it has waited for health.gate_ms."""
        until(lambda: roles_are_judged(self.talk), "roles judged")

    def is_running(self, agent):
        run = self.run("show", agent, "--json")
        return run.returncode == 0 and json.loads(run.out)["pid"] > 0


@contextlib.contextmanager
def served(settings=None, **env):
    with CommandHome(settings, **env) as home:
        home.begin()
        yield home

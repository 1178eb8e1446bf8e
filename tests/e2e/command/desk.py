# SPDX-License-Identifier: MIT
"""A desk to try the command line at: a project, a state directory and nothing
of the user's own."""

import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from harness.programs import PROGRAM, PUPPET
from harness.until import until
from demo.client import Client

# Only against a program that never ends.
GIVE_UP = 120


class Desk:
    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        self.project = self.root / "project"
        self.home = self.root / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith("KUROMAJUTSU_")
                    and key not in ("COLUMNS", "NO_COLOR")}
        self.env.update(KUROMAJUTSU_HOME=str(self.home), HOME=str(self.root),
                        KUROMAJUTSU_LANGUAGE="en", TZ="UTC")

    def config(self, text):
        path = self.project / "kuromajutsu.config.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def start(self, *args, **env):
        return subprocess.Popen(
            [PROGRAM, *args], cwd=self.project, env={**self.env, **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def run(self, *args, under=(), **env):
        done = subprocess.run(
            [*under, PROGRAM, *args], cwd=self.project, env={**self.env, **env},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=GIVE_UP)
        done.out = done.stdout.decode()
        done.err = done.stderr.decode()
        return done

    def state(self):
        """Where the state of this project lies, as the program says."""
        line = next(line for line in self.run("doctor").out.splitlines()
                    if line.split()[1:2] == ["state"])
        return pathlib.Path(next(word for word in line.split()
                                 if word.startswith("/")))


@contextlib.contextmanager
def desk():
    with tempfile.TemporaryDirectory(prefix="kuro-command-") as folder:
        yield Desk(folder)


class Served:
    """A desk whose hub runs, with a client that has the hub's ear."""

    def __init__(self, at):
        self.at = at
        at.env["KUROMAJUTSU_AGENT_COMMAND"] = PUPPET
        at.env["KUROMAJUTSU_PUPPET_SPEED"] = "0"
        self.hub = at.start("serve")
        until(lambda: at.run("status").returncode == 0, "the hub")
        self.client = Client([PROGRAM, "mcp"], at.env, at.project)

    def hire(self, *directives, role="impl-code"):
        """A group of puppets, one for each directive; its id and theirs."""
        group = self.client.call("create_group", description="説明 of it\x1b[2J")
        made = self.client.call(
            "run_agents", groupId=group["groupId"],
            agents=[{"role": role, "prompt": "puppet: " + directive}
                    for directive in directives])
        return group["groupId"], [a["agentId"] for a in made["agents"]]

    def finish(self, ids):
        while self.client.call("wait_agent", agentIds=ids)["timedOut"]:
            pass

    def running(self, name):
        run = self.at.run("show", name, "--json")
        return run.returncode == 0 and json.loads(run.out)["pid"] > 0

    def close(self):
        self.client.close()
        if self.hub.poll() is None:
            self.hub.send_signal(signal.SIGTERM)
        self.hub.communicate()


@contextlib.contextmanager
def served():
    with desk() as at:
        hub = Served(at)
        try:
            yield at, hub
        finally:
            hub.close()

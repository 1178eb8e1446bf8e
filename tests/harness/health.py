# SPDX-License-Identifier: MIT
"""The clinic: a house whose hub checks its roles' health.

The CLIs on its PATH are the puppet behind a few lines of shell, which write
each call down and then do what the clinic's mode file says: so a CLI can be
mended or broken while the hub runs.
"""

import json
import os
import subprocess
import threading

from harness import agents
from harness.agents import FOREVER
from harness.programs import PUPPET, WARDEN, built
from harness.until import equal

CONSOLE = built("tests/actors/health/health-console")

MODELS = ["auto", "composer-1.5", "claude-4-sonnet", "claude-opus-4-8",
          "opus-4.6-thinking", "gpt-5.3-codex"]
# How the default roles are asked; and a configuration with but one of them.
ASK = "cursor-agent -p --trust --model "
OK = " Hello, respond with exactly: OK"
CHECKS = sorted(ASK + m + OK for m in
                ("claude-4-sonnet", "composer-1.5", "opus-4.6-thinking"))
ONE = "roles:\n" + "".join(
    f"- {{id: {id}, enabled: false}}\n" for id in
    ("code-review", "text-review", "research", "impl-test", "orchestrator"))
# A mode in which the check of one role comes to this.
BROKEN = 'case "$*" in *composer*) %s;; esac'


def column(roles, name):
    return {id: r[name] for id, r in roles.items()}


def all_are(roles, **wanted):
    for name, value in wanted.items():
        equal(set(column(roles, name).values()), {value})


class Hub(agents.Hub):
    def __init__(self, clinic, relay, limit, retry):
        self.house = clinic
        self.events = []
        self.heard = threading.Condition()
        self.is_deaf = False
        self.proc = subprocess.Popen(
            [CONSOLE, clinic.state, WARDEN, relay, clinic.config, str(limit),
             str(retry)], cwd=clinic.project, env=clinic.environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.event("ready")

    def order(self, do, **more):
        self.proc.stdin.write((json.dumps({"do": do, **more}) + "\n").encode())
        self.proc.stdin.flush()

    def roster(self, wanted, what, start=0):
        """The roles of the first roster from `start` on that is wanted."""
        return self.wait(lambda e: e["event"] == "roster" and
                         wanted(e["roles"]), what, start)["roles"]

    def settled(self, start=0):
        return self.roster(lambda roles: not any(
            r["pending"] for r in roles.values()), "all settled", start)


class Clinic(agents.House):
    def __init__(self, config=""):
        super().__init__()
        self.state = os.path.join(self.top, "state")
        self.bin = os.path.join(self.top, "bin")
        self.project = os.path.join(self.top, "project")
        self.user = os.path.join(self.top, "user")
        for name in (self.state, self.bin, self.project, self.user):
            os.mkdir(name, 0o700)
        self.config = os.path.join(self.top, "config.yaml")
        self.calls = os.path.join(self.top, "calls")
        self.write(self.config, config)

    def environment(self):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("KUROMAJUTSU_", "CURSOR_", "CLAUDE",
                                    "XDG_"))}
        return {**env, **self.env, "HOME": self.user,
                "PATH": self.bin + ":/usr/bin:/bin",
                "KUROMAJUTSU_PUPPET_SPEED": "0"}

    @staticmethod
    def write(path, text, mode=0o600):
        """Whole or not at all: somebody may be reading it."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path + ".new", "w") as f:
            f.write(text)
        os.chmod(path + ".new", mode)
        os.rename(path + ".new", path)

    def install(self, name="cursor-agent", mode=""):
        """A CLI of that name; mode is shell that may exit before it."""
        self.behave(mode, name)
        self.write(os.path.join(self.bin, name), f"""#!/bin/sh
printf '%s\\n' "{name} $*" >>{self.calls}
. {self.top}/mode-{name}
exec {PUPPET} {"--backend claude" if name == "claude" else ""} "$@"
""", 0o755)

    def behave(self, mode, name="cursor-agent"):
        self.write(os.path.join(self.top, "mode-" + name), mode + "\n")

    def heal(self, limit=FOREVER, retry=FOREVER, relay="/bin/false"):
        hub = Hub(self, relay, limit, retry)
        self.hubs.append(hub)
        return hub

    def called(self):
        try:
            with open(self.calls) as f:
                return f.read().splitlines()
        except FileNotFoundError:
            return []

    def rooms(self):
        try:
            return os.listdir(os.path.join(self.state, "health"))
        except FileNotFoundError:
            return []

# SPDX-License-Identifier: MIT
"""Health without a hub around it: the console of tests/actors/health, and a
home for its lives.

The CLIs on its PATH are the puppet behind a few lines of shell, which write
each call down and then do what the home's mode file says: so a CLI can be
mended or broken while the console runs."""

import os

from harness.agents import ConsoleHome
from harness.console import Console
from harness.programs import PUPPET, WARDEN, built
from harness.until import FOREVER, equal

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


class HealthConsole(Console):
    def roster(self, wanted, what, start=0):
        """The roles of the first roster from `start` on that is wanted."""
        return self.wait(lambda e: e["event"] == "roster" and
                         wanted(e["roles"]), what, start)["roles"]

    def settled(self, start=0):
        return self.roster(lambda roles: not any(
            r["pending"] or r["checking"] for r in roles.values()),
            "all settled", start)

    def passed(self, what, start=0):
        return self.roster(lambda roles: all(
            r["check"] == "passed" for r in roles.values()), what, start)


class HealthHome(ConsoleHome):
    def __init__(self, config=""):
        super().__init__()
        self.state = self.folder("state")
        self.bin = self.folder("bin")
        self.project = self.folder("project")
        self.user = self.folder("user")
        self.config = self.top / "config.yaml"
        self.calls = self.top / "calls"
        self.write(self.config, config)
        self.set(HOME=str(self.user), PATH=f"{self.bin}:/usr/bin:/bin",
                 KUROMAJUTSU_PUPPET_SPEED="0")

    @staticmethod
    def write(path, text, mode=0o600):
        """Whole or not at all: it may be read just now."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = f"{path}.new"
        with open(new, "w") as f:
            f.write(text)
        os.chmod(new, mode)
        os.rename(new, path)

    def install(self, name="cursor-agent", mode=""):
        """A CLI of that name; mode is shell that may exit before it."""
        self.behave(mode, name)
        self.write(self.bin / name, f"""#!/bin/sh
printf '%s\\n' "{name} $*" >>{self.calls}
. {self.top}/mode-{name}
exec {PUPPET} {"--backend claude" if name == "claude" else ""} "$@"
""", 0o755)

    def behave(self, mode, name="cursor-agent"):
        self.write(self.top / f"mode-{name}", mode + "\n")

    def hub(self, limit=FOREVER, retry=FOREVER, relay="/bin/false"):
        """A new life; `limit` is of each check, `retry` until the next."""
        return self.add(HealthConsole(
            [CONSOLE, self.state, WARDEN, relay, self.config, str(limit),
             str(retry)], cwd=self.project, env=self.env))

    def called(self):
        try:
            return self.calls.read_text().splitlines()
        except FileNotFoundError:
            return []

    def checks_under_way(self):
        """The directories of checks that are still there."""
        try:
            return os.listdir(self.state / "health")
        except FileNotFoundError:
            return []

# SPDX-License-Identifier: MIT
"""Agents and their processes without a hub around them: the console of
tests/actors/agent, and a home for its lives and what their agents leave."""

import os

from harness import record
from harness.console import Console
from harness.processes import children, has_gone, is_zygote, marked, program
from harness.programs import PUPPET, WARDEN, built
from harness.sandbox import Sandbox
from harness.until import FOREVER, until

CONSOLE = built("tests/actors/agent/agent-console")
INIT = '{"type":"system","subtype":"init","session_id":"s"}'
RESULT = ('{"type":"result","subtype":"success","is_error":false,'
          '"duration_ms":1,"result":"ok","session_id":"s"}')


def puppet(name, **params):
    words = " ".join(f"{k}={v}" for k, v in params.items())
    return [PUPPET, "-p", "--force", "--output-format", "stream-json",
            f"puppet: {name} {words}".rstrip()]


def claude(name, **params):
    return [PUPPET, "--backend", "claude", "-p", "--verbose",
            *puppet(name, **params)[3:]]


def lines(path):
    with open(path, "rb") as f:
        return f.read().count(b"\n")


class AgentConsole(Console):
    def order(self, do, id, **more):
        super().order(do, id=id, **more)

    def run(self, id, argv, **more):
        self.order("run", id, argv=argv, **more)

    def finish(self, id, argv, **more):
        """From run to gone: the last view."""
        self.run(id, argv, **more)
        return self.gone(id)

    def news(self, id, kind, start=0):
        return self.wait(lambda e: e["event"] == "news" and e["id"] == id and
                         kind in e["news"], f"{kind} of {id}", start)

    def gone(self, id):
        return self.news(id, "gone")

    def state(self, id, state):
        return self.wait(lambda e: e["event"] == "news" and e["id"] == id and
                         e["state"] == state, f"{id} {state}")

    def states(self, id):
        """Each state it was said to be in, in order."""
        with self.heard:
            return [e["state"] for e in self.events
                    if e["event"] == "news" and e["id"] == id and
                    "state" in e["news"]]

    def ask(self, id):
        start = self.here()
        self.order("ask", id)
        return self.event("view", id, start)

    def answer(self, id, **report):
        """Reports: "taken" or "refused"."""
        start = self.here()
        self.order("report", id, **{"status": "success", "summary": "S",
                                    "response": "R", **report})
        return self.wait(lambda e: e["event"] in ("taken", "refused") and
                         e["id"] == id, "an answer", start)["event"]


class ConsoleHome(Sandbox):
    """Consoles, one life after the other, which all leave by themselves."""

    def __init__(self):
        super().__init__()
        self.consoles = []

    def add(self, console):
        self.consoles.append(console)
        return console

    def finish(self):
        for console in self.consoles:
            console.stop()

    def abandon(self):
        for console in self.consoles:
            console.kill()

    def last_words(self):
        return [repr(event) for console in self.consoles
                for event in console.events[-8:]]


class AgentHome(ConsoleHome):
    """`folder` is where the socket lies, below the top."""

    def __init__(self, lease=FOREVER, folder="", give_up=FOREVER):
        super().__init__()
        self.home = self.folder("agents")
        self.socket = str(self.folder(folder) / "hub.sock")
        self.lease = lease
        self.give_up = give_up

    def hub(self, wrapper=(), warden=WARDEN, **popen):
        """A new life, by a program that runs another when one is given."""
        return self.add(AgentConsole(
            [*wrapper, CONSOLE, self.home, self.socket, warden,
             str(self.lease), str(self.give_up)], env=self.env, **popen))

    @staticmethod
    def zygotes(hub):
        """The living ones of that hub: one, or while it has none, none."""
        return [pid for pid in children(hub.proc.pid)
                if is_zygote(pid) and not has_gone(pid)]

    def path(self, id, name):
        return os.path.join(self.home, id, name)

    def read(self, id, name):
        with open(self.path(id, name), "rb") as f:
            return f.read()

    def record(self, id):
        """Its exit record, or None."""
        return record.ended(self.path(id, ""))

    def until_printed(self, id, text):
        def look():
            try:
                return text.encode() in self.read(id, "stdout.ndjson")
            except FileNotFoundError:
                return False
        until(look, f"{text!r} of {id}")

    def of(self, id):
        """The living of an agent: (its wardens, all others)."""
        ours = self.everybody()
        programs = {p: program(p) for p in
                    marked(f"KUROMAJUTSU_AGENT_ID={id}") if p in ours}
        return ([p for p, path in programs.items() if path == WARDEN],
                [p for p, path in programs.items() if path and path != WARDEN])

    def tree(self, id):
        return self.of(id)[1]

    def warden(self, id):
        """Its warden. What it is about to start looks like it for a moment."""
        return until(lambda: len(seen := self.of(id)[0]) == 1 and seen,
                     f"the warden of {id}")[0]

    def orphan(self, hub, *ids, lease):
        """Kills the hub and leaves these agents' wardens with that lease. It
        comes with a second hub's welcome, for the one they are started with
        runs until the first, and a slow hub may be late for it."""
        hub.kill()
        self.lease = lease
        hub = self.hub()
        for id in ids:
            hub.order("adopt", id, argv=["/bin/true"])
        for id in ids:
            hub.state(id, "running")
        hub.kill()

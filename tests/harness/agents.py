# SPDX-License-Identifier: MIT
"""The house: a home directory, test hubs in it and what their agents leave.

Everything a hub starts carries the house's mark in its environment. A test
that passes leaves nothing alive behind it, and nobody with a complaint of a
sanitizer; whatever is left of one that fails is killed. Waiting is for events,
or by looking again until a generous deadline.
"""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import uuid

from harness.processes import marked, program
from harness.programs import ACTS, PUPPET, WARDEN, built
from harness.until import DEADLINE, equal, until

CONSOLE = built("tests/actors/agent/agent-console")
FOREVER = 600000


def puppet(name, **params):
    words = " ".join(f"{k}={v}" for k, v in params.items())
    return [PUPPET, "-p", "--force", "--output-format", "stream-json",
            f"puppet: {name} {words}".rstrip()]


def claude(name, **params):
    return [PUPPET, "--backend", "claude", "-p", "--verbose",
            *puppet(name, **params)[3:]]


def acts(*acts):
    return [ACTS, *map(str, acts)]


def lines(path):
    with open(path, "rb") as f:
        return f.read().count(b"\n")


class Hub:
    """One life of the test hub."""

    def __init__(self, house, wrapper, popen):
        env = dict(os.environ, **house.env)
        self.house = house
        self.events = []
        self.heard = threading.Condition()
        self.is_deaf = False
        self.proc = subprocess.Popen(
            [*wrapper, CONSOLE, house.home, house.socket, WARDEN,
             str(house.lease)],
            env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **popen)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.room = self.event("ready")["room"]

    def _read(self):
        for line in self.proc.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                break  # the hub was killed in the middle of it
            with self.heard:
                self.events.append(event)
                self.heard.notify_all()
        with self.heard:
            self.is_deaf = True
            self.heard.notify_all()

    def order(self, do, id, **more):
        line = json.dumps({"do": do, "id": id, **more}) + "\n"
        self.proc.stdin.write(line.encode())
        self.proc.stdin.flush()

    def run(self, id, argv, **more):
        self.order("run", id, argv=argv, **more)

    def finish(self, id, argv, **more):
        """From run to gone: the last view."""
        self.run(id, argv, **more)
        return self.gone(id)

    def wait(self, wanted, what, start=0):
        """The first event from `start` on that is wanted."""
        end = time.monotonic() + DEADLINE
        with self.heard:
            while True:
                for event in self.events[start:]:
                    assert event["event"] != "unwritable", "not UTF-8"
                    if wanted(event):
                        return event
                start = len(self.events)
                left = end - time.monotonic()
                assert not self.is_deaf, f"the hub left before {what}"
                assert left > 0, f"waited in vain: {what}"
                self.heard.wait(left)

    def event(self, name, id=None, start=0):
        return self.wait(lambda e: e["event"] == name and
                         (id is None or e.get("id") == id), name, start)

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

    def here(self):
        with self.heard:
            return len(self.events)

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

    def kill(self):
        self.proc.kill()
        self.proc.wait()
        self.reader.join()

    def stop(self):
        """Lets it leave by itself, and sees that it did so properly."""
        if not self.proc.stdin.closed:
            self.proc.stdin.close()
        self.proc.wait(DEADLINE)
        self.reader.join()
        if self.proc.returncode != -signal.SIGKILL:
            equal(self.proc.returncode, 0)
            equal(self.events[-1], {"event": "stopped", "leaks": 0})


class House:
    def __init__(self, lease=FOREVER, folder=""):
        self.top = tempfile.mkdtemp(prefix="house-")
        self.home = os.path.join(self.top, "agents")
        self.lease = lease
        os.mkdir(self.home, 0o700)
        os.makedirs(os.path.join(self.top, folder), exist_ok=True)
        self.socket = os.path.join(self.top, folder, "hub.sock")
        mark = uuid.uuid4().hex
        self.mark = f"HOUSE_MARK={mark}"
        self.env = {"HOUSE_MARK": mark}
        for name in ("ASAN", "UBSAN", "TSAN"):
            was = os.environ.get(name + "_OPTIONS", "")
            self.env[name + "_OPTIONS"] = f"{was}:log_path={self.top}/report"
        self.hubs = []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                for hub in self.hubs:
                    hub.stop()
                until(lambda: not marked(self.mark), "an empty house")
        finally:
            self._clear(kind)

    def _clear(self, kind):
        for pid in marked(self.mark):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for hub in self.hubs:
            hub.proc.kill()
            hub.proc.wait()
            if kind is not None:
                for event in hub.events[-8:]:
                    print(f"# {repr(event):.300}")
        reports = [n for n in os.listdir(self.top) if n.startswith("report")]
        for name in reports:
            with open(os.path.join(self.top, name), errors="replace") as f:
                print("".join("# " + line for line in f))
        shutil.rmtree(self.top, ignore_errors=True)
        assert not reports, "a sanitizer has something to say"

    def hub(self, wrapper=(), **popen):
        """A new hub, by a program that runs another when one is given."""
        hub = Hub(self, wrapper, popen)
        self.hubs.append(hub)
        return hub

    def path(self, id, name):
        return os.path.join(self.home, id, name)

    def read(self, id, name):
        with open(self.path(id, name), "rb") as f:
            return f.read()

    def until_printed(self, id, text):
        def look():
            try:
                return text.encode() in self.read(id, "stdout.ndjson")
            except FileNotFoundError:
                return False
        until(look, f"{text!r} of {id}")

    def of(self, id):
        """The living of an agent: (its wardens, all others)."""
        ours = marked(self.mark)
        programs = {p: program(p) for p in
                    marked(f"KUROMAJUTSU_AGENT_ID={id}") if p in ours}
        return ([p for p, path in programs.items() if path == WARDEN],
                [p for p, path in programs.items() if path and path != WARDEN])

    def tree(self, id):
        return self.of(id)[1]

    def warden(self, id):
        """Its warden. What it is about to start looks like it for a moment."""
        def the_one():
            seen = self.of(id)[0]
            return seen if len(seen) == 1 else None
        return until(the_one, f"the warden of {id}")[0]

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

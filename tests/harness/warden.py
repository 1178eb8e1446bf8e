# SPDX-License-Identifier: MIT
"""A home for wardens: an agent's directory, and the socket of a hub that the
test itself plays."""

import json
import os
import socket
import subprocess

from harness import record
from harness.processes import has_gone
from harness.programs import WARDEN
from harness.sandbox import Sandbox
from harness.until import DEADLINE, equal, until


class Link:
    """The hub's end of one connection."""

    def __init__(self, sock):
        self.sock = sock
        self.sock.settimeout(DEADLINE)
        self.rest = b""

    def hear(self):
        """The next message, or None when the warden has hung up."""
        while b"\n" not in self.rest:
            try:
                more = self.sock.recv(65536)
            except ConnectionResetError:
                more = b""
            if not more:
                return None
            self.rest += more
        first, self.rest = self.rest.split(b"\n", 1)
        return json.loads(first)

    def expect(self, **fields):
        heard = self.hear()
        assert heard is not None, f"hung up instead of {fields}"
        for name, value in fields.items():
            assert heard.get(name) == value, f"{fields} but {heard}"
        return heard

    def expect_silence(self, seconds):
        """Makes sure that nothing is said for so long."""
        self.sock.settimeout(seconds)
        try:
            raise AssertionError(f"not silent: {self.hear()}")
        except TimeoutError:
            self.sock.settimeout(DEADLINE)

    def say(self, words):
        self.sock.sendall(words.encode() + b"\n")

    def close(self):
        self.sock.close()


class WardenHome(Sandbox):
    """`folder` is where the socket lies, below the top."""

    def __init__(self, listening=True, folder=""):
        super().__init__()
        self.dir = self.folder("agent")
        self.path = str(self.folder(folder) / "hub.sock")
        self.listener = None
        self.wardens = []
        self.links = []
        if listening:
            self.listen()

    def finish(self):
        """Whatever a warden watched has ended before it."""
        for w in self.wardens:
            w.wait(DEADLINE)
        equal(self.survivors(), [])

    def abandon(self):
        for w in self.wardens:
            w.kill()
            w.wait()
        self.deafen()

    # ---- the hub's side -------------------------------------------------

    def listen(self, backlog=16):
        """Like a new hub: on a new socket at the same path."""
        folder = os.open(os.path.dirname(self.path), os.O_PATH)
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.listener = socket.socket(socket.AF_UNIX)
        # The path itself may be longer than an address can be.
        self.listener.bind(f"/proc/self/fd/{folder}/hub.sock")
        self.listener.listen(backlog)
        self.listener.settimeout(DEADLINE)
        os.close(folder)

    def accept(self):
        link = Link(self.listener.accept()[0])
        self.links.append(link)
        return link

    def deafen(self):
        """Like a hub that dies: the listener and every connection go."""
        if self.listener:
            self.listener.close()
        for link in self.links:
            link.close()
        self.listener, self.links = None, []

    # ---- the warden and what it watches ---------------------------------

    def start(self, program, env=None, popen=None, **options):
        """`env` is in place of all our own."""
        words = {"dir": self.dir, "socket": self.path, "id": "coder-1",
                 "build": "b1", "record": record.NAME, **options}
        words = {k: v for k, v in words.items() if v is not None}
        argv = [WARDEN]
        for name, value in words.items():
            argv += ["--" + name.replace("_", "-"), str(value)]
        kept = {name: value for name, value in self.env.items()
                if env is None or name == "TEST_MARK"
                or name.endswith("SAN_OPTIONS")}
        w = subprocess.Popen(argv + ["--"] + program,
                             env={**kept, **(env or {})}, **(popen or {}))
        self.wardens.append(w)
        return w

    def run(self, program, **options):
        """From start to end: the record."""
        w = self.start(program, **options)
        link = self.accept()
        link.expect(hello="warden")
        record = self.ended(link)
        equal(w.wait(DEADLINE), 0)
        return record

    def ended(self, link):
        """Hears of the end. Returns the record, with which the warden leaves."""
        heard = link.hear()
        while heard is not None and heard.get("event") != "ended":
            heard = link.hear()
        assert heard, "hung up without an end"
        # Not waited for: it must be there by now.
        kept = self.record()
        equal({"event": "ended", **kept}, heard)
        return kept

    def record(self):
        """Its exit record, or None."""
        return record.ended(self.dir)

    def survivors(self):
        """Living processes of ours, but for the wardens."""
        ours = {w.pid for w in self.wardens}
        return [pid for pid in self.everybody()
                if pid not in ours and not has_gone(pid)]

    def file(self, name):
        return os.path.join(self.dir, name)

    def read(self, name):
        with open(self.file(name), "rb") as f:
            return f.read()

    def stdout(self):
        try:
            return self.read("stdout.ndjson").decode().splitlines()
        except FileNotFoundError:
            return []

    def until_printed(self, text):
        until(lambda: text in self.stdout(), f"{text!r} on stdout")

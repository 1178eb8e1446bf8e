"""The yard: a directory, a hub's socket and a warden in it, all of them real.

Whatever a test leaves running is found by a mark in its environment, counted
as a failure and killed. Waiting is for events, or by looking again until a
generous deadline; no test knows how fast the machine is.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import uuid

from harness.processes import marked
from harness.programs import ACTS, WARDEN
from harness.until import DEADLINE, equal, until

FOREVER = 600000


def acts(*acts):
    return [ACTS, *acts]


def status(pid, field):
    with open(f"/proc/{pid}/status") as f:
        for line in f:
            if line.startswith(field + ":"):
                return line.split()[1]
    raise KeyError(field)


def has_gone(pid):
    try:
        return status(pid, "State") in "ZX"
    except (FileNotFoundError, ProcessLookupError, KeyError):
        return True


class Line:
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

    def say(self, words):
        self.sock.sendall(words.encode() + b"\n")

    def close(self):
        self.sock.close()


class Yard:
    def __init__(self, listening=True, folder=""):
        self.top = tempfile.mkdtemp(prefix="yard-")
        self.dir = os.path.join(self.top, "agent")
        os.mkdir(self.dir, 0o700)
        os.makedirs(os.path.join(self.top, folder), exist_ok=True)
        self.path = os.path.join(self.top, folder, "hub.sock")
        self.mark = f"YARD_MARK={uuid.uuid4().hex}"
        self.listener = None
        self.wardens = []
        self.lines = []
        if listening:
            self.listen()

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        left = []
        if kind is None:
            for w in self.wardens:
                w.wait(DEADLINE)
            left = self.survivors()
        for pid in [w.pid for w in self.wardens] + self.survivors():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for w in self.wardens:
            w.wait()
        self.deafen()
        reports = [n for n in os.listdir(self.top) if n.startswith("asan")]
        for name in reports:
            with open(os.path.join(self.top, name)) as f:
                print("".join("# " + line for line in f))
        shutil.rmtree(self.top)
        assert not reports, "a sanitizer has something to say"
        assert not left, f"left running: {left}"

    # The hub's side.

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
        line = Line(self.listener.accept()[0])
        self.lines.append(line)
        return line

    def deafen(self):
        """Like a hub that dies: the listener and every connection go."""
        if self.listener:
            self.listener.close()
        for line in self.lines:
            line.close()
        self.listener, self.lines = None, []

    # The warden and what it watches.

    def start(self, program, env=None, popen=None, **options):
        words = {"dir": self.dir, "socket": self.path, "id": "coder-1",
                 "build": "b1", **options}
        argv = [WARDEN]
        for name, value in words.items():
            argv += ["--" + name.replace("_", "-"), str(value)]
        variables = dict(env or os.environ)
        variables.update([self.mark.split("=", 1)])
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
            variables[name] = f"log_path={self.top}/asan"
        w = subprocess.Popen(argv + ["--"] + program, env=variables,
                             **(popen or {}))
        self.wardens.append(w)
        return w

    def run(self, program, **options):
        """From start to bye: the record."""
        w = self.start(program, **options)
        line = self.accept()
        line.expect(hello="warden")
        record = self.finish(line)
        equal(w.wait(DEADLINE), 0)
        return record

    def finish(self, line):
        """Hears of the end, and says bye. Returns the record."""
        heard = line.hear()
        while heard is not None and heard.get("event") != "ended":
            heard = line.hear()
        assert heard, "hung up without an end"
        # Not waited for: it must be there by now.
        record = json.loads(self.read("exit.json"))
        equal({"event": "ended", **record}, heard)
        line.say("bye")
        return record

    def survivors(self):
        """Living processes with the mark, but for the wardens."""
        ours = {w.pid for w in self.wardens}
        return [pid for pid in marked(self.mark)
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

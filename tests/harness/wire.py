# SPDX-License-Identifier: MIT
"""A project: a folder with a configuration, hubs that serve it and those who
talk with them over the wire.

Everything a hub starts carries the project's mark in its environment. A test
that passes leaves nothing alive behind it, no complaint of a sanitizer and no
leak of the runtime; whatever is left of one that fails is killed.
"""

import itertools
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import uuid

from harness.processes import marked, program
from harness.programs import HUB, PUPPET
from harness.until import DEADLINE, equal, until


GREETING = b"kuromajutsu-wire 1\n"
HEAD = struct.Struct("=IBBHQ")
HELLO, CALL, CANCEL, STOP = 1, 2, 3, 4
WELCOME, ANSWER, PROGRESS, LEAVING = 64, 65, 66, 67


def frame(kind, payload=b"", handle=0, flags=0):
    return HEAD.pack(len(payload), kind, flags, 0, handle) + payload


def packed(value):
    return json.dumps(value, ensure_ascii=False).encode()


class Wire:
    """One connection to a hub's socket."""

    def __init__(self, path, **hello):
        self.handles = itertools.count(1)
        self.kept = []
        self.buffer = bytearray()  # grows by megabytes, in small pieces
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        folder = os.open(os.path.dirname(path), os.O_PATH)
        try:
            self.socket.connect(f"/proc/self/fd/{folder}/hub.sock")
        finally:
            os.close(folder)
        self.said = {"build": "test", "client": "command",
                     "cwd": os.getcwd(), "env": ["A=b"], **hello}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, kind, payload=b"", handle=0, flags=0):
        self.raw(frame(kind, payload, handle, flags))

    def hello(self):
        self.raw(GREETING)
        self.send(HELLO, packed(self.said))
        kind, _, _, payload = self.next()
        equal(kind, WELCOME)
        return json.loads(payload)

    def next(self):
        """The next frame, or None when the hub has closed."""
        while True:
            if len(self.buffer) >= HEAD.size:
                length, kind, flags, zero, handle = HEAD.unpack_from(
                    self.buffer)
                equal(zero, 0)
                end = HEAD.size + length
                if len(self.buffer) >= end:
                    payload = bytes(self.buffer[HEAD.size:end])
                    del self.buffer[:end]
                    return kind, flags, handle, payload
            try:
                more = self.socket.recv(1 << 20)
            except ConnectionResetError:
                more = b""
            if not more:
                equal(self.buffer, b"")
                return None
            self.buffer += more

    def place(self, name, args=None, progress=False):
        handle = next(self.handles)
        call = {"name": name, "progress": progress, "key": f"k-{handle}"}
        if args is not None:
            call["args"] = args
        self.send(CALL, packed(call), handle)
        return handle

    def land(self, handle):
        """The answer to a call: (whether an error, its object)."""
        for kept in self.kept:
            if kept[0] == ANSWER and kept[2] == handle:
                self.kept.remove(kept)
                return bool(kept[1] & 1), json.loads(kept[3])
        while True:
            seen = self.next()
            assert seen is not None, "the hub has closed"
            if seen[0] == ANSWER and seen[2] == handle:
                return bool(seen[1] & 1), json.loads(seen[3])
            self.kept.append(seen)

    def ask(self, name, args=None):
        """The answer to a call that is to go well."""
        is_error, answer = self.land(self.place(name, args))
        assert not is_error, answer
        return answer

    def refused(self, name, args=None):
        """The code of one that is not."""
        is_error, answer = self.land(self.place(name, args))
        assert is_error and answer["error"] is True, answer
        return answer["code"]

    def is_closed(self):
        while self.next() is not None:
            pass
        return True


class Project:
    def __init__(self, command=PUPPET, lines=(), **hub):
        self.top = tempfile.mkdtemp(prefix="project-")
        self.folder = os.path.join(self.top, "work")
        self.home = os.path.join(self.top, "home")
        os.mkdir(self.folder)
        with open(os.path.join(self.folder, "kuromajutsu.config.yaml"),
                  "w") as f:
            f.write("\n".join([
                "language: en", "agent:", f"  command: {command}",
                "  maxConcurrent: 40", *lines, "hub:",
                f"  lease_ms: {hub.get('lease', 600000)}",
                f"  linger_ms: {hub.get('linger', 600000)}", ""]))
        mark = uuid.uuid4().hex
        self.mark = f"PROJECT_MARK={mark}"
        self.env = dict(os.environ, KUROMAJUTSU_HOME=self.home,
                        PROJECT_MARK=mark)
        for name in ("KUROMAJUTSU_CONFIG", "KUROMAJUTSU_SOCKET"):
            self.env.pop(name, None)
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
                    if hub.poll() is None:
                        hub.terminate()
                    self.left(hub)
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
            hub.kill()
            hub.wait()
        log = self.log()
        if kind is not None:
            print("".join(f"# {line}\n" for line in log[-12:]), end="")
        reports = [n for n in os.listdir(self.top) if n.startswith("report")]
        for name in reports:
            with open(os.path.join(self.top, name), errors="replace") as f:
                print("".join("# " + line for line in f))
        shutil.rmtree(self.top, ignore_errors=True)
        assert not reports, "a sanitizer has something to say"
        faults = [x for x in log if "hub.leaks" in x or "runtime error" in x]
        assert not faults, faults

    # ---- hubs -------------------------------------------------------------

    def hub(self, *args, **popen):
        """Starts one; its stderr is the file "said" unless told otherwise."""
        with open(os.path.join(self.top, "said"), "ab") as said:
            popen.setdefault("stderr", said)
            popen.setdefault("stdin", subprocess.DEVNULL)
            popen.setdefault("stdout", said)
            hub = subprocess.Popen([HUB, *(args or ("serve",))], env=self.env,
                                   cwd=self.folder, **popen)
        self.hubs.append(hub)
        return hub

    def left(self, hub, code=0):
        """It has left by itself, and in order."""
        hub.wait(DEADLINE)
        if hub.returncode != -signal.SIGKILL:
            equal(hub.returncode, code)

    def try_hub(self, *args, **popen):
        """Runs one that will not stay: (exit code, stderr)."""
        done = subprocess.run([HUB, *args], cwd=self.folder, timeout=DEADLINE,
                              env=popen.pop("env", self.env),
                              stdin=subprocess.DEVNULL, capture_output=True,
                              **popen)
        return done.returncode, done.stderr.decode()

    def state(self, name=""):
        """A path in the state directory."""
        found = until(lambda: os.path.isdir(self.home) and
                      os.listdir(self.home), "a state directory")
        return os.path.join(self.home, found[0], name)

    def is_deserted(self):
        """Nobody is behind the socket. A process that a killed hub was about
        to start may still have it for a moment."""
        try:
            Wire(self.state("hub.sock")).socket.close()
        except ConnectionRefusedError:
            return True
        return False

    def read(self, path):
        try:
            with open(path, errors="replace") as f:
                return f.read()
        except OSError:
            return ""

    def log(self):
        text = self.read(os.path.join(self.top, "said"))
        if os.path.isdir(self.home):
            for name in os.listdir(self.home):
                text += self.read(os.path.join(self.home, name, "hub.log"))
        return text.splitlines()

    def until_logged(self, event, count=1):
        def look():
            return [x for x in self.log() if f'"event":"{event}"' in x]
        return until(lambda: len(look()) >= count and look(), event)

    # ---- visitors ---------------------------------------------------------

    def knock(self, **hello):
        """A connection that has said nothing yet."""
        hello.setdefault("env", [f"{k}={v}" for k, v in self.env.items()])

        def look():
            try:
                return Wire(self.state("hub.sock"), **hello)
            except (FileNotFoundError, ConnectionRefusedError):
                return None
        return until(look, "an open door")

    def visit(self, **hello):
        wire = self.knock(**hello)
        wire.hello()
        return wire

    # ---- agents -----------------------------------------------------------

    def run(self, wire, *scenarios, **more):
        """Starts agents in a group of their own: their ids."""
        group = wire.ask("create_group", {"description": "test"})["groupId"]
        agents = [{"role": "impl-code", "prompt": f"puppet: {s}", **more}
                  for s in scenarios]
        run = wire.ask("run_agents", {"groupId": group, "agents": agents})
        return [a["agentId"] for a in run["agents"]]

    def until_running(self, wire, *ids):
        for id in ids:
            until(lambda: wire.ask("get_agent_status", {"agentId": id})
                  ["status"] == "running", f"{id} running")
            until(lambda: os.path.exists(
                self.state(f"agents/{id}/stdout.ndjson")) and
                "assistant" in self.read(
                    self.state(f"agents/{id}/stdout.ndjson")), "its words")

    def alive(self, id):
        mine = set(marked(f"KUROMAJUTSU_AGENT_ID={id}"))
        return [p for p in marked(self.mark) if p in mine]

    def warden(self, id):
        """Its warden. What it is about to start looks like it for a moment."""
        def the_one():
            seen = [p for p in self.alive(id)
                    if os.path.basename(program(p)) == "kuromajutsu-warden"]
            return seen if len(seen) == 1 else None
        return until(the_one, f"the warden of {id}")[0]

    def players(self, id):
        """Those alive without the warden, which is told last that it may go
        and is waited for by nobody."""
        return [p for p in self.alive(id)
                if os.path.basename(program(p))
                not in ("", "kuromajutsu-warden")]

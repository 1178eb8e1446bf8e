# SPDX-License-Identifier: MIT
"""An MCP client of one relay, and a project for it to be started in."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path

from harness.until import DEADLINE, until

VERSION = "2025-11-25"


def libraries(program):
    """Where its libraries are: a copy does not find what lies beside it."""
    lines = subprocess.run(["ldd", program], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    paths = [line.split()[2] for line in lines if "=> /" in line]
    return ":".join(sorted({os.path.dirname(path) for path in paths}))


class Project:
    """A directory, a home for the state, and the programs to be started.

    The programs are copies, so that another hub can lie beside the relay.
    """

    def __init__(self, relay, others=(), config=None):
        self.root = Path(tempfile.mkdtemp(prefix="relay-"))
        self.bin, self.home = self.root / "bin", self.root / "home"
        self.work = self.root / "work"
        for folder in (self.bin, self.work):
            folder.mkdir()
        self.relay = shutil.copy(relay, self.bin / "kuromajutsu")
        self.libraries = libraries(relay)
        for other in others:
            shutil.copy(other, self.bin / Path(other).name)
        if config is not None:
            self.configure(config)
        self.clients = []

    def configure(self, text):
        (self.work / "kuromajutsu.config.yaml").write_text(text)

    def env(self, **more):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith("KUROMAJUTSU_")}
        return env | {"KUROMAJUTSU_HOME": str(self.home),
                      "LD_LIBRARY_PATH": self.libraries} | more

    def start(self, *args, **env):
        client = Client([self.relay, *args], self.work, self.env(**env))
        self.clients.append(client)
        return client

    def states(self):
        return list(self.home.iterdir()) if self.home.exists() else []

    def hubs(self):
        """The processes of the hub's program here, which are no zombies."""
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                is_dead = ") Z " in (entry / "stat").read_text()
            except OSError:
                continue
            if not is_dead and any(
                    w == str(self.bin / "kuromajutsu-hub").encode()
                    for w in words[:2]):
                found.append(int(entry.name))
        return found

    def kill_hubs(self):
        """One that found another's lock may leave while we look at it."""
        for pid in self.hubs():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in self.clients:
            client.kill()
        self.kill_hubs()
        until(lambda: not self.hubs(), "the hubs to end")
        shutil.rmtree(self.root, ignore_errors=True)


class Client:
    def __init__(self, command, cwd, env):
        self.process = subprocess.Popen(
            command, cwd=cwd, env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.answers, self.notes, self.impure = {}, [], []
        self.said = b""
        self.last_id = 0
        self.arrived = threading.Condition()
        self.threads = [threading.Thread(target=self._read, daemon=True),
                        threading.Thread(target=self._hear, daemon=True)]
        for thread in self.threads:
            thread.start()

    def _read(self):
        for line in self.process.stdout:
            with self.arrived:
                try:
                    message = json.loads(line)
                    assert message["jsonrpc"] == "2.0"
                    if "method" in message:
                        self.notes.append(message)
                    else:
                        assert message["id"] not in self.answers
                        self.answers[message["id"]] = message
                except (ValueError, KeyError, AssertionError, TypeError):
                    self.impure.append(line)
                self.arrived.notify_all()

    def _hear(self):
        for line in self.process.stderr:
            self.said += line

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params=None):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method,
                   "params": params or {}})
        return self.last_id

    def note(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method,
                   "params": params or {}})

    def call(self, name, args=None, token=None):
        params = {"name": name, "arguments": args or {}}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        return self.request("tools/call", params)

    def answer(self, number):
        with self.arrived:
            assert self.arrived.wait_for(
                lambda: number in self.answers or self.impure,
                DEADLINE), f"no answer to {number}: {self.said}"
        assert not self.impure, self.impure
        return self.answers[number]

    def ask(self, method, params=None):
        return self.answer(self.request(method, params))

    def result(self, number):
        """(is_error, body) of a tool's answer."""
        result = self.answer(number)["result"]
        return (result.get("isError", False),
                json.loads(result["content"][0]["text"]))

    def use(self, name, args=None):
        return self.result(self.call(name, args))

    def code_of(self, number):
        is_error, body = self.result(number)
        assert is_error, body
        return body["code"]

    def shake_hands(self):
        result = self.ask("initialize", {
            "protocolVersion": VERSION, "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}})["result"]
        self.note("notifications/initialized")
        return result

    def close(self):
        self.process.stdin.close()

    def end(self):
        """Waits for its end; what it said must all have been JSON-RPC."""
        code = self.process.wait(DEADLINE)
        for thread in self.threads:
            thread.join(DEADLINE)
        assert not self.impure, self.impure
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            try:
                pipe.close()
            except OSError:
                pass

# SPDX-License-Identifier: MIT
"""A home for hubs: a state directory, a project with its configuration, and
the built programs at work in them, with puppets for agents.

Everything that is started carries the home's mark in its environment, or at
least the hub's socket: clients of agents drop variables, and so what an agent
has started has no mark. Whatever is alive at the end is ended: no test leaves
anybody behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid

from harness.mcp import Talk
from harness.processes import environments, program
from harness.until import until


class Server:
    """A program started in a home, and the talk with it."""

    def __init__(self, home, argv, env):
        self.proc = subprocess.Popen(
            argv, cwd=home.project, env=env, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=home.log)
        self.talk = Talk(os.dup(self.proc.stdin.fileno()),
                         os.dup(self.proc.stdout.fileno()), argv[0])
        self.proc.stdin.close()
        self.proc.stdout.close()

    def end(self):
        """Closes its pipes; its exit status."""
        self.talk.close()
        return self.proc.wait()


class Home:
    """`settings` is what kuromajutsu.config.yaml says; JSON is YAML."""

    def __init__(self, build, settings=None, env=None):
        self.build = os.path.abspath(build)
        self.top = tempfile.mkdtemp(prefix="kuromajutsu-")
        self.project = os.path.join(self.top, "project")
        self.state = os.path.join(self.top, "state")
        for path in (self.project, self.state, os.path.join(self.top, "home")):
            os.mkdir(path, 0o700)
        self.log = open(os.path.join(self.top, "stderr"), "ab")
        mark = uuid.uuid4().hex
        self.mark = f"KUROMAJUTSU_TEST_MARK={mark}"
        # A variable of the person who runs the test would be another home.
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith("KUROMAJUTSU_")}
        self.env.update({
            "HOME": os.path.join(self.top, "home"),
            "KUROMAJUTSU_HOME": self.state,
            "KUROMAJUTSU_AGENT_COMMAND": self.path("kuromajutsu-puppet"),
            "KUROMAJUTSU_TEST_MARK": mark, **(env or {})})
        self.env.pop("XDG_STATE_HOME", None)
        self.configure(settings or {})
        self.servers = []

    def path(self, name):
        return os.path.join(self.build, name)

    def configure(self, settings):
        path = os.path.join(self.project, "kuromajutsu.config.yaml")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(settings, f, ensure_ascii=False)

    def start(self, *words, **env):
        """Starts `kuromajutsu WORDS...` and gives it with its talk."""
        server = Server(self, [self.path("kuromajutsu"), *words],
                        {**self.env, **env})
        self.servers.append(server)
        return server

    def relay(self, **env):
        return self.start("mcp", **env)

    def standalone(self, **env):
        return self.start("--standalone", **env)

    def serve(self, **env):
        """Starts the hub and gives its address, which ends with a slash."""
        self.start("serve", **env)

        def url():
            said = self.run("status", "--json")
            return said.returncode == 0 and json.loads(said.stdout).get("url")
        return until(url, "the hub's address").rstrip("/") + "/"

    def run(self, *words, **options):
        """Runs `kuromajutsu WORDS...` to its end."""
        return subprocess.run(
            [self.path("kuromajutsu"), *words], cwd=self.project,
            env=self.env, capture_output=True, text=True, check=False,
            **options)

    def everybody(self):
        """Ids of our living processes."""
        mark = self.mark.encode()
        socket = f"KUROMAJUTSU_SOCKET={self.state}/".encode()
        return [pid for pid, env in environments()
                if any(v == mark or v.startswith(socket) for v in env)]

    def living(self, *names):
        """Ids of those that run a program of such a name."""
        return [pid for pid in self.everybody()
                if os.path.basename(program(pid)) in names]

    def hub(self):
        """The one hub. What it is about to start looks like it for a moment."""
        def the_one():
            seen = self.living("kuromajutsu-hub")
            return seen if len(seen) == 1 else None
        return until(the_one, "one hub")[0]

    def settle(self, talk):
        """Waits until every role is judged and no agent has a process."""
        until(lambda: not any(
            role.get("healthCheck", {}).get("status") == "pending"
            for role in talk.call("list_roles")["roles"]), "roles judged")
        until(lambda: not self.living("kuromajutsu-warden"), "nobody at work")

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.log.close()
        if kind is not None:
            self._tell()
        for server in self.servers:
            server.proc.kill()
            server.proc.wait()
        # Who is being killed may have started somebody a moment before.
        while alive := self.everybody():
            for pid in alive:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        shutil.rmtree(self.top, ignore_errors=True)

    def _tell(self):
        for folder, _, names in os.walk(self.top):
            for name in set(names) & {"stderr", "hub.log"}:
                with open(os.path.join(folder, name), errors="replace") as f:
                    for line in f.read().splitlines()[-15:]:
                        print(f"# {name}: {line:.300}", file=sys.stderr)

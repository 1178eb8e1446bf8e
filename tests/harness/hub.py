# SPDX-License-Identifier: MIT
"""A home for hubs: a project with its configuration, a state directory, and
the built programs at work in them, with puppets for agents."""

import json
import os
import signal
import subprocess

from harness import mcp
from harness.processes import is_zygote, marked, program, runs
from harness.programs import BUILD
from harness.sandbox import Sandbox
from harness.tools import roles_are_judged
from harness.until import DEADLINE, FOREVER, equal, until
from harness.wire import Wire

CONFIG = "kuromajutsu.config.yaml"


def read(path):
    """The text of a file; "" while there is none."""
    try:
        with open(path, errors="replace", encoding="utf-8") as f:
            return f.read()
    except OSError:
        return ""


class Server:
    """`kuromajutsu WORDS...` on pipes of ours, and the talk with it."""

    def __init__(self, home, argv, env, **popen):
        self.stderr = home.top / f"stderr-{len(home.servers)}"
        with open(self.stderr, "wb") as stderr:
            self.proc, self.talk = mcp.start(argv, cwd=home.project, env=env,
                                             stderr=stderr, **popen)

    def said(self):
        """What it has said on stderr."""
        return read(self.stderr)

    def wait(self):
        """Its exit status, once all is read that it has to say."""
        if not self.talk.is_closed:
            self.talk.read_on()
        return self.proc.wait(DEADLINE)

    def end(self):
        """Closes its pipes; its exit status."""
        self.talk.close()
        return self.proc.wait(DEADLINE)

    def kill(self):
        self.proc.kill()
        return self.end()


class HubHome(Sandbox):
    """`settings` is what the configuration says: a dict, or YAML as it is;
    without them there is none. `env` adds variables, and takes those away
    whose value is None. `build` is where the programs are."""

    def __init__(self, settings=None, env=None, build=BUILD):
        super().__init__()
        self.build = build
        self.project = self.folder("project")
        self.home = self.folder("home")
        self.user = self.folder("user")
        self.servers = []
        self.hubs = []
        self.set(HOME=str(self.user), KUROMAJUTSU_HOME=str(self.home),
                 KUROMAJUTSU_AGENT_COMMAND=self.path("kuromajutsu-puppet"))
        self.set(**(env or {}))
        if settings is not None:
            self.configure(settings)

    def path(self, name):
        return os.path.join(self.build, name)

    @property
    def config(self):
        return self.project / CONFIG

    def configure(self, settings):
        """Writes the configuration; JSON is YAML. Its path."""
        if not isinstance(settings, str):
            settings = json.dumps(settings, ensure_ascii=False)
        self.config.write_text(settings, encoding="utf-8")
        return self.config

    def trust(self):
        """For what could run something: it does not hold otherwise."""
        done = self.run("trust")
        assert done.returncode == 0, done.err

    def as_claude(self):
        """Has the puppet play Claude Code, which has no list of models."""
        cli = self.top / "claude"
        cli.write_text(f'#!/bin/sh\nexec {self.path("kuromajutsu-puppet")} '
                       '--backend claude "$@"\n')
        cli.chmod(0o755)
        self.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))

    def state(self, name=""):
        """A path in the project's state directory, once there is one."""
        found = until(lambda: [d for d in self.home.glob("*") if d.is_dir()],
                      "a state directory")
        return found[0] / name

    # ---- programs -------------------------------------------------------

    def start(self, *words, program=None, popen=None, **env):
        """Starts `kuromajutsu WORDS...` and gives it with its talk."""
        server = Server(self, [program or self.path("kuromajutsu"), *words],
                        {**self.env, **env}, **(popen or {}))
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
            return said.returncode == 0 and json.loads(said.out).get("url")
        return until(url, "the hub's address").rstrip("/") + "/"

    def popen(self, *words, **env):
        """Starts `kuromajutsu WORDS...`, which is asked nothing."""
        return subprocess.Popen(
            [self.path("kuromajutsu"), *words], cwd=self.project,
            env={**self.env, **env}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *words, under=(), given=None, **env):
        """The same to its end, perhaps under another program, given this text
        on stdin; what it said is .out and .err."""
        return self._finished([*under, self.path("kuromajutsu"), *words],
                              {**self.env, **env}, given)

    def hub(self, *args, **popen):
        """Starts kuromajutsu-hub itself; pipes are as they are asked for."""
        with open(self.top / "stderr-hub", "ab") as said:
            popen = {"stdin": subprocess.DEVNULL, "stdout": said,
                     "stderr": said, **popen}
            hub = subprocess.Popen(
                [self.path("kuromajutsu-hub"), *(args or ("serve",))],
                env=self.env, cwd=self.project, **popen)
        self.hubs.append(hub)
        return hub

    def try_hub(self, *args):
        """Runs one that will not stay: (exit code, stderr)."""
        done = self._finished([self.path("kuromajutsu-hub"), *args], self.env)
        return done.returncode, done.err

    def _finished(self, argv, env, given=None):
        stdin = ({"stdin": subprocess.DEVNULL} if given is None else
                 {"input": given.encode()})
        done = subprocess.run(argv, cwd=self.project, env=env,
                              capture_output=True, timeout=DEADLINE,
                              check=False, **stdin)
        done.out, done.err = done.stdout.decode(), done.stderr.decode()
        return done

    def stopped(self, hub, code=0):
        """Waits for the end of one that leaves by itself, and in order."""
        hub.wait(DEADLINE)
        if hub.returncode != -signal.SIGKILL:
            equal(hub.returncode, code)

    def stop(self, hub):
        hub.terminate()
        self.stopped(hub)

    # ---- processes ------------------------------------------------------

    def living(self, *names):
        """Ids of those that run a program of such a name; a zygote, which
        is there as long as its hub, is not one of them."""
        return [pid for pid in self.everybody()
                if runs(pid, *names) and not is_zygote(pid)]

    def zygotes(self):
        return [pid for pid in self.everybody() if is_zygote(pid)]

    def hub_pid(self):
        """The one hub. What it is about to start looks like it at first."""
        return self._one(lambda: self.living("kuromajutsu-hub"), "one hub")

    def alive(self, id):
        """The living of an agent."""
        mine = set(marked(f"KUROMAJUTSU_AGENT_ID={id}"))
        return [pid for pid in self.everybody() if pid in mine]

    def warden(self, id):
        """Its warden, like the hub."""
        return self._one(lambda: [pid for pid in self.alive(id)
                                  if runs(pid, "kuromajutsu-warden")],
                         f"the warden of {id}")

    def tree(self, id):
        """The living of an agent but for its warden, which is told last that
        it may go, and is not waited for."""
        return [pid for pid in self.alive(id) if program(pid)
                and not runs(pid, "kuromajutsu-warden")]

    @staticmethod
    def _one(look, what):
        return until(lambda: len(seen := look()) == 1 and seen, what)[0]

    def replace_hub(self, *ids):
        """Kills the hub and starts the next, once of wardens only those of
        these agents are left: a check that loses its hub would stay for its
        lease."""
        with self.session() as w:
            until(lambda: roles_are_judged(w), "roles judged")
        until(lambda: len(self.living("kuromajutsu-warden")) <= len(ids),
              "the wardens of agents alone")
        self.hubs[-1].kill()
        self.hubs[-1].wait()
        until(self.is_deserted, "a socket that nobody has any more")
        self.hub()

    def settle(self, caller):
        """Waits until every role is judged and no agent has a process."""
        until(lambda: roles_are_judged(caller), "roles judged")
        until(lambda: not self.living("kuromajutsu-warden"), "all gone")

    def until_running(self, caller, *ids):
        """Until they run, and have begun to speak."""
        for id in ids:
            until(lambda: caller.call("get_agent_status", agentId=id)
                  ["status"] == "running", f"{id} running")
            until(lambda: "assistant" in read(
                self.state(f"agents/{id}/stdout.ndjson")), "its words")

    # ---- what it says ---------------------------------------------------

    def log(self):
        """The lines of all hubs' logs, and of what was said on stderr."""
        paths = [*sorted(self.top.glob("stderr*")),
                 *sorted(self.home.glob("*/hub.log"))]
        return [line for path in paths for line in read(path).splitlines()]

    def until_logged(self, event, count=1, what=""):
        def look():
            return [x for x in self.log()
                    if f'"event":"{event}"' in x and what in x]
        return until(lambda: len(look()) >= count and look(), event)

    # ---- the wire -------------------------------------------------------

    def connect(self, kind=Wire, **hello):
        """A connection to the hub's socket that has said nothing yet."""
        hello.setdefault("env", [f"{k}={v}" for k, v in self.env.items()])

        def look():
            try:
                return kind(self.state("hub.sock"), **hello)
            except (FileNotFoundError, ConnectionRefusedError):
                return None
        return until(look, "a hub that listens")

    def session(self, **hello):
        """A connection that has been greeted."""
        wire = self.connect(**hello)
        wire.hello()
        return wire

    def is_deserted(self):
        """Nothing is behind the socket. A process that a killed hub was about
        to start may still have it for a moment."""
        try:
            Wire(self.state("hub.sock")).close()
        except ConnectionRefusedError:
            return True
        return False

    def url(self, wire):
        """Where the hub serves HTTP; it ends with a slash."""
        return until(lambda: wire.call("hub_status").get("url"), "an address")

    # ---- the end --------------------------------------------------------

    def finish(self):
        """Clients leave, then hubs, as they do by themselves."""
        for server in self.servers:
            server.talk.close()
        for server in self.servers:
            if not runs(server.proc.pid, "kuromajutsu-hub"):
                self.stopped(server.proc)
        for pid in self.living("kuromajutsu-hub"):
            os.kill(pid, signal.SIGTERM)
        for hub in [*self.hubs, *(server.proc for server in self.servers)]:
            self.stopped(hub)

    def abandon(self):
        for proc in [*self.hubs, *(server.proc for server in self.servers)]:
            proc.kill()
            proc.wait()

    def last_words(self):
        return self.log()[-20:]

    def faults(self):
        return [line for line in self.log()
                if "hub.leaks" in line or "runtime error" in line]


def patient_home(agent=None, lease=FOREVER, linger=FOREVER, **settings):
    """A home in English with many places, whose hub and wardens wait longer
    than any test does."""
    return HubHome({"language": "en",
                    "agent": {"maxConcurrent": 40, **(agent or {})},
                    "hub": {"lease_ms": lease, "linger_ms": linger},
                    "health": {"gate_ms": FOREVER},
                    **settings})

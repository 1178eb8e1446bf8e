#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""play.py BUILD [--once] [--puppet]: starts a hub, plays a scenario in each of
the three modes through the real MCP relay, and goes on serving.

Without a real agent CLI on PATH the puppet stands in for it, in a temporary
project with a state directory of its own: nothing of the user's is touched.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from board import Board, duration  # noqa: E402
from harness import mcp  # noqa: E402

REAL = ("agent", "cursor-agent")
# How often the board is drawn; nothing depends on it.
GLANCE = 0.1


def say(text=""):
    print(text, flush=True)


class Stage:
    """Where the scenario is played: programs, project, state."""

    def __init__(self, build, is_puppet, folder):
        self.build = build
        self.is_puppet = is_puppet
        self.project = pathlib.Path(folder) / "project"
        self.project.mkdir()
        # Started by an agent, we would be taken for it.
        self.env = dict(os.environ)
        for name in ("KUROMAJUTSU_SOCKET", "KUROMAJUTSU_AGENT_ID"):
            self.env.pop(name, None)
        if is_puppet:
            self.env["KUROMAJUTSU_HOME"] = str(pathlib.Path(folder) / "home")
            self.env["KUROMAJUTSU_AGENT_COMMAND"] = str(
                build / "kuromajutsu-puppet")
        self.log = pathlib.Path(folder) / "hub.log"
        self.hub = None

    def program(self, *args):
        return [str(self.build / "kuromajutsu"), *args]

    def ask(self, *args):
        return subprocess.run(self.program(*args), env=self.env,
                              cwd=self.project, capture_output=True,
                              check=False)

    def start_hub(self):
        with open(self.log, "wb") as log:
            self.hub = subprocess.Popen(self.program("serve"), env=self.env,
                                        cwd=self.project, stderr=log,
                                        stdin=subprocess.DEVNULL)
        while self.ask("status").returncode == 3:
            if self.hub.poll() is not None:
                sys.exit("run: the hub has left:\n" + self.log.read_text())
            time.sleep(GLANCE / 10)

    def stop_hub(self):
        if self.hub and self.hub.poll() is None:
            self.hub.send_signal(signal.SIGTERM)
            self.hub.wait()


class Refused(Exception):
    """A tool answered with an error; its text is code and message."""


class Scenario:
    """The three modes, one after the other. Prompts carry a line for the
    puppet; a real CLI gets the words alone."""

    def __init__(self, stage, talk):
        self.stage = stage
        self.talk = talk
        self.board = Board()
        self.known = set()
        self.results = []

    def call(self, tool, **args):
        return self.answer(self.talk.order(tool, args))

    def answer(self, id):
        is_error, body = self.talk.outcome(id)
        if is_error:
            raise Refused(f"{body['code']}: {body['message']}")
        return body

    def prompt(self, text, directive="report ms=300"):
        return f"puppet: {directive}\n{text}" if self.stage.is_puppet else text

    def task(self, role, text, directive="report ms=300"):
        return {"role": role, "prompt": self.prompt(text, directive),
                "workingDirectory": str(self.stage.project)}

    def fresh(self):
        """The agents of this act, the oldest first."""
        agents = self.call("list_agents")["agents"]
        agents.sort(key=lambda agent: (agent["startedAt"] or "9",
                                       agent["agentId"]))
        return [a for a in agents if a["agentId"] not in self.known]

    def watch(self, ids):
        """Shows everyone's progress until these have finished."""
        wait = self.talk.order("wait_agent", {"agentIds": ids})
        while True:
            self.board.show(self.fresh())
            if not self.talk.has_answered(wait):
                self.talk.pump(GLANCE)
            elif self.answer(wait)["timedOut"]:
                wait = self.talk.order("wait_agent", {"agentIds": ids})
            else:
                break

    def act(self, title, begin):
        say("\n" + self.board.paint("1", title))
        started = time.monotonic()
        self.watch(begin())
        agents = self.fresh()
        self.board.show(agents)
        self.board.rest()
        self.known.update(agent["agentId"] for agent in agents)
        seconds = time.monotonic() - started
        good = sum(self.has_succeeded(agent["agentId"]) for agent in agents)
        self.results.append((title, good, len(agents), seconds))

    def has_succeeded(self, agent):
        """By its result: a report may be one of failure."""
        status = self.call("get_agent_status", agentId=agent)
        return (status["result"] or {}).get("status") == "success"

    def concurrent(self):
        group = self.call(
            "create_group", description="Three at once")["groupId"]
        made = self.call("run_agents", groupId=group, agents=[
            self.task("research", "Say in one sentence what an actor is.",
                      "default ms=400"),
            self.task("impl-code", "Write hello.txt with one line in it.",
                      "edits files=2 ms=150"),
            self.task("impl-test", "Say in one sentence what a test is for.")])
        return [agent["agentId"] for agent in made["agents"]]

    def sequential(self):
        group = self.call("create_group", mode="sequential",
                          description="One hands on to the next")
        made = self.call(
            "run_sequential", groupId=group["groupId"], stages=[
                {"tasks": [self.task("research", "Name a good file name.")]},
                {"tasks": [self.task("impl-code", "Write a line into it."),
                           self.task("impl-test", "Say how to test it.")]},
                {"tasks": [self.task("code-review", "Judge the two.")]}])
        return [agent["agentId"] for agent in made["agents"]]

    def magentic(self):
        made = self.call(
            "run_magentic", description="An orchestrator and its agents",
            task=self.prompt("Have two agents write a line each, and one "
                             "check them.",
                             'orchestrator delay=30 work="report ms=300"'),
            completionCriteria="Both lines are checked",
            scope="The working directory only", maxIterations=5)
        return [made["orchestratorAgentId"]]

    def play(self):
        self.act("concurrent: three agents at once", self.concurrent)
        self.act("sequential: three stages, results are handed on",
                 self.sequential)
        self.act("magentic: an orchestrator plans, delegates, plans anew",
                 self.magentic)

    def summary(self):
        say("\n" + self.board.paint("1", "summary"))
        everything = True
        for title, good, count, seconds in self.results:
            is_good = good == count > 0
            everything = everything and is_good
            mark = self.board.paint(*("32", "✓") if is_good else ("31", "✗"))
            say(f"  {mark} {title.split(':')[0]:<11} {good} of {count} "
                f"agents succeeded, {duration(seconds * 1000)}")
        return everything and len(self.results) == 3


def play(stage):
    relay, talk = mcp.start(stage.program("mcp"), env=stage.env,
                            cwd=stage.project)
    scenario = Scenario(stage, talk)
    try:
        talk.hello()
        scenario.play()
    except (Refused, AssertionError) as why:  # or the relay has left
        say(f"run: {why}")
    finally:
        is_good = scenario.summary()
        talk.close()
        relay.wait()
    return is_good


def serve(stage):
    """Until Ctrl-C, which the terminal sends to the hub as well."""
    status = json.loads(stage.ask("status", "--json").stdout)
    if "url" in status:
        say(f"\nThe dashboard: {status['url']}")
    say("\nThe hub goes on serving; Ctrl-C ends it. Meanwhile, elsewhere:")
    say(f"  cd {stage.project}")
    for name in ("KUROMAJUTSU_HOME", "KUROMAJUTSU_AGENT_COMMAND"):
        if stage.is_puppet:
            say(f"  export {name}={stage.env[name]}")
    program = stage.program()[0]
    say(f"  {program} agents     {program} logs ID     {program} --help")
    stage.hub.wait()


def options():
    parser = argparse.ArgumentParser(prog="run", add_help=False)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--puppet", action="store_true")
    return parser.parse_args()


def main():
    chosen = options()
    real = next(filter(shutil.which, REAL), None)
    is_puppet = chosen.puppet or not real
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="kuromajutsu-") as folder:
        stage = Stage(chosen.build.resolve(), is_puppet, folder)
        say("The agents are played by kuromajutsu-puppet: "
            + ("as asked." if chosen.puppet else
               f"neither {' nor '.join(REAL)} is on PATH.")
            if is_puppet else f"The agents are real: {shutil.which(real)}")
        try:
            stage.start_hub()
            is_good = play(stage)
        except KeyboardInterrupt:
            is_good = False
        else:
            # From here on Ctrl-C is how one leaves, at whatever line it comes.
            with contextlib.suppress(KeyboardInterrupt):
                if not chosen.once:
                    serve(stage)
        finally:
            stage.stop_hub()
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())

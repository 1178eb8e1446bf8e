#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Travel in time in Chromium: a past moment is what the screen showed then,
also of agents that were at work and have gone on since."""

import json

from harness import tap
from harness.browser import Browser
from harness.hub import HubHome
from harness.http import request
from harness.tools import new_group, roles_are_judged, start_agents, wait_for
from harness.until import FOREVER, equal, until

MOMENTS = 5
SETTINGS = {
    "language": "en", "dashboard": {"port": 0},
    "agent": {"backend": "claude", "maxConcurrent": 30},
    "prices": [{"model": "*", "input": 3, "output": 15}]}
# All that cards and groups say, but for the time that passes.
TOLD = """() => [...document.querySelectorAll(
  '[data-agent], .group h2, .facts, .legend, .counts')].map(e => {
    const copy = e.cloneNode(true);
    for (const x of copy.querySelectorAll('.elapsed')) x.remove();
    return [e.dataset.agent ?? e.className,
            copy.querySelector('.st')?.dataset.s, copy.textContent];
  })"""
PROGRESS = ("toolCallCount", "tool", "lastAssistantMessage", "usage",
            "editedFileCount", "createdFileCount")


class Scene:
    """A hub, a browser before it, and two agents that go on when they are let:
    before each step but the first they wait for the end of another agent."""

    def __init__(self, home, browser):
        self.home, self.browser = home, browser
        cli = home.top / "claude"
        cli.write_text(f"#!/bin/sh\nexec {home.path('kuromajutsu-puppet')} "
                       '--backend claude "$@"\n')
        cli.chmod(0o755)
        home.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))
        self.url = home.serve().rstrip("/")
        self.port = int(self.url.rpartition(":")[2])
        self.talk = home.relay().talk
        self.talk.hello()
        until(lambda: roles_are_judged(self.talk), "the roles' checks")
        browser.open(self.url + "/")
        self.gates = start_agents(
            self.talk, *["hang"] * MOMENTS, role="research",
            group=new_group(self.talk, description="Gates"))
        self.group = new_group(self.talk, description="At work")
        self.ids = self.hire("one", "two")

    def hire(self, *names):
        made = self.talk.call("run_agents", groupId=self.group, agents=[
            {"role": "impl-code", "prompt": f"Be {name}\npuppet-file: "
             f"{self.write(name)}"} for name in names])
        return [agent["agentId"] for agent in made["agents"]]

    def write(self, name):
        steps = []
        for i, gate in enumerate(self.gates):
            steps += [
                {"usage": {"input": 1000 * (i + 1), "output": 10 * (i + 1)}},
                {"tool": {"name": "grep", "args": {"pattern": name},
                          "output": "x", "ms": 0}},
                {"edit": {"path": f"{name}-{i}.c", "content": "x\n",
                          "created": i % 2 == 0}},
                {"say": {"text": words(name, i), "chunks": 1}},
                {"mcp": {"tool": "wait_agent", "timeout": FOREVER, "args": {
                    "agentIds": [gate], "timeout_ms": FOREVER}}}]
        path = self.home.top / f"{name}.yaml"
        path.write_text(json.dumps([*steps, {"result": {}}]))
        return path

    def ask(self, path):
        status, _, body = request(self.port, "GET", "/api/" + path)
        equal((path, status), (path, 200))
        return json.loads(body)

    def samples(self, id):
        agents = self.ask(f"groups/{self.group}")["agents"]
        return next(a["samples"] for a in agents if a["agentId"] == id)

    def has_sample(self, id, text):
        """Samples are written with other rows: those of a group that nobody
        sees."""
        self.talk.call("delete_group", groupId=new_group(self.talk))
        newest = self.samples(id)[-1:]
        return [s for s in newest if s["tool"] and
                s["lastAssistantMessage"] == text]

    def reach(self, i):
        """Until both rest at step i, the page shows it and it is kept; then
        something happens. The number and time of that, and the screen."""
        b = self.browser
        for id, name in zip(self.ids, ("one", "two")):
            b.wait("([id, t]) => { const e = document.querySelector("
                   "`[data-agent='${id}']`); return e?.querySelector('.words')"
                   "?.textContent === t && e.querySelector('.doing'); }",
                   [id, words(name, i)])
            until(lambda: self.has_sample(id, words(name, i)), "a sample")
        return self.mark(f"Moment {i}")

    def mark(self, description):
        """Makes a group: the number and time of that, and the screen with
        it."""
        mark = new_group(self.talk, description=description)
        self.browser.wait("g => document.querySelector(`#group-${g}`)", mark)
        event = self.ask("events?type=group:created&limit=1&"
                         "before=9007199254740991")["events"][0]
        equal(event["data"]["groupId"], mark)
        return event["seq"], event["at"], self.browser.look(TOLD)

    def shown_at(self, at):
        b = self.browser
        ms = b.look("t => Date.parse(t)", at)
        b.goto(f"{self.url}/?at={ms}")
        b.wait("ms => document.querySelector('.app.past') && location.search"
               ".includes(`at=${ms}`)", ms)
        return b.look(TOLD)


def words(name, i):
    return f"Step {i} of {name}, and on to the next"


def newest(samples, seq):
    """The newest sample before an event, but for when it was."""
    before = [s for s in samples if s["follows"] < seq]
    return {k: v for k, v in before[-1].items() if k in PROGRESS}


@tap.test
def a_moment_is_what_the_screen_showed_then():
    with Browser() as browser, HubHome(SETTINGS) as home:
        s = Scene(home, browser)
        seen = []
        for i, gate in enumerate(s.gates):
            seen.append(s.reach(i))
            s.talk.call("cancel_agent", agentIds=[gate])
        wait_for(s.talk, *s.ids)
        until(lambda: json.loads(home.run("status", "--json").out)
              ["agents"]["leaving"] == 0, "their end")
        for i, (_, _, told) in enumerate(seen):
            cards = [text for key, _, text in told if key in s.ids]
            for name, card in zip(("one", "two"), cards):
                assert words(name, i) in card and "wait_agent" in card, card
        equal(len({json.dumps(told) for _, _, told in seen}), MOMENTS)
        # Whichever way one comes: back, and by leaps.
        for n in (4, 3, 2, 1, 0, 3, 1):
            seq, at, told = seen[n]
            equal(s.shown_at(at), told)
        for seq, at, _ in seen:
            agents = {a["agentId"]: a for a in
                      s.ask(f"snapshot?at={seq}")["agents"]}
            for id in s.ids:
                past = {k: v for k, v in agents[id].items() if k in PROGRESS}
                equal(past, newest(s.samples(id), seq))
        # And now is what it has come to.
        browser.click(".live-btn")
        browser.wait("() => !document.querySelector('.app.past')")
        equal(browser.look(TOLD), live_again(s))


def live_again(s):
    """What a page that has seen nothing else shows."""
    s.browser.goto(s.url + "/")
    s.browser.wait("ids => ids.every(id => document.querySelector("
                   "`[data-agent='${id}'] .st[data-s=completed]`))", s.ids)
    return s.browser.look(TOLD)


@tap.test
def of_ended_agents_too():
    with Browser() as browser, HubHome(SETTINGS) as home:
        s = Scene(home, browser)
        s.talk.call("cancel_agent", agentIds=[*s.ids, *s.gates])
        seen = []
        for scenario in ("report", "failure", "default ms=1", "crash"):
            agent, = start_agents(s.talk, scenario, group=s.group)
            wait_for(s.talk, agent)
            until(lambda: json.loads(home.run("status", "--json").out)
                  ["agents"]["leaving"] == 0, "its end")
            seen.append(s.mark(scenario))
        for _, at, told in reversed(seen):
            equal(s.shown_at(at), told)


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""A hub with puppets for agents, and Chromium that looks at it."""

import contextlib

from harness.browser import Browser
from harness.hub import HubHome
from harness.tools import new_group, roles_are_judged, start_agents, wait_for
from harness.until import until

SCREENS = {"/": ".verdict", "/timeline": ".timeline canvas",
           "/history": ".history .hrow", "/roles": "#roles .form",
           "/mail": ".mail .talk, .mail-first", "/phases": ".phases .step",
           "/projects": ".projects .board, .projects-first",
           "/health": ".hp .ck",
           "/system": ".sys .models"}
YAML = """# Ours
language: en
dashboard: {port: 0}
agent: {maxConcurrent: 20, maxQueued: 50}
roles:
  # The one that writes
  - id: impl-code
    model: claude-4-sonnet # the good one
"""


class Page:
    """A hub, a client of it, and a browser that looks at it."""

    def __init__(self, home, browser):
        self.home, self.browser = home, browser
        self.url = home.serve()
        self.talk = home.relay().talk
        self.talk.hello()
        until(lambda: roles_are_judged(self.talk), "the roles' checks")

    def open(self, path="/", **how):
        self.browser.open(self.url.rstrip("/") + path, **how)
        self.browser.wait("() => document.querySelector('.rail') && "
                          "!document.querySelector('.ghost')")

    def go(self, path):
        self.browser.goto(self.url.rstrip("/") + path)

    def moment_of(self, type):
        """Milliseconds of the first event of that type, when they are over."""
        events = ("async t => (await (await fetch(`/api/events?limit=500"
                  "&type=${t}`)).json()).events")
        at = self.browser.look("t => Date.parse(t)", until(
            lambda: self.browser.look(events, type), type)[0]["at"])
        self.browser.wait("t => Date.now() > t + 2", at)
        return at

    def until_state(self, agent, state):
        """Until its card or row shows this state."""
        self.browser.wait(
            "([id, s]) => document.querySelector(`[data-agent='${id}'] "
            ".st[data-s='${s}']`) !== null", [agent, state])


@contextlib.contextmanager
def page(settings=YAML, before=lambda home: None):
    with Browser() as browser, HubHome(settings) as home:
        before(home)
        yield Page(home, browser)


def one_of_each(talk):
    """Groups of all three modes, some of whose agents go on for ever."""
    some = start_agents(talk, "report", "failure", "edits files=2", "hang",
                        group=new_group(talk, description="Three at once"))
    row = new_group(talk, mode="sequential", description="One by one")
    task = {"role": "impl-code", "prompt": "Write it\npuppet: report"}
    talk.call("run_sequential", groupId=row, stages=[
        {"tasks": [task]}, {"tasks": [{**task, "prompt": "puppet: hang"}]},
        {"tasks": [task]}])
    made = talk.call(
        "run_magentic", description="Led", maxIterations=5, scope="here",
        task='Lead\npuppet: orchestrator delay=5 work="report ms=5"',
        completionCriteria="all is done")
    wait_for(talk, *some[:3], made["orchestratorAgentId"])
    return some, row, made["groupId"]


def end(talk):
    for group in talk.call("list_agents")["agents"]:
        if group["status"] in ("queued", "running"):
            talk.call("cancel_agent", agentIds=[group["agentId"]])

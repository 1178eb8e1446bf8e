#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pictures of every screen and state, at three widths, dark and light, in
BUILD/shots, and on the way what must hold on each: nothing sticks out, axe-core
finds nothing serious. In the long form only, or by itself:

    PYTHONPATH=tests python3 tests/e2e/dashboard/shots_test.py build 1440 390
"""

import json
import os
import pathlib
import re
import signal
import sys

import post
import walk
from harness import tap
from harness.browser import Browser
from harness.hub import HubHome
from harness.programs import BUILD
from harness.tools import roles_are_judged
from harness.until import equal, until
from scene import SETTINGS, Scene
from teashop import Shop

SIZES = {1440: 900, 820: 1180, 390: 844}
WIDTHS = [int(w) for w in sys.argv[2:]] or list(SIZES)
SHOTS = pathlib.Path(BUILD) / "shots"
# Those that README shows lie in docs/shots, made small.
README = {"live-1440-dark-en", "live-magentic-1440-dark-en",
          "past-timeline-1440-dark-en", "live-390-dark-ja"}
TABS = ("story", "changes", "result", "prompt", "output", "process")


class Camera:
    def __init__(self, browser, url, width, theme, language):
        self.b, self.url = browser, url.rstrip("/")
        self.name = f"{width}-{theme}-{language}"
        browser.open(self.url, width=width, height=SIZES[width], theme=theme,
                     language=language)
        self.faults = []

    def go(self, path, mark):
        self.b.goto(self.url + path)
        self.until(mark)

    def until(self, mark):
        self.b.wait("s => document.querySelector(s) && "
                    "!document.querySelector('.ghost')", mark)

    def take(self, name, is_judged=True):
        """Motion stands still, so that two of one moment are the same."""
        self.b.look("() => { document.documentElement.classList.add('still'); "
                    "return new Promise(f => requestAnimationFrame(() => "
                    "requestAnimationFrame(() => f()))); }")
        self.b.do("shot", path=str(SHOTS / f"{name}-{self.name}.png"))
        if (whole := f"{name}-{self.name}") in README:
            self.b.do("shot", path=str(SHOTS / f"{whole}.webp"))
        if is_judged:
            self.faults += [f"{name}: {f}" for f in self.b.serious()]
            if self.b.sticks_out() > 0:
                self.faults.append(f"{name}: sticks out")


def live(c, s):
    c.go("/", f"[data-agent='{s.pool}'] .clash")
    c.take("live")
    c.b.look("g => document.getElementById(`group-${g}`).scrollIntoView()",
             s.magentic)
    c.take("live-magentic")
    c.b.look("g => document.getElementById(`group-${g}`).scrollIntoView()",
             s.crowd)
    c.take("live-crowd")
    c.go("/?filter=needs", "[data-agent]")
    c.take("live-needs")
    c.b.look("() => localStorage.setItem('density', 'rows')")
    c.go("/", ".rows .row")
    c.take("live-rows")
    c.b.look("() => localStorage.removeItem('density')")
    c.go(f"/?agent={s.shell}", "dialog.drawer .e")
    c.take("drawer")
    c.go("/", ".verdict")
    c.b.press("?")
    c.until("dialog .key-list")
    c.take("keys")


def agent(c, s):
    for who, tabs in ((s.done, TABS), (s.shell, ("story",)),
                      (s.failed, ("story", "result"))):
        c.go(f"/agents/{who}", ".agent .e")
        for tab in tabs:
            c.b.click(f"#tab-{tab}")
            c.until(f"#tab-{tab}[aria-selected=true]")
            c.until({"result": ".md, .bad-words", "prompt": ".prompt-layer",
                     "output": ".raw", "process": ".tab-body .kv",
                     "changes": ".fl", "story": ".e"}[tab])
            kind = {s.done: "", s.shell: "-running", s.failed: "-failed"}[who]
            c.take(f"agent-{tab}{kind}")


def marked(c, s):
    """Until the lanes have their calls."""
    c.b.wait("n => Number(document.querySelector('canvas').dataset.marks) "
             ">= n", 5)


def others(c, s):
    for path, mark in {"/timeline": ".timeline canvas",
                       f"/timeline?group={s.magentic}": ".timeline canvas",
                       "/history": ".history .hrow",
                       "/history?by=group": ".history .hrow",
                       "/history?status=failed": ".history .hrow",
                       "/history?search=nothing-like-it": ".history .none",
                       "/mail": ".mail .talk",
                       "/mail?one=coder&other=reviewer": ".mail .letter",
                       "/mail?view=boxes": ".mail .box-row",
                       "/mail?view=values": ".mail .value",
                       "/phases": ".phases .md",
                       "/phases?phase=phase0": ".phases .md",
                       "/projects": ".projects .slip",
                       "/projects?task=tsk_list": ".task-sheet .kv",
                       "/projects?view=agents": ".projects .worker",
                       "/projects?view=handoffs": ".projects .handoff",
                       "/roles": "#roles .form",
                       "/roles/impl-code": "#roles .form",
                       "/health": ".hp .ck", "/system": ".sys .models",
                       "/agents/nobody-1234567890-abcd": ".trouble"}.items():
        c.go(path, mark)
        if path.startswith("/timeline"):
            marked(c, s)
        name = re.sub("[?/&]", "-", path.strip("/"))
        c.take(name.replace("=", "-").partition(s.magentic)[0].strip("-"))


def plan(c, s):
    with walk.planned(s.home, f"tea-shop-{c.name}") as path:
        c.go(f"/phases?project={path}", ".phases .at-work")
        c.until(".phases .md")
        c.take("phases-plan")
        c.go("/", ".stage")
        c.take("live-plan")


def past(c, s):
    c.go("/", ".verdict")
    at = c.b.look("""async id => { const a = await (await fetch(
      `/api/agents/${id}`)).json(); return Date.parse(a.startedAt) + a.elapsed_ms - 1; }""",
                  s.done)
    c.go(f"/?at={at}", ".app.past .verdict")
    c.take("past-live")
    c.go(f"/timeline?at={at}", ".app.past canvas")
    marked(c, s)
    # To the seconds in which it happened.
    while not re.search(r"[\d.]+ s\b",
                        c.b.do("text", selector=".zoom output")):
        c.b.press("w")
    for _ in range(6):
        c.b.press("a")
    c.take("past-timeline")
    c.go(f"/agents/{s.done}?at={at - 1500}", ".app.past .agent .e")
    c.take("past-agent")


def of_a_fleet(width):
    with Browser() as browser, HubHome(SETTINGS % "en") as home:
        url = home.serve()
        talk = home.relay().talk
        talk.hello()
        until(lambda: roles_are_judged(talk), "the roles' checks")
        s = Scene(home, talk).play()
        post.play(talk, launched=s.shell)
        walk.play(talk)
        Shop(home).open().fill()
        faults = []
        for theme, language in (("dark", "en"), ("light", "en"),
                                ("dark", "ja")):
            c = Camera(browser, url, width, theme, language)
            for part in (live, agent, others, past, plan):
                part(c, s)
            faults += [f"{c.name} {f}" for f in c.faults]
        equal(faults, [])
        s.end()


def of_none(width):
    """First run with nothing configured; then the hub is slow, and gone."""
    with Browser() as browser, HubHome() as home:
        url = home.serve()
        faults = []
        for theme, language in (("dark", "en"), ("light", "ja")):
            c = Camera(browser, url, width, theme, language)
            for path, mark in {"/": ".first", "/timeline": ".timeline",
                               "/history": ".history", "/health": ".hp",
                               "/mail": ".first", "/projects": ".first",
                               "/phases": ".phases .md",
                               "/system": ".sys"}.items():
                c.go(path, mark)
                c.take(f"empty{path.replace('/', '-').rstrip('-')}")
            c.go("/", ".first")
            pid = json.loads(home.run("status", "--json").out)["pid"]
            os.kill(pid, signal.SIGSTOP)
            try:
                browser.click(".rail a[href='/history']")
                browser.wait("() => document.querySelector('.ghost')")
                c.take("loading")
            finally:
                os.kill(pid, signal.SIGCONT)
            faults += [f"{c.name} {f}" for f in c.faults]
        c.go("/", ".first")
        os.kill(pid, signal.SIGKILL)
        c.until(".app.lost")
        c.take("lost")
        browser.click(".rail a[href='/roles']")
        c.until(".trouble, .form")
        c.take("lost-roles")
        equal(faults + c.faults, [])


for _width in WIDTHS:
    for _what in (of_a_fleet, of_none):
        def _case(what=_what, width=_width):
            SHOTS.mkdir(exist_ok=True)
            what(width)
        _case.__name__ = f"shots_{_what.__name__}_{_width}"
        tap.test(_case)

if __name__ == "__main__":
    if len(sys.argv) > 2 or "KUROMAJUTSU_LONG" in os.environ:
        tap.run()
    else:
        tap.skip_all("pictures are taken in the long form (./test --all)")

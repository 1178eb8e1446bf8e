#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Phases screen in a browser: where projects stand, what the phases ask and
whose prompts those are, plans; live, at past moments, by keys, on a phone,
whatever is written."""

import os

import walk
from harness import tap
from harness.until import contains, equal
from page import YAML, page

STATES = ("() => [...document.querySelectorAll('.steps .step')]"
          ".map(e => e.querySelector('.st').textContent)")
OPEN = "() => document.querySelector('.phase-open').dataset.phase"
HOSTILE = ("<img src=x onerror=\"window.hit=1\"><script>window.hit=2</script>"
           "[six](javascript:window.hit=6) \u202eעברית " + "W" * 400)


def shows(b, wanted):
    b.wait("w => JSON.stringify([...document.querySelectorAll('.steps .step')]"
           ".map(e => e.querySelector('.st').textContent)) === "
           "JSON.stringify(w)", wanted)


def choose(b, phase):
    b.click(f".steps .step[data-phase={phase}]")
    b.wait("p => document.querySelector('.phase-open').dataset.phase === p",
           phase)


def whose(b, source):
    b.wait("s => document.querySelector('.whose')?.dataset.source === s",
           source)


@tap.test
def where_a_project_stands_is_seen_and_follows():
    with page() as p:
        b = p.browser
        for width in (1440, 390):
            p.open("/phases", width=width)
            shows(b, ["Not begun"] * 5)
            b.until_text("kuromajutsu phases run", ".begin .paste")
            equal(b.serious(), [])
            equal(b.sticks_out(), 0)
        p.open("/")
        b.click(".rail a[href='/phases']")
        shows(b, ["Not begun"] * 5)
        walk.play(p.talk)
        shows(b, ["Completed", "Completed", "In progress", "Not begun",
                  "Not begun"])
        # It opens where the project stands: what was kept there, newest first.
        equal(b.look(OPEN), "phase2")
        equal(b.look("() => [...document.querySelectorAll('.kept li span')]"
                     ".map(e => e.textContent)"),
              ["prices_checked", "users_and_orders"])
        b.until_text("reviews in Japanese", ".came pre")
        choose(b, "phase0")
        b.until_text("画面は 6 つ", ".summary")
        equal(b.look("() => [...document.querySelectorAll('.made .middle')]"
                     ".map(e => e.title)"),
              ["docs/requirements.md", "docs/data-model.md",
               "docs/api-spec.md"])
        choose(b, "phase1")
        b.until_text("Completed in part", ".came")
        # Live: a checkpoint and an end appear by themselves.
        choose(b, "phase2")
        walk.save(p.talk, "phase2", "third", n=3)
        b.until_text("third", ".kept li")
        walk.end(p.talk, "phase2", summary="Data is made.")
        shows(b, ["Completed"] * 3 + ["In progress", "Not begun"])
        b.until_text("Data is made.", ".summary")
        equal(b.serious(), [])
        p.open("/phases", language="ja")
        shows(b, ["完了"] * 3 + ["進行中", "未着手"])
        b.until_text("求められること")


@tap.test
def a_prompt_says_whose_it_is():
    with page(YAML + "phases: {promptDirectory: prompts}\n") as p:
        b = p.browser
        folder = p.home.project / "prompts"
        folder.mkdir()
        (folder / "phase1.md").write_text("# Our look\n\n**Violet**.")
        (folder / "phase2.md").write_bytes(b"\xff\xfe")
        p.open("/phases")
        whose(b, "builtin")
        b.until_text("Requirements and technical design", ".asked .md h1")
        choose(b, "phase1")
        whose(b, "file")
        b.until_text("Violet", ".asked .md strong")
        equal(b.look("() => document.querySelector('.whose .middle').title"),
              os.path.realpath(folder / "phase1.md"))
        choose(b, "phase2")
        whose(b, "unreadable")
        contains(b.do("text", selector=".whose"), "cannot be begun")
        equal(b.look("() => document.querySelector('.asked .md')"), None)
        equal(b.serious(), [])


@tap.test
def the_button_starts_a_plan_and_leads_to_its_group():
    with page() as p:
        b = p.browser
        walk.end(p.talk, "phase0")
        p.open("/phases")
        b.click("[data-act=run]")
        b.wait("() => document.querySelector('dialog select').value === "
               "'phase1'")
        b.wait("() => document.querySelector('dialog [type=submit]').disabled")
        equal(b.serious(), [])
        b.fill("dialog textarea", "A shop for tea.\npuppet: hang")
        b.click("dialog [type=submit]")
        b.wait("() => !document.querySelector('dialog[open]')")
        # Its first stage is at work, the others wait; another is not offered.
        shows(b, ["Completed", "In progress"] + ["Waiting"] * 3)
        b.wait("() => document.querySelector('.at-work') && "
               "!document.querySelector('[data-act=run]')")
        b.until_text("Running", ".run .st")
        agent = b.look("() => document.querySelector('.agent-link')"
                       ".getAttribute('href')")
        group = b.look("() => document.querySelector('.plan-link')"
                       ".getAttribute('href')")
        p.talk.call("cancel_agent", agentIds=[agent.rsplit("/", 1)[1]])
        shows(b, ["Completed", "Failed"] + ["Not begun"] * 3)
        b.wait("() => document.querySelector('[data-act=run]')")
        b.until_text("Cancelled", ".run .st")
        b.click(".plan-link")
        b.wait("g => location.pathname === g && "
               "document.querySelector('.group')", group)


@tap.test
def a_plan_that_another_made_is_seen_too():
    with page() as p:
        b = p.browser
        p.open("/phases")
        shows(b, ["Not begun"] * 5)
        done = p.home.run("phases", "run", "--from", "phase4",
                          "puppet: hang")
        equal(done.returncode, 0)
        equal(b.look("() => document.querySelector('.projects')"), None)
        shows(b, ["Not begun"] * 4 + ["In progress"])
        b.until_text("A plan is at work", ".at-work")
        # A phase that is begun too early is told before it is.
        p.talk.call("cancel_agent", groupId=b.look(
            "() => document.querySelector('.at-work').getAttribute('href')"
            ).rsplit("/", 1)[1])
        b.click("[data-act=run]")
        b.fill("dialog textarea", "x")
        b.do("choose", selector="dialog select", value="phase3")
        b.until_text("not completed yet", "dialog .note")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog[open]')")
        # One of another project, of which nothing is entered yet.
        with walk.planned(p.home):
            b.until_text("tea-shop", ".project")


@tap.test
def a_past_moment_has_what_was_there_then():
    with page() as p:
        b = p.browser
        walk.save(p.talk, "phase0", "first", n=1)
        p.open("/phases")
        b.until_text("first", ".kept li")
        at = p.moment_of("phase:changed")
        walk.end(p.talk, "phase0", summary="Over.")
        shows(b, ["Completed", "In progress"] + ["Not begun"] * 3)
        p.go(f"/phases?phase=phase0&at={at}")
        b.wait("() => document.querySelector('.app.past .steps .step')")
        shows(b, ["In progress"] + ["Not begun"] * 4)
        b.until_text("first", ".came")
        b.until_text("prompt of today", ".whose")
        equal(b.look("() => document.querySelector('[data-act=run]')"), None)
        # Steps of the past stay in it; what happens now does not show there.
        choose(b, "phase1")
        walk.save(p.talk, "phase1", "later", n=2)
        equal(b.look("() => new URLSearchParams(location.search)"
                     ".getAll('at').length"), 1)
        shows(b, ["In progress"] + ["Not begun"] * 4)
        b.click(".live-btn")
        shows(b, ["Completed", "In progress"] + ["Not begun"] * 3)
        b.until_text("later", ".kept li")


@tap.test
def projects_are_listed_and_keys_lead_through_them():
    with page() as p:
        b = p.browser
        other = str(p.home.folder("other-shop"))
        walk.end(p.talk, "phase0", path=other)
        p.open("/")
        b.press("p")
        b.wait("() => document.querySelectorAll('.project').length === 2")
        shows(b, ["Not begun"] * 5)
        b.press("j")
        b.press("j")
        b.press("Enter")
        b.until_text("other-shop", ".head h1")
        shows(b, ["Completed", "In progress"] + ["Not begun"] * 3)
        # On from the projects to the steps.
        b.press("j")
        b.press("Enter")
        b.wait("() => document.querySelector('.phase-open').dataset.phase === "
               "'phase0'")
        equal(b.serious(), [])
        p.open(f"/phases?project={other}", width=390, height=844)
        b.until_text("other-shop", ".head h1")
        equal(b.sticks_out(), 0)
        equal(b.serious(), [])


@tap.test
def what_is_written_is_shown_as_text_and_never_run():
    with page(YAML + "phases: {promptDirectory: prompts}\n") as p:
        b = p.browser
        folder = p.home.project / "prompts"
        folder.mkdir()
        (folder / "phase0.md").write_text("# " + HOSTILE + "\n" + HOSTILE)
        for i in range(120):
            walk.save(p.talk, "phase0", f"{i} {HOSTILE[:90]}", n=HOSTILE)
        walk.end(p.talk, "phase0", status="completed", summary=HOSTILE * 20,
                 outputFiles=[f"{HOSTILE[:90]}/{i}" for i in range(500)])
        for width in (1440, 820, 390):
            p.open("/phases?phase=phase0", width=width)
            b.until_text("window.hit=1", ".summary")
            b.until_text("window.hit=1", ".kept li")
            b.until_text("window.hit=1", ".asked .md")
            equal(b.look("() => document.querySelectorAll('.phases img, "
                         ".phases script, .phases a[href^=javascript]')"
                         ".length"), 0)
            equal(b.look("() => window.hit"), None)
            equal(b.sticks_out(), 0)
            equal(b.serious(), [])


if __name__ == "__main__":
    tap.run()

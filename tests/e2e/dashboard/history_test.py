#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""History in Chromium: what is filtered is what is shown, in the order that is
said, with what was searched for and the files that were changed."""

from harness import tap
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until
from page import page
from scene import SETTINGS, Scene

IDS = """() => [...document.querySelectorAll('.history a.hrow')].map(e =>
  e.pathname.split('/').at(-1))"""
STATES = """() => [...new Set([...document.querySelectorAll('.history a.hrow ' +
  '.st')].map(e => e.dataset.s))]"""


def one_of_each(talk):
    """Agents by the state they are shown in."""
    ids = start_agents(talk, "report", "failure", "default ms=1", "crash",
                       "hang")
    late, = start_agents(talk, "hang", timeout_ms=500)
    wait_for(talk, *ids[:4], late)
    talk.call("cancel_agent", agentIds=[ids[4]])
    wait_for(talk, ids[4])
    return {"resultReported": [ids[0]], "failed": [ids[1], ids[3]],
            "completed": [ids[2]], "cancelled": [ids[4]], "timedOut": [late]}


def shown(b, count):
    b.wait("n => document.querySelectorAll('.history a.hrow').length === n",
           count)
    return b.look(IDS)


@tap.test
def a_state_shows_those_of_that_state():
    with page() as p:
        b = p.browser
        made = one_of_each(p.talk)
        p.open("/history")
        shown(b, 6)
        for state, ids in made.items():
            b.do("choose", selector="select[aria-label=State]", value=state)
            b.wait("s => location.search.includes(`status=${s}`)", state)
            # As many as before are perhaps those of before.
            until(lambda: sorted(b.look(IDS)) == sorted(ids), f"the {state}")
            equal(b.look(STATES), [state])


@tap.test
def the_oldest_of_all_come_first_when_asked_for():
    """Of more than are read at once, not of those that were read."""
    with page() as p:
        b = p.browser
        first, = start_agents(p.talk, "report")
        wait_for(p.talk, first)
        group = new_group(p.talk, description="Many")
        for _ in range(3):
            many = start_agents(p.talk, *["default ms=1"] * 40, group=group)
            wait_for(p.talk, *many)
        p.open("/history?sort=oldest")
        b.wait("() => document.querySelector('.history a.hrow')")
        equal(b.look(IDS)[0], first)
        p.go("/history")
        b.wait("() => document.querySelector('.history a.hrow')")
        assert first not in b.look(IDS)
        # By when they ended, as the last column says.
        ends = b.look("() => [...document.querySelectorAll('.history a.hrow')]"
                      ".map(e => e.lastElementChild.textContent)")
        equal(ends, sorted(ends, reverse=True))


@tap.test
def what_was_searched_for_is_seen_with_the_files_changed():
    with page(SETTINGS % "en") as p:
        b = p.browser
        s = Scene(p.home, p.talk)
        _, (done,) = s.run("Honest errors", s.task("done", "Tell why"))
        wait_for(p.talk, done, *start_agents(p.talk, "report"))
        p.open("/history")
        shown(b, 2)
        files = b.do("text", selector=f".hrow[href*='{done}'] .files")
        for name in ("net/dial.c", "net/retry.c"):
            contains(files, name)
        # In the report alone, not in the summary that a row has.
        b.fill(".history input[type=search]", "leaks no DESCRIPTOR")
        equal(shown(b, 1), [done])
        b.wait("() => document.querySelectorAll('.hrow mark').length >= 3")
        equal(b.look("() => [...new Set([...document.querySelectorAll('.hrow "
                     "mark')].map(e => e.textContent))]"),
              ["leaks", "no", "descriptor"])
        equal(b.serious(), [])
        # Filters can be taken off without leaving the moment shown.
        at = b.look("async () => Math.max(...(await (await fetch("
                    "'/api/history')).json()).agents.map(a => "
                    "Date.parse(a.finishedAt)))")
        p.go(f"/history?status=failed&at={at}")
        b.wait("() => document.querySelector('.app.past .history .none')")
        b.click(".history .bench .btn.quiet")
        shown(b, 2)
        contains(b.do("address"), f"at={at}")


if __name__ == "__main__":
    tap.run()

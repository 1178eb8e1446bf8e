#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""While a past moment is shown no screen tells what came after it."""

from harness import tap
from harness.tools import wait_for
from harness.until import contains, equal
from page import page
from scene import SETTINGS, Scene

SUMMARY = "Connections are tried three times"
# When things were: its story, and what the record has of it.
STORY = """async id => { const get = async p => (await fetch(`/api/agents/${id}${p}`
  )).json(); const s = await get('/story?before=9007199254740991&limit=200');
  const a = await get(''); const h = (await (await fetch('/api/history')).json()
  ).agents.find(x => x.agentId === id); const ms = t => Date.parse(t);
  const of = f =>
  s.entries.filter(f).map(e => ({at: ms(e.at), took: e.tool?.duration_ms}));
  return {times: of(e => e.kind !== 'file' && e.notice !== 'started')
          .map(e => e.at), shell: of(e => e.tool?.name === 'shell')[0],
          edits: of(e => e.kind === 'file').map(e => e.at),
          created: ms(a.createdAt), finished: ms(h.finishedAt)}; }"""


def scene(p):
    """One that has ended well, with a long call shortly before its end."""
    s = Scene(p.home, p.talk)
    _, (agent,) = s.run("Honest errors", s.task("done", "Tell why it failed"))
    wait_for(p.talk, agent)
    p.open(f"/agents/{agent}")
    tests_passed(p.browser)
    return agent, p.browser.look(STORY, agent)


def tests_passed(b):
    """Until the long call's result is shown, when it is unfolded."""
    b.wait("() => document.querySelector('.e[data-k=shell] "
           "[aria-expanded=false]')")
    b.click(".e[data-k=shell] [aria-expanded=false]")
    b.until_text("214 passed", ".story")


def then(p, agent, at):
    p.go(f"/agents/{agent}?at={round(at)}")
    p.browser.wait("() => document.querySelector('.app.past .follow')")


def tab(b, name, mark):
    b.click(f"#tab-{name}")
    b.wait("s => document.querySelector(s)", mark)


@tap.test
def an_agents_page_ends_with_the_moment():
    with page(SETTINGS % "en") as p:
        b = p.browser
        agent, was = scene(p)
        during = was["shell"]["at"] + was["shell"]["took"] / 2
        then(p, agent, during)
        # The call was under way: it is the last, and has no result.
        known = sum(t <= during for t in was["times"])
        assert 0 < known < len(was["times"])
        b.wait("n => document.querySelectorAll('.story .e').length === n",
               known)
        b.until_text("under way", ".story .e:last-child")
        b.until_text("Up to", ".follow")
        body = b.do("text", selector="body")
        assert SUMMARY not in body and "214 passed" not in body, body
        # The edits were before it.
        tab(b, "changes", ".change .diff")
        equal(len(b.look("() => [...document.querySelectorAll('.change')]"
                         ".map(e => e.textContent)")), 2)
        tab(b, "result", ".tab-pad")
        b.until_text("No result yet.", ".panel")
        tab(b, "output", ".raw")
        raw = b.do("text", selector=".raw")
        contains(raw, "make check")
        assert "214 passed" not in raw and SUMMARY not in raw, raw
        b.click(".output-bar .seg button:last-child")
        b.until_text("have no time", ".output")
        tab(b, "process", ".process .kv")
        b.until_text("not yet", ".process .kv")
        equal(b.serious(), [])
        # Before the first edit nothing was changed.
        then(p, agent, was["edits"][0] - 1)
        b.click("#tab-changes")
        b.until_text("It has not changed any files.", ".panel")
        # Before its creation there was no such agent; the way out leads there.
        p.go(f"/agents/{agent}?at={was['created'] - 1}")
        b.until_text("did not exist yet", ".trouble")
        b.click(".trouble a")
        b.wait("() => document.querySelector('.app.past .follow')")
        # At its end, and now, all of it is there.
        then(p, agent, was["finished"])
        tests_passed(b)
        b.click(".live-btn")
        b.wait("() => !document.querySelector('.app.past')")
        b.wait("n => document.querySelectorAll('.story .e').length === n",
               len(was["times"]))
        b.click("#tab-result")
        b.until_text(SUMMARY, ".panel")


@tap.test
def history_has_what_had_ended_then():
    with page(SETTINGS % "en") as p:
        b = p.browser
        agent, was = scene(p)
        p.go(f"/history?at={was['finished'] - 1}")
        b.wait("() => document.querySelector('.app.past .history .none')")
        assert SUMMARY not in b.do("text", selector="body")
        p.go(f"/history?at={was['finished']}")
        b.until_text(SUMMARY, ".app.past .history .hrow")


@tap.test
def the_verdict_of_then_counts_what_was_then():
    """Every number in it leads to what it counts, also on a phone."""
    with page(SETTINGS % "en") as p:
        b = p.browser
        agent, was = scene(p)
        s = Scene(p.home, p.talk)
        _, later = s.run("Later", s.task("fails", "Tests for the pool"),
                         s.task("review", "Review net/"))
        wait_for(p.talk, *later)
        for width in (1440, 390):
            p.open(width=width)
            for at, counts in (
                    (was["shell"]["at"] + 1, {"all": [agent], "ended": [],
                                              "done": [], "failed": []}),
                    (was["finished"], {"all": [agent], "ended": [agent],
                                       "done": [agent], "failed": []}),
                    (None, {"needs": later[:1], "all": [agent, *later],
                            "ended": [agent, *later], "failed": later[:1],
                            "done": [agent, later[1]]})):
                for name, ids in counts.items():
                    p.go("/" if at is None else f"/?at={at}")
                    b.wait("n => document.querySelector(`.app${n[1] ? '.past' "
                           ": ''} [data-counts=${n[0]}]`)", [name, bool(at)])
                    b.click(f"[data-counts={name}]")
                    b.wait("n => document.querySelectorAll('[data-agent]')"
                           ".length === n", len(ids))
                    equal((width, name, b.look(
                        "() => [...document.querySelectorAll('[data-agent]')]"
                        ".map(e => e.dataset.agent).sort()")),
                        (width, name, sorted(ids)))
                    equal(b.look("() => document.querySelector('.app.past') "
                                 "!== null"), at is not None)
            # No number in it but in a link.
            p.go("/")
            b.wait("() => document.querySelector('.verdict .num-link')")
            equal(b.look(BARE), [])


# Digits of the verdict's own sentences that are in no link; times are none.
BARE = """() => { const out = []; for (const e of document.querySelectorAll(
  '.verdict h1, .verdict h1 + p, .verdict .scale, .verdict .h')) {
  const c = e.cloneNode(true);
  for (const x of c.querySelectorAll('a, time')) x.remove();
  const said = c.textContent.replace(/last \\d+ s/, '');
  if (/\\d/.test(said)) out.push(said); } return out; }"""

if __name__ == "__main__":
    tap.run()

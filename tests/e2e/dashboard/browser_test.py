#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The dashboard in Chromium, against a real hub with puppets for agents."""

import json
import os
import signal

from harness import tap
from harness.browser import Browser
from harness.hub import HubHome
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until
from page import YAML, SCREENS, Page, end, one_of_each, page


@tap.test
def first_run_says_what_to_do():
    with page() as p:
        p.open()
        p.browser.until_text("kuromajutsu mcp-config")
        for nth, line in enumerate((
                ".cursor/mcp.json", "claude mcp add kuromajutsu -- ",
                "codex mcp add kuromajutsu -- ",
                "gemini mcp add kuromajutsu "), 1):
            p.browser.click(f".first .seg button:nth-child({nth})")
            p.browser.until_text(line, ".paste")
        equal(p.browser.serious(), [])


@tap.test
def a_hub_that_can_do_nothing_says_so_and_one_that_is_gone_too():
    """Without a CLI there is no model and no role; then the hub is killed."""
    with Browser() as b, HubHome(
            YAML.replace("language: en", "language: ja"),
            env={"KUROMAJUTSU_AGENT_COMMAND": "/bin/false"}) as home:
        p = Page(home, b)
        p.open("/system", language="ja")
        b.until_text("モデル情報がありません", ".sys")
        b.until_text("0 件", ".sys .badge")
        equal(b.serious(), [])
        p.go("/?filter=needs")
        b.wait("() => document.querySelector('h1[data-mood=trouble]')")
        b.wait("() => document.querySelectorAll('.needs-list "
               "[data-need=role]').length >= 5")
        b.wait("() => document.querySelector('.rail .flag')")
        equal(b.serious(), [])
        p.go("/health")
        b.wait("() => document.querySelector('.hp .ck')")
        equal(b.serious(), [])
        os.kill(json.loads(home.run("status", "--json").out)["pid"],
                signal.SIGKILL)
        b.wait("() => document.querySelector('.app.lost')")
        equal(b.serious(), [])
        b.click(".rail a[href='/history']")
        b.until_text("ハブとの接続が切れています", ".trouble")
        equal(b.serious(), [])


@tap.test
def live_shows_what_happens_as_it_does():
    with page() as p:
        p.open()
        agent, = start_agents(p.talk, "hang")
        p.until_state(agent, "running")
        p.browser.until_text("1 running", ".counts")
        p.browser.click("[data-act=cancel]")
        p.browser.click("dialog .btn.primary")
        p.until_state(agent, "cancelled")
        p.browser.wait("() => !document.querySelector('dialog[open]')")


@tap.test
def every_screen_stands_at_every_width_in_both_languages():
    with page() as p:
        one_of_each(p.talk)
        for width, language in ((1440, "en"), (820, "ja"), (390, "ja"),
                                (360, "en")):
            p.open(width=width, height=900, language=language,
                   theme="light" if width == 820 else "dark")
            for path, mark in SCREENS.items():
                p.go(path)
                p.browser.wait("s => document.querySelector(s)", mark)
                equal(p.browser.look(
                    "() => document.querySelector('.trouble')?.textContent"),
                    None)
                equal(p.browser.look("() => document.documentElement.lang"),
                      language)
                assert p.browser.sticks_out() <= 0, (path, width)
                equal((path, width, p.browser.serious()), (path, width, []))
        end(p.talk)


@tap.test
def all_three_modes_have_their_shape():
    with page() as p:
        some, row, led = one_of_each(p.talk)
        p.open()
        b = p.browser
        b.wait("() => document.querySelectorAll('.pipe .stage').length >= 3")
        b.wait("g => document.querySelector(`#group-${g} .ledger .judge`)", led)
        b.wait("g => document.querySelectorAll(`#group-${g} .kid`).length > 0",
               led)
        p.until_state(some[1], "failed")
        b.click(".chip.need-me")
        b.wait("() => document.querySelectorAll('[data-agent]').length === 1")
        equal(b.look("() => document.querySelector('[data-agent]')"
                     ".dataset.agent"), some[1])
        contains(b.do("address"), "filter=needs")
        b.wait("g => document.querySelector(`#group-${g}`) === null", row)
        end(p.talk)


def shown(b):
    return b.look("() => [...document.querySelectorAll('[data-agent]')]"
                  ".map(e => e.dataset.agent).sort()")


@tap.test
def two_on_one_file_say_so_and_every_number_leads_to_what_it_counts():
    with page(YAML + "budget: {dayUsd: 1000}\n") as p:
        b = p.browser
        p.open()
        path = p.home.project / "edits.json"
        path.write_text(json.dumps([
            {"edit": {"path": "src/shared.c", "old": "a", "content": "b"}},
            {"say": "Edited."}, "hang"]))
        group = new_group(p.talk, description="On one file")
        made = p.talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": f"One\npuppet-file: {path}",
             "workingDirectory": str(p.home.project)}] * 2)
        one, two = (a["agentId"] for a in made["agents"])
        bad, done, gone = start_agents(p.talk, "failure", "report", "hang")
        wait_for(p.talk, bad, done)
        p.talk.call("cancel_agent", agentIds=[gone])
        for state, id in (("failed", bad), ("resultReported", done),
                          ("cancelled", gone)):
            p.until_state(id, state)
        # Both say it, live and after a reload; the link leads to the other.
        for again in (False, True):
            if again:
                b.do("reload")
            for id, other in ((one, two), (two, one)):
                b.wait("([id, o]) => document.querySelector(`[data-agent="
                       "'${id}'] .clash a[href$='${o}']`)"
                       " && document.querySelector(`[data-agent='${id}'] "
                       ".clash`)?.textContent.includes('src/shared.c')",
                       [id, other])
        b.wait("() => document.querySelector('.need [data-need=conflict]')")
        # What each number of the verdict counts is what its link shows.
        for name, ids in {"needs": [one, two, bad], "all": [one, two, bad,
                          done, gone], "ended": [bad, done, gone],
                          "done": [done], "failed": [bad],
                          "cancelled": [gone], "running": [one, two]}.items():
            p.go("/")
            b.wait("n => document.querySelector(`[data-counts=${n}]`)", name)
            b.click(f"[data-counts={name}]")
            b.wait("n => document.querySelectorAll('[data-agent]').length"
                   " === n", len(ids))
            equal((name, shown(b)), (name, sorted(ids)))
        b.until_text("src/shared.c", ".verdict .need")
        # One that has ended is in nobody's way.
        p.go("/")
        p.talk.call("cancel_agent", agentIds=[one])
        p.until_state(one, "cancelled")
        b.wait("() => !document.querySelector('.clash') && "
               "!document.querySelector('[data-need=conflict]')")
        end(p.talk)


# Of each state: its colour, its glyph, and what its glyph does.
STATES = """() => Object.fromEntries([...document.querySelectorAll(
  '[data-agent]')].map(e => { const st = e.querySelector('.st'), g =
  st.querySelector('.g'), s = getComputedStyle(g); return [st.dataset.s,
  [getComputedStyle(st).color, s.maskImage, s.animationName,
  s.animationIterationCount, st.textContent]]; }))"""


@tap.test
def states_have_colour_shape_word_and_motion():
    with page() as p:
        ids = start_agents(p.talk, "report", "failure", "default ms=1",
                           "hang", "hang")
        late, = start_agents(p.talk, "hang", timeout_ms=1000)
        row = new_group(p.talk, mode="sequential", description="One by one")
        task = {"role": "impl-code", "prompt": "puppet: hang"}
        p.talk.call("run_sequential", groupId=row, stages=[
            {"tasks": [task]}, {"tasks": [task]}])
        wait_for(p.talk, *ids[:3], late)
        p.talk.call("cancel_agent", agentIds=[ids[4]])
        p.open()
        b = p.browser
        p.until_state(ids[4], "cancelled")
        p.until_state(late, "timedOut")
        b.wait("() => document.querySelector('.card .st[data-s=queued]')")
        seen = b.look(STATES)
        equal(sorted(seen), ["cancelled", "completed", "failed", "queued",
                             "resultReported", "running", "timedOut"])
        for part in (0, 1, 4):  # none by one of them alone
            equal(len({state[part] for state in seen.values()}), len(seen))
        moves = {"running", "queued", "timedOut"}  # pulse, and two that blink
        for state, (_, _, name, count, _) in seen.items():
            equal((state, name, count if name == "breathe" else "-"),
                  (state, "breathe", "infinite") if state in moves
                  else (state, "none", "-"))
        # They can be paused, and stand still for who wants that.
        b.click(".tools button[aria-pressed]")
        equal({s[2] for s in b.look(STATES).values()}, {"none"})
        b.click(".tools button[aria-pressed]")
        equal(b.look(STATES)["running"][2], "breathe")
        b.do("motion", reduced=True)
        equal({s[2] for s in b.look(STATES).values()}, {"none"})
        end(p.talk)


@tap.test
def an_agent_opens_beside_and_as_a_page():
    with page() as p:
        agent, = start_agents(p.talk, "report")
        wait_for(p.talk, agent)
        p.open()
        b = p.browser
        p.until_state(agent, "resultReported")
        b.press("j")
        b.press("Enter")
        b.wait("() => document.querySelector('dialog.drawer[open] .phead')")
        contains(b.do("address"), f"agent={agent}")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog.drawer')")
        p.go(f"/agents/{agent}")
        for tab in ("changes", "result", "prompt", "output", "process",
                    "story"):
            b.click(f"#tab-{tab}")
            b.wait("t => document.querySelector(`#tab-${t}`)"
                   ".getAttribute('aria-selected') === 'true'", tab)
        b.click("#tab-prompt")
        b.until_text("puppet: report", ".prompt-layer:last-child pre")
        b.until_text(agent, ".prompt-layer:nth-child(2) pre")
        b.click("#tab-process")
        b.until_text("kuromajutsu-puppet -p", ".process .cmdl")
        b.until_text(str(p.home.project), ".process .kv")
        b.click("#tab-result")
        b.until_text("this is the report", ".md")
        equal(b.serious(), [])
        p.go("/agents/nobody-1234567890-abcd")
        b.wait("() => document.querySelector('.trouble')")


@tap.test
def a_killed_hub_costs_neither_flicker_nor_loss():
    with page() as p:
        # The next hub must be where the page looks for it.
        port = p.url.rstrip("/").rpartition(":")[2]
        p.home.configure(YAML.replace("port: 0", f"port: {port}"))
        kept, = start_agents(p.talk, "hang", role="research")
        p.open()
        p.until_state(kept, "running")
        b = p.browser
        b.look("""() => { window.lost = 0; window.stays = document.querySelector(
          '[data-agent]'); new MutationObserver(() => {
          if (!document.querySelector('[data-agent]')) window.lost++; })
          .observe(document.body, {childList: true, subtree: true}); }""")
        pid = json.loads(p.home.run("status", "--json").out)["pid"]
        os.kill(pid, signal.SIGKILL)
        b.wait("() => document.querySelector('.app.lost')")
        b.wait("() => document.querySelector('[data-agent]')")
        more = new_group(p.talk, description="After")
        late, = start_agents(p.talk, "report", group=more)
        b.wait("() => !document.querySelector('.app.lost')")
        p.until_state(late, "resultReported")
        p.until_state(kept, "running")
        equal(b.look("() => [window.lost, window.stays.isConnected]"),
              [0, True])
        end(p.talk)


@tap.test
def keys_reach_everything():
    with page() as p:
        start_agents(p.talk, "hang")
        p.open()
        b = p.browser
        b.press("?")
        b.wait("() => document.querySelector('dialog .key-list')")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog')")
        b.press("t")
        b.wait("() => document.querySelector('.timeline')")
        for key in "wsad":
            b.press(key)
        b.press("l")
        b.wait("() => document.querySelector('.verdict')")
        # Space plays from where one is, and stops; End is now again.
        b.press("ArrowLeft")
        b.wait("() => document.querySelector('.app.past')")
        playing = b.look("() => document.querySelector('.play').title")
        b.press(" ")
        b.wait("was => document.querySelector('.play').title !== was || "
               "!document.querySelector('.app.past')", playing)
        b.click(".live-btn")
        b.wait("() => !document.querySelector('.app.past')")
        # What was opened gives the focus back.
        b.press("j")
        b.press("Enter")
        b.wait("() => document.querySelector('dialog.drawer[open] .phead')")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog.drawer') && "
               "document.activeElement.closest('[data-agent]')")
        b.press("n")
        b.wait("() => location.search.includes('filter=needs')")
        b.press("n")
        b.press("/")
        b.wait("() => document.activeElement.type === 'search'")
        b.fill(".top input[type=search]", "impl-code")
        b.wait("() => document.querySelectorAll('.found li').length === 2")
        b.press("Enter")
        b.wait("() => document.querySelector('.agent .phead')")
        end(p.talk)


if __name__ == "__main__":
    tap.run()

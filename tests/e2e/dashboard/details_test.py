#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What one meets who looks closely: addresses that carry the moment or name
nothing, a call with what was asked, a file that is wrong, a check that turns,
a lane that is clicked, an option of the search, words for files."""

import json

from harness import tap
from harness.hub import HubHome
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until
from page import YAML, end, page
from scene import SETTINGS, Scene


def done(p):
    s = Scene(p.home, p.talk)
    group, (agent,) = s.run("Honest errors", s.task("done", "Tell why"))
    wait_for(p.talk, agent)
    return group, agent


@tap.test
def every_link_to_an_agent_carries_the_moment():
    """Also one that is opened in another tab, or sent to somebody."""
    with page(SETTINGS % "en") as p:
        b = p.browser
        _, agent = done(p)
        p.open()
        p.until_state(agent, "resultReported")
        at = b.look("""async id => Date.parse((await (await fetch(
          `/api/agents/${id}`)).json()).startedAt) + 800""", agent)
        p.go(f"/?at={at}")
        b.wait("() => document.querySelector('.app.past [data-agent]')")
        for link in ("[data-agent] .about", ".now li a"):
            b.wait("([s, w]) => document.querySelector(s)?.href.endsWith(w)",
                   [link, f"/agents/{agent}?at={at}"])
        b.look("""() => { window.kept = ''; navigator.clipboard.writeText =
          async t => { window.kept = t; }; }""")
        b.click("[data-agent] .about")
        b.wait("() => document.querySelector('dialog.drawer .phead')")
        b.click("dialog .act-w a.btn")
        b.wait("() => document.querySelector('.app.past .agent .act-w')")
        b.click(".act-w button")
        b.wait("w => window.kept.endsWith(w)", f"/agents/{agent}?at={at}")


@tap.test
def an_address_that_names_nothing_says_so():
    with page() as p:
        for path in ("/agents/%", "/roles/%", "/groups/%zz"):
            p.open(path)
            p.browser.wait("() => document.querySelector('.rail') && document"
                           ".querySelector('.trouble, .nothing, .first, "
                           "#roles')")


@tap.test
def a_call_shows_what_was_asked_and_what_came_back():
    with page(SETTINGS % "en") as p:
        b = p.browser
        _, agent = done(p)
        p.open(f"/agents/{agent}")
        b.wait("() => document.querySelector('.e[data-k=mcp] .c1')")
        b.click(".e[data-k=mcp] .c1")
        for said in ("Connections are tried three times", "success"):
            b.until_text(said, ".e[data-k=mcp] .out")
        # The title says all that was asked: it is not said twice.
        b.click(".e[data-k=shell] .c1")
        b.until_text("214 passed", ".e[data-k=shell] .out")
        equal(b.look("() => document.querySelectorAll('.e[data-k=shell] "
                     ".out pre').length"), 1)
        equal(b.serious(), [])


@tap.test
def j_and_k_walk_over_a_story_too():
    with page(SETTINGS % "en") as p:
        b = p.browser
        _, agent = done(p)
        for path, box in ((f"/agents/{agent}", ".agent"),
                          (f"/?agent={agent}", "dialog.drawer")):
            p.open(path)
            b.wait("s => document.querySelector(`${s} .story .c1`)", box)
            calls = b.look("s => document.querySelectorAll(`${s} .c1`).length",
                           box)
            at = """s => [...document.querySelectorAll(`${s} .c1`)].indexOf(
              document.activeElement)"""
            stops = []
            for key in "jjk":
                b.press(key)
                stops.append(b.look(at, box))
            equal((calls > 2, stops), (True, [0, 1, 0]))
            b.press("Enter")
            b.wait("s => document.querySelector(`${s} .c1`).getAttribute("
                   "'aria-expanded') === 'true'", box)


@tap.test
def a_lane_that_is_clicked_leads_to_that_moment():
    with page(SETTINGS % "en") as p:
        b = p.browser
        group, agent = done(p)
        p.open(f"/timeline?group={group}")
        b.wait("() => Number(document.querySelector('canvas').dataset.marks)")
        place = b.look(FIND_BAR)
        assert place, "no bar was found"
        b.look(CLICK, place)
        b.wait("id => location.pathname === `/agents/${id}` && /at=\\d+/.test("
               "location.search) && document.querySelector('.app.past .agent')",
               agent)


# A place of the canvas over which a lane's card comes up, right of the names.
FIND_BAR = """async () => { const c = document.querySelector('canvas');
  const r = c.getBoundingClientRect();
  const frame = () => new Promise(f => requestAnimationFrame(() =>
    requestAnimationFrame(f)));
  for (let y = 36; y < Math.min(r.height, 200); y += 6)
    for (const share of [.4, .5, .6, .7]) {
      const at = {bubbles: true, clientX: r.left + r.width * share,
                  clientY: r.top + y};
      c.dispatchEvent(new PointerEvent('pointermove', at));
      await frame();
      if (document.querySelector('.hover')) return [at.clientX, at.clientY];
    }
  return null; }"""
CLICK = """([x, y]) => { const c = document.querySelector('canvas');
  c.setPointerCapture = () => {};
  for (const name of ['pointerdown', 'pointerup']) c.dispatchEvent(
    new PointerEvent(name, {bubbles: true, clientX: x, clientY: y}));
}"""


@tap.test
def an_agent_without_a_transcript_takes_no_others_marks():
    with page(SETTINGS % "en") as p:
        b = p.browser
        s = Scene(p.home, p.talk)
        _, ids = s.run("Two", s.task("review", "One"), s.task("done", "Two"))
        wait_for(p.talk, *ids)
        until(lambda: json.loads(p.home.run("status", "--json").out)
              ["agents"]["leaving"] == 0, "their end")
        for path in p.home.state(f"agents/{ids[0]}").glob("stdout.ndjson*"):
            path.unlink()
        p.open("/timeline")
        b.until_text("shell 1", ".keyline [data-k=shell]")
        p.go(f"/agents/{ids[0]}")
        b.until_text("there is no transcript", ".story")


@tap.test
def a_file_that_is_wrong_needs_one_until_it_is_right():
    with page() as p:
        b = p.browser
        start_agents(p.talk, "hang", group=new_group(p.talk))
        p.open()
        b.wait("() => document.querySelector('h1[data-mood=well]')")
        good = p.home.config.read_text()
        p.home.config.write_text(good.replace("maxConcurrent: 20",
                                              "maxConcurrent: many"))
        b.wait("() => document.querySelector('.need [data-need=config]')")
        said = b.do("text", selector=".need [data-need=config]")
        for part in ("kuromajutsu.config.yaml line 4", "maxConcurrent",
                     "stays in force"):
            contains(said, part)
        b.click("[data-need=config] .act")
        b.until_text("maxConcurrent", ".sys [role=alert]")
        equal(b.serious(), [])
        p.home.config.write_text(good)
        b.wait("() => !document.querySelector('.sys [role=alert]')")
        p.go("/")
        b.wait("() => document.querySelector('h1[data-mood=well]')")
        end(p.talk)


@tap.test
def a_stage_is_no_better_than_its_agents():
    with page() as p:
        b = p.browser
        row = new_group(p.talk, mode="sequential", description="One by one")
        task = {"role": "impl-code", "prompt": "puppet: hang"}
        made = p.talk.call("run_sequential", groupId=row, stages=[
            {"tasks": [{**task, "timeout_ms": 500}]}, {"tasks": [task]}])
        late = made["stages"][0]["agentIds"][0]
        wait_for(p.talk, late)
        p.open()
        p.until_state(late, "timedOut")
        b.wait("() => document.querySelector('.stage h3 .st')?.dataset.s === "
               "'timedOut'")
        end(p.talk)


@tap.test
def a_phone_can_stop_motion_too():
    with page() as p:
        b = p.browser
        p.open("/system", width=390)
        b.wait("() => document.querySelector('[data-act=still]')")
        for is_still in (True, False):
            b.click("[data-act=still]")
            b.wait("is => document.documentElement.classList.contains('still')"
                   " === is", is_still)


@tap.test
def a_check_under_way_turns():
    def held(home):
        """While the gate is there no check ends: one that is brief may be over
        before it is drawn."""
        cli = home.top / "held"
        cli.write_text(
            f'#!/bin/sh\ncase "$*" in *respond*) while [ -e "{home.top}/gate" ]'
            '; do sleep .01; done;; esac\n'
            f'exec {home.path("kuromajutsu-puppet")} "$@"\n')
        cli.chmod(0o755)
        home.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))

    with page(YAML, held) as p:
        b = p.browser
        p.open("/health")
        b.wait("() => document.querySelectorAll('.ck .st[data-s=completed]')"
               ".length >= 12")
        b.look("""() => { window.turned = new Set(); new MutationObserver(() =>
          { for (const g of document.querySelectorAll(
          '.ck .g[data-s=running]')) window.turned.add(
          getComputedStyle(g).animationName); }).observe(document.body,
          {subtree: true, childList: true, attributes: true}); }""")
        (p.home.top / "gate").touch()
        b.click(".hp header .btn")
        b.wait("() => window.turned.size > 0")
        (p.home.top / "gate").unlink()
        equal(b.look("() => [...window.turned]"), ["turn"])


@tap.test
def a_model_that_nobody_can_check_is_told_so_and_can_be_typed():
    with page("language: en\ndashboard: {port: 0}\n"
              "agent: {backend: claude}\n", HubHome.as_claude) as p:
        b = p.browser
        p.open("/health")
        lines = ".phase:nth-of-type(1) .ck"
        b.wait("s => document.querySelectorAll(`${s} "
               ".st[data-s=cancelled]`).length === 6", lines)
        b.until_text("not checked: the CLI has no list", lines)
        # That is no fault: the roles can be used.
        b.until_text("6 of 6 roles available", ".sum")
        equal(b.look("() => document.querySelector('.rail .flag')"), None)
        equal(b.serious(), [])
        p.go("/roles/impl-code")
        b.wait("() => document.querySelector('input#role-model')")
        b.until_text("has no list", "[data-field=model] .note")
        b.fill("#role-model", "opus")
        b.until_text("model: opus", ".prev .diff .a")
        b.click(".rail a[href='/system']")
        b.until_text("no list of models", ".sys")


@tap.test
def a_role_that_cannot_be_used_is_flagged_on_every_screen():
    with page(YAML.replace("claude-4-sonnet #", "claude-4-sonet #")) as p:
        b = p.browser
        for width in (1440, 390):
            p.open("/history", width=width)
            b.wait("() => document.querySelector('.rail .flag')")
            equal(b.look("() => document.querySelector('.rail .flag')"
                         ".getAttribute('aria-label')"),
                  "1 role is unavailable")
        for width in (320, 390, 560):
            p.open("/projects", width=width, language="ja")
            b.wait("() => document.querySelector('.rail .flag')")
            # No screen is out of sight, nor is the flag; no word runs into
            # the next.
            equal(b.look("""() => { const links = [...document
              .querySelectorAll('.rail a:not(.mark)')], boxes = links.map(a =>
              a.getBoundingClientRect()), flag = document.querySelector(
              '.rail .flag').getBoundingClientRect(), word = document
              .querySelector('.rail [aria-current] span')
              .getBoundingClientRect(), own = document.querySelector(
              '.rail [aria-current]').getBoundingClientRect();
              return links.length === 9 && flag.right <= innerWidth &&
                boxes.every(b => b.left >= 0 && b.right <= innerWidth &&
                  b.width >= 30) && word.left >= own.left - 6 &&
                word.right <= own.right + 6; }"""), True)
        p.open("/history", language="ja")
        b.wait("() => document.querySelector('.rail .flag')?.title"
               ".includes('1')")
        # One click to what is wrong, another mends it, and the flag is gone.
        b.click(".rail a:has(.flag)")
        b.wait("() => location.pathname === '/health'")
        b.click(".hint .btn")
        b.wait("() => !document.querySelector('.rail .flag')")
        contains(p.home.config.read_text(), "model: claude-4-sonnet")


@tap.test
def the_option_chosen_in_the_search_is_the_one_that_opens():
    with page() as p:
        b = p.browser
        group = new_group(p.talk, description="Needles")
        ids = start_agents(p.talk, "report", "report", "report", group=group)
        wait_for(p.talk, *ids)
        p.open()
        for id in ids:
            p.until_state(id, "resultReported")

        def chosen():
            """The one that is marked, and the one that is told: the same."""
            return b.look("""() => { const marked = [...document.querySelectorAll(
              '.found [aria-selected=true]')]; const told = document
              .getElementById(document.querySelector('.find input')
              .getAttribute('aria-activedescendant')); return marked.length
              === 1 && marked[0] === told && (told.querySelector('.id')?.title
              ?? told.textContent); }""")

        b.press("/")
        b.fill(".find input", "needles")
        b.wait("() => document.querySelectorAll('.found li').length === 4")
        order = b.look("() => [...document.querySelectorAll('.found .id')]"
                       ".map(e => e.title)")
        equal(sorted(order), sorted(ids))
        equal(chosen(), order[0])
        b.press("ArrowDown")
        b.press("ArrowDown")
        equal(chosen(), order[2])
        b.press("ArrowUp")
        equal(chosen(), order[1])
        equal(b.serious(), [])
        b.press("Enter")
        b.wait("i => location.pathname === `/agents/${i}` && "
               "!document.querySelector('.found')", order[1])
        # Behind the last is History, and not further; a click opens too.
        b.press("/")
        b.fill(".find input", "needles")
        for _ in range(9):
            b.press("ArrowDown")
        equal(chosen(), "In History: needles")
        b.press("Enter")
        b.wait("() => location.pathname === '/history' && "
               "location.search === '?search=needles'")
        b.press("/")
        b.fill(".find input", "needles")
        b.click(".found li:nth-child(3)")
        b.wait("i => location.pathname === `/agents/${i}`", order[2])


@tap.test
def files_are_spoken_of_in_japanese():
    with page(SETTINGS % "ja") as p:
        b = p.browser
        _, agent = done(p)
        p.open(f"/agents/{agent}", language="ja")
        b.wait("() => document.querySelectorAll('.side .fl').length > 0")
        equal(b.look("() => [...new Set([...document.querySelectorAll("
                     "'.side .fl .x')].map(e => e.title))].sort()"),
              ["作成", "編集"])
        count = b.look("() => document.querySelectorAll('.side .fl').length")
        b.until_text(f"{count} ファイル", ".side h2")
        b.until_text("新規", ".story .call")
        b.click("#tab-changes")
        b.wait("() => document.querySelector('.change')")
        equal(b.look("() => /\\b(created|edited|deleted|new file|files?)\\b/i"
                     ".exec([...document.querySelectorAll('.side h2, .change "
                     "h2, .change summary, .fl .sr, .fl .x')].map(e => "
                     "e.textContent + ' ' + e.title).join(' '))"), None)


if __name__ == "__main__":
    tap.run()

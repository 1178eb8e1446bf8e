#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every screen by keyboard alone: whatever one can act on is reached, one sees
where one is, and what was opened gives the focus back. axe-core looks at each,
dark and light, and at the width of a phone."""

from harness import tap
from harness.tools import start_agents, wait_for
from harness.until import contains, equal
from page import SCREENS, end, one_of_each, page

# All that one can act on and see. Of a list of tabs one is in the order, and
# arrows lead to the others.
ACTS = """() => { window.seenActs = new Set(); window.acts = () => {
  const root = document.querySelector('dialog[open]') ?? document;
  return [...root.querySelectorAll('a[href], button, input, select, textarea, '
    + 'summary, [tabindex="0"]')].filter(e => !e.disabled && e.tabIndex >= 0 &&
    !e.closest('[popover]:not(:popover-open)') && (e.checkVisibility({
    visibilityProperty: true, opacityProperty: true}) || e.matches('.skip'))); };
  document.activeElement?.blur(); }"""
# Where one is now, and what is wrong with it.
HERE = """() => { const e = document.activeElement; if (!e || e === document.body
  || e === document.documentElement) return null;
  const again = window.seenActs.has(e); window.seenActs.add(e);
  const rings = [e, e.parentElement].flatMap(x => [getComputedStyle(x),
    getComputedStyle(x, '::after')]);
  const isRinged = rings.some(s => s.outlineStyle !== 'none' &&
    parseFloat(s.outlineWidth) > 0 && s.outlineColor !== 'rgba(0, 0, 0, 0)');
  const r = e.getBoundingClientRect();
  const isIn = r.bottom > 0 && r.right > 0 && r.top < innerHeight &&
    r.left < innerWidth && r.width > 0 && r.height > 0;
  const name = e.outerHTML.slice(0, 120);
  return {again, wrong: [isRinged ? null : `no ring: ${name}`,
    isIn ? null : `out of sight: ${name}`].filter(Boolean)}; }"""
LEFT = """() => window.acts().filter(e => !window.seenActs.has(e))
  .map(e => e.outerHTML.slice(0, 120))"""
MOST = 400


def walk(b):
    """Tab until one has been everywhere: what is wrong on the way."""
    b.look(ACTS)
    wrong = []
    for _ in range(MOST):
        b.press("Tab")
        here = b.look(HERE)
        if here is None:  # behind the last, before the first
            continue
        if here["again"]:
            break
        wrong += here["wrong"]
    return wrong + [f"not reached: {e}" for e in b.look(LEFT)]


def judge(b, where):
    equal((where, walk(b)), (where, []))
    equal((where, b.serious()), (where, []))


@tap.test
def every_screen_is_walked_by_tab():
    with page() as p:
        b = p.browser
        some, _, led = one_of_each(p.talk)
        agent = some[2]
        places = {**SCREENS, "/roles/impl-code": "#roles .form",
                  f"/groups/{led}": ".ledger", "/?filter=needs": ".needs-list",
                  "/history?search=nothing-like-it": ".history .none",
                  f"/agents/{agent}": ".story .e",
                  "/agents/nobody-1234567890-abcd": ".trouble"}
        for width, theme in ((1440, "dark"), (390, "light")):
            p.open(width=width, height=844, theme=theme)
            for path, mark in places.items():
                p.go(path)
                b.wait("s => document.querySelector(s) && "
                       "!document.querySelector('.ghost')", mark)
                judge(b, (path, width))
        end(p.talk)


@tap.test
def tabs_drawer_and_dialogs_are_walked_too():
    with page() as p:
        b = p.browser
        done, = start_agents(p.talk, "edits files=2")
        wait_for(p.talk, done)
        hangs, = start_agents(p.talk, "hang")
        for width, theme in ((1440, "light"), (390, "dark")):
            p.open(width=width, height=844, theme=theme)
            p.go(f"/agents/{done}")
            b.wait("() => document.querySelector('.story .e')")
            b.look("() => document.querySelector('[role=tab]').focus()")
            for name, mark in {"changes": ".fl", "result": ".panel",
                               "prompt": ".prompt-layer", "output": ".raw",
                               "process": ".tab-body .kv",
                               "story": ".e"}.items():
                b.press("ArrowRight")
                b.wait("([n, m]) => document.activeElement.id === `tab-${n}` "
                       "&& document.querySelector(`.panel ${m}, ${m}.panel`)",
                       [name, mark])
                judge(b, (name, width))
                b.look("n => document.getElementById(`tab-${n}`).focus()",
                       name)
            # The drawer: one stays in it, and comes back to where one was.
            p.go("/")
            p.until_state(hangs, "running")
            b.look("() => document.activeElement?.blur()")
            b.press("j")
            at = b.look("() => document.activeElement.href")
            b.press("Enter")
            b.wait("() => document.querySelector('dialog.drawer .e')")
            judge(b, ("drawer", width))
            b.press("Escape")
            b.wait("h => !document.querySelector('dialog') && "
                   "document.activeElement.href === h", at)
            # So it is with a question, and with the list of keys.
            b.look("() => { const e = document.querySelector('.group "
                   "header .acts [popovertarget]'); e.focus(); }")
            b.press("Enter")
            b.wait("() => document.querySelector(':popover-open')")
            judge(b, ("menu", width))
            b.press("Escape")
            b.wait("() => !document.querySelector(':popover-open')")
            b.press("?")
            b.wait("() => document.querySelector('dialog .key-list')")
            judge(b, ("keys", width))
            b.press("Escape")
            b.wait("() => !document.querySelector('dialog')")
        p.open()
        p.until_state(hangs, "running")
        b.look("() => document.querySelector('[data-act=cancel]').focus()")
        b.press("Enter")
        b.wait("() => document.querySelector('dialog.box')")
        judge(b, "question")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog') && "
               "document.activeElement.dataset.act === 'cancel'")
        end(p.talk)


@tap.test
def the_keys_that_are_listed_do_what_is_listed():
    with page() as p:
        b = p.browser
        ids = start_agents(p.talk, "hang", "hang", "failure")
        wait_for(p.talk, ids[2])
        p.open()
        p.until_state(ids[2], "failed")
        b.press("?")
        b.wait("() => document.querySelector('dialog .key-list')")
        listed = b.look("() => [...document.querySelectorAll('.key-list kbd')]"
                        ".map(e => e.textContent)")
        for key in ("?", "j", "k", "Enter", "Esc", "/", "t", "Space"):
            assert key in listed, (key, listed)
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog')")
        # j and k walk over the agents, and back.
        stops = []
        for key in "jjjkk":
            b.press(key)
            stops.append(b.look("() => document.activeElement.closest("
                                "'[data-agent]')?.dataset.agent"))
        equal([stops[i] for i in (3, 4)], [stops[1], stops[0]])
        equal(len(set(stops)), 3)
        b.press("Enter")
        b.wait("id => document.querySelector('dialog.drawer .phead') && "
               "location.search.includes(id)", stops[-1])
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog')")
        b.press("/")
        b.wait("() => document.activeElement.type === 'search'")
        for key in "t ":  # where one types they are letters
            b.press(key)
        equal(b.look("() => [location.pathname, document.activeElement.value]"),
              ["/", "t "])
        b.press("Escape")
        b.wait("() => document.activeElement.type !== 'search'")
        b.press("n")
        b.wait("() => location.search.includes('filter=needs')")
        b.press("t")
        b.wait("() => document.querySelector('.timeline canvas')")
        # The time line by keys: what it shows changes with each.
        said = []
        for key in "wwdas":
            b.press(key)
            said.append(b.do("text", selector=".timeline"))
        assert len(set(said)) > 1, said
        b.press("l")
        b.wait("() => document.querySelector('.verdict')")
        b.press("ArrowLeft")
        b.wait("() => document.querySelector('.app.past')")
        # On the bar the arrows move the moment, and End is now.
        b.look("() => document.querySelector('[role=slider]').focus()")
        at = b.look("() => document.activeElement.getAttribute("
                    "'aria-valuenow')")
        b.press("Home")
        b.wait("a => Number(document.activeElement.getAttribute("
               "'aria-valuenow')) < Number(a)", at)
        b.press("End")
        b.wait("() => !document.querySelector('.app.past')")
        contains(b.do("address"), p.url)
        end(p.talk)


if __name__ == "__main__":
    tap.run()

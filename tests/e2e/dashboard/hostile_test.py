#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whatever agents and their askers write, and however much of it: the screens
show it as text, whole, and go on being quick."""

import json

from harness import tap
from harness.browser import Browser
from harness.hub import HubHome
from harness.tools import new_group, roles_are_judged, wait_for
from harness.until import contains, equal, until

# Each sets the same mark if it ever runs, asks for something elsewhere, or
# leads to a script.
NASTY = ("<img src=x onerror=\"window.hit=1\"><script>window.hit=2</script>"
         "<svg/onload=window.hit=3><iframe srcdoc='<script>parent.hit=4"
         "</script>'></iframe><a href=\"javascript:window.hit=5\">five</a>"
         "<style>*{display:none}</style>\"'`${hit=6}{{hit=7}}</textarea>")
MARKDOWN = NASTY + """

[six](javascript:window.hit=6) [seven](data:text/html,<script>hit=7</script>)
[eight](vbscript:hit) ![nine](https://elsewhere.example/nine.png)
![ten](x" onerror="window.hit=10) <https://elsewhere.example/eleven>

- [x] <b onmouseover=window.hit=12>twelve</b>
- [ ] open

<form action="https://elsewhere.example/"><input name=a autofocus
onfocus=window.hit=13><button>send</button></form>
<base href="https://elsewhere.example/"><meta http-equiv=refresh content="0;
url=https://elsewhere.example/"><link rel=stylesheet
href="https://elsewhere.example/x.css"><math><mtext><table><mglyph><style>
<!--</style><img title="--&gt;&lt;img src=1 onerror=window.hit=14&gt;">

"""
RTL = "\u202eמימין לשמאל \u2067עברית\u2069 العربية\u202c"
EMOJI = "🧙🏽‍♀️👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 3
LONG = "W" * 300
EVERY = f"{NASTY} {RTL} {EMOJI} {LONG}"
NAME = "n" * 80
ROLE = "hostile-" + "r" * 56
SETTINGS = {
    "language": "en", "dashboard": {"port": 0},
    "agent": {"maxConcurrent": 20},
    "roles": [{"id": ROLE, "name": NASTY[:92] + "עברית" + "W" * 80, "description": EVERY,
               "model": "claude-4-sonnet", "systemPrompt": EVERY}]}
WIDTHS = (1440, 820, 390)
FILES = 2000
LINES = 10000


def report(**more):
    return {"mcp": {"tool": "report_result", "args": {
        "agentId": "${agent_id}", "status": "success", "summary": EVERY,
        **more}}}


def plain(text):
    """As a scenario has to write it, for ${ begins a variable there."""
    return text.replace("${", "$${")


STEPS = {
    "says": [
        {"think": plain(EVERY)}, {"say": {"text": plain(EVERY), "chunks": 3}},
        {"tool": {"name": "shell", "args": {"command": plain(EVERY)},
                  "output": plain(EVERY) + "\n" + plain(LONG) * 20}},
        {"tool": {"name": "read", "args": {"path": f"{NAME}/{NAME}.c"},
                  "output": "x", "result": "error", "reason": plain(EVERY)}},
        {"edit": {"path": plain(f"{NASTY[:40]}/{RTL}/{NAME}.c"),
                  "old": plain(NASTY) + "\n", "content": plain(LONG) * 5}},
        {"stderr": plain(EVERY) + "\n"}, {"result": {}}],
    "reports": [
        report(response=plain(MARKDOWN) + "\n\n" + "\n".join(
            f"{i}. line {i}" for i in range(1, LINES + 1)),
            editedFiles=[f"src/{i:04}-{'f' * 12}.c" for i in range(FILES)]),
        {"result": {}}],
    "fails": [
        {"stderr": plain(EVERY) + "\n"},
        report(status="failure", errorMessage=plain(EVERY),
               response=plain(MARKDOWN)), {"result": {}}],
    "dies": [{"result": {"text": plain(EVERY), "error": True}}, {"exit": 3}],
}
STEPS["reports"][0]["mcp"]["args"]["summary"] = plain(EVERY)
STEPS["fails"][1]["mcp"]["args"]["summary"] = plain(EVERY)


def judged(answer):
    return {"answer": answer, "reason": plain(EVERY)}


LEAD = [
    {"mcp": {"tool": "update_ledger", "args": {
        "groupId": "${group_id}", "type": "task", "plan": [plain(EVERY)] * 12,
        "facts": {"given": [plain(EVERY)], "toInvestigate": [plain(EVERY)],
                  "toDerive": [], "assumptions": []}}}},
    {"mcp": {"tool": "update_ledger", "args": {
        "groupId": "${group_id}", "type": "progress", "iteration": 1,
        "isRequestSatisfied": judged(False), "isInLoop": judged(True),
        "isProgressBeingMade": judged(False),
        "nextAction": {"answer": plain(EVERY), "reason": plain(EVERY)},
        "instruction": {"answer": plain(EVERY), "reason": plain(EVERY)}}}},
    {"say": plain(EVERY)}, "hang"]


class Stage:
    def __init__(self, home, browser):
        self.home, self.b, self.faults = home, browser, []
        self.url = home.serve().rstrip("/")
        self.talk = home.relay().talk
        self.talk.hello()
        until(lambda: roles_are_judged(self.talk), "the roles' checks")

    def prompt(self, name, steps, text=EVERY):
        path = self.home.top / f"play-{name}.json"
        path.write_text(json.dumps({"steps": steps}, ensure_ascii=False), encoding="utf-8")
        return f"{text}\npuppet-file: {path}"

    def play(self):
        group = new_group(self.talk, description=EVERY)
        long = EVERY + "\n" + "a line of a long prompt \n" * 4200
        made = self.talk.call("run_agents", groupId=group, agents=[
            {"role": ROLE, "prompt": self.prompt(
                name, steps, long if name == "says" else EVERY)}
            for name, steps in STEPS.items()])
        self.ids = dict(zip(STEPS, [a["agentId"] for a in made["agents"]]))
        led = self.talk.call(
            "run_magentic", description=EVERY, scope=EVERY, maxIterations=3,
            task=self.prompt("lead", LEAD), completionCriteria=EVERY)
        self.lead = led["orchestratorAgentId"]
        wait_for(self.talk, *self.ids.values())

    def at(self, path, mark, text=None):
        self.b.goto(self.url + path)
        self.b.wait("s => document.querySelector(s) && "
                    "!document.querySelector('.ghost')", mark)
        if text:
            self.b.until_text(text)

    def is_whole(self, where):
        """At every width nothing sticks out or is cut off; what is wrong is
        kept, so that one run tells all of it."""
        for width in WIDTHS:
            self.b.do("resize", width=width, height=900)
            out = self.b.look(OVER)
            if (by := self.b.sticks_out()) > 0:
                out.append(f"the page sticks out by {by} px")
            self.faults += [f"{where} at {width}: {fault}" for fault in out]
        equal((where, self.b.look("() => window.hit ?? null")), (where, None))
        equal((where, self.b.look(ALIVE)), (where, 0))


# What could fetch or run, or leads to a script: nothing of it is made.
ALIVE = """() => document.querySelectorAll(`#root :is(img, script, iframe, style,
  form[action], base, meta, link, object, embed, math), #root [onerror], #root [onload],
  #root [href^="javascript" i], #root [href^="data" i], #root [href^="vbscript"
  i], #root [style*="url"]`).length"""
# Children that reach out of a box that has to hold them, and text that is cut
# off without an ellipsis or a way to scroll to it.
OVER = """() => {
  const out = [];
  const name = e => e.className?.baseVal ?? (e.className || e.tagName);
  const boxes = [...document.querySelectorAll('.card, .row, .hrow, .phead, ' +
    '.verdict > section, .group > header, .ledger > div, .rl, .top, .player')]
    .filter(e => e.offsetParent !== null);
  for (const box of boxes) {
    const r = box.getBoundingClientRect();
    for (const kid of box.children) {
      const k = kid.getBoundingClientRect();
      const p = getComputedStyle(kid).position;
      if (k.width > 0 && p !== 'absolute' && p !== 'fixed' &&
          (k.right > r.right + 8 || k.left < r.left - 8 ||
           k.bottom > r.bottom + 1))
        out.push(`${name(box)} of ${name(box.parentElement)} < ${name(kid)}`);
    }
  }
  for (const leaf of document.querySelectorAll('#root *')) {
    if (leaf.children.length || !leaf.textContent.trim() ||
        leaf.closest('.sr, svg, option, [popover], .skip') ||
        leaf.offsetParent === null) continue;
    const r = leaf.getBoundingClientRect();
    for (let e = leaf.parentElement; e; e = e.parentElement) {
      const s = getComputedStyle(e);
      if (s.overflowX === 'visible') continue;
      if (s.overflowX === 'hidden' || s.overflowX === 'clip') {
        const b = e.getBoundingClientRect();
        if ((r.right > b.right + 1 || r.left < b.left - 1) &&
            s.textOverflow !== 'ellipsis' && s.webkitLineClamp === 'none')
          out.push(`${name(leaf)} cut off in ${name(e)}`);
      }
      break;
    }
  }
  return [...new Set(out)];
}"""


def check_screens(s, b, ids):
    for path, mark in {
            "/": f"[data-agent='{ids['dies']}']",
            "/?filter=needs": ".needs-list",
            "/timeline": ".timeline canvas", "/history": ".hrow",
            "/history?by=group": ".hrow", "/health": ".hp .ck",
            f"/roles/{ROLE}": "#roles .form", "/system": ".models",
            f"/?agent={ids['says']}": "dialog.drawer .e",
            f"/agents/{s.lead}": ".agent .e"}.items():
        s.at(path, mark)
        s.is_whole(path)
    b.look("() => localStorage.setItem('density', 'rows')")
    s.at("/", f"[data-agent='{ids['dies']}']")
    s.is_whole("rows")
    for who in ("says", "fails", "dies"):
        s.at(f"/agents/{ids[who]}", ".agent .phead")
        for tab in ("story", "changes", "result", "prompt", "output",
                    "process"):
            b.click(f"#tab-{tab}")
            b.wait("() => !document.querySelector('.ghost')")
            if tab == "story":
                b.look("() => document.querySelectorAll("
                       "'.c1[aria-expanded=false]').forEach(e => "
                       "e.click())")
            s.is_whole(f"{who} {tab}")


def check_pieces(s, b):
    """Ten thousand lines and two thousand files are read in pieces."""
    s.at(f"/agents/{s.ids['reports']}", ".agent .phead")
    b.click("#tab-result")
    b.until_text("line 1", ".md")
    count = "() => document.querySelectorAll('.md *').length"
    assert b.look(count) < 6000, b.look(count)
    equal(b.look("() => document.querySelectorAll('.md input[type="
                 "checkbox]').length"), 2)
    s.is_whole("result")
    while b.look("() => document.querySelector('.md-more') !== null"):
        b.click(".md-more")
    b.until_text(f"line {LINES}", ".md")
    s.is_whole("the whole result")
    b.do("resize", width=1440, height=900)
    b.click("#tab-changes")
    b.wait("() => document.querySelectorAll('.change').length >= 100")
    contains(b.do("text", selector="#tab-changes"), str(FILES))
    assert b.look("() => document.querySelectorAll('.change').length"
                  ) < FILES
    s.is_whole("changes")
    s.at("/history", ".hrow")
    s.is_whole("history")
    s.at(f"/agents/{s.ids['says']}", ".agent .phead")
    b.click("#tab-prompt")
    b.until_text("a line of a long prompt")
    s.is_whole("prompt")


@tap.test
def whatever_is_written_is_text_and_the_layout_holds():
    with Browser() as browser, HubHome(SETTINGS) as home:
        s = Stage(home, browser)
        s.play()
        browser.open(s.url, language="en")
        check_screens(s, browser, s.ids)
        check_pieces(s, browser)
        assert not s.faults, "\n".join(s.faults)
        s.talk.call("cancel_agent", agentIds=[s.lead])
        wait_for(s.talk, s.lead)


if __name__ == "__main__":
    tap.run()

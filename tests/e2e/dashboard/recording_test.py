#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`kuromajutsu export --html`: groups of all three modes as files, opened in
Chromium without a hub and without a network."""

import contextlib
import json
import re
import signal

from harness import tap
from harness.browser import Browser
from harness.command import CommandHome
from harness.tools import new_group, roles_are_judged, wait_for
from harness.until import contains, equal, until

# What would end a script element, a comment or the page's own mark.
NASTY = ("</script><script>alert(1)</script><!--<script> ]]> &lt; "
         "<img src=x onerror=alert(2)> \u2028\u2029 [x](javascript:alert(3)) "
         "\u202eright to left\u202c 🧙 @RECORDING@ " + "W" * 200)
DATA = re.compile(r'<script type="application/json" id="recording">(.*?)'
                  r"</script>", re.S)


# What it does between two events, further apart than samples are.
WORKER = """
- say: {text: "I look around", chunks: 1}
- sleep: 1200
- tool: {name: grep, args: {pattern: x}, output: y, ms: 0}
- edit: {path: b.c, content: b, created: true}
- say: {text: "I have found it", chunks: 1}
- sleep: 1200
- tool: {name: shell, args: {command: make}, output: y, ms: 0}
- say: {text: "It builds", chunks: 1}
- sleep: 1200
- say: {text: "All is done", chunks: 1}
- result: {text: "All is done"}
"""


def scenario(text):
    """Steps that say it wherever an agent can."""
    nasty = json.dumps(text, ensure_ascii=False).replace(
        "\u2028", "\\u2028").replace("\u2029", "\\u2029")
    # In Markdown the rest would be a comment.
    marked = nasty.replace('"', '"The end ', 1)
    return f"""
- think: {{text: {nasty}}}
- say: {{text: {nasty}}}
- edit: {{path: "${{cwd}}/a.c", content: {nasty}, write: true}}
- tool: {{name: shell, args: {{command: {nasty}}}, output: {nasty}}}
- tool: {{name: shell, args: {{command: x}}, result: error, reason: {nasty}}}
- mcp: {{tool: report_result, args: {{agentId: "${{agent_id}}",
    status: success, summary: {nasty}, response: {marked},
    editedFiles: [a.c]}}}}
- usage: {{input: 1200, output: 5}}
- result
"""


def three_groups(h):
    """The ids of a concurrent, a sequential and a magentic group, when all is
    over."""
    (h.project / "a.c").write_text("int a;\n", encoding="utf-8")
    script = h.project / "nasty.yaml"
    script.write_text(scenario(NASTY), encoding="utf-8")
    until(lambda: roles_are_judged(h.talk), "the roles' checks")
    works = h.project / "works.yaml"
    works.write_text(WORKER, encoding="utf-8")
    both = new_group(h.talk, description=NASTY)
    h.talk.call("run_agents", groupId=both, agents=[
        {"role": "impl-code", "prompt": f"{NASTY}\npuppet-file: {script}"},
        {"role": "research", "prompt": "puppet: failure"},
        {"role": "impl-test", "prompt": f"puppet-file: {works}"}])
    row = new_group(h.talk, mode="sequential", description="One by one")
    task = {"role": "impl-code", "prompt": "Write it\npuppet: report"}
    h.talk.call("run_sequential", groupId=row,
                stages=[{"tasks": [task]}, {"tasks": [task, task]}])
    led = h.talk.call(
        "run_magentic", description="Led", maxIterations=5, scope="here",
        task='Lead\npuppet: orchestrator delay=5 work="report ms=5"',
        completionCriteria="all is done")["groupId"]
    until(lambda: is_over(h), "the end of all of them")
    return both, row, led


def is_over(h):
    agents = h.talk.call("list_agents")["agents"]
    counts = json.loads(h.run("status", "--json").out)["agents"]
    return counts["leaving"] == 0 and len(agents) >= 6 and all(
        a["status"] not in ("queued", "running") for a in agents)


def export(h, group, name):
    file = h.top / name
    run = h.run("export", "--html", group, "-o", str(file))
    equal((run.returncode, run.out, run.err), (0, "", ""))
    return file


def recording(file):
    text = file.read_text(encoding="utf-8")
    found = DATA.findall(text)
    equal(len(found), 1)
    assert "<" not in found[0] and "\u2028" not in found[0]
    return json.loads(found[0])


def states_at(events, at):
    """What the agents were at a moment, out of the events alone."""
    states = {}
    for e in events:
        if e["at"] <= at and "agentId" in e["data"]:
            status = e["data"].get("status")
            if e["type"] != "agent:result_reported" and status:
                states[e["data"]["agentId"]] = status
    return sorted(map(list, states.items()))


@contextlib.contextmanager
def files():
    """The three groups as files, which outlive their hub."""
    with Browser() as browser, CommandHome() as h:
        # Of all puppets the one that works takes its time.
        h.begin(h.cli("kuromajutsu-puppet", 'case "$*" in *works.yaml*) '
                      "unset KUROMAJUTSU_PUPPET_SPEED;; esac"))
        groups = three_groups(h)
        made = [export(h, g, f"{i}.html") for i, g in enumerate(groups)]
        h.talk.close()
        h.served.send_signal(signal.SIGTERM)
        h.stopped(h.served)
        again = [export(h, g, f"again-{i}.html")
                 for i, g in enumerate(groups)]
        for one, other in zip(made, again):
            one, other = recording(one), recording(other)
            one["exportedAt"] = other["exportedAt"] = ""
            equal(one, other)
        yield browser, groups, made


# Whether all that is unfolded is shown as it was then.
SHOWS = """want => { const seen = new Map([...document.querySelectorAll(
  '[data-agent]')].map(e => [e.dataset.agent, e.querySelector('.st').dataset.s]));
  const isFolded = document.querySelector('.kid [aria-expanded=false]') !== null;
  return (isFolded ? seen.size > 0 : seen.size === want.length)
    && [...seen].every(([id, s]) => want.some(w => w[0] === id && w[1] === s)); }"""


def go(b, file, address):
    b.goto(f"{file.as_uri()}#{address}")


def opened(b, file, **how):
    b.open(file.as_uri(), **how)
    b.wait("() => document.querySelector('.group')")


def travel(b, file, events):
    """To moments, each equal to what the events say; and back to the end."""
    moments = sorted({e["at"] for e in events})
    for at in moments[:: max(1, len(moments) // 5)][:-1]:
        ms = b.look("t => Date.parse(t)", at)
        go(b, file, f"/?at={ms}")
        b.wait("ms => document.querySelector('.app.past') && "
               f"location.hash.includes(`at=${{ms}}`)", ms)
        b.wait(SHOWS, states_at(events, at))
    b.click(".live-btn")
    b.wait("() => !document.querySelector('.app.past')")


def all_modes_are_shown(b, groups, both, row, led):
    for file, mark in ((both, ".cards"), (row, ".pipe .stage"),
                       (led, ".ledger .judge")):
        opened(b, file)
        b.wait("s => document.querySelector(s)", mark)
        equal(b.look("() => document.querySelectorAll('.rail a').length"),
              3)
        b.wait(SHOWS, states_at(recording(file)["events"], "9"))
        equal(b.look("() => document.querySelectorAll("
                     "'[data-act=cancel], .menu-pop button[disabled], "
                     "[href^=\"/\"]').length"), 0)
        travel(b, file, recording(file)["events"])
        b.press("t")
        b.wait("() => document.querySelector('.timeline canvas')")
        contains(b.do("address"), "#/timeline")
        b.press("l")
        b.wait("() => document.querySelector('.verdict')")
    kids = [g["groupId"] for g in recording(led)["groups"]]
    assert len(kids) > 1 and kids[0] == groups[2], kids
    b.wait("() => document.querySelectorAll('.kid').length > 0")


def an_agent_has_story_changes_result_and_prompt(b, both):
    agents = recording(both)["groups"][0]["agents"]
    agent = next(a["record"]["agentId"] for a in agents
                 if a["record"]["role"] == "impl-code")
    for width, language, theme in ((1440, "en", "dark"),
                                   (390, "ja", "light")):
        opened(b, both, width=width, language=language, theme=theme)
        go(b, both, f"/agents/{agent}")
        b.until_text("right to left", ".story")
        b.click("#tab-changes")
        b.until_text("int a;", ".diff")
        b.click("#tab-prompt")
        b.until_text("right to left", ".panel")
        b.click("#tab-process")
        b.until_text("kuromajutsu-puppet", ".panel")
        b.click("#tab-result")
        b.until_text("The end", ".md")
        equal(b.look("() => document.querySelector('#tab-output')"), None)
        equal(b.look("() => document.querySelectorAll('#root img, "
                     "#root script, #root [href^=javascript]').length"), 0)
        equal(b.look("() => document.scripts.length"), 2)
        equal(b.serious(), [])
        assert b.sticks_out() <= 0, width
        go(b, both, "/timeline")
        b.wait("() => document.querySelector('.timeline canvas')")
        assert b.sticks_out() <= 0, width
        equal(b.serious(), [])


# How far an agent is, as its card says: words, calls of tools, files.
GETS_ON = """id => { const card = document.querySelector(
  `[data-agent="${id}"]`), said = title => Number(card.querySelector(
  `.feet [title="${title}"]`)?.textContent ?? 0);
  return card && [card.querySelector('.words')?.textContent,
    said('tool calls'), said('files touched')]; }"""


def an_agent_gets_on_as_it_did(b, both):
    """Between two events it is as its newest sample says, and before the first
    as the event does."""
    agents = recording(both)["groups"][0]["agents"]
    record = next(a["record"] for a in agents
                  if a["record"]["role"] == "impl-test")
    samples = [s for s in record["samples"] if s["at"] < record["finishedAt"]]
    words = [s["lastAssistantMessage"] for s in samples]
    equal(words[:3], ["I look around", "I have found it", "It builds"])
    opened(b, both)
    for s in reversed(samples):
        for later in (0, 50):  # its own moment, and one in which nothing is
            ms = b.look("t => Date.parse(t)", s["at"]) + later
            go(b, both, f"/?at={ms}")
            b.wait("ms => document.querySelector('.app.past') && "
                   f"location.hash.includes(`at=${{ms}}`)", ms)
            want = [s["lastAssistantMessage"], s["toolCallCount"],
                    s["editedFileCount"] + s["createdFileCount"]]
            b.wait(f"([id, want]) => String(({GETS_ON})(id)) === "
                   "String(want)", [record["agentId"], want])
    equal([s["toolCallCount"] for s in samples][:3], [0, 2, 3])
    equal([s["createdFileCount"] for s in samples][:3], [0, 1, 1])
    ms = b.look("t => Date.parse(t)", record["startedAt"])
    go(b, both, f"/?at={ms}")
    b.wait(f"id => String(({GETS_ON})(id)) === ',0,0'", record["agentId"])


def keys_and_search_work(b, both):
    opened(b, both)
    b.press("j")
    b.press("Enter")
    b.wait("() => document.querySelector('dialog.drawer[open] .phead')")
    b.press("Escape")
    b.wait("() => !document.querySelector('dialog.drawer')")
    b.press("/")
    b.fill(".top input[type=search]", "research")
    b.wait("() => document.querySelectorAll('.found li').length === 1")
    b.press("Enter")
    b.wait("() => document.querySelector('.agent .phead')")
    b.press("ArrowLeft")
    b.wait("() => document.querySelector('.app.past')")
    b.do("reload")
    b.wait("() => document.querySelector('.app.past .agent .phead')")
    b.press(" ")
    b.wait("() => !document.querySelector('.app.past')")
    go(b, both, "/roles")
    b.wait("() => document.querySelector('.trouble')")


@tap.test
def groups_open_as_files_without_hub_or_network():
    with files() as (b, groups, (both, row, led)):
        all_modes_are_shown(b, groups, both, row, led)
        an_agent_has_story_changes_result_and_prompt(b, both)
        an_agent_gets_on_as_it_did(b, both)
        keys_and_search_work(b, both)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts that people read, as a person has read them: the help of every
command and what commands say, in both languages, at 80 columns. Files in golden/ are what is said
now; after a change read the difference, and renew them by

    GOLDEN=renew meson test -C build e2e/command/golden
"""

import difflib
import json
import os
import pathlib
import re
import unicodedata

from harness import tap
from harness.command import CommandHome, served
from harness.programs import BUILD
from harness.tools import new_group, wait_for
from harness.until import equal, until

GOLDEN = pathlib.Path(__file__).parent / "golden"
LANGUAGES = ("en", "ja")
TOPICS = ("mcp", "serve", "--standalone", "config")


def columns(line):
    """As wide as a terminal shows it."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def commands(home):
    text = home.run("--help").out.split("Usage:")[1].split("More:")[0]
    return [n for n in re.findall(r"^  ([a-z][a-z-]+)  ", text, re.M)
            if n not in ("mcp", "serve")]


def texts(home):
    """(name, text) of every help there is, in every language."""
    for language in LANGUAGES:
        run = home.run("--help", KUROMAJUTSU_LANGUAGE=language, COLUMNS="80")
        yield f"help.{language}", run.out
        for topic in (*commands(home), *TOPICS):
            run = home.run("help", topic, KUROMAJUTSU_LANGUAGE=language,
                           COLUMNS="80")
            equal((topic, run.returncode, run.err), (topic, 0, ""))
            yield f"help-{topic.strip('-')}.{language}", run.out

# ---- what commands say beside a hub ----------------------------------------

SHAPES = (
    (re.escape(str(BUILD)), "<BUILT>"),
    (r"/tmp/kuromajutsu-[a-z0-9_]+", "<TOP>"),
    (r"\b(impl-code|orchestrator)-\d{10}-[0-9a-f]{4}", r"\1-<TIME>-<ID>"),
    (r"\bgrp-\d{10}-[0-9a-f]{4}", "grp-<TIME>-<ID>"),
    (r"project-[0-9a-f]{16}", "project-<HASH>"),
    (r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", "<SESSION>"),
    (r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+Z)?", "<WHEN>"),
    (r"\d\d-\d\d \d\d:\d\d(?::\d\d)?", "<WHEN>"),
    (r"\b\d\d:\d\d:\d\d\b", "<CLOCK>"),
    (r"0\.1\.0\+[0-9a-f]+", "<BUILD>"),
    (r"pid +\d+", "pid <PID>"),
    (r"(?m)^(<TOP>/project +)\d+", r"\1<PID>"),
    (r"127\.0\.0\.1:\d+", "127.0.0.1:<PORT>"),
    (r"\d{4}-\d\d-\d\d", "<DAY>"),
    (r"\b\d+(?:\.\d+)? ?(?:ms|s)\b", "<TAKES>"),
    (r"\b\d+(?:\.\d+)? k?B\b", "<BYTES>"),
    (r"Write the\b[^…\n]*…", "Write the…"),
    (r"\bhnd_[0-9a-f]{12}", "hnd_<ID>"),
    (r": [0-9a-f]{40}\b", ": <PASSKEY>"),
)


def shaped(name, text):
    """The text without what is another at every run, and without the blanks
    that are there because of it."""
    for what, sign in SHAPES:
        text = re.sub(what, sign, text)
    text = re.sub(r" {2,}", "  ", text)
    if name.startswith("out-replay"):
        # What hub and agent did in the same millisecond has no order, and a
        # report may overtake the notice that its agent has started.
        return "".join(sorted(line for line in text.splitlines(True)
                              if line.split()[-1] not in ("running", "実行中")))
    return text


def questions(group, single, good, bad):
    """What is asked of a group of two, one of whom has failed, and of a group
    of one: with agents at work beside each other no order is sure."""
    return {
        "status": ("status",), "roles": ("roles",), "groups": ("groups",),
        "agents": ("agents",), "hubs": ("hubs",), "show": ("show", bad),
        "show-group": ("show", group), "history": ("history",),
        "usage": ("usage",), "logs": ("logs", good), "logs-failed":
        ("logs", bad), "wait": ("wait", group), "report": ("report", group),
        "replay": ("replay", "--speed", "100", single),
        "cancel": ("cancel", good), "retry": ("retry", "impl-code-1-none"),
        "gc": ("gc", "--dry-run"), "trust": ("trust",), "start": ("start",),
        "mcp-config": ("mcp-config",), "doctor": ("doctor",),
        "version": ("version",), "export":
        ("export", "grp-1-none"), "pm-projects": ("pm", "projects"),
        "pm-agents": ("pm", "agents"), "pm-tasks": ("pm", "tasks"),
        "pm-show": ("pm", "show", "tsk_make"),
        "pm-show-project": ("pm", "show", "prj_site"),
        "pm-show-agent": ("pm", "show", "agt_dev"),
        "pm-handoffs": ("pm", "handoffs"), "pm-setup": ("pm", "setup"),
        "pm-move": ("pm", "tasks", "move", "tsk_make", "done"),
        "pm-wrong": ("pm", "tasks", "moev")}


def machineless(text):
    """doctor's words without what it says of the machine below."""
    return re.sub(r"(?m)^\S+ +(?:open files|inotify|ファイル数|processes"
                  r"|プロセス数|root|memory|メモリ).*\n(?:^ .*\n)*", "", text)


def begun(home, *scenarios):
    """A group and its agents, all gone, whose prompts are longer than a column: which
    columns there is room for does not hang on how long they took."""
    group = new_group(home.talk, description="説明 of it\x1b[2J")
    made = home.talk.call("run_agents", groupId=group, agents=[
        {"role": "impl-code", "prompt": "Write the tests of the parser first, "
         f"then the parser.\npuppet: {scenario}"} for scenario in scenarios])
    ids = [agent["agentId"] for agent in made["agents"]]
    wait_for(home.talk, *ids)
    until(lambda: all(json.loads(home.run("show", id, "--json").out)["gone"]
                      for id in ids), "all gone")
    return group, ids


def project_made(home):
    """A project, two who work in it, and a task that one gives the other."""
    run = home.run("pm", "import", "-", given=json.dumps({
        "projects": [{"project_id": "prj_site", "name": "お茶の店",
                      "working_directory": "/srv/site"}],
        "agents": [{"agent_id": f"agt_{name.lower()}", "name": name,
                    "role": role, "ai_type": "claude"} for name, role in
                   (("Dev", "Backend"), ("Boss", "Looks after it all"))],
        "assignments": [{"project_id": "prj_site", "agent_id": id}
                        for id in ("agt_dev", "agt_boss")],
        "tasks": [{"task_id": "tsk_make", "project_id": "prj_site",
                   "title": "Make it", "assignee_id": "agt_dev",
                   "description": "As it was drawn.", "status": "todo",
                   "priority": "high"}]}))
    equal((run.returncode, run.err), (0, ""))
    home.talk.call("save_context", task_id="tsk_make", agent_id="agt_dev",
                   progress="half of it", next_steps="the other half")
    home.talk.call("create_handoff", task_id="tsk_make", summary="half of it",
                   from_agent_id="agt_dev", to_agent_id="agt_boss")


def outputs(home, width):
    """(name, text) of what commands say of groups that have come to their
    ends."""
    home.until_judged()
    group, ids = begun(home, "report", "failure")
    single, (one,) = begun(home, "report")
    project_made(home)
    for name, words in questions(group, single, one, ids[1]).items():
        for language in LANGUAGES:
            # Of process ids and ports no width is sure.
            room = 100 if name == "hubs" and width == 80 else width
            run = home.run(*words, KUROMAJUTSU_LANGUAGE=language,
                           COLUMNS=str(room))
            yield f"out-{name}.{language}", machineless(run.out + run.err)


@tap.test
def texts_are_as_they_were_read():
    with served() as home:
        said = {**dict(texts(home)), **{name: shaped(name, text)
                                        for name, text
                                        in outputs(home, 80)}}
        for language in LANGUAGES:
            run = home.run("stop", KUROMAJUTSU_LANGUAGE=language)
            said[f"out-stop.{language}"] = shaped("stop", run.out + run.err)
            equal(home.run("start").returncode, 0)
    if os.environ.get("GOLDEN") == "renew":
        GOLDEN.mkdir(exist_ok=True)
        for old in GOLDEN.glob("*.txt"):
            old.unlink()
        for name, text in said.items():
            (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    known = {p.stem: p.read_text(encoding="utf-8")
             for p in GOLDEN.glob("*.txt")}
    other = sorted(n for n in {*said, *known} if said.get(n) != known.get(n))
    for name in other:
        print(f"# {name}:\n# " + "\n# ".join(difflib.unified_diff(
            known.get(name, "").splitlines(), said.get(name, "").splitlines(),
            "read", "said", lineterm="", n=0)))
    assert not other, (f"other than in {GOLDEN.name}/: {other}; read the "
                       "difference, then: GOLDEN=renew meson test -C build "
                       "e2e/command/golden")


@tap.test
def no_line_is_wider_than_a_terminal():
    with CommandHome() as home:
        wide = [(name, line) for name, text in texts(home)
                for line in text.splitlines()
                if columns(line) > 80]
    assert not wide, "\n".join(f"{n}: {line}" for n, line in wide)


def words(text):
    """All that stands there, however it is broken into lines."""
    return "".join(text.split())


@tap.test
def settings_fit_every_width():
    """Nothing of them is cut: only the places where lines end are others."""
    with CommandHome() as home:
        for language in LANGUAGES:
            said = {width: home.run("help", "config", COLUMNS=str(width),
                                    KUROMAJUTSU_LANGUAGE=language).out
                    for width in (40, 60, 80, 120)}
            for width, text in said.items():
                wide = [line for line in text.splitlines()
                        if columns(line) > width and " " in line.strip()]
                equal((width, wide), (width, []))
                equal(words(text), words(said[80]))
                assert not re.search("(?m)^ *[、。）」]", text), text


@tap.test
def at_every_width_what_matters_stays():
    """Ids and states are whole, and columns begin below each other."""
    with served() as home:
        for width in (60, 80, 120):
            ids = []
            for name, text in outputs(home, width):
                ids += re.findall(r"(?:impl-code|grp)-\d{10}-[0-9a-f]{4}", text)
                if not re.match(
                        "out-(roles|groups|agents|hubs|history|usage|"
                        "pm-(projects|tasks|agents|handoffs)\\.)", name):
                    continue
                lines = text.splitlines()
                room = 100 if "hubs" in name else width
                assert all(columns(x) <= max(room, width) for x in lines), (width, text)
                # Numbers end below each other, words begin so.
                cell = r"\S* +\S+" if "usage" in name else r"\S* {2,}"
                starts = {columns(re.match(cell, x).group()) for x in lines}
                equal((name, width, len(starts)), (name, width, 1))
            assert len(set(ids)) >= 3, (width, ids)


def told(home, *words, **env):
    run = home.run(*words, **env)
    equal((words, run.returncode), (words, 0))
    return run.out


@tap.test
def lists_have_ids_states_and_failures_whole():
    """Of the longest there are: in a list of ids that are cut short no agent
    can be told from its sisters."""
    with served() as home:
        home.until_judged()
        group, ids = begun(home, "report", "failure", "reply")
        home.talk.call("report_result", agentId=ids[2], status="failure",
                       summary="It cannot be done.", response="No.")
        made = home.talk.call("run_magentic", description="All of it.",
                              task="puppet: orchestrator", scope="s",
                              completionCriteria="c")
        wait_for(home.talk, made["orchestratorAgentId"])
        agents = json.loads(told(home, "agents", "--json"))["agents"]
        groups = json.loads(told(home, "groups", "--json"))["groups"]
        wanted = {"agents": [a["agentId"] for a in agents],
                  "history": [a["agentId"] for a in agents],
                  "usage": [a["agentId"] for a in agents],
                  "groups": [g["groupId"] for g in groups]}
        for width in ("60", "80", "120"):
            for name, all_ids in wanted.items():
                words = (name, "--by", "agent") if name == "usage" else (name,)
                for language, failed in (("en", "3/3 2 failed"),
                                         ("ja", "3/3 失敗 2")):
                    text = told(home, *words, COLUMNS=width,
                                KUROMAJUTSU_LANGUAGE=language)
                    equal((name, width, [i for i in all_ids if i not in text]),
                          (name, width, []))
                    assert name != "groups" or failed in text, text
            assert told(home, "agents", COLUMNS=width).count(
                "reported failure") == 1


@tap.test
def every_event_has_words():
    """In replay, which would print its name instead."""
    top = pathlib.Path(__file__).resolve().parents[3]
    told = {name for path in (top / "actors/registry").glob("*.c")
            for name in re.findall(r'"((?:agent|group):[a-z_]+)"',
                                   path.read_text(encoding="utf-8"))}
    known = (top / "transport/command/replay_words.c").read_text(
        encoding="utf-8")
    assert len(told) > 10, told
    equal([name for name in sorted(told) if f'"{name}"' not in known], [])


@tap.test
def options_stand_in_one_column():
    """What an option does begins where it does for its neighbours."""
    with CommandHome() as home:
        for name, text in texts(home):
            starts = {}
            for line in text.splitlines():
                m = re.match(r"(  (?:-\w, |    )--[^ ]+(?: [A-Z]+)?) +", line)
                if m:
                    starts.setdefault(columns(m.group()), []).append(line)
            assert len(starts) < 2, (name, starts)


@tap.test
def each_language_is_one():
    """No Japanese in English texts, and Japanese ones are Japanese."""
    with CommandHome() as home:
        for name, text in texts(home):
            has = re.search("[ぁ-んァ-ヶ一-龠]", text)
            assert bool(has) == name.endswith(".ja"), name


if __name__ == "__main__":
    tap.run()

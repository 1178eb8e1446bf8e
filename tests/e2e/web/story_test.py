#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an agent said and did, as a browser asks for it: while it runs, when it
is done, after another hub has come, out of a packed transcript."""

import contextlib
import datetime
import json
import os

from harness import tap, websocket as ws
from harness.hub import patient_home
from harness.programs import PUPPET
from harness.tools import new_group, start_agents
from harness.until import equal, until
from harness.web import Web, served

NEWEST = 9007199254740991


def forward(web, id, limit=200):
    """All entries, and the last page."""
    entries, at = [], 0
    while at is not None:
        page = web.ask(f"agents/{id}/story?from={at}&limit={limit}")
        entries += page["entries"]
        assert page["next"] is None or page["next"] > at, page
        at = page["next"]
    return entries, page


def backward(web, id, limit=200):
    entries, at = [], NEWEST
    while at is not None:
        page = web.ask(f"agents/{id}/story?before={at}&limit={limit}")
        entries[:0] = page["entries"]
        assert page["previous"] is None or page["previous"] < at, page
        at = page["previous"]
    return entries


def kinds(entries):
    return [entry["kind"] for entry in entries]


@tap.test
def a_story_tells_what_was_said_and_done():
    with served() as web:
        id, = start_agents(web.wire, "default ms=1 delay=0")
        web.gone(id)
        entries, last = forward(web, id)
        equal(kinds(entries), ["notice", "thinking", "text", "tool", "tool",
                               "file", "text", "notice"])
        _, thought, words, read, edit, file, end, result = entries
        assert thought["text"].startswith("Looking at"), thought
        equal(words["text"], "I will look at the project first.")
        assert end["text"].startswith("Done. The task was"), end
        path = os.path.abspath("README.md")
        equal([read["tool"][k] for k in ("name", "kind", "title", "arguments",
                                         "result", "status", "isError")],
              ["read", "read", path, {"path": path}, "# Project\n", "ok",
               False])
        equal((edit["tool"]["name"], edit["tool"]["kind"]), ("edit", "edit"))
        equal([file["file"][k] for k in ("path", "change", "added", "removed",
                                         "callId")],
              [os.path.abspath("notes/puppet.md"), "created", 3, 0,
               edit["tool"]["callId"]])
        assert "\n+# Notes\n" in file["file"]["diff"], file
        equal((result["notice"], result["ok"]), ("result", True))
        offsets = [entry["offset"] for entry in entries]
        equal(offsets, sorted(offsets))
        equal((last["next"], last["previous"], last["isComplete"],
               last["upTo"]), (None, None, True, last["size"]))
        assert not any("isOpen" in entry for entry in entries), entries


@tap.test
def claude_tells_the_same_story():
    with patient_home(agent={"backend": "claude"},
                      dashboard={"port": 0}) as home:
        home.as_claude()
        web = Web(home)
        id, = start_agents(web.wire, "default ms=1 delay=0")
        web.gone(id)
        entries, _ = forward(web, id)
        tools = [entry["tool"] for entry in entries if "tool" in entry]
        equal([(t["name"], t["status"]) for t in tools],
              [("read", "ok"), ("write", "ok")])
        file, = (entry["file"] for entry in entries if "file" in entry)
        equal((file["path"], file["change"], file["added"]),
              (os.path.abspath("notes/puppet.md"), "created", 3))
        texts = [entry["text"] for entry in entries if entry["kind"] == "text"]
        equal(texts[0], "I will look at the project first.")
        equal(len(texts), 2)


@tap.test
def every_way_gives_the_same_entries_packed_or_not():
    with served() as web:
        id, = start_agents(web.wire, "long-output messages=40 delay=0 ms=0")
        web.gone(id)
        whole, last = forward(web, id)
        equal(kinds(whole).count("tool"), 40)
        # More than a few blocks, so that it is entered in the midst.
        path = str(web.home.state(f"agents/{id}/stdout.ndjson"))
        with open(path, "rb") as f:
            text = f.read()
        filler = json.dumps({"type": "connection", "subtype": "x" * 9000})
        lines = [filler.encode() + b"\n" + line
                 for line in text.splitlines(True)]
        text = b"".join(lines)
        with open(path, "wb") as f:
            f.write(text)
        whole, last = forward(web, id)
        equal((kinds(whole).count("tool"), last["size"]), (40, len(text)))
        assert len(text) > 2 << 20, len(text)

        def check():
            for limit in (1, 7, 200):
                equal(forward(web, id, limit)[0], whole)
                equal(backward(web, id, limit), whole)
            for at in range(0, len(text), len(text) // 9):
                page = web.ask(f"agents/{id}/story?from={at}&limit=5")
                wanted = [e for e in whole if e["offset"] >= at]
                equal(page["entries"],
                      wanted[:max(5, len(page["entries"]))])
        check()
        web.pack(id)
        check()


@tap.test
def one_that_runs_is_told_so_far():
    with served(agent={"maxQueued": 5, "maxConcurrent": 1}) as web:
        id, waiting = start_agents(web.wire, "hang", "hang")
        web.home.until_running(web.wire, id)
        page = until(lambda: (p := web.ask(f"agents/{id}/story?before={NEWEST}"))
                     ["entries"] and p["upTo"] == p["size"] and p, "its words")
        assert not page["isComplete"] and page["next"] is None, page
        later = web.ask(f"agents/{id}/story?from={page['upTo']}")
        equal((later["entries"], later["previous"]), ([], page["upTo"]))
        equal(web.ask(f"agents/{waiting}/story"),
              {"agentId": waiting, "entries": [], "previous": None,
               "next": None, "upTo": 0, "size": 0, "isComplete": False})
        web.wire.call("cancel_agent", agentIds=[waiting, id])
        web.gone(id)
        assert web.ask(f"agents/{id}/story")["isComplete"]


@tap.test
def the_next_hub_tells_it_too():
    with served() as web:
        id, = start_agents(web.wire, "edits ms=0")
        web.gone(id)
        before, _ = forward(web, id)
        assert "file" in kinds(before), before
        web.restart()
        equal(forward(web, id)[0], before)


# Waits in the midst of a message, and goes on when it is told to.
HALVES = """
- say: {text: 'one whole message'}
- tool: {name: grep, args: {pattern: x}, output: y, ms: 0}
- repeat: {times: 400, steps: [say: {text: 'a long one in many pieces',
                                     chunks: 12, delay: 1}]}
- result
"""


def said(entries):
    return [entry["text"] for entry in entries if entry["kind"] == "text"]


@tap.test
def story_and_live_text_join_without_gap_or_double():
    with served() as web:
        path = web.home.top / "halves.yaml"
        path.write_text(HALVES, encoding="utf-8")
        group = new_group(web.wire)
        id = web.wire.call("run_agents", groupId=group, agents=[{
            "role": "impl-code",
            "prompt": f"puppet-file: {path}"}])["agents"][0]["agentId"]
        with ws.WebSocket(web.port, f"/ws?agent={id}&text=1") as feed:
            live = [feed.event()]
            while live[-1].get("data", {}).get("event", {}).get(
                    "form") != "delta":
                live.append(feed.event())
            page = web.ask(f"agents/{id}/story?before={NEWEST}&limit=200")
            texts = said(page["entries"])
            is_open = page["entries"][-1].get("isOpen", False)
            while live[-1]["type"] != "agent:completed":
                live.append(feed.event())
        for event in live:
            event = event.get("data", {}).get("event", {})
            if event.get("kind") != "text" or event["offset"] < page["upTo"]:
                continue
            if event["form"] == "delta":
                if not is_open:
                    texts.append("")
                texts[-1] += event["text"]
            is_open = event["form"] == "delta"
        web.gone(id)
        whole, _ = forward(web, id)
        equal(texts, said(whole)[-len(texts):])
        equal(texts[-1], "a long one in many pieces")
        tools = {event["data"]["event"]["tool"] for event in live
                 if event.get("data", {}).get("event", {}).get("tool")}
        assert tools <= {"grep"}, tools


# Says nothing of times by itself, as Claude Code does.
TIMELESS = """#!/bin/sh
case "$*" in *--force*) ;; *) exec $PUPPET "$@" ;; esac
call() { echo '{"type":"tool_call","subtype":"'$1'","call_id":"c'$2'",'\
'"tool_call":{"shellToolCall":{"args":{"command":"x"}'$3'}}}'; }
wait_for() { while [ ! -e $DIR/$1 ]; do sleep 0.02; done; }
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
call started 1
wait_for go
call completed 1 ',"result":{"success":{"stdout":"y"}}'
call started 2
wait_for on
call completed 2 ',"result":{"success":{"stdout":"y"}}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"ok"}'
"""


@contextlib.contextmanager
def timeless():
    with patient_home(dashboard={"port": 0}) as home:
        cli = home.top / "cli"
        cli.write_text(TIMELESS.replace("$DIR", str(home.top))
                       .replace("$PUPPET", PUPPET))
        cli.chmod(0o755)
        home.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))
        web = Web(home)
        home.settle(web.wire)
        yield home, web


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def tools(web, id):
    return [entry for entry in forward(web, id)[0] if "tool" in entry]


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


@tap.test
def lines_have_the_time_when_they_were_read():
    with timeless() as (home, web):
        id, = start_agents(web.wire, "x")
        first = until(lambda: (seen := tools(web, id)) and seen[0]["at"] and
                      seen[0], "the time of the call")
        begun = now()
        assert abs((moment(first["at"]) - begun).total_seconds()) < 600, first
        # Silence counts: the call lasts at least until it is told to end.
        until(lambda: (now() - begun).total_seconds() > 0.3, "a while")
        waited = 1000 * (now() - begun).total_seconds()
        (home.top / "go").touch()
        took = until(lambda: tools(web, id)[0]["tool"]["duration_ms"],
                     "how long it took")
        assert took >= waited - 1, (took, waited)
        # Written with what else is written.
        new_group(web.wire)
        (home.top / "on").touch()
        web.gone(id)
        before = forward(web, id)[0]
        assert all(entry["at"] for entry in before), before
        web.restart()
        equal(forward(web, id)[0], before)


@tap.test
def what_no_hub_has_read_has_no_time():
    with timeless() as (home, web):
        id, = start_agents(web.wire, "x")
        until(lambda: tools(web, id), "the first call")
        web.hub.kill()
        web.hub.wait()
        (home.top / "go").touch()
        path = home.state(f"agents/{id}/stdout.ndjson")
        until(lambda: path.read_text().count("started") == 2, "more lines")
        web.hub = home.hub()
        web.meet()
        (home.top / "on").touch()
        web.gone(id)
        one, two = tools(web, id)
        equal((one["tool"]["duration_ms"], two["at"],
               two["tool"]["duration_ms"]), (None, None, None))
        last = forward(web, id)[0][-1]
        assert last["notice"] == "result" and last["at"], last


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`export --html` as a command: what is written, what is refused, what a full
disk leaves. tests/e2e/dashboard opens the files."""

import json
import re
import signal

from harness import tap
from harness.command import CommandHome, served
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until

DATA = re.compile(r'id="recording">(.*?)</script>', re.S)


def recording(text):
    return json.loads(DATA.search(text)[1])


def ended(h, *scenarios):
    """A group of these, when they are gone."""
    group = new_group(h.talk)
    ids = start_agents(h.talk, *scenarios, group=group)
    wait_for(h.talk, *ids)
    until(lambda: not any(h.alive(one) for one in ids), "their ends")
    return group, ids


@tap.test
def a_group_is_written_to_a_file_or_to_stdout():
    with served() as h:
        group, ids = ended(h, "report", "failure")
        file = h.top / "out.html"
        file.write_text("old", encoding="utf-8")
        run = h.run("export", "--html", group[-4:], "-o", str(file))
        equal((run.returncode, run.out, run.err), (0, "", ""))
        text = file.read_text(encoding="utf-8")
        assert text.startswith("<!doctype html>") and text.endswith(
            "</html>\n"), text[:100]
        assert not list(h.top.glob("*.part"))
        said = recording(text)
        equal((said["version"], said["groupId"], said["language"]),
              (1, group, "en"))
        agents = said["groups"][0]["agents"]
        equal([a["record"]["agentId"] for a in agents], ids)
        equal([a["story"]["isCut"] for a in agents], [False, False])
        contains(agents[0]["prompt"]["layers"][-1]["text"], "puppet: report")
        equal(agents[0]["process"]["exitCode"], 0)
        seqs = [e["seq"] for e in said["events"]]
        assert seqs == sorted(set(seqs)) and len(seqs) > 6, seqs
        piped = h.run("export", "--html", group, KUROMAJUTSU_LANGUAGE="ja")
        equal((piped.returncode, piped.err), (0, ""))
        other = recording(piped.out)
        equal(other["language"], "ja")
        for one in (said, other):
            one["exportedAt"] = one["language"] = ""
        equal(said, other)


@tap.test
def what_is_no_group_is_refused_with_nothing_on_stdout():
    with served() as h:
        group, ids = ended(h, "report")
        for word in ("nosuch", "grp-nosuch", ids[0]):
            run = h.run("export", "--html", word)
            equal((run.returncode, run.out), (1, ""))
            contains(run.err, word)
        contains(h.run("export", "--html", ids[0]).err, "kuromajutsu groups")
        file = h.top / "none.html"
        equal(h.run("export", "--html", "grp-nosuch", "-o",
                    str(file)).returncode, 1)
        equal(list(h.top.glob("none.html*")), [])
        run = h.run("export", "--full", group)
        equal((run.returncode, run.out), (2, ""))
        contains(run.err, "--html")


@tap.test
def nothing_is_recorded_where_there_was_no_hub():
    with CommandHome() as h:
        run = h.run("export", "--html", "grp-1")
        equal((run.returncode, run.out), (3, ""))


@tap.test
def a_long_story_is_cut_and_said_so_unless_it_is_wanted_whole():
    with served() as h:
        script = h.project / "long.yaml"
        script.write_text(json.dumps([
            {"repeat": {"times": 1500, "steps": [
                {"tool": {"name": "shell", "args": {"command": "make"},
                          "output": "${index} " + "x" * 4000}}]}},
            "result"]), encoding="utf-8")
        group = new_group(h.talk)
        agent, = [a["agentId"] for a in h.talk.call(
            "run_agents", groupId=group, agents=[
                {"role": "impl-code",
                 "prompt": f"puppet-file: {script}"}])["agents"]]
        wait_for(h.talk, agent)
        until(lambda: not h.alive(agent), "its end")
        file = h.top / "long.html"
        for again in (False, True):
            run = h.run("export", "--html", group, "-o", str(file))
            equal((run.returncode, run.out), (0, ""))
            contains(run.err, "--full")
            story, = recording(file.read_text("utf-8"))["groups"][0]["agents"]
            story = story["story"]
            equal(story["isCut"], True)
            cut = file.stat().st_size
            assert cut < 12 << 20, cut
            run = h.run("export", "--html", "--full", group, "-o", str(file))
            equal((run.returncode, run.out, run.err), (0, "", ""))
            whole, = recording(file.read_text("utf-8"))["groups"][0]["agents"]
            whole = whole["story"]
            equal(whole["isCut"], False)
            equal(whole["entries"][-len(story["entries"]):],
                  story["entries"])
            assert len(whole["entries"]) > len(story["entries"])
            if not again:  # and without a hub
                h.talk.close()
                h.served.send_signal(signal.SIGTERM)
                h.stopped(h.served)


# A file may have 100 KiB, and no signal is made of it: so a disk that is full
# looks, but for the word.
LITTLE = ("bash", "-c", """trap '' XFSZ; ulimit -f 100; exec "$@" """, "-")


@tap.test
def a_disk_that_is_full_leaves_what_was_there():
    with served() as h:
        group, _ = ended(h, "flood lines=1000 size=200")
        file = h.top / "kept"
        file.write_text("old", encoding="utf-8")
        for words in (("export", "--html", group), ("export", group)):
            run = h.run(*words, "-o", str(file), under=LITTLE)
            equal((run.returncode, run.out), (1, ""))
            contains(run.err, f"cannot write {file}: File too large")
            equal(file.read_text("utf-8"), "old")
            equal(list(h.top.glob("kept*")), [file])
        for words in (("export", "--html", group), ("export", group),
                      ("report", group)):
            run = h.run(*words, "-o", "/dev/full")
            equal((run.returncode, run.out), (1, ""))
            contains(run.err, "No space left on device")
            run = h.run(*words, "-o", "/dev/stdout")
            equal((run.returncode, run.err), (0, ""))
            contains(run.out, group)


if __name__ == "__main__":
    tap.run()

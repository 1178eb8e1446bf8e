#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hub's log: what happens is in it, for people on a terminal and for
programs elsewhere, and nobody waits for who reads it."""

import json
import os
import pty
import re
import signal

from harness import tap
from harness.command import served
from harness.hub import read
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until


def logged(home, event):
    """Lines of that event, read."""
    return [json.loads(line) for line in home.until_logged(event)]


@tap.test
def ends_of_agents_are_told():
    with served() as h:
        group, ids = h.group("report", "failure", "hang", "crash")
        done = [ids[0], ids[1], ids[3]]
        wait_for(h.talk, *done)
        h.until_running(h.talk, ids[2])
        h.talk.call("cancel_agent", agentIds=[ids[2]], reason="enough")
        started = until(lambda: len(x := logged(h, "agent.started")) == 4 and x,
                        "all starts")
        equal({x["agentId"] for x in started}, set(ids))
        equal({x["groupId"] for x in started}, {group})
        equal({x["role"] for x in started}, {"impl-code"})
        reported, = logged(h, "agent.reported")
        equal((reported["agentId"], reported["level"]), (ids[0], "info"))
        assert ids[0] in reported["message"], reported
        failed = until(lambda: len(x := logged(h, "agent.failed")) == 2 and x,
                       "failures")
        equal({x["level"] for x in failed}, {"warn"})
        cancelled, = logged(h, "agent.cancelled")
        equal(cancelled["agentId"], ids[2])
        assert cancelled["duration_ms"] >= 0, cancelled
        created = logged(h, "group.created")[0]
        equal(created["groupId"], group)


@tap.test
def a_time_out_is_a_warning():
    with served() as h:
        one, = start_agents(h.talk, "hang", timeout_ms=300)
        wait_for(h.talk, one)
        line, = logged(h, "agent.timed_out")
        equal((line["level"], line["agentId"]), ("warn", one))
        # As every command writes it.
        assert re.search(r" (?:[1-9]\d\d ms|\d\.\d s|\d+ s)\b",
                         line["message"]), line


@tap.test
def health_is_told_with_a_summary():
    with served(KUROMAJUTSU_PUPPET_MODELS="only=Only") as h:
        lines = until(lambda: len(x := logged(h, "health.model")) == 6 and x,
                      "models")
        equal({x["level"] for x in lines}, {"warn"})
        assert "claude-4-sonnet" in json.dumps(lines), lines
        assert "0 of 6" in logged(h, "health.complete")[-1]["message"]
    with served() as h:
        passed = until(lambda: len(x := logged(h, "health.passed")) == 6 and x,
                       "passes")
        equal({x["level"] for x in passed}, {"info"})
        assert "6 of 6" in logged(h, "health.complete")[-1]["message"]


def spend(h):
    """All that a day may cost."""
    _, ids = h.group("default")
    wait_for(h.talk, *ids)
    group = new_group(h.talk)
    h.talk.refused("run_agents", groupId=group,
                    agents=[{"role": "impl-code", "prompt": "x"}])


BUDGET = ("prices: [{model: '*', input: 1000, output: 1000}]\n"
          "budget: {dayUsd: 0.01}\n")


@tap.test
def a_spent_budget_is_told():
    with served(BUDGET) as h:
        spend(h)
        line, = logged(h, "budget.exceeded")
        equal(line["level"], "warn")
        assert "budget.dayUsd" in line["message"], line


@tap.test
def what_is_spent_before_the_start_is_known_counts():
    """Its warden is heard only when those before it have been silent for too
    long, and by then its transcript was read."""
    with served(BUDGET) as h:
        h.settle(h.talk)
        silent = [h.connect() for _ in range(32)]
        spend(h)
        for wire in silent:
            wire.close()


@tap.test
def a_plan_tells_its_stages():
    with served() as h:
        group = new_group(h.talk, mode="sequential")
        made = h.talk.call("run_sequential", groupId=group, stages=[
            {"tasks": [{"role": "impl-code", "prompt": "puppet: report"}]}
            for _ in range(2)])
        wait_for(h.talk, *(a["agentId"] for a in made["agents"]))
        stages = until(lambda: len(x := logged(h, "group.stage")) == 2 and x,
                       "stages")
        assert "2 of 2" in stages[1]["message"], stages
        h.until_logged("group.completed")
        h.talk.call("delete_group", groupId=group)
        h.until_logged("group.deleted")


@tap.test
def a_start_that_is_known_after_the_report_is_told_too():
    """What it is started by is stopped, and another reports for it."""
    with served() as h:
        h.settle(h.talk)
        zygote, = h.zygotes()
        os.kill(zygote, signal.SIGSTOP)
        _, (id,) = h.group("hang")
        h.talk.call("report_result", agentId=id, status="success",
                    summary="s", response="r")
        os.kill(zygote, signal.SIGCONT)
        h.until_logged("agent.started", what=id)
        told = [line for line in map(json.loads, h.log())
                if line.get("agentId") == id]
        equal([x["event"] for x in told], ["agent.reported", "agent.started"])
        # Nobody knows yet after what time.
        contains(told[0]["message"], f"{id} has reported success (role")
        assert not [x for x in told if "duration_ms" in x], told
        h.talk.call("cancel_agent", agentIds=[id])


@tap.test
def in_japanese_it_is_japanese():
    with served(KUROMAJUTSU_LANGUAGE="ja") as h:
        _, ids = h.group("report")
        wait_for(h.talk, *ids)
        for event in ("hub.serving", "agent.started", "agent.reported",
                      "group.created"):
            text = logged(h, event)[0]["message"]
            assert re.search("[ぁ-ん]", text), text


# ---- for people -------------------------------------------------------------

class Terminal:
    """`kuromajutsu serve` on a terminal."""

    def __init__(self, home, **env):
        self.ours, theirs = pty.openpty()
        self.text = b""
        self.hub = home.hub("serve", stderr=theirs, **env)
        os.close(theirs)
        os.set_blocking(self.ours, False)

    def said(self):
        try:
            while chunk := os.read(self.ours, 65536):
                self.text += chunk
        except OSError:
            pass
        return self.text.decode()


@tap.test
def on_a_terminal_it_is_for_people():
    with served() as h:
        h.talk.close()
        h.run("stop")
        h.stopped(h.served)
        h.set(TERM="xterm")
        t = Terminal(h)
        until(lambda: h.run("status").returncode == 0, "the hub")
        said = until(lambda: "the hub serves" in (s := t.said()) and s,
                     "its beginning")
        line = next(x for x in said.splitlines() if "the hub serves" in x)
        assert re.match(r"\x1b\[2m\d\d-\d\d \d\d:\d\d:\d\d\x1b\[0m  info   the",
                        line), repr(line)
        assert '{"' not in said, said
        h.stop(t.hub)
        until(lambda: "the hub has left" in t.said(), "its end")


@tap.test
def the_form_can_be_chosen():
    with served("log: {format: text}\n") as h:
        said = until(lambda: "the hub serves" in (s := "\n".join(h.log()))
                     and s, "its beginning")
        assert '"event"' not in said and "\x1b" not in said, said


# ---- nobody waits for a reader ---------------------------------------------

@tap.test
def a_full_pipe_stops_no_hub():
    with served() as h:
        h.talk.close()
        h.run("stop")
        h.stopped(h.served)
        ours, theirs = os.pipe()
        os.set_blocking(theirs, False)
        try:
            while os.write(theirs, b"x" * 65536):
                pass
        except BlockingIOError:
            os.set_blocking(theirs, True)
        hub = h.hub("serve", stderr=theirs)
        os.close(theirs)
        until(lambda: h.run("status").returncode == 0, "the hub")
        talk = h.relay().talk
        talk.hello()
        wait_for(talk, *start_agents(talk, "report", "report"))
        talk.close()
        h.stop(hub)
        os.close(ours)


# ---- in the background ------------------------------------------------------

@tap.test
def the_log_of_one_in_the_background_can_be_read():
    with served() as h:
        h.talk.close()
        h.run("stop")
        h.stopped(h.served)
        talk = h.relay().talk
        talk.hello()
        one, = start_agents(talk, "report")
        wait_for(talk, one)
        until(lambda: '"agent.reported"' in read(h.state("hub.log")), "the log")
        run = h.run("logs", "--hub")
        equal((run.returncode, run.err), (0, ""))
        assert re.search(rf"^\d\d-\d\d \d\d:\d\d:\d\d  info   {one} has "
                         r"reported success after", run.out, re.M), run.out
        run = h.run("logs", "--hub", "--tail", "1")
        equal(len(run.out.splitlines()), 1)
        for line in h.run("logs", "--hub", "--json").out.splitlines():
            assert json.loads(line)["event"], line
        run = h.run("logs", "--hub", "--tail", "0")
        equal(run.returncode, 2)
        assert "--tail" in run.err, run.err


@tap.test
def the_log_can_be_followed_over_a_rotation():
    with served() as h:
        log = h.state("hub.log")
        log.write_text('{"time":"2026-01-01T00:00:00.000Z","level":"warn",'
                       '"event":"x","message":"first"}\nplain words\n')
        f = h.popen("logs", "--hub", "-f")
        equal(f.stdout.readline().decode(), "01-01 00:00:00  warn   first\n")
        equal(f.stdout.readline().decode(), "plain words\n")
        log.rename(str(log) + ".1")
        log.write_text("second\n")
        equal(f.stdout.readline().decode(), "second\n")
        f.kill()
        f.communicate()


@tap.test
def where_there_is_no_log_it_is_said():
    with served() as h:
        run = h.run("logs", "--hub")
        equal((run.returncode, run.out), (1, ""))
        assert "foreground" in run.err and "hub.log" in run.err, run.err


if __name__ == "__main__":
    tap.run()

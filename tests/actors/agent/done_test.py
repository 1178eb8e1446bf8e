# SPDX-License-Identifier: MIT
"""Between done and gone: what a result says at once, and what of it may still
grow."""

import json
import os

from harness import tap
from harness.agents import INIT, RESULT, AgentHome, puppet
from harness.programs import acts
from harness.until import equal, until


def said(text):
    return json.dumps({"type": "assistant", "message": {
        "role": "assistant", "content": [{"type": "text", "text": text}]},
        "session_id": "s"})


def call(id, phase, **result):
    return json.dumps({"type": "tool_call", "subtype": phase, "call_id": id,
                       "tool_call": {"editToolCall": {
                           "args": {"path": f"/p/{id}.c"}, **result}},
                       "session_id": "s"})


def edited(id):
    """A whole edit of /p/ID.c."""
    return "\n".join([call(id, "started"), call(id, "completed", result={
        "success": {"path": f"/p/{id}.c", "diffString": "--- a\n+++ b\n"}})])


def leaving(h, id, early, late):
    """A CLI that prints early lines, and on its way out late ones, when the
    test says so: its arguments."""
    for name, lines in (("early", early), ("late", late)):
        with open(os.path.join(h.top, f"{name}-{id}"), "w") as f:
            f.write("".join(line + "\n" for line in lines))
    # Only the shell itself is deaf to TERM, so it prints by itself.
    return ["/bin/sh", "-c", 'trap : TERM; '
            'show() { while read -r x; do printf "%s\\n" "$x"; done < "$1"; }; '
            'show "$0/early-$1"; '
            'until [ -e "$0/go-$1" ]; do sleep 0.01; done; '
            'show "$0/late-$1"', str(h.top), id]


def let_go(h, id):
    open(os.path.join(h.top, f"go-{id}"), "w").close()


def check_grown(was, now):
    """All but files and calls stay to the letter."""
    grows = ("edited", "created", "toolCalls")
    equal({k: v for k, v in now["result"].items() if k not in grows},
          {k: v for k, v in was["result"].items() if k not in grows})
    equal((now["result"]["edited"], now["result"]["toolCalls"]),
          (["/p/one.c", "/p/two.c"], 2))
    equal((was["result"]["edited"], was["result"]["toolCalls"]),
          (["/p/one.c"], 1))
    equal(now["elapsed"], was["elapsed"])


EARLY = [INIT, edited("one"), said("Half of it.")]
LATE = [edited("two"), said("I was told to stop."), RESULT]


@tap.test
def one_that_is_cancelled_is_done_at_once():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", leaving(h, "a", EARLY, LATE), grace=600000)
        until(lambda: hub.ask("a")["lines"] == 4, "its words")
        hub.order("cancel", "a")
        was = hub.news("a", "done")
        equal((was["state"], was["done"], was["gone"], was["news"]),
              ("cancelled", True, False, ["state", "done"]))
        equal((was["result"]["status"], was["result"]["summary"],
               was["result"]["error"]), ("cancelled", "Half of it.",
                                         "cancelled"))
        equal(hub.answer("a"), "refused")
        let_go(h, "a")
        now = hub.gone("a")
        equal((now["state"], now["news"]), ("cancelled", ["gone"]))
        check_grown(was, now)
        equal(hub.answer("a"), "refused")


@tap.test
def one_whose_time_is_up_is_done_at_once():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", leaving(h, "a", EARLY, LATE), grace=600000, timeout=2000)
        was = hub.news("a", "done")
        equal((was["state"], was["done"], was["gone"]),
              ("timedOut", True, False))
        equal((was["result"]["status"], was["result"]["error"]),
              ("timeout", "timed out"))
        let_go(h, "a")
        now = hub.gone("a")
        equal((now["state"], now["news"]), ("timedOut", ["gone"]))
        if was["lines"] == 4:  # else it was slow to speak
            check_grown(was, now)


@tap.test
def one_whose_time_is_up_may_still_report():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", leaving(h, "a", EARLY, LATE), grace=600000, timeout=500)
        was = hub.news("a", "done")
        equal(hub.answer("a", summary="I made it"), "taken")
        now = hub.ask("a")
        equal((now["state"], now["result"]["summary"]),
              ("resultReported", "I made it"))
        equal(now["result"]["duration"], was["result"]["duration"])
        let_go(h, "a")
        equal(hub.gone("a")["state"], "resultReported")


@tap.test
def one_that_overstays_says_nothing_else_later():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", leaving(h, "a", [*EARLY, RESULT], LATE), grace=600000,
                exit_grace=100)
        was = hub.news("a", "done")
        equal((was["state"], was["result"]["summary"]),
              ("completed", "Half of it."))
        let_go(h, "a")
        check_grown(was, hub.gone("a"))


@tap.test
def silence_counts_only_while_no_tool_is_at_work():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        hub.run("a", acts("print", INIT, "print", call("one", "started"),
                          "await", go, "print", call("one", "completed"),
                          "pause"), report_grace=50)
        hub.run("b", puppet("hang"), report_grace=1000)
        until(lambda: hub.ask("a")["tool"], "the call")
        for id in "ab":
            hub.state(id, "running")
            equal(hub.answer(id), "taken")
            hub.order("kept", id)
        # It has twenty times the patience, and is ended.
        hub.gone("b")
        assert not hub.ask("a")["gone"], "ended in the middle of a call"
        open(go, "w").close()
        equal(hub.gone("a")["state"], "resultReported")


@tap.test
def one_that_is_done_does_not_stall():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("ignore-term"), grace=600000, stall=50)
        hub.news("a", "stalled")
        hub.order("cancel", "a")
        assert not hub.news("a", "done")["stalled"]
        hub.run("b", puppet("hang"), stall=200)
        hub.news("b", "stalled")
        assert not hub.ask("a")["stalled"]
        for id in "ab":
            hub.order("cancel", id)
            hub.gone(id)


if __name__ == "__main__":
    tap.run()

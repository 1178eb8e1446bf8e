#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is told of roles whose checks are under way, have failed or miss
something: to main agents, on the command line and over HTTP."""

import json
import re
import threading

from harness import tap
from harness.command import CommandHome
from harness.http import request
from harness.tools import roles_are_judged, start_agents, wait_for
from harness.until import FOREVER, equal, until

LATE = 'case "$*" in *respond*) while [ -e "%s" ]; do :; done;; esac'
MISSING = {"tools": [{"id": "lint", "name": "Lint", "description": "d",
                      "promptInstructions": "p",
                      "healthCheckCommand": "echo no linter >&2; exit 1"}],
           "roles": [{"id": "impl-code", "tools": ["lint"]}]}


def role(seen, id="impl-code"):
    found, = (r for r in seen["roles"] if r["id"] == id)
    return found


@tap.test
def while_checks_are_under_way_roles_are_available():
    """What a main agent reads first must not send it away; what it starts then
    begins when the checks have passed."""
    with CommandHome({"health": {"gate_ms": FOREVER}}) as h:
        gate = h.top / "gate"
        gate.write_text("")
        h.begin(h.cli("late", LATE % gate))
        for one in h.talk.call("list_roles")["roles"]:
            equal((one["available"], one["healthCheck"]["status"]),
                  (True, "pending"))
        assert re.search("^impl-code +checking", h.run("roles").out, re.M)
        started = []
        work = threading.Thread(target=lambda: started.extend(
            start_agents(h.talk, "reply")))
        work.start()
        equal(json.loads(h.run("agents", "--json").out)["total"], 0)
        gate.unlink()
        work.join()
        wait_for(h.talk, *started)
        until(lambda: roles_are_judged(h.talk), "all checks")
        one = role(h.talk.call("list_roles"))
        # A model is told how each stands, and not since when.
        brief = {"available": True, "healthCheck": {"status": "passed"},
                 "modelValidation": {"status": "valid"}, "tools": [],
                 "backend": "cursor"}
        equal(one, {**{key: one[key] for key in (
            "id", "name", "description", "model")}, **brief})
        _, _, body = request(h.port(), "GET", "/api/roles")
        assert "checkedAt" in role(json.loads(body))["modelValidation"]


@tap.test
def a_missing_tool_is_told_and_refuses_nobody():
    with CommandHome(MISSING) as h:
        h.trust()
        h.begin()
        words = "its agents go without the tool lint: no linter"
        one = until(lambda: (r := role(h.talk.call("list_roles")))
                    ["healthCheck"].get("warning") and r, "the warning")
        equal((one["available"], one["healthCheck"]["warning"]), (True, words))
        until(lambda: roles_are_judged(h.talk), "all checks")
        run = h.run("roles")
        assert re.search("^impl-code +ready", run.out, re.M), run.out
        assert f"impl-code: {words}" in run.out, run.out
        _, _, body = request(h.port(), "GET", "/api/roles")
        equal(role(json.loads(body))["healthCheck"]["warning"], words)
        wait_for(h.talk, *start_agents(h.talk, "reply"))


@tap.test
def a_model_that_nothing_has_checked_is_not_called_valid():
    with CommandHome({"agent": {"backend": "claude"}}) as h:
        h.begin(h.cli("claude", words="--backend claude"))
        until(lambda: roles_are_judged(h.talk), "all checks")
        one = role(h.talk.call("list_roles"))
        equal((one["available"], one["modelValidation"]),
              (True, {"status": "notChecked"}))
        assert "(not checked)" in h.run("roles", COLUMNS="120").out


@tap.test
def doctor_is_not_content_with_a_hub_of_no_use():
    """The CLI is there and lists its models; and no role can be used."""
    with CommandHome() as h:
        words = "Not logged in · Please run /login"
        h.begin(h.cli("out", 'case "$*" in *respond*) '
                      f'echo "{words}"; exit 1;; esac'))
        until(lambda: roles_are_judged(h.talk), "all checks")
        equal(role(h.talk.call("list_roles"))["healthCheck"]["reason"], words)
        run = h.run("doctor", "--json")
        seen = json.loads(run.out)
        equal((run.returncode, seen["ok"]), (1, False))
        told = [f for f in seen["findings"] if f["subject"] == "role"]
        equal({f["verdict"] for f in told}, {"fail"})
        equal(len(told), 7)
        assert words in told[1]["text"], told


@tap.test
def doctor_says_what_the_hub_knows_of_roles_and_agents():
    with CommandHome(MISSING) as h:
        h.trust()
        h.begin()
        until(lambda: roles_are_judged(h.talk), "all checks")
        hung, = start_agents(h.talk, "hang")
        quick, = start_agents(h.talk, "reply")
        wait_for(h.talk, quick)
        until(lambda: (n := json.loads(h.run("status", "--json").out)
                       ["agents"])["running"] == 1 and n["leaving"] == 0,
              "one that hangs and one that is gone")
        told = json.loads(h.run("doctor", "--json").out)["findings"]
        text, = (f["text"] for f in told if f["subject"] == "hub")
        assert "1 running, 0 queued, 0 leaving" in text, text
        roles = [(f["verdict"], f["text"]) for f in told
                 if f["subject"] == "role"]
        equal([v for v, _ in roles], ["ok", "warn"])
        assert "6, of which 6 can be used" in roles[0][1], roles
        assert "lint" in roles[1][1], roles
        h.talk.call("cancel_agent", agentIds=[hung])


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The phases as a plan of agents: who is started with what, what their ends
make of the phases, and how it goes on after the death of a hub."""

import json
import os
import signal

from harness import inner, tap
from harness.tools import roles_are_judged
from harness.until import contains, equal, until
from talks import NAMES, context, end, served, states


def run(home, wire, text="reply", **more):
    return wire.ask("run_phases", {"text": f"A shop.\npuppet: {text}",
                                   "projectPath": str(home.project), **more})


def agents_of(wire, group):
    return wire.ask("list_agents", {"groupId": group})["agents"]


def until_over(talk, wanted):
    until(lambda: states(talk) == wanted, f"{wanted}")


@tap.test
def a_plan_goes_through_all_phases():
    with served() as (home, talk):
        roles_are_judged(talk)
        with home.session() as wire:
            made = run(home, wire)
            equal(made["projectPath"], os.path.realpath(home.project))
            equal(made["from"], "phase0")
            until_over(talk, ["completed"] * 5)
            agents = agents_of(wire, made["groupId"])
            equal([a["role"] for a in agents],
                  ["research", "impl-code", "impl-code", "impl-code",
                   "code-review"])
            for i, agent in enumerate(agents):
                prompt = wire.ask("show_agent", {"agentId": agent["agentId"]})[
                    "prompt"]
                contains(prompt, f"# Phase {i}: ")
                contains(prompt, "A shop.")
                contains(prompt, os.path.realpath(home.project))
        zero = context(talk, "phase0")
        equal([zero["result"]["status"], zero["attempts"]], ["completed", 1])
        told = talk.call("agent_receive_messages", agent_id="me")["messages"]
        equal([m["metadata"]["phase"] for m in told], NAMES)


@tap.test
def a_stage_that_fails_stops_it_and_it_goes_on_from_there():
    with served() as (home, talk):
        roles_are_judged(talk)
        with home.session() as wire:
            end(talk, "phase0")
            made = run(home, wire, "crash", **{"from": "phase1"})
            until_over(talk, ["completed", "failed"] + ["pending"] * 3)
            one = context(talk, "phase1")
            equal(one["result"]["status"], "failed")
            until(lambda: all(a["status"] not in ("queued", "running")
                              for a in agents_of(wire, made["groupId"])),
                  "no agent at work")
            run(home, wire, **{"from": "phase1"})
            until_over(talk, ["completed"] * 5)
            equal(context(talk, "phase1")["attempts"], 2)


@tap.test
def an_agent_of_a_plan_changes_its_own_phase_and_no_other():
    with served(before=inner.install) as (home, talk):
        roles_are_judged(talk)
        project, other = str(home.project), str(home.folder("other"))
        done = {"status": "completed", "outputFiles": ["mine.md"],
                "summary": "by itself"}
        point = {"checkpoint": "c", "data": {}}
        calls = home.top / "calls"
        calls.write_text(json.dumps([
            ["get_phase_context", {"phase": "phase4", "projectPath": project}],
            ["get_phase_context", {"phase": "phase4", "projectPath": other}],
            ["save_phase_result", {"phase": "phase3", "result": point,
                                   "projectPath": project}],
            ["save_phase_result", {"phase": "phase4", "result": point,
                                   "projectPath": other}],
            ["save_phase_result", {"phase": "phase4", "result": point,
                                   "projectPath": project}],
            ["transition_to_next_phase", {
                "currentPhase": "phase4", "result": done,
                "projectPath": project}]]))
        for name in NAMES[:4]:
            end(talk, name)
        with home.session() as wire:
            run(home, wire, f"reply\ncalls: {calls}", **{"from": "phase4"})
        until_over(talk, ["completed"] * 5)
        until(lambda: os.path.exists(f"{calls}.answers"), "its answers")
        with open(f"{calls}.answers", encoding="utf-8") as f:
            equal([is_error for is_error, _ in json.load(f)],
                  [False, True, True, True, False, False])
        four = context(talk, "phase4")
        equal([four["result"]["summary"], four["outputFiles"]],
              ["by itself", ["mine.md"]])
        equal(context(talk, "phase0", projectPath=other)["status"], "pending")


@tap.test
def the_next_hub_enters_what_has_ended_without_one():
    with served() as (home, talk):
        roles_are_judged(talk)
        with home.session() as wire:
            made = run(home, wire, "hang")
            agent = until(lambda: [a for a in agents_of(wire, made["groupId"])
                                   if a["status"] == "running"],
                          "one that runs")[0]["agentId"]
        os.kill(home.hub_pid(), signal.SIGKILL)
        equal(states(talk), ["pending"] * 5)
        talk.call("cancel_agent", agentIds=[agent])
        until_over(talk, ["failed"] + ["pending"] * 4)


if __name__ == "__main__":
    tap.run()

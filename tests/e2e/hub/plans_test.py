# SPDX-License-Identifier: MIT
"""Plans one after the other in one group, also in the next hub."""

from harness import tap
from harness.hub import patient_home
from harness.tools import new_group, wait_for
from harness.until import FOREVER, contains, equal, until


def home():
    """One whose agents may stay as long as they like after a report."""
    return patient_home(agent={"maxConcurrent": 2, "reportGrace_ms": FOREVER})


def plan(w, group, *stages):
    """Submits a plan of one agent per stage: their ids."""
    made = w.call("run_sequential", groupId=group, stages=[
        {"tasks": [{"role": "impl-code", "prompt": f"puppet: {scenario}"}]}
        for scenario in stages])
    return [agent["agentId"] for agent in made["agents"]]


def status(w, id):
    return w.call("get_agent_status", agentId=id)["status"]


def ended(w, group):
    return [event["type"] for event in w.call(
        "events", groupId=group)["events"]].count("group:completed")


def report(w, id):
    w.call("report_result", agentId=id, status="success", summary="S",
           response="R")


def one_that_stays(p, w):
    """A group whose plan is done, and its agent, whose tree is still there."""
    group = new_group(w, mode="sequential")
    id, = plan(w, group, "hang")
    p.until_running(w, id)
    report(w, id)
    return group, id


@tap.test
def a_refusal_says_what_to_do_and_that_helps():
    with home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w, mode="sequential")
            first, second = plan(w, group, "hang", "reply")
            p.until_running(w, first)
            is_error, said = w.answer(w.order("run_sequential", {
                "groupId": group, "stages": [{"tasks": [
                    {"role": "impl-code", "prompt": "puppet: reply"}]}]}))
            equal((is_error, said["code"]),
                  (True, "SEQUENTIAL_START_FAILED"))
            for part in ("(2)", "wait_agent", "cancel_agent"):
                contains(said["message"], part)
            w.call("cancel_agent", agentIds=[first, second])
            third, = plan(w, group, "reply")
            wait_for(w, third)
            equal(status(w, third), "completed")


@tap.test
def a_plan_begins_when_those_before_are_gone():
    with home() as p:
        p.hub()
        with p.session() as w:
            group, id = one_that_stays(p, w)
            first, second = plan(w, group, "reply", "reply")
            # There is a place, and others get it.
            other = w.call("run_agents", groupId=new_group(w), agents=[
                {"role": "impl-code", "prompt": "puppet: reply"}])["agents"]
            wait_for(w, other[0]["agentId"])
            equal((status(w, first), status(w, second)), ("queued", "queued"))
            w.call("cancel_agent", agentIds=[id])  # its tree is hurried
            wait_for(w, first, second)
            equal((status(w, first), status(w, second)),
                  ("completed", "completed"))
            # The group was not complete while a plan waited in it.
            until(lambda: ended(w, group) == 1, "the end of the plan")


@tap.test
def it_waits_in_the_next_hub_too():
    with home() as p:
        p.hub()
        with p.session() as w:
            group, id = one_that_stays(p, w)
            first, second = plan(w, group, "reply", "reply")
        p.replace_hub(id)
        with p.session() as w:
            wait_for(w, *[a["agentId"] for a in w.call(
                "run_agents", groupId=new_group(w), agents=[
                    {"role": "impl-code", "prompt": "puppet: reply"}])
                ["agents"]])
            assert p.tree(id), "it was to stay"
            equal((status(w, first), status(w, second)), ("queued", "queued"))
            w.call("cancel_agent", agentIds=[id])
            wait_for(w, first, second)
            equal((status(w, first), status(w, second)),
                  ("completed", "completed"))


@tap.test
def one_that_is_cancelled_before_its_turn_gives_way():
    with home() as p:
        p.hub()
        with p.session() as w:
            group, id = one_that_stays(p, w)
            dropped = plan(w, group, "reply", "reply")
            w.call("cancel_agent", agentIds=dropped)
            last, = plan(w, group, "reply")
            equal(status(w, last), "queued")
            w.call("cancel_agent", agentIds=[id])
            wait_for(w, last)
            equal(status(w, last), "completed")
            equal([status(w, one) for one in dropped], ["cancelled"] * 2)


if __name__ == "__main__":
    tap.run()

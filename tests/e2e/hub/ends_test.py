# SPDX-License-Identifier: MIT
"""Ends as clients are told of them: every tool says the same of an agent at
the same moment, also in the next hub."""

from harness import tap
from harness.hub import patient_home
from harness.tools import new_group, start_agents
from harness.until import equal, until


def told(w, id):
    """What the tools say of it: (its status, whether it is done)."""
    wait = w.call("wait_agent", agentIds=[id], timeout_ms=0)
    status = w.call("get_agent_status", agentId=id)
    line, = [a for a in w.call("list_agents")["agents"] if a["agentId"] == id]
    shown = w.call("show_agent", agentId=id)
    waited, = wait["completed"] or wait["pending"]
    seen = {(waited["status"], bool(wait["completed"])),
            (status["status"], status["result"] is not None),
            (shown["status"], shown["result"] is not None)}
    equal(len(seen), 1)
    equal(line["status"], status["status"])
    return seen.pop()


def result(w, id):
    return w.call("get_agent_status", agentId=id)["result"]


def hard_to_end(p, w, count=1):
    """Agents that do not hear TERM, so that their trees stay for a while."""
    group = new_group(w)
    ids = start_agents(w, *["ignore-term"] * count, group=group)
    p.until_running(w, *ids)
    until(lambda: all(a.get("lastAssistantMessage") for a in
                      w.call("snapshot")["agents"] if a["agentId"] in ids),
          "their words, as the hub has read them")
    return group, ids


def killed(p):
    """Kills the hub, and starts the next."""
    p.hubs[-1].kill()
    p.hubs[-1].wait()
    until(p.is_deserted, "a socket that nobody has any more")
    p.hub()


@tap.test
def a_cancellation_is_final_when_it_is_answered():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group, (one, two) = hard_to_end(p, w, 2)
            equal(w.call("cancel_agent", agentIds=[one], reason="not needed"),
                  {"cancelled": [one], "notRunning": []})
            equal(told(w, one), ("cancelled", True))
            equal(told(w, two), ("running", False))
            seen = result(w, one)
            equal((seen["status"], seen["summary"], seen["errorMessage"],
                   seen["final"]),
                  ("cancelled", "I do not hear SIGTERM.",
                   "cancelled: not needed", False))
            equal(w.refused("delete_group", {"groupId": group}),
                  "GROUP_HAS_RUNNING_AGENTS")
            w.call("cancel_agent", agentIds=[two])
            equal(w.call("delete_group", groupId=group)["deleted"], True)
            until(lambda: result(w, one)["final"], "its end")
            equal({**result(w, one), "final": False}, seen)


@tap.test
def a_time_out_is_final_at_once():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            id, = start_agents(w, "ignore-term", group=group, timeout_ms=1000)
            w.call("wait_agent", agentIds=[id])
            equal(told(w, id), ("timedOut", True))
            equal(w.call("delete_group", groupId=group)["deleted"], True)
            seen = result(w, id)
            equal((seen["status"], seen["errorMessage"]),
                  ("timeout", "timed out"))
            until(lambda: result(w, id)["final"], "its end")
            equal({**result(w, id), "final": seen["final"]}, seen)


@tap.test
def the_next_hub_says_the_same():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group, (id,) = hard_to_end(p, w)
            w.call("cancel_agent", agentIds=[id], reason="not needed")
            seen = result(w, id)
        killed(p)
        with p.session() as w:
            equal(told(w, id), ("cancelled", True))
            equal({**result(w, id), "final": False}, seen)
            equal(w.call("delete_group", groupId=group)["deleted"], True)
            until(lambda: result(w, id)["final"], "its end")
            equal({**result(w, id), "final": False}, seen)
            until(lambda: not p.tree(id), "an empty tree")
            shown = w.call("show_agent", agentId=id)
            equal(shown["elapsed_ms"], seen["duration_ms"])
            assert shown["startedAt"], shown


@tap.test
def a_cancelled_agents_place_is_free_to_ask_for():
    with patient_home(agent={"maxConcurrent": 1}) as p:
        p.hub()
        with p.session() as w:
            _, (id,) = hard_to_end(p, w)
            equal(w.refused("run_agents", {"groupId": new_group(w), "agents": [
                {"role": "impl-code", "prompt": "puppet: reply"}]}),
                  "MAX_CONCURRENT_REACHED")
            w.call("cancel_agent", agentIds=[id])
        killed(p)
        with p.session() as w:
            # Its tree may still be there: then the next waits for its place.
            next_id, = start_agents(w, "reply")
            w.call("wait_agent", agentIds=[next_id])
            equal(told(w, next_id), ("completed", True))


if __name__ == "__main__":
    tap.run()

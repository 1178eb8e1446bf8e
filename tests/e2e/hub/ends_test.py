# SPDX-License-Identifier: MIT
"""Ends as clients are told of them: every tool says the same of an agent at
the same moment, also in the next hub."""

from harness import tap
from harness.hub import patient_home
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until

# One that the puppet offers, and that no role has by itself.
MODEL = "composer-1.5"


def told(w, id):
    """What all tools say of it: (its status, its outcome if it is done)."""
    wait = w.call("wait_agent", agentIds=[id], timeout_ms=0)
    status = w.call("get_agent_status", agentId=id)
    lines = [a for name in ("list_agents", "snapshot")
             for a in w.call(name)["agents"] if a["agentId"] == id]
    shown = w.call("show_agent", agentId=id)
    equal((len(wait["completed"]), len(wait["pending"])),
          (1, 0) if status["result"] else (0, 1))
    seen = {(one["status"], one.get("outcome")) for one in
            (*wait["completed"], *wait["pending"], *lines, status, shown)}
    equal((len(seen), len(lines)), (1, 2))
    equal("outcome" in status, status["result"] is not None)
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


@tap.test
def a_cancellation_is_final_when_it_is_answered():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group, (one, two) = hard_to_end(p, w, 2)
            equal(w.call("cancel_agent", agentIds=[one], reason="not needed"),
                  {"cancelled": [one], "notRunning": []})
            equal(told(w, one), ("cancelled", "failure"))
            equal(told(w, two), ("running", None))
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
            equal(told(w, id), ("timedOut", "failure"))
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
        p.replace_hub(id)
        with p.session() as w:
            equal(told(w, id), ("cancelled", "failure"))
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
        p.replace_hub(id)
        with p.session() as w:
            # Its tree may still be there: then the next waits for its place.
            next_id, = start_agents(w, "reply")
            w.call("wait_agent", agentIds=[next_id])
            equal(told(w, next_id), ("completed", "success"))


def last_of(w, type, id):
    """What the last event of that type says of it."""
    events = w.call("events", agentId=id)["events"]
    return [e for e in events if e["type"] == type][-1]["data"]


@tap.test
def a_reported_failure_never_looks_like_success():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            good, bad = start_agents(w, "report", "report status=failure")
            wait_for(w, good, bad)
            until(lambda: all(result(w, id)["final"] for id in (good, bad)),
                  "their ends")
            for id, outcome in ((good, "success"), (bad, "failure")):
                equal(told(w, id), ("resultReported", outcome))
                for type in ("agent:status_update", "agent:result_reported",
                             "agent:completed"):
                    equal((type, last_of(w, type, id)["outcome"]),
                          (type, outcome))
                one, = [a for a in w.call("history")["agents"]
                        if a["agentId"] == id]
                equal(one["outcome"], outcome)
                equal(w.call("record", agentId=id)["agents"][0]["outcome"],
                      outcome)
            listed = {status: [a["agentId"] for a in w.call(
                "list_agents", status=status)["agents"]]
                for status in ("completed", "failed")}
            equal(listed, {"completed": [good], "failed": [bad]})


@tap.test
def a_wait_tells_the_beginning_of_the_summary():
    """In characters, and also of agents that only the store knows any more."""
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            id, = start_agents(w, "hang", group=group)
            p.until_running(w, id)
            w.call("report_result", agentId=id, status="success",
                   summary="長い" * 400, response="R")

            def waited():
                one, = w.call("wait_agent", agentIds=[id])["completed"]
                return one
            first = waited()
            equal({**first, "duration_ms": 0},
                  {"agentId": id, "status": "resultReported",
                   "outcome": "success", "duration_ms": 0,
                   "summary": "長い" * 250})
            w.call("delete_group", groupId=group)
            until(lambda: not p.tree(id), "an empty tree")
            other = new_group(w)
            wait_for(w, *start_agents(w, *["reply"] * 25, group=other))
            w.call("delete_group", groupId=other)
            until(lambda: id not in [a["agentId"] for a in
                                     w.call("list_agents")["agents"]],
                  "a registry that has forgotten it")
            equal(waited(), first)


@tap.test
def the_next_hub_shows_a_past_agent_as_it_was():
    """Counts, times and the model it had, whatever its role has become."""
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            done, hung = start_agents(w, "default ms=1 delay=1", "hang")
            wait_for(w, done)
            p.until_running(w, hung)
            until(lambda: result(w, done)["final"], "its end")
            was = w.call("show_agent", agentId=done)
            assert was["messages"] > 0 and was["lines"] > 0, was
            assert was["startedAt"] >= was["createdAt"], was
            assert was["model"] != MODEL
            w.call("update_role", roleId="impl-code", model=MODEL)
        p.replace_hub(hung)
        with p.session() as w:
            now = w.call("show_agent", agentId=done)
            # What is read off the stream alone is not kept.
            lost = {"bytes", "tool", "pid", "unknownLines", "skippedLines"}
            equal({k: v for k, v in now.items() if k not in lost},
                  {k: v for k, v in was.items() if k not in lost})
            equal(w.call("get_agent_status", agentId=hung)["model"],
                  was["model"])
            new, = start_agents(w, "reply")
            equal(w.call("get_agent_status", agentId=new)["model"], MODEL)


@tap.test
def work_in_the_background_belongs_to_the_agent():
    """Its first result is not its last word, however short the grace."""
    with patient_home(agent={"backend": "claude", "exitGrace_ms": 50}) as p:
        p.as_claude()
        p.hub()
        with p.session() as w:
            id, = start_agents(w, "background ms=1000")
            wait_for(w, id)
            equal(told(w, id), ("completed", "success"))
            seen = result(w, id)
            equal(seen["response"], "The background task has finished, and "
                                    "this is the answer.")
            assert seen["duration_ms"] >= 1000, seen


@tap.test
def a_failing_cli_is_told_in_its_own_words():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            id, = start_agents(w, "usage-limit")
            wait_for(w, id)
            one, = w.call("wait_agent", agentIds=[id])["completed"]
            equal((one["outcome"], one["summary"]),
                  ("failure", "You have hit your usage limit."))
            equal(result(w, id)["errorMessage"],
                  "You have hit your usage limit.")


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Two agents at work on the same file are named, once per pair and file."""

import json

from harness import tap
from harness.hub import patient_home
from harness.tools import new_group
from harness.until import equal, until


def editing(p, name, *paths):
    """The prompt of an agent that edits these files and stays."""
    steps = [{"edit": {"path": path, "old": "a", "content": "b",
                       "created": False}} for path in paths]
    path = p.project / f"{name}.yaml"
    path.write_text(json.dumps([*steps, {"say": "Edited."}, "hang"]))
    return f"puppet-file: {path}"


def start(p, w, group, *prompts):
    return [agent["agentId"] for agent in w.call(
        "run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": prompt,
             "workingDirectory": str(p.project)} for prompt in prompts])
        ["agents"]]


def told(w):
    """The conflicts of the feed: (path, its two agents or more)."""
    return [(event["data"]["path"],
             {event["data"]["agentId"], *event["data"]["with"]})
            for event in w.call("events", limit=1000)["events"]
            if event["type"] == "agent:conflict"]


def seen_by_screens(w, id):
    """What the whole picture says of an agent's conflicts."""
    return [a.get("conflicts") for a in w.call("snapshot")["agents"]
            if a["agentId"] == id][0]


def files_of(w, *ids):
    """Until the hub has read all that they do before they hang."""
    until(lambda: all(a.get("lastAssistantMessage") == "Edited." for a in
                      w.call("snapshot")["agents"] if a["agentId"] in ids),
          "all their edits")


@tap.test
def two_in_one_file_are_named_everywhere():
    with patient_home() as p:
        p.hub()
        shared = str(p.project / "src/shared.c")
        with p.session() as w:
            group = new_group(w)
            # The same file by another name, and one of each alone.
            one, two, three = start(
                p, w, group, editing(p, "one", "src/shared.c", "src/one.c"),
                editing(p, "two", f"{p.project}/./src/../src/shared.c",
                        "src/two.c"), editing(p, "three", "src/three.c"))
            files_of(w, one, two, three)
            equal(told(w), [(shared, {one, two})])
            for id, other in ((one, two), (two, one)):
                equal(w.call("get_agent_status", agentId=id)["conflicts"],
                      [{"path": shared, "agentId": other}])
                equal(seen_by_screens(w, id),
                      [{"path": shared, "agentId": other}])
            assert "conflicts" not in w.call("get_agent_status",
                                             agentId=three)
            for ids in ([one], [two], [one, two, three]):
                seen = w.call("wait_agent", agentIds=ids, timeout_ms=0)
                conflict, = seen["conflicts"]
                equal((conflict["path"], set(conflict["agentIds"])),
                      (shared, {one, two}))
            assert "conflicts" not in w.call(
                "wait_agent", agentIds=[three], timeout_ms=0)
            p.until_logged("agent.conflict", what=shared)
            replay = p.run("replay", "--speed", "100", group).out
            assert f"edits the same file  {shared}  impl-code-" in replay


@tap.test
def who_waits_is_told_of_those_that_come():
    with patient_home() as p:
        p.hub()
        with p.session() as w, p.session() as other:
            group = new_group(w)
            one, = start(p, w, group, editing(p, "one", "src/a.c"))
            files_of(w, one)
            wait = other.order("wait_agent", {"agentIds": [one],
                                              "timeout_ms": 600000})
            two, = start(p, w, group, editing(p, "two", "src/a.c"))
            files_of(w, two)
            w.call("cancel_agent", agentIds=[one])
            is_error, seen = other.answer(wait)
            conflict, = seen["conflicts"]
            equal((is_error, set(conflict["agentIds"])), (False, {one, two}))


@tap.test
def one_that_is_done_is_in_nobodys_way():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            one, = start(p, w, group, editing(p, "one", "src/a.c"))
            files_of(w, one)
            w.call("cancel_agent", agentIds=[one])
            two, = start(p, w, group, editing(p, "two", "src/a.c"))
            files_of(w, two)
            equal(told(w), [])
            equal(seen_by_screens(w, two), None)


@tap.test
def the_next_hub_does_not_tell_it_again():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            one, two = start(p, w, group, editing(p, "one", "src/a.c"),
                             editing(p, "two", "src/a.c"))
            files_of(w, one, two)
            before = told(w)
            equal(len(before), 1)
        p.replace_hub(one, two)
        with p.session() as w:
            files_of(w, one, two)
            equal(told(w), before)
            # It knows what they have touched: another is told of both.
            three, = start(p, w, group, editing(p, "three", "src/a.c"))
            files_of(w, three)
            equal(told(w)[1:], [(before[0][0], {one, two, three})])


@tap.test
def many_files_are_bounded():
    with patient_home() as p:
        p.hub()
        with p.session() as w:
            group = new_group(w)
            paths = [f"src/{i}.c" for i in range(150)]
            ids = start(p, w, group, editing(p, "one", *paths),
                        editing(p, "two", *paths))
            files_of(w, *ids)
            equal(len(told(w)), 100)
            for answer in (w.call("get_agent_status", agentId=ids[0]),
                           w.call("wait_agent", agentIds=ids, timeout_ms=0)):
                size = len(json.dumps(answer["conflicts"]))
                assert 4096 < size < 12288, size


if __name__ == "__main__":
    tap.run()

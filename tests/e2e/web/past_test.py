#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Past moments: what is told of them is what was told then. Real hub,
puppets; the picture of every event is kept as it was live."""

import json
import re
import time
from datetime import datetime

from harness import tap, websocket as ws
from harness.hub import HubHome
from harness.http import request
from harness.until import DEADLINE, equal

WORKER = """
- repeat: {times: 3, steps: [say: {text: 'at work', chunks: 1},
                              tool: {name: grep, args: {pattern: x},
                                     output: y, ms: 0}, sleep: 40]}
- say: {text: 'that was all', chunks: 1}
- result: {text: 'that was all'}
"""
# What moves between two events: then it is that of the newest sample.
PROGRESS = {"toolCallCount", "lastAssistantMessage", "tool", "usage",
            "editedFileCount", "createdFileCount", "elapsed_ms"}


class Hub:
    def __init__(self, home):
        self.home = home
        self.talk = home.standalone().talk
        self.talk.hello()
        with home.session() as wire:
            self.port = int(re.search(r":(\d+)/$", home.url(wire))[1])
        home.settle(self.talk)

    def get(self, path):
        status, _, body = request(self.port, "GET", "/api/" + path)
        return status, json.loads(body)

    def ask(self, path):
        status, body = self.get(path)
        equal((path, status), (path, 200))
        return body


def fixed(one, is_over):
    return {k: v for k, v in one.items()
            if k != "elapsed_ms" and (is_over or k not in PROGRESS)}


def whole(picture):
    """What a picture says but for what passes between events."""
    return {
        "seq": picture["seq"], "totalAgents": picture["totalAgents"],
        "groups": [fixed(g, g["completed"]) for g in picture["groups"]],
        "agents": [fixed(a, a["gone"]) for a in picture["agents"]],
        "roles": picture["roles"], "healthcheck": picture["healthcheck"],
        "config": picture["config"], "language": picture["language"],
        "startedAt": picture["startedAt"]}


def watch(hub):
    """Lets two groups work: their ids, and pictures by their numbers, drawn
    at each event as it comes."""
    seen, end = {}, time.monotonic() + DEADLINE
    with ws.WebSocket(hub.port, "/ws") as s:
        groups = run_all(hub)
        while not completed(hub, groups):
            assert time.monotonic() < end, "it does not come to its end"
            if "seq" in s.event():
                picture = hub.ask("snapshot")
                seen[picture["seq"]] = picture
    return groups, seen


def run_all(hub):
    talk, home = hub.talk, hub.home
    path = home.top / "worker.yaml"
    path.write_text(WORKER, encoding="utf-8")
    prompt = f"puppet-file: {path}"
    one = talk.call("create_group", description="one")["groupId"]
    two = talk.call("create_group", description="two",
                    mode="sequential")["groupId"]
    talk.call("run_agents", groupId=one, agents=[
        {"role": "impl-code", "prompt": prompt},
        {"role": "research", "prompt": "puppet: fail"}])
    talk.call("run_sequential", groupId=two, stages=[
        {"tasks": [{"role": "impl-code", "prompt": prompt}]},
        {"tasks": [{"role": "code-review",
                    "prompt": "puppet: trickle lines=10 every=30"}]}])
    return one, two


def completed(hub, groups):
    seen = {g["groupId"]: g["completed"]
            for g in hub.ask("snapshot")["groups"]}
    return all(seen[g] for g in groups)


@tap.test
def every_moment_is_what_it_was():
    with HubHome({"dashboard": {"port": 0}, "language": "en"}) as home:
        hub = Hub(home)
        groups, seen = watch(hub)
        # A slow look is of several events at once.
        while len(seen) < 5:
            seen |= watch(hub)[1]
        hub.talk.call("delete_group", groupId=groups[0])
        last = hub.ask("snapshot")
        seen[last["seq"]] = last
        for seq, live in seen.items():
            past = hub.ask(f"snapshot?at={seq}")
            equal(whole(past), whole(live))
            by_time = hub.ask(f"snapshot?at={past['at']}")
            assert by_time["seq"] >= seq, (by_time["seq"], seq)
        equal(past["begins"], hub.ask("events?limit=1")["begins"])
        assert "places" not in past, past["places"]


@tap.test
def what_is_told_of_an_agent_that_has_ended():
    with HubHome({"dashboard": {"port": 0}, "language": "en"}) as home:
        hub = Hub(home)
        watch(hub)
        picture = hub.ask("snapshot")
        good, bad = (next(a for a in picture["agents"] if a["role"] == role)
                     for role in ("impl-code", "research"))
        equal((good["lastAssistantMessage"], good["outcome"], good["stalled"],
               good["gone"], good["backend"]),
              ("that was all", "success", False, True, "cursor"))
        assert good["createdAt"] <= good["startedAt"] <= good["finishedAt"]
        assert good["about"].startswith("puppet-file:"), good["about"]
        equal((bad["outcome"], bool(bad["errorMessage"])), ("failure", True))
        assert {"summary", "usage", "editedFileCount"} <= good.keys(), good
        one, two = picture["groups"]
        equal(([s["stageIndex"] for s in two["stages"]],
               [len(s["agentIds"]) for s in two["stages"]]), ([0, 1], [1, 1]))
        equal(sum(two["stages"][i]["agentIds"] == [two["agentIds"][i]]
                  for i in (0, 1)), 2)
        assert one["finishedAt"] >= bad["finishedAt"], one
        equal({a["stageIndex"] for a in picture["agents"]
               if a["groupId"] == two["groupId"]}, {0, 1})


@tap.test
def events_are_had_by_number_time_and_kind():
    with HubHome({"dashboard": {"port": 0}, "language": "en"}) as home:
        hub = Hub(home)
        watch(hub)
        every = hub.ask("events?limit=5000")["events"]
        last = every[-1]["seq"]
        page = hub.ask(f"events?before={last}&limit=3")
        equal([e["seq"] for e in page["events"]], [last - 3, last - 2, last - 1])
        equal(page["previous"], last - 3)
        assert "previous" not in hub.ask(f"events?before={last}&limit=5000")
        kinds = hub.ask("events?type=agent:created,group:created")["events"]
        equal({e["type"] for e in kinds}, {"agent:created", "group:created"})
        equal(len(kinds), 6)
        middle = every[len(every) // 2]["at"]
        equal([e["seq"] for e in hub.ask(f"events?from={middle}")["events"]],
              [e["seq"] for e in every if e["at"] >= middle])
        equal([e["seq"] for e in hub.ask(f"events?until={middle}")["events"]],
              [e["seq"] for e in every if e["at"] <= middle])
        ms = round(datetime.fromisoformat(middle).timestamp() * 1000)
        for bound in ("from", "until"):
            equal(hub.ask(f"events?{bound}={ms}"),
                  hub.ask(f"events?{bound}={middle}"))


@tap.test
def a_moment_that_is_not_there_is_refused():
    with HubHome({"dashboard": {"port": 0}, "language": "en"}) as home:
        hub = Hub(home)
        last = hub.ask("snapshot")["seq"]
        for at, words in ((last + 100, f"the newest is {last}"),
                          ("0", "the first that there is"),
                          ("2001-10-01T00:00:00Z", "the first that there is"),
                          ("yesterday", "expected the number")):
            status, body = hub.get(f"snapshot?at={at}")
            equal((at, status, body["code"]), (at, 400, "VALIDATION_ERROR"))
            assert words in body["message"], body["message"]


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The feed as a browser sees it. Real hub, puppets."""

import contextlib
import json
import re
import time

from harness import tap, websocket as ws
from harness.http import request
from harness.hub import HubHome
from harness.tools import new_group
from harness.until import DEADLINE, equal, until

# Says the same again and again, until it is cancelled.
TALKER = """
- repeat: {times: 1000000, steps: [say: {text: 'word by word', chunks: 3},
                                   sleep: 5]}
"""
# As much as it can.
FLOODER = """
params: {text: x}
steps:
- repeat: {times: 1000000, steps: [say: {text: '${text}', chunks: 200,
                                           delay: 0}]}
"""


class Hub:
    """A hub with its talk and its port."""

    def __init__(self, home):
        self.home = home
        self.talk = home.standalone().talk
        self.talk.hello()
        with home.session() as wire:
            self.port = int(re.search(r":(\d+)/$", home.url(wire))[1])
        home.settle(self.talk)
        self.started = 0

    def open(self, query="", **how):
        return ws.WebSocket(self.port, "/ws" + query, **how)

    def metric(self, name):
        text = request(self.port, "GET", "/metrics")[2].decode()
        return float(re.search(rf"^\w*{name} (\S+)$", text, re.M)[1])

    def group(self, description="g"):
        return new_group(self.talk, description=description)

    def run(self, scenario, group=None):
        """An agent that plays it: its group, and its id."""
        # A file for each: the one before may not have been read yet.
        self.started += 1
        path = self.home.top / f"scenario-{self.started}.yaml"
        path.write_text(scenario, encoding="utf-8")
        group = group or self.group()
        agents = self.talk.call("run_agents", groupId=group, agents=[{
            "role": "impl-code", "prompt": f"puppet-file: {path}"}])
        return group, agents["agents"][0]["agentId"]


@contextlib.contextmanager
def hub(**settings):
    with HubHome({"dashboard": {"port": 0}, "language": "en",
                  **settings}) as home:
        yield Hub(home)


def read_until(s, look_at, what="an event"):
    """Reads until one is so; numbered events may not leave a gap."""
    end = time.monotonic() + DEADLINE
    while True:
        assert time.monotonic() < end, f"waited in vain: {what}"
        event = s.event()
        if "seq" in event:
            before = getattr(s, "seq", None)
            assert before is None or event["seq"] == before + 1, (
                f"{event['seq']} after {before}, before {what}")
            s.seq = event["seq"]
        s.__dict__.setdefault("seen", []).append(event)
        if look_at(event):
            return event


def ended(s, agent):
    """Reads until its end, unless that was among what has been read."""
    is_end = of_type("agent:completed", agentId=agent)
    return next(filter(is_end, s.seen), None) or read_until(s, is_end)


def of_type(kind, **data):
    return lambda e: e["type"] == kind and data.items() <= (
        e.get("data") or {}).items()


def said_kind(event):
    return event.get("data", {}).get("event", {}).get("kind")


def is_text(event):
    return said_kind(event) == "text"


def is_progress(event):
    return event["type"] == "agent:status_update" and "seq" not in event


def start(s):
    event = read_until(s, lambda e: True)
    equal(event["type"], "server:startup")
    return event


def ask(s, kind, data=None, id=7):
    message = {"type": kind, "id": id}
    if data is not None:
        message["data"] = data
    s.say(message)
    return read_until(s, lambda e: "success" in e)


# ---- pictures and what follows them ----------------------------------------

@tap.test
def an_agent_narrows_what_is_told():
    with hub() as h:
        group, one = h.run(TALKER)
        with h.open(f"?agentId={one}") as s, h.open() as all:
            start(s), start(all)
            other = h.run(TALKER, group)[1]
            read_until(all, lambda e: is_progress(e) and
                       e["data"]["agentId"] == other, "the other's progress")
            assert read_until(all, is_progress)["follows"] == all.seq
            h.talk.call("cancel_agent", agentIds=[other])
            read_until(all, of_type("agent:completed", agentId=other))
            h.talk.call("cancel_agent", agentIds=[one])
            seen = []
            while not seen or seen[-1]["type"] != "agent:completed":
                seen.append(s.event())
            equal({e["data"]["agentId"] for e in seen
                   if "agentId" in (e.get("data") or {})}, {one})


@tap.test
def parameters_that_there_are_not_are_refused():
    with hub() as h:
        for query, words in (("?agents=x", "unknown parameter: agents"),
                             ("?since=1&later=2", "unknown parameter: later"),
                             ("?text=yes", "text: expected 1 or 0"),
                             ("?groupId=" + 100 * "g", "groupId: that is no")):
            status, _, body = request(h.port, "GET", "/ws" + query, headers={
                "Connection": "Upgrade", "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA=="})
            equal((query, status), (query, 400))
            assert words in body.decode(), body


@tap.test
def the_picture_comes_first_and_then_what_happens():
    with hub() as h:
        old = h.group("old")
        with h.open() as s:
            picture = start(s)["data"]
            equal(picture["seq"], s.seq)
            for name in ("startedAt", "version", "url", "roles", "agents",
                         "places", "availableModels"):
                assert name in picture, picture.keys()
            assert old in [g.get("groupId", g.get("id"))
                           for g in picture["groups"]], picture["groups"]
            new = h.group("new")
            event = read_until(s, of_type("group:created"))
            equal(event["data"]["groupId"], new)
            assert list(event)[:2] == ["type", "seq"], event
            _, agent = h.run("- say: hello\n- result\n", new)
            read_until(s, of_type("agent:created", agentId=agent))
            read_until(s, of_type("agent:completed", agentId=agent))
            equal(s.close(), 1000)
        equal(h.metric("feed_watchers"), 0)


@tap.test
def one_who_comes_back_gets_what_he_missed():
    with hub() as h:
        with h.open() as first:
            start(first)
        for watcher in (False, True):  # from the store, from the recent
            with contextlib.ExitStack() as stack:
                if watcher:
                    start(stack.enter_context(h.open()))
                before = first.seq
                made = [h.group(str(i)) for i in range(5)]
                with h.open(f"?since={before}") as s:
                    s.seq = before
                    for one in made:
                        event = read_until(s, lambda e: True)
                        equal((event["type"], event["data"]["groupId"]),
                              ("group:created", one))
                        assert list(event)[:3] == ["type", "seq", "at"]
                    last = h.group("last")
                    equal(read_until(s, lambda e: True)["data"]["groupId"], last)
                    first.seq = s.seq


@tap.test
def pages_of_the_past_follow_one_another():
    with hub() as h:
        with h.open() as s:
            before = start(s)["seq"]
        ids = [h.talk.order("create_group", {"mode": "concurrent",
                                             "description": "x" * 3000})
               for _ in range(900)]
        for id in ids:
            h.talk.result(id)
        with h.open(f"?since={before}", buffer=4096) as s:
            s.seq = before
            for _ in range(900):
                equal(read_until(s, lambda e: True)["type"], "group:created")
            last = h.group()
            read_until(s, of_type("group:created", groupId=last))
        equal(h.metric("feed_kicked_total"), 0)


@tap.test
def a_number_nobody_had_means_the_whole_picture():
    with hub() as h:
        h.group()
        for since in ("999999", "123456789012345678"):
            with h.open(f"?since={since}") as s:
                start(s)
                h.group()
                read_until(s, of_type("group:created"))
        for since in ("", "-1", "x", "1x", "9" * 19):
            try:
                h.open(f"?since={since}")
                assert False, since
            except ws.Refused as refused:
                equal(refused.status, 400)


@tap.test
def events_while_nobody_watches_leave_no_gap():
    with hub() as h:
        seq = None
        for i in range(30):
            with h.open(f"?since={seq}" if seq else "") as s:
                if seq:
                    s.seq = seq
                made = h.group(str(i))
                read_until(s, lambda e: made in json.dumps(e))
                seq = s.seq
            if i % 3 == 0:
                h.group("unseen")


# ---- interest --------------------------------------------------------------

@tap.test
def a_group_of_interest_is_all_that_comes():
    with hub() as h:
        mine, other = h.group("mine"), h.group("other")
        with h.open(f"?group={mine}") as s, h.open() as all_of_it:
            s.event()
            start(all_of_it)
            equal(ask(all_of_it, "feed:interest", {"groupId": mine}),
                  {"type": "feed:interest", "id": 7, "success": True,
                   "data": {"groupId": mine, "agentId": None,
                            "text": False}})
            _, agent = h.run("- result\n", other)
            h.talk.call("wait_agent", agentIds=[agent])
            _, own = h.run("- result\n", mine)
            for each in (s, all_of_it):
                while True:
                    event = each.event()
                    assert agent not in json.dumps(event), event
                    if event["type"] == "agent:completed":
                        break
                equal(event["data"]["agentId"], own)


@tap.test
def a_replay_of_a_group_has_nothing_of_another():
    with hub() as h:
        with h.open() as s:
            before = start(s)["seq"]
        mine, other = h.group("mine"), h.group("other")
        _, agent = h.run("- result\n", other)
        _, own = h.run("- result\n", mine)
        h.talk.call("wait_agent", agentIds=[agent, own])
        with h.open(f"?since={before}&group={mine}") as s:
            while True:
                event = s.event()
                said = json.dumps(event)
                assert agent not in said and other not in said, event
                if event["type"] == "agent:completed":
                    break
            equal(event["data"]["agentId"], own)


@tap.test
def what_an_agent_says_is_heard_by_those_who_listen():
    with hub() as h:
        _, agent = h.run(TALKER)
        with h.open(f"?agent={agent}&text=1") as s, h.open() as quiet:
            start(quiet)
            start(s)
            said = [read_until(s, is_text)["data"]["event"] for _ in range(12)]
            text = "".join(event.get("text", "") for event in said)
            assert "word" in text, text
            # By a message, and taken back by another.
            equal(ask(quiet, "feed:interest",
                      {"agentId": agent, "text": True})["success"], True)
            read_until(quiet, is_text)
            equal(ask(quiet, "feed:interest", {})["data"],
                  {"groupId": None, "agentId": None, "text": False})
            equal(ask(s, "agent:cancel", {"agentId": agent})["success"],
                  True)
            ended(s, agent)
            while (event := quiet.event())["type"] != "agent:completed":
                assert not is_text(event), event


@tap.test
def progress_is_told_without_a_number():
    with hub() as h:
        with h.open() as s:
            start(s)
            _, agent = h.run(TALKER)
            event = read_until(s, is_progress)
            equal(event["data"]["agentId"], agent)


# ---- slow readers ----------------------------------------------------------

@tap.test
def a_slow_listener_misses_text_and_nothing_else():
    with hub() as h:
        _, agent = h.run(FLOODER.replace("text: x", f"text: {'y' * 20000}"))
        with h.open(f"?agent={agent}&text=1", buffer=4096) as s:
            start(s)
            read_until(s, is_text)
            until(lambda: h.metric("feed_dropped_total") > 500,
                  "text that is not read")
            h.group("while it slept")  # a gap would show in its number
            missed = read_until(s, lambda e: said_kind(e) == "missed")
            assert missed["data"]["event"]["count"] > 0, missed
            # Of its progress meanwhile, the newest is made up for.
            read_until(s, lambda e: is_progress(e) and "event" not in e["data"])
            h.talk.call("cancel_agent", agentIds=[agent])
            end = ended(s, agent)
            equal(end["data"]["status"], "cancelled")
        equal(h.metric("feed_kicked_total"), 0)


@tap.test
def one_who_never_reads_is_shown_out():
    with hub() as h, h.open(buffer=4096) as frozen, h.open() as s:
        start(s)
        for _ in range(40):
            ids = [h.talk.order("create_group", {
                "mode": "concurrent", "description": "z" * 8000})
                for _ in range(50)]
            for id in ids:
                h.talk.result(id)
                read_until(s, of_type("group:created"))
            if h.metric("feed_kicked_total") > 0:
                break
        equal(h.metric("feed_kicked_total"), 1)
        until(lambda: h.metric("feed_watchers") == 1, "that it is gone")
        assert frozen.closed() in (None, 1013)


# ---- commands --------------------------------------------------------------

@tap.test
def commands_are_obeyed_and_answered():
    with hub() as h, h.open() as s:
        start(s)
        group, agent = h.run(TALKER)
        _, other = h.run(TALKER, group)
        refused = ask(s, "group:delete", {"groupId": group}, id="del")
        equal((refused["id"], refused["success"], refused["error"]["code"]),
              ("del", False, "GROUP_HAS_RUNNING_AGENTS"))
        done = ask(s, "agent:cancel", {"agentIds": [agent]}, id={"a": [1]})
        equal((done["type"], done["id"], done["success"]),
              ("agent:cancel", {"a": [1]}, True))
        equal(ask(s, "group:cancel", {"groupId": group})["success"], True)
        ended(s, agent)
        ended(s, other)
        s.say({"type": "group:delete", "data": {"groupId": group}})
        answer = read_until(s, lambda e: "success" in e)
        assert answer["success"] and "id" not in answer, answer
        role = ask(s, "config:update_role",
                   {"id": "impl-code", "name": "Renamed"})
        equal(role["success"], True)
        assert ask(s, "config:revalidate_model",
                   {"roleId": "impl-code"})["success"]


@tap.test
def what_is_wrong_is_named_and_the_line_stays():
    cases = [("no json", "error", "JSON"), ("[1]", "error", "JSON"),
             ({"id": 1}, "error", "'type'"),
             ({"type": 5}, "error", "'type'"),
             ({"type": "agent:dance"}, "agent:dance", "'type'"),
             ({"type": "agent:cancel", "data": []}, "agent:cancel", "'data'"),
             ({"type": "agent:cancel"}, "agent:cancel", "'agentIds'"),
             ({"type": "agent:cancel", "data": {"agentId": 5}},
              "agent:cancel", "agentIds"),
             ({"type": "agent:cancel", "data": {"agentId": "no"}},
              "agent:cancel", "no"),
             ({"type": "group:cancel", "data": {}}, "group:cancel",
              "'groupId'"),
             ({"type": "group:delete", "data": {"groupId": "x", "y": 1}},
              "group:delete", "y"),
             ({"type": "config:update_role", "data": {"name": "x"}},
              "config:update_role", "'roleId'"),
             ({"type": "config:update_role", "data": {"id": "nobody", "name": "x"}},
              "config:update_role", "nobody"),
             ({"type": "feed:interest", "data": {"text": True}},
              "feed:interest", "'agentId'"),
             ({"type": "feed:interest", "data": {"groupId": 5}},
              "feed:interest", "'groupId'"),
             ({"type": "feed:interest", "data": {"agentId": "x" * 200}},
              "feed:interest", "'agentId'"),
             ({"type": "feed:interest", "data": {"text": "yes"}},
              "feed:interest", "'text'")]
    with hub() as h, h.open() as s:
        start(s)
        for said, kind, word in cases:
            s.say(said)
            answer = read_until(s, lambda e: "success" in e)
            equal((answer["type"], answer["success"]), (kind, False))
            assert word in answer["error"]["message"], (said, answer)
            assert answer["error"]["code"], answer
        assert ask(s, "feed:interest", {})["success"]


@tap.test
def many_commands_at_once_are_all_answered():
    with hub() as h, h.open() as s:
        start(s)
        for i in range(300):
            s.say({"type": "group:cancel", "id": i,
                   "data": {"groupId": "nobody"}})
        seen = [read_until(s, lambda e: "success" in e) for _ in range(300)]
        equal(sorted(e["id"] for e in seen), list(range(300)))
        assert not any(e["success"] for e in seen)


# ---- the end ---------------------------------------------------------------

@tap.test
def a_hub_that_leaves_says_so():
    with hub() as h:
        _, agent = h.run(TALKER)
        crowd = [h.open(), h.open(f"?agent={agent}&text=1"), h.open("?since=1")]
        silent = h.open()
        start(crowd[0])
        h.talk.hang_up()
        for s in crowd:
            equal(s.closed(), 1001)
            s.sock.close()
        silent.sock.close()


@tap.test
def crowds_come_and_go():
    with hub() as h:
        _, agent = h.run(TALKER)
        for i in range(15):
            crowd = [h.open(f"?agent={agent}&text=1" if j % 2 else "")
                     for j in range(10)]
            for j, s in enumerate(crowd):
                if (i + j) % 3:
                    start(s)
                if j % 4 == 0:
                    s.drop()
                elif j % 4 == 1:
                    s.close()
                else:
                    s.sock.close()
        until(lambda: h.metric("feed_watchers") == 0, "that all have left")


if __name__ == "__main__":
    tap.run()

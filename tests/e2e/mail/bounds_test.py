#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Mail at its bounds: the longest that goes and the first that does not, a
clock that is set back, and agents that say they are somebody else, whichever
way they come."""

import contextlib
import json
import os
import pathlib
import sys

from harness import inner, tap
from harness.http import Connection, Message
from harness.hub import HubHome, patient_home
from harness.processes import environments
from harness.programs import built
from harness.tools import start_agents
from harness.until import contains, equal

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "faults"))
from weather import Clock  # noqa: E402

HOUR = 3_600_000
KEY = b"KUROMAJUTSU_AGENT_KEY="


@contextlib.contextmanager
def served():
    with patient_home() as home:
        talk = home.relay().talk
        talk.hello()
        talk.learn()
        yield talk


def send(talk, sender, content, receiver=None, **more):
    to = {} if receiver is None else {"receiver_id": receiver}
    return talk.call("agent_send_message", sender_id=sender, content=content,
                     **to, **more)


def received(talk, agent, **more):
    answer = talk.call("agent_receive_messages", agent_id=agent, **more)
    return [m["content"] for m in answer["messages"]]


def error(talk, tool, **args):
    body = json.loads(talk.refused(tool, **args)["content"][0]["text"])
    return body["error_type"], body["message"]


# ---- sizes ------------------------------------------------------------------

@tap.test
def the_longest_ids_work_and_longer_ones_are_refused_by_name():
    with served() as talk:
        for letter in "aあ😀":
            # Lengths are of bytes.
            id = (letter * (128 // len(letter.encode())))
            equal(talk.call("agent_register", agent_id=id,
                            name=letter * 64)["id"], id)
            send(talk, id, "from the longest", id)
            equal(received(talk, id), ["from the longest"])
            kind, said = error(talk, "agent_register", agent_id=id + letter,
                               name="x")
            equal(kind, "ValidationError")
            contains(said, "agent_id")
            kind, said = error(talk, "agent_send_message", sender_id="a",
                               receiver_id=id + letter, content="x")
            equal(kind, "ValidationError")
            contains(said, "receiver_id")
        for field, length in (("name", 257), ("description", 4097)):
            args = {"agent_id": "b", "name": "B", field: "x" * length}
            contains(error(talk, "agent_register", **args)[1], field)


@tap.test
def a_megabyte_arrives_whole_and_a_letter_more_is_refused():
    with served() as talk:
        text = "0123456789" * 100_000
        send(talk, "a", text, "b")
        equal(received(talk, "b") == [text], True)
        kind, said = error(talk, "agent_send_message", sender_id="a",
                           receiver_id="b", content=text + "x")
        equal(kind, "ValidationError")
        contains(said, "content")
        equal(received(talk, "b"), [])


@tap.test
def metadata_is_an_object_as_deep_as_one_likes():
    with served() as talk:
        deep = {}
        for _ in range(200):
            deep = {"in": [deep]}
        send(talk, "a", "x", "b", metadata=deep)
        message, = talk.call("agent_receive_messages",
                             agent_id="b")["messages"]
        equal(message["metadata"], deep)
        for wrong in ([1], "x", 5, True):
            kind, said = error(talk, "agent_send_message", sender_id="a",
                               receiver_id="b", content="x", metadata=wrong)
            equal(kind, "ValidationError")
            contains(said, "metadata")
        send(talk, "a", "y", "b", metadata=None)
        message, = talk.call("agent_receive_messages",
                             agent_id="b")["messages"]
        assert "metadata" not in message, message


@tap.test
def a_value_of_a_mebibyte_is_kept_and_a_byte_more_is_not():
    with served() as talk:
        whole = "x" * ((1 << 20) - 2)  # and its quotes
        talk.call("context_share", key="k" * 256, value=whole, agent_id="a")
        equal(talk.call("context_read", key="k" * 256,
                        agent_id="b")["value"] == whole, True)
        equal(error(talk, "context_share", key="k", value=whole + "x",
                    agent_id="a")[0], "ValidationError")
        equal(error(talk, "context_read", key="k", agent_id="a")[0],
              "NotFoundError")
        contains(error(talk, "context_share", key="k" * 257, value=1,
                       agent_id="a")[1], "key")


@tap.test
def exactly_as_many_as_the_limit_leave_no_more():
    with served() as talk:
        for i in range(3):
            send(talk, "a", str(i), "b")
        answer = talk.call("agent_receive_messages", agent_id="b", limit=3)
        equal([answer["total"], answer["has_more"]], [3, False])
        kind, said = error(talk, "agent_receive_messages", agent_id="b",
                           status="archived")
        equal((kind, said), (
            "ValidationError", "Invalid status: archived. Must be one of:"
            " pending, read, all"))


# ---- who one is -------------------------------------------------------------

@tap.test
def over_http_an_agent_is_who_its_key_says():
    with patient_home(dashboard={"port": 0}) as home:
        hub = home.hub()
        with home.session() as wire:
            url = home.url(wire)
            agent, = start_agents(wire, "hang")
            home.until_running(wire, agent)
            wire.ask("agent_send_message", {
                "sender_id": "boss", "receiver_id": "main",
                "content": "an order"})
            key, = {v.removeprefix(KEY).decode() for _, env in environments()
                    if home.mark.encode() in env and
                    b"KUROMAJUTSU_AGENT_ID=" + agent.encode() in env
                    for v in env if v.startswith(KEY)}

            def call(tool, **args):
                message = Message("tools/call", {"name": tool,
                                                 "arguments": args})
                with Connection(url) as line:
                    said = message.set(Kuromajutsu_Agent_Key=key).post(line)
                return json.loads(
                    said.message["result"]["content"][0]["text"])

            for tool, args in (
                    ("agent_send_message", {"sender_id": "boss",
                                            "content": "as boss"}),
                    ("agent_receive_messages", {"agent_id": "main"}),
                    ("context_share", {"key": "k", "value": 1,
                                       "agent_id": "boss"}),
                    ("context_read", {"key": "k", "agent_id": "boss"})):
                said = call(tool, **args)
                equal(said.get("error_type"), "ValidationError")
                contains(said["message"], agent)
            equal(call("agent_send_message", sender_id=agent,
                       receiver_id="main", content="as myself")["sent"], True)
            found = wire.ask("agent_receive_messages", {"agent_id": "main"})
            equal([m["content"] for m in found["messages"]],
                  ["an order", "as myself"])
            wire.ask("cancel_agent", {"agentIds": [agent]})
        home.stop(hub)


# ---- the clock --------------------------------------------------------------

class ClockHome(HubHome):
    """Of a hub whose clock can be set."""

    def __init__(self):
        super().__init__({"language": "en", "hub": {"linger_ms": HOUR}},
                         build=built("tests/e2e"))
        for name in ("kuromajutsu-warden", "kuromajutsu-puppet"):
            with contextlib.suppress(FileExistsError):
                os.symlink(built(name), self.path(name))
        self.clock = Clock(self.top / "clock")
        self.set(WALL_CLOCK_SHIFT=str(self.clock.path))


@tap.test
def a_clock_that_is_set_back_changes_no_order():
    with ClockHome() as home:
        inner.install(home)
        talk = home.relay().talk
        talk.hello()
        talk.learn()
        send(talk, "a", "first", "b")
        send(talk, "a", "to all, first")
        home.clock.jump(-5 * HOUR)
        send(talk, "a", "second", "b")
        send(talk, "a", "to all, second")
        equal(received(talk, "b", mark_as_read=False),
              ["first", "to all, first", "second", "to all, second"])
        equal(received(talk, "b", limit=3),
              ["first", "to all, first", "second"])
        equal(received(talk, "b"), ["to all, second"])
        equal(received(talk, "b", status="read"),
              ["to all, second", "second", "to all, first", "first"])
        home.clock.jump(-5 * HOUR)
        # A launched one has none of what was told before its start, however
        # late that says it was.
        _, said = inner.answers(home, talk, [
            ["agent_receive_messages", {"agent_id": "${id}"}]])
        equal(said[0][1]["messages"], [])
        talk.call("context_share", key="k", value=1, agent_id="a")
        home.clock.jump(-5 * HOUR)
        talk.call("context_share", key="k", value=2, agent_id="a")
        equal(talk.call("context_read", key="k", agent_id="z")["value"], 2)


if __name__ == "__main__":
    tap.run()

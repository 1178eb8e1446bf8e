# SPDX-License-Identifier: MIT
"""Thousands of bad messages, and a server that stays.

The seed is fixed: a failure is the same failure tomorrow. ABUSE_SEED and
ABUSE_MESSAGES look further."""

import json
import os

from harness import tap
from harness.hub import HubHome
from harness.tools import start_agents, wait_for
from harness.until import equal
from maker import Maker

SEED = int(os.environ.get("ABUSE_SEED", "1"))
MESSAGES = int(os.environ.get("ABUSE_MESSAGES", "10000"))
WINDOW = 50  # below what a session takes in flight: each gets a real answer


class Ledger:
    """What was sent, and so what has to have come back."""

    def __init__(self, talk):
        self.talk = talk
        self.owed = []  # ids
        self.nameless = self.loose = self.either = 0
        self.either_ids = []

    def send(self, message):
        self.talk.say(message.line)
        self.owed += message.ids
        self.nameless += message.nameless
        self.loose += message.loose
        if message.either is not None:
            self.either += 1
            self.either_ids.append(message.either)

    def settle(self, window):
        """Every answer of this window is there, once, and as it should be."""
        for message in window:
            try:
                answers = [self.talk.answer(id) for id in message.ids]
                if message.check and answers:
                    message.check(answers[0])
            except AssertionError as why:
                raise AssertionError(
                    f"{message.line[:300]!r}: {why}") from why

    def close(self):
        """No answer is left over, and none is missing."""
        got = dict(self.talk.answers)
        for id in self.owed:
            equal(len(got.pop(json.dumps(id), ())), 1)
        named = sum(len(got.pop(json.dumps(id), ())) for id in self.either_ids)
        strange = sum(map(len, got.values()))
        nameless = len(self.talk.nameless)
        least = self.nameless + self.either - named
        assert strange <= self.loose, f"answers nobody asked for: {got}"
        assert least <= nameless <= least + self.loose - strange, (
            f"{nameless} answers without an id, not {least}")
        for answer in self.talk.nameless:
            assert answer["error"]["code"] in (-32700, -32600), answer


def settled_agent(home, talk):
    """An agent that has ended: what is said of it never changes."""
    agent, = start_agents(talk, "reply")
    wait_for(talk, agent)
    home.settle(talk)
    return agent


def body(answer):
    """The text: what every version's answer has."""
    return json.loads(answer["result"]["content"][0]["text"])


def storm(home, server):
    talk = server.talk
    talk.hello()
    agent = settled_agent(home, talk)
    ask = {"name": "get_agent_status", "arguments": {"agentId": agent}}
    known = body(talk.request("tools/call", ask))
    talk.last_id = 10**9  # away from the maker's
    maker, ledger = Maker(SEED, agent), Ledger(talk)
    talk.answers.clear()
    for _ in range(MESSAGES // WINDOW):
        window = [maker.make() for _ in range(WINDOW)]
        for message in window:
            ledger.send(message)
        ledger.settle(window)
        probe = talk.ask("tools/call", ask)
        ledger.owed.append(probe)
        equal(body(talk.answer(probe)), known)
    talk.hang_up()
    equal(server.wait(), 0)
    ledger.close()


@tap.test
def standalone_answers_through_a_storm():
    with HubHome({}) as home:
        storm(home, home.standalone())


@tap.test
def relay_and_hub_answer_through_a_storm():
    with HubHome({}) as home:
        storm(home, home.relay())


def too_long(server):
    """Sent by parts: the server must not wait for the end to let go of it."""
    talk = server.talk
    talk.hello()
    talk.say(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":'
             b'{"name":"create_group","arguments":{"description":"')
    for _ in range(64):
        talk.say(b"x" * (1 << 20))
        talk.flush()
    talk.say(b'"}}}\n')
    talk.until(lambda: talk.nameless, "a refusal")
    equal(talk.nameless[0]["error"]["code"], -32600)
    equal(json.dumps(7) in talk.answers, False)
    equal(len(talk.call("list_roles")["roles"]), 6)
    equal(len(talk.nameless), 1)


@tap.test
def standalone_refuses_a_line_of_64_megabytes():
    with HubHome({}) as home:
        too_long(home.standalone())


@tap.test
def relay_refuses_a_line_of_64_megabytes():
    with HubHome({}) as home:
        too_long(home.relay())


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Clients of different processes reach for the same messages at once, also
while their hub is killed: each message is had by one, and once.

    race_test.py BUILD [--rounds N] [--kills N] [--seed N]
"""

import argparse
import collections
import os
import random
import signal

from harness import tap
from harness.hub import patient_home
from harness.tools import roles_are_judged
from harness.until import equal, until

LONG = "KUROMAJUTSU_LONG" in os.environ
WAIT_MS = 3_600_000

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--rounds", type=int, default=1000 if LONG else 50)
parser.add_argument("--kills", type=int, default=100 if LONG else 6)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args()
chance = random.Random(options.seed)


def client(home):
    """A relay, which is a process of its own."""
    talk = home.relay().talk
    talk.hello()
    talk.learn()
    return talk


def receive(talk, agent, **more):
    return talk.order("agent_receive_messages", {"agent_id": agent, **more})


def contents(talk, id):
    result = talk.result(id)
    assert not result.get("isError"), result
    return [m["content"] for m in result["structuredContent"]["messages"]]


def send(talk, content, receiver="worker"):
    talk.call("agent_send_message", sender_id="boss", content=content,
              receiver_id=receiver)


# ---- for one message --------------------------------------------------------

@tap.test
def of_two_who_look_one_gets_it():
    with patient_home() as home:
        boss, one, two = client(home), client(home), client(home)
        won = collections.Counter()
        for i in range(options.rounds):
            send(boss, str(i))
            asked = [(talk, receive(talk, "worker")) for talk in (one, two)]
            if chance.random() < 0.5:
                asked.reverse()
            got = [contents(talk, id) for talk, id in asked]
            equal(sorted(got), [[], [str(i)]])
            won[asked[got.index([str(i)])][0] is one] += 1
        print(f"# {options.rounds} rounds, won by the first {won[True]} times")


def is_answered(talk, id):
    talk.pump(0)
    return talk.has_answered(id)


@tap.test
def of_two_who_wait_one_gets_it():
    with patient_home() as home:
        boss, one, two = client(home), client(home), client(home)
        for i in range(options.rounds):
            asked = {talk: receive(talk, "worker", wait_ms=WAIT_MS)
                     for talk in (one, two)}
            send(boss, f"{i} first")
            winner = until(lambda: next((talk for talk, id in asked.items()
                                         if is_answered(talk, id)), None),
                           "one of the two")
            equal(contents(winner, asked[winner]), [f"{i} first"])
            loser = two if winner is one else one
            send(boss, f"{i} second")
            equal(contents(loser, asked[loser]), [f"{i} second"])


# ---- over the death of hubs -------------------------------------------------

class Post:
    """Clients that write, and others that wait; what each was answered."""

    def __init__(self, home):
        self.writers = [client(home) for _ in range(3)]
        self.readers = [client(home) for _ in range(3)]
        self.count = 0
        self.got = collections.Counter()
        self.waits = {talk: receive(talk, "worker", wait_ms=WAIT_MS, limit=2)
                      for talk in self.readers}
        self.under_way = []

    def write(self):
        for talk in self.writers:
            self.under_way.append((talk, talk.order("agent_send_message", {
                "sender_id": "boss", "receiver_id": "worker",
                "content": str(self.count)})))
            self.count += 1

    def settle_writes(self):
        """All were answered, and not with a refusal."""
        for talk, id in self.under_way:
            result = talk.result(id)
            assert not result.get("isError"), result
        self.under_way = []

    def take(self, talk):
        self.got.update(contents(talk, self.waits.pop(talk)))
        self.waits[talk] = receive(talk, "worker", wait_ms=WAIT_MS, limit=2)

    def read_all(self):
        while sum(self.got.values()) < self.count:
            ready = until(lambda: [talk for talk in self.readers
                                   if is_answered(talk, self.waits[talk])],
                          "a message")
            for talk in ready:
                self.take(talk)


@tap.test
def killed_hubs_lose_no_message_and_give_none_twice():
    print(f"# seed {options.seed}", flush=True)
    with patient_home() as home:
        post = Post(home)
        until(lambda: roles_are_judged(post.writers[0]), "checks that are done")
        for _ in range(options.kills):
            hub = home.hub_pid()
            for _ in range(chance.randrange(1, 4)):
                post.write()
            # Some sends are answered by now, some waits are, some are not.
            for talk, id in post.under_way[:chance.randrange(3)]:
                talk.result(id)
            os.kill(hub, signal.SIGKILL)
            post.write()
            post.settle_writes()
            if chance.random() < 0.5:
                post.read_all()
        post.read_all()
        equal(sorted(post.got, key=int), [str(i) for i in range(post.count)])
        equal(set(post.got.values()), {1})
        print(f"# {options.kills} kills, {post.count} messages")


if __name__ == "__main__":
    tap.run()

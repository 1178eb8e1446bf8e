#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A sub-agent that comes over HTTP is known by the key in its environment, and
may do what one that comes by its relay may."""

import contextlib
import json

from harness import tap
from harness.http import Connection, Message
from harness.hub import patient_home
from harness.processes import environments
from harness.tools import start_agents
from harness.until import equal, until

NAME = b"KUROMAJUTSU_AGENT_KEY="
REPORT = {"status": "success", "summary": "S", "response": "R"}


class Served:
    """A hub, two agents at work, and their keys."""

    def __init__(self, home):
        self.home = home
        self.hub = home.hub()
        with home.session() as wire:
            self.url = home.url(wire)
            # A check that loses its hub stays for its lease.
            until(lambda: "healthcheck:complete" in [
                e["type"] for e in wire.ask("events", {"limit": 500})
                ["events"]], "the end of all checks")
            self.ids = start_agents(wire, "hang", "hang")
            home.until_running(wire, *self.ids)

    def key(self, id):
        ours = self.home.mark.encode()
        found = {v for _, env in environments() if ours in env and
                 b"KUROMAJUTSU_AGENT_ID=" + id.encode() in env
                 for v in env if v.startswith(NAME)}
        one, = found
        return one.removeprefix(NAME).decode()

    def call(self, tool, args, key=None, era="legacy"):
        """(is it an error, what was answered)."""
        message = Message("tools/call", {"name": tool, "arguments": args},
                          era=era).set(Kuromajutsu_Agent_Key=key)
        with Connection(self.url) as line:
            answer = message.post(line)
            equal(answer.status, 200)
            result = answer.message["result"]
        return (result.get("isError", False),
                json.loads(result["content"][0]["text"]))

    def status(self, id):
        return self.call("get_agent_status", {"agentId": id})[1]["status"]

    def nest(self, id, key, era="legacy"):
        """It starts another one in its own group."""
        group = self.call("get_agent_status", {"agentId": id})[1]["groupId"]
        return self.call("run_agents", {"groupId": group, "agents": [
            {"role": "impl-code", "prompt": "puppet: reply"}]}, key, era)


@contextlib.contextmanager
def served():
    with patient_home(dashboard={"port": 0}) as home:
        yield Served(home)


def code(answer):
    is_error, body = answer
    assert is_error, body
    return body["code"]


@tap.test
def a_key_says_which_agent_it_is():
    with served() as h:
        one, other = h.ids
        for era in ("legacy", "modern"):
            equal(code(h.call("report_result", {"agentId": other, **REPORT},
                              h.key(one), era)), "REPORT_FAILED")
            equal(code(h.nest(one, h.key(one), era)), "NESTING_NOT_ALLOWED")
        equal(h.status(other), "running")
        equal(h.call("report_result", {"agentId": one, **REPORT}, h.key(one)),
              (False, {"registered": True, "agentId": one}))
        equal(h.status(one), "resultReported")


@tap.test
def without_one_it_is_the_main_agent():
    with served() as h:
        for key in (None, ""):
            is_error, run = h.nest(h.ids[0], key)
            assert not is_error and len(run["agents"]) == 1, run
        equal(h.call("report_result", {"agentId": h.ids[0], **REPORT}),
              (False, {"registered": True, "agentId": h.ids[0]}))


@tap.test
def a_key_that_is_none_is_refused():
    with served() as h:
        good = h.key(h.ids[0])
        for key in ("x", h.ids[0], h.ids[0] + "." + "0" * 32,
                    h.ids[1] + good[good.index("."):], good[:-1], good + "0",
                    good.upper()):
            message = Message("tools/list").set(Kuromajutsu_Agent_Key=key)
            with Connection(h.url) as line:
                answer = message.post(line)
                equal((key, answer.status), (key, 403))
                assert "KUROMAJUTSU_AGENT_KEY" in \
                    answer.message["error"]["message"], answer.message


@tap.test
def the_next_hub_knows_it_too():
    with served() as h:
        key = h.key(h.ids[0])
        h.hub.kill()
        h.hub.wait()
        h.home.hub()
        with h.home.session() as wire:
            h.url = h.home.url(wire)
        equal(code(h.nest(h.ids[0], key)), "NESTING_NOT_ALLOWED")
        equal(h.call("report_result", {"agentId": h.ids[0], **REPORT}, key),
              (False, {"registered": True, "agentId": h.ids[0]}))


if __name__ == "__main__":
    tap.run()

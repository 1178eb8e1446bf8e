#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Calls that take long come as streams of events, which
begin at once, never fall silent, and end with the answer."""

import json
import time

from harness import tap
from harness.http import SSE, Connection, Message, initialize
from harness.hub import HubHome
from harness.until import equal
import hub
from hub import ERAS, line

# Clients give up on silence of 60 s and more; half of that is no promise.
SILENCE = 30


def call(name, era="modern", **args):
    with line() as at:
        answer = Message("tools/call", {"name": name, "arguments": args},
                         era=era).post(at)
        equal(answer.status, 200)
        return hub.content(answer.message["result"])


def agents(*prompts):
    group = call("create_group", description="d")["groupId"]
    tasks = [{"role": "research", "prompt": f"puppet: {p}"} for p in prompts]
    said = call("run_agents", groupId=group, agents=tasks)
    return [agent["agentId"] for agent in said["agents"]]


def wait(at, ids, era, token=None, **args):
    message = Message("tools/call", {
        "name": "wait_agent", "arguments": {"agentIds": ids, **args}}, 5, era)
    if token is not None:
        message.body["params"].setdefault("_meta", {})["progressToken"] = token
    return message.post(at)


@tap.test
def a_wait_begins_at_once_and_ends_with_its_answer():
    for era in ERAS:
        ids = agents("hang", "hang")
        with line() as at:
            answer = wait(at, ids, era, token="t")
            equal((answer.status, answer.type), (200, SSE))
            assert "no-cache" in answer.headers["cache-control"]
            equal(answer.headers["x-accel-buffering"], "no")
            assert "content-encoding" not in answer.headers
            first = answer.event()
            equal(first["method"], "notifications/progress")
            equal(first["params"]["progressToken"], "t")
            call("cancel_agent", agentIds=ids)
            *between, last = answer.messages()
            assert all(m["method"] == "notifications/progress"
                       for m in between), between
            equal(last["id"], 5)
            equal(hub.content(last["result"])["timedOut"], False)
            # The answer ends the stream, and not the connection.
            again = Message("tools/list", era=era).post(at)
            assert again.message["result"]["tools"]


@tap.test
def a_wait_without_a_token_has_no_progress():
    for era in ERAS:
        ids = agents("hang")
        with line() as at:
            answer = wait(at, ids, era)
            # The head came at once, not with the first sign of life.
            assert b"keepalive" not in at.came(answer)
            equal((answer.status, answer.type), (200, SSE))
            call("cancel_agent", agentIds=ids)
            last, = answer.messages()
            equal(last["id"], 5)


@tap.test
def one_who_leaves_does_not_take_the_agents_along():
    for era in ERAS:
        ids = agents("hang")
        with line() as at:
            assert wait(at, ids, era, token=1).event()
        state = call("get_agent_status", agentId=ids[0])["status"]
        assert state in ("queued", "running"), state
        call("cancel_agent", agentIds=ids)
        equal(call("wait_agent", agentIds=ids)["timedOut"], False)


# What a session has begun on one connection, it can end on another.
@tap.test
def a_session_cancels_what_it_began():
    with line() as at:
        answer = initialize().post(at)
        id = answer.headers["mcp-session-id"]
        answer.body
    ids = agents("hang")
    with line() as at:
        message = Message("tools/call", {
            "name": "wait_agent", "arguments": {"agentIds": ids},
            "_meta": {"progressToken": 0}}, 5).set(Mcp_Session_Id=id)
        answer = message.post(at)
        assert answer.event()
        note = Message("notifications/cancelled", {"requestId": 5}, id=None)
        with line() as other:
            equal(note.set(Mcp_Session_Id=id).post(other).status, 202)
        equal([m for m in answer.messages() if "id" in m], [])
    call("cancel_agent", agentIds=ids)


@tap.test
def a_listening_is_acknowledged_first():
    for id in (4, "listen:0", 0):
        with line() as at:
            answer = Message("subscriptions/listen", {"notifications": {
                "toolsListChanged": True, "promptsListChanged": True}}, id,
                "modern").post(at)
            equal((answer.status, answer.type), (200, SSE))
            first = answer.event()
            equal(first["method"], "notifications/subscriptions/acknowledged")
            equal(first["params"]["notifications"],
                  {"toolsListChanged": True})
            equal(first["params"]["_meta"],
                  {"io.modelcontextprotocol/subscriptionId": id})


@tap.test
def a_hub_that_leaves_answers_who_listens():
    with HubHome(hub.SETTINGS) as home:
        url = home.serve()
        with Connection(url) as at:
            answer = Message("subscriptions/listen", {"notifications": {
                "toolsListChanged": True}}, "l", "modern").post(at)
            assert answer.event()
            equal(home.run("stop").returncode, 0)
            last, = answer.messages()
            equal(last["id"], "l")
            equal(last["result"]["resultType"], "complete")


# Long enough that the head alone would not have carried it: proxies and
# clients count bytes, whatever they are.
@tap.test
def a_silent_wait_is_kept_alive():
    ids = agents("hang")
    with line() as at:
        answer = wait(at, ids, "modern", timeout_ms=20000)
        equal((answer.status, answer.type), (200, SSE))
        seen, last = [], time.monotonic()
        while text := answer.raw.readline():
            assert time.monotonic() - last < SILENCE, "it fell silent"
            last = time.monotonic()
            seen.append(text)
        assert any(text.startswith(b":") for text in seen), seen
        data = [text for text in seen if text.startswith(b"data:")][-1]
        result = json.loads(data[5:])["result"]
        equal(hub.content(result)["timedOut"], True)
    call("cancel_agent", agentIds=ids)


if __name__ == "__main__":
    hub.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""JSON that is nested as deeply as a message is long: no reader of it may go
down with it. The hub's threads have little stack here, so that one that does
is seen."""

import re
import resource

from harness import tap, websocket as ws
from harness.http import request
from harness.hub import HubHome
from harness.until import equal

STACK = 1 << 20


def nested(length):
    return "[" * (length // 2) + "]" * (length // 2)


def limit():
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))


class Hub(HubHome):
    """with Hub() as port: ..."""

    def __enter__(self):
        home = super().__enter__()
        home.hub(preexec_fn=limit)
        with home.session() as wire:
            return int(re.search(r":(\d+)/$", home.url(wire))[1])

    def __init__(self):
        super().__init__({"dashboard": {"port": 0}, "language": "en"})


def answer(s, id):
    """What the feed says to that command."""
    while True:
        said = s.event()
        if said.get("id") == id:
            return said


@tap.test
def what_a_browser_sends():
    with Hub() as port, ws.WebSocket(port, "/ws") as s:
        deep = nested(60000)
        for id, data in enumerate((f'{{"agentId":{deep}}}',
                                   f'{{"agentIds":{deep}}}', deep,
                                   f'{{"x":{deep},"agentId":"a"}}')):
            s.say(f'{{"type":"agent:cancel","id":{id},"data":{data}}}')
            equal(answer(s, id)["error"]["code"], "VALIDATION_ERROR")
        s.say('{"type":"feed:interest","id":9,"data":{}}')
        equal(answer(s, 9)["success"], True)


@tap.test
def what_a_client_of_mcp_sends():
    headers = {"Content-Type": "application/json",
               "Accept": "application/json, text/event-stream"}
    deep = nested(4 << 20)
    with Hub() as port:
        for params in (deep, f'{{"name":"list_groups","arguments":{deep}}}',
                       f'{{"name":"list_agents","arguments":'
                       f'{{"groupId":{deep}}}}}'):
            body = ('{"jsonrpc":"2.0","id":1,"method":"tools/call",'
                    f'"params":{params}}}')
            for text in (body, f"[{body},{body}]", f'{{"id":{deep}}}', deep):
                status = request(port, "POST", "/mcp", text, headers)[0]
                assert status in (200, 400), status
        equal(request(port, "GET", "/healthz")[0], 200)


if __name__ == "__main__":
    tap.run()

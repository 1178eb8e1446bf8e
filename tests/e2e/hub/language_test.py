# SPDX-License-Identifier: MIT
"""Each is answered in its own language, and a group keeps the one it was
created in."""

import json

from harness import tap
from harness.http import request
from harness.hub import HubHome, read
from harness.mcp import MODERN, meta
from harness.tools import new_group, roles_are_judged, start_agents, wait_for
from harness.until import contains, equal, until
from harness.websocket import WebSocket
from harness.wire import InheritedWire

ENGLISH = {"LC_ALL": "en_US.UTF-8"}
JAPANESE = {"LC_ALL": "ja_JP.UTF-8"}


def home(settings="", **env):
    """A CLI that keeps what it was told and in which language its MCP server
    is to speak."""
    p = HubHome(f"{settings}\ndashboard: {{port: 0}}\n"
                "hub: {linger_ms: 600000, lease_ms: 600000}\n", env)
    cli = p.top / "cli"
    cli.write_text(
        f'#!/bin/sh\nif [ -n "$KUROMAJUTSU_AGENT_ID" ]; then\n'
        f'  printf "%s\\n" "$@" >"{p.top}/$KUROMAJUTSU_AGENT_ID"\n'
        f'  echo "speaks $KUROMAJUTSU_LANGUAGE" '
        f'>>"{p.top}/$KUROMAJUTSU_AGENT_ID"\nfi\n'
        f'exec {p.path("kuromajutsu-puppet")} "$@"\n')
    cli.chmod(0o755)
    p.set(KUROMAJUTSU_AGENT_COMMAND=str(cli), KUROMAJUTSU_PUPPET_SPEED="0")
    return p


def begin(p):
    """A hub that serves: else a relay would start one of its own."""
    hub = p.hub()
    p.session().close()
    return hub


def is_english(text):
    return all(c < "\u3000" for c in json.dumps(text, ensure_ascii=False))


def told(p, id):
    return read(p.top / id)


def refusal(client):
    return client.refused("delete_group", groupId="grp-1-abcd")


@tap.test
def each_client_is_answered_in_its_own():
    with home() as p:
        begin(p)  # its own locale names no language
        ja, en = p.relay(**JAPANESE).talk, p.relay(**ENGLISH).talk
        for client in (ja, en):
            client.hello()
        until(lambda: roles_are_judged(en), "roles judged")
        assert is_english(refusal(en)) and not is_english(refusal(ja))
        assert is_english(en.call("list_roles")), en.call("list_roles")
        assert not is_english(ja.call("list_roles"))
        assert is_english(p.run("status", **ENGLISH).out)
        assert not is_english(p.run("status", **JAPANESE).out)
        said = p.run("cancel", "impl-code-1-abcd", **ENGLISH)
        assert said.returncode and is_english(said.err), said.err


# What is refused before the registry is asked: its code, and the call.
EARLY = [("VALIDATION_ERROR", "delete_group", {}),
         ("VALIDATION_ERROR", "wait_agent", {"agentIds": "x"}),
         ("EMPTY_AGENT_IDS", "wait_agent", {"agentIds": []}),
         ("VALIDATION_ERROR", "no_such_call", {})]


@tap.test
def what_is_refused_before_it_is_an_order_too():
    with home() as p:
        begin(p)
        for locale in ("ja", "en"):
            with p.connect(locale=locale) as w:
                w.hello()
                for code, name, args in EARLY:
                    is_error, said = w.answer(w.order(name, args))
                    equal((is_error, said["code"]), (True, code))
                    equal((name, is_english(said)), (name, locale == "en"))


@tap.test
def one_who_cannot_be_known_is_told_so_in_its_own():
    with home() as p:
        begin(p)
        for locale in ("ja", "en"):
            # It opened the connection, and is gone when it says who it is.
            with p.connect(InheritedWire, locale=locale) as w:
                w.hello()
                is_error, said = w.answer(w.order("list_agents"))
                equal((is_error, said["code"]), (True, "CALLER_UNKNOWN"))
                equal(is_english(said), locale == "en")


def port_of(p):
    with p.session() as w:
        return int(p.url(w).rstrip("/").rsplit(":", 1)[1])


@tap.test
def a_request_over_http_may_name_one():
    with home("language: ja") as p:
        begin(p)
        port = port_of(p)
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "delete_group", "arguments": {}, "_meta": meta()}}
        for header, is_en in ((None, False), ("ja", False),
                              ("en-GB,en;q=0.9", True), ("*", False)):
            named = {"Accept-Language": header} if header else {}
            for path in ("agents/impl-code-1-abcd", "agents?nosuch=1",
                         "nosuch", "events?limit=x"):
                _, _, said = request(port, "GET", f"/api/{path}",
                                     headers=named)
                equal((header, path, is_english(json.loads(said))),
                      (header, path, is_en))
            for at in ("/mcp", "/mcp/agent"):
                _, _, said = request(port, "POST", at, json.dumps(call), {
                    "Content-Type": "application/json",
                    "Accept": "application/json, text/event-stream",
                    "MCP-Protocol-Version": MODERN,
                    "Mcp-Method": "tools/call", "Mcp-Name": "delete_group",
                    **named})
                contains(said.decode(), "VALIDATION_ERROR")
                equal((header, at, is_english(said.decode())),
                      (header, at, is_en))


@tap.test
def a_command_of_the_feed_may_name_one():
    with home() as p:
        begin(p)
        port = port_of(p)
        with WebSocket(port, "/ws") as s:
            for language in ("en", None, "ja", "en"):
                for data in ({}, {"groupId": "grp-1-abcd"}, {"groupId": 1}):
                    s.say({"type": "group:delete", "id": 7, "data": data,
                           **({"language": language} if language else {})})
                    said = s.event()
                    while said.get("id") != 7:
                        said = s.event()
                    equal((language, data, is_english(said["error"])),
                          (language, data, language == "en"))


@tap.test
def the_configuration_settles_it_and_a_variable_over_it():
    with home("language: en") as p:
        client = p.relay(**JAPANESE).talk
        client.hello()
        assert is_english(refusal(client))
        assert is_english(p.run("status", **JAPANESE).out)
        other = p.relay(KUROMAJUTSU_LANGUAGE="ja", **ENGLISH).talk
        other.hello()
        assert not is_english(refusal(other))


@tap.test
def a_group_keeps_its_language_also_in_the_next_hub():
    with home() as p:
        hub = begin(p)
        en = p.relay(**ENGLISH).talk
        en.hello()
        until(lambda: roles_are_judged(en), "roles judged")
        group = new_group(en, mode="sequential")
        made = en.call("run_sequential", groupId=group, stages=[
            {"tasks": [{"role": "impl-code", "prompt": "puppet: reply"}]},
            {"tasks": [{"role": "research", "prompt": "puppet: reply"}]}])
        ids = [a["agentId"] for a in made["agents"]]
        wait_for(en, *ids)
        en.close()
        p.stop(hub)
        begin(p)
        ja = p.relay(**JAPANESE).talk
        ja.hello()
        made = ja.call("run_sequential", groupId=group, stages=[
            {"tasks": [{"role": "impl-code", "prompt": "puppet: reply"}]}])
        ids += [a["agentId"] for a in made["agents"]]
        wait_for(ja, ids[-1])
        for id in ids:
            text = told(p, id)
            assert is_english(text), text
            contains(text, "speaks en")
        id, = start_agents(ja, "reply")
        wait_for(ja, id)
        assert not is_english(told(p, id))
        contains(told(p, id), "speaks ja")


@tap.test
def a_hub_takes_that_of_who_starts_it():
    with home() as p:
        p.set(**ENGLISH)
        p.hub()
        with p.session() as w:
            equal(w.ask("hub_status")["language"], "en")
            is_error, answer = w.answer(w.order(
                "delete_group", {"groupId": "grp-1-abcd"}))
            assert is_error and is_english(answer), answer


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Each is answered in its own language, and a group keeps the one it was
created in."""

import json

from harness import tap
from harness.hub import HubHome, read
from harness.tools import new_group, roles_are_judged, start_agents, wait_for
from harness.until import contains, equal, until

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

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who is offered which tools, and who may use them: the main agent all, a
sub-agent what is for it, by what its launcher put into its environment."""

import contextlib

from harness import tap
from harness.http import Connection, Message
from harness.hub import patient_home
from harness.processes import environments, runs
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until

MAIL = ["agent_get", "agent_receive_messages", "agent_register",
        "agent_send_message", "context_read", "context_share"]
AGENT = [*MAIL, "get_agent_status", "report_result"]
TASK = {"description": "d", "task": "puppet: hang", "completionCriteria": "c",
        "scope": "s"}


def environment(home, id):
    """What the CLI of an agent was given, once it runs."""
    ours = home.mark.encode()
    name = b"KUROMAJUTSU_AGENT_ID=" + id.encode()

    def look():
        return next((env for pid, env in environments()
                     if ours in env and name in env
                     and not runs(pid, "kuromajutsu-warden")), None)
    return dict(v.decode().split("=", 1)
                for v in until(look, f"the process of {id}") if b"=" in v)


def offered(relay):
    """(its instructions, the names of its tools)."""
    told = relay.talk.hello()
    tools = relay.talk.request("tools/list")["result"]["tools"]
    return told["instructions"], sorted(t["name"] for t in tools)


@contextlib.contextmanager
def served(**settings):
    with patient_home(dashboard={"port": 0}, **settings) as home:
        if settings:
            home.trust()
        home.hub()
        with home.session() as wire:
            yield home, wire


def relay_of(home, id):
    env = environment(home, id)
    return home.relay(**{name: env[name] for name in env
                         if name.startswith("KUROMAJUTSU_")})


@tap.test
def a_plain_sub_agent_has_two_tools_and_mail_and_is_told_to_work():
    with served() as (home, wire):
        one, = start_agents(wire, "hang")
        told, names = offered(relay_of(home, one))
        equal(names, AGENT)
        assert "report_result" in told and "run_agents" not in told, told


@tap.test
def an_orchestrator_has_what_it_delegates_with():
    with served() as (home, wire):
        one = wire.ask("run_magentic", TASK)["orchestratorAgentId"]
        told, names = offered(relay_of(home, one))
        for name in (*AGENT, "create_group", "run_agents", "run_sequential",
                     "wait_agent", "list_agents", "list_roles",
                     "cancel_agent", "update_ledger"):
            assert name in names, (name, names)
        assert "update_ledger" in told, told


@tap.test
def nesting_offers_groups_runs_and_waits():
    with served(agent={"allowNesting": True}) as (home, wire):
        one, = start_agents(wire, "hang")
        told, names = offered(relay_of(home, one))
        for name in (*AGENT, "create_group", "run_agents", "wait_agent"):
            assert name in names, (name, names)
        assert "update_ledger" not in names and "run_agents" in told


@tap.test
def a_main_agent_has_all_and_a_wrong_name_costs_nothing():
    with served() as (home, _):
        _, everything = offered(home.relay())
        relay = home.relay(KUROMAJUTSU_TOOLS="agnet")
        equal(offered(relay)[1], everything)
        assert "agnet" in relay.said(), relay.said()
        assert set(AGENT) < set(everything)


@tap.test
def over_http_the_path_says_which():
    with served() as (home, wire):
        for era in ("legacy", "modern"):
            for path, want in (("/mcp/agent", AGENT), ("/mcp", None),
                               ("/mcp/mail", MAIL),
                               ("/mcp/mail,kuro", None)):
                with Connection(home.url(wire)) as line:
                    answer = Message("tools/list", era=era).post(line, path)
                    equal(answer.status, 200)
                    names = sorted(t["name"] for t in
                                   answer.message["result"]["tools"])
                    assert want is None or names == want, (path, names)
        for path in ("/mcp/nosuch", "/mcp/", "/mcp/agent/", "/mcp/mail,x"):
            with Connection(home.url(wire)) as line:
                equal((path, Message("tools/list").post(line, path).status),
                      (path, 404))


@tap.test
def what_a_sub_agent_may_not_is_refused_and_leaves_nothing():
    with served() as (home, wire):
        group = new_group(wire)
        one, other = start_agents(wire, "hang", "hang", group=group)
        old = new_group(wire)
        done, = start_agents(wire, "reply", group=old)
        wait_for(wire, done)
        gone, = start_agents(wire, "reply", group=(lost := new_group(wire)))
        wait_for(wire, gone)
        wire.call("delete_group", groupId=lost)
        key = environment(home, one)["KUROMAJUTSU_AGENT_KEY"]
        with home.session(key=key) as agent:
            for tool, args, code in (
                    ("retry", {"agentIds": [done]}, "NESTING_NOT_ALLOWED"),
                    ("retry", {"agentIds": [gone]}, "NESTING_NOT_ALLOWED"),
                    ("create_group", {"description": "mine"},
                     "NESTING_NOT_ALLOWED"),
                    ("run_agents", {"groupId": group, "agents": [
                        {"role": "impl-code", "prompt": "puppet: reply"}]},
                     "NESTING_NOT_ALLOWED"),
                    ("run_magentic", TASK, "NESTING_NOT_ALLOWED"),
                    ("cancel_agent", {"agentIds": [other]}, "NOT_PERMITTED"),
                    ("cancel_agent", {"groupId": group}, "NOT_PERMITTED"),
                    ("delete_group", {"groupId": group}, "NOT_PERMITTED")):
                equal((tool, agent.refused(tool, args)), (tool, code))
        equal([g["groupId"] for g in wire.ask("list_groups")["groups"]],
              [group, old, lost])
        equal(wire.ask("list_agents")["total"], 4)


if __name__ == "__main__":
    tap.run()

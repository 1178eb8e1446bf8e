#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The hub answers as transport/web/api.json says: every field it gives is told
there, and every field that is told to be there is given."""

import pathlib
import sys

from harness import tap
from harness.hub import HubHome
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until
from harness.web import Web
from harness.websocket import WebSocket

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "web"))
import api_schema  # noqa: E402

SCHEMA = api_schema.load()
YAML = """language: en
dashboard: {port: 0}
hub: {linger_ms: 600000, lease_ms: 600000}
agent: {maxConcurrent: 20, maxQueued: 50, stallWarn_ms: 300}
budget: {dayUsd: 100}
prices:
  - {model: claude*, input: 3, output: 15}
roles:
  - {id: poet, model: composer-1.4, systemPrompt: Write., timeout_ms: 5000}
  - {id: research, enabled: false}
"""


def check(form, value, what):
    found = list(api_schema.problems(SCHEMA, form, value, what))
    assert not found, "\n".join(found[:20]) + (
        "\nSay it in transport/web/api.json, then: web/api_schema.py --write")


def busy(web):
    """Groups of all modes, with agents that ended in every way: an id of each
    kind of group, and the agents' ids."""
    w = web.wire
    group = new_group(w, description="At once")
    agents = start_agents(w, "report", "failure", "edits files=2", "crash",
                          "edits files=2", "hang", group=group)
    row = new_group(w, mode="sequential", description="One by one")
    task = {"role": "impl-code", "prompt": "Write\npuppet: report"}
    w.ask("run_sequential", {"groupId": row, "stages": [{"tasks": [task]},
                                                        {"tasks": [task]}]})
    made = w.ask("run_magentic", {
        "description": "Led", "maxIterations": 5, "scope": "here",
        "task": 'Lead\npuppet: orchestrator delay=5 work="report ms=5"',
        "completionCriteria": "all is done"})
    wait_for(w, *agents[:5], made["orchestratorAgentId"])
    return (group, row, made["groupId"]), agents


def addresses(path, groups, agents, tasks):
    if path.startswith("groups/"):
        return [path.replace("*", g) for g in groups]
    if path.startswith("agents/"):
        return [path.replace("*", a) for a in agents]
    if path.startswith("roles/"):
        return [path.replace("*", r) for r in ("poet", "research",
                                               "impl-code")]
    if path.startswith("projects/tasks/"):
        return [path.replace("*", t) for t in tasks]
    if path == "usage":
        return [f"usage?by={by}" for by in ("agent", "group", "role", "model",
                                            "day")]
    return [path]


def check_paths(web, groups, agents, tasks=()):
    for path in SCHEMA["paths"]:
        for address in addresses(path["path"], groups, agents, tasks):
            check(path["answer"], web.ask(address), f"/api/{address}")


def check_events(web):
    seen, since = set(), 0
    while events := web.ask(f"events?since={since}&limit=500")["events"]:
        for e in events:
            form, _ = SCHEMA["events"][e["type"]]
            check(form, e["data"], e["type"])
            seen.add(e["type"])
            since = e["seq"]
    return seen


def write_mail(wire):
    wire.ask("agent_register", {"agent_id": "a", "name": "A"})
    wire.ask("agent_send_message", {"sender_id": "a", "receiver_id": "b",
                                    "content": "x" * 5000})
    wire.ask("agent_send_message", {"sender_id": "a", "content": "to all"})
    wire.ask("agent_receive_messages", {"agent_id": "b"})
    wire.ask("context_share", {"key": "k", "value": {"v": 1},
                               "agent_id": "a"})


def go_through_phases(home, wire):
    path = str(home.project)
    wire.ask("transition_to_next_phase", {
        "currentPhase": "phase0", "projectPath": path,
        "result": {"status": "completed", "outputFiles": ["a.md"]}})
    wire.ask("save_phase_result", {
        "phase": "phase1", "projectPath": path,
        "result": {"checkpoint": "c", "data": {"long": "x" * 70000}}})
    wire.ask("run_phases", {"text": "puppet: reply", "projectPath": path,
                            "from": "phase4"})


def work_in_a_project(wire):
    wire.ask("create_project", {"project_id": "prj_1", "name": "P"})
    for name in ("agt_a", "agt_b"):
        wire.ask("create_agent", {"agent_id": name, "name": name,
                                  "passkey": "correct horse"})
        wire.ask("assign_agent", {"project_id": "prj_1", "agent_id": name})
    wire.ask("create_task", {"task_id": "tsk_1", "project_id": "prj_1",
                             "title": "t", "description": "x" * 5000,
                             "assignee_id": "agt_a", "status": "todo"})
    wire.ask("update_task_status", {"task_id": "tsk_1",
                                    "status": "in_progress"})
    token = wire.ask("authenticate", {
        "agent_id": "agt_a", "project_id": "prj_1",
        "passkey": "correct horse"})["token"]
    wire.ask("get_my_task", {"token": token})
    wire.ask("save_context", {"task_id": "tsk_1", "progress": "p",
                              "token": token})
    handoff = wire.ask("create_handoff", {
        "task_id": "tsk_1", "from_agent_id": "agt_a", "to_agent_id": "agt_b",
        "summary": "s"})["handoff"]["id"]
    wire.ask("logout", {"token": token})
    wire.ask("accept_handoff", {"handoff_id": handoff, "agent_id": "agt_b"})


@tap.test
def every_answer_and_event_is_as_the_schema_says():
    with HubHome(YAML) as home:
        web = Web(home)
        until(lambda: web.ask("health")["status"] == "complete", "all checks")
        groups, agents = busy(web)
        # The one that hangs is silent for longer than is usual.
        until(lambda: "agent:stalled" in {
            e["type"] for e in web.ask("events?limit=5000")["events"]},
            "a stalled agent")
        check_paths(web, groups, agents)
        web.wire.ask("update_role", {"roleId": "poet", "name": "Bard"})
        web.wire.ask("cancel_agent", {"agentIds": agents[5:]})
        web.gone(*agents)
        check_paths(web, groups, agents)
        home.configure("language: [\n")
        until(lambda: web.ask("status")["configError"], "trouble")
        web.wire.ask("delete_group", {"groupId": groups[0]})
        write_mail(web.wire)
        go_through_phases(home, web.wire)
        work_in_a_project(web.wire)
        until(lambda: {"context:shared", "phase:planned", "pm:session"} <= {
            e["type"] for e in web.ask("events?limit=5000")["events"]},
            "events of mail, phases and projects")
        check_paths(web, groups[1:], agents[:1], ["tsk_1"])
        seen = check_events(web)
        equal(set(SCHEMA["events"]) - seen - {
            "group:stalled", "notification:raised"}, set())


@tap.test
def the_feed_says_the_same():
    with HubHome(YAML) as home:
        web = Web(home)
        until(lambda: web.ask("health")["status"] == "complete", "all checks")
        origin = f"http://127.0.0.1:{web.port}"
        with WebSocket(web.port, "/ws", origin=origin) as s:
            first = s.event()
            equal(first["type"], "server:startup")
            check("Snapshot", first["data"], "the picture")
            for type, data in (
                    ("config:create_role", {"roleId": "a", "from": "poet"}),
                    ("config:update_role", {"roleId": "a", "name": "n"}),
                    ("config:delete_role", {"roleId": "a"})):
                for is_dry in (True, False):
                    s.say({"type": type, "id": 1,
                           "data": {**data, "dryRun": is_dry}})
                    said = until(lambda: (m := s.event()).get("id") == 1 and m,
                                 "its answer")
                    check("ChangeAnswer", said["data"], type)


if __name__ == "__main__":
    tap.run()

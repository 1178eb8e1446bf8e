# SPDX-License-Identifier: MIT
"""Every code that a tool can refuse with, really produced, in both languages; a
code without a case is a failure."""

import functools
import glob
import os
import re
import signal
import sqlite3
import tempfile

from harness import tap
from harness.programs import copy_programs
from harness.until import until
from harness.wire import InheritedWire
from home import HANG, WORK, RefusingHome

CODE_H = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                      "../../../actors/order/code.h")
produced = set()
YES = {"reason": "r", "answer": True}
TEXT = {"reason": "r", "answer": "a"}


def case(*codes, **home):
    """A test in a home of its own, once in each language."""
    produced.update(codes)

    def wrap(fn):
        def run(language):
            with RefusingHome(language, **home) as w:
                fn(w)
        for language in ("ja", "en"):
            each = functools.partial(run, language)
            each.__name__ = f"{fn.__name__} ({language})"
            tap.test(each)
    return wrap


def progress(group, **more):
    return {"groupId": group, "type": "progress", "isRequestSatisfied": YES,
            "isInLoop": YES, "isProgressBeingMade": YES, "nextAction": TEXT,
            "instruction": TEXT, **more}


# ---- arguments ------------------------------------------------------------

@case("VALIDATION_ERROR", "EMPTY_AGENTS", "EMPTY_STAGES", "EMPTY_STAGE_TASKS",
      "EMPTY_AGENT_IDS")
def arguments(w):
    group, plan = w.group(), w.group("sequential")
    w.refuses("VALIDATION_ERROR", "wait_agent", agentIds=["a"], timeout=1)
    w.refuses("VALIDATION_ERROR", "create_group", description=1)
    w.refuses("VALIDATION_ERROR", "create_group", description="d",
              mode="magentic")
    w.refuses("VALIDATION_ERROR", "run_agents", groupId=group,
              agents=[{**WORK, "timeout_ms": 0}])
    w.refuses("VALIDATION_ERROR", "run_agents", groupId=group,
              agents=[{**WORK, "workingDirectory": "/dev/null/none"}])
    w.refuses("EMPTY_AGENTS", "run_agents", groupId=group, agents=[])
    w.refuses("EMPTY_STAGES", "run_sequential", groupId=plan, stages=[])
    w.refuses("EMPTY_STAGE_TASKS", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}, {"tasks": []}])
    w.refuses("EMPTY_AGENT_IDS", "wait_agent", agentIds=[])


# ---- groups ---------------------------------------------------------------

@case("GROUP_NOT_FOUND", "GROUP_NOT_ACTIVE", "MODE_MISMATCH",
      "NOT_MAGENTIC_GROUP")
def groups(w):
    stages = [{"tasks": [WORK]}]
    for tool, args in (("delete_group", {}), ("list_agents", {}),
                       ("run_agents", {"agents": [WORK]}),
                       ("run_sequential", {"stages": stages}),
                       ("cancel_agent", {})):
        w.refuses("GROUP_NOT_FOUND", tool, groupId="grp-none", **args)
    w.refuses("GROUP_NOT_FOUND", "update_ledger", **progress("grp-none"))
    w.refuses("GROUP_NOT_FOUND", "create_group", description="d",
              parentGroupId="grp-none")
    old, plan = w.group(), w.group("sequential")
    w.refuses("MODE_MISMATCH", "run_agents", groupId=plan, agents=[WORK])
    w.refuses("MODE_MISMATCH", "run_sequential", groupId=old, stages=stages)
    w.refuses("NOT_MAGENTIC_GROUP", "update_ledger", **progress(old))
    # A deleted group is remembered as long as its agents are.
    worked, = w.work(old, WORK)
    planned = w.talk.call("run_sequential", groupId=plan, stages=stages)
    for agent in (worked, planned["agents"][0]["agentId"]):
        w.result(agent)
    w.talk.call("delete_group", groupId=old)
    w.talk.call("delete_group", groupId=plan)
    w.refuses("GROUP_NOT_FOUND", "delete_group", groupId=old)
    w.refuses("GROUP_NOT_ACTIVE", "run_agents", groupId=old, agents=[WORK])
    w.refuses("GROUP_NOT_ACTIVE", "run_sequential", groupId=plan,
              stages=stages)
    w.refuses("GROUP_NOT_ACTIVE", "create_group", description="d",
              parentGroupId=old)


@case("GROUP_HAS_RUNNING_AGENTS", "SEQUENTIAL_START_FAILED")
def busy_groups(w):
    group, plan = w.group(), w.group("sequential")
    child = w.group(parentGroupId=group)
    hung, = w.work(child, HANG)
    w.refuses("GROUP_HAS_RUNNING_AGENTS", "delete_group", groupId=child)
    w.refuses("GROUP_HAS_RUNNING_AGENTS", "delete_group", groupId=group)
    w.talk.call("run_sequential", groupId=plan, stages=[{"tasks": [HANG]}])
    w.refuses("SEQUENTIAL_START_FAILED", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}])
    w.cancel(groupId=group)
    w.result(hung)
    w.talk.call("delete_group", groupId=group)


# ---- roles ----------------------------------------------------------------

@case("ROLE_NOT_FOUND", "ROLE_UNAVAILABLE")
def roles(w):
    group, plan = w.group(), w.group("sequential")
    nobody, ghost = {**WORK, "role": "nobody"}, {**WORK, "role": "ghost"}
    w.refuses("ROLE_NOT_FOUND", "run_agents", groupId=group,
              agents=[WORK, nobody])
    w.refuses("ROLE_NOT_FOUND", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}, {"tasks": [nobody]}])
    w.refuses("ROLE_NOT_FOUND", "run_magentic", description="d", task="t",
              completionCriteria="c", scope="s", availableRoles=["nobody"])
    w.refuses("ROLE_UNAVAILABLE", "run_agents", groupId=group, agents=[ghost])
    w.refuses("ROLE_UNAVAILABLE", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}, {"tasks": [ghost]}])


def magentic_is_refused(w, code):
    w.refuses(code, "run_magentic", description="d", task="t",
              completionCriteria="c", scope="s")
    assert not w.talk.call("list_agents")["agents"], "something was left"


@case("ORCHESTRATOR_ROLE_NOT_FOUND", settings={
    "roles": [{"id": "orchestrator", "enabled": False}]})
def no_orchestrator(w):
    magentic_is_refused(w, "ORCHESTRATOR_ROLE_NOT_FOUND")


@case("ORCHESTRATOR_UNAVAILABLE", settings={
    "roles": [{"id": "orchestrator", "model": "no-such-model"}]})
def orchestrator_without_a_model(w):
    magentic_is_refused(w, "ORCHESTRATOR_UNAVAILABLE")


# ---- places ---------------------------------------------------------------

@case("MAX_CONCURRENT_REACHED", settings={
    "agent": {"maxConcurrent": 2, "maxOrchestrators": 1}})
def places(w):
    group, plan = w.group(), w.group("sequential")
    w.refuses("MAX_CONCURRENT_REACHED", "run_agents", groupId=group,
              agents=[WORK] * 3)
    w.work(group, HANG)
    w.refuses("MAX_CONCURRENT_REACHED", "run_agents", groupId=group,
              agents=[WORK] * 2)
    w.refuses("MAX_CONCURRENT_REACHED", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}, {"tasks": [WORK] * 2}])
    w.magentic("puppet: hang")
    w.refuses("MAX_CONCURRENT_REACHED", "run_magentic", description="d",
              task="t", completionCriteria="c", scope="s")


# ---- agents ---------------------------------------------------------------

@case("AGENT_NOT_FOUND", "REPORT_FAILED", "ANSWER_TOO_LARGE")
def agents(w):
    report = {"status": "success", "summary": "s"}
    w.refuses("AGENT_NOT_FOUND", "get_agent_status", agentId="none")
    w.refuses("AGENT_NOT_FOUND", "cancel_agent", agentIds=["none"])
    w.refuses("AGENT_NOT_FOUND", "report_result", agentId="none",
              response="r", **report)
    group = w.group()
    hung, large = w.work(group, HANG, HANG)
    w.refuses("AGENT_NOT_FOUND", "wait_agent", agentIds=[hung, "none"])
    w.cancel(agentIds=[hung])
    w.refuses("REPORT_FAILED", "report_result", agentId=hung, response="r",
              **report)
    # Twice in an answer, as text and as content: beyond 8 MiB.
    w.talk.call("report_result", agentId=large, response="x" * (5 << 20),
                **report)
    w.refuses("ANSWER_TOO_LARGE", "get_agent_status", agentId=large, full=True)


@case("NESTING_NOT_ALLOWED", "NOT_PERMITTED")
def sub_agents(w):
    group = w.group()
    for tool, args, code in (
            ("create_group", {"description": "d"}, "NESTING_NOT_ALLOWED"),
            ("cancel_agent", {"groupId": group}, "NOT_PERMITTED"),
            ("delete_group", {"groupId": group}, "NOT_PERMITTED")):
        one, = w.work(group, {**WORK, "prompt": w.script(tool, tool, args)})
        w.was_refused(one, code)
    starts = w.script("starts", "run_agents", {
        "groupId": "${group_id}", "agents": [WORK]})
    other, = w.work(group, HANG)
    forges = w.script("forges", "report_result", {
        "agentId": other, "status": "success", "summary": "s",
        "response": "r"})
    first, second = w.work(group, {**WORK, "prompt": starts},
                          {**WORK, "prompt": forges})
    w.was_refused(first, "NESTING_NOT_ALLOWED")
    w.was_refused(second, "REPORT_FAILED")


@case("CALLER_UNKNOWN")
def one_of_whom_nothing_is_known(w):
    w.connect().close()  # a hub listens
    with InheritedWire(w.state("hub.sock")) as wire:
        wire.hello()
        is_error, body = wire.answer(wire.order("list_agents"))
        assert is_error
        w.judge_body(body, "CALLER_UNKNOWN")


# ---- magentic -------------------------------------------------------------

@case("ROLE_NOT_ALLOWED")
def roles_of_a_family(w):
    child = {"mcp": {"tool": "create_group", "args": {"description": "d"},
                     "save": {"child": "/groupId"}}}
    strays = w.script("strays", "run_agents", {
        "groupId": "${child}", "agents": [{**WORK, "role": "research"}]},
        first=[child])
    started = w.magentic(strays, availableRoles=["impl-code"])
    w.was_refused(started["orchestratorAgentId"], "ROLE_NOT_ALLOWED")


@case("MAX_DEPTH_REACHED")
def families_in_families(w):
    words = {"description": "d", "completionCriteria": "c", "scope": "s"}
    inner = w.script("inner", "run_magentic",
                     {**words, "task": "puppet: hang"})
    outer = w.passing_on("outer", {**words, "task": inner})
    started = w.magentic(outer)
    w.was_refused(started["orchestratorAgentId"], "MAX_DEPTH_REACHED")


@case("MAX_ITERATIONS_REACHED")
def iterations(w):
    group = w.magentic("puppet: hang", maxIterations=2)["groupId"]
    w.refuses("VALIDATION_ERROR", "update_ledger", groupId=group, type="task")
    w.talk.call("update_ledger", **progress(group, iteration=1))
    w.talk.call("update_ledger", **progress(group, iteration=1))
    w.talk.call("update_ledger", **progress(group))
    w.refuses("MAX_ITERATIONS_REACHED", "update_ledger", **progress(group))
    child = w.group(parentGroupId=group)
    w.refuses("MAX_ITERATIONS_REACHED", "run_agents", groupId=child,
              agents=[WORK])


# ---- money ----------------------------------------------------------------

@case("BUDGET_EXCEEDED", settings={
    "prices": [{"model": "*", "input": 1}], "budget": {"dayUsd": 0.001}})
def budgets(w):
    group, plan = w.group(), w.group("sequential")
    spender, = w.work(group, {**WORK, "prompt": "puppet: default"})
    w.result(spender)
    w.refuses("BUDGET_EXCEEDED", "run_agents", groupId=group, agents=[WORK])
    w.refuses("BUDGET_EXCEEDED", "run_sequential", groupId=plan,
              stages=[{"tasks": [WORK]}])
    w.refuses("BUDGET_EXCEEDED", "run_magentic", description="d", task="t",
              completionCriteria="c", scope="s")


# ---- the database ---------------------------------------------------------

@case("STORE_UNAVAILABLE")
def database_is_locked(w):
    group = w.group()
    path, = glob.glob(f"{w.home}/**/kuromajutsu.db", recursive=True)
    db = sqlite3.connect(path, isolation_level=None, timeout=60)
    db.execute("BEGIN IMMEDIATE")
    # What came before the hub has noticed waits; after that it is refused.
    waiting = w.talk.order("create_group", {"description": "d"})
    until(lambda: "STORE_UNAVAILABLE" in repr(w.talk.refused(
        "report_result", agentId="none", status="success", summary="s",
        response="r")), "it is noticed")
    w.refuses("STORE_UNAVAILABLE", "create_group", description="d")
    w.refuses("STORE_UNAVAILABLE", "delete_group", groupId=group)
    w.talk.call("list_agents")
    db.execute("ROLLBACK")
    db.close()
    assert not w.talk.result(waiting).get("isError"), "it was accepted"
    until(lambda: not w.talk.result(w.talk.order(
        "create_group", {"description": "d"})).get("isError"), "it is well")


@case("INTERNAL_ERROR")
def database_takes_no_such_row(w):
    """A row that can never be written would be a fault of ours; here somebody
    else has seen to it that there is one."""
    group = w.group()
    w.settle(w.talk)
    path, = glob.glob(f"{w.home}/**/kuromajutsu.db", recursive=True)
    db = sqlite3.connect(path, isolation_level=None, timeout=60)
    db.execute("CREATE TRIGGER never BEFORE INSERT ON groups WHEN"
               " new.description = 'never' BEGIN"
               " SELECT raise(ABORT, 'not this one'); END")
    db.close()
    # Our lock may have been in the way of a check's row for too long.
    until(lambda: not w.talk.result(w.talk.order(
        "create_group", {"description": "d"})).get("isError"), "it is well")
    w.refuses("INTERNAL_ERROR", "create_group", description="never")
    # Nobody else is held up by it.
    w.talk.call("create_group", description="d")
    w.talk.call("delete_group", groupId=group)


# ---- the hub itself -------------------------------------------------------

@case("HUB_RESTARTED", mode="mcp")
def hub_dies_in_a_call(w):
    # A check that loses its hub would stay for its lease.
    w.settle(w.talk)
    hub = w.hub_pid()
    os.kill(hub, signal.SIGSTOP)
    # What is too large to be kept cannot be repeated to the next hub.
    id = w.talk.order("create_group", {"description": "d" * (65 << 10)})
    small = w.talk.order("create_group", {"description": "d"})
    # The relay answers these by itself, one turn after the other: when the
    # second is there, the call has gone out.
    for _ in range(2):
        w.talk.request("ping")
    os.kill(hub, signal.SIGKILL)
    w.judge(w.talk.result(id), "HUB_RESTARTED")
    assert not w.talk.result(small).get("isError"), "it is repeated"
    w.talk.call("create_group", description="the next hub takes it")


@case("HUB_UNAVAILABLE", mode="mcp", env={"KUROMAJUTSU_HOME": "/proc/none"})
def hub_cannot_start(w):
    w.refuses("HUB_UNAVAILABLE", "list_agents")


def starts_fail(language):
    with tempfile.TemporaryDirectory() as folder:
        env = copy_programs(folder, "kuromajutsu", "kuromajutsu-hub",
                            "kuromajutsu-warden", "kuromajutsu-puppet")
        with RefusingHome(language, env=env, build=folder) as w:
            w.settle(w.talk)
            os.unlink(os.path.join(folder, "kuromajutsu-warden"))
            stages = [{"tasks": [WORK]}]
            w.refuses("AGENTS_START_FAILED", "run_agents",
                      groupId=w.group(), agents=[WORK])
            w.refuses("SEQUENTIAL_START_FAILED", "run_sequential",
                      groupId=w.group("sequential"), stages=stages)
            magentic_is_refused(w, "MAGENTIC_START_FAILED")


produced.update(("AGENTS_START_FAILED", "MAGENTIC_START_FAILED"))


@tap.test
def no_warden_ja():
    starts_fail("ja")


@tap.test
def no_warden_en():
    starts_fail("en")


# ---- none is forgotten ----------------------------------------------------

# What no tool asks for: see tests/e2e/hub/dashboard_test.py.
# Mail has errors of its own, tests/e2e/mail/mail_test.py, and so have phases
# and projects: tests/e2e/phases/, tests/e2e/projects/. Of paths that there are
# not: tests/e2e/web/outsider_test.py.
ELSEWHERE = {"CONFIG_NOT_WRITTEN", "RETRY_REFUSED", "TRANSCRIPT_NOT_FOUND",
             "CONTEXT_NOT_FOUND", "NOT_FOUND", "METHOD_NOT_ALLOWED",
             "PROMPT_NOT_FOUND", "INVALID_PHASE_TRANSITION", "CLOUD_API_ERROR",
             "MISSING_ARGUMENTS", "TASK_NOT_FOUND", "PROJECT_NOT_FOUND",
             "HANDOFF_NOT_FOUND", "RESOURCE_NOT_FOUND", "INVALID_STATUS",
             "INVALID_STATUS_TRANSITION", "DEPENDENCY_NOT_COMPLETE",
             "MAX_PARALLEL_TASKS", "TOKEN_REQUIRED", "TOKEN_INVALID",
             "SESSION_AGENT_MISMATCH", "AGENT_NOT_ASSIGNED",
             "TASK_ACCESS_DENIED", "TASK_CLOSED", "HANDOFF_ALREADY_ACCEPTED",
             "HANDOFF_NOT_FOR_YOU", "AUTH_FAILED", "ALREADY_RUNNING",
             "ALREADY_EXISTS", "NO_TASK"}


@tap.test
def every_code_has_a_case():
    with open(CODE_H, encoding="utf-8") as f:
        codes = set(re.findall(r"\bX\(([A-Z_]+)\)", f.read()))
    assert len(codes) > 20, codes
    missing = codes - produced - ELSEWHERE
    assert not missing, f"no case for {sorted(missing)}"
    assert produced <= codes, f"no such code: {sorted(produced - codes)}"


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""A home to be refused in: a hub in one language, its client, and agents
that ask for what they must not have and report what they were told."""

import json
import re

from harness.hub import HubHome
from harness.until import equal

# A role whose model no CLI has, beside the built-in ones.
GHOST = {"id": "ghost", "name": "Ghost", "description": "cannot be hired",
         "model": "no-such-model", "systemPrompt": "none"}
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
LEFT_OVER = re.compile(r"%[.*\d]*l{0,2}[sduxzc]|\(null\)|\{\{|\$\{|PRI[udx]")
# What a refusal must name, for each code: the tool, field, key or command by
# which its reader gets on. The same in both languages.
REMEDIES = {
    "VALIDATION_ERROR": "",  # by the field: see judge_body
    "EMPTY_AGENTS": "agents",
    "EMPTY_STAGES": "stages",
    "EMPTY_STAGE_TASKS": "tasks",
    "EMPTY_AGENT_IDS": "agentIds",
    "GROUP_NOT_FOUND": "list_groups",
    "GROUP_NOT_ACTIVE": "create_group",
    "GROUP_HAS_RUNNING_AGENTS": "wait_agent cancel_agent",
    "MODE_MISMATCH": "create_group",
    "NOT_MAGENTIC_GROUP": "run_magentic",
    "ROLE_NOT_FOUND": "list_roles impl-code research",
    "ROLE_UNAVAILABLE": "list_roles doctor",
    "ROLE_NOT_ALLOWED": "availableRoles impl-code",
    "ORCHESTRATOR_ROLE_NOT_FOUND": "run_agents run_sequential",
    "ORCHESTRATOR_UNAVAILABLE": "list_roles doctor",
    "MAX_CONCURRENT_REACHED": "wait_agent",
    "MAX_ITERATIONS_REACHED": "report_result",
    "MAX_DEPTH_REACHED": "create_group run_agents",
    "NESTING_NOT_ALLOWED": "report_result",
    "NOT_PERMITTED": "report_result",
    "CALLER_UNKNOWN": "MCP",
    "AGENT_NOT_FOUND": "list_agents",
    "REPORT_FAILED": "",  # report_result for oneself, or get_agent_status
    "AGENTS_START_FAILED": "kuromajutsu",
    "SEQUENTIAL_START_FAILED": "",  # wait_agent, or install it again
    "MAGENTIC_START_FAILED": "kuromajutsu",
    "ANSWER_TOO_LARGE": "full limit",
    "STORE_UNAVAILABLE": "kuromajutsu doctor",
    "BUDGET_EXCEEDED": "budget.",
    "CONFIG_NOT_WRITTEN": "",  # the dashboard's, not a tool's
    "TRANSCRIPT_NOT_FOUND": "",
    "HUB_RESTARTED": "list_groups list_agents",
    "HUB_UNAVAILABLE": "",  # says why there is none: see relay/death
    "INTERNAL_ERROR": "",
}
WORK = {"role": "impl-code", "prompt": "puppet: reply"}
HANG = {"role": "impl-code", "prompt": "puppet: hang"}


def deep_merge(base, more):
    both = dict(base)
    for key, value in more.items():
        old = both.get(key)
        is_deep = isinstance(old, dict) and isinstance(value, dict)
        both[key] = deep_merge(old, value) if is_deep else value
    return both


def report(response):
    """The last steps of an agent."""
    return [{"mcp": {"tool": "report_result", "args": {
        "agentId": "${agent_id}", "status": "failure", "summary": "refused",
        "response": response}}}, "result"]


class RefusingHome(HubHome):
    """`mode` is "mcp" (relay and hub) or "--standalone"."""

    def __init__(self, language, mode="--standalone", settings=None, **home):
        base = {"language": language, "roles": [GHOST],
                "agent": {"maxConcurrent": 4, "maxOrchestrators": 4}}
        super().__init__(deep_merge(base, settings or {}), **home)
        self.language = language
        self.mode = mode

    def __enter__(self):
        self.talk = self.start(self.mode).talk
        self.talk.hello()
        self.talk.learn()
        return self

    # ---- what was said --------------------------------------------------

    def judge(self, result, code):
        """The result of a refused call, to the letter."""
        equal(result.get("isError"), True)
        assert "structuredContent" not in result, "an error has no content"
        text, = result["content"]
        equal(text["type"], "text")
        self.judge_body(json.loads(text["text"]), code)

    def judge_body(self, body, code):
        equal(body["error"], True)
        equal(body["code"], code)
        assert set(body) <= {"error", "code", "message", "details"}, body
        message = body["message"]
        assert message.strip() and not LEFT_OVER.search(message), message
        for word in REMEDIES[code].split():
            assert word in message, f"{code} does not name {word}: {message}"
        if code == "VALIDATION_ERROR":
            assert "'" in message, f"it names no field: {message}"
        is_japanese = bool(JAPANESE.search(message))
        assert is_japanese == (self.language == "ja"), message

    def refuses(self, code, tool, **args):
        self.judge(self.talk.refused(tool, **args), code)

    # ---- what there is --------------------------------------------------

    def group(self, mode="concurrent", **more):
        return self.talk.call("create_group", description="d", mode=mode,
                              **more)["groupId"]

    def work(self, group, *tasks):
        """Starts them; their ids."""
        agents = self.talk.call("run_agents", groupId=group,
                                agents=list(tasks))["agents"]
        return [agent["agentId"] for agent in agents]

    def magentic(self, task, **more):
        return self.talk.call("run_magentic", description="d", task=task,
                              completionCriteria="c", scope="s", **more)

    def cancel(self, **what):
        return self.talk.call("cancel_agent", **what)

    def result(self, agent):
        """Waits for its end, and gives its result."""
        seen = self.talk.call("wait_agent", agentIds=[agent],
                              timeout_ms=100000)
        equal(seen["timedOut"], False)
        return self.talk.call("get_agent_status", agentId=agent)["result"]

    # ---- agents that ask ------------------------------------------------

    def script(self, name, tool, args, first=()):
        """The prompt of an agent that makes one call, and reports how it was
        refused."""
        said = {"error": "${error}", "code": "${code}",
                "message": "${message}"}
        return self._write(name, [*first, {"mcp": {
            "tool": tool, "args": args, "save": {
                "error": "/error", "code": "/code", "message": "/message"}}},
            *report(json.dumps(said))])

    def passing_on(self, name, args):
        """The prompt of an orchestrator that starts another one below, and
        reports what that one has reported."""
        ids = {"agentIds": ["${inner}"]}
        return self._write(name, [
            {"mcp": {"tool": "run_magentic", "args": args,
                     "save": {"inner": "/orchestratorAgentId"}}},
            {"wait_mcp": {"tool": "wait_agent", "args": ids, "until":
                          "/timedOut", "equals": False, "timeout": 600000}},
            {"mcp": {"tool": "get_agent_status", "args": {
                "agentId": "${inner}"}, "save": {
                    "below": "/result/response"}}},
            *report("${below}")])

    def _write(self, name, steps):
        path = self.project / (name + ".yaml")
        path.write_text(json.dumps(steps, ensure_ascii=False))  # JSON is YAML
        return f"puppet-file: {path}"

    def was_refused(self, agent, code):
        """What it reports of its one call."""
        body = json.loads(self.result(agent)["response"], strict=False)
        body["error"] = {"true": True}.get(body["error"], body["error"])
        self.judge_body(body, code)

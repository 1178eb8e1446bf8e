# SPDX-License-Identifier: MIT
"""A fleet at work as one would see it: groups of all three modes, whose
puppets say and do what agents say and do. None ends while it is looked at."""

import json

from harness.tools import new_group, wait_for
from harness.until import until

FOREVER_MS = 3_600_000
SETTINGS = """language: %s
dashboard: {port: 0}
agent: {maxConcurrent: 14, maxQueued: 100}
prices:
  - {model: "*", input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75}
budget: {dayUsd: 20}
"""
OLD = """    if (fd < 0)
        return -1;
    return dial(fd, host, port);
"""
NEW = """    if (fd < 0)
        return -errno;
    said = dial(fd, host, port);
    if (said < 0)
        close(fd);
    return said;
"""
REPORT = """## What I did

- `connect_once()` says **why** it failed and leaks no descriptor.
- Three attempts, 100 ms, 400 ms and 1.6 s apart; each is logged.

| attempt | after | seen in |
|---|---|---|
| 1 | 0 ms | `net/dial_test.c` |
| 2 | 100 ms | `net/dial_test.c` |
| 3 | 400 ms | `net/retry_test.c` |

1. [x] Tests first
2. [x] `make check`: 214 passed
3. [ ] The manual page still names one attempt

> A peer that answers with a reset is not asked again.
"""


def say(text):
    return {"say": {"text": text, "chunks": 1}}


def tool(name, output="", ms=0, exit=0, **args):
    step = {"name": name, "args": args, "output": output, "ms": ms}
    return {"tool": {**step, **({"exit": exit} if exit else {})}}


def edit(path, old="", new="", created=False):
    return {"edit": {"path": path, "content": new, "created": created,
                     **({} if created else {"old": old})}}


def usage(scale):
    return {"usage": {"input": 9400 * scale, "output": 1200 * scale,
                      "cache_read": 61000 * scale}}


def report(summary, status="success", response=REPORT, error=None):
    return {"mcp": {"tool": "report_result", "args": {
        "agentId": "${agent_id}", "status": status, "summary": summary,
        "response": response, **({"errorMessage": error} if error else {})}}}


LOOKS = [say("I look at what is there before I change anything."),
         tool("read", "#include <sys/socket.h>\n" * 40, ms=450,
              path="net/dial.c"),
         tool("grep", "net/dial.c:41\nnet/pool.c:88\nnet/pool.c:131\n",
              ms=700, pattern="connect_once")]
SCENES = {
    "done": [*LOOKS, {"think": "A retry must not hide the first error."},
             edit("net/dial.c", OLD, NEW),
             edit("net/retry.c", new="int retry(void);\n", created=True),
             tool("shell", "ok 214 - all\n214 passed\n", ms=1900,
                  command="make check"),
             usage(2), report("Connections are tried three times; the first "
                              "error is the one told. 214 tests pass."),
             {"result": {}}],
    "review": [*LOOKS, say("The pool hands out a connection that its owner "
                           "may close: **pool.c:131**."),
               usage(1), report("One use after close in the pool, two tests "
                                "that cannot fail."), {"result": {}}],
    "fails": [*LOOKS,
              tool("shell", "net/pool.c:131: error: 'conn' undeclared\n"
                   "ninja: build stopped.\n", exit=1, command="ninja test"),
              usage(1), report("The tests do not build.", "failure",
                               error="net/pool.c:131: 'conn' undeclared"),
              {"result": {}}],
    "shell": [*LOOKS, edit("net/dial.c", OLD, NEW), usage(3),
              say("The edit is in. Now the whole suite, under the "
                  "sanitizers, for a leak here would show nowhere else."),
              tool("shell", ms=FOREVER_MS,
                   command="meson test -C build-asan --suite net")],
    "pool": [*LOOKS, edit("net/pool.c", OLD, NEW), usage(2),
             say("Both callers of the pool have to be told. I begin with "
                 "the one that has a test."),
             tool("read", ms=FOREVER_MS, path="net/pool_test.c")],
    "pool2": [say("The pool's limit belongs into its configuration."),
              edit("net/pool.c", OLD, NEW), usage(1),
              tool("grep", ms=FOREVER_MS, pattern="POOL_MAX")],
    "waits": [say("Looking for what the standard says of half-open sockets."),
              tool("web_search", ms=FOREVER_MS, query="RFC 9293 half-open")],
}


def ledger(kind, **more):
    return {"mcp": {"tool": "update_ledger",
                    "args": {"groupId": "${group_id}", "type": kind, **more}}}


def judged(answer, reason):
    return {"answer": answer, "reason": reason}


def lead(file_of):
    def work(scene, line):
        return f"{line}\npuppet-file: {file_of(scene)}"
    return [
        {"think": "What is asked, and who can do it?"}, {"mcp": "list_roles"},
        ledger("task", facts={
            "given": ["The pool leaks under load"],
            "toInvestigate": ["Which caller keeps a closed connection"],
            "toDerive": [], "assumptions": ["One owner per connection"]},
            plan=["Find who keeps a closed connection",
                  "Write a test that fails for it",
                  "Give the pool one owner", "Review what came of it"]),
        ledger("progress", iteration=1,
               isRequestSatisfied=judged(False, "nothing is written yet"),
               isInLoop=judged(False, "the first round"),
               isProgressBeingMade=judged(True, "the callers are known"),
               nextAction=judged("Have the callers read by two",
                                 "they are in two packages"),
               instruction=judged("Read net/ and rpc/", "as planned")),
        {"mcp": {"tool": "create_group", "args": {
            "description": "Who keeps a closed connection", "mode":
            "concurrent", "parentGroupId": "${group_id}"},
            "save": {"first": "/groupId"}}},
        {"mcp": {"tool": "run_agents", "args": {
            "groupId": "${first}", "agents": [
                {"role": "research", "prompt": work("review", "Read net/")},
                {"role": "code-review",
                 "prompt": work("review", "Read rpc/")}]},
            "save": {"a": "/agents/0/agentId", "b": "/agents/1/agentId"}}},
        {"wait_mcp": {"tool": "wait_agent",
                      "args": {"agentIds": ["${a}", "${b}"]},
                      "until": "/timedOut", "equals": False,
                      "timeout": FOREVER_MS}},
        ledger("progress", iteration=2,
               isRequestSatisfied=judged(False, "the fix is not written"),
               isInLoop=judged(False, "other files than before"),
               isProgressBeingMade=judged(True, "pool.c:131 is found"),
               nextAction=judged(
                   "Have a failing test written, then the fix",
                   "the review named the line"),
               instruction=judged("Test first", "so that it stays mended")),
        {"mcp": {"tool": "create_group", "args": {
            "description": "A test that fails, then the fix", "mode":
            "sequential", "parentGroupId": "${group_id}"},
            "save": {"second": "/groupId"}}},
        {"mcp": {"tool": "run_sequential", "args": {
            "groupId": "${second}", "stages": [
                {"tasks": [{"role": "impl-test", "prompt": work(
                    "review", "Write a test that fails")}]},
                {"tasks": [{"role": "impl-code", "prompt": work(
                    "waits", "Give the pool one owner")}]}]},
            "save": {"c": "/stages/0/agentIds/0"}}},
        usage(4), say("The test is there and fails as it should. "
                      "The fix is being written."),
        {"wait_mcp": {"tool": "wait_agent", "args": {"groupId": "${second}"},
                      "until": "/timedOut", "equals": False,
                      "timeout": FOREVER_MS}}]


class Scene:
    """What a hub has after play(): ids by what they show."""

    def __init__(self, home, talk):
        self.home, self.talk = home, talk
        for name, steps in SCENES.items():
            self._write(name, steps)
        self._write("lead", lead(self._file))

    def _file(self, name):
        return str(self.home.top / f"scene-{name}.json")

    def _write(self, name, steps):
        with open(self._file(name), "w", encoding="utf-8") as f:
            json.dump({"steps": steps}, f)

    def task(self, scene, line, role="impl-code", **more):
        how = (f"puppet-file: {self._file(scene)}" if scene in SCENES
               or scene == "lead" else f"puppet: {scene}")
        return {"role": role, "prompt": f"{line}\n{how}", **more}

    def run(self, description, *tasks):
        group = new_group(self.talk, description=description)
        made = self.talk.call("run_agents", groupId=group, agents=list(tasks))
        return group, [a["agentId"] for a in made["agents"]]

    def many(self, count):
        group, ids = self.run("Every chapter of the manual, spelt right", *(
            self.task("default ms=1 delay=0" if i % 17 else "crash",
                      f"Chapter {i + 1}", "text-review")
            for i in range(count)))
        wait_for(self.talk, *ids)
        return group

    def play(self, many=64):
        talk = self.talk
        self.crowd = self.many(many) if many else None
        made = talk.call(
            "run_magentic", description="The pool leaks under load",
            **{"task": self.task("lead", "Find the leak of the pool, mend it, "
                                 "prove it")["prompt"]},
            scope="net/ and rpc/", maxIterations=8,
            completionCriteria="a test failed before and passes now")
        self.magentic = made["groupId"]
        self.lead = made["orchestratorAgentId"]
        self.row = new_group(talk, mode="sequential",
                             description="Retries for every connection")
        talk.call("run_sequential", groupId=self.row, stages=[
            {"tasks": [self.task("review", "Where are connections made?",
                                 "research")]},
            {"tasks": [self.task("shell", "Try three times, tell the first "
                                 "error"),
                       self.task("waits", "Tests of what a reset does",
                                 "impl-test")]},
            {"tasks": [self.task("review", "Review both", "code-review")]}])
        self.group, ids = self.run(
            "Make the network layer honest about its errors",
            self.task("done", "Tell why a connection failed"),
            self.task("fails", "Tests for the pool", "impl-test"),
            self.task("review", "Review net/", "code-review"),
            self.task("hang", "Count what is open", timeout_ms=1500),
            self.task("hang", "Look at rpc/ too", "research"),
            self.task("pool", "One owner for each connection"),
            self.task("pool2", "A limit for the pool"),
            self.task("shell", "No descriptor may leak"))
        (self.done, self.failed, self.review, self.late, self.gone, self.pool,
         self.pool2, self.shell) = ids
        wait_for(talk, self.done, self.failed, self.review, self.late)
        talk.call("cancel_agent", agentIds=[self.gone])
        wait_for(talk, self.gone)
        until(self._is_set, "the scene")
        return self

    def _is_set(self):
        agents = self.talk.call("list_agents")["agents"]
        busy = [a for a in agents if a["status"] == "running"]
        return len(busy) >= 7 and all(
            a["toolCallCount"] for a in busy if a["role"] != "orchestrator")

    def end(self):
        for a in self.talk.call("list_agents")["agents"]:
            if a["status"] in ("queued", "running"):
                self.talk.call("cancel_agent", agentIds=[a["agentId"]])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A group's work as Markdown: of a git checkout and of none, with a hub and
without one."""

import re
import signal
import subprocess

from harness import tap
from harness.command import served
from harness.tools import new_group, wait_for
from harness.until import contains, equal, until

WORK = """
- edit: {path: '${cwd}/a.c', content: "int b;\\\\n", write: true}
- edit: {path: '${cwd}/new.c', content: "int n;\\\\n", created: true,
         write: true}
- mcp: {tool: report_result, args: {agentId: '${agent_id}', status: success,
    summary: 'a is b ``` now', response: r, editedFiles: [a.c]}}
- usage: {input: 12345, output: 5}
- result
"""


def git(h, *words):
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x",
                    *words], cwd=h.project, env=h.env, check=True,
                   capture_output=True)


def worked(h):
    """A group of two: one has changed files, the other has failed."""
    (h.project / "a.c").write_text("int a;\n", encoding="utf-8")
    if h.has_git:
        git(h, "init", "-q")
        git(h, "add", "a.c")
        git(h, "commit", "-qm", "first")
    script = h.project / "work.yaml"
    script.write_text(WORK, encoding="utf-8")
    group = new_group(h.talk, description="The task of it")
    made = h.talk.call("run_agents", groupId=group, agents=[
        {"role": "impl-code", "prompt": f"puppet-file: {script}"},
        {"role": "impl-code", "prompt": "puppet: failure"}])["agents"]
    ids = [one["agentId"] for one in made]
    wait_for(h.talk, *ids)
    until(lambda: not any(h.alive(one) for one in ids), "their ends")
    return group, ids


@tap.test
def of_one_at_work_all_tell_the_time_so_far():
    """What was recorded is how long it was when its state last changed."""
    with served() as h:
        group = new_group(h.talk)
        one = h.talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": "puppet: hang"}]
            )["agents"][0]["agentId"]
        h.until_running(h.talk, one)
        until(lambda: h.talk.call("get_agent_status", agentId=one)
              ["elapsed_ms"] >= 1000, "a second")
        for words in (("agents",), ("history",), ("report", group)):
            line = next(line for line in h.run(*words, COLUMNS="160")
                        .out.splitlines() if one in line)
            assert re.search(r"\b(?:\d+\.\d s|\d+ s|\d+m \d+s)\b", line), line


@tap.test
def a_group_is_reported_with_its_diff():
    with served() as h:
        h.has_git = True
        group, ids = worked(h)
        run = h.run("report", group)
        equal((run.returncode, run.err), (0, ""))
        for words in ("# The task of it", "2 agents: 1 succeeded, 1 failed",
                      "a is b ``` now", "puppet: failure", "- `a.c`",
                      "- `new.c`", "-int a;", "+int b;", "```diff",
                      "does not have yet", "without 12,350 tokens", *ids):
            contains(run.out, words)
        # Why the other one failed, before what it happened to say last.
        contains(run.out, "Error:\n\n> Error: the model gave up\n\n"
                 "Its last words:\n\nTrying it.\n")
        equal(run.out.count("- `a.c`"), 1)
        file = h.project / "report.md"
        equal(h.run("report", group[-4:], "-o", str(file)).returncode, 0)
        equal(file.read_text(encoding="utf-8"), run.out)
        japanese = h.run("report", group, KUROMAJUTSU_LANGUAGE="ja").out
        contains(japanese, "成功 1、失敗 1")
        h.talk.close()
        h.served.send_signal(signal.SIGTERM)
        h.stopped(h.served)
        alone = h.run("report", group)
        equal((alone.returncode, alone.err), (0, ""))
        equal(alone.out, run.out)


@tap.test
def what_is_no_checkout_says_so():
    with served() as h:
        h.has_git = False
        h.set(GIT_CEILING_DIRECTORIES=str(h.top))
        group, _ = worked(h)
        out = h.run("report", group).out
        contains(out, "no git checkout")
        contains(out, "- `a.c`")
        run = h.run("report", "grp-none")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "kuromajutsu groups")
        equal(h.run("report", group, "-o", "/nowhere/x").returncode, 1)
        equal(h.run("report").returncode, 2)


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Agents while they run, by the command line and the API: what is told of
them is what their streams show now."""

import json
import re
import unicodedata
import urllib.request

from harness import tap
from harness.command import CommandHome, served
from harness.tools import new_group, start_agents, wait_for
from harness.until import contains, equal, until


def data_of(h, *words):
    run = h.run(*words, "--json")
    equal((words, run.returncode, run.err), (words, 0, ""))
    return json.loads(run.out)


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else
               0 if unicodedata.combining(c) else 1 for c in line)


@tap.test
def a_running_agent_is_shown_as_it_is_now():
    with served() as h:
        _, (one,) = h.group("hang")

        def seen():
            data = data_of(h, "show", one)
            return (data["status"] == "running" and data["messages"] > 0
                    and data)
        data = until(seen, "its first message")
        assert data["cliModel"] and data["sessionId"], data
        assert data["lines"] > 1 and data["bytes"] > 100, data
        contains(h.run("show", one).out, data["cliModel"])
        url = data_of(h, "status")["url"].rstrip("/")
        with urllib.request.urlopen(f"{url}/api/agents/{one}") as answer:
            told = json.load(answer)
        equal({key: told[key] for key in ("cliModel", "lines", "messages")},
              {key: data[key] for key in ("cliModel", "lines", "messages")})


@tap.test
def a_list_says_what_agents_are_about():
    with served() as h:
        group = new_group(h.talk, description="d")
        ids = start_agents(h.talk, "hang", "failure", "report", group=group)
        wait_for(h.talk, *ids[1:])
        until(lambda: h.is_running(ids[0]), "the agent")
        for width in (60, 80, 120):
            out = h.run("agents", COLUMNS=str(width)).out
            rows = {line.split()[0]: line for line in out.splitlines()}
            assert all(columns(line) <= width for line in rows.values()), out
            # Of what it is about ten columns stay where times are short, and
            # more where they are so long that another column is left out.
            for id, state, about in zip(ids, ("running", "failed", "reported"),
                                        ("hang", "failure", "report")):
                contains(rows[id], state)
                contains(rows[id], "puppet: " + about[:1 if width == 60 else 4])
            at = rows["ID"].index("ABOUT")
            assert all(line[at - 1] == " " for line in rows.values()), out
        listed = data_of(h, "agents")["agents"]
        equal([x["about"] for x in listed],
              ["puppet: hang", "puppet: failure", "puppet: report"])


@tap.test
def ids_may_be_shortened_while_they_are_clear():
    with served() as h:
        group, ids = h.group("report", "report")
        wait_for(h.talk, *ids)
        one = ids[0]
        equal(data_of(h, "show", one[-4:])["agentId"], one)
        equal(data_of(h, "agents", "-g", group[-4:])["total"], 2)
        run = h.run("show", "impl-code")
        equal((run.returncode, run.out), (1, ""))
        for id in ids:
            contains(run.err, id)
        run = h.run("show", "zzzz")
        equal(run.returncode, 1)
        contains(run.err, "kuromajutsu agents")


@tap.test
def a_list_is_watched_until_all_have_ended():
    with served() as h:
        group, (one,) = h.group("hang")
        watch = h.popen("agents", "--group", group, "--watch")
        while b"running" not in watch.stdout.readline():
            pass
        equal(h.run("cancel", one).returncode, 0)
        out, err = watch.communicate()
        equal((watch.returncode, err), (0, b""))
        contains(out.decode().splitlines()[-1], "cancelled")


@tap.test
def what_changes_something_wants_four_characters():
    with served() as h:
        group, (one, other) = h.group("hang", "hang")
        run = h.run("cancel", one[-3:])
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "4 characters")
        run = h.run("cancel", "impl-code")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, one)
        contains(run.err, other)
        contains(h.run("cancel", one[-4:]).out, f"{one}  cancelled")
        contains(h.run("cancel", "-g", group[-4:]).out, f"{other}  cancelled")


@tap.test
def waits_say_by_their_exit_how_it_went():
    with served() as h:
        _, (good,) = h.group("report")
        group, (also, bad) = h.group("report", "failure")
        _, (never,) = h.group("hang")
        run = h.run("wait", good)
        equal((run.returncode, run.err), (0, ""))
        contains(run.out, f"{good}  reported")
        contains(run.out, "Done: puppet: report")
        run = h.run("wait", good[-4:], group)
        equal((run.returncode, run.err), (1, ""))
        contains(run.out, f"{bad}  failed")
        contains(run.out, f"{also}  reported")
        contains(run.out, "Error: the model gave up")  # not its last words
        assert "Trying it" not in run.out, run.out
        run = h.run("wait", "--timeout", "0", never)
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "has not ended")
        equal(h.run("wait", "nosuch-1-a").returncode, 1)
        equal(h.run("wait").returncode, 2)
        waits = h.popen("wait", never)
        equal(h.run("cancel", never).returncode, 0)
        out, _ = waits.communicate()
        equal(waits.returncode, 1)
        contains(out.decode(), "cancelled")


@tap.test
def a_group_is_shown_with_plan_ledger_and_members():
    with served() as h:
        made = h.talk.call(
            "run_magentic", description="a family", scope="s",
            task="puppet: orchestrator", completionCriteria="it holds")
        wait_for(h.talk, made["orchestratorAgentId"])
        out = h.run("show", made["groupId"]).out
        for words in (made["groupId"], "magentic", "a family", "it holds",
                      "puppet: orchestrator", "One writes both parts",
                      made["orchestratorAgentId"]):
            contains(out, words)
        below = data_of(h, "show", made["groupId"])["childGroupIds"]
        for child in below:
            contains(out, child)
        out = h.run("show", below[1]).out
        contains(out, "stage 2")
        contains(out, "puppet: report Check it.")
        contains(h.run("show", below[1], KUROMAJUTSU_LANGUAGE="ja").out,
                 "段 2")


TWO_NAMES = """
- edit: {path: '${cwd}/src/a.c', content: "int a;\\n"}
- mcp: {tool: report_result, args: {agentId: '${agent_id}',
    status: success, summary: s, response: r,
    editedFiles: [src/a.c, ./src/a.c, '${cwd}/src/a.c', other.c]}}
- usage: {input: 12345, output: 5}
- result
"""


@tap.test
def a_file_has_one_name_and_tokens_without_a_price_say_so():
    with served() as h:
        script = h.project / "two.yaml"
        script.write_text(TWO_NAMES, encoding="utf-8")
        group = new_group(h.talk, description="d")
        made = h.talk.call("run_agents", groupId=group, agents=[
            {"role": "impl-code", "prompt": f"puppet-file: {script}"}])
        one = made["agents"][0]["agentId"]
        wait_for(h.talk, one)
        until(lambda: data_of(h, "show", one)["gone"], "its end")
        out = h.run("show", one).out
        equal((out.count("src/a.c"), out.count("other.c")), (1, 1))
        assert "\npid" not in out, "its process is gone"
        contains(out, "12,345 in")
        contains(out, "not known")
        data = data_of(h, "show", one)
        assert data["createdAt"] <= data["startedAt"], data


def with_script(h, text, group):
    script = h.project / "script.yaml"
    script.write_text(text, encoding="utf-8")
    return h.talk.call("run_agents", groupId=group, agents=[
        {"role": "impl-code", "prompt": f"puppet-file: {script}"}]
    )["agents"][0]["agentId"]


def lines_of(h, *words):
    run = h.run("logs", *words)
    equal((words, run.returncode, run.err), (words, 0, ""))
    return run.out.splitlines()


@tap.test
def logs_print_text_while_it_streams():
    with served() as h:
        one = with_script(h, """
- raw: '{"type":"assistant","message":{"role":"assistant","content":[{"type":"text","text":"half a "}]},"session_id":"s","timestamp_ms":1}'
- hang
""", new_group(h.talk, description="d"))
        logs = h.popen("logs", "-f", one)
        seen = b""
        while b"half a" not in seen:
            seen += logs.stdout.read1()
        assert logs.poll() is None
        equal(h.run("cancel", one).returncode, 0)
        logs.communicate()


@tap.test
def logs_have_an_end_and_a_beginning():
    with served() as h:
        _, (one,) = h.group("report")
        wait_for(h.talk, one)
        until(lambda: not h.alive(one), "its end")
        whole = lines_of(h, one)
        equal(lines_of(h, "--tail", "2", one), whole[-2:])
        equal(lines_of(h, "-n", "1000", one[-4:]), whole)
        equal(lines_of(h, "--since", "2020-01-01", one), whole[1:])
        equal(lines_of(h, "--since", "2099-01-01", one), [])
        equal(h.run("logs", "--tail", "0", one).returncode, 2)
        equal(h.run("logs", "--since", "yore", one).returncode, 2)
        equal(h.run("logs", "--raw", "--tail", "1", one).returncode, 2)


@tap.test
def logs_know_which_cli_an_agent_was():
    """Also if its role has another by now, with a hub and without."""
    helper = ("roles:\n- {id: helper, name: H, description: d, backend: %s, "
              "model: sonnet, systemPrompt: p}\n")
    with CommandHome(helper % "claude") as h:
        h.cli("claude", words="--backend claude")
        h.cli("agent")
        h.begin(command="")
        _, (one,) = h.group("report", role="helper")
        wait_for(h.talk, one)
        until(lambda: not h.alive(one), "its end")
        whole = lines_of(h, one)
        contains("\n".join(whole), "●")
        h.configure(helper % "cursor")
        equal(lines_of(h, one), whole)
        h.talk.close()
        h.stop(h.served)
        equal(lines_of(h, one), whole)
        equal(lines_of(h, "-n", "1000", one), whole)


@tap.test
def logs_of_a_group_name_each_agent():
    with served() as h:
        group, ids = h.group("report", "failure")
        ids += start_agents(h.talk, "reply", group=group, role="code-review")
        wait_for(h.talk, *ids)
        until(lambda: not any(h.alive(x) for x in ids), "their ends")
        lines = [line for line in lines_of(h, group)
                 if line.startswith(("impl-code", "code-review"))]
        equal({line.split()[0] for line in lines}, set(ids))
        equal(len({re.match(r"\S+ +", line).end() for line in lines
                   if re.match(r"\S+ +\d\d:", line)}), 1)
        times = [line.split()[1] for line in lines if ":" in line.split()[1]]
        equal(times, sorted(times))
        equal(sum(line.startswith(("impl-code", "code-review"))
                  for line in lines_of(h, "-n", "1", group)), 1)
        follow = h.popen("logs", "-f", group)
        out, err = follow.communicate()
        equal((follow.returncode, err), (0, b""))
        equal(set(out.decode().splitlines()), set(lines_of(h, group)))


@tap.test
def logs_of_one_that_never_began_end():
    with served("agent: {maxConcurrent: 1, maxQueued: 1}\n") as h:
        group, (first,) = h.group("hang")
        (second,) = start_agents(h.talk, "hang", group=group)
        until(lambda: h.is_running(first), "the first agent")
        follows = [h.popen("logs", "-f", *words) for words in
                   ((group,), ("-n", "5", second), (second,))]
        equal(h.run("cancel", "--group", group).returncode, 0)
        outs = [follow.communicate() for follow in follows]
        equal([follow.returncode for follow in follows], [0, 0, 0])
        for _, err in outs[1:]:
            contains(err.decode(), f"{second} has printed nothing")


if __name__ == "__main__":
    tap.run()

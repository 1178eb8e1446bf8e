#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How an agent was started, runs and ended, and what it wrote to stderr, as a
browser asks for it: while it runs, when it is gone, of the next hub too."""

import json
import os

from harness import tap
from harness.tools import new_group, start_agents
from harness.until import equal, until
from harness.web import served

SECRET = "sk-not-for-anybody"


def layers(web, id):
    return {x["layer"]: x["text"]
            for x in web.ask(f"agents/{id}/prompt")["layers"]}


# ---- prompts ---------------------------------------------------------------

@tap.test
def a_prompt_is_told_in_its_layers():
    with served() as web:
        id, = start_agents(web.wire, "reply")
        web.gone(id)
        prompt = web.ask(f"agents/{id}/prompt")
        equal([x["layer"] for x in prompt["layers"]],
              ["role", "identity", "task"])
        whole = "\n\n".join(x["text"] for x in prompt["layers"])
        equal((prompt["isKnown"], prompt["bytes"]),
              (True, len(whole.encode())))
        assert id in layers(web, id)["identity"], prompt
        equal(layers(web, id)["task"], "puppet: reply")
        # It is what the CLI was given, as the CLI says.
        lines = web.ask(f"agents/{id}/transcript")["lines"]
        said = [x["message"]["content"][0]["text"] for x in lines
                if x["type"] == "user"]
        equal(said, [whole])
        web.restart()
        equal(web.ask(f"agents/{id}/prompt"), prompt)


@tap.test
def papers_of_an_earlier_version_are_read():
    """They were a file of their own."""
    with served() as web:
        id, = start_agents(web.wire, "reply")
        web.gone(id)
        prompt = web.ask(f"agents/{id}/prompt")
        folder = web.home.state() / "agents" / id
        whole = (folder / "warden").read_bytes()
        lines, papers = whole[:4096], whole[4096:]
        (folder / "warden").write_bytes(lines.rstrip(b"\0"))
        equal(web.ask(f"agents/{id}/prompt"),
              {"agentId": id, "isKnown": False, "bytes": 0, "layers": []})
        (folder / "launch.json").write_bytes(papers)
        equal(web.ask(f"agents/{id}/prompt"), prompt)
        equal(web.ask(f"agents/{id}/process")["promptAs"], "argument")


@tap.test
def later_stages_and_orchestrators_have_layers_of_their_own():
    with served() as web:
        group = new_group(web.wire, mode="sequential")
        made = web.wire.call("run_sequential", groupId=group, stages=[
            {"tasks": [{"role": "impl-code", "prompt": "puppet: reply"}]},
            {"tasks": [{"role": "impl-code", "prompt": "puppet: reply"}]}])
        ids = [id for stage in made["stages"] for id in stage["agentIds"]]
        web.gone(*ids)
        equal(list(layers(web, ids[0])), ["role", "identity", "task"])
        second = layers(web, ids[1])
        equal(list(second), ["role", "identity", "previousStage", "task"])
        assert ids[0] in second["previousStage"], second
        made = web.wire.call(
            "run_magentic", description="d", task="puppet: reply",
            completionCriteria="it is so", scope="all of it")
        id = made["orchestratorAgentId"]
        web.gone(id)
        whole = layers(web, id)
        equal(list(whole), ["role", "identity", "orchestration"])
        assert "it is so" in whole["orchestration"], whole


@tap.test
def one_that_waits_has_none_yet():
    with served(agent={"maxQueued": 5, "maxConcurrent": 1}) as web:
        ids = start_agents(web.wire, "hang", "hang")
        web.home.until_running(web.wire, ids[0])
        equal(web.ask(f"agents/{ids[1]}/prompt"),
              {"agentId": ids[1], "isKnown": False, "bytes": 0, "layers": []})
        process = web.ask(f"agents/{ids[1]}/process")
        equal((process["isRunning"], process["argv"], process["reason"],
               process["pid"]), (False, None, None, None))
        equal(web.ask(f"agents/{ids[1]}/stderr"),
              {"agentId": ids[1], "from": 0, "text": "", "previous": None,
               "next": None, "size": 0, "isComplete": False})
        web.wire.call("cancel_agent", agentIds=ids[::-1])
        web.gone(*ids)


# ---- processes -------------------------------------------------------------

@tap.test
def a_process_is_told_while_it_runs_and_when_it_has_ended():
    with served() as web:
        web.wire.close()
        web.wire = web.home.session(env=[f"SOME_API_KEY={SECRET}", *(
            f"{k}={v}" for k, v in web.home.env.items())])
        id, = start_agents(web.wire, "hang")
        web.home.until_running(web.wire, id)
        now = web.ask(f"agents/{id}/process")
        equal((now["isRunning"], now["wardenPid"], now["exitCode"],
               now["signal"], now["reason"], now["endedAt"]),
              (True, web.home.warden(id), None, None, None, None))
        assert now["pid"] in web.home.tree(id), now
        equal((now["argv"][-1], now["promptAs"], now["workingDirectory"]),
              ("{prompt}", "argument", os.getcwd()))
        assert now["argv"][0].endswith("kuromajutsu-puppet"), now
        assert now["processes"] >= 1 and now["memory_bytes"] > 1 << 16, now
        assert now["startedAt"] and now["stdoutBytes"] > 0, now
        assert SECRET not in json.dumps(now), now
        web.restart(is_killed=True)
        again = until(lambda: (p := web.ask(f"agents/{id}/process"))
                      ["isRunning"] and p, "it to be adopted")
        equal((again["pid"], again["argv"]), (now["pid"], now["argv"]))
        web.wire.call("cancel_agent", agentIds=[id])
        web.gone(id)
        ended = web.ask(f"agents/{id}/process")
        equal((ended["isRunning"], ended["pid"], ended["memory_bytes"],
               ended["reason"]), (False, None, None, "ordered"))
        assert ended["signal"] or ended["exitCode"] is not None, ended
        assert ended["peakMemory_bytes"] > 0 and ended["endedAt"], ended
        equal(ended["argv"], now["argv"])


@tap.test
def a_long_prompt_is_given_on_stdin():
    with served() as web:
        id, = start_agents(web.wire, "reply", role="impl-code")
        long, = (a["agentId"] for a in web.wire.call(
            "run_agents", groupId=new_group(web.wire), agents=[{
                "role": "impl-code",
                "prompt": "x" * 200000 + "\npuppet: reply"}])["agents"])
        web.gone(id, long)
        process = web.ask(f"agents/{long}/process")
        equal((process["promptAs"], process["exitCode"], process["reason"]),
              ("stdin", 0, "exited"))
        assert "{prompt}" not in process["argv"], process
        equal(len(layers(web, long)["task"]), 200000 + len("\npuppet: reply"))


# ---- stderr ----------------------------------------------------------------

@tap.test
def stderr_is_read_both_ways():
    with served() as web:
        id, = start_agents(web.wire, "failure")
        web.gone(id)
        page = web.ask(f"agents/{id}/stderr")
        assert "the model gave up" in page["text"], page
        equal((page["previous"], page["next"], page["isComplete"]),
              (None, None, True))
        lines = "".join(f"line {i} は日本語\n" for i in range(500)) + "no end"
        path = web.home.state(f"agents/{id}/stderr.log")
        path.write_text(lines, encoding="utf-8")
        for limit in (40, 333, 1048576):
            forward, at = [], 0
            while at is not None:
                page = web.ask(f"agents/{id}/stderr?from={at}&limit={limit}")
                forward.append(page["text"])
                at = page["next"]
            equal("".join(forward), lines)
            backward, at = [], 1 << 50
            while at is not None:
                page = web.ask(
                    f"agents/{id}/stderr?before={at}&limit={limit}")
                backward.insert(0, page["text"])
                at = page["previous"]
            equal("".join(backward), lines)
        path.write_bytes(b"a\xffb")
        equal(web.ask(f"agents/{id}/stderr")["text"], "a\ufffdb")
        web.restart()
        equal(web.ask(f"agents/{id}/stderr")["text"], "a\ufffdb")


if __name__ == "__main__":
    tap.run()

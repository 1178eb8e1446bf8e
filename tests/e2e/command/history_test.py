#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left of agents, by the command line: found, summed up, exported,
played again and cleared away. Puppets, real hub, real database."""

import contextlib
import gzip
import json
import pathlib
import re
import sqlite3

from harness import tap
from harness.until import equal, until
from demo.client import Refused
from desk import Served, desk

DAY_MS = 24 * 3600 * 1000
PRICES = 'prices: [{model: "claude-4-*", input: 1000, output: 2000}]\n'
COST = 8830 / 1e3 + 185 * 2000 / 1e6  # of one puppet's default scenario


@contextlib.contextmanager
def place(config=""):
    with desk() as at:
        at.config(config)
        hub = Served(at)
        try:
            yield at, hub
        finally:
            hub.close()


def data_of(at, *words):
    run = at.run(*words)
    equal((run.returncode, run.err), (0, ""))
    return json.loads(run.out)


def gone(at, ids):
    until(lambda: all(data_of(at, "show", one, "--json")["gone"]
                      for one in ids), "their ends")


def folder(at, agent):
    return at.state() / "agents" / agent


def database(at, sql, *args):
    """Changes what lies in the database, behind the hub's back."""
    db = sqlite3.connect(at.state() / "kuromajutsu.db", timeout=60)
    with db:
        rows = db.execute(sql, args).fetchall()
    db.close()
    return rows


# ---- history ---------------------------------------------------------------

@tap.test
def the_past_is_found():
    with place() as (at, hub):
        equal(at.run("history").out, "No such agents.\n")
        group, ids = hub.hire("report", "failure")
        _, (other,) = hub.hire("report", role="research")
        hub.finish(ids + [other])
        for words, wanted in (((), ids + [other]),
                              (("--group", group), ids),
                              (("-r", "research"), [other]),
                              (("--status", "failed"), ids[1:]),
                              (("--search", "puppet: failure"), ids[1:]),
                              (("--since", "1h"), ids + [other]),
                              (("--since", "2020-01-01"), ids + [other]),
                              (("--until", "1h"), []),
                              (("--search", "nobody said this"), [])):
            found = data_of(at, "history", *words, "--json")["agents"]
            equal({one["agentId"] for one in found}, set(wanted))
        out = at.run("history").out
        assert all(one in out for one in ids) and "Done: puppet: report" in out, out


@tap.test
def pages_follow_one_another():
    with place() as (at, hub):
        _, ids = hub.hire("report", "report", "report")
        hub.finish(ids)
        first = data_of(at, "history", "--limit", "2", "--json")
        equal(first["total"], 3)
        out = at.run("history", "-n", "2").out
        assert f"of 3 in all, 2 here; the next: --before {first['next']}" in out
        rest = data_of(at, "history", "--before", str(first["next"]), "--json")
        equal([one["agentId"] for one in first["agents"] + rest["agents"]],
              ids[::-1])


@tap.test
def wrong_questions_are_told():
    with place() as (at, _):
        for words in (("history", "--since", "yore"), ("history", "-n", "0"),
                      ("history", "--limit", "501"), ("history", "stray"),
                      ("replay",), ("replay", "--speed", "101", "grp-1"),
                      ("export",), ("usage", "--until", "2026-02-30"),
                      ("gc", "--dry")):
            run = at.run(*words)
            equal((run.returncode, run.out), (2, ""))
            assert run.err, words
        for words in (("history", "--group", "grp-none"), ("replay", "grp-x"),
                      ("history", "--status", "odd"), ("export", "grp-x"),
                      ("usage", "--by", "colour"), ("export", "impl-1-a")):
            run = at.run(*words)
            equal(run.returncode, 1)
            assert re.search("NOT_FOUND|VALIDATION_ERROR", run.err), run.err


@tap.test
def without_a_hub_there_is_no_history():
    with desk() as at:
        for words in (("history",), ("usage",), ("gc",), ("replay", "grp-1"),
                      ("export", "grp-1")):
            equal(at.run(*words).returncode, 3)
        for word in ("history", "usage", "gc", "replay", "export"):
            for language in ("ja", "en"):
                run = at.run("help", word, KUROMAJUTSU_LANGUAGE=language)
                equal(run.returncode, 0)
                assert f"kuromajutsu {word}" in run.out, run.out
                is_japanese = re.search("[\u3040-\u30ff]", run.out)
                equal(bool(is_japanese), language == "ja")


# ---- usage -----------------------------------------------------------------

@tap.test
def usage_is_summed_up_with_prices():
    with place(PRICES) as (at, hub):
        _, ids = hub.hire("default", "default")
        hub.finish(ids)
        gone(at, ids)
        whole = data_of(at, "usage", "--json")["total"]
        equal((whole["agents"], whole["inputTokens"],
               whole["outputTokens"], whole["cacheReadTokens"]),
              (2, 2 * 8830, 2 * 185, 2 * 44800))
        equal(whole["costUsd"], 2 * COST)
        for by in ("agent", "group", "role", "model", "day"):
            rows = data_of(at, "usage", "--by", by, "--json")["rows"]
            equal(sum(row["agents"] for row in rows), 2)
            out = at.run("usage", "--by", by).out
            assert f"${whole['costUsd']:.4f}" in out.splitlines()[-1], out
        equal(data_of(at, "usage", "--until", "1h", "--json")["rows"], [])
        equal(data_of(at, "show", ids[0], "--json")["usage"]["costUsd"],
              COST)


# ---- budgets ---------------------------------------------------------------

def refusal(hub, tool, **args):
    try:
        hub.client.call(tool, **args)
    except Refused as why:
        return str(why)
    raise AssertionError(f"{tool} was not refused")


WORK = [{"role": "impl-code", "prompt": "puppet: default"}]


def check_refused(hub, group, plan, word):
    for tool, args in (
            ("run_agents", {"groupId": group, "agents": WORK}),
            ("run_sequential", {"groupId": plan, "stages": [{"tasks": WORK}]}),
            ("run_magentic", {"description": "d", "task": "t",
                              "completionCriteria": "c", "scope": "s"})):
        why = refusal(hub, tool, **args)
        assert re.search(rf"BUDGET_EXCEEDED: .*\$[\d.]+ spent of \$0\.01 "
                         rf"\({word}\)", why), why


@tap.test
def a_day_has_its_budget_and_a_new_hub_knows_it():
    with place(PRICES + "budget: {dayUsd: 0.01}\n") as (at, hub):
        group, ids = hub.hire("default")
        plan = hub.client.call("create_group", description="p",
                               mode="sequential")["groupId"]
        hub.finish(ids)
        gone(at, ids)
        check_refused(hub, group, plan, "budget.dayUsd")
        hub.close()
        again = Served(at)
        try:
            check_refused(again, group, plan, "budget.dayUsd")
            # Whatever was spent on another day does not count.
            database(at, "UPDATE agents SET started_at = started_at - ?",
                     3 * DAY_MS)
        finally:
            again.close()
        third = Served(at)
        try:
            third.client.call("run_agents", groupId=group, agents=WORK)
        finally:
            third.close()


@tap.test
def a_group_has_its_budget_with_those_below():
    with place(PRICES + "budget: {groupUsd: 0.01}\n") as (at, hub):
        top = hub.client.call("create_group", description="top")["groupId"]
        below = hub.client.call("create_group", description="below",
                                parentGroupId=top)["groupId"]
        made = hub.client.call("run_agents", groupId=below, agents=WORK)
        ids = [one["agentId"] for one in made["agents"]]
        hub.finish(ids)
        gone(at, ids)
        assert "budget.groupUsd" in refusal(
            hub, "run_agents", groupId=top, agents=WORK)
        hub.client.call("delete_group", groupId=below)
        hub.close()
        again = Served(at)
        try:
            assert "budget.groupUsd" in refusal(
                again, "run_agents", groupId=top, agents=WORK)
            again.hire("default")  # a group of its own has a budget of its own
        finally:
            again.close()


# ---- export ----------------------------------------------------------------

def exported(at, name, *words):
    file = at.root / "out.ndjson"
    run = at.run("export", name, "-o", str(file), *words)
    equal((run.returncode, run.out, run.err), (0, "", ""))
    assert not pathlib.Path(str(file) + ".part").exists()
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    equal((lines[0]["type"], lines[-1]["type"]), ("export", "end"))
    return lines


@tap.test
def an_agent_is_one_file():
    with place() as (at, hub):
        _, (one,) = hub.hire("report")
        hub.finish([one])
        gone(at, [one])
        lines = exported(at, one)
        agent, = [line["agent"] for line in lines if line["type"] == "agent"]
        equal(agent["agentId"], one)
        equal(agent["result"]["status"], "success")
        assert agent["prompt"] == "puppet: report" and agent["events"], agent
        raw = at.run("logs", "--raw", one).out.splitlines()
        equal([line["data"] for line in lines if line["type"] == "line"],
              [json.loads(line) for line in raw])
        equal(lines[-1]["lines"], len(raw))
        run = at.run("export", one)
        equal(len(run.out.splitlines()), len(lines))
        run = at.run("export", one, "-o", str(at.root / "none" / "x"))
        equal(run.returncode, 1)


@tap.test
def a_family_is_one_file():
    with place() as (at, hub):
        made = hub.client.call(
            "run_magentic", description="a family",
            task="puppet: orchestrator", completionCriteria="c", scope="s")
        hub.finish([made["orchestratorAgentId"]])
        gone(at, [made["orchestratorAgentId"]])
        lines = exported(at, made["groupId"])
        groups = [line for line in lines if line["type"] == "group"]
        equal(groups[0]["group"]["groupId"], made["groupId"])
        equal([one["group"]["groupId"] for one in groups[1:]],
              groups[0]["childGroupIds"])
        assert len(groups) > 1 and groups[0]["ledgers"], groups[0]
        agents = {one["agentId"] for one in data_of(
            at, "agents", "--json")["agents"]}
        equal({line["agent"]["agentId"] for line in lines
               if line["type"] == "agent"}, agents)


# ---- one agent, told by two ------------------------------------------------

# What only the registry can tell of an agent: the store has no column for it.
LIVE_ONLY = {"pid", "tool", "bytes", "unknownLines", "skippedLines", "dir"}
# What history calls otherwise, or has beyond what is told of an agent.
IN_RESULT = {"outcome": "status", "summary": "summary",
             "duration_ms": "duration_ms", "finishedAt": "timestamp",
             "editedFiles": "editedFiles", "createdFiles": "createdFiles",
             "errorMessage": "errorMessage"}


def hire_all_kinds(at, hub):
    """Agents of every mode and end: {id: its role in this test}."""
    group, (report, failure, default) = hub.hire("report", "failure", "default")
    other, (hung,) = hub.hire("hang")
    plan = hub.client.call("create_group", description="p",
                           mode="sequential")["groupId"]
    work = [{"role": "impl-code", "prompt": "puppet: reply"}]
    hub.client.call("run_sequential", groupId=plan,
                    stages=[{"tasks": work}, {"tasks": work}])
    family = hub.client.call(
        "run_magentic", description="a family", task="puppet: orchestrator",
        completionCriteria="c", scope="s")
    top = family["orchestratorAgentId"]
    until(lambda: hub.running(hung), "the one that hangs")
    hub.client.call("cancel_agent", agentIds=[hung], reason="enough")
    kinds = {report: "report", failure: "failure", default: "default",
             hung: "hung", top: "orchestrator"}
    kinds.update((one["agentId"], "staged") for one in data_of(
        at, "agents", "--group", plan, "--json")["agents"])
    hub.finish(list(kinds))
    gone(at, kinds)
    return kinds, [group, other, plan, family["groupId"]]


def forget(at, hub, groups):
    """The registry keeps twenty agents of deleted groups."""
    for group in groups:
        hub.client.call("delete_group", groupId=group)
    for _ in range(3):
        last, ids = hub.hire(*["reply"] * 9)
        hub.finish(ids)
        gone(at, ids)
        hub.client.call("delete_group", groupId=last)


def alike(one, other, without=frozenset()):
    """The same fields, in the same order, with the same values."""
    equal([(key, value) for key, value in other.items()
                if key not in without],
               [(key, value) for key, value in one.items()
                if key not in without])


def check_record(show, record):
    alike({key: show[key] for key in show if key not in LIVE_ONLY},
          {key: record[key] for key in show if key not in LIVE_ONLY},
          {"prompt"})
    equal(list(record)[-6:], ["timeout_ms", "finishedAt", "goneAt",
                                   "reported", "states", "events"])
    equal(record["finishedAt"], show["result"]["timestamp"])


def check_history(show, entry):
    for key, value in entry.items():
        if key in IN_RESULT:
            equal(value, show["result"][IN_RESULT[key]])
        elif key != "groupDescription":
            equal(value, show[key])
    equal("errorMessage" in entry, "errorMessage" in show["result"])


@tap.test
def the_registry_and_the_store_tell_an_agent_alike():
    with place(PRICES) as (at, hub):
        kinds, groups = hire_all_kinds(at, hub)
        listed = {one["agentId"]: one for one in data_of(
            at, "agents", "--json")["agents"]}
        live = {}
        for one in kinds:
            status = hub.client.call("get_agent_status", agentId=one)
            show = data_of(at, "show", one, "--json")
            alike(listed[one], {key: status[key] for key in listed[one]})
            alike(status, {key: show[key] for key in status})
            equal(list(status)[:8], list(listed[one]))
            live[one] = status, show
        family = {one for one, entry in listed.items() if one not in kinds}
        for one, (_, show) in live.items():
            agent, = [line["agent"] for line in exported(at, one)
                      if line["type"] == "agent"]
            check_record(show, agent)
        entries = {one["agentId"]: one for one in data_of(
            at, "history", "--limit", "500", "--json")["agents"]}
        for one, (_, show) in live.items():
            check_history(show, entries[one])
        forget(at, hub, groups)
        left = {one["agentId"] for one in data_of(
            at, "agents", "--json")["agents"]}
        assert not left & (set(kinds) | family), left
        for one, (status, show) in live.items():
            alike(status, hub.client.call("get_agent_status", agentId=one))
            past = data_of(at, "show", one, "--json")
            equal(set(show) - set(past), LIVE_ONLY)
            # An orchestrator's prompt is made of its task, which the store has.
            is_top = kinds[one] == "orchestrator"
            alike({key: show[key] for key in show if key not in LIVE_ONLY},
                  past, {"prompt"} if is_top else set())
            if is_top:
                equal((show["prompt"], past["prompt"]),
                           ("", "puppet: orchestrator"))


# ---- replay ----------------------------------------------------------------

@tap.test
def a_group_is_played_again():
    with place() as (at, hub):
        group, (one,) = hub.hire("report")
        hub.finish([one])
        gone(at, [one])
        run = at.run("replay", "--speed", "100", group)
        equal((run.returncode, run.err), (0, ""))
        types = [re.search(r"\b((?:agent|group):\w+)", line).group(1)
                 for line in run.out.splitlines()]
        equal(types[0], "group:created")
        equal(types[-2:], ["agent:completed", "group:completed"])
        equal(types.count("group:completed"), 1)
        assert "agent:result_reported" in types and one in run.out, run.out
        assert "\x1b" not in run.out


@tap.test
def a_group_is_followed_to_its_end():
    with place() as (at, hub):
        group, (one,) = hub.hire("report")
        player = at.start("replay", "-f", "-s", "100", group)
        for line in player.stdout:
            if b"agent:completed" in line:
                break
        hub.finish([one])
        hub.client.call("delete_group", groupId=group)
        out, err = player.communicate()
        equal((player.returncode, err), (0, b""))
        assert b"group:deleted" in out, out


# ---- gc --------------------------------------------------------------------

def swept(at):
    """A hub sweeps soon after it has started, and then not for an hour: what
    gc is to find would else be gone when the test is slow. Of a sweep the
    numbers remain that are taken."""
    data_of(at, "history", "--json")  # so there is a database
    until(lambda: database(
        at, "SELECT 1 FROM meta WHERE name = 'last_seq'"), "the first sweep")


@tap.test
def what_is_old_goes_with_its_directories():
    with place() as (at, hub):
        swept(at)
        group, ids = hub.hire("report", "report")
        _, (young,) = hub.hire("report")
        hub.finish(ids + [young])
        gone(at, ids + [young])
        hub.client.call("delete_group", groupId=group)
        # What is nobody's to remove, however an agent points at it.
        kept = at.root / "kept"
        kept.mkdir()
        (kept / "file").write_text("mine")
        (folder(at, ids[0]) / "link").symlink_to(kept)
        (folder(at, ids[0]) / "deep" / "er").mkdir(parents=True)
        equal(data_of(at, "gc", "--json")["agents"], 0)
        database(at, "UPDATE groups SET deleted_at = deleted_at - ?"
                 " WHERE deleted_at > 0", 40 * DAY_MS)
        dry = data_of(at, "gc", "--dry-run", "--json")
        equal((dry["dryRun"], dry["agents"], sorted(dry["agentIds"])),
              (True, 2, sorted(ids)))
        assert folder(at, ids[0]).exists()
        run = at.run("gc")
        equal((run.returncode, run.err), (0, ""))
        assert re.search(r"^gone:\nAgent +2\n", run.out), run.out
        for one in ids:
            until(lambda: not folder(at, one).exists(), one)
        until(lambda: database(
            at, "SELECT count(*) FROM leavings") == [(0,)], "all is told")
        assert (kept / "file").read_text() == "mine"
        assert (folder(at, young) / "stdout.ndjson").exists()
        equal(data_of(at, "history", "--json")["total"], 1)


def raw_and_told(at, one):
    return at.run("logs", "--raw", one).stdout, at.run("logs", one).out


@tap.test
def old_transcripts_are_compressed_and_read():
    with place("history: {transcriptDays: 0}\n") as (at, hub):
        swept(at)
        _, (one, working) = hub.hire("report", "hang")
        hub.finish([one])
        gone(at, [one])
        before, lines = raw_and_told(at, one), exported(at, one)
        until(lambda: hub.running(working), "the other")
        equal(data_of(at, "gc", "--json")["transcriptsToCompress"], 1)
        packed = folder(at, one) / "stdout.ndjson.gz"
        until(lambda: not (folder(at, one) / "stdout.ndjson").exists(),
              "it is packed")
        equal(gzip.decompress(packed.read_bytes()), before[0])
        equal(raw_and_told(at, one), before)
        equal(exported(at, one)[2:], lines[2:])
        until(lambda: data_of(
            at, "gc", "-n", "--json")["transcriptsToCompress"] == 0, "told")
        size, = database(at, "SELECT transcript FROM agents WHERE id = ?",
                         one)
        equal(size, (packed.stat().st_size,))
        # Whoever is not gone is not touched.
        assert (folder(at, working) / "stdout.ndjson").exists()
        assert not (folder(at, working) / "stdout.ndjson.gz").exists()


@tap.test
def transcripts_beyond_the_bytes_are_dropped():
    with place("history: {transcripts: keep, keepBytes: 1}\n") as (at, hub):
        swept(at)
        _, (one,) = hub.hire("report")
        hub.finish([one])
        gone(at, [one])
        equal(data_of(at, "gc", "--json")["transcriptsToDrop"], 1)
        until(lambda: not (folder(at, one) / "stdout.ndjson").exists(),
              "it is dropped")
        run = at.run("logs", one)
        equal(run.returncode, 1)
        assert "is not kept any more" in run.err, run.err
        end, = [line for line in exported(at, one)
                if line["type"] == "transcript"]
        equal((end["lines"], end["found"]), (0, False))
        equal(data_of(at, "show", one, "--json")["result"]["status"],
              "success")


# ---- waits -----------------------------------------------------------------

@tap.test
def agents_of_long_ago_are_waited_for():
    with place() as (at, hub):
        old = []
        for _ in range(3):
            group, ids = hub.hire(*["reply"] * 9)
            hub.finish(ids)
            gone(at, ids)
            hub.client.call("delete_group", groupId=group)
            old += ids
        listed = {one["agentId"] for one in data_of(
            at, "agents", "--json")["agents"]}
        forgotten = [one for one in old if one not in listed]
        assert forgotten, listed
        _, (hung,) = hub.hire("hang")
        seen = hub.client.call("wait_agent", agentIds=[hung, *forgotten],
                               timeout_ms=0)
        equal([one["agentId"] for one in seen["pending"]], [hung])
        equal({one["agentId"] for one in seen["completed"]},
              set(forgotten))
        assert all(one["status"] == "completed" and one["duration_ms"] > 0
                   for one in seen["completed"]), seen
        seen = hub.client.call("wait_agent", agentIds=forgotten)
        equal(seen["timedOut"], False)
        waiting = hub.client.start("wait_agent",
                                   agentIds=[forgotten[0], hung])
        hub.client.call("cancel_agent", agentIds=[hung])
        seen = waiting.result()
        equal((len(seen["completed"]), seen["timedOut"]), (2, False))
        assert "AGENT_NOT_FOUND" in refusal(
            hub, "wait_agent", agentIds=[forgotten[0], "impl-code-1-none"])


if __name__ == "__main__":
    tap.run()

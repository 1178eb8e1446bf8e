#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is left of agents, by the command line: found, summed up, exported,
played again and cleared away. Puppets, real hub, real database."""

import gzip
import json
import pathlib
import re
import sqlite3

from harness import tap
from harness.command import CommandHome, served
from harness.tools import wait_for
from harness.until import equal, until

DAY_MS = 24 * 3600 * 1000
PRICES = 'prices: [{model: "claude-4-*", input: 1000, output: 2000}]\n'
COST = 8830 / 1e3 + 185 * 2000 / 1e6  # of one puppet's default scenario


def data_of(h, *words):
    run = h.run(*words)
    equal((run.returncode, run.err), (0, ""))
    return json.loads(run.out)


def gone(h, ids):
    """Until they are, and their wardens too, which leave last: a directory
    whose lock is held is not touched."""
    until(lambda: all(data_of(h, "show", one, "--json")["gone"]
                      for one in ids), "their ends")
    until(lambda: not any(h.alive(one) for one in ids), "their wardens' ends")


def folder(h, agent):
    return h.state() / "agents" / agent


def database(h, sql, *args):
    """Changes what lies in the database, behind the hub's back."""
    db = sqlite3.connect(h.state() / "kuromajutsu.db", timeout=60)
    with db:
        rows = db.execute(sql, args).fetchall()
    db.close()
    return rows


# ---- history ---------------------------------------------------------------

@tap.test
def the_past_is_found():
    with served() as h:
        equal(h.run("history").out, "No such agents.\n")
        group, ids = h.group("report", "failure")
        _, (other,) = h.group("report", role="research")
        wait_for(h.talk, *ids, other)
        for words, wanted in (((), ids + [other]),
                              (("--group", group), ids),
                              (("-r", "research"), [other]),
                              (("--status", "failed"), ids[1:]),
                              (("--search", "puppet: failure"), ids[1:]),
                              (("--since", "1h"), ids + [other]),
                              (("--since", "2020-01-01"), ids + [other]),
                              (("--until", "1h"), []),
                              (("--search", "nobody said this"), [])):
            found = data_of(h, "history", *words, "--json")["agents"]
            equal({one["agentId"] for one in found}, set(wanted))
        out = h.run("history").out
        assert all(one in out for one in ids) and "Done: puppet: report" in out, out


@tap.test
def pages_follow_one_another():
    with served() as h:
        _, ids = h.group("report", "report", "report")
        wait_for(h.talk, *ids)
        first = data_of(h, "history", "--limit", "2", "--json")
        equal(first["total"], 3)
        out = h.run("history", "-n", "2").out
        assert f"of 3 in all, 2 here; the next: --before {first['next']}" in out
        rest = data_of(h, "history", "--before", str(first["next"]), "--json")
        equal([one["agentId"] for one in first["agents"] + rest["agents"]],
              ids[::-1])


@tap.test
def lists_say_that_there_is_more():
    with served() as h:
        groups = [h.talk.call("create_group", description=f"g{i}")["groupId"]
                  for i in range(3)]
        for is_hub in (True, False):
            out = h.run("groups", "--limit", "2").out
            assert groups[0] not in out and all(g in out for g in groups[1:])
            assert "the newest 2 of 3 groups; --limit N" in out, out
            out = h.run("groups").out
            assert all(g in out for g in groups) and "newest" not in out, out
            equal(len(data_of(h, "groups", "-n", "1", "--json")["groups"]), 1)
            if is_hub:
                h.talk.close()
                h.stop(h.served)
        for words in ("0", "1001", "many"):
            equal(h.run("groups", "--limit", words).returncode, 2)


@tap.test
def the_past_says_what_it_was_about():
    with served() as h:
        _, ids = h.group("report", "failure")
        wait_for(h.talk, *ids)
        for width in (60, 80, 120):
            out = h.run("history", COLUMNS=str(width)).out
            assert "puppet: report" in out and "puppet: failur" in out, out
            assert all(len(line) <= width for line in out.splitlines()), out
        equal([x["about"] for x in data_of(h, "history", "--json")["agents"]],
              ["puppet: failure", "puppet: report"])


@tap.test
def wrong_questions_are_told():
    with served() as h:
        for words in (("history", "--since", "yore"), ("history", "-n", "0"),
                      ("history", "--limit", "501"), ("history", "stray"),
                      ("replay",), ("replay", "--speed", "101", "grp-1"),
                      ("export",), ("usage", "--until", "2026-02-30"),
                      ("gc", "--dry")):
            run = h.run(*words)
            equal((run.returncode, run.out), (2, ""))
            assert run.err, words
        for words in (("history", "--group", "grp-none"), ("replay", "grp-x"),
                      ("export", "grp-x"),
                      ("export", "impl-1-a")):
            run = h.run(*words)
            equal(run.returncode, 1)
            assert "there is no" in run.err, run.err
            assert "NOT_FOUND" not in run.err, run.err


@tap.test
def without_a_hub_there_is_no_history():
    with CommandHome() as h:
        for words in (("history",), ("usage",), ("gc",), ("replay", "grp-1"),
                      ("export", "grp-1")):
            equal(h.run(*words).returncode, 3)
        for word in ("history", "usage", "gc", "replay", "export"):
            for language in ("ja", "en"):
                run = h.run("help", word, KUROMAJUTSU_LANGUAGE=language)
                equal(run.returncode, 0)
                assert f"kuromajutsu {word}" in run.out, run.out
                is_japanese = re.search("[\u3040-\u30ff]", run.out)
                equal(bool(is_japanese), language == "ja")


# ---- usage -----------------------------------------------------------------

@tap.test
def usage_is_summed_up_with_prices():
    with served(PRICES) as h:
        _, ids = h.group("default", "default")
        wait_for(h.talk, *ids)
        gone(h, ids)
        whole = data_of(h, "usage", "--json")["total"]
        equal((whole["agents"], whole["inputTokens"],
               whole["outputTokens"], whole["cacheReadTokens"]),
              (2, 2 * 8830, 2 * 185, 2 * 44800))
        equal(whole["costUsd"], 2 * COST)
        for by in ("agent", "group", "role", "model", "day"):
            rows = data_of(h, "usage", "--by", by, "--json")["rows"]
            equal(sum(row["agents"] for row in rows), 2)
            out = h.run("usage", "--by", by).out
            assert f"${whole['costUsd']:.4f}" in out.splitlines()[-1], out
        equal(data_of(h, "usage", "--until", "1h", "--json")["rows"], [])
        equal(data_of(h, "show", ids[0], "--json")["usage"]["costUsd"],
              COST)


@tap.test
def tokens_without_a_price_are_marked_in_every_sum():
    prices = 'prices: [{model: "claude-4-*", input: 1000, output: 2000}]\n'
    with served(prices) as h:
        _, (one,) = h.group("default")
        _, (other,) = h.group("default", role="research")
        wait_for(h.talk, one, other)
        gone(h, [one, other])
        unpriced = 8830 + 185 + 44800
        data = data_of(h, "usage", "--by", "role", "--json")
        equal(data["total"]["unpricedTokens"], unpriced)
        rows = {row["role"]: row for row in data["rows"]}
        equal(rows["research"].get("costUsd"), None)
        equal(rows["research"]["unpricedTokens"], unpriced)
        assert "unpricedTokens" not in rows["impl-code"], rows
        out = h.run("usage", "--by", "role").out
        lines = {line.split()[0]: line for line in out.splitlines()}
        assert lines["research"].endswith("- *"), out
        assert lines["all"].endswith(f"${COST:.4f} *"), out
        assert "53,815 tokens that have no price" in lines["*"], out


# ---- budgets ---------------------------------------------------------------

def refusal(h, tool, **args):
    is_error, body = h.talk.use(tool, **args)
    assert is_error, f"{tool} was not refused"
    return f"{body['code']}: {body['message']}"


WORK = [{"role": "impl-code", "prompt": "puppet: default"}]


def check_refused(h, group, plan, word):
    h.until_judged()
    for tool, args in (
            ("run_agents", {"groupId": group, "agents": WORK}),
            ("run_sequential", {"groupId": plan, "stages": [{"tasks": WORK}]}),
            ("run_magentic", {"description": "d", "task": "t",
                              "completionCriteria": "c", "scope": "s"})):
        why = refusal(h, tool, **args)
        assert re.search(rf"BUDGET_EXCEEDED: .*\$[\d.]+ spent of \$0\.01; "
                         rf".*{word}", why), why


@tap.test
def a_day_has_its_budget_and_a_new_hub_knows_it():
    with served(PRICES + "budget: {dayUsd: 0.01}\n") as h:
        group, ids = h.group("default")
        plan = h.talk.call("create_group", description="p",
                           mode="sequential")["groupId"]
        wait_for(h.talk, *ids)
        gone(h, ids)
        check_refused(h, group, plan, "budget.dayUsd")
        budget = data_of(h, "status", "--json")["budget"]
        equal((budget["dayUsd"], budget["groupUsd"]), (0.01, 0))
        assert abs(budget["spentTodayUsd"] - COST) < 1e-6, budget
        h.begin_again()
        check_refused(h, group, plan, "budget.dayUsd")
        # Whatever was spent on another day does not count.
        database(h, "UPDATE agents SET started_at = started_at - ?",
                 3 * DAY_MS)
        h.begin_again()
        h.until_judged()
        h.talk.call("run_agents", groupId=group, agents=WORK)


@tap.test
def a_budget_set_later_counts_what_was_spent_before():
    """Also by the hub before this one, which knew of no budget either."""
    with served(PRICES) as h:
        group, ids = h.group("default")
        plan = h.talk.call("create_group", description="p",
                           mode="sequential")["groupId"]
        wait_for(h.talk, *ids)
        gone(h, ids)
        h.begin_again()
        h.configure(PRICES + "budget: {dayUsd: 0.01}\n")
        until(lambda: data_of(h, "status", "--json").get("budget", {})
              .get("dayUsd") == 0.01, "the new settings")
        check_refused(h, group, plan, "budget.dayUsd")


@tap.test
def a_group_has_its_budget_with_those_below():
    with served(PRICES + "budget: {groupUsd: 0.01}\n") as h:
        top = h.talk.call("create_group", description="top")["groupId"]
        below = h.talk.call("create_group", description="below",
                            parentGroupId=top)["groupId"]
        made = h.talk.call("run_agents", groupId=below, agents=WORK)
        ids = [one["agentId"] for one in made["agents"]]
        wait_for(h.talk, *ids)
        gone(h, ids)
        assert "budget.groupUsd" in refusal(
            h, "run_agents", groupId=top, agents=WORK)
        h.talk.call("delete_group", groupId=below)
        h.begin_again()
        assert "budget.groupUsd" in refusal(
            h, "run_agents", groupId=top, agents=WORK)
        h.group("default")  # a group of its own has a budget of its own


# ---- export ----------------------------------------------------------------

def exported(h, name, *words):
    file = h.top / "out.ndjson"
    run = h.run("export", name, "-o", str(file), *words)
    equal((run.returncode, run.out, run.err), (0, "", ""))
    assert not pathlib.Path(str(file) + ".part").exists()
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    equal((lines[0]["type"], lines[-1]["type"]), ("export", "end"))
    return lines


@tap.test
def an_agent_is_one_file():
    with served() as h:
        _, (one,) = h.group("report")
        wait_for(h.talk, one)
        gone(h, [one])
        lines = exported(h, one)
        agent, = [line["agent"] for line in lines if line["type"] == "agent"]
        equal(agent["agentId"], one)
        equal(agent["result"]["status"], "success")
        assert agent["prompt"] == "puppet: report" and agent["events"], agent
        raw = h.run("logs", "--raw", one).out.splitlines()
        equal([line["data"] for line in lines if line["type"] == "line"],
              [json.loads(line) for line in raw])
        equal(lines[-1]["lines"], len(raw))
        run = h.run("export", one)
        equal(len(run.out.splitlines()), len(lines))
        run = h.run("export", one, "-o", str(h.top / "none" / "x"))
        equal(run.returncode, 1)


@tap.test
def a_family_is_one_file():
    with served() as h:
        made = h.talk.call(
            "run_magentic", description="a family",
            task="puppet: orchestrator", completionCriteria="c", scope="s")
        wait_for(h.talk, made["orchestratorAgentId"])
        gone(h, [made["orchestratorAgentId"]])
        lines = exported(h, made["groupId"])
        groups = [line for line in lines if line["type"] == "group"]
        equal(groups[0]["group"]["groupId"], made["groupId"])
        equal([one["group"]["groupId"] for one in groups[1:]],
              groups[0]["childGroupIds"])
        assert len(groups) > 1 and groups[0]["ledgers"], groups[0]
        agents = {one["agentId"] for one in data_of(
            h, "agents", "--json")["agents"]}
        equal({line["agent"]["agentId"] for line in lines
               if line["type"] == "agent"}, agents)


# ---- one agent, told by two ------------------------------------------------

# What only the registry can tell of an agent: the store has no column for it.
LIVE_ONLY = {"pid", "tool", "toolTitle", "toolAt", "bytes", "unknownLines",
             "skippedLines", "dir"}
# What history calls otherwise, or has beyond what is told of an agent.
IN_RESULT = {"summary": "summary", "duration_ms": "duration_ms",
             "finishedAt": "timestamp", "editedFiles": "editedFiles", "createdFiles": "createdFiles",
             "errorMessage": "errorMessage"}


def start_all_kinds(h):
    """Agents of every mode and end: {id: its role in this test}."""
    group, (report, failure, default) = h.group("report", "failure", "default")
    other, (hung,) = h.group("hang")
    plan = h.talk.call("create_group", description="p",
                           mode="sequential")["groupId"]
    work = [{"role": "impl-code", "prompt": "puppet: reply"}]
    h.talk.call("run_sequential", groupId=plan,
                    stages=[{"tasks": work}, {"tasks": work}])
    family = h.talk.call(
        "run_magentic", description="a family", task="puppet: orchestrator",
        completionCriteria="c", scope="s")
    top = family["orchestratorAgentId"]
    until(lambda: h.is_running(hung), "the one that hangs")
    h.talk.call("cancel_agent", agentIds=[hung], reason="enough")
    kinds = {report: "report", failure: "failure", default: "default",
             hung: "hung", top: "orchestrator"}
    kinds.update((one["agentId"], "staged") for one in data_of(
        h, "agents", "--group", plan, "--json")["agents"])
    wait_for(h.talk, *kinds)
    gone(h, kinds)
    return kinds, [group, other, plan, family["groupId"]]


def forget(h, groups):
    """The registry keeps twenty agents of deleted groups."""
    for group in groups:
        h.talk.call("delete_group", groupId=group)
    for _ in range(3):
        last, ids = h.group(*["reply"] * 9)
        wait_for(h.talk, *ids)
        gone(h, ids)
        h.talk.call("delete_group", groupId=last)


def alike(one, other, without=frozenset()):
    """The same fields, in the same order, with the same values."""
    equal([(key, value) for key, value in other.items()
           if key not in without],
          [(key, value) for key, value in one.items() if key not in without])


def check_record(show, record):
    alike({key: show[key] for key in show if key not in LIVE_ONLY},
          {key: record[key] for key in show if key not in LIVE_ONLY},
          {"prompt"})
    equal(list(record)[-7:], ["timeout_ms", "finishedAt", "goneAt",
                              "reported", "states", "samples", "events"])
    equal(record["finishedAt"], show["result"]["timestamp"])


def check_history(show, entry):
    for key, value in entry.items():
        if key in IN_RESULT:
            equal(value, show["result"][IN_RESULT[key]])
        elif key == "about":
            # An orchestrator has a task in the place of a prompt.
            assert value and (value in show["prompt"] or not show["prompt"])
        elif key != "groupDescription":
            equal(value, show[key])
    equal("errorMessage" in entry, "errorMessage" in show["result"])


@tap.test
def the_registry_and_the_store_tell_an_agent_alike():
    with served(PRICES) as h:
        kinds, groups = start_all_kinds(h)
        listed = {one["agentId"]: one for one in h.talk.call(
            "list_agents")["agents"]}
        live = {}
        for one in kinds:
            status = h.talk.call("get_agent_status", agentId=one)
            show = data_of(h, "show", one, "--json")
            alike(listed[one], {key: status[key] for key in listed[one]})
            alike(status, {key: show[key] for key in status})
            equal(list(status)[:len(listed[one])], list(listed[one]))
            live[one] = status, show
        family = {one for one, entry in listed.items() if one not in kinds}
        for one, (_, show) in live.items():
            agent, = [line["agent"] for line in exported(h, one)
                      if line["type"] == "agent"]
            check_record(show, agent)
        entries = {one["agentId"]: one for one in data_of(
            h, "history", "--limit", "500", "--json")["agents"]}
        for one, (_, show) in live.items():
            check_history(show, entries[one])
        forget(h, groups)
        left = {one["agentId"] for one in data_of(
            h, "agents", "--json")["agents"]}
        assert not left & (set(kinds) | family), left
        for one, (status, show) in live.items():
            alike(status, h.talk.call("get_agent_status", agentId=one))
            past = data_of(h, "show", one, "--json")
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
    with served() as h:
        group, (one, other) = h.group("report", "hang")
        wait_for(h.talk, one)
        h.until_running(h.talk, other)
        h.talk.call("cancel_agent", agentIds=[other])
        gone(h, [one, other])
        run = h.run("replay", "--speed", "100", group)
        equal((run.returncode, run.err), (0, ""))
        lines = run.out.splitlines()
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", lines[0]), run.out
        assert re.match(rf"{group}  [\d:]+  group created", lines[1]), run.out
        assert lines[-1].endswith("group completed"), run.out
        assert not re.search(r"(agent|group):\w", run.out), run.out
        # A report may overtake the notice that its agent has started.
        assert re.search(rf"{other}  [\d:]+  running", run.out), run.out
        for words in ("created", "→ edit src/report.c",
                      "● I will do it and report.",
                      "reported  Done: puppet: report", "ended"):
            assert re.search(rf"{one}  [\d: ]+{re.escape(words)}",
                             run.out), (words, run.out)
        assert "\x1b" not in run.out


@tap.test
def groups_below_are_played_too():
    with served() as h:
        made = h.talk.call(
            "run_magentic", description="a family", scope="s",
            task="puppet: orchestrator", completionCriteria="c")
        wait_for(h.talk, made["orchestratorAgentId"])
        out = h.run("replay", "-s", "100", made["groupId"]).out
        for words in ("Two parts at once", "stage 2 of 2", "ledger, round 3",
                      "One after the other"):
            assert words in out, (words, out)
        ja = h.run("replay", "-s", "100", made["groupId"],
                   KUROMAJUTSU_LANGUAGE="ja").out
        assert "グループ作成" in ja and "ステージ 2/2" in ja, ja


@tap.test
def a_group_is_followed_to_its_end():
    with served() as h:
        group, (one,) = h.group("report")
        player = h.popen("replay", "-f", "-s", "100", group)
        for line in player.stdout:
            if b"group completed" in line:
                break
        wait_for(h.talk, one)
        h.talk.call("delete_group", groupId=group)
        out, err = player.communicate()
        equal((player.returncode, err), (0, b""))
        assert b"group deleted" in out, out


# ---- gc --------------------------------------------------------------------

def swept(h):
    """A hub sweeps soon after it has started, and then not for an hour: what
    gc is to find would else be gone when the test is slow. Of a sweep the
    numbers remain that are taken."""
    data_of(h, "history", "--json")  # so there is a database
    until(lambda: database(
        h, "SELECT 1 FROM meta WHERE name = 'last_seq'"), "the first sweep")


@tap.test
def what_is_old_goes_with_its_directories():
    with served() as h:
        swept(h)
        group, ids = h.group("report", "report")
        _, (young,) = h.group("report")
        wait_for(h.talk, *ids, young)
        gone(h, ids + [young])
        h.talk.call("delete_group", groupId=group)
        # What is nobody's to remove, however an agent points to it.
        kept = h.top / "kept"
        kept.mkdir()
        (kept / "file").write_text("mine")
        (folder(h, ids[0]) / "link").symlink_to(kept)
        (folder(h, ids[0]) / "deep" / "er").mkdir(parents=True)
        equal(data_of(h, "gc", "--json")["agents"], 0)
        database(h, "UPDATE groups SET deleted_at = deleted_at - ?"
                 " WHERE deleted_at > 0", 40 * DAY_MS)
        dry = data_of(h, "gc", "--dry-run", "--json")
        equal((dry["dryRun"], dry["agents"], sorted(dry["agentIds"])),
              (True, 2, sorted(ids)))
        assert folder(h, ids[0]).exists()
        run = h.run("gc")
        equal((run.returncode, run.err), (0, ""))
        assert re.search(r"^gone:\nagents +2\n", run.out), run.out
        for one in ids:
            until(lambda: not folder(h, one).exists(), one)
        until(lambda: database(
            h, "SELECT count(*) FROM leavings") == [(0,)], "all is told")
        assert (kept / "file").read_text() == "mine"
        assert (folder(h, young) / "stdout.ndjson").exists()
        equal(data_of(h, "history", "--json")["total"], 1)


def raw_and_told(h, one):
    return h.run("logs", "--raw", one).stdout, h.run("logs", one).out


@tap.test
def old_transcripts_are_compressed_and_read():
    with served("history: {transcriptDays: 0}\n") as h:
        swept(h)
        _, (one, working) = h.group("report", "hang")
        wait_for(h.talk, one)
        gone(h, [one])
        before, lines = raw_and_told(h, one), exported(h, one)
        until(lambda: h.is_running(working), "the other")
        equal(data_of(h, "gc", "--json")["transcriptsToCompress"], 1)
        packed = folder(h, one) / "stdout.ndjson.gz"
        until(lambda: not (folder(h, one) / "stdout.ndjson").exists(),
              "it is packed")
        equal(gzip.decompress(packed.read_bytes()), before[0])
        equal(raw_and_told(h, one), before)
        equal(exported(h, one)[2:], lines[2:])
        until(lambda: data_of(
            h, "gc", "-n", "--json")["transcriptsToCompress"] == 0, "told")
        size, = database(h, "SELECT transcript FROM agents WHERE id = ?",
                         one)
        equal(size, (packed.stat().st_size,))
        # Whoever is not gone is not touched.
        assert (folder(h, working) / "stdout.ndjson").exists()
        assert not (folder(h, working) / "stdout.ndjson.gz").exists()


@tap.test
def transcripts_beyond_the_bytes_are_dropped():
    with served("history: {transcripts: keep, keepBytes: 1}\n") as h:
        swept(h)
        _, (one,) = h.group("report")
        wait_for(h.talk, one)
        gone(h, [one])
        equal(data_of(h, "gc", "--json")["transcriptsToDrop"], 1)
        until(lambda: not (folder(h, one) / "stdout.ndjson").exists(),
              "it is dropped")
        run = h.run("logs", one)
        equal(run.returncode, 1)
        assert "is not kept any more" in run.err, run.err
        end, = [line for line in exported(h, one)
                if line["type"] == "transcript"]
        equal((end["lines"], end["found"]), (0, False))
        equal(data_of(h, "show", one, "--json")["result"]["status"],
              "success")


# ---- waits -----------------------------------------------------------------

@tap.test
def agents_of_long_ago_are_waited_for():
    with served() as h:
        old = []
        for _ in range(3):
            group, ids = h.group(*["reply"] * 9)
            wait_for(h.talk, *ids)
            gone(h, ids)
            h.talk.call("delete_group", groupId=group)
            old += ids
        listed = {one["agentId"] for one in data_of(
            h, "agents", "--json")["agents"]}
        forgotten = [one for one in old if one not in listed]
        assert forgotten, listed
        _, (hung,) = h.group("hang")
        seen = h.talk.call("wait_agent", agentIds=[hung, *forgotten],
                           timeout_ms=0)
        equal([one["agentId"] for one in seen["pending"]], [hung])
        equal({one["agentId"] for one in seen["completed"]},
              set(forgotten))
        for one in seen["completed"]:
            told = h.talk.call("get_agent_status", agentId=one["agentId"])
            equal([one["status"], one["duration_ms"]],
                  ["completed", told["result"]["duration_ms"]])
        seen = h.talk.call("wait_agent", agentIds=forgotten)
        equal(seen["timedOut"], False)
        waiting = h.talk.order("wait_agent",
                               {"agentIds": [forgotten[0], hung]})
        h.talk.call("cancel_agent", agentIds=[hung])
        seen = h.talk.result(waiting)["structuredContent"]
        equal((len(seen["completed"]), seen["timedOut"]), (2, False))
        assert "AGENT_NOT_FOUND" in refusal(
            h, "wait_agent", agentIds=[forgotten[0], "impl-code-1-none"])


if __name__ == "__main__":
    tap.run()

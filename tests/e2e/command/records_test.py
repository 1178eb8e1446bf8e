#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The past without a hub: told as the hub told it, from a state directory in
which nothing is changed, whatever state it was left in."""

import contextlib
import gzip
import json
import pathlib
import signal
import sqlite3
import subprocess
import threading

from harness import tap
from harness.command import CommandHome, served
from harness.processes import kill
from harness.tools import wait_for
from harness.until import contains, equal, until

EARLIER = pathlib.Path(__file__).parents[1] / "upgrade"
# What only a hub can tell of an agent that is done.
LIVE = ("pid", "tool", "toolTitle", "toolAt", "bytes", "unknownLines",
        "skippedLines", "dir")
READ_ONLY = ("unshare", "-m", "sh", "-c",
             'd=$1; shift; mount --bind "$d" "$d" && '
             'mount -o remount,ro,bind "$d" && exec "$@"', "sh")


def said(h, *words, **env):
    run = h.run(*words, **env)
    equal((words, run.returncode, run.err), (words, 0, ""))
    return run.out


def data_of(h, *words, **env):
    return json.loads(said(h, *words, "--json", **env))


def exported(h, id, **env):
    lines = [json.loads(line) for line in said(h, "export", id, **env)
             .splitlines()]
    lines[0].pop("exportedAt")
    return lines


def told(h, group, ids):
    """All that can be asked, without what says that no hub has answered."""
    seen = {"agents": data_of(h, "agents"), "groups": data_of(h, "groups"),
            "of group": data_of(h, "agents", "--group", group),
            "history": data_of(h, "history"), "usage": data_of(h, "usage"),
            "failed": data_of(h, "agents", "--status", "failed"),
            "show": [data_of(h, "show", one) for one in ids]}
    for answer in [*seen["show"], *(v for k, v in seen.items()
                                    if k != "show")]:
        answer.pop("hub", None)
    for one in seen["show"]:
        for field in LIVE:
            one.pop(field, None)
    seen["export"] = exported(h, group)
    seen["logs"] = [said(h, "logs", one) for one in ids]
    seen["replay"] = said(h, "replay", "--speed", "100", group)
    return seen


def same(h, group, ids):
    now = told(h, group, ids)
    for what, was in h.before.items():
        equal((what, now[what]), (what, was))


def files(h):
    """What lies in the state directory, to the byte."""
    top = h.state()
    return {str(path.relative_to(top)): path.is_file() and path.read_bytes()
            for path in top.rglob("*") if not path.is_socket()}


def settled(h, ids):
    until(lambda: all(data_of(h, "show", one)["gone"] for one in ids),
          "their ends")
    until(lambda: not any(h.alive(one) for one in ids), "their wardens' ends")


def left(h, by):
    """Ends client and hub; none comes back."""
    h.talk.close()
    until(lambda: not h.living("kuromajutsu") or all(
        pid == h.served.pid for pid in h.living("kuromajutsu")), "the relay")
    h.served.send_signal(by)
    h.served.wait()


@contextlib.contextmanager
def deserted(by, *scenarios):
    """A home whose hub has gone, a group and its agents that are done."""
    with served() as h:
        group, ids = h.group(*scenarios)
        wait_for(h.talk, *ids)
        settled(h, ids)
        h.before = told(h, group, ids)
        left(h, by)
        yield h, group, ids


@tap.test
def a_killed_hub_has_left_everything_to_be_read():
    with deserted(signal.SIGKILL, "report", "failure") as (h, group, ids):
        log = h.state("kuromajutsu.db-wal")
        assert log.stat().st_size > 0, "no log was left"
        before = files(h)
        same(h, group, ids)
        equal(files(h), before)
        log.with_name("kuromajutsu.db-shm").unlink()
        before = files(h)
        same(h, group, ids)
        equal(files(h), before)


@tap.test
def a_hub_that_left_in_order_too():
    with deserted(signal.SIGTERM, "report", "failure") as (h, group, ids):
        assert not h.state("kuromajutsu.db-wal").exists()
        before = files(h)
        same(h, group, ids)
        equal(files(h), before)
        run = h.run("show", "nosuch-1-a")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "kuromajutsu agents")
        run = h.run("history", "--group", "grp-none",
                    KUROMAJUTSU_LANGUAGE="ja")
        equal(run.returncode, 1)
        contains(run.err, "グループ")


@tap.test
def what_has_ended_need_not_be_waited_for():
    with deserted(signal.SIGKILL, "report", "failure") as (h, group, ids):
        run = h.run("wait", ids[0])
        equal((run.returncode, run.err), (0, ""))
        contains(run.out, f"{ids[0]}  reported")
        contains(run.out, "Done: puppet: report")
        run = h.run("wait", group)
        equal((run.returncode, run.err), (1, ""))
        contains(run.out, f"{ids[0]}  reported")
        contains(run.out, f"{ids[1]}  failed")
        data = json.loads(h.run("wait", group, "--json").out)
        equal(({x["agentId"]: x["outcome"] for x in data["completed"]},
               data["timedOut"], data["hub"]),
              ({ids[0]: "success", ids[1]: "failure"}, False, False))
        equal(h.run("wait", "nosuch-1-a").returncode, 1)


@tap.test
def a_directory_that_cannot_be_written_is_read():
    with deserted(signal.SIGKILL, "report") as (h, _, ids):
        under = (*READ_ONLY, str(h.home))
        tried = subprocess.run([*under, "true"], capture_output=True,
                               check=False)
        if tried.returncode != 0:
            raise tap.Skip("nothing can be mounted here")
        for is_bare in (False, True):
            run = h.run("history", "--json", under=under)
            equal((run.returncode, run.err), (0, ""))
            equal([one["agentId"] for one in json.loads(run.out)["agents"]],
                  ids)
            if not is_bare:
                h.state("kuromajutsu.db-shm").unlink()


@tap.test
def a_hub_that_starts_meanwhile_changes_nothing_of_it():
    with deserted(signal.SIGKILL, "report", "failure") as (h, group, ids):
        over, wrong = threading.Event(), []

        def read_on():
            while not over.is_set():
                run = h.run("history", "--json")
                if run.returncode != 0 or {
                        one["agentId"] for one in json.loads(run.out)
                        ["agents"]} != set(ids):
                    wrong.append((run.returncode, run.out, run.err))
                    return

        readers = [threading.Thread(target=read_on) for _ in range(2)]
        for reader in readers:
            reader.start()
        try:
            for by in (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL):
                h.begin()
                left(h, by)
        finally:
            over.set()
            for reader in readers:
                reader.join()
        equal(wrong, [])
        same(h, group, ids)


@tap.test
def agents_under_way_are_told_from_those_that_ended():
    with served('hub: {lease_ms: 600000}\n') as h:
        _, (one, other) = h.group("hang", "hang")
        until(lambda: h.is_running(one) and h.is_running(other), "agents")
        left(h, signal.SIGKILL)
        kill([h.warden(other)])
        until(lambda: not h.alive(other), "its end")
        listed = {x["agentId"]: x for x in data_of(h, "agents")["agents"]}
        equal([listed[x]["withoutHub"] for x in (one, other)],
              ["running", "ended"])
        equal(data_of(h, "agents")["hub"], False)
        for id in (one, other):
            run = h.run("wait", id)
            equal((run.returncode, run.out), (3, ""))
            contains(run.err, f"{id} has not ended")
            contains(run.err, "kuromajutsu start")
        for language, running, ended in (
                ("en", "running, no hub", "ended, no hub"),
                ("ja", "実行中（ハブなし）", "終了（ハブなし）")):
            out = said(h, "agents", KUROMAJUTSU_LANGUAGE=language)
            for id, words in ((one, running), (other, ended)):
                contains(next(line for line in out.splitlines()
                              if line.startswith(id)), words)
                shown = said(h, "show", id, KUROMAJUTSU_LANGUAGE=language)
                contains(shown, words)
                # It has spoken, which nothing has counted yet.
                assert "0 B" not in shown, shown
            contains(out, "kuromajutsu start")
        h.begin()  # and has them taken over, as if nothing had been asked
        until(lambda: [x["status"] for x in data_of(h, "agents")["agents"]]
              == ["running", "failed"], "the one, and the end of the other")


def set_version(h, version):
    db = sqlite3.connect(h.state("kuromajutsu.db"))
    was = db.execute("PRAGMA user_version").fetchone()[0]
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    return was


@tap.test
def tables_of_another_version_are_told_with_the_way_out():
    with deserted(signal.SIGTERM, "report") as (h, _, __):
        now = set_version(h, 1)
        run = h.run("history")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "older version (1, now")
        contains(run.err, "kuromajutsu start")
        set_version(h, now + 1)
        run = h.run("agents")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, f"newer version ({now + 1},")
        contains(run.err, "newer kuromajutsu")
        set_version(h, now)
        said(h, "history")


@tap.test
def the_database_of_a_landed_version_is_read_or_named():
    agents = json.loads((EARLIER / "agents.json").read_text(encoding="utf-8"))
    with deserted(signal.SIGTERM, "report") as (h, _, __):
        path = h.state("kuromajutsu.db")
        now = set_version(h, 3)
        path.write_bytes(gzip.decompress(
            (EARLIER / "store-3.db.gz").read_bytes()))
        run = h.run("history", "--json")
        if now == 3:
            found = {x["agentId"] for x in json.loads(run.out)["agents"]}
            assert set(agents) <= found, found
        else:
            equal(run.returncode, 1)
            contains(run.err, "older version (3, now")


@tap.test
def what_is_no_database_is_named():
    with deserted(signal.SIGTERM, "report") as (h, _, __):
        h.state("kuromajutsu.db").write_bytes(b"no database" * 100)
        run = h.run("history")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "kuromajutsu.db")
        h.state("kuromajutsu.db").unlink()
        equal(h.run("history").returncode, 3)
        h.state("kuromajutsu.db").touch()
        run = h.run("history")
        equal((run.returncode, run.out), (1, ""))
        contains(run.err, "nothing has been recorded")


@tap.test
def a_project_without_a_past_gets_none_by_being_asked():
    with CommandHome() as h:
        for words in (["history"], ["usage"], ["agents"], ["groups"],
                      ["show", "a-1-1"], ["export", "grp-1"],
                      ["replay", "grp-1"], ["logs", "a-1-1"]):
            run = h.run(*words)
            equal((words, run.returncode, run.out), (words, 3, ""))
            contains(run.err, "nothing is recorded of this project yet")
            equal(list(h.home.iterdir()), [])
        h.home.rmdir()
        equal(h.run("agents").returncode, 3)
        assert not h.home.exists()


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""A configuration that changes while its hub runs: what is right is taken
over, what is wrong is told and keeps nobody out."""

import contextlib
import json
import os
import shutil
import threading

from harness import tap
from harness.hub import HubHome, patient_home
from harness.http import request
from harness.programs import PUPPET
from harness.tools import new_group, roles_are_judged, start_agents, wait_for
from harness.until import contains, equal, until

MODEL = "composer-1.5"  # the puppet has it


def text(places, more=""):
    return (f"language: en\nagent: {{maxConcurrent: {places}}}\n"
            "hub: {linger_ms: 600000, lease_ms: 600000}\n"
            f"dashboard: {{port: 0}}\n{more}")


@contextlib.contextmanager
def served(more="", **env):
    with HubHome(text(3, more), env) as p:
        p.hub()
        with p.session() as w:
            yield p, w


def places(w):
    return w.ask("hub_status")["places"]["max"]


def until_places(w, count):
    until(lambda: places(w) == count, f"{count} places")


def wrong(w):
    return w.ask("hub_status")["configError"]


def updates(w):
    return [e["type"] for e in w.ask("events", {"limit": 500})["events"]
            ].count("config:updated")


# ---- ways to write a file ----------------------------------------------------

def in_place(path, words):
    with open(path, "w") as f:
        f.write(words)


def rename_over(path, words):
    other = path.with_name(".config.swp")
    other.write_text(words)
    os.replace(other, path)


def by_way_of_a_backup(path, words):
    """As vim does it, and others: the old one goes, then there is a new."""
    os.rename(path, path.with_name("config~"))
    in_place(path, words)


def behind_a_link(path, words):
    folder = path.parent / "elsewhere"
    folder.mkdir(exist_ok=True)
    (folder / "real.yaml").write_text(words)
    if not path.is_symlink():
        link = path.with_name("link")
        link.symlink_to(folder / "real.yaml")
        os.replace(link, path)


def with_its_directory(path, words):
    old, new = path.parent, path.parent.with_name("other")
    shutil.copytree(old, new)
    (new / path.name).write_text(words)
    os.rename(old, old.with_name(f"old-{os.urandom(4).hex()}"))
    os.rename(new, old)


@tap.test
def a_change_is_taken_over_however_it_is_written():
    with served() as (p, w):
        count = 3
        # A link comes last: after it the others would write through it.
        for write in (in_place, rename_over, by_way_of_a_backup,
                      with_its_directory, in_place, behind_a_link,
                      behind_a_link):
            count += 1
            write(p.config, text(count))
            until_places(w, count)
            equal(updates(w), count - 3)
        equal(wrong(w), None)
        p.until_logged("config.updated", count - 3)


@tap.test
def half_a_file_is_not_taken_for_one():
    """Emptied, then filled in portions, each of which would be right."""
    with served() as (p, w):
        whole = text(9, "# " + "x" * 4000 + "\n")
        with open(p.config, "w") as f:
            for at in range(0, len(whole), 64):
                f.write(whole[at:at + 64])
                f.flush()
        until_places(w, 9)
        equal((updates(w), wrong(w)), (1, None))


@tap.test
def our_own_writing_is_told_once():
    with served() as (p, w):
        w.ask("update_role", {"roleId": "impl-code", "model": MODEL})
        equal(updates(w), 1)
        # What comes after it has been noticed comes after it has been read.
        p.configure(p.config.read_text() + "mcp: {waitMax_ms: 5000}\n")
        until(lambda: updates(w) == 2, "the second change")
        w.ask("update_role", {"roleId": "impl-code", "name": "n"})
        equal(updates(w), 3)


@tap.test
def a_file_that_was_not_there_and_the_users_own_are_seen_too():
    with HubHome() as p:
        p.set(KUROMAJUTSU_PORT="0")
        p.hub()
        with p.session() as w:
            equal(places(w), 10)
            own = p.folder("user/.config/kuromajutsu") / "config.yaml"
            own.write_text("agent: {maxConcurrent: 4}\n")
            until_places(w, 4)
            p.configure("agent: {maxConcurrent: 5}\n")
            until_places(w, 5)
            own.write_text("agent: {maxConcurrent: x}\n")
            contains(until(lambda: wrong(w), "the error")["message"],
                     f"{own}:1:24: agent.maxConcurrent: 書ける値は")
            equal(places(w), 5)


# ---- wrong files -------------------------------------------------------------

def break_it(p):
    p.configure(text(7, "log: {level: loud}\n"))


@tap.test
def a_wrong_file_changes_nothing_and_everybody_says_where():
    with served() as (p, w):
        break_it(p)
        error = until(lambda: wrong(w), "the error")
        place = f"{p.config}:5:14: log.level: expected one of debug"
        contains(error["message"], place)
        equal((error["line"], error["column"], places(w)), (5, 14, 3))
        contains(p.until_logged("config.wrong")[0], "log.level: expected")
        contains(p.run("status").out.replace("\n", ""), place)
        contains(p.run("doctor").out, "log.level: expected one of debug")
        url = p.url(w)
        _, _, body = request(int(url.rsplit(":", 1)[1].strip("/")), "GET",
                             "/api/status")
        contains(json.loads(body)["configError"]["message"], place)
        contains(json.dumps(w.ask("snapshot")["config"]), "log.level")
        p.configure(text(8))
        until_places(w, 8)
        equal((wrong(w), updates(w)), (None, 1))
        p.until_logged("config.well")


@tap.test
def nobody_is_locked_out_by_it():
    with served() as (p, w):
        id, = start_agents(w, "hang")
        break_it(p)
        until(lambda: wrong(w), "the error")
        for words in (("status",), ("agents",), ("show", id), ("logs", id),
                      ("groups",), ("roles",)):
            equal((words, p.run(*words).returncode), (words, 0))
        relay = p.relay()
        relay.talk.hello()
        equal(relay.talk.call("list_agents")["total"], 1)
        equal(p.run("cancel", id).returncode, 0)
        equal(p.run("stop").returncode, 0)
        # Without a hub it is in the way, and said to be.
        done = until(lambda: (d := p.run("status")).returncode == 2 and d,
                     "the hub's end")
        contains(done.err, "log.level: expected one of debug")
        contains(json.dumps(relay.talk.refused("list_roles")), "log.level")
        # The relay finds it mended by itself.
        p.configure(text(3))
        equal(relay.talk.call("list_agents")["total"], 1)


@tap.test
def an_empty_file_and_none_change_nothing():
    with served() as (p, w):
        for spoil, word in ((lambda: p.configure(" \n"), "is empty"),
                            (p.config.unlink, "is gone")):
            spoil()
            contains(until(lambda: (e := wrong(w)) and word in e["message"]
                           and e["message"], word), str(p.config))
            equal((places(w), updates(w)), (3, 0))
        contains(p.run("doctor").out.replace("\n", ""), "gone")
        p.configure(text(3))
        until(lambda: not wrong(w), "all is well")
        equal(updates(w), 0)


@tap.test
def a_file_that_never_rests_is_not_read_and_holds_nobody_up():
    with served() as (p, w):
        is_over = threading.Event()

        def write():
            count = 100
            while not is_over.wait(0.05):
                count += 1
                rename_over(p.config, text(count))
        writer = threading.Thread(target=write)
        writer.start()
        try:
            contains(until(lambda: wrong(w), "the complaint")["message"],
                     "all the time")
            equal(places(w), 3)
        finally:
            is_over.set()
            writer.join()
        p.configure(text(6))
        until_places(w, 6)
        equal((wrong(w), updates(w)), (None, 1))


# ---- what holds when ---------------------------------------------------------

@tap.test
def some_keys_hold_at_the_next_start_and_say_so():
    with served() as (p, w):
        p.configure(text(3, "store: {relaxed: true}\n"
                            "history: {keepDays: 3}\n")
                    .replace("language: en", "language: ja"))
        keys = ["language", "store.relaxed", "history.keepDays"]
        until(lambda: w.ask("hub_status")["atRestart"] == keys, "the keys")
        contains(p.run("status").out, "store.relaxed, history.keepDays")
        contains(p.run("doctor").out, "history.keepDays")
        p.until_logged("config.restart", 2)
        p.configure(text(3))
        until(lambda: w.ask("hub_status")["atRestart"] == [], "none")


@tap.test
def a_plan_keeps_the_roles_it_was_accepted_with():
    role = ("roles:\n  - {id: passing, model: composer-1.5, "
            "systemPrompt: PASSING}\n")
    with served(role) as (p, w):
        until(lambda: roles_are_judged(w), "roles judged")
        group = new_group(w, mode="sequential")
        made = w.call("run_sequential", groupId=group, stages=[
            {"tasks": [{"role": "impl-code", "prompt": "puppet: hang"}]},
            {"tasks": [{"role": "passing", "prompt": "puppet: reply"}]}])
        first, second = (a["agentId"] for a in made["agents"])
        p.configure(text(3))
        until(lambda: updates(w) == 1, "the change")
        equal(w.refused("run_agents", {
            "groupId": new_group(w),
            "agents": [{"role": "passing", "prompt": "x"}]}),
            "ROLE_NOT_FOUND")
        w.ask("cancel_agent", {"agentIds": [first]})
        wait_for(w, second)
        equal(w.call("get_agent_status", agentId=second)["status"],
              "completed")


@tap.test
def trust_takes_effect_while_the_hub_runs():
    with HubHome(text(3), {"KUROMAJUTSU_AGENT_COMMAND": None}) as p:
        p.configure(text(3).replace("maxConcurrent: 3",
                                    f"command: {PUPPET}"))
        p.hub()
        with p.session() as w:
            def is_usable():
                return all(r["available"] for r in
                           w.call("list_roles")["roles"])
            until(lambda: roles_are_judged(w), "roles judged")
            assert not is_usable()
            equal(w.ask("hub_status")["withheld"], ["agent.command"])
            contains(p.run("trust").out, "within seconds")
            until(lambda: roles_are_judged(w) and is_usable(), "trust")
            equal(w.ask("hub_status")["withheld"], [])
            # Another command is another matter.
            p.configure(p.config.read_text().replace(
                "command: ", "command: /bin/../"))
            until(lambda: w.ask("hub_status")["withheld"], "distrust")
            until(lambda: roles_are_judged(w) and not is_usable(), "it holds")


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Disks that refuse: the hub says what is wrong, in its log and to whoever
asks for a change, goes on reading and cancelling, keeps what it has accepted,
and is well again when the disk is.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time

from harness import tap
from harness.hub import HubHome
from harness.tools import roles_are_judged, start_agents
from harness.until import DEADLINE, equal, until
from books import database

SETTINGS = {"language": "en", "hub": {"linger_ms": 300}}


class Mount:
    """Something mounted, for root alone."""

    def __init__(self, *words):
        if os.geteuid() != 0:
            raise tap.Skip("mount needs root")
        self.at = words[-1]
        done = subprocess.run(["mount", *words], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            raise tap.Skip(f"mount: {done.stderr.strip()}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.at], check=True)


class Case:
    """A home with a relay, and one group and one agent that hangs."""

    def __init__(self, home):
        self.home = home
        self.talk = home.relay().talk
        self.talk.hello()
        self.group = self.create("before")
        self.agent, = start_agents(self.talk, "hang", group=self.group)
        # Checks write too; they are not what this is about.
        until(lambda: roles_are_judged(self.talk), "roles judged")
        until(lambda: self.state() == "running", "it runs")

    def create(self, name):
        return self.talk.call("create_group", description=name)["groupId"]

    def state(self):
        return self.talk.call("get_agent_status",
                              agentId=self.agent)["status"]

    def until_refused(self):
        """Asks for changes until they are refused. Those that were accepted
        before that are answered when they are safe: their ids."""
        asked = []
        end = time.monotonic() + DEADLINE
        while True:
            assert time.monotonic() < end, f"nothing refused of {len(asked)}"
            asked.append(self.talk.order("create_group",
                                         {"description": "in trouble"}))
            for id in asked:
                seen = self.talk.answers.get(json.dumps(id))
                if seen and seen[0]["result"].get("isError"):
                    asked.remove(id)
                    return self.code(id), asked
            # As many as a relay takes would leave none to be refused.
            pause = time.monotonic() + 0.05
            while time.monotonic() < pause:
                self.talk.pump(0.01)

    def code(self, id):
        body = json.loads(self.talk.result(id)["content"][0]["text"])
        equal(body["code"], "STORE_UNAVAILABLE")
        return body["message"]

    def go_on(self, asked):
        """Reads and cancels while nothing can be changed."""
        equal(self.state(), "running")
        equal(len(self.talk.call("list_agents")["agents"]), 1)
        cancel = self.talk.order("cancel_agent", {"agentIds": [self.agent]})
        until(lambda: self.state() == "cancelled", "cancelled")
        until(lambda: not self.home.living("kuromajutsu-puppet"), "gone")
        asked.append(cancel)

    def mended(self, asked):
        """What was accepted is answered, and all is as it was said, also for
        the next hub."""
        made = []
        for id in asked:
            result = self.talk.result(id)
            if result.get("isError"):  # it came after the first refusal
                self.code(id)
                continue
            made.append(result["structuredContent"].get("groupId"))
        until(lambda: not self.talk.result(self.talk.order(
            "create_group", {"description": "after"})).get("isError"), "well")
        self.home.until_logged("store.well")
        self.kill()
        equal(self.state(), "cancelled")
        for group in (self.group, *filter(None, made)):
            self.talk.call("list_agents", groupId=group)

    def kill(self):
        pid = self.home.hub_pid()
        os.kill(pid, signal.SIGKILL)
        until(lambda: pid not in self.home.living("kuromajutsu-hub"), "dead")


def leave(home):
    """No relay, no hub."""
    for server in home.servers:
        server.end()
    home.servers.clear()
    until(lambda: not home.living("kuromajutsu-hub"), "no hub")


@tap.test
def a_full_disk():
    with HubHome(SETTINGS) as home, Mount(
            "-t", "tmpfs", "-o", "size=8m,mode=700", "none", home.home):
        case = Case(home)
        ballast = os.path.join(home.home, "ballast")
        fd = os.open(ballast, os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(fd, bytes(4096))
        except OSError:
            os.close(fd)
        why, asked = case.until_refused()
        assert "full" in why and "kuromajutsu.db" in why, why
        case.go_on(asked)
        os.unlink(ballast)
        case.mended(asked)


@tap.test
def a_locked_file():
    with HubHome(SETTINGS) as home:
        case = Case(home)
        db = sqlite3.connect(database(home.home), isolation_level=None,
                             timeout=DEADLINE)
        db.execute("BEGIN IMMEDIATE")
        why, asked = case.until_refused()
        assert "locked" in why, why
        case.home.until_logged("store.trouble", what="locked")
        case.go_on(asked)
        db.execute("ROLLBACK")
        db.close()
        case.mended(asked)


@tap.test
def an_answer_tells_what_is_safe_or_that_nothing_is():
    """Who is told of a change that is on its way to a disk that refuses is
    told so after everybody was told that it does."""
    with HubHome(SETTINGS) as home:
        case = Case(home)
        db = sqlite3.connect(database(home.home), isolation_level=None,
                             timeout=DEADLINE)
        db.execute("BEGIN IMMEDIATE")
        made = case.talk.order("create_group", {"description": "held up"})
        seen = case.talk.order("list_agents", {})
        equal(len(case.talk.result(seen)["structuredContent"]["agents"]), 1)
        assert "locked" in case.code(case.talk.order(
            "create_group", {"description": "refused"}))
        db.execute("ROLLBACK")
        db.close()
        case.talk.call("cancel_agent", agentIds=[case.agent])
        case.mended([made])


def refused_at_start(case, what):
    """A hub that cannot read its database has nothing, and says why."""
    home = case.home
    path = database(home.home)
    with open(path, "rb") as f:
        before = f.read()
    talk = case.talk = home.relay().talk
    talk.hello()
    result = talk.result(talk.order("create_group", {"description": "no"}))
    body = json.loads(result["content"][0]["text"])
    equal(body["code"], "STORE_UNAVAILABLE")
    assert what in body["message"], body
    equal(talk.call("list_agents")["agents"], [])
    case.home.until_logged("store.trouble", what=what)
    with open(path, "rb") as f:
        equal(f.read() == before, True)


def replaced(spoil, what):
    with HubHome(SETTINGS) as home:
        case = Case(home)
        case.talk.call("cancel_agent", agentIds=[case.agent])
        leave(home)
        path = database(home.home)
        shutil.copy(path, path + ".good")
        spoil(path)
        refused_at_start(case, what)
        os.rename(path + ".good", path)
        case.mended([])


@tap.test
def a_file_that_is_no_database():
    def spoil(path):
        with open(path, "r+b") as f:
            f.write(b"once upon a time " * 100)
    replaced(spoil, "not a database")


@tap.test
def a_database_with_garbage_inside():
    def spoil(path):
        with open(path, "r+b") as f:
            f.seek(4096)
            f.write(b"\xff" * (os.path.getsize(path) - 4096))
    replaced(spoil, "malformed")


@tap.test
def a_newer_version():
    def spoil(path):
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version = 99")
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        db.close()
    replaced(spoil, "version 99")


@tap.test
def a_file_that_cannot_be_written():
    with HubHome(SETTINGS) as home:
        case = Case(home)
        case.talk.call("cancel_agent", agentIds=[case.agent])
        leave(home)
        path = database(home.home)
        is_root = os.geteuid() == 0
        if is_root:  # whom a mode does not stop
            Mount("--bind", path, path)
            subprocess.run(["mount", "-o", "remount,bind,ro", path],
                           check=True)
        else:
            os.chmod(path, 0o400)
        try:
            talk = case.talk = home.relay().talk
            talk.hello()
            result = talk.result(talk.order("create_group",
                                            {"description": "no"}))
            body = json.loads(result["content"][0]["text"])
            equal(body["code"], "STORE_UNAVAILABLE")
            case.home.until_logged("store.trouble")
            equal(case.state(), "cancelled")  # it can be read
        finally:
            if is_root:
                subprocess.run(["umount", "-l", path], check=True)
            else:
                os.chmod(path, 0o600)
        case.mended([])


@tap.test
def a_clock_set_back():
    """Ids of a hub whose clock was ahead are not given a second time, and no
    agent has run for less than nothing."""
    with HubHome(SETTINGS) as home:
        case = Case(home)
        case.talk.call("cancel_agent", agentIds=[case.agent])
        until(lambda: not home.living("kuromajutsu-puppet"), "gone")
        leave(home)
        path = database(home.home)
        db = sqlite3.connect(path)
        ahead = 2_000_000_000  # seconds
        db.execute("UPDATE groups SET id = ?, created_at = ?",
                   (f"grp-{ahead}-0000", ahead * 1000))
        db.execute("UPDATE agents SET created_at = ?1, started_at = ?1,"
                   " finished_at = ?1, gone_at = ?1", (ahead * 1000,))
        db.commit()
        db.close()
        talk = case.talk = home.relay().talk
        talk.hello()
        seconds = [int(case.create("x").split("-")[1]) for _ in range(50)]
        equal(set(seconds), {ahead + 1})
        status = talk.call("get_agent_status", agentId=case.agent)
        assert 0 <= status["elapsed_ms"] < 10**6, status
        case.kill()
        seconds = {int(case.create("x").split("-")[1]) for _ in range(50)}
        equal(seconds, {ahead + 2})


if __name__ == "__main__":
    tap.run()

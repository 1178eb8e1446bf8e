#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The command line beside a hub with agents: puppets, started through the real
relay."""

import json
import os
import pathlib
import re
import signal
import unicodedata

from harness import tap
from harness.command import served
from harness.tools import wait_for
from harness.until import DEADLINE, equal, until


@tap.test
def status_and_roles():
    with served() as h:
        run = h.run("status")
        equal((run.returncode, run.err), (0, ""))
        assert re.search(r"^hub +running  pid \d+", run.out), run.out
        assert str(h.home) in run.out
        assert "another build" not in run.out
        for word in run.out.split():
            assert not word.startswith("/") or os.path.exists(word), run.out
        data = json.loads(h.run("status", "--json").out)
        assert data["pid"] > 0 and data["places"]["max"] == 10, data
        until(lambda: "unusable" not in h.run("roles").out
              and "checking" not in h.run("roles").out, "health checks")
        run = h.run("roles")
        for role in ("impl-code", "orchestrator"):
            assert re.search(rf"^{role} +ready", run.out, re.M), run.out
        equal(len(json.loads(h.run("roles", "--json").out)["roles"]), 6)


@tap.test
def a_role_that_cannot_be_used_says_why():
    with served(KUROMAJUTSU_PUPPET_MODELS="only=Only") as h:
        run = until(lambda: (r := h.run("roles")).out.count(
            "unusable") == 6 and r, "roles")
        assert "claude-4-sonnet" in run.out.split("impl-code:")[1], run.out


@tap.test
def agents_are_listed():
    with served() as h:
        equal(h.run("agents").out, "No agents.\n")
        group, ids = h.group("report", "failure")
        wait_for(h.talk, *ids)
        _, others = h.group("report")
        wait_for(h.talk, *others)
        run = h.run("agents")
        equal(run.returncode, 0)
        for one in ids + others:
            assert one in run.out
        run = h.run("agents", "--group", group)
        assert ids[0] in run.out and others[0] not in run.out
        run = h.run("agents", "-s", "failed")
        assert ids[1] in run.out and ids[0] not in run.out
        equal(json.loads(h.run("agents", "--json").out)["total"], 3)
        run = h.run("agents", "--group", "grp-1-none")
        equal(run.returncode, 1)
        assert "kuromajutsu groups" in run.err, run.err
        run = h.run("agents", "--status", "odd")
        equal(run.returncode, 2)
        assert "--status cannot be 'odd'" in run.err, run.err


@tap.test
def tables_fit_the_width():
    with served() as h:
        _, ids = h.group("report", "report")
        wait_for(h.talk, *ids)
        for width in (30, 60, 80, 120):
            for command in ("agents", "groups", "roles"):
                out = h.run(command, COLUMNS=str(width)).out
                assert all(columns(line) <= width
                           for line in out.splitlines()), (width, out)
        assert ids[0] in h.run("agents", COLUMNS="80").out


def columns(line):
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


@tap.test
def one_is_shown():
    with served() as h:
        _, (one,) = h.group("report")
        wait_for(h.talk, one)
        run = h.run("show", one)
        equal((run.returncode, run.err), (0, ""))
        for words in (one, "reported", "impl-code", "puppet: report",
                      "src/report.c", "It was done, and this is the report",
                      str(h.project)):
            assert words in run.out, (words, run.out)
        data = json.loads(h.run("show", "--json", one).out)
        equal(data["result"]["status"], "success")
        run = h.run("show", "impl-code-1-none")
        equal(run.returncode, 1)
        assert "kuromajutsu agents" in run.err, run.err


@tap.test
def groups_are_a_tree_without_control():
    with served() as h:
        equal(h.run("groups").out, "No groups.\n")
        made = h.talk.call(
            "run_magentic", description="a family",
            task="puppet: orchestrator", completionCriteria="c", scope="s")
        wait_for(h.talk, made["orchestratorAgentId"])
        h.group("report")
        out = h.run("groups").out
        assert "\x1b" not in out and "\\x1b[2J" in out
        rows = out.splitlines()[1:]
        family = [row.split()[0] for row in rows]
        first = family.index(made["groupId"])
        equal(family[first + 1:first + 3], ["├", "└"])
        assert "magentic" in rows[first] and "round 3/10" in rows[first], rows
        assert "stage 2/2" in out, out


@tap.test
def agents_are_cancelled():
    with served() as h:
        group, ids = h.group("hang", "hang", "report")
        wait_for(h.talk, *ids[2:])
        run = h.run("cancel", ids[0], ids[2], "--reason", "enough")
        equal(run.returncode, 0)
        assert f"{ids[0]}  cancelled" in run.out, run.out
        assert f"{ids[2]}  was not running" in run.out, run.out
        wait_for(h.talk, *ids[:1])
        data = json.loads(h.run("show", ids[0], "--json").out)
        equal(data["result"]["status"], "cancelled")
        run = h.run("cancel", "--group", group)
        equal(run.returncode, 0)
        assert f"{ids[1]}  cancelled" in run.out, run.out
        equal(h.run("cancel", "impl-code-1-none").returncode, 1)
        equal(h.run("cancel", "-g", "grp-none").returncode, 1)
        run = h.run("cancel", group)
        equal((run.returncode, run.out),
              (0, f"{group}  nothing in it was running\n"))


@tap.test
def groups_are_cancelled_by_their_ids():
    """As wait, show, logs and retry take them, and beside agents."""
    with served() as h:
        group, ids = h.group("hang", "hang")
        _, (one,) = h.group("hang")
        equal(h.run("cancel", one, "impl-code-1-none", group).returncode, 1)
        until(lambda: h.is_running(ids[0]), "one that was not cancelled")
        run = h.run("cancel", group[-4:], one)
        equal((run.returncode, run.err), (0, ""))
        equal(run.out, "".join(f"{id}  cancelled\n" for id in (one, *ids)))


@tap.test
def logs_are_followed_to_the_end():
    with served() as h:
        _, (one,) = h.group("trickle lines=3")
        out, err = h.popen("logs", "-f", one).communicate()
        equal(err.decode(), "")
        assert "That was all." in out.decode() and "■" in out.decode()
        # The same, but for pieces that never became a message.
        whole, followed = h.run("logs", one).out.splitlines(), out.decode()
        equal([whole[0], whole[-1]], [followed.splitlines()[0],
                                      followed.splitlines()[-1]])
        assert "That was all." in whole[1], whole
        raw = h.run("logs", "--raw", one).stdout
        assert raw.count(b"\n") > 3 and json.loads(raw.splitlines()[-1])
        equal(h.run("logs", "impl-code-1-none").returncode, 1)


@tap.test
def logs_follow_a_hanging_agent_until_it_is_cancelled():
    with served() as h:
        _, (one,) = h.group("hang")
        process = h.popen("logs", "-f", one)
        for line in process.stdout:
            if "for ever" in line.decode():
                break
        assert process.poll() is None
        equal(h.run("cancel", one).returncode, 0)
        process.communicate()
        equal(process.returncode, 0)


@tap.test
def stop_ends_hub_and_agents():
    with served() as h:
        _, (one,) = h.group("hang")
        until(lambda: h.is_running(one), "the agent")
        pid = json.loads(h.run("show", one, "--json").out)["pid"]
        h.talk.close()
        run = h.run("stop")
        equal((run.returncode, run.err), (0, ""))
        assert "1 agent ended" in run.out, run.out
        equal(h.served.wait(DEADLINE), 0)
        assert not os.path.exists(f"/proc/{pid}")
        equal(h.run("stop").returncode, 3)
        equal(h.run("status").returncode, 3)


def parent_of(pid):
    stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    return int(stat.rpartition(")")[2].split()[1])


@tap.test
def stop_can_keep_the_agents():
    with served() as h:
        _, (one,) = h.group("hang")
        until(lambda: h.is_running(one), "the agent")
        pid = json.loads(h.run("show", one, "--json").out)["pid"]
        h.talk.close()
        run = h.run("stop", "--keep-agents")
        equal((run.returncode, run.err), (0, ""))
        h.served.wait(DEADLINE)
        assert os.path.exists(f"/proc/{pid}")
        # Its output can be read while there is no hub.
        until(lambda: "for ever" in h.run("logs", one).out, "its words")
        # What dies with its warden needs no hub to be ended.
        os.kill(parent_of(pid), signal.SIGKILL)
        until(lambda: not os.path.exists(f"/proc/{pid}"), "its end")


@tap.test
def doctor_knows_the_hub():
    with served() as h:
        run = h.run("doctor")
        assert re.search(rf"^ok +hub +running, pid {h.served.pid}",
                         run.out, re.M), run.out
        # Killed while nothing is under way that its wardens would keep.
        h.settle(h.talk)
        h.talk.close()
        h.served.kill()
        h.served.wait()
        # What was being started when it died may hold its lock for a moment.
        until(lambda: re.search("^ok +hub +not running; a dead",
                                h.run("doctor").out, re.M), "a dead hub")


if __name__ == "__main__":
    tap.run()

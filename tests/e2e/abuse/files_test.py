# SPDX-License-Identifier: MIT
"""Agents that turn their own directories against the hub, and those who look
at what they have left."""

import json
from contextlib import contextmanager

from harness import http, tap
from harness.hub import patient_home
from harness.programs import PUPPET
from harness.tools import start_agents, wait_for
from harness.until import contains, equal, until

# Does something to its directory, which is $d, and then what it was told.
CLI = """#!/bin/sh
d="$(dirname "$KUROMAJUTSU_SOCKET")/agents/$KUROMAJUTSU_AGENT_ID"
[ -d "$d" ] && . "$MISCHIEF"
exec "$PUPPET" "$@"
"""


class Mischief:
    """A hub whose agents do what `will` says."""

    def __init__(self, home):
        self.home = home
        self.script = home.top / "mischief"
        self.script.write_text("")
        cli = home.top / "cli"
        cli.write_text(CLI)
        cli.chmod(0o755)
        home.set(KUROMAJUTSU_AGENT_COMMAND=str(cli), PUPPET=PUPPET,
                 MISCHIEF=str(self.script), KUROMAJUTSU_LANGUAGE="en")
        self.begin()

    def begin(self):
        self.hub = self.home.hub()
        self.talk = self.home.session()
        until(lambda: self.home.run("status").returncode == 0, "a hub")

    def begin_again(self):
        self.talk.close()
        self.home.stop(self.hub)
        self.begin()

    def finish(self, will):
        """The id of an agent that has done it and has gone."""
        self.script.write_text(will)
        agent, = start_agents(self.talk, "reply")
        wait_for(self.talk, agent)
        until(lambda: not self.home.alive(agent), "its tree has left")
        until(lambda: self.talk.call("hub_status")["agents"]["leaving"] == 0,
              "it is gone")
        self.script.write_text("")
        return agent

    def dir(self, agent):
        return self.home.state(f"agents/{agent}")

    def state_of(self, agent):
        return self.talk.call("get_agent_status", agentId=agent)["status"]

    def page(self, agent, start=0):
        """A page of its transcript, as the dashboard reads it."""
        port = self.home.url(self.talk).rstrip("/").rsplit(":", 1)[1]
        status, _, body = http.request(
            int(port), "GET", f"/api/agents/{agent}/transcript?from={start}")
        return status, json.loads(body)


@contextmanager
def mischief(**settings):
    with patient_home(**settings) as home:
        m = Mischief(home)
        yield m
        m.talk.close()


def is_well(m):
    agent = m.finish("")
    equal(m.state_of(agent), "completed")
    return agent


@tap.test
def fifos_freeze_no_hub_and_no_other():
    with mischief() as m:
        for name in ("stderr.log", "stdout.ndjson", "warden", "lock",
                     "started", "exit.json"):
            m.finish(f'rm -f "$d/{name}"; mkfifo "$d/{name}"')
            is_well(m)
        m.begin_again()
        is_well(m)


@tap.test
def whoever_reads_what_is_left_is_not_held():
    with mischief() as m:
        for will in ('mkfifo "$d/x"; mv "$d/x" "$d/stdout.ndjson"',
                     'ln -s /dev/zero "$d/x"; mv "$d/x" "$d/stdout.ndjson"',
                     'rm "$d/stdout.ndjson"; mkfifo "$d/stdout.ndjson.gz"',
                     'mv "$d" "$d.x"; ln -s "$d.x" "$d"'):
            agent = m.finish(will)
            run = m.home.run("logs", agent)
            assert run.returncode in (0, 1), run.err
            equal(m.home.run("export", agent).returncode, 0)
            assert m.page(agent)[0] in (200, 404), m.page(agent)
        is_well(m)


@tap.test
def a_transcript_of_holes_is_read_in_no_time():
    """By the dashboard, by logs and by export, and when it is packed."""
    with mischief(history={"transcriptDays": 0}) as m:
        # The puppet speaks behind a hole of so much, which is no limit's.
        agent = m.finish('echo "{}"; truncate -s 1T "$d/stdout.ndjson"')
        # A new hub's first sweep may have packed it already.
        status, page = m.page(agent)
        equal(status, 200)
        while not page["isComplete"]:
            assert page["next"] > page["from"], page
            status, page = m.page(agent, page["next"])
            equal(status, 200)
        for words in (("logs", "--raw"), ("export",)):
            run = m.home.run(*words, agent)
            equal(run.returncode, 0)
            assert len(run.stdout) < 1 << 20, len(run.stdout)
        equal(m.home.run("gc").returncode, 0)
        until(lambda: not (m.dir(agent) / "stdout.ndjson").exists(), "packed")
        equal(m.home.run("logs", "--raw", agent).returncode, 0)


@tap.test
def the_limit_of_a_transcript_is_its_end():
    with mischief(agent={"transcriptLimit_bytes": 1 << 20}) as m:
        agent = m.finish('truncate -s 1T "$d/stdout.ndjson"; sleep 600')
        view = m.talk.call("get_agent_status", agentId=agent)
        equal(view["status"], "failed")
        contains(json.dumps(view), "output limit")
        is_well(m)


@tap.test
def the_copy_of_the_users_settings_goes_however_deep():
    deep = ('i=0; while [ $i -lt 300 ]; do mkdir -p "a-name-of-some-length/x";'
            ' : > "a-name-of-some-length/x/$i"; chmod 500 . 2>/dev/null;'
            ' cd -P "a-name-of-some-length"; i=$((i+1)); done; ')
    with mischief() as m:
        agent = m.finish(f'(cd "$d/.cursor-plugin"; {deep}); seq 2000 |'
                         ' (cd "$d/.cursor-plugin" && xargs touch)')
        until(lambda: not (m.dir(agent) / ".cursor-plugin").exists(), "it is cleared")
        equal(m.state_of(agent), "completed")
        is_well(m)


if __name__ == "__main__":
    tap.run()

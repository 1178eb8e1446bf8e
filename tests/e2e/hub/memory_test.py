# SPDX-License-Identifier: MIT
"""agent.memoryMax_bytes: held by the kernel where it can be, and said where it
cannot."""

import json
import subprocess

from harness import tap
from harness.hub import HubHome, read
from harness.tools import roles_are_judged, start_agents, wait_for
from harness.until import FOREVER, contains, equal, until

MAX = 64 << 20
SCOPE = ["systemd-run", "--user", "--scope", "--quiet", "-p", "Delegate=yes"]
# Passes its checks; as an agent it takes more than it may.
GREEDY = """#!/bin/sh
case " $* " in
*" --force "*) exec python3 -c 'x = bytearray(1 << 30); print(len(x))' ;;
esac
exec PUPPET "$@"
"""


def settings(**agent):
    return {"language": "en", "agent": {"memoryMax_bytes": MAX, **agent},
            "hub": {"lease_ms": FOREVER, "linger_ms": FOREVER}}


def need_delegation():
    try:
        made = subprocess.run(
            [*SCOPE, "sh", "-c",
             "cat /sys/fs/cgroup$(sed -n s/^0:://p /proc/self/cgroup)"
             "/cgroup.controllers"],
            capture_output=True, text=True, timeout=60, check=False)
    except (FileNotFoundError, subprocess.TimeoutExpired) as why:
        raise tap.Skip(f"no user's systemd: {why}") from why
    if made.returncode != 0:
        said = made.stderr.strip().splitlines()
        raise tap.Skip("the user's systemd delegates no cgroup: "
                       + (said[-1] if said else "it does not say why"))
    if "memory" not in made.stdout.split():
        raise tap.Skip("memory is not delegated by cgroup v2 here")


def can_be_held():
    """By a hub of ours as it is started here."""
    return "ok" in [line[:4].strip() for line in _doctor().splitlines()
                    if "memory limit" in line]


def _doctor():
    with HubHome(settings(), {"KUROMAJUTSU_LANGUAGE": "en"}) as home:
        return home.run("doctor").out


@tap.test
def where_it_cannot_be_held_agents_run_and_it_is_said_once():
    if can_be_held():
        raise tap.Skip("it can be held here")
    with HubHome(settings()) as home:
        talk = home.relay().talk
        talk.hello()
        ids = start_agents(talk, "reply", "reply")
        wait_for(talk, *ids)
        for id in ids:
            equal(talk.call("get_agent_status", agentId=id)["status"],
                  "completed")
        until(lambda: roles_are_judged(talk), "roles judged")
        line, = home.until_logged("agent.memory")
        said = json.loads(line)
        equal(said["level"], "warn")
        contains(said["message"], "agent.memoryMax_bytes")
        contains(said["message"], "cannot be enforced")


@tap.test
def without_the_key_nothing_is_said():
    with HubHome(settings(memoryMax_bytes=None)) as home:
        talk = home.relay().talk
        talk.hello()
        wait_for(talk, *start_agents(talk, "reply"))
        equal([x for x in home.log() if "agent.memory" in x], [])


@tap.test
def an_agent_over_it_fails_and_the_rest_goes_on():
    need_delegation()
    with HubHome(settings()) as home:
        cli = home.top / "cli"
        cli.write_text(GREEDY.replace("PUPPET",
                                      home.path("kuromajutsu-puppet")))
        cli.chmod(0o755)
        home.set(KUROMAJUTSU_AGENT_COMMAND=str(cli))
        home.start(*SCOPE[1:], home.path("kuromajutsu"), "serve",
                   program=SCOPE[0])
        until(lambda: home.run("status").returncode == 0, "the hub")
        talk = home.relay().talk
        talk.hello()
        id, = start_agents(talk, "reply")
        wait_for(talk, id)
        status = talk.call("get_agent_status", agentId=id)
        equal(status["status"], "failed")
        contains(status["result"]["errorMessage"], "agent.memoryMax_bytes")
        until(lambda: not _cgroups(home), "its cgroup removed")
        contains(home.run("doctor", KUROMAJUTSU_LANGUAGE="en").out,
                 "is enforced")


def _cgroups(home):
    """Of agents, below the one that the hub has divided."""
    own = read(f"/proc/{home.hub_pid()}/cgroup").partition("0::")[2].strip()
    done = subprocess.run(
        ["find", f"/sys/fs/cgroup{own}/..", "-maxdepth", "1", "-name",
         "agent-*"], capture_output=True, text=True, check=True)
    return done.stdout.split()


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The relay with the real hub."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

from harness.programs import PROGRAM

HERE = Path(__file__).resolve().parent

from harness.until import DEADLINE, equal, until
from harness import tap
from home import RelayHome

# The back-end's program is none: no role is available, and nothing is run.
CONFIG = "language: en\nagent:\n  command: /nonexistent\n"


def project():
    return RelayHome("kuromajutsu-hub", "kuromajutsu-warden", settings=CONFIG)


def one_hub(p):
    """The hub, once those that it was faster than have left."""
    return until(lambda: len(seen := p.hub_pids()) == 1 and seen,
                 "one hub")[0]


def open_group(client):
    is_error, body = client.use("create_group", description="d",
                                mode="concurrent")
    assert not is_error, body
    return body["groupId"]


@tap.test
def it_links_few_libraries():
    lines = subprocess.run(["ldd", PROGRAM], check=True, text=True,
                           capture_output=True).stdout
    names = set(re.findall(r"(lib\w+)[-.\d]*\.so", lines)) - {"libc"}
    # What a sanitizer adds is no matter of the program.
    names = {n for n in names if not re.match("lib[aut]b?san", n)}
    assert names <= {"libyyjson", "libyaml", "libm", "libgcc_s"}, names


@tap.test
def ten_relays_at_once_share_one_hub():
    with project() as p:
        clients = [p.client() for _ in range(10)]
        numbers = [c.order("list_agents", {}) for c in clients]
        for client, number in zip(clients, numbers):
            equal(client.outcome(number),
                  (False, {"agents": [], "total": 0}))
        hub = one_hub(p)
        group = open_group(clients[0])
        is_error, body = clients[9].use("list_agents", groupId=group)
        assert not is_error, body
        for server in p.servers:
            server.talk.hang_up()
        equal([server.wait() for server in p.servers], [0] * 10)
        equal(one_hub(p), hub)


@tap.test
def two_starts_at_once_then_one_killed():
    # As Cursor does: the first is ended while it is being greeted.
    with project() as p:
        first, second = p.client(), p.client()
        first.ask("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}})
        second.hello()
        p.servers[0].kill()
        is_error, body = second.use("list_agents")
        assert not is_error, body
        one_hub(p)


@tap.test
def a_relay_killed_while_it_starts_the_hub_harms_nobody():
    with project() as p:
        for _ in range(5):
            client = p.client()
            client.order("list_agents", {})
            until(p.states, "the start to begin")
            p.servers[-1].kill()
        is_error, body = p.client().use("list_agents")
        assert not is_error, body
        one_hub(p)


@tap.test
def every_relay_goes_on_after_the_death_of_the_hub():
    with project() as p:
        clients = [p.client() for _ in range(3)]
        for client in clients:
            client.hello()
            is_error, _ = client.use("list_agents")
            assert not is_error
        for _ in range(3):
            hub = one_hub(p)
            os.kill(hub, signal.SIGKILL)
            for client in clients:
                is_error, body = client.use("list_agents")
                assert not is_error, body
            until(lambda: p.hub_pids() and hub not in p.hub_pids(),
                  "another hub")


@tap.test
def calls_under_the_fire_of_kills_are_all_answered():
    with project() as p:
        client = p.client()
        client.hello()
        for _ in range(4):
            numbers = [client.order("list_agents", {}) for _ in range(100)]
            numbers.append(client.order("create_group", {
                "description": "d", "mode": "concurrent"}))
            p.kill_hubs()
            for number in numbers:
                is_error, body = client.outcome(number)
                assert not is_error or body["code"] == "HUB_RESTARTED", body
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def a_hub_told_to_leave_comes_back_with_the_next_call():
    with project() as p:
        client = p.client()
        client.hello()
        client.use("list_agents")
        os.kill(one_hub(p), signal.SIGTERM)
        until(lambda: not p.hub_pids(), "the hub to leave")
        equal(client.request("ping")["result"], {})
        equal(p.hub_pids(), [])
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def a_relay_inside_an_agent_finds_the_hub_by_its_socket():
    with project() as p:
        group = open_group(p.client())
        state, = p.states()
        # Elsewhere, and with a configuration that names another hub.
        other = p.top / "other"
        other.mkdir()
        (other / "kuromajutsu.config.yaml").write_text("language: [")
        client = p.client("mcp", "--config",
                          str(other / "kuromajutsu.config.yaml"),
                          KUROMAJUTSU_SOCKET=str(state / "hub.sock"))
        is_error, body = client.use("list_agents", groupId=group)
        assert not is_error, body
        equal(len(p.states()), 1)


@tap.test
def a_long_path_to_the_socket_is_no_hindrance():
    with project() as p:
        p.set(KUROMAJUTSU_HOME=str(p.top / ("h" * 120)))
        is_error, body = p.client().use("list_agents")
        assert not is_error, body


@tap.test
def every_end_is_0_and_soon_and_leaves_the_hub_alone():
    def by_signal(number):
        return lambda server: server.proc.send_signal(number)

    ends = {"EOF": lambda server: server.talk.hang_up(),
            "INT": by_signal(signal.SIGINT), "HUP": by_signal(signal.SIGHUP),
            "TERM": by_signal(signal.SIGTERM)}
    with project() as p:
        first = p.client()
        first.use("list_agents")
        hub = one_hub(p)
        for name, end in ends.items():
            server = p.start()
            server.talk.hello()
            server.talk.use("list_agents")
            start = time.monotonic()
            end(server)
            equal((name, server.wait()), (name, 0))
            assert time.monotonic() - start < DEADLINE / 2, name
        process = subprocess.Popen(
            [p.path("kuromajutsu")], cwd=p.project, env=p.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        equal(process.wait(DEADLINE), 0)
        process.stdin.close()
        equal(one_hub(p), hub)
        is_error, _ = first.use("list_agents")
        assert not is_error


@tap.test
def what_was_asked_before_the_end_is_answered():
    with project() as p:
        p.client().use("list_agents")
        server = p.start()
        client = server.talk
        start = time.monotonic()
        numbers = [client.order("list_agents", {}) for _ in range(300)]
        client.hang_up()
        equal(server.wait(), 0)
        # Late answers are not waited for, so a slow machine proves nothing.
        is_late = time.monotonic() - start > 0.7
        assert is_late or all(map(client.has_answered, numbers))


@tap.test
def a_client_that_asks_faster_than_it_reads_gets_everything():
    with project() as p:
        client = p.client()
        numbers = [client.order("list_roles", {}) for _ in range(5000)]
        for number in numbers:
            is_error, _ = client.outcome(number)
            assert not is_error


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The relay beside hubs that fail to start, die, leave, or are of another
build. The hub is a stand-in, since a real one does none of this when told
to."""

import json
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent

from harness.until import DEADLINE, equal, until
from harness.processes import is_sanitized, peak_kb
from harness import tap
from harness.mcp import meta, usual_tools
from home import StandInHome



@tap.test
def a_hub_is_started_and_belongs_to_nobody():
    with StandInHome(settings="language: en\n") as home:
        server = home.start()
        client = server.talk
        client.hello()
        is_error, body = client.use("get_agent_status", agentId="a")
        assert not is_error and body["wish"] == "a", body
        start = home.events("start")[0]
        equal(start["argv"], ["serve", "--background"])
        equal(start["fds"][:2], ["/dev/null", "/dev/null"])
        assert start["fds"][2].endswith("/hub.log"), start
        assert not start["blocked"], "signals are blocked in the hub"
        assert start["sid"] != os.getsid(0), "it is in the client's session"
        assert start["ppid"] != server.proc.pid
        state, = home.states()
        equal(state.stat().st_mode & 0o777, 0o700)
        hello = home.events("hello")[0]["hello"]
        equal(hello["client"], "relay")
        equal(hello["cwd"], str(home.project))
        assert home.mark in hello["env"]
        # What is the hub's own is for no agent.
        assert f"KUROMAJUTSU_HOME={home.home}" not in hello["env"]
        client.hang_up()
        equal(server.wait(), 0)
        assert home.hub_pids(), "the hub went with its relay"


@tap.test
def a_hub_is_told_the_file_that_was_named_and_no_other():
    """What is named is trusted, what is found is not."""
    with StandInHome(settings="language: en\n") as home:
        file = str(home.project / "kuromajutsu.config.yaml")
        client = home.start("--config", "kuromajutsu.config.yaml").talk
        client.hello()
        client.use("get_agent_status", agentId="a")
        equal(home.events("start")[0]["argv"],
              ["serve", "--background", "--config", os.path.realpath(file)])
        client.hang_up()


@tap.test
def a_client_that_leaves_at_once_starts_nothing():
    with StandInHome() as home:
        start = time.monotonic()
        server = home.start()
        server.talk.request("server/discover", {"_meta": meta()})
        server.proc.send_signal(signal.SIGTERM)
        equal(server.wait(), 0)
        # After a second it has stayed, and on a slow machine it may have.
        assert time.monotonic() - start > 1 or not home.states()


@tap.test
def a_client_that_stays_gets_a_hub_by_itself():
    with StandInHome() as home:
        home.client()
        home.await_events("hello")


@tap.test
def calls_are_asked_again_of_the_next_hub():
    with StandInHome() as home:
        client = home.client()
        client.hello()
        held = client.order("wait_agent", {"agentIds": ["never"]})
        group = client.order("create_group",
                            {"description": "never", "mode": "concurrent"})
        large = client.order("create_group", {"description": "never" * 20000})
        client.flush()
        home.await_events("call", 3)
        read = client.order("get_agent_status", {"agentId": "die once"})
        is_error, body = client.outcome(read)
        assert not is_error and body["wish"] == "die once", body
        # What is too large to be kept may or may not have been done.
        equal(client.code_of(large), "HUB_RESTARTED")
        calls = home.events("call")
        equal([c["name"] for c in calls],
              ["wait_agent", "create_group", "create_group",
               "get_agent_status",
               "wait_agent", "create_group", "get_agent_status"])
        equal([calls[i]["key"] for i in (0, 1, 3)],
              [calls[i]["key"] for i in (4, 5, 6)])
        equal(len({c["key"] for c in calls}), 4)
        assert not client.has_answered(held) and not client.has_answered(group)
        equal(client.request("ping")["result"], {})


@tap.test
def an_idle_relay_starts_the_next_hub_at_once():
    with StandInHome() as home:
        client = home.client()
        client.hello()
        home.await_events("hello")
        os.kill(home.events("up")[0]["pid"], signal.SIGKILL)
        home.await_events("hello", 2)
        # Not "start": one that meets the lock of the dying hub leaves, and is
        # started again.
        equal(len(home.events("up")), 2)


@tap.test
def one_whose_client_has_left_starts_none():
    """Also if it hears of both at once."""
    with StandInHome() as home:
        server = home.start()
        server.talk.hello()
        server.talk.use("get_agent_status", agentId="a")
        server.proc.send_signal(signal.SIGSTOP)
        server.talk.close()
        hub = home.events("up")[0]["pid"]
        os.kill(hub, signal.SIGKILL)
        until(lambda: not os.path.exists(f"/proc/{hub}/exe"), "its end")
        server.proc.send_signal(signal.SIGCONT)
        equal(server.proc.wait(DEADLINE), 0)
        # One that it had started would be there by now.
        equal(home.everybody(), [])


@tap.test
def a_call_that_kills_hubs_is_given_up():
    with StandInHome() as home:
        client = home.client()
        client.hello()
        number = client.order("get_agent_status", {"agentId": "die"})
        equal(client.code_of(number), "HUB_RESTARTED")
        equal(len(home.events("death")), 3)
        is_error, body = client.use("get_agent_status", agentId="b")
        assert not is_error, body


@tap.test
def a_hub_that_leaves_is_not_started_again_before_a_call():
    with StandInHome() as home:
        client = home.client()
        start = time.monotonic()
        client.hello()
        number = client.order("get_agent_status", {"agentId": "leave"})
        equal(client.code_of(number), "HUB_UNAVAILABLE")
        until(lambda: not home.hub_pids(), "the hub to leave")
        # Also when it has stayed for a second: it has had its hub.
        until(lambda: client.request("ping")["result"] == {}
              and time.monotonic() - start > 1.5, "its first second")
        equal(len(home.events("start")), 1)
        is_error, _ = client.use("get_agent_status", agentId="b")
        assert not is_error
        equal(len(home.events("start")), 2)


@tap.test
def a_hub_that_babbles_is_as_good_as_dead():
    with StandInHome() as home:
        client = home.client()
        client.hello()
        number = client.order("cancel_agent", {"agentIds": ["babble"]})
        equal(client.code_of(number), "HUB_RESTARTED")
        is_error, _ = client.use("get_agent_status", agentId="b")
        assert not is_error


@tap.test
def a_hub_that_does_not_start_says_why():
    with StandInHome({"fail": "the port is on fire", "code": 3}) as home:
        client = home.client()
        number = client.order("list_agents", {})
        is_error, body = client.outcome(number)
        assert is_error, body
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "終了コード 3 で終了しました: the port is on fire" in body["message"], body
        # The next call tries again.
        home.plan({})
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def a_missing_hub_is_named():
    with StandInHome() as home:
        (home.build / "kuromajutsu-hub").unlink()
        is_error, body = home.client().use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "kuromajutsu-hub: ファイルやディレクトリがありません" in body["message"], body


@tap.test
def a_wrong_configuration_is_told_with_its_place():
    wrong = "language: en\nagent:\n  maxConcurrent: many\n"
    with StandInHome(settings=wrong) as home:
        client = home.client()
        assert client.hello()["instructions"]
        equal(len(client.request("tools/list")["result"]["tools"]),
              len(usual_tools()))
        is_error, body = client.use("list_agents")
        assert is_error
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "kuromajutsu.config.yaml:3:18:" in body["message"], body
        equal(home.hub_pids(), [])
        home.configure("language: en\n")
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def an_idle_hub_of_another_build_is_replaced_once():
    with StandInHome({"build": "older"}, {"build": "older"}) as home:
        first = home.client()
        first.hello()
        is_error, one = first.use("get_agent_status", agentId="a")
        # One that it started itself is left alone, whatever it says.
        assert not is_error
        equal(len(home.events("stop")), 0)
        server = home.start()
        second = server.talk
        is_error, two = second.use("get_agent_status", agentId="a")
        assert not is_error and one["pid"] != two["pid"]
        equal([e["said"] for e in home.events("stop")],
              [{"keepAgents": False}])
        equal(len(home.events("up")), 2)
        second.hang_up()
        equal(server.wait(), 0)
        assert "別のビルド" in server.said(), server.said()


@tap.test
def a_busy_hub_of_another_build_is_kept():
    with StandInHome({"build": "older", "running": 2}) as home:
        home.client().hello()
        home.await_events("hello")
        server = home.start()
        is_error, _ = server.talk.use("get_agent_status", agentId="a")
        assert not is_error
        server.talk.hang_up()
        equal(server.wait(), 0)
        equal(server.said().count("別のビルド"), 1)
        equal(home.events("stop"), [])


@tap.test
def a_relay_inside_an_agent_starts_no_hub():
    with StandInHome() as home:
        home.client().hello()
        home.await_events("hello")
        state, = home.states()
        client = home.client(KUROMAJUTSU_SOCKET=str(state / "hub.sock"))
        is_error, _ = client.use("get_agent_status", agentId="a")
        assert not is_error
        home.servers[0].kill()
        os.kill(home.hub_pids()[0], signal.SIGKILL)
        until(lambda: not home.hub_pids(), "the hub's death")
        number = client.order("get_agent_status", {"agentId": "b"})
        equal(client.request("ping")["result"], {})
        assert not client.has_answered(number)
        equal(len(home.events("start")), 1)
        # Another relay of the project brings the hub back.
        home.client().hello()
        is_error, body = client.outcome(number)
        assert not is_error and body["wish"] == "b", body
        equal(len(home.events("start")), 2)


@tap.test
def a_relay_inside_an_agent_gives_up_after_the_lease():
    with StandInHome(settings={"hub": {"lease_ms": 1000}}) as home:
        missing = str(home.top / "no.sock")
        client = home.client(KUROMAJUTSU_SOCKET=missing)
        is_error, body = client.use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert missing in body["message"], body
        equal(home.states(), [])


@tap.test
def a_hub_that_says_nothing_is_given_up():
    with StandInHome({"deaf": True}, settings={
            "language": "en", "hub": {"lease_ms": 1000}}) as home:
        home.client().hello()
        home.await_events("hello")
        state, = home.states()
        client = home.client(KUROMAJUTSU_SOCKET=str(state / "hub.sock"))
        is_error, body = client.use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "no answer" in body["message"], body


@tap.test
def a_client_is_told_by_either_end_of_a_socket():
    # Node's clients have sockets for pipes.
    with StandInHome() as home:
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [home.path("kuromajutsu")], cwd=home.project, env=home.env,
            stdin=subprocess.PIPE, stdout=theirs)
        theirs.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        equal(json.loads(ours.recv(1000))["result"], {})
        ours.close()
        equal(process.wait(DEADLINE), 0)
        process.stdin.close()


@tap.test
def progress_rises_though_the_hub_repeats_itself():
    with StandInHome(settings="language: en\n") as home:
        client = home.client()
        client.hello()
        number = client.order("wait_agent", {"agentIds": ["progress"]},
                              progressToken="t0")
        client.outcome(number)
        notes = [n["params"] for n in client.notes]
        equal([n["progressToken"] for n in notes], ["t0"] * 3)
        steps = [n["progress"] for n in notes]
        assert steps == sorted(set(steps)) and int(steps[1]) == 0, steps
        equal(steps[2], 1)
        equal([n["message"] for n in notes],
              ["0/2 done", "0/2 done", "1/2 done"])
        assert home.events("call")[0]["progress"] is True


@tap.test
def a_cancelled_call_is_cancelled_in_the_hub():
    with StandInHome() as home:
        client = home.client()
        number = client.order("wait_agent", {"agentIds": ["never"]})
        home.await_events("call")
        client.note("notifications/cancelled", {"requestId": number})
        home.await_events("cancel")
        equal(client.request("ping")["result"], {})
        assert not client.has_answered(number)


@tap.test
def waits_are_cancelled_when_the_client_leaves():
    with StandInHome() as home:
        server = home.start()
        client = server.talk
        waiting = client.order("wait_agent", {"agentIds": ["never"]})
        home.await_events("call")
        start = time.monotonic()
        quick = client.order("get_agent_status", {"agentId": "a"})
        client.hang_up()
        equal(server.wait(), 0)
        # Late answers are not waited for, so a slow machine proves nothing.
        is_late = time.monotonic() - start > 0.7
        assert is_late or client.has_answered(quick)
        assert not client.has_answered(waiting)
        home.await_events("cancel")
        home.await_events("gone")


@tap.test
def a_client_that_reads_nothing_does_not_fill_the_relay():
    with StandInHome() as home:
        process = subprocess.Popen(
            [home.path("kuromajutsu")], cwd=home.project, env=home.env,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        count = 100
        for i in range(count):
            process.stdin.write(json.dumps({
                "jsonrpc": "2.0", "id": i, "method": "tools/call",
                "params": {"name": "get_agent_status",
                           "arguments": {"agentId": "large"}}}).encode()
                + b"\n")
        process.stdin.flush()
        # Some 200 MB of answers, if it took them all.
        home.await_events("call", 1)
        seen = {json.loads(process.stdout.readline())["id"]
                for _ in range(count)}
        peak = peak_kb(process.pid)
        equal(seen, set(range(count)))
        if is_sanitized(process.pid):
            raise tap.Skip("a sanitizer keeps what is freed")
        assert peak < 48 << 10, f"{peak} KiB"
        process.stdin.close()
        equal(process.wait(DEADLINE), 0)
        process.stdout.close()


if __name__ == "__main__":
    tap.run()

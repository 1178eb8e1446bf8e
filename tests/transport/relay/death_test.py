#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The relay beside hubs that fail to start, die, leave, or are of another
build: `death_test.py PROGRAM`. The hub is a stand-in, since a real one does
none of this when told to."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

from harness.programs import PROGRAM

HERE = Path(__file__).resolve().parent

from harness.until import DEADLINE, equal, until
from harness.processes import is_sanitized
from harness import tap
from client import Project



class Stage(Project):
    def __init__(self, *plan, config=None):
        super().__init__(PROGRAM, config=config)
        shutil.copy(HERE / "standin.py", self.bin / "kuromajutsu-hub")
        (self.bin / "kuromajutsu-hub").chmod(0o755)
        if plan:
            self.plan(*plan)

    def plan(self, *plan):
        (self.bin / "plan.new").write_text(json.dumps(plan))
        (self.bin / "plan.new").rename(self.bin / "plan.json")

    def events(self, what):
        file = self.bin / "events"
        text = file.read_text() if file.exists() else ""
        # The last one may be half written: it has no end then.
        events = [json.loads(line) for line in text.split("\n")[:-1]]
        return [e for e in events if e["what"] == what]

    def await_events(self, what, count=1):
        return until(lambda: len(found := self.events(what)) >= count
                     and found, f"{count} x {what}")


@tap.test
def a_hub_is_started_and_belongs_to_nobody():
    with Stage(config="language: en\n") as stage:
        client = stage.start()
        client.shake_hands()
        is_error, body = client.use("get_agent_status", {"agentId": "a"})
        assert not is_error and body["wish"] == "a", body
        start = stage.events("start")[0]
        file = str(stage.work / "kuromajutsu.config.yaml")
        equal(start["argv"], ["serve", "--background", "--config",
                              os.path.realpath(file)])
        equal(start["fds"][:2], ["/dev/null", "/dev/null"])
        assert start["fds"][2].endswith("/hub.log"), start
        assert not start["blocked"], "signals are blocked in the hub"
        assert start["sid"] != os.getsid(0), "it is in the client's session"
        assert start["ppid"] != client.process.pid
        state, = stage.states()
        equal(state.stat().st_mode & 0o777, 0o700)
        hello = stage.events("hello")[0]["hello"]
        equal(hello["client"], "relay")
        equal(hello["cwd"], str(stage.work))
        assert f"KUROMAJUTSU_HOME={stage.home}" in hello["env"]
        client.close()
        equal(client.end(), 0)
        assert stage.hubs(), "the hub went with its relay"


@tap.test
def a_client_that_leaves_at_once_starts_nothing():
    with Stage() as stage:
        start = time.monotonic()
        client = stage.start()
        client.ask("server/discover", {"_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo":
                {"name": "t", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {}}})
        client.process.send_signal(signal.SIGTERM)
        equal(client.end(), 0)
        # After a second it has stayed, and on a slow machine it may have.
        assert time.monotonic() - start > 1 or not stage.states()


@tap.test
def a_client_that_stays_gets_a_hub_by_itself():
    with Stage() as stage:
        stage.start()
        stage.await_events("hello")


@tap.test
def calls_are_asked_again_of_the_next_hub():
    with Stage() as stage:
        client = stage.start()
        client.shake_hands()
        held = client.call("wait_agent", {"agentIds": ["never"]})
        group = client.call("create_group",
                            {"description": "never", "mode": "concurrent"})
        large = client.call("create_group", {"description": "never" * 20000})
        stage.await_events("call", 3)
        read = client.call("get_agent_status", {"agentId": "die once"})
        is_error, body = client.result(read)
        assert not is_error and body["wish"] == "die once", body
        # What is too large to be kept may or may not have been done.
        equal(client.code_of(large), "HUB_RESTARTED")
        calls = stage.events("call")
        equal([c["name"] for c in calls],
              ["wait_agent", "create_group", "create_group",
               "get_agent_status",
               "wait_agent", "create_group", "get_agent_status"])
        equal([calls[i]["key"] for i in (0, 1, 3)],
              [calls[i]["key"] for i in (4, 5, 6)])
        equal(len({c["key"] for c in calls}), 4)
        assert held not in client.answers and group not in client.answers
        equal(client.ask("ping")["result"], {})


@tap.test
def an_idle_relay_starts_the_next_hub_at_once():
    with Stage() as stage:
        client = stage.start()
        client.shake_hands()
        stage.await_events("hello")
        os.kill(stage.events("up")[0]["pid"], signal.SIGKILL)
        stage.await_events("hello", 2)
        # Not "start": one that meets the lock of the dying hub leaves, and is
        # started again.
        equal(len(stage.events("up")), 2)


@tap.test
def a_call_that_kills_hubs_is_given_up():
    with Stage() as stage:
        client = stage.start()
        client.shake_hands()
        number = client.call("get_agent_status", {"agentId": "die"})
        equal(client.code_of(number), "HUB_RESTARTED")
        equal(len(stage.events("death")), 3)
        is_error, body = client.use("get_agent_status", {"agentId": "b"})
        assert not is_error, body


@tap.test
def a_hub_that_leaves_is_not_started_again_before_a_call():
    with Stage() as stage:
        client = stage.start()
        start = time.monotonic()
        client.shake_hands()
        number = client.call("get_agent_status", {"agentId": "leave"})
        equal(client.code_of(number), "HUB_UNAVAILABLE")
        until(lambda: not stage.hubs(), "the hub to leave")
        # Also when it has stayed for a second: it has had its hub.
        until(lambda: client.ask("ping")["result"] == {}
              and time.monotonic() - start > 1.5, "its first second")
        equal(len(stage.events("start")), 1)
        is_error, _ = client.use("get_agent_status", {"agentId": "b"})
        assert not is_error
        equal(len(stage.events("start")), 2)


@tap.test
def a_hub_that_babbles_is_as_good_as_dead():
    with Stage() as stage:
        client = stage.start()
        client.shake_hands()
        number = client.call("cancel_agent", {"agentIds": ["babble"]})
        equal(client.code_of(number), "HUB_RESTARTED")
        is_error, _ = client.use("get_agent_status", {"agentId": "b"})
        assert not is_error


@tap.test
def a_hub_that_does_not_start_says_why():
    with Stage({"fail": "the port is on fire", "code": 3}) as stage:
        client = stage.start()
        number = client.call("list_agents")
        is_error, body = client.result(number)
        assert is_error, body
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "exit 3: the port is on fire" in body["message"], body
        # The next call tries again.
        stage.plan({})
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def a_missing_hub_is_named():
    with Stage() as stage:
        (stage.bin / "kuromajutsu-hub").unlink()
        is_error, body = stage.start().use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "kuromajutsu-hub: No such file" in body["message"], body


@tap.test
def a_wrong_configuration_is_told_with_its_place():
    with Stage(config="language: en\nagent:\n  maxConcurrent: many\n") as stage:
        client = stage.start()
        assert client.shake_hands()["instructions"]
        equal(len(client.ask("tools/list")["result"]["tools"]), 12)
        is_error, body = client.use("list_agents")
        assert is_error
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "kuromajutsu.config.yaml:3:18:" in body["message"], body
        equal(stage.hubs(), [])
        stage.configure("language: en\n")
        is_error, body = client.use("list_agents")
        assert not is_error, body


@tap.test
def an_idle_hub_of_another_build_is_replaced_once():
    with Stage({"build": "older"}, {"build": "older"}) as stage:
        first = stage.start()
        first.shake_hands()
        is_error, one = first.use("get_agent_status", {"agentId": "a"})
        # One that it started itself is left alone, whatever it says.
        assert not is_error
        equal(len(stage.events("stop")), 0)
        second = stage.start()
        is_error, two = second.use("get_agent_status", {"agentId": "a"})
        assert not is_error and one["pid"] != two["pid"]
        equal([e["said"] for e in stage.events("stop")],
              [{"keepAgents": False}])
        equal(len(stage.events("up")), 2)
        second.close()
        equal(second.end(), 0)
        assert b"another build" in second.said, second.said


@tap.test
def a_busy_hub_of_another_build_is_kept():
    with Stage({"build": "older", "running": 2}) as stage:
        stage.start().shake_hands()
        stage.await_events("hello")
        client = stage.start()
        is_error, _ = client.use("get_agent_status", {"agentId": "a"})
        assert not is_error
        client.close()
        equal(client.end(), 0)
        assert client.said.count(b"another build") == 1, client.said
        equal(stage.events("stop"), [])


@tap.test
def a_relay_inside_an_agent_starts_no_hub():
    with Stage() as stage:
        stage.start().shake_hands()
        stage.await_events("hello")
        state, = stage.states()
        client = stage.start(KUROMAJUTSU_SOCKET=str(state / "hub.sock"))
        is_error, _ = client.use("get_agent_status", {"agentId": "a"})
        assert not is_error
        stage.clients[0].kill()
        os.kill(stage.hubs()[0], signal.SIGKILL)
        until(lambda: not stage.hubs(), "the hub's death")
        number = client.call("get_agent_status", {"agentId": "b"})
        equal(client.ask("ping")["result"], {})
        assert number not in client.answers
        equal(len(stage.events("start")), 1)
        # Another relay of the project brings the hub back.
        stage.start().shake_hands()
        is_error, body = client.result(number)
        assert not is_error and body["wish"] == "b", body
        equal(len(stage.events("start")), 2)


@tap.test
def a_relay_inside_an_agent_gives_up_after_the_lease():
    with Stage(config="language: en\nhub:\n  lease_ms: 1000\n") as stage:
        missing = str(stage.root / "no.sock")
        client = stage.start(KUROMAJUTSU_SOCKET=missing)
        is_error, body = client.use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert missing in body["message"], body
        equal(stage.states(), [])


@tap.test
def a_hub_that_says_nothing_is_given_up():
    with Stage({"deaf": True},
               config="language: en\nhub:\n  lease_ms: 1000\n") as stage:
        stage.start().shake_hands()
        stage.await_events("hello")
        state, = stage.states()
        client = stage.start(KUROMAJUTSU_SOCKET=str(state / "hub.sock"))
        is_error, body = client.use("list_agents")
        equal(body["code"], "HUB_UNAVAILABLE")
        assert "no answer" in body["message"], body


@tap.test
def a_client_is_told_by_either_end_of_a_socket():
    # Node's clients have sockets for pipes.
    with Stage() as stage:
        ours, theirs = socket.socketpair()
        process = subprocess.Popen([stage.relay], cwd=stage.work,
                                   env=stage.env(), stdin=subprocess.PIPE,
                                   stdout=theirs)
        theirs.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        equal(json.loads(ours.recv(1000))["result"], {})
        ours.close()
        equal(process.wait(DEADLINE), 0)
        process.stdin.close()


@tap.test
def progress_rises_though_the_hub_repeats_itself():
    with Stage(config="language: en\n") as stage:
        client = stage.start()
        client.shake_hands()
        number = client.call("wait_agent", {"agentIds": ["progress"]}, "t0")
        client.result(number)
        notes = [n["params"] for n in client.notes]
        equal([n["progressToken"] for n in notes], ["t0"] * 3)
        steps = [n["progress"] for n in notes]
        assert steps == sorted(set(steps)) and int(steps[1]) == 0, steps
        equal(steps[2], 1)
        equal([n["message"] for n in notes],
              ["0/2 done", "0/2 done", "1/2 done"])
        assert stage.events("call")[0]["progress"] is True


@tap.test
def a_cancelled_call_is_cancelled_in_the_hub():
    with Stage() as stage:
        client = stage.start()
        number = client.call("wait_agent", {"agentIds": ["never"]})
        stage.await_events("call")
        client.note("notifications/cancelled", {"requestId": number})
        stage.await_events("cancel")
        equal(client.ask("ping")["result"], {})
        assert number not in client.answers


@tap.test
def waits_are_cancelled_when_the_client_leaves():
    with Stage() as stage:
        client = stage.start()
        waiting = client.call("wait_agent", {"agentIds": ["never"]})
        stage.await_events("call")
        start = time.monotonic()
        quick = client.call("get_agent_status", {"agentId": "a"})
        client.close()
        equal(client.end(), 0)
        # Late answers are not waited for, so a slow machine proves nothing.
        is_late = time.monotonic() - start > 0.7
        assert is_late or quick in client.answers
        assert waiting not in client.answers
        stage.await_events("cancel")
        stage.await_events("gone")


@tap.test
def a_client_that_reads_nothing_does_not_fill_the_relay():
    with Stage() as stage:
        process = subprocess.Popen(
            [stage.relay], cwd=stage.work, env=stage.env(),
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
        stage.await_events("call", 1)
        status = Path(f"/proc/{process.pid}/status")
        seen = {json.loads(process.stdout.readline())["id"]
                for _ in range(count)}
        peak = [int(line.split()[1]) for line in
                status.read_text().splitlines() if "VmHWM" in line][0]
        equal(seen, set(range(count)))
        if is_sanitized(process.pid):
            raise tap.Skip("a sanitizer keeps what is freed")
        assert peak < 48 << 10, f"{peak} KiB"
        process.stdin.close()
        equal(process.wait(DEADLINE), 0)
        process.stdout.close()


if __name__ == "__main__":
    tap.run()

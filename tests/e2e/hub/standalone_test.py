# SPDX-License-Identifier: MIT
"""The hub alone with its client: MCP on its stdin and stdout, line by line."""

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import threading

from harness import tap
from harness.hub import patient_home
from harness.processes import is_sanitized, peak_kb, stuck
from harness.tools import start_agents
from harness.until import DEADLINE, equal, until
from harness.wire import STOP

VERSION = "2025-06-18"
FIRST = {"jsonrpc": "2.0", "id": "first", "method": "initialize",
         "params": {"protocolVersion": VERSION, "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"}}}


def line(message):
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(id, name, args=None):
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": name, "arguments": args or {}}}


def begin(p):
    """A hub, and the talk with it."""
    server = p.standalone()
    equal(server.talk.hello(VERSION)["protocolVersion"], VERSION)
    return server, server.talk


def plain(p):
    """A hub whose pipes are as we got them."""
    return p.hub("--standalone", stdin=subprocess.PIPE,
                 stdout=subprocess.PIPE)


def leave(p, server):
    """The client goes, and so does the hub: what it has said meanwhile."""
    late = server.talk.hang_up()
    p.stopped(server.proc)
    return late


@tap.test
def a_client_is_served_and_its_end_is_ours():
    with patient_home() as p:
        server, talk = begin(p)
        equal(talk.call("list_agents"), {"agents": [], "total": 0})
        equal(leave(p, server), [])


@tap.test
def all_that_was_asked_before_the_end_is_answered():
    with patient_home() as p:
        server = p.standalone()
        server.talk.say(line(FIRST) + b"".join(
            line(call(i, "list_agents")) for i in range(200)) +
            line(call("last", "list_roles"))[:-1])  # and no newline
        leave(p, server)
        # Not in this order: some wait until what they tell is safe.
        equal(sorted(server.talk.answers),
              sorted(map(json.dumps, ["first", *range(200), "last"])))


@tap.test
def its_agents_end_with_it():
    with patient_home() as p:
        server, talk = begin(p)
        ids = start_agents(talk, "hang", "hang")
        p.until_running(talk, *ids)
        talk.order("wait_agent", {"agentIds": ids})
        talk.call("list_agents")
        leave(p, server)
        equal([p.tree(id) for id in ids], [[], []])


@tap.test
def a_client_that_reads_no_more_has_left():
    with patient_home() as p:
        server, talk = begin(p)
        talk.stop_reading()
        p.stopped(server.proc)  # without a word of ours
        server, talk = begin(p)
        talk.stop_reading()
        for i in range(50):
            talk.order("list_roles", {})
        p.stopped(server.proc)


@tap.test
def signals_end_it():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with patient_home() as p:
            server, talk = begin(p)
            server.proc.send_signal(number)
            talk.late = []
            equal(server.wait(), 0)
            equal(talk.late, [])


@tap.test
def others_are_answered_while_one_waits():
    with patient_home() as p:
        server, talk = begin(p)
        ids = start_agents(talk, "hang")
        wait = talk.order("wait_agent", {"agentIds": ids})
        equal(talk.request("ping")["result"], {})
        talk.call("list_agents")
        talk.note("notifications/cancelled", {"requestId": wait})
        talk.call("cancel_agent", agentIds=ids)
        until(lambda: not p.alive(ids[0]), "its end")
        talk.call("list_agents")
        equal(talk.has_answered(wait), False)
        equal(leave(p, server), [])


@tap.test
def progress_comes_with_its_token():
    with patient_home() as p:
        server, talk = begin(p)
        ids = start_agents(talk, "reply", "hang")
        wait = talk.order("wait_agent", {"agentIds": ids},
                          progressToken="token 0")

        def heard():
            talk.call("list_agents")
            return [note for note in talk.notes
                    if note["method"] == "notifications/progress"]
        equal(until(heard, "progress")[0]["params"]["progressToken"],
              "token 0")
        talk.call("cancel_agent", agentIds=ids)
        done = talk.result(wait)["structuredContent"]["completed"]
        equal(len(done), 2)
        leave(p, server)


@tap.test
def a_line_of_64_megabytes_is_refused_and_the_stream_goes_on():
    with patient_home() as p:
        server, talk = begin(p)
        talk.say(b'{"jsonrpc":"2.0","id":1,"method":"ping","a":"')
        for _ in range(66):
            talk.say(b"x" * (1 << 20))
            talk.flush()
        talk.say(b'"}\n')
        talk.until(lambda: talk.nameless, "a refusal")
        refusal, = talk.nameless
        equal(refusal["error"]["code"], -32600)
        equal(talk.call("list_agents")["total"], 0)
        leave(p, server)


@tap.test
def what_is_no_message_is_said_so():
    with patient_home() as p:
        server, talk = begin(p)
        talk.say(b"no JSON\n\n \r\n{}\n\xff\xfe\n[]\n")
        talk.until(lambda: len(talk.nameless) == 4, "four refusals")
        equal([each["error"]["code"] for each in talk.nameless],
              [-32700, -32600, -32700, -32600])
        equal(talk.call("list_agents")["total"], 0)
        leave(p, server)


@tap.test
def one_who_does_not_read_is_not_read():
    with patient_home() as p:
        hub = plain(p)
        count = 5000

        def send():
            hub.stdin.write(line(FIRST))
            for i in range(count):
                hub.stdin.write(line(call(i, "list_roles")))
            hub.stdin.close()
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        until(stuck(sender), "a sender that waits")
        assert sender.is_alive()
        if not is_sanitized(hub.pid):
            assert peak_kb(hub.pid) < 32 << 10, peak_kb(hub.pid)
        heard = [json.loads(text)["id"] for text in hub.stdout]
        equal(heard, ["first", *range(count)])
        sender.join()
        hub.stdout.close()
        p.stopped(hub)


@tap.test
def what_is_shared_stays_as_it_was():
    with patient_home() as p:
        hub = plain(p)
        hub.stdin.write(line(FIRST))
        hub.stdin.flush()
        equal(json.loads(hub.stdout.readline())["id"], "first")
        for pipe in (hub.stdin, hub.stdout):
            assert not fcntl.fcntl(pipe, fcntl.F_GETFL) & os.O_NONBLOCK
        for fd in (0, 1):
            with open(f"/proc/{hub.pid}/fdinfo/{fd}") as f:
                flags = int(re.search(r"flags:\s+(\d+)", f.read())[1], 8)
            assert not flags & os.O_NONBLOCK, fd
        hub.stdin.close()
        equal(hub.stdout.read(), b"")
        hub.stdout.close()
        p.stopped(hub)


@tap.test
def sockets_are_ends_too():
    with patient_home() as p:
        ours, theirs = socket.socketpair()
        ours.settimeout(DEADLINE)
        hub = p.hub("--standalone", stdin=theirs, stdout=theirs)
        theirs.close()
        ours.sendall(line(FIRST) + line(call(1, "list_agents")))
        ours.shutdown(socket.SHUT_WR)
        seen = b""
        while more := ours.recv(65536):
            seen += more
        equal([json.loads(s)["id"] for s in seen.splitlines()], ["first", 1])
        p.stopped(hub)
        ours.close()


@tap.test
def files_are_ends_too():
    with patient_home() as p:
        asked, told = p.top / "asked", p.top / "told"
        asked.write_bytes(line(FIRST) + b"".join(
            line(call(i, "list_roles")) for i in range(1000)))
        with open(asked) as stdin, open(told, "wb") as stdout:
            hub = p.hub("--standalone", stdin=stdin, stdout=stdout)
            p.stopped(hub)
        equal([json.loads(s)["id"] for s in open(told)],
              ["first", *range(1000)])


@tap.test
def nothing_at_all_is_an_end():
    with patient_home() as p:
        p.stopped(p.hub("--standalone"))


@tap.test
def a_command_may_come_and_stop_it():
    with patient_home() as p:
        server, talk = begin(p)
        with p.session() as w:
            equal(w.ask("hub_status")["pid"], server.proc.pid)
            w.send(STOP, b"{}")
            assert w.is_closed()
        talk.late = []
        equal(server.wait(), 0)
        equal(talk.late, [])


@tap.test
def an_agent_reports_by_a_relay_of_its_own():
    with patient_home() as p:
        server, talk = begin(p)
        ids = start_agents(talk, "report")
        done = talk.call("wait_agent", agentIds=ids)["completed"]
        equal([d["status"] for d in done], ["resultReported"])
        leave(p, server)


if __name__ == "__main__":
    tap.run()

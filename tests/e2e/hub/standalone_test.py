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
from harness.processes import is_sanitized
from harness.until import DEADLINE, equal, until
from harness.wire import Project

FIRST = {"jsonrpc": "2.0", "id": "first", "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                    "clientInfo": {"name": "test", "version": "1"}}}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def line(message):
    return json.dumps(message, ensure_ascii=False).encode() + b"\n"


def call(id, name, args=None, **meta):
    params = {"name": name, "arguments": args or {}}
    if meta:
        params["_meta"] = meta
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": params}


class Client:
    def __init__(self, p, **popen):
        popen = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **popen}
        self.p = p
        self.hub = p.hub("--standalone", **popen)
        self.kept = []

    def send(self, *messages):
        self.hub.stdin.write(b"".join(map(line, messages)))
        self.hub.stdin.flush()

    def next(self):
        text = self.hub.stdout.readline()
        return json.loads(text) if text else None

    def answer(self, id):
        for kept in self.kept:
            if kept.get("id") == id:
                self.kept.remove(kept)
                return kept
        while True:
            seen = self.next()
            assert seen is not None, "the server has closed"
            if seen.get("id") == id:
                return seen
            self.kept.append(seen)

    def begin(self):
        self.send(FIRST, READY)
        equal(self.answer("first")["result"]["protocolVersion"], "2025-06-18")
        return self

    def ask(self, name, args=None):
        self.send(call(f"ask {name}", name, args))
        result = self.answer(f"ask {name}")["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    def run(self, *scenarios):
        return self.p.run(self, *scenarios)

    def leave(self):
        self.hub.stdin.close()
        rest = self.hub.stdout.read()
        self.hub.stdout.close()
        self.p.left(self.hub)
        return rest


@tap.test
def a_client_is_served_and_its_end_is_ours():
    with Project() as p:
        c = Client(p).begin()
        equal(c.ask("list_agents"), {"agents": [], "total": 0})
        equal(c.leave(), b"")


@tap.test
def all_that_was_asked_before_the_end_is_answered():
    with Project() as p:
        c = Client(p)
        c.hub.stdin.write(line(FIRST) + b"".join(
            line(call(i, "list_agents")) for i in range(200)) +
            line(call("last", "list_roles"))[:-1])  # and no newline
        seen = c.leave().splitlines()
        # Not in this order: some wait until what they tell is safe.
        equal(sorted((json.loads(s)["id"] for s in seen), key=str),
              sorted(["first", *range(200), "last"], key=str))


@tap.test
def its_agents_end_with_it():
    with Project() as p:
        c = Client(p).begin()
        ids = c.run("hang", "hang")
        p.until_running(c, *ids)
        c.send(call("w", "wait_agent", {"agentIds": ids}))
        c.ask("list_agents")
        c.hub.stdin.close()
        c.hub.stdout.read()
        p.left(c.hub)
        c.hub.stdout.close()
        equal([p.players(id) for id in ids], [[], []])


@tap.test
def a_client_that_reads_no_more_has_left():
    with Project() as p:
        c = Client(p).begin()
        c.hub.stdout.close()
        p.left(c.hub)  # without a word of ours
        c.hub.stdin.close()
        c = Client(p).begin()
        c.hub.stdout.close()
        try:
            c.send(*(call(i, "list_roles") for i in range(50)))
        except BrokenPipeError:
            pass
        p.left(c.hub)
        try:
            c.hub.stdin.close()
        except BrokenPipeError:
            pass


@tap.test
def signals_end_it():
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with Project() as p:
            c = Client(p).begin()
            c.hub.send_signal(number)
            equal(c.hub.stdout.read(), b"")
            p.left(c.hub)
            c.hub.stdout.close()
            c.hub.stdin.close()


@tap.test
def others_are_answered_while_one_waits():
    with Project() as p:
        c = Client(p).begin()
        ids = c.run("hang")
        c.send(call(0, "wait_agent", {"agentIds": ids}))
        c.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        equal(c.answer(1)["result"], {})
        c.ask("list_agents")
        c.send({"jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": {"requestId": 0}})
        c.ask("cancel_agent", {"agentIds": ids})
        until(lambda: not p.alive(ids[0]), "its end")
        c.ask("list_agents")
        equal([k for k in c.kept if k.get("id") == 0], [])
        equal(c.leave(), b"")


@tap.test
def progress_comes_with_its_token():
    with Project() as p:
        c = Client(p).begin()
        ids = c.run("reply", "hang")
        c.send(call("w", "wait_agent", {"agentIds": ids},
                    progressToken="token 0"))

        def heard():
            c.ask("list_agents")
            return [k for k in c.kept
                    if k.get("method") == "notifications/progress"]
        equal(until(heard, "progress")[0]["params"]["progressToken"],
              "token 0")
        c.ask("cancel_agent", {"agentIds": ids})
        equal(len(c.answer("w")["result"]["structuredContent"]["completed"]),
              2)
        c.leave()


@tap.test
def a_line_of_64_megabytes_is_refused_and_the_stream_goes_on():
    with Project() as p:
        c = Client(p).begin()
        c.hub.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping","a":"')
        for _ in range(66):
            c.hub.stdin.write(b"x" * (1 << 20))
        c.hub.stdin.write(b'"}\n')
        c.hub.stdin.flush()
        refusal = c.next()
        equal((refusal.get("id"), refusal["error"]["code"]), (None, -32600))
        equal(c.ask("list_agents")["total"], 0)
        c.leave()


@tap.test
def what_is_no_message_is_said_so():
    with Project() as p:
        c = Client(p).begin()
        c.hub.stdin.write(b"no JSON\n\n \r\n{}\n\xff\xfe\n[]\n")
        c.hub.stdin.flush()
        equal([c.next()["error"]["code"] for _ in range(4)],
              [-32700, -32600, -32700, -32600])
        equal(c.ask("list_agents")["total"], 0)
        c.leave()


@tap.test
def one_who_does_not_read_is_not_read():
    with Project() as p:
        c = Client(p).begin()
        count = 5000

        def send():
            for i in range(count):
                c.hub.stdin.write(line(call(i, "list_roles")))
            c.hub.stdin.close()
        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        seen = [None]

        def stuck():
            with open(f"/proc/self/task/{sender.native_id}/syscall") as f:
                now = f.read()
            was, seen[0] = seen[0], now
            return now == was and now != "running\n"
        until(stuck, "a sender that waits")
        assert sender.is_alive()
        with open(f"/proc/{c.hub.pid}/status") as f:
            peak = int(re.search(r"VmHWM:\s+(\d+)", f.read())[1])
        if not is_sanitized(c.hub.pid):
            assert peak < 32 << 10, peak
        heard = [json.loads(text)["id"] for text in c.hub.stdout]
        equal(heard, list(range(count)))
        sender.join()
        c.hub.stdout.close()
        p.left(c.hub)


@tap.test
def what_is_shared_stays_as_it_was():
    with Project() as p:
        c = Client(p).begin()
        for pipe in (c.hub.stdin, c.hub.stdout):
            assert not fcntl.fcntl(pipe, fcntl.F_GETFL) & os.O_NONBLOCK
        for fd in (0, 1):
            with open(f"/proc/{c.hub.pid}/fdinfo/{fd}") as f:
                flags = int(re.search(r"flags:\s+(\d+)", f.read())[1], 8)
            assert not flags & os.O_NONBLOCK, fd
        c.leave()


@tap.test
def sockets_are_ends_too():
    with Project() as p:
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
        p.left(hub)
        ours.close()


@tap.test
def files_are_ends_too():
    with Project() as p:
        asked, told = (os.path.join(p.top, x) for x in ("asked", "told"))
        with open(asked, "wb") as f:
            f.write(line(FIRST) + b"".join(line(call(i, "list_roles"))
                                           for i in range(1000)))
        with open(asked) as stdin, open(told, "wb") as stdout:
            hub = p.hub("--standalone", stdin=stdin, stdout=stdout)
            p.left(hub)
        equal([json.loads(s)["id"] for s in open(told)],
              ["first", *range(1000)])


@tap.test
def nothing_at_all_is_an_end():
    with Project() as p:
        p.left(p.hub("--standalone"))


@tap.test
def a_command_may_visit_and_stop_it():
    with Project() as p:
        c = Client(p).begin()
        with p.visit() as w:
            equal(w.ask("hub_status")["pid"], c.hub.pid)
            w.send(4, b"{}")
            assert w.is_closed()
        equal(c.hub.stdout.read(), b"")
        p.left(c.hub)
        c.hub.stdout.close()
        c.hub.stdin.close()


@tap.test
def an_agent_reports_by_a_relay_of_its_own():
    with Project() as p:
        c = Client(p).begin()
        ids = c.run("report")
        done = c.ask("wait_agent", {"agentIds": ids})["completed"]
        equal([d["status"] for d in done], ["resultReported"])
        c.leave()


tap.run()

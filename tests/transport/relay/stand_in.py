#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A hub that speaks the wire and does what no good hub does.

It lies beside a relay as kuromajutsu-hub (home.py sees to that). plan.json
there is a list, one entry for each start (the last one for all that follow):

  {"fail": TEXT, "code": N}   says the text on stderr and leaves
  {"build": B, "running": N}  of its welcome
  {"deaf": true}              takes connections and says nothing

Calls choose what happens next by the id in their arguments: see on_call.
Everything it sees is a line of `events` beside it.
"""

import fcntl
import json
import os
import selectors
import signal
import socket
import struct
import sys
from pathlib import Path

from harness.wire import (ANSWER, CALL, CANCEL, GREETING, HELLO, LEAVING,
                          PROGRESS, STOP, WELCOME, frame, take_frame)

HERE = Path(sys.argv[0]).resolve().parent


def note(what, **more):
    line = json.dumps({"what": what, "pid": os.getpid()} | more) + "\n"
    with open(HERE / "events", "a") as events:
        events.write(line)


class Peer:
    def __init__(self, hub, connection):
        self.hub, self.connection = hub, connection
        self.buffer = bytearray()
        self.is_greeted = False

    def put(self, kind, payload=b"", handle=0, flags=0):
        self.connection.sendall(frame(kind, payload, handle, flags))

    def put_json(self, kind, value, handle=0, flags=0):
        self.put(kind, json.dumps(value, separators=(",", ":"))
                 .encode(), handle, flags)

    def feed(self, data):
        self.buffer += data
        if not self.is_greeted:
            if len(self.buffer) < len(GREETING):
                return
            assert self.buffer.startswith(GREETING), self.buffer
            del self.buffer[:len(GREETING)]
            self.is_greeted = True
        while seen := take_frame(self.buffer):
            kind, _, handle, payload = seen
            self.on_frame(kind, handle, payload)

    def on_frame(self, kind, handle, payload):
        if kind == HELLO:
            hello = json.loads(payload)
            note("hello", hello=hello)
            if not self.hub.plan.get("deaf"):
                self.put_json(WELCOME, {
                    "build": self.hub.plan.get("build", hello["build"]),
                    "pid": os.getpid(), "agentId": "",
                    "running": self.hub.plan.get("running", 0)})
        elif kind == CALL:
            self.on_call(handle, json.loads(payload))
        elif kind == CANCEL:
            note("cancel")
        elif kind == STOP:
            note("stop", said=json.loads(payload))
            self.hub.leave()

    def on_call(self, handle, call):
        note("call", name=call["name"], key=call["key"], args=call["args"],
             progress=call["progress"])
        ids = call["args"].get("agentIds") or [call["args"].get("agentId")]
        wish = ids[0] or call["args"].get("description", "")
        if wish == "die" or wish == "die once" and self.hub.number == 0:
            note("death")
            os.kill(os.getpid(), signal.SIGKILL)
        elif wish == "leave" and self.hub.number == 0:
            self.hub.leave()
        elif wish == "babble" and self.hub.number == 0:
            self.connection.sendall(b"\xff" * 64)
        elif wish == "progress":
            for done in (0, 0, 1):
                self.put(PROGRESS, struct.pack("=II", done, 2), handle)
            self.put_json(ANSWER, {"ok": True}, handle)
        elif wish.startswith("never"):
            pass
        elif wish == "large":
            self.put_json(ANSWER, {"text": "x" * 1_000_000}, handle)
        else:
            self.put_json(ANSWER, {"pid": os.getpid(), "wish": wish}, handle)


class Hub:
    def __init__(self):
        starts = HERE / "starts"
        self.number = starts.stat().st_size if starts.exists() else 0
        with open(starts, "a") as file:
            file.write("x")
        plans = HERE / "plan.json"
        plan = json.loads(plans.read_text()) if plans.exists() else [{}]
        self.plan = plan[min(self.number, len(plan) - 1)]
        # The relay has given us the log of the state directory as stderr.
        self.state = Path(os.readlink("/proc/self/fd/2")).parent
        self.peers = {}

    def leave(self):
        note("leaving")
        for peer in self.peers.values():
            peer.put(LEAVING)
        os.unlink(self.state / "hub.sock")
        sys.exit(0)

    def listen(self):
        path = self.state / "hub.sock"
        path.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        os.chdir(self.state)  # the path may be too long for an address
        listener.bind("hub.sock")
        listener.listen(64)
        return listener

    def serve(self):
        lock = open(self.state / "hub.lock", "w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            note("yield")
            return
        listener, selector = self.listen(), selectors.DefaultSelector()
        selector.register(listener, selectors.EVENT_READ)
        note("up")
        while True:
            for key, _ in selector.select():
                if key.fileobj is listener:
                    connection, _ = listener.accept()
                    self.peers[connection] = Peer(self, connection)
                    selector.register(connection, selectors.EVENT_READ)
                    continue
                data = key.fileobj.recv(1 << 16)
                if data:
                    self.peers[key.fileobj].feed(data)
                else:
                    selector.unregister(key.fileobj)
                    del self.peers[key.fileobj]
                    note("gone")


def main():
    hub = Hub()
    note("start", argv=sys.argv[1:], cwd=os.getcwd(), sid=os.getsid(0),
         ppid=os.getppid(),
         fds=[os.readlink(f"/proc/self/fd/{n}") for n in (0, 1, 2)],
         blocked=signal.pthread_sigmask(signal.SIG_BLOCK, []) != set())
    if "fail" in hub.plan:
        print(hub.plan["fail"], file=sys.stderr, flush=True)
        sys.exit(hub.plan.get("code", 1))
    hub.serve()


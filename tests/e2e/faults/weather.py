# SPDX-License-Identifier: MIT
"""What happens around a hub: somebody sets the clock, the disk fills and is
emptied again, watchers of the feed come and go."""

import contextlib
import mmap
import os
import socket
import struct
import subprocess
import threading

from harness.websocket import Closed, Refused, WebSocket

HOUR = 3600 * 1000


class Clock:
    """Of hubs that were linked with wall_clock.c."""

    def __init__(self, path):
        path.write_bytes(bytes(8))
        with open(path, "r+b") as f:
            self.map = mmap.mmap(f.fileno(), 8)
        self.path = path
        self.ahead = 0  # ms

    def jump(self, ms):
        self.ahead += ms
        self.map[:] = struct.pack("q", self.ahead)


class Disk:
    """A small one for the state, where it can be had: mounting needs root."""

    def __init__(self, at, size):
        self.at = at
        self.why_not = "" if os.geteuid() == 0 else "mount needs root"
        if not self.why_not:
            done = subprocess.run(
                ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700",
                 "none", at], capture_output=True, text=True, check=False)
            self.why_not = done.stderr.strip()

    @contextlib.contextmanager
    def full(self):
        filler = self.at / "filler"
        with open(filler, "wb", buffering=0) as f:
            size = 1 << 20
            while size:
                try:
                    f.write(bytes(size))
                except OSError:
                    size //= 2
        try:
            yield
        finally:
            filler.unlink()

    def close(self):
        if not self.why_not:
            subprocess.run(["umount", "-l", self.at], check=True)


class Watcher(threading.Thread):
    """Comes back whenever it has lost the hub, and says by `since` where it
    was. Events have numbers, each of which it sees once and in order."""

    def __init__(self, port, chance):
        super().__init__(daemon=True)
        self.port, self.chance = port, chance
        self.seen = 0  # the last number
        self.events = self.visits = 0
        self.faults = []
        self.ws = None
        self.must_end = threading.Event()

    def run(self):
        while not self.must_end.is_set():
            try:
                self.visit()
            except (Refused, Closed, OSError):
                self.must_end.wait(0.05)
            except AssertionError as fault:
                self.faults.append(str(fault))
                return

    def visit(self):
        path = f"/ws?since={self.seen}" if self.seen else "/ws"
        self.ws = ws = WebSocket(self.port, path)
        self.visits += 1
        with contextlib.closing(ws.sock):  # without a goodbye
            for _ in range(self.chance.randrange(1, 400)):
                if self.must_end.is_set():
                    return
                self.take(ws.event())
            if self.chance.random() < 0.2:  # reads no more for a while
                self.must_end.wait(self.chance.random())

    def take(self, event):
        seq = event.get("seq")
        if seq is None:  # progress
            return
        if event["type"] == "server:startup":  # the whole picture
            assert seq >= self.seen, f"a picture of {seq} after {self.seen}"
        else:
            assert seq == self.seen + 1, f"{seq} after {self.seen}: {event}"
        self.seen = seq
        self.events += 1

    def end(self):
        self.must_end.set()
        while self.is_alive():  # it may have just come back
            if self.ws:
                with contextlib.suppress(OSError):
                    self.ws.sock.shutdown(socket.SHUT_RDWR)
            self.join(0.05)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]

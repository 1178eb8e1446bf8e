# SPDX-License-Identifier: MIT
"""The wire: what relays and commands speak to a hub over its socket, frame by
frame, by clients that may also misspeak."""

import itertools
import json
import os
import socket
import struct

from harness.until import DEADLINE, equal

GREETING = b"kuromajutsu-wire 1\n"
HEAD = struct.Struct("=IBBHQ")
HELLO, CALL, CANCEL, STOP = 1, 2, 3, 4
WELCOME, ANSWER, PROGRESS, LEAVING = 64, 65, 66, 67


def frame(kind, payload=b"", handle=0, flags=0):
    return HEAD.pack(len(payload), kind, flags, 0, handle) + payload


def packed(value):
    return json.dumps(value, ensure_ascii=False).encode()


def take_frame(buffer):
    """Takes the first frame out of a bytearray: (kind, flags, handle,
    payload), or None while it is not all there."""
    if len(buffer) < HEAD.size:
        return None
    length, kind, flags, zero, handle = HEAD.unpack_from(buffer)
    equal(zero, 0)
    end = HEAD.size + length
    if len(buffer) < end:
        return None
    payload = bytes(buffer[HEAD.size:end])
    del buffer[:end]
    return kind, flags, handle, payload


class Wire:
    """One connection to a hub's socket."""

    def __init__(self, path, **hello):
        self.handles = itertools.count(1)
        self.kept = []
        self.buffer = bytearray()  # grows by megabytes, in small pieces
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(DEADLINE)
        self.connect(path)
        self.said = {"build": "test", "client": "command",
                     "cwd": os.getcwd(), "env": ["A=b"], **hello}

    def connect(self, path):
        folder = os.open(os.path.dirname(path), os.O_PATH)
        try:
            self.socket.connect(f"/proc/self/fd/{folder}/hub.sock")
        finally:
            os.close(folder)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def raw(self, data):
        self.socket.sendall(data)

    def send(self, kind, payload=b"", handle=0, flags=0):
        self.raw(frame(kind, payload, handle, flags))

    def hello(self):
        self.raw(GREETING)
        self.send(HELLO, packed(self.said))
        kind, _, _, payload = self.next()
        equal(kind, WELCOME)
        return json.loads(payload)

    def next(self):
        """The next frame, or None when the hub has closed."""
        while not (seen := take_frame(self.buffer)):
            try:
                more = self.socket.recv(1 << 20)
            except ConnectionResetError:
                more = b""
            if not more:
                equal(self.buffer, b"")
                return None
            self.buffer += more
        return seen

    def order(self, name, args=None, progress=False):
        handle = next(self.handles)
        call = {"name": name, "progress": progress, "key": f"k-{handle}"}
        if args is not None:
            call["args"] = args
        self.send(CALL, packed(call), handle)
        return handle

    def answer(self, handle):
        """To a call that was ordered: (whether an error, its object)."""
        for kept in self.kept:
            if kept[0] == ANSWER and kept[2] == handle:
                self.kept.remove(kept)
                return bool(kept[1] & 1), json.loads(kept[3])
        while True:
            seen = self.next()
            assert seen is not None, "the hub has closed"
            if seen[0] == ANSWER and seen[2] == handle:
                return bool(seen[1] & 1), json.loads(seen[3])
            self.kept.append(seen)

    def ask(self, name, args=None):
        """The answer to a call that is to go well."""
        is_error, answer = self.answer(self.order(name, args))
        assert not is_error, answer
        return answer

    def call(self, name, **args):
        """The same, spelt as with harness.mcp."""
        return self.ask(name, args)

    def refused(self, name, args=None):
        """The code of one that is not."""
        is_error, answer = self.answer(self.order(name, args))
        assert is_error and answer["error"] is True, answer
        return answer["code"]

    def is_closed(self):
        while self.next() is not None:
            pass
        return True


class InheritedWire(Wire):
    """One that was opened by a child of ours, which has ended."""

    def connect(self, path):
        child = os.fork()
        if child == 0:
            try:
                super().connect(path)
                os._exit(0)
            finally:
                os._exit(1)
        equal(os.waitpid(child, 0)[1], 0)

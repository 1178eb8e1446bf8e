# SPDX-License-Identifier: MIT
"""A WebSocket client (RFC 6455) that can also misbehave."""

import base64
import hashlib
import json
import os
import socket
import struct

from harness.until import DEADLINE

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Refused(Exception):
    """The handshake was answered with something else; .status, .head."""

    def __init__(self, status, head):
        super().__init__(f"{status}: {head}")
        self.status, self.head = status, head


class Closed(Exception):
    """The server has closed; .code is None without a close frame."""

    def __init__(self, code, reason):
        super().__init__(f"{code} {reason}")
        self.code, self.reason = code, reason


def frame(opcode, payload=b"", fin=True, mask=b"\1\2\3\4", rsv=0):
    """A client's frame; mask None is against the rules."""
    head = bytes([fin << 7 | rsv << 4 | opcode])
    bit = 0 if mask is None else 0x80
    if len(payload) < 126:
        head += bytes([bit | len(payload)])
    elif len(payload) < 1 << 16:
        head += struct.pack(">BH", bit | 126, len(payload))
    else:
        head += struct.pack(">BQ", bit | 127, len(payload))
    if mask is None:
        return head + payload
    if any(mask):
        payload = bytes(c ^ mask[i % 4] for i, c in enumerate(payload))
    return head + mask + payload


def handshake(port, path, key, **headers):
    """The bytes of it; a header of None is left out."""
    fields = {"Host": f"127.0.0.1:{port}", "Upgrade": "websocket",
              "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
              "Sec-WebSocket-Key": key,
              **{k.replace("_", "-"): v for k, v in headers.items()}}
    lines = [f"{k}: {v}" for k, v in fields.items() if v is not None]
    return "\r\n".join([f"GET {path} HTTP/1.1", *lines, "", ""]).encode()


class WebSocket:
    """Open when made. `buffer` bounds what the kernel reads ahead."""

    def __init__(self, port, path, buffer=None, **headers):
        self.sock = socket.socket()
        if buffer is not None:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.sock.settimeout(DEADLINE)
        self.rest = bytearray()
        self.pings = 0
        self.answers_pings = True
        try:
            self.sock.connect(("127.0.0.1", port))
            self._shake(port, path, headers)
        except BaseException:
            self.sock.close()
            raise

    def _shake(self, port, path, headers):
        key = base64.b64encode(os.urandom(16)).decode()
        self.sock.sendall(handshake(port, path, key, **headers))
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, _, rest = bytes(self.rest).partition(b"\r\n\r\n")
        self.rest = bytearray(rest)
        head = head.decode()
        status = int(head.split()[1])
        if status != 101:
            raise Refused(status, head.lower())
        wanted = base64.b64encode(
            hashlib.sha1((key + GUID).encode()).digest()).decode()
        assert f"sec-websocket-accept: {wanted}" in head, head

    def _more(self):
        try:
            piece = self.sock.recv(1 << 18)
        except ConnectionError:
            piece = b""
        if not piece:
            raise Closed(None, "")
        self.rest += piece

    def _take(self, count):
        while len(self.rest) < count:
            self._more()
        piece = bytes(self.rest[:count])
        del self.rest[:count]
        return piece

    def frame(self):
        """The next frame: (opcode, payload)."""
        first, second = self._take(2)
        assert first & 0x80 and second < 0x80, (first, second)
        size = second
        if second == 126:
            size, = struct.unpack(">H", self._take(2))
        elif second == 127:
            size, = struct.unpack(">Q", self._take(8))
        return first & 15, self._take(size)

    def read(self):
        """The next text; pings are answered, a close raises Closed."""
        while True:
            opcode, payload = self.frame()
            if opcode == TEXT:
                return payload.decode()
            if opcode == CLOSE:
                code = struct.unpack(">H", payload[:2])[0] if payload else 1005
                self.send(CLOSE, payload[:2])
                raise Closed(code, payload[2:].decode())
            if opcode == PING:
                self.pings += 1
                if self.answers_pings:
                    self.send(PONG, payload)

    def event(self):
        return json.loads(self.read())

    def has_input(self):
        """Whether something is there to be read, without waiting."""
        if self.rest:
            return True
        self.sock.settimeout(0)
        try:
            return bool(self.sock.recv(1, socket.MSG_PEEK)) or True
        except BlockingIOError:
            return False
        finally:
            self.sock.settimeout(DEADLINE)

    def closed(self):
        """Reads to the end: the code that the server closed with."""
        try:
            while True:
                self.read()
        except Closed as end:
            return end.code

    def send(self, opcode, payload=b"", **how):
        try:
            self.sock.sendall(frame(opcode, payload, **how))
        except ConnectionError:
            pass  # reading will tell how it ended

    def say(self, what):
        if not isinstance(what, str):
            what = json.dumps(what, ensure_ascii=False)
        self.send(TEXT, what.encode())

    def close(self, code=1000):
        """Says goodbye and waits for the answer; its code."""
        self.send(CLOSE, struct.pack(">H", code))
        seen = self.closed()
        self.sock.close()
        return seen

    def drop(self):
        """Leaves without a word, by a reset."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                             struct.pack("ii", 1, 0))
        self.sock.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.sock.close()

# SPDX-License-Identifier: MIT
"""HTTP, and MCP over it, by a client that says exactly the bytes it is told to
and reads answers whole or event by event."""

import http.client
import json
import socket
import urllib.parse

from harness.mcp import META, MODERN, meta
from harness.until import DEADLINE, equal

JSON = "application/json"
SSE = "text/event-stream"
BOTH = f"{JSON}, {SSE}"


def request(port, method, path, body=None, headers=None, host="127.0.0.1"):
    """On a connection of its own: (status, headers, body) of the answer."""
    connection = http.client.HTTPConnection(host, port, timeout=DEADLINE)
    try:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Answer:
    """The head of an answer; the body is read when it is asked for."""

    def __init__(self, raw, connection):
        self.raw, self.connection = raw, connection
        self.status = raw.status
        self.headers = {k.lower(): v for k, v in raw.getheaders()}
        self.type = self.headers.get("content-type", "").split(";")[0]
        self.is_stream = self.type == SSE
        self.comments = 0  # of a stream, as far as it was read
        self._body = self._messages = None

    @property
    def body(self):
        if self._body is None:
            self._body = self.raw.read()  # what a stream has left
        return self._body

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        """The code of a JSON-RPC error."""
        return self.json["error"]["code"]

    def _line(self):
        """The next line of a stream; "" at its end."""
        line = self.raw.readline().decode()
        self.comments += line.startswith(":")
        return line

    def event(self):
        """The next event's message; None at the end of the stream. Comments
        and events without data are passed over."""
        data = []
        while line := self._line():
            word, _, rest = line.rstrip("\r\n").partition(":")
            if word == "data" and rest.strip():
                data.append(rest.removeprefix(" "))
            elif not (word or rest) and data:
                return json.loads("\n".join(data))
        return None

    def events(self):
        return list(iter(self.event, None))

    def comment(self):
        """Reads until a comment has come."""
        seen = self.comments
        while self.comments == seen:
            assert self._line(), "the stream has ended"

    def messages(self):
        """Every message of it that has not come yet, whichever way they do;
        none if it is something else."""
        if self._messages is None:
            if self.is_stream:
                self._messages = self.events()
            else:
                is_json = self.type == JSON and self.body
                self._messages = [self.json] if is_json else []
        return self._messages

    @property
    def message(self):
        """The one that answers the request."""
        return self.messages()[-1]

    def leave(self):
        self.raw.close()
        self.connection.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()


class Connection:
    """`url` is that of the site; paths are below it."""

    def __init__(self, url):
        where = urllib.parse.urlsplit(url)
        self.host = where.netloc
        self.socket = socket.create_connection(
            (where.hostname, where.port), DEADLINE)

    def say(self, data):
        self.socket.sendall(data)

    def hear(self, method="POST"):
        raw = http.client.HTTPResponse(self.socket, method=method)
        raw.begin()
        return Answer(raw, self)

    def head(self, method, path, headers):
        """A request's head; `headers` may say Host its own way."""
        if not any(name.lower() == "host" for name, _ in headers):
            headers = [("Host", self.host), *headers]
        lines = [f"{method} {path} HTTP/1.1",
                 *(f"{name}: {value}" for name, value in headers)]
        return "\r\n".join(lines).encode() + b"\r\n\r\n"

    def ask(self, method, path, headers=(), body=None):
        headers = list(headers)
        if body is not None:
            headers.append(("Content-Length", len(body)))
        self.say(self.head(method, path, headers) + (body or b""))
        return self.hear(method)

    def came(self, answer):
        """What has come of its body already and was not read."""
        self.socket.setblocking(False)
        try:
            return answer.raw.fp.peek()
        except BlockingIOError:
            return b""
        finally:
            self.socket.settimeout(DEADLINE)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Message:
    """A JSON-RPC message on its way, with the headers its era wants. Both may
    be bent before it is sent."""

    def __init__(self, method, params=None, id=1, era="legacy"):
        self.body = {"jsonrpc": "2.0", "method": method}
        if id is not None:
            self.body["id"] = id
        self.headers = {"Content-Type": JSON, "Accept": BOTH}
        if era == "modern":
            params = {"_meta": meta(), **(params or {})}
            self.headers["MCP-Protocol-Version"] = MODERN
            self.headers["Mcp-Method"] = method
            if name := params.get("name") or params.get("uri"):
                self.headers["Mcp-Name"] = name
        if params is not None:
            self.body["params"] = params

    def set(self, **headers):
        """Sets headers, words of names parted by _; None takes one away."""
        for name, value in headers.items():
            name = name.replace("_", "-")
            for old in [o for o in self.headers if o.lower() == name.lower()]:
                del self.headers[old]
            if value is not None:
                self.headers[name] = value
        return self

    def meta(self, **members):
        """Sets members of _meta by their last word; None takes one away."""
        for name, value in members.items():
            place = self.body["params"]["_meta"]
            place.pop(META + name, None)
            if value is not None:
                place[META + name] = value
        return self

    def post(self, connection, path="/mcp"):
        return connection.ask(
            "POST", path, self.headers.items(),
            json.dumps(self.body, ensure_ascii=False).encode())


def initialize(version="2025-11-25", can=None):
    """The first message of the older era."""
    return Message("initialize", {
        "protocolVersion": version, "capabilities": can or {},
        "clientInfo": {"name": "harness", "version": "1"}})


def refused(answer, status, code, id=None):
    """It was answered with this status and this JSON-RPC error."""
    equal(answer.status, status)
    equal(answer.type, JSON)
    message = json.loads(answer.body)
    equal(message["jsonrpc"], "2.0")
    equal(message["error"]["code"], code)
    assert message["error"]["message"], message
    equal(message.get("id"), id)
    return message["error"]

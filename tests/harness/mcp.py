# SPDX-License-Identifier: MIT
"""A talk with an MCP server on its pipes, in raw JSON lines.

One thread does both directions, so that neither side can wait for the other:
what is to be said goes out as the server takes it, and what comes meanwhile
is kept, answers by the text of their id, notices in their order."""

import json
import os
import pathlib
import select
import subprocess
import time

from harness.schema import meets
from harness.until import DEADLINE

MODERN = "2026-07-28"
TABLES = pathlib.Path(__file__).parents[2] / "transport/mcp/toolsets"
META = "io.modelcontextprotocol/"
USUAL = ("kuro", "mail", "phases", "pm")  # the toolsets of a client that names none


def tables():
    """Each toolset's table, by its name."""
    return {path.stem: json.loads(path.read_text("utf-8"))
            for path in TABLES.glob("*.json")}


def usual_tools():
    """Names of the tools that a client is offered."""
    known = tables()
    return [tool["name"] for name in USUAL for tool in known[name]["tools"]]


def meta(**more):
    """What every request of the new era carries."""
    return {META + "protocolVersion": MODERN, META + "clientCapabilities": {},
            META + "clientInfo": {"name": "talk", "version": "1"}, **more}


def start(argv, **popen):
    """A server on pipes of ours, and the talk with it."""
    proc = subprocess.Popen(argv, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, **popen)
    talk = Talk(os.dup(proc.stdin.fileno()), os.dup(proc.stdout.fileno()),
                argv[0])
    proc.stdin.close()
    proc.stdout.close()
    return proc, talk


class Talk:
    """The pipes are given away; `who` is for complaints."""

    def __init__(self, to, source, who="the server"):
        self.to, self.source, self.who = to, source, who
        os.set_blocking(to, False)
        self.out = bytearray()
        self.rest = bytearray()
        self.answers = {}  # id as JSON text -> the answers, in order
        self.nameless = []  # errors for what had no id that could be read
        self.notes = []
        self.late = None  # what came after our last word, once it is said
        self.is_over = self.is_closed = False
        self.last_id = 0
        self.schemas = {}  # outputSchema by tool, once learn() was called

    # ---- bytes ----------------------------------------------------------

    def say(self, data):
        """Sends bytes, or a message of its own line."""
        if not isinstance(data, (bytes, bytearray)):
            data = json.dumps(data, ensure_ascii=False).encode() + b"\n"
        self.out += data
        self._push()

    def _push(self):
        """Sends what the server takes now."""
        try:
            del self.out[:os.write(self.to, self.out[:1 << 16])]
        except BlockingIOError:
            pass  # it is full; what is left goes when it is read
        except BrokenPipeError:
            self.out.clear()

    def pump(self, seconds):
        """Does what can be done within this time, once."""
        write = [self.to] if self.out else []
        ready, writable, _ = select.select([self.source], write, [], seconds)
        if writable:
            self._push()
        if ready:
            self._take(os.read(self.source, 1 << 18))

    def _take(self, chunk):
        self.is_over = not chunk
        before = len(self.rest)
        self.rest += chunk
        if b"\n" not in chunk:  # a long line is not searched again and again
            return
        end = self.rest.rindex(b"\n", before) + 1
        whole, self.rest = self.rest[:end], self.rest[end:]
        for line in bytes(whole).splitlines():
            self._file(line)

    def _file(self, line):
        message = json.loads(line)  # stdout carries JSON-RPC and nothing else
        for each in message if isinstance(message, list) else [message]:
            if self.late is not None:
                self.late.append(each)
            assert each.get("jsonrpc") == "2.0", f"{self.who} said {each}"
            if "method" in each:
                self.notes.append(each)
            elif each.get("id") is None:
                self.nameless.append(each)
            else:
                name = json.dumps(each["id"])
                self.answers.setdefault(name, []).append(each)

    def until(self, look, what):
        """Listens until the answer is true, and returns it."""
        end = time.monotonic() + DEADLINE
        while not (seen := look()):
            assert not self.is_over, f"{self.who} left before {what}"
            assert time.monotonic() < end, f"waited in vain: {what}"
            self.pump(1)
        return seen

    def flush(self):
        self.until(lambda: not self.out, "all is said")

    def quiet(self):
        """Gives the pipes back with nothing of the server's half read."""
        self.flush()
        self.until(lambda: not self.rest, "a whole line")
        os.set_blocking(self.to, True)

    def read_on(self):
        """Reads until the server has closed."""
        end = time.monotonic() + DEADLINE
        while not self.is_over:
            assert time.monotonic() < end, f"{self.who} does not leave"
            self.pump(1)

    def hang_up(self):
        """Says no more; the messages that still come until its end."""
        self.flush()
        self.late = []
        os.close(self.to)
        self.to = None
        self.read_on()
        return self.late

    def stop_reading(self):
        """Closes the end that the server writes to."""
        os.close(self.source)
        self.source = None

    # ---- requests -------------------------------------------------------

    def next_id(self):
        self.last_id += 1
        return self.last_id

    def ask(self, method, params=None, id=None):
        """Sends a request and gives its id."""
        id = self.next_id() if id is None else id
        message = {"jsonrpc": "2.0", "id": id, "method": method}
        if params is not None:
            message["params"] = params
        self.say(message)
        return id

    def note(self, method, params=None):
        message = {"jsonrpc": "2.0", "method": method}
        if params is not None:
            message["params"] = params
        self.say(message)

    def answer(self, id):
        """Waits for the answer to a request."""
        name = json.dumps(id)
        seen = self.until(lambda: self.answers.get(name), f"answer {name}")
        assert len(seen) == 1, f"{self.who} answered {name} twice"
        return seen[0]

    def has_answered(self, id):
        return json.dumps(id) in self.answers

    def request(self, method, params=None):
        return self.answer(self.ask(method, params))

    def hello(self, version="2025-11-25"):
        answer = self.request("initialize", {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "talk", "version": "1"}})
        self.note("notifications/initialized")
        return answer["result"]

    # ---- tools ----------------------------------------------------------

    def learn(self):
        """From here on, what a tool answers must be what the table of tools
        promises, of which clients are told little."""
        tools = self.request("tools/list")["result"]["tools"]
        table = {t["name"]: t for one in tables().values()
                 for t in one["tools"]}
        self.schemas = {t["name"]: table.get(t["name"], t).get(
            "answerSchema", t["outputSchema"]) for t in tools}
        return tools

    def order(self, tool, args, **meta):
        """Sends a call of a tool and gives its id."""
        params = {"name": tool, "arguments": args}
        if meta:
            params["_meta"] = meta
        return self.ask("tools/call", params)

    def result(self, id):
        answer = self.answer(id)
        assert "result" in answer, f"{self.who} answered {answer}"
        return answer["result"]

    def call(self, tool, **args):
        """What a tool answers when all is well."""
        result = self.result(self.order(tool, args))
        assert not result.get("isError"), f"{tool}: {result}"
        content = result["structuredContent"]
        text, = result["content"]
        assert json.loads(text["text"]) == content, f"{tool} says two things"
        meets(content, self.schemas.get(tool, {}), tool)
        return content

    def refused(self, tool, **args):
        """The result of a call that must be refused."""
        result = self.result(self.order(tool, args))
        assert result.get("isError") is True, f"{tool}: {repr(result):.500}"
        return result

    def outcome(self, id):
        """(whether an error, its object) of an answer, by the text alone:
        that is what answers of every version have. Of phases some are for
        reading: then by its object."""
        result = self.result(id)
        text = result["content"][0]["text"]
        return (result.get("isError", False),
                json.loads(text) if text[:1] == "{" else
                result["structuredContent"])

    def use(self, tool, **args):
        """The same of a call made now."""
        return self.outcome(self.order(tool, args))

    def code_of(self, id):
        """Why a call was refused."""
        is_error, body = self.outcome(id)
        assert is_error, body
        return body["code"]

    def close(self):
        """Lets go of the pipes, those that are still there."""
        for fd in () if self.is_closed else (self.to, self.source):
            if fd is not None:
                os.close(fd)
        self.is_closed = True

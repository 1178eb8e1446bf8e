# SPDX-License-Identifier: MIT
"""Messages that no client should send, and some that it should, by a seed.

Each comes with what the protocol owes it, so that a test can count: a request
with an id that can be read is answered once under that id, what cannot be read
is answered once under none, and notices are not answered at all."""

import json
import random
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from harness.mcp import META, MODERN

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
BATCHES = "2025-03-26"  # the one version that has them


@dataclass
class Message:
    line: bytes  # its newline the last byte
    ids: list = field(default_factory=list)  # each is answered once
    nameless: int = 0  # answers without an id
    loose: int = 0  # answers that may come, under whatever id
    either: Any = None  # one answer, under this id or under none
    check: Optional[Callable] = None  # of the answer to ids[0]


def has_result(answer):
    assert "result" in answer, answer


def has_code(*codes):
    def check(answer):
        assert answer["error"]["code"] in codes, answer
    return check


def is_judged(answer):
    """A tool's own word, or params that are none."""
    assert "result" in answer or answer["error"]["code"] == -32602, answer


def dump(value):
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


class Maker:
    """`agent` is the id of an agent that there is."""

    def __init__(self, seed, agent):
        self.random = random.Random(seed)
        self.agent = agent
        self.count = 0
        self.version = VERSIONS[-1]  # what the handshakes have led to
        self.listens = []
        self.kinds = [
            (30, self.good), (12, self.broken), (10, self.misshapen),
            (14, self.wrong_args), (6, self.unknown_method), (4, self.note),
            (2, self.response), (2, self.deep), (1, self.huge),
            (3, self.batch), (2, self.handshake), (4, self.wrong_era),
            (8, self.mutated), (2, self.blank), (3, self.unknown_paper)]

    def make(self):
        weights, kinds = zip(*self.kinds)
        return self.random.choices(kinds, weights)[0]()

    # ---- parts ----------------------------------------------------------

    def next_id(self):
        """Never the same twice, of every type that clients use."""
        self.count += 1
        n = self.count
        return self.random.choice((
            n, -n, n + 0.5, n + 2**53, n + 2**64, f"s{n}", f"識別子-{n}",
            f'quote"{n}\\', f"tab\t{n}", f"\U0001f9d9{n}", f" {n} "))

    def junk(self, depth=2):
        r = self.random
        plain = (None, True, False, 0, -1, 1.5, 2**53 + 1, -2**63, 1e300, "",
                 "text", "x" * 300, "\u0000", "\U0001f9d9", "a\nb", [], {})
        if depth == 0 or r.random() < 0.6:
            return r.choice(plain)
        if r.random() < 0.5:
            return [self.junk(depth - 1) for _ in range(r.randrange(4))]
        return {self.word(): self.junk(depth - 1) for _ in range(r.randrange(4))}

    def word(self):
        return self.random.choice((
            "agentId", "agentIds", "groupId", "status", "timeout_ms", "mode",
            "agents", "stages", "tasks", "role", "prompt", "_meta", "name",
            "arguments", "__proto__", "", "キー", "description", "type"))

    def meta(self):
        return {META + "protocolVersion": MODERN,
                META + "clientCapabilities": {}}

    def request(self, method, params, id=None, **more):
        """Of either era, by chance."""
        if isinstance(params, dict) and self.random.random() < 0.5:
            params = {**params, "_meta": self.meta()}
        return {"jsonrpc": "2.0", "id": self.next_id() if id is None else id,
                "method": method, "params": params, **more}

    def tool(self, name, args):
        return self.request("tools/call", {"name": name, "arguments": args})

    def one(self, message, check=None):
        return Message(dump(message), ids=[message["id"]], check=check)

    def valid(self):
        r = self.random
        nobody = f"nobody-{r.randrange(10**6)}"
        return r.choice((
            lambda: self.tool("get_agent_status", {"agentId": self.agent}),
            lambda: self.tool("get_agent_status", {"agentId": nobody}),
            lambda: self.tool("list_agents", {"status": r.choice(
                ("all", "running", "failed", "queued"))}),
            lambda: self.tool("list_roles", {}),
            lambda: self.tool("wait_agent", {"agentIds": [self.agent],
                                             "timeout_ms": r.randrange(9)}),
            lambda: self.tool("wait_agent", {"agentIds": [nobody]}),
            lambda: self.tool("cancel_agent", {"agentIds": [self.agent]}),
            lambda: self.tool("delete_group", {"groupId": nobody}),
            lambda: self.tool("create_group", {"description": "説明"}),
            lambda: self.tool("report_result", {
                "agentId": nobody, "status": "success", "summary": "s",
                "response": "r"}),
            lambda: self.request(r.choice((
                "tools/list", "resources/list", "resources/templates/list",
                "prompts/list")), {}),
        ))()

    # ---- kinds ----------------------------------------------------------

    def good(self):
        if self.random.random() < 0.1:
            ping = {"jsonrpc": "2.0", "id": self.next_id(), "method": "ping"}
            return self.one(ping, has_result)
        return self.one(self.valid(), has_result)

    def broken(self):
        text = dump(self.valid())[:-1]
        line = self.random.choice((
            lambda: text[:self.random.randrange(1, len(text))],
            lambda: text + self.random.choice((b"}", b",", b"x", b"{}")),
            lambda: b"}" + self.random.randbytes(40).replace(b"\n", b""),
            lambda: text.replace(b'"', b"'"),
            lambda: text.replace(b'"id"', b'"id\xff\xfe"'),
            lambda: text.replace(b'"2.0"', b"NaN"),
            lambda: text.replace(b'"2.0"', b'"2.0\\x"'),
            lambda: text.replace(b'"2.0"', b'"\x01"'),
            lambda: text.replace(b'"id"', b',"id"'),
            lambda: b"[" * self.random.randrange(1, 5000),
        ))()
        return Message(line + b"\n", nameless=1)

    def misshapen(self):
        m = self.valid()
        what = self.random.choice(("jsonrpc", "id", "method", "params", "all"))
        if what == "all":
            junk = self.random.choice((1, "text", True, None, 1.5))
            return Message(dump(junk), nameless=1)
        if what == "id":
            m["id"] = self.random.choice((None, True, [], {}, [1]))
            return Message(dump(m), nameless=1)
        if what == "params":
            m["params"] = self.random.choice(([], [1], "text", 1, True))
            return self.one(m, has_code(-32602))
        m[what] = self.random.choice((None, 2, 2.0, "", [], {}, False))
        if what == "method" and m[what] == "":
            return self.one(m, has_code(-32601))
        return self.one(m, has_code(-32600))

    def wrong_args(self):
        r = self.random
        name = r.choice((
            "create_group", "delete_group", "run_agents", "run_sequential",
            "run_magentic", "list_agents", "get_agent_status", "wait_agent",
            "report_result", "list_roles", "update_ledger", "cancel_agent",
            "should_start", "authenticate", "get_my_task", "create_handoff",
            "update_task_status", "save_context", "nonsense", self.junk()))
        args = {self.word(): self.junk() for _ in range(r.randrange(5))}
        if "timeout_ms" in args:  # a wait of 2^53 ms would be one
            args["timeout_ms"] = "soon"
        if r.random() < 0.1:
            args = self.junk()
        return self.one(self.tool(name, args), is_judged)

    def unknown_paper(self):
        """What there is not to be read."""
        method, params = self.random.choice((
            ("resources/read", {"uri": self.junk()}),
            ("resources/read", {"uri": "task://" + "%41" * 200}),
            ("resources/read", {}),
            ("resources/list", {"cursor": self.junk(0) or "x"}),
            ("prompts/get", {"name": self.junk()}),
            ("prompts/get", {"name": "task_start", "arguments": self.junk()})))
        return self.one(self.request(method, params), has_code(-32602, -32002))

    def unknown_method(self):
        method = self.random.choice((
            "resources/subscribe", "prompts", "tools", "tools/call/x", "",
            "rpc.discover", "ＴＯＯＬＳ", "x" * 5000, "notifications/none",
            "completion/complete", "\u0000"))
        return self.one(self.request(method, {}), has_code(-32601))

    def note(self):
        r = self.random
        method, params = r.choice((
            ("notifications/initialized", {}),
            ("notifications/cancelled", {"requestId": f"never-{r.random()}"}),
            ("notifications/cancelled", {"requestId": self.junk(0) or []}),
            ("notifications/cancelled", [1]),
            ("notifications/progress", {"progressToken": 1, "progress": 1}),
            ("notifications/none", self.junk()), ("ping", {}),
            ("tools/call", {"name": "list_roles"})))
        return Message(dump(
            {"jsonrpc": "2.0", "method": method, "params": params}))

    def response(self):
        body = self.random.choice((
            {"result": self.junk()},
            {"error": {"code": 1, "message": "no"}}))
        return Message(dump({"jsonrpc": "2.0", "id": self.next_id(), **body}))

    def deep(self):
        depth = self.random.choice((60, 1000, 20000, 200000))
        opening, closing = self.random.choice(
            ((b"[", b"]"), (b'{"a":', b"}"), (b'[{"a":', b"}]")))
        nest = opening * depth + b"1" + closing * depth
        m = self.tool("list_agents", {"groupId": "DEEP"})
        line = dump(m).replace(b'"DEEP"', nest)
        return Message(line, either=m["id"])

    def huge(self):
        r = self.random
        text = r.choice(("x", "長", "\\", '"', "\U0001f9d9")) * r.randrange(
            100000, 300000)
        m = r.choice((
            lambda: self.tool("get_agent_status", {"agentId": text}),
            lambda: self.tool("create_group", {"description": text}),
            lambda: self.tool("list_agents", {text: 1}),
            lambda: self.tool(text, {}),
            lambda: self.request(text, {}),
            lambda: self.request("tools/list", {}, id=f"{self.count} {text}"),
        ))()
        return self.one(m)

    def batch(self):
        many = [self.valid() for _ in range(self.random.randrange(4))]
        line = dump(many)
        if self.version != BATCHES or not many:
            return Message(line, nameless=1)
        return Message(line, ids=[m["id"] for m in many], check=has_result)

    def handshake(self):
        version = self.random.choice((*VERSIONS, MODERN, "1999-01-01", 7))
        m = {"jsonrpc": "2.0", "id": self.next_id(), "method": "initialize",
             "params": {"protocolVersion": version, "capabilities": {},
                        "clientInfo": {"name": "maker", "version": "1"}}}
        if version == 7:
            return self.one(m, has_code(-32602))
        self.version = version if version in VERSIONS else VERSIONS[-1]
        return self.one(m, has_result)

    def wrong_era(self):
        r = self.random
        if r.random() < 0.2:
            return self.one({"jsonrpc": "2.0", "id": self.next_id(),
                             "method": "server/discover",
                             "params": {"_meta": self.meta()}}, has_result)
        meta, codes = r.choice((
            ({META + "protocolVersion": MODERN}, (-32602,)),
            ({META + "protocolVersion": self.junk(0)}, (-32602,)),
            ({**self.meta(), META + "protocolVersion": "2099-01-01"},
             (-32022,)),
            ({**self.meta(), META + "clientCapabilities": []}, (-32602,)),
            ({**self.meta(), META + "logLevel": "loud"}, (-32602,))))
        return self.one(
            {"jsonrpc": "2.0", "id": self.next_id(), "method": "tools/list",
             "params": {"_meta": meta}}, has_code(*codes))

    def mutated(self):
        """A good one with some bytes that are not. Its own id is a long word,
        so that no change of it makes another's id."""
        r = self.random
        m = self.valid()
        m["id"] = f"mutated-{r.getrandbits(128):032x}"
        line = bytearray(dump(m)[:-1])
        for _ in range(r.randrange(1, 6)):
            at = r.randrange(len(line))
            what = r.randrange(3)
            if what == 0:
                line[at] = r.choice([b for b in range(256) if b != 10])
            elif what == 1:
                del line[at:at + r.randrange(1, 8)]
            else:
                line[at:at] = line[at:at + r.randrange(1, 20)]
            line = line or bytearray(b"x")
        return Message(bytes(line) + b"\n", loose=1)

    def blank(self):
        if self.random.random() < 0.5:
            return Message(self.random.choice((b"\n", b"  \n", b"\r\n", b"\t\n")))
        m = self.one(self.valid(), has_result)
        m.line = m.line[:-1] + b"\r\n"
        return m

# SPDX-License-Identifier: MIT
"""The past of a long history: events, samples and checkpoints as a hub has
them of agents that were at work, made out of what a real one wrote of one.

Of all groups so many are open at any moment: the oldest is deleted when another
comes. Checkpoints are where a hub draws them (registry/checkpoints.h)."""

from __future__ import annotations

import datetime
import json
import re
import sqlite3
import zlib
from collections import deque
from pathlib import Path
from typing import Any, Iterator

EVERY_EVENTS, EVERY_BYTES, PICTURE_AGENTS = 1024, 4 << 20, 1000
STATES = ("agent:created", "agent:status_update", "agent:status_update",
          "agent:result_reported", "agent:completed")
SAMPLES = 3
RUN_MS = 60_000
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")


def clock(ms: int) -> str:
    then = datetime.datetime.fromtimestamp(ms // 1000, datetime.timezone.utc)
    return f"{then:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03}Z"


class Words:
    """What a hub wrote of a group with one agent, for others to be put in."""

    def __init__(self, db: sqlite3.Connection, agent: str, group: str) -> None:
        def blank(data: str) -> str:
            return TIME.sub("@T@", data.replace(agent, "@A@")
                            .replace(group, "@G@"))

        rows = db.execute("SELECT type, data FROM events WHERE grp IS NOT NULL"
                          " ORDER BY seq").fetchall()
        self.agent = [(kind, blank(data)) for kind, data in rows
                      if kind.startswith("agent:")]
        assert tuple(kind for kind, _ in self.agent) == STATES, self.agent
        self.group = {kind: blank(data) for kind, data in rows
                      if kind.startswith("group:")}
        packed, = db.execute("SELECT data FROM checkpoints ORDER BY seq"
                             " LIMIT 1").fetchone()
        self.picture: dict[str, Any] = json.loads(zlib.decompress(packed))

    @staticmethod
    def fill(text: str, at: int, group: str, agent: str = "") -> str:
        return (text.replace("@A@", agent).replace("@G@", group)
                .replace("@T@", clock(at)))


class Past:
    def __init__(self, db: sqlite3.Connection, words: Words,
                 open_groups: int) -> None:
        self.db, self.words, self.open_groups = db, words, open_groups
        self.seq, self.at = 0, 0
        self.drawn, self.bytes = 0, 0
        self.groups: deque[tuple[int, str]] = deque()
        self.members: dict[str, list[str]] = {}
        self.agents: dict[str, str] = {}  # as the picture has them

    def tell(self, at: int, kind: str, data: str, group: int,
             agent: int | None = None) -> None:
        self.seq += 1
        self.at = max(self.at, at)
        self.db.execute("INSERT INTO events(seq, at, type, grp, agent, data)"
                        " VALUES(?, ?, ?, ?, ?, ?)",
                        (self.seq, self.at, kind, group, agent, data))
        self.bytes += len(data)
        every = max(EVERY_EVENTS, len(self.agents))
        if self.seq - self.drawn >= every or self.bytes >= EVERY_BYTES:
            self.draw()

    def draw(self) -> None:
        newest = list(self.agents)[-PICTURE_AGENTS:]
        counts = {"total": 0, "queued": 0, "running": 0, "done": 0,
                  "succeeded": 0, "failed": 0, "states": {}}
        groups = [json.loads(self.words.fill(
            self.words.group["group:created"], self.at, name)) | {
                "agents": {**counts, "total": len(self.members[name])},
                "agentIds": self.members[name]} for _, name in self.groups]
        picture = {**self.words.picture, "seq": self.seq,
                   "at": clock(self.at), "groups": groups,
                   "totalAgents": len(self.agents), "agents": "@AGENTS@"}
        text = json.dumps(picture, separators=(",", ":")).replace(
            '"@AGENTS@"', "[" + ",".join(self.agents[a] for a in newest) + "]")
        data = text.encode()
        self.db.execute(
            "INSERT INTO checkpoints(seq, at, is_base, bytes, data)"
            " VALUES(?, ?, ?, ?, ?)",
            (self.seq, self.at, self.drawn == 0, len(data),
             zlib.compress(data, 1)))
        self.drawn, self.bytes = self.seq, 0

    def close_oldest(self, at: int) -> None:
        serial, name = self.groups.popleft()
        self.tell(at, "group:deleted", self.words.fill(
            self.words.group["group:deleted"], at, name), serial)
        for agent in self.members.pop(name):
            del self.agents[agent]

    def live(self, at: int, group: tuple[int, str],
             members: list[tuple[int, str]]) -> None:
        """A group from its making to its end."""
        fill, words = self.words.fill, self.words
        if len(self.groups) == self.open_groups:
            self.close_oldest(at)
        self.groups.append(group)
        ids = self.members[group[1]] = []
        self.tell(at, "group:created", fill(words.group["group:created"], at,
                                            group[1]), group[0])
        for step, (kind, text) in enumerate(words.agent):
            then = at + step * RUN_MS // len(words.agent)
            for serial, id in members:
                data = fill(text, then, group[1], id)
                if step == 0:
                    ids.append(id)
                if kind != "agent:result_reported":
                    self.agents[id] = data
                self.tell(then, kind, data, group[0], serial)
                if step == 1:
                    self.sample(serial, then)
        self.tell(at + RUN_MS, "group:completed", fill(
            words.group["group:completed"], at, group[1]), group[0])

    def sample(self, serial: int, at: int) -> None:
        for i in range(SAMPLES):
            self.db.execute(
                "INSERT OR REPLACE INTO samples(agent, at, follows,"
                " tool_calls, input, output, cache_read, cache_write, cost,"
                " edited, created, tool, said) VALUES"
                "(?, ?, ?, ?, 9000, 200, 40000, 0, NULL, 1, 0, 'grep', ?)",
                (serial, at + (i + 1) * 1000, self.seq, i,
                 "What was found so far, and what is to be done next. " * 2))


def groups_of(db: sqlite3.Connection) -> Iterator[
        tuple[int, tuple[int, str], list[tuple[int, str]]]]:
    for serial, name, at in db.execute(
            "SELECT serial, id, created_at FROM groups"
            " ORDER BY serial").fetchall():
        yield at, (serial, name), db.execute(
            "SELECT serial, id FROM agents WHERE grp = ? ORDER BY serial",
            (serial,)).fetchall()


def fill_past(path: Path, words: Words, open_groups: int) -> None:
    """Into a database that has the agents."""
    db = sqlite3.connect(path)
    for table in ("events", "samples", "checkpoints"):
        db.execute(f"DELETE FROM {table}")
    past = Past(db, words, open_groups)
    past.draw()
    for at, group, members in groups_of(db):
        past.live(at, group, members)
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()

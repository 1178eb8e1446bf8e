# SPDX-License-Identifier: MIT
"""What a hub has acknowledged, and whether it is found true.

A call's outcome is one of: good (its answer is kept), refused (nothing may
have come of it), unknown (whoever placed it died or was told to look: all of
it or nothing). Everything that is made carries the number of its call in a
text, so that the database can be asked what came of it."""

import json
import os
import sqlite3
from collections import Counter, defaultdict

from harness.until import equal

ENDS = ("completed", "failed", "timedOut", "resultReported", "cancelled")


class Group:
    def __init__(self, id, mode, name, parent=None):
        self.id, self.mode, self.name = id, mode, name
        self.parent = parent
        self.agents = []
        self.is_busy = False  # a call about it is on its way
        self.deleted = False  # None: not known


class Agent:
    def __init__(self, id, group, kind, prompt, ends, stage=0):
        self.id, self.group, self.kind = id, group, kind
        self.prompt, self.ends, self.stage = prompt, ends, stage
        self.is_busy = False
        self.report = None  # the last acknowledged one
        self.end = None  # the final state, once somebody saw it


def database(state):
    for folder, _, names in os.walk(state):
        for name in names:
            if name.endswith(".db"):
                return os.path.join(folder, name)
    return None


class Books:
    """With `forgets` what belongs to deleted groups may be gone."""

    def __init__(self, home, forgets=False):
        self.home = home
        self.forgets = forgets
        self.groups, self.agents = {}, {}
        self.calls = {}  # number -> (tool, outcome, how many agents, group)
        self.outcomes = Counter()
        self.has_full_disk = False  # or had, when calls went out
        self.checked = 0
        self.losses = []

    # ---- what was answered ----------------------------------------------

    def group(self, id, mode, name, parent=None):
        assert id not in self.groups, f"{id} was given twice"
        self.groups[id] = Group(id, mode, name, parent)
        return self.groups[id]

    def is_open(self, id):
        """Agents of deleted groups are forgotten sooner or later."""
        g = self.groups[id]
        return not g.is_busy and g.deleted is False

    def may_be_gone(self, id):
        """For a group, and all that is its own."""
        g = self.groups.get(id)
        return self.forgets and g is not None and g.deleted is not False

    def family(self, top):
        """It and all below; children are younger than their parents."""
        found = {top.id: top}
        for g in self.groups.values():
            if g.parent in found:
                found[g.id] = g
        return list(found.values())

    def agent(self, id, *rest, **more):
        assert id not in self.agents, f"{id} was given twice"
        a = self.agents[id] = Agent(id, *rest, **more)
        if a.group in self.groups:
            self.groups[a.group].agents.append(id)
        return a

    def outcome(self, number, tool, outcome, count=0, group=None):
        self.calls[number] = (tool, outcome, count, group)
        self.outcomes[outcome] += 1

    def saw(self, id, state):
        """Somebody was told that it is in this state."""
        a = self.agents.get(id)
        if a is None or state not in ENDS:
            return
        was, a.end = a.end, state
        # A report that comes late is taken all the same.
        if was not in (None, state) and state != "resultReported":
            self.lose(f"{id} was {was} and is {state}")

    def lose(self, what):
        self.losses.append(what)
        print(f"# LOST: {what}", flush=True)

    def expect(self, is_so, what):
        self.checked += 1
        if not is_so:
            self.lose(what)

    # ---- the database ---------------------------------------------------

    def look(self):
        """The rows of all tables that matter, of one moment."""
        db = sqlite3.connect(f"file:{database(self.home.home)}?mode=ro",
                             uri=True, timeout=60)
        db.row_factory = sqlite3.Row
        try:
            db.execute("BEGIN")
            equal([r[0] for r in db.execute("PRAGMA integrity_check")],
                  ["ok"])
            return {name: db.execute(f"SELECT * FROM {name}").fetchall()
                    for name in ("groups", "orders", "agents", "texts",
                                 "states")}
        finally:
            db.close()

    def check(self):
        """All that was acknowledged is in the database, and nothing else."""
        rows = self.look()
        self._check_ids(rows)
        self._check_groups(rows)
        self._check_agents(rows)
        self._check_calls(rows)
        self._check_states(rows)

    def _check_ids(self, rows):
        for table in ("groups", "agents"):
            ids = Counter(r["id"] for r in rows[table])
            for id, n in ids.items():
                if n != 1:
                    self.lose(f"{id} exists {n} times")

    def _check_groups(self, rows):
        found = {r["id"]: r for r in rows["groups"]}
        for g in self.groups.values():
            r = found.get(g.id)
            if r is None and self.may_be_gone(g.id):
                continue
            self.expect(r is not None and r["mode"] == g.mode and
                        g.name in r["description"], f"group {g.id}")
            if r is not None and g.deleted is not None and not g.is_busy:
                self.expect((r["deleted_at"] > 0) == g.deleted,
                            f"group {g.id} deleted: {g.deleted}")

    def _check_agents(self, rows):
        found = {r["id"]: r for r in rows["agents"]}
        texts = {r["serial"]: r for r in rows["texts"]}
        serials = {r["serial"]: r["id"] for r in rows["groups"]}
        for a in self.agents.values():
            r = found.get(a.id)
            if r is None and self.may_be_gone(a.group):
                continue
            self.expect(r is not None, f"agent {a.id}")
            if r is None:
                continue
            text = texts[r["serial"]]
            self.expect(serials.get(r["grp"]) == a.group and
                        text["prompt"] == a.prompt and
                        r["stage"] == a.stage, f"{a.id} is another")
            if a.report and not a.is_busy:
                self._check_report(a, r, text)
            # Whoever was told of its end, by whatever answer, was told what
            # is on disk; a report that comes late is taken all the same.
            if a.end and not a.is_busy:
                self.expect(r["state"] in (a.end, "resultReported"),
                            f"{a.id} was {a.end}, is {r['state']}")

    def _check_report(self, a, row, text):
        self.expect(
            row["is_reported"] == 1 and row["outcome"] == a.report["status"]
            and text["summary"] == a.report["summary"]
            and text["response"] == a.report["response"],
            f"the report of {a.id}: {a.report}, not {dict(text)}"[:600])

    def _check_calls(self, rows):
        groups = Counter(r["description"] for r in rows["groups"])
        orders = Counter()
        agents = Counter(r["ord"] for r in rows["agents"])
        counts = defaultdict(set)
        for r in rows["orders"]:
            number = json.loads(r["args"]).get("description")
            if r["kind"] != "run_magentic":
                number = call_of(json.loads(r["args"]))
            orders[number] += 1
            counts[number].add(agents[r["first"]])
        for number, (tool, outcome, count, group) in self.calls.items():
            n = groups[number] if tool == "create_group" else orders[number]
            wanted = {"good": (1,), "refused": (0,), "unknown": (0, 1)}
            if n == 0 and self.may_be_gone(group):
                continue
            self.expect(n in wanted[outcome],
                        f"{tool} {number}, {outcome}, was done {n} times")
            if n and tool != "create_group":
                self.expect(counts[number] == {count} or
                            self.may_be_gone(group),
                            f"{tool} {number} made {counts[number]} agents, "
                            f"not {count}")

    def _check_states(self, rows):
        """One life each: begun at most once, ended at most once."""
        lives = defaultdict(list)
        for r in rows["states"]:
            lives[r["agent"]].append(r["state"])
        for r in rows["agents"]:
            life = lives[r["serial"]]
            ends = [s for s in life if s in ENDS]
            is_one = len(ends) < 2 or (
                len(ends) == 2 and ends[1] == "resultReported")
            if not is_one or life.count("running") > 1:
                self.lose(f"{r['id']} has lived {life}")
            if life and life[-1] != r["state"]:
                self.lose(f"{r['id']} is {r['state']} after {life}")


def call_of(args):
    """The number of the call that an order was, from its first prompt."""
    tasks = args.get("agents") or args["stages"][0]["tasks"]
    return tasks[0]["prompt"].splitlines()[-1].split("/")[0]

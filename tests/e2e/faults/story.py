# SPDX-License-Identifier: MIT
"""Two clients that do everything at once while hubs, relays and wardens are
killed, and what must be true of it in the end."""

import os
import signal
import time
from collections import defaultdict

from harness.processes import environments
from harness.record import ended
from harness.until import DEADLINE, equal, until
from books import ENDS, Books, database
from player import Player, settle_all

# Less than a relay lets a hub live before it takes a call for its murderer.
LIFE = 0.6


class Story:
    def __init__(self, home, chance, books=None, **crowd):
        self.home = home
        self.chance = chance
        self.books = books or Books(home)
        self.players = [Player(home, self.books, chance, **crowd)
                        for _ in range(2)]
        self.kills = self.relays = self.wardens = self.zygotes = 0

    def hub(self):
        def look():
            for p in self.players:
                p.pump(0)  # what it has asked goes out
            seen = self.home.living("kuromajutsu-hub")
            # What it is about to start looks like it for a moment.
            return seen if len(seen) == 1 else None
        return until(look, "a hub")[0]

    def kill_hub(self):
        pid = self.hub()
        os.kill(pid, signal.SIGKILL)
        self.kills += 1
        until(lambda: pid not in self.home.living("kuromajutsu-hub"),
              "its death")

    def at_work(self):
        """Agents' ids by the pids of their wardens."""
        wardens = set(self.home.living("kuromajutsu-warden"))
        name = b"KUROMAJUTSU_AGENT_ID="
        return {pid: variable.removeprefix(name).decode()
                for pid, env in environments() if pid in wardens
                for variable in env if variable.startswith(name)}

    def picture(self):
        """Of who is left."""
        rows = self.books.look()
        found = {r["id"]: dict(r) for r in rows["agents"]}
        for pid, id in self.at_work().items():
            print(f"# {pid} is left: {found.get(id, id)}")
        for id, r in found.items():
            if r["state"] not in ENDS:
                life = [tuple(s) for s in rows["states"]
                        if s["agent"] == r["serial"]]
                book = vars(self.books.agents[id]) if id in \
                    self.books.agents else None
                folder = os.path.dirname(self.file(id, ""))
                print(f"# not ended: {r} {life} {book} "
                      f"{os.path.isdir(folder) and os.listdir(folder)}")

    def kill_warden(self):
        """Of an agent that nobody else meddles with from here on."""
        for pid, id in self.at_work().items():
            a = self.books.agents.get(id)
            if a and a.kind == "hang" and not a.is_busy and not a.end \
                    and not a.report:
                a.ends = ("failed",)
                os.kill(pid, signal.SIGKILL)
                self.wardens += 1
                return

    def kill_zygote(self):
        """No agent is to notice."""
        for pid in self.home.zygotes():
            os.kill(pid, signal.SIGKILL)
            self.zygotes += 1

    def play(self, seconds):
        """Everybody does what comes to mind, for so long."""
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for p in self.players:
                if len(p.flying) < 10 and self.chance.random() < 0.4:
                    p.act()
                p.pump(min(0.004, end - now))

    def round(self):
        self.play(LIFE + self.chance.random() ** 2)
        if self.chance.random() < 0.5:
            self.kill_zygote()
            self.play(self.chance.random() ** 2)
        self.kill_hub()
        if self.chance.random() < 0.4:  # the next one in the midst of its recovery
            # After so many deaths a relay starts one for those who ask only.
            self.players[0].look()
            pid = self.hub()
            self.play(self.chance.random() ** 2 * 0.15)
            if pid in self.home.living("kuromajutsu-hub"):
                self.kill_hub()
        if self.chance.random() < 0.2:
            self.chance.choice(self.players).die()
            self.relays += 1
        if self.chance.random() < 0.3:
            self.kill_warden()
        settle_all(self.players)
        self.books.check()
        self.check_answers()

    # ---- what the hub says ----------------------------------------------

    def check_answers(self):
        """The newest of everything, as a client sees it."""
        talk = self.players[0].talk
        for g in list(self.books.groups.values())[-8:]:
            if g.deleted is False and not g.is_busy:
                seen = talk.call("list_agents", groupId=g.id)["agents"]
                self.books.expect(
                    {a["agentId"] for a in seen} == set(g.agents) or
                    not self.is_sure(g), f"the agents of {g.id}")
                for a in seen:
                    self.books.saw(a["agentId"], a["status"])
        for a in list(self.books.agents.values())[-12:]:
            if not a.is_busy and not self.books.may_be_gone(a.group):
                self.check_agent(talk, a)

    def is_sure(self, group):
        """No call about it is unknown."""
        return all(outcome != "unknown"
                   for _, outcome, *_ in self.books.calls.values())

    def check_agent(self, talk, a):
        seen = talk.call("get_agent_status", agentId=a.id)
        self.books.saw(a.id, seen["status"])
        if a.report:
            result = seen["result"]
            self.books.expect(
                {k: result[k] for k in a.report} == a.report,
                f"the report of {a.id}")

    # ---- the end --------------------------------------------------------

    def endless(self, ids):
        """Of these, who would hang for ever."""
        rows = self.books.look()
        hang = {r["serial"] for r in rows["texts"]
                if r["prompt"].startswith("puppet: hang\n")}
        return [r["id"] for r in rows["agents"] if r["id"] in ids and
                r["serial"] in hang and r["timeout_ms"] == 0]

    def calm(self):
        """Ends who would not by themselves, and waits for the others."""
        settle_all(self.players)
        talk = self.players[0].talk
        hanging = [a.id for a in self.books.agents.values()
                   if a.kind == "hang" and a.ends != ("failed",)
                   and a.end is None]
        if hanging:
            talk.call("cancel_agent", agentIds=hanging)
        end = time.monotonic() + DEADLINE
        strangers = set()
        while left := [a for s in ("queued", "running") for a in
                       talk.call("list_agents", status=s)["agents"]]:
            if time.monotonic() > end:
                self.picture()
            assert time.monotonic() < end, f"stuck: {left}"
            # Whoever ran them has died before he was told their ids.
            new = {a["agentId"] for a in left} - self.books.agents.keys() \
                - strangers
            strangers |= new
            if new and (hanging := self.endless(new)):
                talk.call("cancel_agent", agentIds=hanging)
            talk.pump(0.05)
        try:
            # A check that a killed hub had under way ends with its lease.
            until(lambda: not [id for id in self.at_work().values()
                               if id in self.books.agents], "all gone")
        except AssertionError:
            self.picture()
            raise

    def finish(self):
        self.calm()
        for p in self.players:
            p.flying.clear()
            equal(p.server.end(), 0)
        until(lambda: not self.home.everybody(), "nothing left alive")
        self.books.check()
        self.check_ends()

    def check_ends(self):
        rows = self.books.look()
        found = {r["id"]: r for r in rows["agents"]}
        texts = {r["serial"]: r for r in rows["texts"]}
        for r in found.values():
            self.books.expect(r["state"] in ENDS and r["gone_at"] > 0 and
                              r["outcome"], f"{r['id']} never ended: "
                              f"{r['state']}")
        for a in self.books.agents.values():
            r = found.get(a.id)
            if r is None and self.books.may_be_gone(a.group):
                continue
            ends = a.ends or ("cancelled", "resultReported")
            self.books.expect(a.end in (None, r["state"]),
                              f"{a.id} was {a.end}, is {r['state']}")
            self.books.expect(r["state"] in ends, f"{a.id}, {a.kind}, is "
                              f"{r['state']}: {texts[r['serial']]['error']}")
            if hasattr(a, "own"):
                self.books.expect(
                    a.own in texts[r["serial"]]["response"],
                    f"{a.id} reported {texts[r['serial']]['response']}")
            self.check_transcript(a)
        self.check_plans(rows)
        self.check_families(rows)

    def file(self, id, name):
        return os.path.join(os.path.dirname(database(self.home.home)),
                            "agents", id, name)

    def check_transcript(self, a):
        path = self.file(a.id, "stdout.ndjson")
        if os.path.exists(path):
            with open(path, "rb") as f:
                n = f.read().count(b'"subtype":"init"')
            self.books.expect(n <= 1, f"{a.id} was started {n} times")

    def check_plans(self, rows):
        """No stage began before the trees of the one before had ended: by
        what wardens wrote, for a hub may have heard of it much later."""
        plans = defaultdict(list)
        for a in rows["agents"]:
            plans[a["ord"]].append(a)
        for agents in plans.values():
            for a in agents:
                ends = [end["endedAt"] for b in agents
                        if b["stage"] == a["stage"] - 1
                        and (end := ended(self.file(b["id"], "")))]
                self.books.expect(
                    not ends or not a["started_at"] or
                    a["started_at"] >= max(ends),
                    f"{a['id']} began {a['started_at']} before {ends}")

    def check_families(self, rows):
        """The orchestrator makes two groups, with two agents each."""
        agents = {a["id"]: a for a in rows["agents"]}
        why = {r["serial"]: r["error"] for r in rows["texts"]}
        for a in self.books.agents.values():
            if a.kind != "orchestrator" or a.end != "resultReported" or \
                    self.books.may_be_gone(a.group):
                continue
            children = [g["serial"] for g in rows["groups"]
                        if g["parent"] == agents[a.id]["grp"]]
            made = [x for x in rows["agents"] if x["grp"] in children]
            self.books.expect(
                len(children) == 2 and len(made) == 4 and
                all(x["state"] == "resultReported" for x in made),
                f"{a.id} made {len(children)} groups and "
                f"{[(x['id'], x['state'], why.get(x['serial'])) for x in made]}")

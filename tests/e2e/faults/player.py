# SPDX-License-Identifier: MIT
"""A client that does everything at once, and keeps books on the answers."""

import json
import time

from harness.until import DEADLINE

# How an agent of each kind ends, if nobody meddles.
KINDS = {
    "default ms=40 delay=2": ("completed",),
    "report ms=60": ("resultReported",),
    "trickle lines=12 every=50": ("completed",),
    "failure": ("failed",),
    "hang-after-result": ("completed",),
    "hang": (),
}
# What a hub may say no with; anything else is a fault.
REFUSALS = ("MAX_CONCURRENT_REACHED", "GROUP_HAS_RUNNING_AGENTS",
            "SEQUENTIAL_START_FAILED", "REPORT_FAILED")
# And while its disk is full.
NO_DISK = "STORE_UNAVAILABLE"


class Player:
    count = 0

    def __init__(self, home, books, chance, crowd, has_magentic):
        self.home, self.books, self.chance = home, books, chance
        self.crowd = crowd  # agents it lets be at work at once
        self.has_magentic = has_magentic
        self.flying = {}  # request id -> (tool, args, number, settle)
        self.start()

    def start(self):
        self.server = self.home.relay()
        self.talk = self.server.talk
        self.talk.hello()

    def die(self):
        """Its relay is killed; a new one begins with nothing in flight."""
        self.server.proc.kill()
        self.server.end()
        for tool, _, number, settle in self.flying.values():
            settle(None)
        self.flying.clear()
        self.start()

    # ---- calls ----------------------------------------------------------

    def send(self, tool, args, settle, number=None):
        """settle(answer): what was answered, False: refused, None: unknown."""
        id = self.talk.order(tool, args)
        self.flying[id] = (tool, args, number, settle)

    def number(self):
        Player.count += 1
        return f"call-{Player.count}"

    def harvest(self):
        for id in list(self.flying):
            seen = self.talk.answers.get(json.dumps(id))
            if seen:
                tool, args, _, settle = self.flying.pop(id)
                assert len(seen) == 1, f"{tool} was answered twice"
                settle(self.read(tool, args, seen[0]))

    def read(self, tool, args, answer):
        result = answer["result"]
        body = json.loads(result["content"][0]["text"])
        if not result.get("isError"):
            return body
        if body["code"] == "HUB_RESTARTED":
            return None
        if body["code"] == NO_DISK and self.books.has_full_disk:
            return False
        if body["code"] == "AGENT_NOT_FOUND" and tool == "wait_agent" and \
                self.books.forgets:  # deleted since, and asked again
            return False
        assert body["code"] in REFUSALS, f"{body} to {tool} {args}"[:600]
        return False

    def pump(self, seconds):
        assert not self.talk.is_over, "the relay has left"
        self.talk.pump(seconds)
        self.harvest()

    def is_waiting(self):
        return any(f[0] != "wait_agent" for f in self.flying.values())

    # ---- what it does ---------------------------------------------------

    def act(self):
        acts = [self.create, self.report, self.cancel, self.wait, self.look]
        acts += [self.delete] * 2
        if sum(a.end is None for a in self.books.agents.values()) < self.crowd:
            acts += [self.run] * 5 + [self.sequential] * 2
            acts += [self.magentic] * self.has_magentic
        self.chance.choice(acts)()

    def pick_group(self, mode):
        found = [g for g in self.books.groups.values() if not g.is_busy
                 and g.deleted is False and g.mode == mode][-6:]
        return self.chance.choice(found) if found else None

    def pick_hanging(self):
        found = [a for a in self.books.agents.values() if a.kind == "hang"
                 and not a.is_busy and not a.ends
                 and self.books.is_open(a.group)
                 and a.end in (None, "resultReported")][-12:]
        return self.chance.choice(found) if found else None

    def settled(self, number, tool, answer, count=0, group=None):
        outcome = ("unknown" if answer is None else
                   "refused" if answer is False else "good")
        if outcome == "good" and group is None:
            group = answer["groupId"]
        self.books.outcome(number, tool, outcome, count, group)
        return outcome == "good"

    def create(self):
        number = self.number()
        mode = self.chance.choice(("concurrent", "concurrent", "sequential"))
        args = {"description": number, "mode": mode}
        parent = self.pick_group("concurrent")
        if parent and self.chance.random() < 0.2:
            args["parentGroupId"] = parent.id
            parent.is_busy = True

        def settle(answer):
            if "parentGroupId" in args:
                # A child that nobody knows would be deleted with it.
                parent.is_busy = answer is None
            if self.settled(number, "create_group", answer):
                self.books.group(answer["groupId"], mode, number,
                                 args.get("parentGroupId"))
        self.send("create_group", args, settle, number)

    def task(self, number, i):
        kind = self.chance.choice(list(KINDS))
        task = {"role": self.chance.choice(("impl-code", "research")),
                "prompt": f"puppet: {kind}\n{number}/{i}"}
        if kind == "hang" and self.chance.random() < 0.3:
            task["timeout_ms"] = self.chance.randint(200, 2500)
            kind = "late"
        return kind, task

    def note(self, ids, group, tasks):
        for id, (kind, task, stage) in zip(ids, tasks):
            ends = ("timedOut",) if kind == "late" else KINDS[kind]
            a = self.books.agent(id, group, kind, task["prompt"], ends, stage)
            if kind.startswith("report"):
                a.own = task["prompt"].splitlines()[-1]

    def run(self):
        g = self.pick_group("concurrent")
        if g is None:
            return
        number = self.number()
        tasks = [(*self.task(number, i), 0)
                 for i in range(self.chance.randint(1, 3))]
        g.is_busy = True

        def settle(answer):
            g.is_busy = False
            if self.settled(number, "run_agents", answer, len(tasks), g.id):
                ids = [a["agentId"] for a in answer["agents"]]
                assert len(ids) == len(tasks), answer
                self.note(ids, g.id, tasks)
        self.send("run_agents", {"groupId": g.id,
                                 "agents": [t[1] for t in tasks]},
                  settle, number)

    def sequential(self):
        g = self.pick_group("sequential")
        if g is None:
            return
        number = self.number()
        plan = [[self.task(number, f"{s}.{i}") for i in range(n)]
                for s, n in enumerate((1, 2, 1))]
        # A plan that hangs would only keep its group from the next.
        for stage in plan:
            for i, (kind, task) in enumerate(stage):
                if kind == "hang":
                    task["timeout_ms"] = 700
                    stage[i] = ("late", task)
        tasks = [(k, t, s) for s, stage in enumerate(plan) for k, t in stage]
        g.is_busy = True

        def settle(answer):
            g.is_busy = False
            if self.settled(number, "run_sequential", answer, len(tasks),
                            g.id):
                ids = [id for s in answer["stages"] for id in s["agentIds"]]
                assert len(ids) == len(tasks), answer
                self.note(ids, g.id, tasks)
        self.send("run_sequential", {"groupId": g.id, "stages": [
            {"tasks": [t for _, t in stage]} for stage in plan]},
            settle, number)

    def magentic(self):
        at_work = [a for a in self.books.agents.values()
                   if a.kind == "orchestrator" and a.end is None]
        if len(at_work) > 1 or "run_magentic" in [
                f[0] for f in self.flying.values()]:
            return
        number = self.number()
        task = "puppet: orchestrator\n" + number

        def settle(answer):
            if not self.settled(number, "run_magentic", answer, 1):
                return
            g = self.books.group(answer["groupId"], "magentic", number)
            g.is_busy = True  # its orchestrator's, not ours
            g.deleted = None
            self.books.agent(answer["orchestratorAgentId"], g.id,
                             "orchestrator", task, ("resultReported",))
        self.send("run_magentic", {
            "description": number, "task": task, "completionCriteria": "c",
            "scope": "s"}, settle, number)

    def report(self):
        a = self.pick_hanging()
        if a is None:
            return
        number = self.number()
        body = {"status": self.chance.choice(("success", "failure")),
                "summary": f"{number} 要約", "response": f"{number}\n\"報告\"\t"
                + "x" * self.chance.randint(0, 3000)}
        a.is_busy = True

        def settle(answer):
            # Unknown: whichever of the two, nobody was promised one.
            a.is_busy = answer is None
            if answer:
                a.report = body
                a.end = "resultReported"
            self.books.outcomes["good" if answer else "other"] += 1
        self.send("report_result", {"agentId": a.id, **body}, settle)

    def cancel(self):
        a = self.pick_hanging()
        if a is None:
            return
        a.is_busy = True

        def settle(answer):
            a.is_busy = answer is None
            if answer and answer["cancelled"]:
                self.books.saw(a.id, "cancelled")
            self.books.outcomes["good" if answer else "other"] += 1
        self.send("cancel_agent", {"agentIds": [a.id], "reason": "a whim"},
                  settle)

    def delete(self):
        g = self.pick_group(self.chance.choice(("concurrent", "sequential")))
        family = self.books.family(g) if g else []
        if not family or any(x.is_busy for x in family) or any(
                self.books.agents[i].end is None or self.books.agents[
                    i].is_busy for x in family for i in x.agents):
            return
        for x in family:
            x.is_busy = True

        def settle(answer):
            for x in family:
                x.is_busy = False
                x.deleted = None if answer is None else (
                    bool(answer) or x.deleted)
            self.books.outcomes["good" if answer else "other"] += 1
        self.send("delete_group", {"groupId": g.id}, settle)

    def wait(self):
        ids = [a.id for a in self.books.agents.values()
               if a.end is None][-5:]
        if not ids:
            return

        def settle(answer):
            for r in (answer or {}).get("completed", []):
                self.books.saw(r["agentId"], r["status"])
        self.send("wait_agent", {"agentIds": ids, "timeout_ms":
                                 self.chance.randint(0, 3000)}, settle)

    def look(self):
        def settle(answer):
            for a in (answer or {}).get("agents", []):
                self.books.saw(a["agentId"], a["status"])
        self.send("list_agents", {}, settle)


def settle_all(players):
    """Until every call but waits is answered."""
    end = time.monotonic() + DEADLINE
    while any(p.is_waiting() for p in players):
        assert time.monotonic() < end, [
            f[:2] for p in players for f in p.flying.values()]
        for p in players:
            p.pump(0.005)

# SPDX-License-Identifier: MIT
"""A day of heavy use, in minutes: agents and groups by the thousand, watchers
that come and go, hubs and relays that are killed, a disk that fills and a clock
that is set. In the end nothing is lost, nothing is left, and the hub is as
large as it was in the middle.

    soak_test.py BUILD [--agents N] [--groups N] [--seed N]
"""

import argparse
import os
import random

from harness import tap
from harness.hub import HubHome
from harness.programs import built
from harness.until import equal, until
from books import ENDS, Books, database
from player import settle_all
from story import Story
from weather import HOUR, Clock, Disk, Watcher, free_port

LONG = "KUROMAJUTSU_LONG" in os.environ
parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--agents", type=int, default=10000 if LONG else 500)
parser.add_argument("--groups", type=int, default=2000 if LONG else 80)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args()
chance = random.Random(options.seed)

WATCHERS = 4
# Of the whole: from here on no hub is killed, so that one can be measured.
CALM = 0.7
# Beside them lie a hub whose clock can be set, and its relay.
OTHERS = ("kuromajutsu-warden", "kuromajutsu-puppet")


def settings(port):
    return {"language": "en",
            "dashboard": {"port": port},
            "agent": {"maxConcurrent": 24, "maxQueued": 60,
                      "exitGrace_ms": 200, "reportGrace_ms": 300},
            "history": {"keepDays": 1, "transcriptDays": 0,
                        "transcripts": "drop"},
            "hub": {"linger_ms": 2000, "lease_ms": 60000}}


class SoakHome(HubHome):
    """With a hub whose clock can be set, and with a disk of its own."""

    def __init__(self, port):
        super().__init__(settings(port), build=built("tests/e2e"))
        for name in OTHERS:
            if not os.path.exists(self.path(name)):
                os.symlink(built(name), self.path(name))
        self.disk = Disk(self.home, "512m")
        self.clock = Clock(self.top / "clock")
        self.set(WALL_CLOCK_SHIFT=str(self.clock.path))
        # What was freed a while ago would count as memory in use.
        self.set(ASAN_OPTIONS=self.env["ASAN_OPTIONS"] +
                 ":quarantine_size_mb=4")

    def _clear(self, has_failed):
        self.disk.close()
        super()._clear(has_failed)


class Size:
    """Of a hub and its database."""

    def __init__(self, home):
        pid = home.hub_pid()
        with open(f"/proc/{pid}/status") as f:
            rss, = (line.split()[1] for line in f if line.startswith("VmRSS"))
        self.pid = pid
        self.memory = int(rss) << 10
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))
        self.database = os.stat(database(home.home)).st_size

    def __str__(self):
        return (f"hub {self.pid}: {self.memory >> 20} MiB, "
                f"{self.descriptors} descriptors, database "
                f"{self.database >> 10} KiB")


class Soak(Story):
    def __init__(self, home, port):
        super().__init__(home, chance, Books(home, forgets=True), crowd=30,
                         has_magentic=True)
        self.watchers = [Watcher(port, random.Random(chance.random()))
                         for _ in range(WATCHERS)]
        for w in self.watchers:
            w.start()
        self.fills = self.jumps = 0

    def share(self):
        """Of the day that is over."""
        return min(len(self.books.agents) / options.agents,
                   len(self.books.groups) / options.groups)

    def tidy(self):
        """Deletes what is done with: groups that nobody deletes are kept."""
        talk = self.players[0].talk
        for a in talk.call("list_agents")["agents"]:
            self.books.saw(a["agentId"], a["status"])
        tops = [g for g in self.books.groups.values()
                if g.parent is None and g.deleted is not True]
        for top in tops:
            family = self.books.family(top)
            if any(self.books.agents[id].end is None
                   for g in family for id in g.agents):
                continue
            gone = talk.result(talk.order("delete_group",
                                          {"groupId": top.id}))
            for g in family if not gone.get("isError") else []:
                g.deleted = True

    def gc(self):
        equal(self.home.run("gc").returncode, 0)

    # ---- weather --------------------------------------------------------

    def jump(self):
        """Two days at most, since what was asked for yesterday is forgotten;
        or back, as somebody does who corrects a wrong one."""
        self.jumps += 1
        self.home.clock.jump(chance.choice((30, 26, 5, 1, -1)) * HOUR)

    def fill(self):
        """What was accepted is answered when there is room again. Whoever is
        at work now may end in whatever way."""
        settle_all(self.players)
        ended = {a.id for a in self.books.agents.values() if a.end}
        self.books.has_full_disk = True
        with self.home.disk.full():
            self.fills += 1
            self.play(chance.random())
        settle_all(self.players)
        until(self.is_well, "a disk that takes writes again")
        self.books.has_full_disk = False
        for a in self.books.agents.values():
            if a.id not in ended:
                a.ends, a.own = ENDS, ""

    def is_well(self):
        talk = self.players[0].talk
        return not talk.result(talk.order(
            "create_group", {"description": "well?"})).get("isError")

    def round(self):
        self.play(0.5 + chance.random())
        if self.share() < CALM and chance.random() < 0.3:
            self.kill_hub()
            self.players[0].look()
            self.hub()
        if chance.random() < 0.1:
            chance.choice(self.players).die()
            self.relays += 1
        if chance.random() < 0.1:
            self.kill_warden()
        if chance.random() < 0.2:
            self.jump()
        if not self.home.disk.why_not and chance.random() < 0.05:
            self.fill()

    # ---- the whole ------------------------------------------------------

    def until_share(self, share, steps):
        while self.share() < share:
            self.round()
            if self.share() * steps > self.checks:
                self.checks += 1
                settle_all(self.players)
                self.tidy()
                self.home.clock.jump(30 * HOUR)
                self.gc()
                self.books.check()
                self.check_answers()
                print(f"# {self.share():.0%}: {self.told()}", flush=True)

    def told(self):
        return (f"{len(self.books.agents)} agents, {len(self.books.groups)} "
                f"groups, {self.kills} hubs and {self.relays} relays killed, "
                f"{self.jumps} jumps, {self.fills} full disks, "
                f"{sum(w.events for w in self.watchers)} events in "
                f"{sum(w.visits for w in self.watchers)} visits; "
                f"{Size(self.home)}")

    def measure(self):
        """While nobody is at work and nothing old is kept."""
        self.calm()
        self.tidy()
        self.home.clock.jump(30 * HOUR)
        self.gc()
        return Size(self.home)

    def live(self):
        self.checks = 0
        self.until_share(CALM + 0.1, 20)
        middle = self.measure()
        self.until_share(1, 20)
        end = self.measure()
        for w in self.watchers:
            w.end()
        self.finish()
        return middle, end

    # A hub's clock is not the one that files get their times by.
    def check_plans(self, rows):
        pass


@tap.test
def a_day_leaves_nothing_behind():
    print(f"# seed {options.seed}", flush=True)
    port = free_port()
    with SoakHome(port) as home:
        if home.disk.why_not:
            print(f"# the disk stays empty: {home.disk.why_not}")
        soak = Soak(home, port)
        middle, end = soak.live()
        print(f"# middle: {middle}")
        print(f"# end: {end}")
        equal(soak.books.losses, [])
        equal([f for w in soak.watchers for f in w.faults], [])
        assert sum(w.events for w in soak.watchers) > options.agents
        if LONG:
            equal(end.pid, middle.pid)
            assert end.memory < middle.memory * 1.25 + (8 << 20), end
            # Watchers come and go.
            assert end.descriptors <= middle.descriptors + WATCHERS, end
            assert end.database < middle.database * 1.25 + (1 << 20), end


if __name__ == "__main__":
    tap.run()

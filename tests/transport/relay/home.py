# SPDX-License-Identifier: MIT
"""A home for relays whose programs are copies, so that another hub can lie
beside them."""

import json
import os
from pathlib import Path

from harness.hub import HubHome
from harness.processes import has_gone, kill
from harness.programs import copy_programs
from harness.until import until

HERE = Path(__file__).resolve().parent


class RelayHome(HubHome):
    """`others` are the programs that lie beside the relay."""

    def __init__(self, *others, settings=None):
        super().__init__(settings, {"KUROMAJUTSU_AGENT_COMMAND": None})
        self.build = self.folder("bin")
        self.set(**copy_programs(self.build, "kuromajutsu", *others))

    def client(self, *words, **env):
        """The talk with a relay, where nothing else of it is wanted."""
        return self.start(*words, **env).talk

    def states(self):
        return list(self.home.iterdir())

    def hub_pids(self):
        """The processes of the hub's program here, whatever runs it."""
        path = os.fsencode(self.path("kuromajutsu-hub"))
        found = []
        for pid in self.everybody():
            try:
                words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if path in words[:2] and not has_gone(pid):
                found.append(pid)
        return found

    def kill_hubs(self):
        kill(self.hub_pids())

    def finish(self):
        """Relays leave by themselves; their hubs have no reason to."""
        for server in self.servers:
            server.talk.close()
        for server in self.servers:
            self.stopped(server.proc)
        self.kill_hubs()
        until(lambda: not self.hub_pids(), "the hubs to end")
        super().finish()


class StandInHome(RelayHome):
    """With a hub that does as it is told: see stand_in.py."""

    def __init__(self, *plan, settings=None):
        super().__init__(settings=settings)
        program = self.build / "kuromajutsu-hub"
        program.write_text(f"""#!/usr/bin/env python3
import sys
sys.dont_write_bytecode = True
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parents[1])!r}]
import stand_in
stand_in.main()
""")
        program.chmod(0o755)
        if plan:
            self.plan(*plan)

    def plan(self, *plan):
        (self.build / "plan.new").write_text(json.dumps(plan))
        (self.build / "plan.new").rename(self.build / "plan.json")

    def events(self, what):
        file = self.build / "events"
        text = file.read_text() if file.exists() else ""
        # The last one may be half written: it has no end then.
        events = [json.loads(line) for line in text.split("\n")[:-1]]
        return [e for e in events if e["what"] == what]

    def await_events(self, what, count=1):
        return until(lambda: len(found := self.events(what)) >= count
                     and found, f"{count} x {what}")

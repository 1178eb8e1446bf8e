# SPDX-License-Identifier: MIT
"""A hub as browsers and scripts see it: over HTTP."""

import contextlib
import gzip
import json
import re

from harness.http import request
from harness.hub import patient_home
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until


class Web:
    """A hub, spoken to over HTTP."""

    def __init__(self, home):
        self.home = home
        self.hub = home.hub()
        self.meet()

    def meet(self):
        """A session with the hub, and where it serves."""
        self.wire = self.home.session()
        self.port = int(re.fullmatch(r"http://127\.0\.0\.1:(\d+)/",
                                     self.home.url(self.wire))[1])

    def restart(self, is_killed=False):
        """Another hub in the place of this one."""
        if is_killed:
            self.hub.kill()
            self.hub.wait()
        else:
            self.home.stop(self.hub)
        self.hub = self.home.hub()
        self.meet()

    def get(self, path, method="GET", **headers):
        return request(self.port, method, path, headers={
            name.replace("_", "-"): v for name, v in headers.items()})

    def ask(self, path, status=200):
        seen, headers, body = self.get("/api/" + path)
        equal((seen, headers["content-type"]),
              (status, "application/json; charset=utf-8"))
        return json.loads(body)

    def gone(self, *ids):
        """Until nothing of them is left."""
        for id in ids:
            until(lambda: self.ask(f"agents/{id}")["gone"], f"{id} gone")

    def pack(self, id):
        """Its transcript, as it is kept of what has ended long ago."""
        path = self.home.state(f"agents/{id}/stdout.ndjson")
        with gzip.open(f"{path}.gz", "wb") as packed:
            packed.write(path.read_bytes())
        path.unlink()

    def finished_agent(self):
        """Its group, and its id."""
        group = new_group(self.wire)
        agent, = start_agents(self.wire, "report", group=group)
        wait_for(self.wire, agent)
        return group, agent


@contextlib.contextmanager
def served(port=0, **settings):
    with patient_home(dashboard={"port": port}, **settings) as home:
        yield Web(home)

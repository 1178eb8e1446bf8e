# SPDX-License-Identifier: MIT
"""A hub whose notifications are written down, and agents that cause them."""

import json
import os

from harness.hub import HubHome
from harness.tools import new_group, wait_for
from harness.until import equal, until

HOSTILE = "<b>&out --of; $(touch ran-shell)"
QUIET = {"failed": [], "stalled": [], "conflict": [], "groupDone": [],
         "budget": [], "noRole": []}
# Writes its words down, each ended by a 0, and its stdin.
RECORDER = """#!/bin/sh
printf '%s\\0' "$@" >{dir}/new-$$
printf '\\0' >>{dir}/new-$$
cat >>{dir}/new-$$
mv {dir}/new-$$ {dir}/$$
{more}
"""


class Told(HubHome):
    """A hub whose user sits before a desktop. Kinds that are not named are
    not told."""

    def __init__(self, more="", **kinds):
        super().__init__()
        self.bin = self.folder("bin")
        self.set(PATH=f"{self.bin}:{os.environ['PATH']}",
                 DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere")
        self.recorder("notify-send", "desktop")
        self.program = self.recorder("tell", "command", more)
        self.choose(**kinds)

    def recorder(self, name, folder, more=""):
        dir = self.folder(folder)
        path = self.bin / name
        path.write_text(RECORDER.format(dir=dir, more=more))
        path.chmod(0o755)
        return str(path)

    def choose(self, **kinds):
        self.configure({"language": "en", "notifications": {**QUIET, **kinds}})

    def had(self, folder):
        """What its program was given: (words, stdin), oldest first."""
        files = sorted((f for f in (self.top / folder).iterdir()
                        if not f.name.startswith("new-")),
                       key=lambda f: f.stat().st_mtime_ns)
        for file in files:
            words, _, said = file.read_bytes().partition(b"\0\0")
            yield [w.decode() for w in words.split(b"\0")], said

    def until_had(self, folder, count=1):
        got = until(lambda: len(seen := list(self.had(folder))) >= count
                    and seen, f"{count} by {folder}")
        equal(len(got), count)
        return got


def raised(w):
    return [e["data"] for e in w.call("notifications")["events"]][::-1]


def until_raised(w, count=1):
    got = until(lambda: len(seen := raised(w)) >= count and seen,
                f"{count} notifications")
    equal(len(got), count)
    return got


def fail(p, w, *words, group=None, more=()):
    """One agent for each of these words, which it dies with; and others."""
    prompts = list(more)
    for i, text in enumerate(words or (HOSTILE,)):
        path = p.project / f"fail-{i}.yaml"
        path.write_text(json.dumps(["init", {"stderr": text}, {"exit": 1}]))
        prompts.append(f"puppet-file: {path}")
    made = w.call("run_agents", groupId=group or new_group(w), agents=[
        {"role": "impl-code", "prompt": prompt} for prompt in prompts])
    ids = [agent["agentId"] for agent in made["agents"]]
    wait_for(w, *ids)
    return ids

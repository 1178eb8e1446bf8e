# SPDX-License-Identifier: MIT
"""Shows agents while they work: on a terminal a line each that is written
over, elsewhere a line for every change."""

import os
import shutil
import sys

MARKS = {"queued": "·", "running": "▶", "completed": "✓",
         "resultReported": "✓", "failed": "✗", "timedOut": "✗",
         "cancelled": "✗"}
# As `kuromajutsu agents` says it.
WORDS = {"resultReported": "reported", "timedOut": "timed out"}
COLORS = {"·": "2", "▶": "36", "✓": "32", "✗": "31"}


def duration(ms):
    """As people write it."""
    return (f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.1f} s"
            if ms < 10000 else f"{ms / 1000:.0f} s" if ms < 60000 else
            f"{ms // 60000:.0f}m {ms % 60000 // 1000:02.0f}s")


class Board:
    def __init__(self):
        self.is_terminal = sys.stdout.isatty()
        self.has_color = self.is_terminal and not os.environ.get("NO_COLOR")
        self.drawn = 0
        self.seen = {}

    def paint(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.has_color else text

    def line(self, agent, room):
        mark = MARKS.get(agent["status"], "?")
        tools = agent["toolCallCount"]
        text = (f"{agent['agentId']:<32} "
                f"{WORDS.get(agent['status'], agent['status']):<10}"
                f"{duration(agent['elapsed_ms']):>8}  "
                f"{tools} tool{'' if tools == 1 else 's'}")
        return ("  " + self.paint(COLORS.get(mark, "0"), mark) + " "
                + text[:room - 4])

    def show(self, agents):
        if not self.is_terminal:
            for agent in agents:
                if self.seen.get(agent["agentId"]) != agent["status"]:
                    self.seen[agent["agentId"]] = agent["status"]
                    print(self.line(agent, 200), flush=True)
            return
        width, height = shutil.get_terminal_size()
        if self.drawn:
            print(f"\x1b[{self.drawn}A", end="")
        lines = [self.line(agent, width) for agent in agents[:height - 2]]
        for line in lines:
            print("\x1b[2K" + line)
        self.drawn = len(lines)
        sys.stdout.flush()

    def rest(self):
        """What is drawn stays; the next agents begin below it."""
        self.drawn = 0
        self.seen = {}

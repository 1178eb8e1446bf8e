# SPDX-License-Identifier: MIT
"""Shows agents while they work: on a terminal a line each that is written
over, elsewhere a line for every change."""

import os
import shutil
import sys

MARKS = {"queued": "·", "running": "▶", "completed": "✓",
         "resultReported": "✓", "failed": "✗", "timedOut": "✗",
         "cancelled": "✗"}
COLORS = {"·": "2", "▶": "36", "✓": "32", "✗": "31"}


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
        text = (f"{agent['agentId']:<32} {agent['status']:<15}"
                f"{agent['elapsed_ms'] / 1000:6.1f}s  "
                f"{agent['toolCallCount']} tools")
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

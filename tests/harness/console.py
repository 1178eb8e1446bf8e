# SPDX-License-Identifier: MIT
"""A part of the hub as a program of its own: orders are lines of JSON on its
stdin, and what happens is told in lines of JSON on its stdout."""

import json
import signal
import subprocess
import threading
import time

from harness.until import DEADLINE, equal


class Console:
    """One life of such a program; it has said that it is ready."""

    def __init__(self, argv, **popen):
        self.events = []
        self.heard = threading.Condition()
        self.is_over = False
        self.proc = subprocess.Popen(argv, stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, **popen)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.room = self.event("ready")["room"]

    def _read(self):
        for line in self.proc.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                break  # it was killed in the middle of it
            with self.heard:
                self.events.append(event)
                self.heard.notify_all()
        with self.heard:
            self.is_over = True
            self.heard.notify_all()

    def order(self, do, **more):
        line = json.dumps({"do": do, **more}) + "\n"
        self.proc.stdin.write(line.encode())
        self.proc.stdin.flush()

    # ---- what it says ---------------------------------------------------

    def here(self):
        """How much it has said so far: a `start` for what comes later."""
        with self.heard:
            return len(self.events)

    def wait(self, wanted, what, start=0):
        """The first event from `start` on that is wanted."""
        end = time.monotonic() + DEADLINE
        with self.heard:
            while True:
                for event in self.events[start:]:
                    assert event["event"] != "unwritable", "not UTF-8"
                    if wanted(event):
                        return event
                start = len(self.events)
                left = end - time.monotonic()
                assert not self.is_over, f"it left before {what}"
                assert left > 0, f"waited in vain: {what}"
                self.heard.wait(left)

    def event(self, name, id=None, start=0):
        return self.wait(lambda e: e["event"] == name and
                         (id is None or e.get("id") == id), name, start)

    # ---- its end --------------------------------------------------------

    def kill(self):
        self.proc.kill()
        self.proc.wait()
        self.reader.join()

    def stop(self):
        """Lets it leave by itself, and sees that it did so properly."""
        if not self.proc.stdin.closed:
            self.proc.stdin.close()
        self.proc.wait(DEADLINE)
        self.reader.join()
        if self.proc.returncode != -signal.SIGKILL:
            equal(self.proc.returncode, 0)
            equal(self.events[-1], {"event": "stopped", "leaks": 0})

# SPDX-License-Identifier: MIT
"""A directory of its own for what a test starts, and the end of all of it.

Everything that is started here carries the sandbox's mark in its environment,
or at least a socket that lies below it: clients of agents drop variables, and
so what an agent has started has no mark. A test that passes leaves nothing
alive and no complaint of a sanitizer; what is left of one that fails is
killed, and its last words are shown."""

import os
import pathlib
import shutil
import tempfile
import uuid

from harness.processes import environments, kill
from harness.until import until

# Variables that would change what is tested.
FOREIGN = ("KUROMAJUTSU_", "XDG_", "DBUS_", "CURSOR_", "CLAUDE", "LC_",
           "LANG")


def status_of(pid):
    """Its state and words, for the reader of a failure."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat, \
                open(f"/proc/{pid}/cmdline", "rb") as words:
            return (stat.read().rpartition(")")[2].split()[:2],
                    words.read().replace(b"\0", b" ").decode(errors="replace"))
    except OSError as e:
        return str(e)


class Sandbox:
    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="kuromajutsu-"))
        mark = uuid.uuid4().hex
        self.mark = f"TEST_MARK={mark}"
        self.env = {k: v for k, v in os.environ.items()
                    if not k.startswith(FOREIGN)}
        self.env["TEST_MARK"] = mark
        self.env["LC_ALL"] = "C.UTF-8"  # names no language
        for name in ("ASAN", "UBSAN", "TSAN"):
            was = os.environ.get(name + "_OPTIONS", "")
            self.env[name + "_OPTIONS"] = f"{was}:log_path={self.top}/report"

    def set(self, **env):
        """Changes the environment of what is started from now on; None takes
        a variable away."""
        self.env = {k: v for k, v in {**self.env, **env}.items()
                    if v is not None}

    def folder(self, name):
        """A new one below, for its owner alone."""
        path = self.top / name
        path.mkdir(0o700, parents=True, exist_ok=True)
        return path

    # ---- processes ------------------------------------------------------

    def everybody(self):
        """Ids of the living that were started here."""
        mark = self.mark.encode()
        socket = f"KUROMAJUTSU_SOCKET={self.top}/".encode()
        return [pid for pid, env in environments()
                if any(v == mark or v.startswith(socket) for v in env)]

    # ---- the end --------------------------------------------------------

    def finish(self):
        """Ends in good order what was started, and sees that it was one."""

    def abandon(self):
        """Ends what was started, in whatever order."""

    def last_words(self):
        """Lines for the reader of a failure."""
        return []

    def faults(self):
        """What should not have been said, though the test did not mind."""
        return []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        try:
            if kind is None:
                self.finish()
                until(lambda: not self.everybody(), "nothing left alive")
                kind = False
        finally:
            for pid in self.everybody() if kind is None else ():
                print(f"# left alive: {pid} {status_of(pid)}")
            self._clear(kind is not False)

    def _clear(self, has_failed):
        # What is being killed may have started something a moment before.
        while alive := self.everybody():
            kill(alive)
        self.abandon()
        if has_failed:
            for line in self.last_words():
                print(f"# {line:.300}")
        faults = self.faults()
        reports = sorted(self.top.glob("report*"))
        for report in reports:
            for line in report.read_text(errors="replace").splitlines():
                print(f"# {line}")
        shutil.rmtree(self.top, ignore_errors=True)
        assert not reports, "a sanitizer has something to say"
        assert not faults, faults

# SPDX-License-Identifier: MIT
"""A desk to try the command line at: a project, a state directory and nothing
of the user's own."""

import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

PROGRAM = os.path.abspath(sys.argv[1])
# Only against a program that never ends.
GIVE_UP = 120


class Desk:
    def __init__(self, folder):
        self.root = pathlib.Path(folder)
        self.project = self.root / "project"
        self.home = self.root / "home"
        self.project.mkdir()
        self.home.mkdir()
        self.env = {key: value for key, value in os.environ.items()
                    if not key.startswith("KUROMAJUTSU_")
                    and key not in ("COLUMNS", "NO_COLOR")}
        self.env.update(KUROMAJUTSU_HOME=str(self.home), HOME=str(self.root),
                        KUROMAJUTSU_LANGUAGE="en", TZ="UTC")

    def config(self, text):
        path = self.project / "kuromajutsu.config.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def start(self, *args, **env):
        return subprocess.Popen(
            [PROGRAM, *args], cwd=self.project, env={**self.env, **env},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)

    def run(self, *args, **env):
        done = subprocess.run(
            [PROGRAM, *args], cwd=self.project, env={**self.env, **env},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=GIVE_UP)
        done.out = done.stdout.decode()
        done.err = done.stderr.decode()
        return done

    def state(self):
        """Where the state of this project lies, as the program says."""
        line = next(line for line in self.run("doctor").out.splitlines()
                    if line.split()[1:2] == ["state"])
        return pathlib.Path(next(word for word in line.split()
                                 if word.startswith("/")))


@contextlib.contextmanager
def desk():
    with tempfile.TemporaryDirectory(prefix="kuro-command-") as folder:
        yield Desk(folder)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ./run shows, with the programs just built."""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from harness import tap
from harness.programs import BUILD
from harness.until import equal

PLAY = [sys.executable, "-B",
        str(pathlib.Path(__file__).resolve().parent / "play.py"), BUILD,
        "--puppet"]


def environment(home):
    env = {key: value for key, value in os.environ.items()
           if not key.startswith("KUROMAJUTSU_")}
    return {**env, "HOME": home, "TMPDIR": home}


@tap.test
def once_plays_all_modes_and_leaves_nothing():
    with tempfile.TemporaryDirectory() as home:
        done = subprocess.run([*PLAY, "--once"], env=environment(home),
                              capture_output=True, text=True, check=False,
                              timeout=300)
        equal((done.returncode, done.stderr), (0, ""))
        for line in (r"puppet", r"concurrent +3 of 3", r"sequential +4 of 4",
                     r"magentic +5 of 5"):
            assert re.search(line, done.stdout), done.stdout
        assert re.search(r" reported +\d+(\.\d)? m?s  \d+ tool", done.stdout)
        assert not re.search(r"resultReported|\b0\.0 ?s", done.stdout)
        equal(os.listdir(home), [])


@tap.test
def it_serves_until_it_is_interrupted():
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(PLAY, env=environment(home), text=True,
                                   stdout=subprocess.PIPE,
                                   start_new_session=True)
        said = ""
        while "--help" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        assert process.poll() is None
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        process.communicate(timeout=300)
        equal(process.returncode, 0)
        equal(os.listdir(home), [])


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""The programs that were built: every script is given the build directory."""

import os
import re
import shutil
import subprocess
import sys

BUILD = os.path.abspath(sys.argv[1])


def built(name):
    """The path of what lies there below the build directory."""
    return os.path.join(BUILD, name)


PROGRAM = built("kuromajutsu")
HUB = built("kuromajutsu-hub")
WARDEN = built("kuromajutsu-warden")
PUPPET = built("kuromajutsu-puppet")
ACTS = built("tests/runtime/warden/acts")


def acts(*words):
    """The command line of a program that does this, act by act."""
    return [ACTS, *map(str, words)]


def copy_programs(folder, *names):
    """Copies of the product's programs, to break or to lie beside another;
    and the variable by which they find what lay beside the originals."""
    paths = []
    for name in names:
        shutil.copy(built(name), folder)
        # Of a static program there is nothing to be said.
        said = subprocess.run(["ldd", built(name)], capture_output=True,
                              text=True, check=False).stdout
        paths += re.findall(r"=> (/.*)/[^/]+ \(", said)
    return {"LD_LIBRARY_PATH": ":".join(dict.fromkeys(paths))}


def build_of(program):
    """Which build a program says that it is."""
    said = subprocess.run([program, "--version"], capture_output=True,
                          text=True, check=True).stdout
    return said.split()[1]

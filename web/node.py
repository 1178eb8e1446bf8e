# SPDX-License-Identifier: MIT
"""Where Node and the dashboard's packages are, and whether they are.

Run as a program it says what is missing: node, packages, or nothing; with
`path`, the PATH on which Node is found."""

import os
import pathlib
import platform
import shutil
import subprocess
import sys

WEB = pathlib.Path(__file__).resolve().parent
ROOT = WEB.parent
# What Vite asks for.
OLDEST = (20, 19)
REMEDY = ("run config/setup.sh, which installs it (Debian packages, and the "
          "npm registry must be reachable)")


class NotThere(Exception):
    """Something is missing; its text says what, and what to do."""


def own_node():
    """The folder of the Node that config/setup.sh may have fetched."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), "")
    return ROOT / f".deps/node/node_modules/node-linux-{machine}/bin"


def path():
    return f"{own_node()}:{os.environ.get('PATH', '')}"


def version():
    node = shutil.which("node", path=path())
    if node is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True,
                          check=False).stdout
    return tuple(int(n) for n in said.strip().lstrip("v").split(".")[:2])


def is_recent():
    found = version()
    return found is not None and found >= OLDEST


def are_packages_there():
    """npm leaves a copy of what it has installed from the lock file."""
    lock, done = WEB / "package-lock.json", WEB / "node_modules/.stamp"
    return done.is_file() and done.read_bytes() == lock.read_bytes()


def environment():
    """For what is run by Node; or NotThere."""
    if not is_recent():
        found = version()
        have = ".".join(map(str, found)) if found else "none"
        raise NotThere(f"Node {OLDEST[0]}.{OLDEST[1]} or newer is needed to "
                       f"build the dashboard (found: {have}): {REMEDY}")
    if not are_packages_there():
        raise NotThere("the dashboard's npm packages (web/package-lock.json) "
                       f"are not installed: {REMEDY}")
    return {**os.environ, "PATH": path(), "NO_COLOR": "1"}


if __name__ == "__main__":
    if sys.argv[1:] == ["path"]:
        print(path())
    elif not is_recent():
        print("node")
    elif not are_packages_there():
        print("packages")

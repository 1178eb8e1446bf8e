# SPDX-License-Identifier: MIT
"""A CLI that looks around before it plays its part.

    spy.py PUPPET ARG...

With a line "spy: FILE" in its prompt it connects to the hub that it is told of
in its environment, in each of the ways below, and writes what it was told
there into FILE with the way's name; then it is the puppet. With a line "spy
when: FILE" before it, it waits until there is such a file.
"""

import json
import os
import re
import shutil
import subprocess
import sys

from harness.until import until
from harness.wire import ANSWER, STOP, InheritedWire, Wire

puppet, args = sys.argv[1], sys.argv[2:]
DEEP = 300


def write(path, value):
    with open(path + ".new", "w") as f:
        json.dump(value, f)
    os.rename(path + ".new", path)


def ask_around(path, wire=Wire, socket=None):
    with wire(socket or os.environ["KUROMAJUTSU_SOCKET"]) as w:
        seen = {"welcome": w.hello()}
        w.send(STOP, b'{"keepAgents":false}', handle=77)
        kind, flags, handle, payload = w.next()
        seen["stop"] = [kind == ANSWER, flags, handle,
                        json.loads(payload)["code"]]
        seen["edits"] = [w.refused("update_role", {"roleId": "research",
                                                   "model": "auto"}),
                         w.refused("revalidate")]
    write(path, seen)


def inner(path):
    """The words by which another process asks around."""
    return [sys.executable, "-B", __file__, puppet, "--inner", path,
            os.environ["KUROMAJUTSU_SOCKET"]]


# ---- ways -----------------------------------------------------------------

def plain(path):
    ask_around(path)


def forged(path):
    """Through a shell that calls itself a warden, for another agent."""
    warden = os.path.join(os.path.dirname(path), "kuromajutsu-warden")
    shutil.copy("/bin/sh", warden)
    # Two commands, so that the shell does not make way for the first.
    subprocess.run([warden, "-c", '"$@"; exit $?', "sh", *inner(path)],
                   check=True, env=dict(os.environ,
                                        KUROMAJUTSU_AGENT_ID="somebody-else"))


def nameless(path):
    """Without a word of the hub in its environment."""
    env = {k: v for k, v in os.environ.items()
           if not k.startswith("KUROMAJUTSU_")}
    subprocess.run(inner(path), check=True, env=env)


def orphaned(path):
    """From a session of its own, when its parent has ended."""
    child = os.fork()
    if child == 0:
        os.setsid()
        parent = os.getpid()
        if os.fork() == 0:
            until(lambda: os.getppid() != parent, "another parent")
            ask_around(path)
        os._exit(0)
    os.waitpid(child, 0)
    until(lambda: os.path.exists(path), path)


def inherited(path):
    """On a connection that a child has opened, which has ended."""
    ask_around(path, InheritedWire)


def deep(path):
    """From below more processes than are looked at. Shells: a child of a
    child, and so on, that runs no other program is dear to fork."""
    script = path + ".sh"
    with open(script, "w") as f:
        f.write('n=$1; shift\n'
                'if [ $n -gt 0 ]; then sh "$0" $((n - 1)) "$@"; else "$@"; fi'
                '\nexit $?\n')
    subprocess.run(["sh", script, str(DEEP), *inner(path)], check=True)


WAYS = (forged, nameless, orphaned, inherited, deep, plain)


found = re.search(r"^spy: (\S+)$", args[-1], re.M) if args else None
if args[:1] == ["--inner"]:
    ask_around(args[1], socket=args[2])
    sys.exit(0)
when = re.search(r"^spy when: (\S+)$", args[-1], re.M) if args else None
if when:
    until(lambda: os.path.exists(when[1]), when[1])
if found:
    for way in WAYS:
        way(f"{found[1]}.{way.__name__}")
os.execv(puppet, [puppet, *args])

# SPDX-License-Identifier: MIT
"""A CLI that looks around before it plays its part.

    spy.py PUPPET ARG...

With a line "spy: FILE" in its prompt it connects to the hub that it is told of
in its environment, alone and below a program that calls itself a warden, and
writes what it was told there; then it is the puppet.
"""

import json
import os
import re
import shutil
import subprocess
import sys

from harness.wire import ANSWER, STOP, Wire

puppet, args = sys.argv[1], sys.argv[2:]


def ask_around():
    with Wire(os.environ["KUROMAJUTSU_SOCKET"]) as w:
        seen = {"welcome": w.hello()}
        w.send(STOP, b'{"keepAgents":false}', handle=77)
        kind, flags, handle, payload = w.next()
        seen["stop"] = [kind == ANSWER, flags, handle,
                        json.loads(payload)["code"]]
        seen["edits"] = [w.refused("update_role", {"roleId": "research",
                                                   "model": "auto"}),
                         w.refused("revalidate")]
        return seen


def ask_below_a_forged_warden(path):
    """The same through a shell of that name, for another agent."""
    warden = os.path.join(os.path.dirname(path), "kuromajutsu-warden")
    shutil.copy("/bin/sh", warden)
    # Two commands, so that the shell does not make way for the first.
    subprocess.run([warden, "-c", '"$@"; exit $?', "sh", sys.executable, "-B",
                    __file__, puppet, "--inner", path + ".forged"],
                   check=True, env=dict(os.environ,
                                        KUROMAJUTSU_AGENT_ID="somebody-else"))


def write(path, value):
    with open(path + ".new", "w") as f:
        json.dump(value, f)
    os.rename(path + ".new", path)


found = re.search(r"^spy: (\S+)$", args[-1], re.M) if args else None
if args[:1] == ["--inner"]:
    write(args[1], ask_around())
    sys.exit(0)
if found:
    ask_below_a_forged_warden(found[1])
    write(found[1], ask_around())
os.execv(puppet, [puppet, *args])

# SPDX-License-Identifier: MIT
"""A CLI that calls tools from inside an agent, by a real MCP client.

    inner.py BUILD ARG...

With a line "calls: FILE" in its prompt it makes the calls of that file,
[[tool, arguments], ...], through an MCP server of its own as an agent's client
would, writes what it was answered into FILE.answers, and then is the puppet.
`${id}` in arguments is the agent's own id."""

import json
import os
import re
import sys

from harness import mcp
from harness.programs import BUILD, PROGRAM, PUPPET
from harness.tools import start_agents, wait_for


def install(home):
    """Has the home's agents be such CLIs."""
    path = home.top / "inner"
    path.write_text(f'#!/bin/sh\nexec {sys.executable} -B -m harness.inner '
                    f'{BUILD} "$@"\n')
    path.chmod(0o700)
    home.set(KUROMAJUTSU_AGENT_COMMAND=str(path),
             PYTHONPATH=os.path.dirname(os.path.dirname(__file__)))


def answers(home, talk, calls, **more):
    """Runs an agent that makes these calls: its id, and what it was answered,
    (whether an error, the object) each."""
    home.inner_calls = getattr(home, "inner_calls", 0) + 1
    path = home.top / f"calls-{home.inner_calls}"
    path.write_text(json.dumps(calls))
    agent, = start_agents(talk, f"reply\ncalls: {path}", **more)
    wait_for(talk, agent)
    with open(f"{path}.answers", encoding="utf-8") as f:
        return agent, [tuple(answer) for answer in json.load(f)]


def main(args):
    asked = re.search(r"^calls: (.*)$", "\n".join(args), re.M)
    if asked:
        path, own = asked.group(1), os.environ["KUROMAJUTSU_AGENT_ID"]
        with open(path, encoding="utf-8") as f:
            calls = json.loads(f.read().replace("${id}", own))
        proc, talk = mcp.start([PROGRAM, "mcp"])
        talk.hello()
        said = [talk.use(tool, **arguments) for tool, arguments in calls]
        talk.close()
        proc.wait()
        with open(f"{path}.new", "w", encoding="utf-8") as f:
            json.dump(said, f)
        os.rename(f"{path}.new", f"{path}.answers")
    os.execv(PUPPET, [PUPPET, *args])


if __name__ == "__main__":
    main(sys.argv[2:])

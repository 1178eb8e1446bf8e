# SPDX-License-Identifier: MIT
"""keeper.py DESCRIPTOR COMMAND...: runs a program, and lets nothing that it has
started outlive it, nor its runner.

Hubs and wardens are daemons: in sessions of their own, nobody's children, made
to live on. So whoever ends a bench by the process group alone leaves them. The
keeper adopts orphans instead, and ends all that descend from it once the
program has ended or the runner's end of the descriptor (a socket) is closed,
which it is however a runner ends, also by SIGKILL. The CPU time of all of them
counts as the runner's, which waits for the keeper.

What the program came to is told on the descriptor as JSON: its exit "status",
negative for a signal, or the "error" for which it was not started. Temporary
files are the keeper's to remove, for one who is killed removes none."""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from typing import Optional, Sequence

SET_CHILD_SUBREAPER = 36


def parents() -> dict[int, int]:
    """Of every process that there is."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8",
                      errors="replace") as stat:
                behind_name = stat.read().rpartition(")")[2].split()
                found[int(name)] = int(behind_name[1])
        except OSError:
            continue
    return found


def descendants() -> list[int]:
    above, found = parents(), [os.getpid()]
    for pid in found:  # which grows
        found += [child for child, parent in above.items() if parent == pid]
    return found[1:]


def end_all() -> None:
    """Who was born while others were killed is an orphan of ours by then, and
    found the next time."""
    while True:
        for pid in descendants():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        try:
            os.waitpid(-1, 0)
        except ChildProcessError:
            return


def ended(pid: int, line: socket.socket) -> Optional[int]:
    """Its exit status; None: the runner wants no more of it."""
    pidfd = os.pidfd_open(pid)
    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    poll.register(line, select.POLLIN)
    if pidfd not in (fd for fd, _ in poll.poll()):
        return None
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def keep(line: socket.socket, command: Sequence[str]) -> dict[str, object]:
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(
            prefix="bench-", ignore_cleanup_errors=True) as top:
        try:
            process = subprocess.Popen(command, env={**os.environ,
                                                     "TMPDIR": top})
        except OSError as error:
            return {"error": error.strerror}
        try:
            return {"status": ended(process.pid, line)}
        finally:
            end_all()
            process.returncode = 0  # it is waited for


def main(words: Sequence[str]) -> None:
    with socket.socket(fileno=int(words[0])) as line:
        os.set_inheritable(line.fileno(), False)
        said = keep(line, words[1:])
        try:
            line.sendall(json.dumps(said).encode())
        except OSError:
            pass  # there is no runner any more


if __name__ == "__main__":
    main(sys.argv[1:])

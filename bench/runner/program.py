# SPDX-License-Identifier: MIT
"""One run of one program: its figure, and who else used the machine."""

from __future__ import annotations

import json
import math
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Mapping, Optional, Sequence

KEEPER = Path(__file__).with_name("keeper.py")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


class Failure(Exception):
    """A program that gave no figure; the text says how and why."""


@dataclass(frozen=True)
class Run:
    value: float
    wall: float
    others: float  # CPU seconds that other processes used meanwhile


@dataclass(frozen=True)
class Done:
    """What a program printed, and who used the machine meanwhile."""

    printed: str
    wall: float
    others: float

    def run(self, name: str = "") -> Run:
        value = figure(self.printed, name)
        return Run(value, self.wall, self.others)


def cores() -> int:
    return os.sysconf("SC_NPROCESSORS_ONLN")


def machine_cpu() -> float:
    """CPU seconds nobody else could have had since boot. Time stolen by the
    hypervisor is in it: to a measurement a neighbour is a neighbour."""
    with open("/proc/stat", encoding="ascii") as stat:
        user, nice, system, _idle, _iowait, irq, softirq, steal = map(
            int, stat.readline().split()[1:9]
        )
    ticks = user + nice + system + irq + softirq + steal
    return ticks / TICKS_PER_SECOND


def own_cpu() -> float:
    """CPU seconds of this process and of the children it has waited for."""
    total = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        total += usage.ru_utime + usage.ru_stime
    return total


def last_words(line: socket.socket, timeout: float) -> Optional[Any]:
    """What the keeper says of its program's end; None: not in time."""
    # Popen.wait with a timeout polls, which would disturb what is measured.
    poll = select.poll()
    poll.register(line, select.POLLIN)
    if not poll.poll(math.ceil(timeout * 1000)):
        return None
    said = b"".join(iter(lambda: line.recv(4096), b""))
    if not said:
        raise Failure("its keeper was killed")
    return json.loads(said)


def execute(
    command: Sequence[str],
    timeout: float,
    out: IO[bytes],
    err: IO[bytes],
    cwd: Path,
    env: Optional[Mapping[str, str]],
) -> Optional[int]:
    """The exit status, or None if it had to be killed. The output goes to
    files and not to pipes, for which a stray grandchild could make us wait;
    the keeper ends the whole tree, whether it hung, left somebody behind who
    would disturb the next run, or we are ended ourselves."""
    ours, theirs = socket.socketpair()
    with ours, subprocess.Popen(
        [sys.executable, "-B", KEEPER, str(theirs.fileno()), *command],
        stdin=subprocess.DEVNULL, stdout=out, stderr=err, cwd=cwd, env=env,
        pass_fds=(theirs.fileno(),), start_new_session=True,
    ):
        theirs.close()
        try:
            said = last_words(ours, timeout)
        finally:
            ours.shutdown(socket.SHUT_WR)
    if said is None:
        return None
    if "error" in said:
        raise Failure(f"cannot start {command[0]}: {said['error']}")
    status: int = said["status"]
    return status


def explain(status: int, complaint: str) -> str:
    how = (
        f"killed by {signal.Signals(-status).name}"
        if status < 0
        else f"exit status {status}"
    )
    return f"{how}\n{complaint}".rstrip()


def call(
    command: Sequence[str],
    timeout: float,
    cwd: Path,
    env: Optional[Mapping[str, str]] = None,
) -> str:
    """What the program printed; Failure unless it ended well and in time."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        status = execute(command, timeout, out, err, cwd, env)
        out.seek(0)
        err.seek(0)
        complaint = err.read().decode(errors="replace")
        if status is None:
            text = f"killed: not done after {timeout:g} s\n{complaint}"
            raise Failure(text.rstrip())
        if status != 0:
            raise Failure(explain(status, complaint))
        return out.read().decode(errors="replace")


def number(printed: str) -> Optional[float]:
    try:
        return float(printed)
    except ValueError:
        return None


def figure(printed: str, name: str = "") -> float:
    """The number printed, or the one of this name in the object printed."""
    value: object = None
    try:
        value = json.loads(printed)[name] if name else number(printed)
    except (ValueError, LookupError, TypeError):
        pass
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        wanted = f"an object with {name}" if name else "one number"
        raise Failure(f"printed {printed[:200]!r} instead of {wanted}")
    return float(value)


def measure(command: Sequence[str], timeout: float, cwd: Path) -> Done:
    machine, own, start = machine_cpu(), own_cpu(), time.monotonic()
    printed = call(command, timeout, cwd)
    wall = time.monotonic() - start
    others = (machine_cpu() - machine) - (own_cpu() - own)
    return Done(printed, wall, max(0.0, others))

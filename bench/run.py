#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures a bench: our program beside its peers, all by turns.

The figures drift with the machine, so everything runs once a round and what
counts is the ratio of the medians within one call of this program. To add a
bench, write its table in bench/<name>.py and name it in BENCHES."""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Mapping, NamedTuple, Optional, Sequence, Union

import actors
import dashboard
import fanout
import mail
import rpc
import store
import stream
import web
from runner import place, report
from runner.program import Done, Failure, call, measure
from runner.result import OURS, Place, Results
from runner.table import Bench, Command, Reuse, Row, Toolchain

ROOT = Path(__file__).resolve().parent.parent
BENCHES = {bench.name: bench for bench in (
    actors.BENCH, dashboard.BENCH, fanout.BENCH, mail.BENCH, rpc.BENCH,
    store.BENCH, stream.BENCH, web.BENCH)}
BUILD_TIMEOUT = 600.0
Shared = dict[tuple[str, ...], Union[Done, Failure]]


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


class Step(NamedTuple):
    place: Place
    command: Command
    figure: str = ""


def fill(command: Command, build: Path, seconds: float = 0,
         folder: str = "") -> Command:
    return [word.replace("{build}", str(build)).replace("{dir}", folder)
            .replace("{seconds}", f"{seconds:g}") for word in command]


def is_fresh(output: Path, source: Path) -> bool:
    return output.exists() and (
        output.stat().st_mtime_ns >= source.stat().st_mtime_ns)


def build_peer(chain: Toolchain, build: Path) -> None:
    output, *values = fill([chain.output, *chain.env.values()], build)
    if is_fresh(Path(output), ROOT / chain.source):
        return
    Path(output).parent.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, **dict(zip(chain.env, values))}
    call(fill(chain.build, build), BUILD_TIMEOUT, ROOT, env)


class Session:
    """One call of the runner: what to run, and what came of it."""

    def __init__(self, bench: Bench, rows: list[Row],
                 options: argparse.Namespace) -> None:
        self.bench = bench
        self.rows = rows
        self.build = Path(options.build).resolve()
        self.seconds: float = options.seconds or bench.seconds
        self.timeout: float = (
            options.timeout or bench.timeout + 2 * self.seconds)
        self.rounds: int = options.rounds or bench.rounds
        self.results = Results()
        self.broken = False  # a program failed
        self.missing: list[str] = []  # what to tell of peers not there
        self.place = place.nearest(
            options.dir or place.state_home(os.environ)).resolve()
        self.folder = ""  # in it, for what is made in this call

    def build_peers(self) -> set[str]:
        """Gives the peers of these rows that cannot be run."""
        absent = set()
        wanted = {peer for row in self.rows for peer in row.peers}
        for name, chain in self.bench.toolchains.items():
            if name not in wanted:
                continue
            if not all(map(shutil.which, chain.tools)):
                self.missing.append(f"{name} is not measured: "
                                    f"package {chain.package} is missing")
                absent.add(name)
                continue
            try:
                build_peer(chain, self.build)
            except Failure as failure:
                say(f"building {name}: {failure}")
                self.broken = True
                absent.add(name)
        return absent

    def filled(self, command: Command) -> Command:
        return fill(command, self.build, self.seconds, self.folder)

    def plan(self) -> list[Step]:
        """All there is to run in a round, rows only compared with included."""
        absent = self.build_peers()
        shown = {row.name for row in self.rows}
        needed = set().union(*(row.needs() for row in self.rows))
        steps: list[Step] = []
        for row in self.bench.rows:
            if row.name in shown | needed:
                steps.append(Step((row.name, OURS), self.filled(row.ours),
                                  row.figure))
            if row.name not in shown:
                continue
            for name, peer in row.peers.items():
                if not isinstance(peer, Reuse) and name not in absent:
                    steps.append(Step((row.name, name), self.filled(peer)))
        return steps

    def done(self, step: Step, shared: Shared) -> Done:
        """Of a command that gives several figures, one run in a round."""
        if not step.figure:
            return measure(step.command, self.timeout, ROOT)
        key = tuple(step.command)
        if key not in shared:
            try:
                shared[key] = measure(step.command, self.timeout, ROOT)
            except Failure as failure:
                shared[key] = failure
        found = shared[key]
        if isinstance(found, Failure):
            raise found
        return found

    def step(self, step: Step, shared: Shared) -> None:
        place = step.place
        if place in self.results.failures:
            return
        try:
            run = self.done(step, shared).run(step.figure)
        except Failure as failure:
            say(f"{place[0]}, {place[1]}: {failure}")
            self.results.failures[place] = str(failure)
            self.broken = True
        else:
            self.results.runs.setdefault(place, []).append(run)

    def run(self) -> None:
        with contextlib.ExitStack() as stack:
            if self.bench.takes_dir:
                self.folder = stack.enter_context(
                    tempfile.TemporaryDirectory(
                        prefix="kuromajutsu-bench-", dir=self.place,
                        ignore_cleanup_errors=True))
            self.run_rounds()

    def run_rounds(self) -> None:
        steps = self.plan()
        for number in range(1, self.rounds + 1):
            say(f"{self.bench.name}, round {number} of {self.rounds}")
            shared: Shared = {}
            for step in steps:
                self.step(step, shared)

    def show(self, json: bool) -> None:
        notes = [*self.missing, report.noise_line(self.results)]
        if self.bench.takes_dir:
            notes.insert(0, f"files: in {self.place}, on "
                         f"{place.file_system(self.place)}")
        if json:
            print(report.as_json(self.bench, self.results, self.rows))
        else:
            print(report.table(self.results, self.rows))
        for note in notes:
            print(note, file=sys.stderr if json else sys.stdout)


def count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def seconds(text: str) -> float:
    number = float(text)
    if not 0 < number < 1e6:
        raise ValueError
    return number


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="bench", allow_abbrev=False,
                                     description=__doc__.splitlines()[0])
    result.add_argument("bench", metavar="BENCH")
    result.add_argument("--rounds", type=count, metavar="N")
    result.add_argument("--seconds", type=seconds, metavar="N",
                        help="how long a bench looks that takes its time")
    result.add_argument("--only", metavar="ROW[,ROW...]")
    result.add_argument("--json", action="store_true",
                        help="one object on standard output")
    result.add_argument("--timeout", type=seconds,
                        metavar="SECONDS", help="of one run of one program")
    result.add_argument("--dir", type=Path, metavar="DIR",
                        help="where a bench makes its files whose figures "
                        "depend on it; else where hubs keep their state")
    result.add_argument("--build", default=ROOT / "build", metavar="DIR")
    return result


def choose(bench: Bench, only: Optional[str]) -> list[Row]:
    """The rows asked for, in the table's order; ValueError says what is
    wrong with the question."""
    known = [row.name for row in bench.rows]
    names = known if only is None else only.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise ValueError(f"{bench.name} has no row {', '.join(unknown)}; "
                         f"its rows: {', '.join(known)}")
    return [row for row in bench.rows if row.name in names]


def main(argv: Sequence[str],
         benches: Mapping[str, Bench] = BENCHES) -> int:
    usage = parser()
    options = usage.parse_args(argv)
    if options.bench not in benches:
        usage.error(f"no bench {options.bench}; "
                    f"there is: {', '.join(benches)}")
    bench = benches[options.bench]
    if options.seconds and not bench.seconds:
        usage.error(f"{bench.name} takes no --seconds")
    if options.dir and not bench.takes_dir:
        usage.error(f"{bench.name} takes no --dir")
    if options.dir and not options.dir.is_dir():
        usage.error(f"no directory {options.dir}")
    try:
        rows = choose(bench, options.only)
    except ValueError as error:
        usage.error(str(error))
    session = Session(bench, rows, options)
    session.run()
    session.show(options.json)
    return 1 if session.broken else 0


if __name__ == "__main__":
    # So that a run under way is killed with us.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)

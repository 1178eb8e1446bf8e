# SPDX-License-Identifier: MIT
"""What a bench is: the words in which bench/<name>.py writes its table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Union

# A command may name the build directory as {build}, how long to look as
# {seconds}, and a directory for what it makes as {dir}; it runs in the root of
# the repository and prints one number on one line.
Command = list[str]

BEST_PEER = "best peer"


@dataclass(frozen=True)
class Reuse:
    """Stands for what our program reached in another row of this run."""

    row: str


@dataclass(frozen=True)
class Target:
    """A bound on our median: on the figure itself, or, with `of`, on how many
    times better it is than the best peer or than our figure in that row."""

    bound: float
    of: str = ""
    strict: bool = False

    def holds(self, value: float, higher: bool) -> bool:
        if value == self.bound:
            return not self.strict
        return (value > self.bound) == higher

    def sign(self, higher: bool) -> str:
        return (">" if higher else "<") + ("" if self.strict else "=")

    def parts(self) -> tuple[Target, ...]:
        return (self,)


@dataclass(frozen=True)
class Either:
    """Bounds of which one is enough."""

    first: Target
    second: Target

    def parts(self) -> tuple[Target, ...]:
        return (self.first, self.second)


@dataclass(frozen=True)
class Row:
    name: str
    counts: str  # what the figure counts, "round trips"
    unit: str  # "/s", "ns", "B", "%" or "nodes"
    better: Literal["higher", "lower"]
    ours: Command
    peers: dict[str, Union[Command, Reuse]] = field(default_factory=dict)
    targets: tuple[Union[Target, Either], ...] = ()
    # Our command prints an object of figures and this one is meant: rows with
    # the same command share what one run of it has found.
    figure: str = ""

    @property
    def higher(self) -> bool:
        return self.better == "higher"

    def needs(self) -> set[str]:
        """Rows whose own figure this row is compared with."""
        reused = {p.row for p in self.peers.values() if isinstance(p, Reuse)}
        parts = [part for target in self.targets for part in target.parts()]
        named = {t.of for t in parts if t.of not in ("", BEST_PEER)}
        return reused | named


@dataclass(frozen=True)
class Toolchain:
    """How a peer gets built, and which Debian package it takes."""

    package: str
    tools: tuple[str, ...]
    source: str
    output: str
    build: Command
    env: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Bench:
    name: str
    rows: tuple[Row, ...]
    toolchains: dict[str, Toolchain] = field(default_factory=dict)
    rounds: int = 5
    seconds: float = 0  # how long its commands look, where they take {seconds}
    timeout: float = 120.0  # of one run of one program, beyond those
    # Its figures depend on the file system: commands take {dir}.
    takes_dir: bool = False

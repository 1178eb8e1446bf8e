# SPDX-License-Identifier: MIT
"""What the rounds gave: medians, comparisons, and whether targets are met."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, field
from typing import Optional, Union

from runner.program import Run, cores
from runner.table import BEST_PEER, Either, Reuse, Row, Target

OURS = "ours"
Place = tuple[str, str]  # the names of row and column

# The kernel counts in ticks of 10 ms: the share of a shorter run is a guess.
SHORTEST_WORST = 0.1


@dataclass(frozen=True)
class Summary:
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Noise:
    """In percent: of the cores, used by others over all runs and in the worst
    one; and of the median, between the extremes of our typical row."""

    others: float
    worst: float
    spread: float


def times_better(value: float, other: float, higher: bool) -> Optional[float]:
    """Above 1 is better than the other, in either direction."""
    part, whole = (value, other) if higher else (other, value)
    return part / whole if part > 0 and whole > 0 else None


@dataclass
class Results:
    runs: dict[Place, list[Run]] = field(default_factory=dict)
    failures: dict[Place, str] = field(default_factory=dict)

    def summary(self, row: Row, column: str) -> Optional[Summary]:
        """None for what failed, even late: half a measurement is none."""
        peer = row.peers.get(column)
        place = (row.name, column)
        if isinstance(peer, Reuse):
            place = (peer.row, OURS)
        return self._at(place)

    def _at(self, place: Place) -> Optional[Summary]:
        values = [run.value for run in self.runs.get(place, [])]
        if not values or place in self.failures:
            return None
        return Summary(statistics.median(values), min(values), max(values))

    def best_peer(self, row: Row) -> Optional[float]:
        summaries = [self.summary(row, peer) for peer in row.peers]
        known = [summary.median for summary in summaries if summary]
        if not known:
            return None
        return max(known) if row.higher else min(known)

    def ratio(self, row: Row, of: str = BEST_PEER) -> Optional[float]:
        ours = self._at((row.name, OURS))
        if of == BEST_PEER:
            other = self.best_peer(row)
        else:
            named = self._at((of, OURS))
            other = named.median if named else None
        if ours is None or other is None:
            return None
        return times_better(ours.median, other, row.higher)

    def met(self, row: Row) -> Optional[bool]:
        """None without a target, or where a figure lacks that it takes."""
        verdicts = [self._judge_any(row, target) for target in row.targets]
        if False in verdicts:
            return False
        return None if None in verdicts or not verdicts else True

    def _judge_any(self, row: Row,
                   target: Union[Target, Either]) -> Optional[bool]:
        verdicts = [self._judge(row, part) for part in target.parts()]
        if True in verdicts:
            return True
        return None if None in verdicts else False

    def _judge(self, row: Row, target: Target) -> Optional[bool]:
        if not target.of:
            ours = self._at((row.name, OURS))
            return target.holds(ours.median, row.higher) if ours else None
        ratio = self.ratio(row, target.of)
        if ratio is None:
            return None
        holds = target.holds(ratio, higher=True)
        # The peer that is not there might have been the best.
        if holds and target.of == BEST_PEER:
            everybody = all(self.summary(row, peer) for peer in row.peers)
            return True if everybody else None
        return holds

    def others(self, row: Row) -> Optional[float]:
        """The share of the cores that others had while ours was measured, in
        percent; None where that was too short to tell."""
        runs = self.runs.get((row.name, OURS), [])
        wall = sum(run.wall for run in runs)
        if wall < SHORTEST_WORST:
            return None
        return 100 * sum(run.others for run in runs) / (wall * cores())

    def noise(self) -> Noise:
        runs = [run for some in self.runs.values() for run in some]
        wall = sum(run.wall for run in runs)
        others = sum(run.others for run in runs)
        shares = [run.others / (run.wall * cores()) for run in runs
                  if run.wall >= SHORTEST_WORST]
        ours = [self._at(place) for place in self.runs if place[1] == OURS]
        spreads = [(s.high - s.low) / s.median for s in ours
                   if s and s.median > 0]
        return Noise(
            others=100 * others / (wall * cores()) if wall else 0.0,
            worst=100 * max(shares, default=0.0),
            spread=100 * statistics.median(spreads) if spreads else 0.0,
        )

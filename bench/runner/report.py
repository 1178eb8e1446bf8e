# SPDX-License-Identifier: MIT
"""The results as a table to read and as JSON to keep."""

from __future__ import annotations

import json
import os
from typing import Any, Optional

from runner.program import cores
from runner.result import OURS, Results, Summary
from runner.table import Bench, Row, Target


def steps(unit: str) -> tuple[tuple[float, str], ...]:
    if unit == "ns":
        return (1e9, " s"), (1e6, " ms"), (1e3, " us"), (1, " ns")
    plain = unit if unit.startswith("/") else f" {unit}"
    if unit in ("%", "nodes"):
        return ((1, plain),)
    return ((1e9, f" G{unit}"), (1e6, f" M{unit}"), (1e3, f" k{unit}"),
            (1, plain))


def scale(value: float, unit: str) -> tuple[float, str]:
    """The divisor and the unit that make the value easy to read."""
    fitting = (step for step in steps(unit) if abs(value) >= step[0])
    return next(fitting, steps(unit)[-1])


def digits(value: float) -> str:
    """About three of them, and never an exponent."""
    places = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{value:.{places}f}"


def cell(summary: Optional[Summary], unit: str) -> str:
    if summary is None:
        return "-"
    divisor, name = scale(summary.median, unit)
    low, high = (digits(v / divisor) for v in (summary.low, summary.high))
    return f"{digits(summary.median / divisor)}{name} [{low}-{high}]"


def target_text(row: Row, target: Target) -> str:
    if target.of:
        return f"{target.sign(True)} {target.bound:.3g}x {target.of}"
    divisor, name = scale(target.bound, row.unit)
    return f"{target.sign(row.higher)} {target.bound / divisor:g}{name}"


def targets_text(row: Row) -> str:
    return " and ".join(
        " or ".join(target_text(row, part) for part in target.parts())
        for target in row.targets)


# From so many percent of the cores on, others are named beside a verdict.
BUSY = 10


def verdict(row: Row, met: Optional[bool], others: Optional[float]) -> str:
    if not row.targets:
        return ""
    said = "unknown" if met is None else ("met" if met else "MISSED")
    is_busy = others is not None and others >= BUSY
    return f"{said}, others had {others:.0f} %" if is_busy else said


def header(row: Row, slots: int) -> list[str]:
    peers = [*row.peers, *[""] * slots][:slots]
    return ["row", "unit", OURS, *peers, "ratio", "target", ""]


def line(results: Results, row: Row, slots: int) -> list[str]:
    def show(column: str) -> str:
        if (row.name, column) in results.failures:
            return "failed"
        return cell(results.summary(row, column), row.unit)

    peers = [*map(show, row.peers), *[""] * slots][:slots]
    ratio = results.ratio(row)
    rate = row.unit.startswith("/")
    unit = row.counts + row.unit if rate else f"{row.unit} {row.counts}"
    return [row.name, unit, show(OURS), *peers,
            f"{digits(ratio)}x" if ratio is not None else "",
            targets_text(row),
            verdict(row, results.met(row), results.others(row))]


def table(results: Results, rows: list[Row]) -> str:
    """Rows with the same peers share a heading; all share the columns."""
    slots = max(len(row.peers) for row in rows)
    lines: list[list[str]] = []
    heading: list[str] = []
    for row in rows:
        if row.peers and heading != header(row, slots) or not heading:
            heading = header(row, slots)
            lines += [[], heading] if lines else [heading]
        lines.append(line(results, row, slots))
    widths = [max(map(len, column)) for column in zip(*filter(None, lines))]
    return "\n".join(
        "  ".join(text.ljust(width)
                  for text, width in zip(cells, widths)).rstrip()
        for cells in lines)


def noise_line(results: Results) -> str:
    noise = results.noise()
    return (f"noise: other processes used {noise.others:.1f} % of the cores "
            f"(worst run {noise.worst:.1f} %), "
            f"median spread {noise.spread:.1f} %")


def cpu_model() -> str:
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
        for text in info:
            name, _, value = text.partition(":")
            if name.strip() in ("model name", "Model"):
                return value.strip()
    return os.uname().machine


def machine(results: Results) -> dict[str, Any]:
    noise = results.noise()
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "cores": cores(),
        "model": cpu_model(),
        "kernel": os.uname().release,
        "mem_gb": round(memory / 2**30, 1),
        "noise": {
            "others_pct": round(noise.others, 1),
            "worst_run_pct": round(noise.worst, 1),
            "spread_pct": round(noise.spread, 1),
        },
    }


def as_object(summary: Optional[Summary]) -> Optional[dict[str, float]]:
    if summary is None:
        return None
    return {"median": summary.median, "min": summary.low,
            "max": summary.high}


def row_object(results: Results, row: Row) -> dict[str, Any]:
    ratio, others = results.ratio(row), results.others(row)
    return {
        "name": row.name,
        "unit": row.unit,
        "ours": as_object(results.summary(row, OURS)),
        "peers": {peer: as_object(results.summary(row, peer))
                  for peer in row.peers},
        "ratio": None if ratio is None else round(ratio, 3),
        "target": targets_text(row) or None,
        "met": results.met(row),
        "others_pct": None if others is None else round(others, 1),
    }


def as_json(bench: Bench, results: Results, rows: list[Row]) -> str:
    return json.dumps({
        "bench": bench.name,
        "machine": machine(results),
        "rows": [row_object(results, row) for row in rows],
    })

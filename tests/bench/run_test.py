#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The bench runner with small real programs for benches: no peer needed."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

from harness import tap

BENCH_DIR = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH_DIR))

import actors  # noqa: E402
import run  # noqa: E402
from runner import report  # noqa: E402
from runner.program import Run, cores  # noqa: E402
from runner.result import OURS, Results  # noqa: E402
from runner.table import (  # noqa: E402
    BEST_PEER, Bench, Command, Either, Reuse, Row, Target, Toolchain)


def case(test: Callable[[Path], None]) -> None:
    """A test with a directory of its own."""
    @functools.wraps(test)
    def run_case() -> None:
        with tempfile.TemporaryDirectory() as tmp:
            test(Path(tmp).resolve())
    tap.test(run_case)


@dataclass
class Outcome:
    status: int
    out: str
    err: str

    def rows(self) -> dict[str, Any]:
        return {row["name"]: row for row in json.loads(self.out)["rows"]}


def call(bench: Bench, build: Path, *args: str) -> Outcome:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = run.main([bench.name, "--build", str(build), *args],
                              {bench.name: bench})
        except SystemExit as end:
            assert isinstance(end.code, int)
            status = end.code
    return Outcome(status, out.getvalue(), err.getvalue())


def sh(script: str) -> Command:
    return ["sh", "-c", script]


def echo(text: str) -> Command:
    return ["echo", text]


def counter(name: str) -> Command:
    """Prints 1, then 2, then 3: how often it was run is what it prints."""
    return sh(f"echo x >>{{build}}/{name}; wc -l <{{build}}/{name}")


def rate(name: str, ours: Command, **rest: Any) -> Row:
    return Row(name, "things", "/s", "higher", ours, **rest)


def bench_of(*rows: Row, **toolchains: Toolchain) -> Bench:
    return Bench("small", rows, toolchains)


@case
def gives_median_and_extremes(tmp: Path) -> None:
    got = call(bench_of(rate("a", counter("a"))), tmp, "--json")
    assert got.status == 0, got.err
    assert got.rows()["a"]["ours"] == {"median": 3, "min": 1, "max": 5}
    even = call(bench_of(rate("b", counter("b"))), tmp,
                "--json", "--rounds", "4")
    assert even.rows()["b"]["ours"] == {"median": 2.5, "min": 1, "max": 4}


@case
def json_has_the_agreed_shape(tmp: Path) -> None:
    bench = bench_of(
        rate("a", echo("60"), peers={"p": echo("20"), "q": echo("30")},
             targets=(Target(2, of=BEST_PEER),)),
        rate("b", echo("1e3")))
    got = call(bench, tmp, "--json", "--rounds", "1")
    assert got.out.count("\n") == 1
    whole = json.loads(got.out)
    assert list(whole) == ["bench", "machine", "rows"]
    assert whole["bench"] == "small"
    assert {"cores", "model", "kernel", "mem_gb", "noise"} == set(
        whole["machine"])
    flat = {"median": 20, "min": 20, "max": 20}
    a, b = whole["rows"]
    assert a["peers"]["p"] == flat
    assert list(a) == ["name", "unit", "ours", "peers", "ratio", "target",
                       "met", "others_pct"]
    assert (a["ratio"], a["target"], a["met"]) == (
        2, ">= 2x best peer", True)
    assert (b["ratio"], b["target"], b["met"]) == (None, None, None)


@case
def files_are_made_where_it_is_asked_and_removed(tmp: Path) -> None:
    there = tmp / "there"
    there.mkdir()
    row = rate("a", sh("ls -d {dir} >{build}/seen && echo 1"))
    bench = Bench("small", (row,), takes_dir=True)
    got = call(bench, tmp, "--dir", str(there), "--rounds", "1")
    assert got.status == 0, got.err
    assert f"files: in {there}, on " in got.out, got.out
    seen = Path((tmp / "seen").read_text().strip())
    assert seen.parent == there and not seen.exists(), seen


@case
def a_directory_is_refused_that_means_nothing(tmp: Path) -> None:
    row = rate("a", echo("1"))
    plain = call(bench_of(row), tmp, "--dir", str(tmp))
    assert plain.status == 2 and "no --dir" in plain.err, plain.err
    none = call(Bench("small", (row,), takes_dir=True), tmp, "--dir",
                str(tmp / "none"))
    assert none.status == 2 and "no directory" in none.err, none.err


@case
def lower_is_better_turns_the_ratio(tmp: Path) -> None:
    row = Row("a", "each", "B", "lower", echo("50"),
              {"p": echo("100"), "q": echo("200")}, (Target(49),))
    got = call(bench_of(row), tmp, "--json", "--rounds", "1").rows()["a"]
    assert got["ratio"] == 2
    assert (got["target"], got["met"]) == ("<= 49 B", False)


@case
def runs_by_turns(tmp: Path) -> None:
    def noting(name: str) -> Command:
        return sh(f"printf {name} >>{{build}}/log; echo 1")

    bench = bench_of(rate("a", noting("a"), peers={"p": noting("p")}),
                     rate("b", noting("b")))
    call(bench, tmp, "--rounds", "3")
    assert (tmp / "log").read_text() == "apbapbapb"


@case
def reuses_a_row_without_running_it_again(tmp: Path) -> None:
    bench = bench_of(
        rate("a", counter("a"), peers={"p": counter("p")}),
        rate("wide", echo("1"), peers={"narrow": Reuse("a")},
             targets=(Target(0.5, of="a"),)))
    got = call(bench, tmp, "--json", "--rounds", "3", "--only", "wide")
    assert list(got.rows()) == ["wide"]
    wide = got.rows()["wide"]
    assert wide["peers"]["narrow"] == {"median": 2, "min": 1, "max": 3}
    assert (wide["ratio"], wide["met"]) == (0.5, True)
    assert not (tmp / "p").exists()


@case
def one_run_gives_several_figures(tmp: Path) -> None:
    both = sh('echo x >>{build}/runs; echo \'{"a": 1, "b": 2.5}\'')
    bench = bench_of(rate("a", both, figure="a"), rate("b", both, figure="b"),
                     rate("c", both, figure="c"))
    got = call(bench, tmp, "--json", "--rounds", "2")
    rows = got.rows()
    assert rows["a"]["ours"]["median"] == 1 and got.status == 1
    assert rows["b"]["ours"]["median"] == 2.5 and rows["c"]["ours"] is None
    assert "c, ours: printed" in got.err and "an object with c" in got.err
    assert (tmp / "runs").read_text() == "x\nx\n"


@case
def a_shared_program_that_fails_is_run_once(tmp: Path) -> None:
    ill = sh("echo x >>{build}/runs; exit 3")
    got = call(bench_of(rate("a", ill, figure="a"), rate("b", ill, figure="b")),
               tmp, "--rounds", "2")
    assert got.status == 1 and "b, ours: exit status 3" in got.err, got.err
    assert (tmp / "runs").read_text() == "x\n"


@case
def a_bench_may_be_told_how_long_to_look(tmp: Path) -> None:
    row = rate("a", echo("{seconds}"))
    bench = Bench("small", (row,), rounds=1, seconds=300)
    assert call(bench, tmp, "--json").rows()["a"]["ours"]["median"] == 300
    got = call(bench, tmp, "--json", "--seconds", "2.5").rows()["a"]["ours"]
    assert got == {"median": 2.5, "min": 2.5, "max": 2.5}
    none = call(bench_of(rate("a", echo("1"))), tmp, "--seconds", "3")
    assert none.status == 2 and "small takes no --seconds" in none.err


@case
def shares_and_counts_are_not_scaled(tmp: Path) -> None:
    bench = bench_of(
        Row("busy", "of a core", "%", "lower", echo("12.34"), {},
            (Target(50, strict=True),)),
        Row("size", "of a page", "nodes", "lower", echo("12345")))
    text = call(bench, tmp, "--rounds", "1").out
    assert "12.3 % [" in text and "< 50 %" in text, text
    assert "12345 nodes [" in text, text


@case
def failing_program_is_shown_and_not_run_again(tmp: Path) -> None:
    bench = bench_of(
        rate("a", sh("echo x >>{build}/runs; echo ouch >&2; exit 3"),
             peers={"p": echo("5")}, targets=(Target(1, of=BEST_PEER),)),
        rate("b", echo("7")))
    got = call(bench, tmp, "--json")
    assert got.status == 1
    assert "a, ours: exit status 3\nouch" in got.err, got.err
    assert (tmp / "runs").read_text() == "x\n"
    a, b = got.rows()["a"], got.rows()["b"]
    assert (a["ours"], a["ratio"], a["met"]) == (None, None, None)
    assert b["ours"]["median"] == 7
    text = call(bench, tmp, "--rounds", "1").out
    assert "failed" in text and "unknown" in text, text


@case
def failing_late_leaves_no_figure(tmp: Path) -> None:
    late = sh("echo x >>{build}/n; test $(wc -l <{build}/n) -lt 2 && echo 1")
    got = call(bench_of(rate("a", late)), tmp, "--json", "--rounds", "3")
    assert (got.status, got.rows()["a"]["ours"]) == (1, None)


@case
def other_ways_to_fail(tmp: Path) -> None:
    bench = bench_of(
        rate("absent", ["{build}/nothing"]), rate("words", echo("1 or 2")),
        rate("nan", echo("nan")), rate("killed", sh("kill -SEGV $$")))
    got = call(bench, tmp, "--rounds", "1")
    assert got.status == 1
    for text in (f"absent, ours: cannot start {tmp}/nothing: No such file",
                 "words, ours: printed '1 or 2\\n' instead of one number",
                 "nan, ours: printed 'nan\\n' instead of one number",
                 "killed, ours: killed by SIGSEGV"):
        assert text in got.err, got.err


@case
def hanging_program_is_killed_with_its_children(tmp: Path) -> None:
    os.mkfifo(tmp / "alive")
    reader = os.open(tmp / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        row = rate("a", sh("exec 3>{build}/alive; sleep 1000 & wait"))
        got = call(bench_of(row), tmp, "--json", "--timeout", "0.3")
        assert got.status == 1
        assert "a, ours: killed: not done after 0.3 s" in got.err, got.err
        # Comes back only once nobody holds the other end any more.
        os.set_blocking(reader, True)
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


@case
def child_left_behind_is_killed(tmp: Path) -> None:
    os.mkfifo(tmp / "alive")
    reader = os.open(tmp / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        row = rate("a", sh("exec 3>{build}/alive; sleep 1000 & echo 1"))
        got = call(bench_of(row), tmp, "--rounds", "1")
        assert got.status == 0, got.err
        os.set_blocking(reader, True)
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


@case
def daemon_left_behind_is_killed(tmp: Path) -> None:
    """In a session of its own, and nobody's child."""
    os.mkfifo(tmp / "alive")
    reader = os.open(tmp / "alive", os.O_RDONLY | os.O_NONBLOCK)
    try:
        row = rate("a", sh("exec 3>{build}/alive; touch $TMPDIR/kept; "
                           "(setsid sleep 1000 &) ; echo $TMPDIR >&3; echo 1"))
        got = call(bench_of(row), tmp, "--rounds", "1")
        assert got.status == 0, got.err
        os.set_blocking(reader, True)
        there = os.read(reader, 4096).decode().strip()
        assert os.read(reader, 1) == b""
        assert there and not os.path.exists(there)
    finally:
        os.close(reader)


@case
def missing_peer_is_named_and_leaves_a_gap(tmp: Path) -> None:
    row = rate("a", echo("10"), peers={"p": echo("5"), "q": echo("1000")},
               targets=(Target(1, of=BEST_PEER),))
    absent = Toolchain("some-package", ("no-such-tool",), "s", "o", [])
    bench = bench_of(row, q=absent)
    got = call(bench, tmp, "--json", "--rounds", "1")
    note = "q is not measured: package some-package is missing"
    assert got.status == 0, got.err
    assert note in got.err
    a = got.rows()["a"]
    assert (a["peers"]["q"], a["ratio"]) == (None, 2)
    assert a["met"] is None, "who is absent may have been the best"
    text = call(bench, tmp, "--rounds", "1").out
    assert note in text
    assert " -  " in text, text


@case
def peer_is_built_when_its_source_is_newer(tmp: Path) -> None:
    source, output = tmp / "peer.sh", tmp / "peers" / "peer"
    source.write_text("echo 4\n")
    chain = Toolchain(
        "dash", ("sh",), str(source), "{build}/peers/peer",
        sh(f"echo $MARK >>{{build}}/builds; cp {source} {output}"),
        {"MARK": "into {build}"})
    bench = bench_of(rate("a", echo("2"), peers={"p": ["sh", str(output)]}),
                     p=chain)
    for _ in range(2):
        got = call(bench, tmp, "--json", "--rounds", "1")
        assert got.rows()["a"]["peers"]["p"]["median"] == 4, got.err
    assert (tmp / "builds").read_text() == f"into {tmp}\n"
    later = output.stat().st_mtime + 10
    source.write_text("echo 6\n")
    os.utime(source, (later, later))
    got = call(bench, tmp, "--json", "--rounds", "1")
    assert got.rows()["a"]["peers"]["p"]["median"] == 6


@case
def peer_that_does_not_build_is_a_failure(tmp: Path) -> None:
    chain = Toolchain("dash", ("sh",), "x", "{build}/x",
                      sh("echo bad source >&2; exit 1"))
    bench = bench_of(rate("a", echo("2"), peers={"p": echo("1")}), p=chain)
    got = call(bench, tmp, "--json", "--rounds", "1")
    assert got.status == 1
    assert "building p: exit status 1\nbad source" in got.err, got.err
    assert got.rows()["a"]["peers"]["p"] is None


@case
def bad_usage_lists_what_there_is(tmp: Path) -> None:
    bench = bench_of(rate("a", echo("1")), rate("b", echo("1")))
    got = call(bench, tmp, "--only", "a,zz")
    assert (got.status, got.out) == (2, "")
    assert "small has no row zz; its rows: a, b" in got.err, got.err
    for args in (["--rounds", "0"], ["--rounds", "x"], ["--what"],
                 ["--timeout", "-1"], ["--only", ""]):
        assert call(bench, tmp, *args).status == 2, args


@case
def command_line_knows_its_benches(tmp: Path) -> None:
    got = subprocess.run(
        [sys.executable, "-B", BENCH_DIR / "run.py", "nonsense"], cwd=tmp,
        capture_output=True, text=True, check=False)
    assert (got.returncode, got.stdout) == (2, "")
    assert "no bench nonsense; there is: actors" in got.stderr, got.stderr


@case
def table_is_aligned_and_readable(tmp: Path) -> None:
    bench = bench_of(
        rate("fast", echo("12345678"), peers={"p": echo("2500")},
             targets=(Target(1, of=BEST_PEER, strict=True),)),
        Row("small", "each", "B", "lower", echo("184"), {"p": echo("2984")},
            (Target(100),)),
        Row("late", "to wake", "ns", "lower", echo("48200"),
            {"other": echo("500")}))
    lines = call(bench, tmp, "--rounds", "1").out.splitlines()
    head, fast, small, gap, again, late, noise = lines
    assert gap == "" and again.split()[3] == "other"
    for text in ("12.3 M/s [12.3-12.3]", "2.50 k/s [2.50-2.50]", "4938x",
                 "> 1x best peer", "met", "things/s"):
        assert text in fast, fast
    for text in ("B each", "184 B [", "2.98 kB [", "16.2x", "<= 100 B",
                 "MISSED"):
        assert text in small, small
    assert "48.2 us [" in late and "0.01x" in late, late
    assert head.index("p  ") == fast.index("2.50 k") == again.index("other")
    assert noise.startswith("noise: other processes used "), noise


@case
def target_bounds(tmp: Path) -> None:
    cases = [(Target(5), 5, True, True), (Target(5, strict=True), 5, True,
             False), (Target(5), 4.9, True, False), (Target(5), 5, False,
             True), (Target(5, strict=True), 5, False, False),
             (Target(5), 5.1, False, False), (Target(5), 0, False, True)]
    for target, value, higher, expected in cases:
        assert target.holds(value, higher) == expected, (target, value)
    both = rate("a", echo("6"), peers={"p": echo("1")}, targets=(
        Target(5, of=BEST_PEER), Target(0.5, of="b")))
    got = call(bench_of(both, rate("b", echo("13"))), tmp, "--json",
               "--rounds", "1").rows()["a"]
    assert got["target"] == ">= 5x best peer and >= 0.5x b"
    assert got["met"] is False


@case
def one_of_two_targets_is_enough(tmp: Path) -> None:
    def judged(first: Target, second: Target) -> Any:
        bench = bench_of(rate("a", echo("10"), peers={"p": echo("40")},
                              targets=(Either(first, second),)))
        row = call(bench, tmp, "--json", "--rounds", "1").rows()["a"]
        return row["met"], row["target"]

    low, quarter = Target(11), Target(0.25, of=BEST_PEER)
    assert judged(low, quarter) == (True, ">= 11/s or >= 0.25x best peer")
    assert judged(quarter, low)[0] is True
    assert judged(low, Target(0.5, of=BEST_PEER))[0] is False


@case
def noise(_tmp: Path) -> None:
    results = Results({
        ("a", OURS): [Run(10, 1.0, 0.0), Run(12, 1.0, 0.5 * cores())],
        ("a", "p"): [Run(99, 1.98, 0.0)],
        ("b", OURS): [Run(10, 0.02, 0.02 * cores())]})
    noise = results.noise()
    assert abs(noise.others - 13) < 1e-6, noise
    assert abs(noise.worst - 50) < 1e-6, "a run too short to tell counts not"
    assert abs(noise.spread - 100 * (2 / 11) / 2) < 1e-6, noise
    assert report.noise_line(results) == (
        "noise: other processes used 13.0 % of the cores "
        "(worst run 50.0 %), median spread 9.1 %")


@case
def a_verdict_names_who_else_was_busy(_tmp: Path) -> None:
    row = Row("a", "each", "B", "lower", echo("1"), {}, (Target(11),))
    results = Results({("a", OURS): [Run(10, 1.0, 0.3 * cores()),
                                     Run(12, 1.0, 0.1 * cores())]})
    others = results.others(row)
    assert others is not None and abs(others - 20) < 1e-6, others
    assert "met, others had 20 %" in report.table(results, [row])
    assert report.row_object(results, row)["others_pct"] == 20
    quiet = Results({("a", OURS): [Run(10, 1.0, 0.05 * cores())]})
    assert report.table(quiet, [row]).endswith("met"), "nobody to speak of"
    brief = Results({("a", OURS): [Run(10, 0.01, 0.01 * cores())]})
    assert brief.others(row) is None, "a run too short to tell"


@case
def tables_refer_to_what_exists(_tmp: Path) -> None:
    names = [row.name for row in actors.BENCH.rows]
    assert len(set(names)) == len(names)
    for row in actors.BENCH.rows:
        assert row.needs() <= set(names), row
        for name, peer in row.peers.items():
            assert (isinstance(peer, Reuse)
                    or name in actors.BENCH.toolchains
                    or peer[0] == row.ours[0]), (row.name, name)
    for chain in actors.BENCH.toolchains.values():
        assert (BENCH_DIR.parent / chain.source).is_file(), chain


if __name__ == "__main__":
    tap.run()

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The count of ./test: real programs under a real meson, of which some fail
always, some once, and some die."""

import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
from harness import tap

# Says the given verdicts the first time and the second time; a case is named
# by its number. Honours TAP_ONLY like tap.py, tap.c and tap.mjs.
PROGRAM = '''
import os, sys
mark, first, later = sys.argv[1:4]
words = later if os.path.exists(mark) else first
only = os.environ.get("TAP_ONLY", "").splitlines()
told = [(i, w) for i, w in enumerate(words.split(","))
        if not only or f"case {i}" in only]
open(mark, "a").write(f"{[i for i, _ in told]}\\n")
for n, (i, word) in enumerate(told, 1):
    if word == "die":
        print("# last words", flush=True)
        os.abort()
    todo = word.endswith("-todo")
    print(f"{'ok' if word.startswith('good') else 'not ok'} {n} - case {i}"
          + (" # TODO known" if todo else ""))
print(f"1..{len(told)}")
'''


class Tree:
    """A tree with these programs: name -> (first verdicts, later ones)."""

    def __init__(self, top, programs):
        self.top, self.build = top, os.path.join(top, "build")
        self.write("program.py", PROGRAM)
        lines = ["project('small')", "python = find_program('python3')"]
        for name, (first, later) in programs.items():
            lines.append(
                f"test('{name}', python, args: [files('program.py'), "
                f"'{top}/{name}', '{first}', '{later}'], protocol: 'tap', "
                f"suite: 'unit')")
        self.write("meson.build", "\n".join(lines) + "\n")
        self.call("meson", "setup", self.build)

    def write(self, name, text):
        with open(os.path.join(self.top, name), "w", encoding="utf-8") as f:
            f.write(text)

    def call(self, *words):
        return subprocess.run(words, cwd=self.top, capture_output=True,
                              text=True, check=False)

    def said(self, is_forgiving=True):
        """What is printed at the end, and the exit status."""
        self.call("meson", "test", "-C", self.build)
        if is_forgiving:
            done = self.call("python3", os.path.join(HERE, "again.py"),
                             self.build)
            assert done.returncode == 0, done.stderr
        done = self.call("python3", os.path.join(HERE, "count.py"),
                         os.path.join(self.build, "meson-logs/testlog.json"))
        return done.stdout, done.returncode

    def runs(self, name):
        """Which cases each run of a program told."""
        with open(os.path.join(self.top, name), encoding="utf-8") as f:
            return f.read().splitlines()


def tree(**programs):
    top = tempfile.TemporaryDirectory()
    made = Tree(top.name, programs)
    made.keep = top
    return made


def last(text):
    return text.splitlines()[-1]


@tap.test
def what_passes_is_run_once():
    t = tree(calm=("good,good", "bad,bad"))
    text, status = t.said()
    assert (last(text), status) == ("2 passed, 0 failed, 0 skipped", 0), text
    assert t.runs("calm") == ["[0, 1]"], t.runs("calm")


@tap.test
def what_failed_once_counts_and_is_told():
    t = tree(shaky=("good,bad,good", "good,good,good"))
    text, status = t.said()
    assert (last(text), status) == ("3 passed, 0 failed, 0 skipped", 0), text
    assert "UNSTEADY" in text and "not ok 2 - case 1" in text, text


@tap.test
def only_the_failed_case_is_run_again():
    t = tree(shaky=("good,bad,good", "good,good,good"))
    t.said()
    assert t.runs("shaky") == ["[0, 1, 2]", "[1]"], t.runs("shaky")


@tap.test
def what_fails_twice_has_failed():
    t = tree(broken=("good,bad", "good,bad"))
    text, status = t.said()
    assert (last(text), status) == ("1 passed, 1 failed, 0 skipped", 1), text
    assert "FAILED" in text and "UNSTEADY" not in text, text


@tap.test
def one_of_two_that_recovers_is_not_enough():
    t = tree(broken=("bad,bad", "good,bad"))
    text, status = t.said()
    assert (last(text), status) == ("0 passed, 2 failed, 0 skipped", 1), text


@tap.test
def a_program_that_died_is_run_whole():
    t = tree(mortal=("good,die,good", "good,good,good"))
    text, status = t.said()
    assert (last(text), status) == ("3 passed, 0 failed, 0 skipped", 0), text
    assert "UNSTEADY" in text and "last words" in text, text
    assert t.runs("mortal")[1] == "[0, 1, 2]", t.runs("mortal")


@tap.test
def one_that_dies_twice_has_failed():
    t = tree(mortal=("good,die", "good,die"))
    text, status = t.said()
    assert (last(text), status) == ("1 passed, 1 failed, 0 skipped", 1), text


@tap.test
def a_known_fault_is_no_failure_until_it_is_mended():
    t = tree(known=("good,bad-todo", "good,bad-todo"))
    text, status = t.said()
    assert (last(text), status) == ("1 passed, 0 failed, 1 skipped", 0), text
    t = tree(mended=("good,good-todo", "good,good-todo"))
    text, status = t.said()
    assert (last(text), status) == ("1 passed, 1 failed, 0 skipped", 1), text


@tap.test
def without_a_second_run_nothing_is_forgiven():
    t = tree(shaky=("good,bad", "good,good"))
    text, status = t.said(is_forgiving=False)
    assert (last(text), status) == ("1 passed, 1 failed, 0 skipped", 1), text


@tap.test
def a_broken_tree_is_not_run_again():
    names = {f"broken{i}": ("bad", "good") for i in range(9)}
    t = tree(**names)
    text, status = t.said()
    assert (last(text), status) == ("0 passed, 9 failed, 0 skipped", 1), text
    assert all(t.runs(name) == ["[0]"] for name in names)


if __name__ == "__main__":
    tap.run()

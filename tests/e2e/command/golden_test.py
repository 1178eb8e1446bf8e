#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Texts that people read, as a person has read them: the help of every
command, in both languages, at 80 columns. Files in golden/ are what is said
now; after a change read the difference, and renew them by

    GOLDEN=renew meson test -C build e2e/command/golden
"""

import os
import pathlib
import re
import unicodedata

from harness import tap
from harness.command import CommandHome
from harness.until import equal

GOLDEN = pathlib.Path(__file__).parent / "golden"
LANGUAGES = ("en", "ja")
TOPICS = ("mcp", "serve", "--standalone", "config")


def columns(line):
    """As wide as a terminal shows it."""
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1
               for c in line)


def commands(home):
    text = home.run("--help").out.split("Usage:")[1].split("More:")[0]
    return [n for n in re.findall(r"^  ([a-z][a-z-]+)  ", text, re.M)
            if n not in ("mcp", "serve")]


def texts(home):
    """(name, text) of every help there is, in every language."""
    for language in LANGUAGES:
        run = home.run("--help", KUROMAJUTSU_LANGUAGE=language, COLUMNS="80")
        yield f"help.{language}", run.out
        for topic in (*commands(home), *TOPICS):
            run = home.run("help", topic, KUROMAJUTSU_LANGUAGE=language,
                           COLUMNS="80")
            equal((topic, run.returncode, run.err), (topic, 0, ""))
            yield f"help-{topic.strip('-')}.{language}", run.out


@tap.test
def helps_are_as_they_were_read():
    with CommandHome() as home:
        said = dict(texts(home))
    if os.environ.get("GOLDEN") == "renew":
        GOLDEN.mkdir(exist_ok=True)
        for old in GOLDEN.glob("*.txt"):
            old.unlink()
        for name, text in said.items():
            (GOLDEN / f"{name}.txt").write_text(text, encoding="utf-8")
    known = {p.stem: p.read_text(encoding="utf-8")
             for p in GOLDEN.glob("*.txt")}
    other = sorted(n for n in {*said, *known} if said.get(n) != known.get(n))
    assert not other, (f"other than in {GOLDEN.name}/: {other}; read the "
                       "difference, then: GOLDEN=renew meson test -C build "
                       "e2e/command/golden")


@tap.test
def no_line_is_wider_than_a_terminal():
    with CommandHome() as home:
        wide = [(name, line) for name, text in texts(home)
                for line in text.splitlines()
                if columns(line) > 80 and not name.startswith("help-config")]
    assert not wide, "\n".join(f"{n}: {line}" for n, line in wide)


@tap.test
def options_stand_in_one_column():
    """What an option does begins where it does for its neighbours."""
    with CommandHome() as home:
        for name, text in texts(home):
            starts = {}
            for line in text.splitlines():
                m = re.match(r"(  (?:-\w, |    )--[^ ]+(?: [A-Z]+)?) +", line)
                if m:
                    starts.setdefault(columns(m.group()), []).append(line)
            assert len(starts) < 2, (name, starts)


@tap.test
def each_language_is_one():
    """No Japanese in English texts, and Japanese ones are Japanese."""
    with CommandHome() as home:
        for name, text in texts(home):
            has = re.search("[ぁ-んァ-ヶ一-龠]", text)
            if name.startswith("help-config"):
                continue
            assert bool(has) == name.endswith(".ja"), name


if __name__ == "__main__":
    tap.run()

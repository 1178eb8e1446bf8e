# SPDX-License-Identifier: MIT
"""Sessions that pages of docs/ show, run as they stand there.

A block of lines, `> TOOL ARGUMENTS` and `< RESULT` in turn. In texts `...`
stands for any text, {time} for a time, and another name in braces for what
only the run knows: the same wherever it stands."""

import json
import pathlib
import re

from harness.until import equal

DOCS = pathlib.Path(__file__).parents[2] / "docs"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
NAME = re.compile(r"\{([a-z_]+)\}")


def session(page):
    """(tool, arguments, result), as texts, of each call on the page."""
    block, = re.findall(r"```\n(> .*?)```",
                        (DOCS / page).read_text(encoding="utf-8"), re.S)
    lines = block.splitlines()
    assert len(lines) >= 12 and len(lines) % 2 == 0, lines
    for call, result in zip(lines[::2], lines[1::2]):
        equal((call[:2], result[:2]), ("> ", "< "))
        _, tool, args = call.split(" ", 2)
        yield tool, args, result[2:]


def filled(text, known):
    return NAME.sub(lambda m: known.get(m.group(1), m.group(0)), text)


def same(seen, shown, known):
    """Whether it is what is shown, where something is; learns names."""
    name = NAME.fullmatch(shown) if isinstance(shown, str) else None
    if isinstance(shown, dict):
        equal(sorted(seen), sorted(shown))
        for key, value in shown.items():
            same(seen[key], value, known)
    elif isinstance(shown, list):
        equal(len(seen), len(shown))
        for a, b in zip(seen, shown):
            same(a, b, known)
    elif shown == "{time}":
        assert TIME.fullmatch(seen), seen
    elif name and name.group(1) not in known:
        known[name.group(1)] = seen
    elif isinstance(shown, str):
        # A specification's own sentence may end with three dots.
        parts = [re.escape(part)
                 for part in filled(shown, known).split("...")]
        assert re.fullmatch(r".*".join(parts), seen, re.S), (seen, shown)
    else:
        equal(seen, shown)


def play(talk, page, look=lambda result: result, **known):
    """Makes every call of the page; `look` says what of a result is shown."""
    for tool, args, shown in session(page):
        seen = talk.result(talk.order(tool, json.loads(filled(args, known))))
        same(look(seen), json.loads(shown), known)

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The session that docs/phases.md shows is what happens."""

import json
import pathlib
import re

from harness import tap
from harness.until import equal
from talks import TIME, served

PAGE = pathlib.Path(__file__).parents[3] / "docs/phases.md"


def session():
    """(tool, arguments, result) of each call on the page."""
    block, = re.findall(r"```\n(> .*?)```", PAGE.read_text("utf-8"), re.S)
    lines = block.splitlines()
    assert len(lines) >= 12 and len(lines) % 2 == 0, lines
    for call, result in zip(lines[::2], lines[1::2]):
        _, tool, args = call.split(" ", 2)
        equal(result[:2], "< ")
        yield tool, args, json.loads(result[2:])


def same(seen, shown, project):
    """Whether it is what is shown, where something is."""
    if isinstance(shown, dict):
        equal(sorted(seen), sorted(shown))
        for key, value in shown.items():
            same(seen[key], value, project)
    elif isinstance(shown, list):
        equal(len(seen), len(shown))
        for a, b in zip(seen, shown):
            same(a, b, project)
    elif shown == "{time}":
        assert TIME.fullmatch(seen), seen
    elif isinstance(shown, str):
        text = shown.replace("{project}", project)
        parts = [re.escape(part) for part in text.split("...")]
        # The specification's own sentence ends with three dots.
        found = re.fullmatch(r".*".join(parts), seen, re.S)
        assert found, (seen, shown)
    else:
        equal(seen, shown)


@tap.test
def the_page_shows_what_happens():
    with served() as (home, talk):
        project = str(home.project)
        for tool, args, shown in session():
            args = json.loads(args.replace("{project}", project))
            seen = talk.result(talk.order(tool, args))
            seen.pop("structuredContent")
            seen.pop("_meta", None)
            same(seen, shown, project)


if __name__ == "__main__":
    tap.run()

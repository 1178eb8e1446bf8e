#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The session that docs/projects.md shows is what happens."""

import json

from harness import shown, tap
from harness.until import equal
from talks import served


def told(result):
    """What is told: the text, which the object says too."""
    text = result["content"][0]["text"]
    if result.get("isError"):
        equal(text, "Error: " + result["structuredContent"]["error"])
    else:
        equal(json.loads(text), result["structuredContent"])
    return result["structuredContent"]


@tap.test
def the_page_shows_what_happens():
    with served() as (home, talk):
        shown.play(talk, "projects.md", told, project=str(home.project))


if __name__ == "__main__":
    tap.run()

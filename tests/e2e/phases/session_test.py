#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The session that docs/phases.md shows is what happens."""

from harness import shown, tap
from talks import served


def beside(result):
    return {k: v for k, v in result.items()
            if k not in ("structuredContent", "_meta")}


@tap.test
def the_page_shows_what_happens():
    with served() as (home, talk):
        shown.play(talk, "phases.md", beside, project=str(home.project))


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""Hubs are killed at random moments while everything is going on; whatever a
client was told must be found true by the next one, and nothing done twice.

    hub_kill_test.py BUILD [--kills N] [--seed N]
"""

import argparse
import os
import random

from harness import tap
from harness.hub import HubHome
from harness.until import equal
from story import Story

parser = argparse.ArgumentParser()
parser.add_argument("build")
parser.add_argument("--kills", type=int,
                    default=1000 if "KUROMAJUTSU_LONG" in os.environ else 20)
parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
options = parser.parse_args()
chance = random.Random(options.seed)


def settings(places, queued):
    return {
        "language": "en",
        "agent": {"maxConcurrent": places, "maxQueued": queued,
                  "exitGrace_ms": 200, "reportGrace_ms": 300},
        "hub": {"linger_ms": 300, "lease_ms": 30000}}


def tell(places, queued, **crowd):
    print(f"# seed {options.seed}", flush=True)
    with HubHome(settings(places, queued)) as home:
        story = Story(home, chance, **crowd)
        while story.kills < (options.kills + 1) // 2:
            story.round()
        story.finish()
        books = story.books
        print(f"# {story.kills} kills of hubs, {story.relays} of relays, "
              f"{story.wardens} of wardens, {story.zygotes} of zygotes; "
              f"{sum(books.outcomes.values())} "
              f"calls {dict(books.outcomes)}, {len(books.agents)} agents, "
              f"{books.checked} checks, {len(books.losses)} losses")
        equal(books.losses, [])


@tap.test
def nothing_acknowledged_is_lost_to_killed_hubs():
    tell(40, 0, crowd=12, has_magentic=True)


@tap.test
def nor_is_anybody_who_waits_for_a_place():
    tell(4, 60, crowd=40, has_magentic=False)


if __name__ == "__main__":
    tap.run()

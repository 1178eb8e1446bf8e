#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Output tab of an agent in a browser: a search goes through all of it,
whatever page is shown, and leads to where a word stands."""

import json

from harness import tap
from harness.tools import start_agents
from harness.until import contains, equal, until
from page import page

HITS = ("() => [...document.querySelectorAll('.hit mark')]"
        ".map(e => e.textContent)")


def long_one(p, count=30_000):
    """An agent whose transcript has many pages, and three words in it."""
    id, = start_agents(p.talk, "reply")
    until(lambda: p.talk.call("get_agent_status", agentId=id)["status"]
          == "completed", "its end")
    lines = [{"type": "connection", "n": i, "pad": "hay " * 40}
             for i in range(count)]
    for at, word in ((7, "Needle"), (count // 2, "NEEDLE"),
                     (count - 3, "needle <b>bold</b>")):
        lines[at]["text"] = word
    path = p.home.state(f"agents/{id}/stdout.ndjson")
    path.write_text("".join(json.dumps(x) + "\n" for x in lines))
    p.home.state(f"agents/{id}/stderr.log").write_text(
        "hay\n" * 400_000 + "a needle in stderr\n")
    return id


def opened(p, path, **how):
    p.open(path, **how)
    p.browser.wait("() => document.querySelector('#tab-output')")
    p.browser.click("#tab-output")
    p.browser.wait("() => document.querySelector('.raw')")


@tap.test
def a_search_goes_through_all_of_it_and_leads_there():
    with page() as p:
        b = p.browser
        id = long_one(p)
        for width in (1440, 390):
            opened(p, f"/agents/{id}", width=width)
            b.fill(".output-bar input", "needle")
            b.until_text("In 3 lines", ".hits")
            equal(b.look(HITS), ["Needle", "NEEDLE", "needle"])
            contains(b.do("text", selector=".hits li:last-child"),
                     "<b>bold</b>")
            equal(b.look("() => document.querySelectorAll('.hits b').length"),
                  0)
            equal(b.sticks_out(), 0)
            equal(b.serious(), [])
        # One of them leads to the page that begins with it.
        b.click(".hits li:nth-child(2) button")
        b.wait("() => document.querySelector('.raw')?.textContent"
               ".startsWith('{\"type\":\"connection\",\"n\":15000,')")
        equal(b.look("() => document.querySelector('.output-bar input').value"),
              "")
        # Many come a part at a time; other words end what is under way.
        b.fill(".output-bar input", "hay")
        b.until_text("The first 100 lines", ".hits")
        b.click(".hits > .btn")
        b.until_text("The first 200 lines", ".hits")
        b.fill(".output-bar input", "nowhere to be found")
        b.until_text("It is nowhere in it.", ".hits")
        b.fill(".output-bar input", "")
        b.wait("() => document.querySelector('.raw')")
        # The same in stderr.
        b.click(".output-bar .seg button:last-child")
        b.fill(".output-bar input", "Needle")
        b.until_text("In 1 line", ".hits")
        b.click(".hits button")
        b.wait("() => document.querySelector('.raw')?.textContent.trim() === "
               "'a needle in stderr'")


if __name__ == "__main__":
    tap.run()

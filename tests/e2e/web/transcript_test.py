#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A search through a transcript of many pages, both ways, packed or not."""

import json
import urllib.parse

from harness import tap
from harness.tools import start_agents
from harness.until import equal
from harness.web import served

# As CLIs write them: with blanks, escaped, or no JSON at all.
LINES = [b'{"n": 0, "text": "The Needle"}', b'{"n": 1, "text": "hay"}',
         b'{"n": 2, "text": "\\u91dd and needle"}', b"a NEEDLE alone",
         '{"n": 4, "text": "針"}'.encode(), b'{"n": 5, "text": "hay"}']


def written(web):
    """An agent with those lines, and more than a page of others between."""
    id, = start_agents(web.wire, "reply")
    web.gone(id)
    hay = b'{"text": "' + b"hay " * 2000 + b'"}\n'
    text = b"".join(line + b"\n" + hay * 150 for line in LINES)
    web.home.state(f"agents/{id}/stdout.ndjson").write_bytes(text)
    return id, text


def ask(web, id, words, **more):
    return web.ask(f"agents/{id}/transcript?" + urllib.parse.urlencode(
        {"search": words, **more}))


def forward(web, id, words, limit=200):
    found, at = [], 0
    while True:
        page = ask(web, id, words, **{"from": at, "limit": limit})
        assert len(page["lines"]) <= limit, page
        found += zip(page["offsets"], page["lines"])
        if page["isComplete"]:
            return found
        assert page["next"] > at, page
        at = page["next"]


def backward(web, id, words, size):
    found, at = [], size
    while at is not None:
        page = ask(web, id, words, before=at, limit=1)
        found[:0] = zip(page["offsets"], page["lines"])
        at = page["previous"]
    return found


@tap.test
def a_word_is_found_wherever_it_is():
    with served() as web:
        id, text = written(web)
        assert len(text) > 5 << 20, len(text)

        def wanted(*numbers):
            return [(text.index(LINES[i] + b"\n"), LINES[i].decode()
                     if LINES[i][:1] != b"{" else json.loads(LINES[i]))
                    for i in numbers]

        def check():
            for words, numbers in (("needle", (0, 2, 3)), ("NeEdLe", (0, 2, 3)),
                                   ("針", (2, 4)), ('"n":4', (4,)),
                                   ("nothing like it", ())):
                for limit in (1, 200):
                    equal(forward(web, id, words, limit), wanted(*numbers))
                equal(backward(web, id, words, len(text)), wanted(*numbers))
            # Of very many a page has so many, and says where to go on.
            page = ask(web, id, "hay", limit=7)
            equal((len(page["lines"]), page["offsets"][0]),
                  (7, text.index(b'{"text": "hay')))
            equal(len(forward(web, id, "hay", 500)), 6 * 150 + 2)
        check()
        web.pack(id)
        check()


@tap.test
def nothing_searched_for_is_no_search():
    with served() as web:
        id, _ = written(web)
        equal(ask(web, id, "", limit=3),
              web.ask(f"agents/{id}/transcript?limit=3"))
        web.ask(f"agents/{id}/transcript?search={'x' * 1001}", 400)
        web.ask(f"agents/{id}/stderr?search=x", 400)


if __name__ == "__main__":
    tap.run()

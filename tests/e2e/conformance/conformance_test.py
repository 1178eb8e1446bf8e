#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""conformance_test.py BUILD FIXTURE: what the official suite says of us.

The fixture is our transport with the tools that the suite wants to meet, and
must have full marks in all that a revision requires, without a warning. The
product offers nothing but tools: of it the suite can only say what is true of
every server, and the baselines list all the rest, check by check and why."""

import json
import os
import subprocess

from harness.programs import BUILD, built

HERE = os.path.dirname(os.path.abspath(__file__))
from harness.until import DEADLINE, equal
from harness import tap
from harness.hub import Home
from suite import Missing, Suite, read_baseline

FIXTURE = built("tests/transport/http/mcp/fixture/mcp-fixture")
REVISIONS = ("2025-11-25", "2026-07-28")

# Not required by the revision (they are newer than its set), but true of every
# good server, so of ours.
MORE = {
    "2025-11-25": ("server-session-lifecycle", "json-schema-2020-12"),
    "2026-07-28": ("http-header-validation", "json-schema-2020-12",
                   "http-custom-header-server-validation"),
}
# What any server can be asked that has tools. Scenarios that are passed by
# whoever knows nothing of what they ask for are not among them.
GENERIC = {
    "2025-11-25": ("server-initialize", "ping", "tools-list",
                   "dns-rebinding-protection", "server-sse-multiple-streams",
                   "server-session-lifecycle"),
    "2026-07-28": ("server-stateless", "tools-list",
                   "dns-rebinding-protection", "server-sse-multiple-streams",
                   "http-header-validation", "sep-2164-resource-not-found",
                   "input-required-result-unsupported-methods"),
}


def named(name, fn):
    def case():
        fn()
    case.__name__ = name
    tap.test(case)


def once(fn):
    """What fn gives or raises, however often it is asked for."""
    kept = []

    def ask():
        if not kept:
            try:
                kept.append((fn(), None))
            except Exception as error:  # told again to everybody who asks
                kept.append((None, error))
        value, error = kept[0]
        if error:
            raise error
        return value
    return ask


class Fixture:
    """The fixture program, for as long as the suite needs it."""

    def __init__(self, program):
        self.proc = subprocess.Popen([program], stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE)
        said = json.loads(self.proc.stdout.readline())
        self.url = f"http://127.0.0.1:{said['port']}/mcp"

    def leave(self):
        self.proc.terminate()
        equal(self.proc.wait(DEADLINE), 0)

    def kill(self):
        self.proc.kill()
        self.proc.wait()


def content(found):
    """The suite's own verdict is ours: this file has not misread it."""
    assert found.code == 0, found.said[-3000:]


def fixture_tests(suite, fixture, revision):
    found = once(lambda: suite.run(fixture.url, revision))
    required, _ = suite.scenarios(revision)
    for scenario in (*required, *MORE[revision]):
        named(f"fixture {revision} {scenario}",
              lambda scenario=scenario: found().judge(scenario))
    named(f"fixture {revision}: the suite is content",
          lambda: content(found()))


def product_tests(suite, url, revision):
    path = os.path.join(HERE, f"product-{revision}.yaml")
    found = once(lambda: suite.run(url(), revision, path))
    expected = read_baseline(path)
    required, others = suite.scenarios(revision)

    def rest():
        told = []
        for scenario in (*required, *others):
            try:
                if scenario not in GENERIC[revision]:
                    found().judge(scenario, expected.get(scenario, ()))
            except AssertionError as error:
                told.append(str(error))
        unknown = set(expected) - {*required, *others}
        assert not told and not unknown, "\n".join([*told, *unknown])
        content(found())

    for scenario in GENERIC[revision]:
        named(f"product {revision} {scenario}", lambda scenario=scenario:
              found().judge(scenario, expected.get(scenario, ())))
    named(f"product {revision}: what else fails is in the baseline", rest)


def main():
    try:
        suite = Suite()
    except Missing as why:
        print(f"1..0 # SKIP {why}")
        return
    fixture = Fixture(FIXTURE)
    try:
        with Home(BUILD, {"dashboard": {"port": 0}}) as home:
            product = once(lambda: home.serve() + "mcp")
            for revision in REVISIONS:
                fixture_tests(suite, fixture, revision)
            named("fixture: leaves when told", fixture.leave)
            for revision in REVISIONS:
                product_tests(suite, product, revision)
            tap.run()
    finally:
        fixture.kill()


if __name__ == "__main__":
    main()

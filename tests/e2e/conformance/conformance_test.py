#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the official suite says of us.

The fixture is our transport with the tools that the suite wants to meet, and
must have full marks in all that a revision requires, without a warning. The
product has tools, resources and prompts of its own: of it the suite can only
say what is true of every server, and the baselines list all the rest, check by
check and why."""

import os

from harness.programs import built

HERE = os.path.dirname(os.path.abspath(__file__))
from harness.until import equal
from harness import tap
from harness.hub import HubHome
from harness.site import Site
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
                   "resources-list", "prompts-list",
                   "dns-rebinding-protection", "server-sse-multiple-streams",
                   "server-session-lifecycle"),
    "2026-07-28": ("server-stateless", "tools-list", "resources-list",
                   "prompts-list", "caching",
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


def content(found):
    """The suite's own verdict is ours: this file has not misread it."""
    assert found.code == 0, found.said[-3000:]


def fixture_tests(suite, fixture, revision):
    found = once(lambda: suite.run(fixture.url + "mcp", revision))
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
        tap.skip_all(why)
        return
    fixture = Site(FIXTURE, is_told=True)
    with HubHome({"dashboard": {"port": 0}}) as home, fixture:
        product = once(lambda: home.serve() + "mcp")
        for revision in REVISIONS:
            fixture_tests(suite, fixture, revision)
        named("fixture: leaves when told", lambda: equal(fixture.leave(), 0))
        for revision in REVISIONS:
            product_tests(suite, product, revision)
        tap.run()


if __name__ == "__main__":
    main()

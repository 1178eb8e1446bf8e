# SPDX-License-Identifier: MIT
"""What is asked again, what is not, and what another life knows."""

import os
import sqlite3

from harness import tap
from harness.health import (ASK, BROKEN, CHECKS, OK, ONE, HealthHome, all_are,
                            column)
from harness.until import DEADLINE, equal, until


@tap.test
def a_cli_installed_later_is_found():
    with HealthHome() as c:
        hub = c.hub(retry=1)
        hub.settled()
        c.install()
        hub.passed("a cure")


@tap.test
def failures_are_tried_again_by_themselves():
    with HealthHome(ONE) as c:
        c.install(mode='case "$*" in *-p*) exit 1;; esac')
        hub = c.hub(retry=1)
        equal(hub.settled()["impl-code"]["check"], "failed")
        until(lambda: len(c.called()) >= 4, "more tries")
        with hub.heard:
            states = [e["roles"]["impl-code"]["check"] for e in hub.events
                      if e["event"] == "roster"]
        equal("pending" in states[states.index("failed"):], False)
        c.behave("")
        hub.passed("a cure")


@tap.test
def an_unknown_model_may_be_offered_later():
    with HealthHome(ONE + "- {id: impl-code, model: new-one}\n") as c:
        c.install()
        hub = c.hub(retry=1)
        equal(hub.settled()["impl-code"]["check"], "skipped")
        c.behave("export KUROMAJUTSU_PUPPET_MODELS=auto=Auto,new-one=New")
        hub.passed("the new model")


@tap.test
def a_recheck_asks_again():
    with HealthHome() as c:
        c.install(mode=BROKEN % "exit 1")
        hub = c.hub()
        equal(hub.settled()["research"]["check"], "failed")
        c.behave("")
        calls, start = len(c.called()), hub.here()
        hub.order("recheck", role="research")
        hub.roster(lambda r: r["research"]["check"] == "pending" and
                   r["impl-code"]["available"], "research pending", start)
        all_are(hub.settled(hub.here() - 1), available=1)
        equal(c.called()[calls:],
              ["cursor-agent models", ASK + "composer-1.5" + OK])


@tap.test
def a_recheck_of_all_pays_for_all():
    with HealthHome() as c:
        c.install()
        hub = c.hub()
        hub.settled()
        calls, start = len(c.called()), hub.here()
        hub.order("recheck", role="")
        hub.roster(lambda r: all(x["pending"] and x["available"]
                                 for x in r.values()), "all pending", start)
        hub.passed("all passed", start)
        equal(sorted(c.called()[calls + 1:]), CHECKS)


@tap.test
def a_recheck_looks_for_the_cli_again():
    with HealthHome() as c:
        hub = c.hub()
        hub.settled()
        c.install()
        hub.order("recheck", role="")
        hub.passed("a cure")


def database(c):
    return os.path.join(c.state, "kuromajutsu.db")


def sql(c, text):
    db = sqlite3.connect(database(c), isolation_level=None,
                         timeout=DEADLINE)
    try:
        return db.execute(text).fetchall()
    finally:
        db.close()


def kept(c):
    return sql(c, "SELECT * FROM health")


@tap.test
def a_pass_is_kept_over_restarts():
    with HealthHome() as c:
        c.install()
        first = c.hub()
        before = first.settled()
        first.stop()
        calls = len(c.called())
        hub = c.hub()
        all_are(hub.event("roster")["roles"], pending=1)
        after = hub.settled()
        equal(c.called()[calls:], ["cursor-agent models"])
        for name in ("checkedAt", "responseTime", "available"):
            equal(column(after, name), column(before, name))
        equal(len(kept(c)), 3)


@tap.test
def a_failure_is_not_kept_and_ends_a_pass():
    with HealthHome(ONE) as c:
        c.install()
        hub = c.hub()
        hub.settled()
        c.behave('case "$*" in *-p*) exit 1;; esac')
        start = hub.here()
        hub.order("recheck", role="impl-code")
        hub.roster(lambda r: r["impl-code"]["check"] == "failed", "failure",
                   start)
        hub.stop()
        equal(kept(c), [])
        c.behave("")
        calls = len(c.called())
        all_are(c.hub().settled(), available=1)
        equal(len(c.called()) - calls, 2)


def spoil(do):
    with HealthHome(ONE) as c:
        c.install()
        c.hub().settled()
        c.consoles[0].stop()
        equal(len(kept(c)), 1)
        do(c)
        calls = len(c.called())
        all_are(c.hub().settled(), available=1)
        equal(len(c.called()) - calls, 2)


@tap.test
def what_is_kept_is_not_believed_blindly():
    hour = 3600 * 1000
    for change in ("at = 'now'", "at = -1", f"at = at - {hour}",
                   f"at = at + {hour}", "program = '/other'",
                   "backend = 'claude'", "model = ''", "prompt = ''"):
        spoil(lambda c: sql(c, f"UPDATE health SET {change}"))


@tap.test
def without_a_database_all_is_asked_again():
    spoil(lambda c: os.truncate(database(c), 0))
    spoil(lambda c: c.write(database(c), "once upon a time " * 100))
    spoil(lambda c: sql(c, "PRAGMA user_version = 99"))


@tap.test
def nothing_is_kept_if_so_wanted():
    with HealthHome(ONE + "health: {keep_ms: 0}\n") as c:
        c.install()
        c.hub().settled()
        c.consoles[0].stop()
        c.hub().settled()
        equal(len(c.called()), 4)


@tap.test
def an_edited_model_is_judged_at_once():
    with HealthHome(ONE) as c:
        c.install()
        hub = c.hub()
        hub.settled()
        start = hub.here()
        hub.order("settings", yaml=ONE + "- {id: impl-code, model: x}\n")
        r = hub.wait(lambda e: e["event"] == "roster", "a roster",
                     start)["roles"]["impl-code"]
        equal((r["check"], r["model"], r["available"]),
              ("skipped", "invalid", 0))
        start, calls = hub.here(), len(c.called())
        hub.order("settings", yaml=ONE + "- {id: impl-code, model: auto}\n")
        hub.passed("auto", start)
        equal(c.called()[calls:], [ASK + "auto" + OK])


@tap.test
def another_command_is_another_program():
    with HealthHome(ONE) as c:
        c.install()
        c.install("mine")
        hub = c.hub()
        hub.settled()
        start = hub.here()
        hub.order("settings",
                  yaml=ONE + f"agent: {{command: {c.bin}/mine}}\n")
        hub.roster(lambda x: x["impl-code"]["check"] == "passed" and
                   x["impl-code"]["program"].endswith("mine"), "mine", start)
        equal([x for x in c.called() if x.startswith("mine")],
              ["mine models", "mine -p --trust --model claude-4-sonnet" + OK])


@tap.test
def what_an_earlier_life_left_is_removed():
    with HealthHome(ONE) as c:
        c.install()
        c.write(os.path.join(c.state, "health", "1-1", "a", "b"), "x")
        c.hub().settled()
        equal(c.checks_under_way(), [])


if __name__ == "__main__":
    tap.run()

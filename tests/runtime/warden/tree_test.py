# SPDX-License-Identifier: MIT
"""The end of a tree: nothing that descends from the CLI may survive it."""

import os
import signal

from harness import tap
from harness.processes import status
from harness.programs import acts
from harness.until import DEADLINE, FOREVER, equal, until
from harness.warden import WardenHome


def begin(y, program, **options):
    """Starts and waits until the program has printed "up"."""
    w = y.start(program, **options)
    link = y.accept()
    link.expect(hello="warden", state="running")
    link.expect(event="started")
    link.say("welcome 60000")
    y.until_printed("up")
    return w, link


def gone(y, w, link, **fields):
    record = y.ended(link)
    equal(w.wait(DEADLINE), 0)
    equal(y.survivors(), [])
    for name, value in fields.items():
        assert record[name] == value, f"{name}={value} but {record}"


@tap.test
def order_ends_an_obedient_program_by_term():
    with WardenHome() as y:
        w, link = begin(y, acts("print", "up", "pause"))
        link.say(f"end {FOREVER}")
        gone(y, w, link, signal=15, code=None, reason="order", lingered=False)


@tap.test
def order_ends_a_deaf_tree_to_the_last():
    with WardenHome() as y:
        w, link = begin(y, acts(
            "daemon", "ignore-term", "daemon", "child", "threaded", "daemon",
            "print", "up", "pause"))
        assert len(y.survivors()) >= 6, y.survivors()
        link.say("end 50")
        gone(y, w, link, signal=9, reason="order")


@tap.test
def order_without_grace_kills_at_once():
    with WardenHome() as y:
        w, link = begin(y, acts("on-term", "heard", "daemon", "child",
                                "print", "up", "pause"), grace=FOREVER)
        link.say("end 0")
        gone(y, w, link, signal=9, reason="order")
        equal(y.stdout(), ["up"])


@tap.test
def grace_lets_a_program_leave_by_itself():
    with WardenHome() as y:
        w, link = begin(y, [
            "sh", "-c", "trap 'echo bye; exit 7' TERM; echo up; "
            "while :; do sleep 0.01; done"])
        link.say(f"end {FOREVER}")
        gone(y, w, link, code=7, signal=None, reason="order")
        equal(y.stdout(), ["up", "bye"])


@tap.test
def term_comes_once_and_repeated_orders_shorten():
    with WardenHome() as y:
        w, link = begin(y, acts("on-term", "heard", "print", "up", "pause"))
        link.say(f"end {FOREVER}")
        y.until_printed("heard")
        link.say(f"end {FOREVER}")
        link.say(f"end {FOREVER * 2}")
        link.say("end 1")
        gone(y, w, link, signal=9, reason="order")
        equal(y.stdout(), ["up", "heard"])


@tap.test
def every_descendant_hears_term():
    """With a grace that does not end, whoever is not told stays for ever."""
    with WardenHome() as y:
        nested = "setsid sh -c 'sleep 1000 & echo up; wait' & wait"
        w, link = begin(y, ["sh", "-c", f"sh -c \"{nested}\" & wait"])
        link.say(f"end {FOREVER}")
        gone(y, w, link, reason="order")


@tap.test
def children_of_threads_hear_term():
    with WardenHome() as y:
        w, link = begin(y, acts("threaded", "print", "up", "pause"))
        link.say(f"end {FOREVER}")
        gone(y, w, link, signal=15)


@tap.test
def stopped_program_hears_term():
    with WardenHome() as y:
        w, link = begin(y, acts("print", "up", "stop", "pause"))
        pids = y.survivors()
        until(lambda: all(status(p, "State") == "T" for p in pids), "a stop")
        link.say(f"end {FOREVER}")
        gone(y, w, link, signal=15)


@tap.test
def what_outlives_the_main_process_is_ended():
    with WardenHome() as y:
        record = y.run(acts("child", "exit", "3"), grace=FOREVER)
        equal([record["code"], record["reason"], record["lingered"]],
              [3, "exit", True])
        equal(y.survivors(), [])


@tap.test
def deaf_remains_are_killed_after_the_grace():
    with WardenHome() as y:
        record = y.run(acts("daemon", "daemon", "exit", "4"), grace=20)
        equal([record["code"], record["reason"], record["lingered"]],
              [4, "exit", True])
        assert record["elapsed_ms"] >= 20, record
        equal(y.survivors(), [])


@tap.test
def remains_get_no_grace_where_there_is_none():
    with WardenHome() as y:
        record = y.run(acts("child", "daemon", "exit", "0"), grace=0)
        equal([record["code"], record["lingered"]], [0, True])


@tap.test
def orders_hurry_the_end_of_remains_but_not_its_reason():
    with WardenHome() as y:
        w = y.start(acts("daemon", "exit", "6"), grace=FOREVER)
        link = y.accept()
        cli = link.expect(hello="warden")["cli"]
        until(lambda: not os.path.exists(f"/proc/{cli}"), "its reaping")
        link.say("end 0")
        gone(y, w, link, code=6, reason="exit", lingered=True)


@tap.test
def orphans_that_leave_by_themselves_are_reaped():
    with WardenHome() as y:
        w, link = begin(y, ["sh", "-c", "(sh -c 'exit 0' &) ; (true &); "
                            "echo up; exec sleep 1000"])
        until(lambda: not [p for p in os.listdir("/proc") if p.isdigit()
                           and is_zombie_of(int(p), w.pid)], "no zombies")
        link.say("end 0")
        gone(y, w, link)


def is_zombie_of(pid, parent):
    try:
        return (status(pid, "PPid") == str(parent)
                and status(pid, "State") == "Z")
    except (OSError, KeyError):
        return False


@tap.test
def forking_while_being_killed_does_not_help():
    with WardenHome() as y:
        w, link = begin(y, acts("ignore-term", "print", "up",
                                "spring", "400", "pause"))
        until(lambda: len(y.survivors()) > 20, "a few children")
        link.say("end 30")
        gone(y, w, link, signal=9, reason="order")


@tap.test
def fleeing_from_fork_to_fork_does_not_help():
    with WardenHome() as y:
        record = y.run(acts("ignore-term", "print", "up", "comet"), grace=20)
        equal([record["code"], record["lingered"]], [0, True])
        equal(y.survivors(), [])


@tap.test
def more_than_one_pass_can_hold_are_ended():
    with WardenHome() as y:
        w, link = begin(y, acts("ignore-term", "spring", "1100", "print",
                                "up", "pause"), grace=10)
        link.say("end 10")
        gone(y, w, link, signal=9)


@tap.test
def term_to_the_warden_is_an_order():
    for number in (signal.SIGTERM, signal.SIGINT):
        with WardenHome() as y:
            w, link = begin(y, acts("on-term", "heard", "print", "up",
                                    "pause"), grace=FOREVER)
            w.send_signal(number)
            y.until_printed("heard")
            link.say("end 0")
            gone(y, w, link, signal=9, reason="order")
            equal(y.stdout(), ["up", "heard"])


@tap.test
def term_after_the_end_lets_the_warden_leave():
    with WardenHome() as y:
        w = y.start(acts("exit", "0"), lease=FOREVER)
        link = y.accept()
        link.expect(hello="warden")
        link.expect(event="started")
        link.expect(event="ended")
        w.terminate()
        equal(w.wait(DEADLINE), 0)


@tap.test
def hangup_of_the_warden_is_ignored():
    with WardenHome() as y:
        go = f"{y.top}/go"
        w, link = begin(y, acts("print", "up", "await", go, "exit", "0"))
        w.send_signal(signal.SIGHUP)
        open(go, "w").close()
        gone(y, w, link, code=0, reason="exit")


@tap.test
def death_of_the_warden_is_the_death_of_the_cli():
    with WardenHome() as y:
        w, link = begin(y, acts("ignore-term", "print", "up", "pause"))
        w.kill()
        until(lambda: not y.survivors(), "the CLI's end")
        equal(y.record(), None)


@tap.test
def too_much_output_is_ended():
    with WardenHome() as y:
        record = y.run(acts("ignore-term", "flood"), grace=10,
                       stdout_limit=1 << 20)
        equal([record["signal"], record["reason"]], [9, "output limit"])
        assert record["stdoutBytes"] > 1 << 20, record


@tap.test
def output_at_the_limit_is_not_too_much():
    with WardenHome() as y:
        go = f"{y.top}/go"
        w, link = begin(y, acts("print", "up", "await", go, "exit", "0"),
                        stdout_limit=3)
        # Long enough for the size to be looked at more than once.
        link.expect_silence(1.5)
        open(go, "w").close()
        gone(y, w, link, code=0, reason="exit", stdoutBytes=3)


@tap.test
def flood_of_a_daemon_after_the_main_process_is_ended():
    with WardenHome() as y:
        record = y.run(["sh", "-c", f"trap '' TERM; "
                        f"setsid {acts()[0]} flood & exit 0"],
                       grace=FOREVER, stdout_limit=1 << 20)
        equal([record["code"], record["reason"], record["lingered"]],
              [0, "exit", True])


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""The link between a warden and the hubs that come and go."""

import json
import os
import socket
import time

from harness import tap
from harness.processes import is_sanitized, status
from harness.programs import WARDEN, acts
from harness.until import DEADLINE, FOREVER, equal, until
from harness.users import NOBODY, needs_root, nobody_listens
from harness.warden import WardenHome


def begin(y, program, **options):
    w = y.start(program, **options)
    link = y.accept()
    link.expect(hello="warden", state="running")
    link.expect(event="started")
    return w, link


def unrecorded(y):
    """Leaves with 3, and something in the place of its record."""
    return ["sh", "-c", 'rm "$1"; mkdir -p "$1/x"; exit 3', "sh",
            y.file("warden")]


@tap.test
def hello_says_who_it_is():
    with WardenHome() as y:
        w = y.start(acts("pause"))
        link = y.accept()
        hello = link.expect(hello="warden", agent="coder-1", build="b1",
                            warden=w.pid, state="running")
        equal(list(hello),
              ["hello", "agent", "build", "warden", "cli", "state",
               "startedAt"])
        link.expect(event="started", cli=hello["cli"])
        equal(status(hello["cli"], "PPid"), str(w.pid))
        link.say("end 0")
        y.ended(link)
        equal(w.wait(DEADLINE), 0)


@tap.test
def record_is_there_before_the_event():
    """finish() reads the record when it hears; many short lives try it."""
    for _ in range(20):
        with WardenHome() as y:
            y.run(acts("exit", "0"))


@tap.test
def cli_runs_without_a_hub():
    with WardenHome(listening=False) as y:
        go = f"{y.top}/go"
        w = y.start(acts("print", "up", "await", go, "exit", "2"))
        y.until_printed("up")
        y.listen()
        link = y.accept()
        link.expect(hello="warden", state="running")
        link.say("welcome 60000")
        link.expect_silence(0.3)  # its start was before this connection
        open(go, "w").close()
        link.expect(event="ended", code=2)
        equal(w.wait(DEADLINE), 0)


@tap.test
def another_users_word_is_not_heard():
    needs_root()
    with WardenHome(listening=False, folder="theirs") as y:
        note = y.top / "note"
        y.top.chmod(0o755)
        os.chown(os.path.dirname(y.path), NOBODY, NOBODY)
        with nobody_listens(y.path, note, says=b"end 0\n") as next_try:
            w = y.start(acts("print", "up", "pause"))
            for _ in range(3):
                next_try()
            y.until_printed("up")
        equal(note.read_bytes(), b"")
        y.listen()
        link = y.accept()
        link.expect(hello="warden", state="running")
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")
        equal(w.wait(DEADLINE), 0)


@tap.test
def new_hub_adopts_it():
    with WardenHome() as y:
        w, link = begin(y, acts("print", "up", "pause"))
        link.say("welcome 60000")
        for _ in range(3):
            y.deafen()
            y.listen()
            link = y.accept()
            link.expect(hello="warden", state="running", warden=w.pid)
            link.say("welcome 60000")
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")
        equal(w.wait(DEADLINE), 0)


@tap.test
def one_whose_record_is_written_leaves_at_once():
    with WardenHome() as y:
        w, link = begin(y, acts("exit", "9"), lease=FOREVER)
        equal(y.ended(link)["code"], 9)
        equal(w.wait(DEADLINE), 0)
        equal(link.hear(), None)


@tap.test
def end_that_nobody_heard_is_in_its_record():
    with WardenHome() as y:
        go = f"{y.top}/go"
        w, _ = begin(y, acts("await", go, "exit", "9"), lease=FOREVER)
        y.deafen()
        open(go, "w").close()
        equal(w.wait(DEADLINE), 0)
        equal(y.record()["code"], 9)


@tap.test
def end_without_a_record_and_bye_is_told_again():
    with WardenHome() as y:
        w, link = begin(y, unrecorded(y), lease=FOREVER)
        link.expect(event="ended", code=3)
        y.deafen()
        y.listen()
        link = y.accept()
        link.expect(hello="warden", state="ended")
        link.expect(event="ended", code=3)
        link.say("bye")
        equal(w.wait(DEADLINE), 0)


@tap.test
def bye_that_came_before_the_hangup_counts():
    with WardenHome() as y:
        w, link = begin(y, unrecorded(y), lease=FOREVER)
        link.expect(event="ended")
        link.say("bye")
        y.deafen()
        equal(w.wait(DEADLINE), 0)


@tap.test
def bye_before_the_end_is_ignored():
    with WardenHome() as y:
        w, link = begin(y, acts("pause"))
        link.say("bye")
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")
        equal(w.wait(DEADLINE), 0)


@tap.test
def lease_without_any_hub_ends_the_tree():
    with WardenHome(listening=False) as y:
        w = y.start(acts("daemon", "ignore-term", "pause"), lease=300,
                    grace=10)
        equal(w.wait(DEADLINE), 0)
        record = y.record()
        equal([record["reason"], record["code"]], ["lease", None])
        assert record["elapsed_ms"] >= 300, record
        equal(y.survivors(), [])


@tap.test
def lease_of_the_hub_counts_from_its_loss():
    with WardenHome() as y:
        w, link = begin(y, acts("print", "up", "pause"), lease=FOREVER)
        y.until_printed("up")
        link.say("welcome 1")
        # Held, it does not count, however short.
        link.expect_silence(0.5)
        equal(len(y.survivors()), 1)
        y.deafen()
        equal(w.wait(DEADLINE), 0)
        equal(y.record()["reason"], "lease")


@tap.test
def hub_that_comes_too_late_hears_that_it_is_ending():
    with WardenHome() as y:
        w, link = begin(y, acts("on-term", "heard", "print", "up", "pause"),
                        grace=FOREVER)
        y.until_printed("up")
        link.say("welcome 1")
        y.deafen()
        y.until_printed("heard")
        y.listen()
        link = y.accept()
        link.expect(hello="warden", state="ending")
        link.say("welcome 60000")
        link.expect(event="ending", reason="lease")
        link.say("end 0")
        record = y.ended(link)
        equal([record["reason"], record["signal"]], ["lease", 9])
        equal(w.wait(DEADLINE), 0)


@tap.test
def ended_warden_does_not_wait_for_bye_longer_than_the_lease():
    with WardenHome() as y:
        w, link = begin(y, unrecorded(y), lease=FOREVER)
        link.expect(event="ended")
        link.say("welcome 1")
        equal(w.wait(DEADLINE), 0)
        equal(link.hear(), None)


@tap.test
def unknown_lines_are_ignored():
    with WardenHome() as y:
        w, link = begin(y, acts("pause"))
        for words in ("", "hello", "end x", "end -5", "end 1 2", "welcome ",
                      "ending 0", "{}", "end " + "9" * 40, "x" * 5000,
                      "x" * 255 + " end 0", "end\0 0"):
            link.say(words)
        link.expect_silence(0.3)
        for piece in ("e", "nd", " ", "0"):
            link.sock.sendall(piece.encode())
        link.say("")
        equal(y.ended(link)["reason"], "order")
        equal(w.wait(DEADLINE), 0)


@tap.test
def many_orders_at_once_are_all_taken():
    with WardenHome() as y:
        w, link = begin(y, acts("pause"))
        link.say("\n".join(["welcome 60000"] * 500 + ["end 0"]))
        equal(y.ended(link)["reason"], "order")
        equal(w.wait(DEADLINE), 0)


@tap.test
def hub_that_never_reads_loses_the_connection_only():
    """Each welcome to an ending warden asks for an answer."""
    with WardenHome() as y:
        w, link = begin(y, acts("on-term", "heard", "print", "up", "pause"))
        y.until_printed("up")
        link.say(f"end {FOREVER}")
        y.until_printed("heard")
        try:
            while True:
                link.sock.sendall(b"welcome 60000\n" * 100)
        except (BrokenPipeError, ConnectionResetError):
            pass
        link = y.accept()
        link.expect(hello="warden", state="ending")
        link.say("end 0")
        equal(y.ended(link)["signal"], 9)
        equal(w.wait(DEADLINE), 0)


@tap.test
def hub_that_never_accepts_holds_nothing_up():
    with WardenHome(listening=False) as y:
        y.listen(backlog=0)
        with socket.socket(socket.AF_UNIX) as full:
            full.connect(y.path)  # the one place in the line
            w = y.start(acts("exit", "8"))
            equal(w.wait(DEADLINE), 0)
        equal(y.record()["code"], 8)


@tap.test
def socket_may_lie_deeper_than_an_address_is_long():
    with WardenHome(folder="d" * 150) as y:
        equal(y.run(acts("exit", "3"))["code"], 3)


@tap.test
def record_that_cannot_be_written_is_told_and_tried_again():
    with WardenHome() as y:
        w, link = begin(y, unrecorded(y), lease=FOREVER)
        link.expect(event="ended", code=3)
        os.rmdir(y.file("warden/x"))
        os.rmdir(y.file("warden"))
        equal(w.wait(DEADLINE), 0)
        equal(y.record()["code"], 3)


@tap.test
def warden_is_static():
    with open(WARDEN, "rb") as f:
        is_dynamic = b"/ld-linux" in f.read()
    with WardenHome() as y:
        w, link = begin(y, acts("pause"))
        sanitized = is_sanitized(w.pid)
        link.say("end 0")
        y.ended(link)
    if sanitized:
        raise tap.Skip("built with sanitizers")
    assert not is_dynamic


@tap.test
def warden_is_small():
    """Also after it has used all that it has: its log, tree and link."""
    with WardenHome() as y:
        w, link = begin(y, acts("ignore-term", "daemon", "flood-err",
                                "1000000", "print", "up", "pause"),
                        stderr_limit=100000)
        y.until_printed("up")
        link.say("welcome 60000")
        link.say(f"end {FOREVER}")
        link.say("welcome 60000")
        link.expect(event="ending")
        size = int(status(w.pid, "VmRSS"))
        sanitized = is_sanitized(w.pid)
        link.say("end 0")
        y.ended(link)
        print(f"# VmRSS {size} kB")
    if sanitized:
        raise tap.Skip("built with sanitizers")
    assert size < 1024, size


@tap.test
def idle_warden_wakes_once_a_second():
    with WardenHome() as y:
        w, link = begin(y, acts("print", "up", "pause"))
        link.say("welcome 60000")
        y.until_printed("up")

        def wakes():
            return int(status(w.pid, "voluntary_ctxt_switches"))

        first, since = wakes(), time.monotonic()
        link.expect_silence(3)
        seen, seconds = wakes() - first, time.monotonic() - since
        print(f"# {seen} wake-ups in {seconds:.1f} s")
        # One for the order, one for the look after the first 250 ms.
        assert seen <= seconds + 3, (seen, seconds)
        link.say("end 0")
        y.ended(link)


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""stderr is kept within its limit: the beginning, a note, and the end."""

import os

from harness import tap
from harness.programs import acts
from harness.until import FOREVER, equal, until
from harness.warden import WardenHome


def lines(first, last):
    return b"".join(b"line %010d\n" % i for i in range(first, last))


def kept(y):
    assert not os.path.exists(y.file("stderr.tail"))
    return y.read("stderr.log")


@tap.test
def little_is_kept_whole():
    with WardenHome() as y:
        record = y.run(acts("complain", "one", "complain", "two"))
        equal(kept(y), b"one\ntwo\n")
        equal(record["stderrBytes"], 8)


@tap.test
def nothing_is_no_file():
    with WardenHome() as y:
        equal(y.run(acts("exit", "0"))["stderrBytes"], 0)
        assert not os.path.exists(y.file("stderr.log"))


@tap.test
def up_to_the_limit_is_kept_whole():
    for count in (8, 9, 15, 16):
        with WardenHome() as y:
            record = y.run(acts("flood-err", str(count * 16)),
                           stderr_limit=256)
            equal(kept(y), lines(0, count))
            equal(record["stderrBytes"], count * 16)


@tap.test
def beyond_the_limit_head_and_tail_are_kept():
    for count in (17, 23, 24, 25, 1000):
        with WardenHome() as y:
            y.run(acts("flood-err", str(count * 16)), stderr_limit=256)
            note = b"\n[%d bytes left out]\n" % (count * 16 - 256)
            equal(kept(y), lines(0, 8) + note + lines(count - 8, count))


@tap.test
def odd_limits_hold_too():
    everything = lines(0, 600)
    for limit in (1, 255, 4097):
        with WardenHome() as y:
            y.run(acts("flood-err", "9600"), stderr_limit=limit)
            head, tail = limit // 2, limit - limit // 2
            note = b"\n[%d bytes left out]\n" % (9600 - limit)
            equal(kept(y), everything[:head] + note + everything[-tail:])


@tap.test
def no_limit_left_keeps_a_note():
    with WardenHome() as y:
        y.run(acts("flood-err", "160"), stderr_limit=0)
        equal(kept(y), b"\n[160 bytes left out]\n")


@tap.test
def files_never_outgrow_the_limit():
    with WardenHome() as y:
        size = 16 << 20
        y.start(acts("flood-err", str(size), "print", "done", "pause"),
                stderr_limit=65536, grace=FOREVER)
        link = y.accept()
        link.expect(hello="warden")
        y.until_printed("done")
        # The last pipe full is still on its way: wait for the last link.
        last = lines(size // 16 - 1, size // 16)
        until(lambda: last in y.read("stderr.tail"), "the last line")
        equal(os.stat(y.file("stderr.log")).st_size, 32768)
        equal(os.stat(y.file("stderr.tail")).st_size, 32768)
        link.say("end 0")
        equal(y.ended(link)["stderrBytes"], size)
        equal(kept(y)[:32768], lines(0, 2048))
        equal(kept(y)[-32768:], lines(size // 16 - 2048, size // 16))


@tap.test
def descendants_write_to_it_too():
    with WardenHome() as y:
        y.run(["sh", "-c", "(sh -c 'echo deep >&2')"])
        equal(kept(y), b"deep\n")


if __name__ == "__main__":
    tap.run()

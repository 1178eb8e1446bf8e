# SPDX-License-Identifier: MIT
"""The file that a warden keeps in its agent's directory, as
runtime/text/warden_file.h has it, and the three of earlier versions."""

import json
import os

NAME = "warden"
PAPERS = 4096  # where they begin, behind zeros
OLD = ("lock", "started", "exit.json")


def checksum(text):
    h = 1469598103934665603
    for byte in text:
        h = (h ^ byte) * 1099511628211 % (1 << 64)
    return b"%016x" % h


def written(started, record=None):
    """What such a file holds; the record is an object, or bytes."""
    mark = b"started %016d" % started
    lines = mark + b" " + checksum(mark) + b"\n"
    if record is not None:
        if not isinstance(record, bytes):
            record = json.dumps(record).encode()
        lines += checksum(record) + b" " + record + b"\n"
    return lines


def read(folder, name=NAME):
    """(when it was started, in ms, or None; its exit record, or None)."""
    try:
        with open(os.path.join(folder, name), "rb") as f:
            lines = f.read(PAPERS).rstrip(b"\0")
    except OSError:
        return None, None
    if not lines:
        return None, None
    mark, _, rest = lines.partition(b"\n")
    started, _, sum = mark.rpartition(b" ")
    assert sum == checksum(started), mark
    sum, _, record = rest.partition(b"\n")[0].partition(b" ")
    if not record:
        return int(started.split()[1]), None
    assert sum == checksum(record), rest
    return int(started.split()[1]), json.loads(record)


def ended(folder):
    """Its exit record, or None."""
    return read(folder)[1]

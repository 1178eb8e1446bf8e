# SPDX-License-Identifier: MIT
"""TAP for tests in Python: each decorated function is one "ok" or "not ok".

A test fails by any exception and skips by raising Skip. The program ends
with 0 whatever the verdict, for TAP carries it: a non-zero exit would show
as a crash of the program.
"""

import os
import sys
import traceback

_tests = []


class Skip(Exception):
    """Raised by a test that cannot say anything here; its text says why."""


def test(fn):
    _tests.append(fn)
    return fn


def todo(why):
    """Marks a test of a known fault: it may fail, and must not pass unseen."""
    def mark(fn):
        fn.todo = why
        return fn
    return mark


def skip_all(why):
    """Says that there is nothing to say here."""
    print(f"1..0 # SKIP {why}")


def run():
    """Runs every test, or those that TAP_ONLY names, a line each; prints the
    plan."""
    only = os.environ.pop("TAP_ONLY", "").splitlines()
    chosen = [fn for fn in _tests if not only or fn.__name__ in only]
    if not chosen:  # an empty plan would count as skipped
        sys.exit(f"no test to run: {only or 'none is decorated'}")
    print(f"1..{len(chosen)}", flush=True)
    for number, fn in enumerate(chosen, 1):
        verdict, note = "ok", ""
        try:
            fn()
            if hasattr(fn, "todo"):
                note = f" # TODO {fn.todo}"
        except Skip as why:
            note = f" # SKIP {why}"
        except BaseException as fault:
            verdict = "not ok"
            # A fault that is known shows by what is asserted, not otherwise.
            if hasattr(fn, "todo") and isinstance(fault, AssertionError):
                note = f" # TODO {fn.todo}"
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
        print(f"{verdict} {number} - {fn.__name__}{note}", flush=True)
    sys.stdout.flush()

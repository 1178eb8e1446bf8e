# SPDX-License-Identifier: MIT
"""What an agent may do to the files of its own directory, and that it is only
to itself."""

import json
import os
import time

from harness import tap
from harness.agents import RESULT, AgentHome, puppet
from harness.programs import acts
from harness.record import written
from harness.until import contains, equal, until

MIB = 1 << 20
FILES = ("stderr.log", "stdout.ndjson", "warden", "lock", "started",
         "exit.json")
# What may lie in the place of a file; $1 is its path.
KINDS = {"fifo": 'mkfifo "$1"', "directory": 'mkdir "$1" "$1/x"',
         "endless": 'ln -s /dev/zero "$1"', "nothing": "true",
         "a fifo elsewhere": 'mkfifo "$1.x"; ln -s "$1.x" "$1"'}


def sh(script, *words):
    return ["/bin/sh", "-c", script, "sh", *map(str, words)]


def replaced(h, id, name, kind, rest="true"):
    """A CLI that puts something else there, and then says its result."""
    return sh(f'rm -rf "$1"; {KINDS[kind]}; {rest}; printf "%s\\n" "$2"',
              h.path(id, name), RESULT)


def is_well(hub, id):
    equal(hub.finish(id, puppet("reply"))["state"], "completed")


@tap.test
def what_it_leaves_in_place_of_a_file_holds_nobody():
    with AgentHome() as h:
        hub = h.hub()
        for name in FILES:
            for kind in KINDS:
                id = f"{name}-{kind}".replace(" ", "-")
                v = hub.finish(id, replaced(h, id, name, kind), grace=100)
                # A record that cannot be put in its place is none.
                is_told = kind != "directory" or name != "warden"
                equal((id, v["state"]),
                      (id, "completed" if is_told else "failed"))
        is_well(hub, "next")


@tap.test
def nor_the_hub_that_comes_after():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        ids = {}
        for name in FILES:
            for kind in KINDS:
                ids[f"{name}-{kind}".replace(" ", "-")] = name, kind
        for id, (name, kind) in ids.items():
            there = os.path.join(h.top, id)
            hub.run(id, replaced(h, id, name, kind,
                                 f'touch "{there}"; {acts_line("await", go)}'),
                    grace=100)
        for id in ids:
            until(lambda: os.path.exists(os.path.join(h.top, id)), id)
        hub.kill()
        hub = h.hub()
        for id in ids:
            hub.order("adopt", id, argv=["/bin/true"], ran=True, grace=100)
        open(go, "w").close()
        for id in ids:
            hub.gone(id)
        is_well(hub, "next")


def acts_line(*words):
    return " ".join(f"'{word}'" for word in acts(*words))


# What it may do to the directory itself; $1 is its path.
FATES = {"removed": 'rm -rf "$1"', "renamed": 'mv "$1" "$1.x"',
         "shut": 'chmod 000 "$1"', "a file": 'mv "$1" "$1.x"; touch "$1"',
         "a fifo": 'mv "$1" "$1.x"; mkfifo "$1"',
         "another": 'mv "$1" "$1.x"; mkdir "$1"',
         "a link": 'mv "$1" "$1.x"; ln -s "$1.x" "$1"',
         "a loop": 'mv "$1" "$1.x"; ln -s "$1" "$1"'}


@tap.test
def its_directory_is_its_own_to_lose():
    with AgentHome() as h:
        hub = h.hub()
        for fate, script in FATES.items():
            id = fate.replace(" ", "-")
            hub.run(id, sh(script + '; printf "%s\\n" "$2"',
                           h.path(id, "")[:-1], RESULT), grace=100)
            hub.gone(id)
        is_well(hub, "next")


@tap.test
def and_so_it_is_to_the_next_hub():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        ids = {fate.replace(" ", "-"): script
               for fate, script in FATES.items()}
        for id, script in ids.items():
            there = os.path.join(h.top, id)
            hub.run(id, sh(f'{script}; touch "{there}"; '
                           f'{acts_line("await", go)}; printf "%s\\n" "$2"',
                           h.path(id, "")[:-1], RESULT), grace=100)
        for id in ids:
            until(lambda: os.path.exists(os.path.join(h.top, id)), id)
        hub.kill()
        hub = h.hub()
        for id in ids:
            hub.order("adopt", id, argv=["/bin/true"], ran=True, grace=100)
        open(go, "w").close()
        for id in ids:
            hub.gone(id)
        is_well(hub, "next")


@tap.test
def nothing_is_written_through_a_link():
    """Neither by the hub before its start nor by the warden while it runs."""
    with AgentHome() as h:
        hub = h.hub()
        os.mkdir(h.path("a", ""), 0o700)
        for name in ("stdin", "stderr.log", "stderr.tail"):
            with open(h.path("a", name) + ".mine", "w") as f:
                f.write("mine")
            os.symlink(name + ".mine", h.path("a", name))
        v = hub.finish("a", acts("copy", "flood-err", 4096, "print", RESULT),
                       input="words\n", stderr_limit=256)
        equal(v["state"], "completed")
        contains(h.read("a", "stdout.ndjson").decode(), "words\n")
        contains(h.read("a", "stderr.log").decode(), "bytes left out")
        for name in ("stdin", "stderr.log", "stderr.tail"):
            equal(h.read("a", name + ".mine"), b"mine")


@tap.test
def a_transcript_is_not_begun_elsewhere():
    with AgentHome() as h:
        hub = h.hub()
        os.mkdir(h.path("a", ""), 0o700)
        mine = os.path.join(h.top, "mine")
        open(mine, "w").close()
        os.symlink(mine, h.path("a", "stdout.ndjson"))
        v = hub.finish("a", acts("print", "words"))
        equal(v["state"], "failed")
        equal(os.stat(mine).st_size, 0)


@tap.test
def what_was_seen_to_run_is_not_run_again():
    with AgentHome() as h:
        hub, runs = h.hub(), os.path.join(h.top, "runs")
        argv = sh('echo x >> "$2"; rm -f "$1/warden"; echo up; '
                  + acts_line("pause"), h.path("a", "")[:-1], runs)
        hub.run("a", argv)
        h.until_printed("a", "up")
        hub.kill()
        hub = h.hub()
        hub.order("adopt", "a", argv=argv, ran=True)
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("failed", "interrupted"))
        equal(h.of("a"), ([], []))
        with open(runs) as f:
            equal(f.read(), "x\n")


@tap.test
def a_record_of_its_own_making_is_no_more_than_a_record():
    """Its lock is gone, so its word is taken; and what it says is bounded."""
    records = {
        "future": json.dumps({"agent": "a", "code": 0, "reason": "exit",
                              "error": None, "startedAt": 2**64 - 1,
                              "endedAt": 2**64 - 1, "elapsed_ms": 2**64 - 1}),
        "numbers": json.dumps({"code": 2**70, "signal": -2**63,
                               "endedAt": -1, "stdoutBytes": "x", "left": -1}),
        "words": json.dumps({"reason": "x" * 5000, "error": "y" * 5000,
                             "stage": "z" * 4000}),
        "deep": "[" * 16000, "huge": '{"code":0}' + " " * (8 * MIB),
        "none": ""}
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        ids = [f"{name}-{kind}" for name in records for kind in ("one", "old")]
        for id in ids:
            name, kind = id.split("-")
            record = records[name].encode()
            source, where = os.path.join(h.top, id), h.path(id, "")[:-1]
            with open(source, "wb") as f:
                f.write(record if kind == "old" else written(2**53, record))
            deed = ('rm -f "$2/warden"; cp "$1" "$2/exit.json"'
                    if kind == "old" else
                    'cp "$1" "$2/x"; mv "$2/x" "$2/warden"')
            hub.run(id, sh(f'{deed}; echo up; {acts_line("await", go)}',
                           source, where), grace=100)
        for id in ids:
            h.until_printed(id, "up")
        hub.kill()
        hub = h.hub()
        for id in ids:
            hub.order("adopt", id, argv=["/bin/true"], ran=True)
        for id in ids:
            v = hub.gone(id)
            assert v["result"]["finishedAt"] <= time.time() * 1000 + 1000, v
            assert v["startedAt"] <= time.time() * 1000 + 1000, v
        open(go, "w").close()
        is_well(hub, "next")


# ---- sizes -------------------------------------------------------------------


@tap.test
def a_transcript_of_holes_is_over_its_limit():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", sh('truncate -s 1T "$1"; ' + acts_line("pause"),
                               h.path("a", "stdout.ndjson")),
                       stdout_limit=MIB, grace=100)
        equal((v["state"], v["result"]["error"]),
              ("failed", "output limit reached (agent.transcriptLimit_bytes)"))
        assert v["bytes"] <= MIB, v
        is_well(hub, "next")


@tap.test
def one_that_leaves_at_once_is_read_to_its_limit():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", sh('printf "%s\\n" "$2"; truncate -s 1T "$1"',
                               h.path("a", "stdout.ndjson"), RESULT),
                       stdout_limit=MIB)
        equal((v["state"], v["bytes"]), ("completed", MIB))


@tap.test
def so_is_a_cancelled_one_and_an_adopted_one():
    with AgentHome() as h:
        hub = h.hub()
        argv = sh('truncate -s 1T "$1"; touch "$1.x"; ' + acts_line("pause"),
                  h.path("a", "stdout.ndjson"))
        hub.run("a", argv, grace=100, stdout_limit=MIB)
        until(lambda: os.path.exists(h.path("a", "stdout.ndjson.x")), "holes")
        hub.order("cancel", "a")
        assert hub.gone("a")["bytes"] <= MIB
        hub.run("b", sh('truncate -s 1T "$1"; touch "$1.x"; '
                        + acts_line("pause"), h.path("b", "stdout.ndjson")),
                grace=100)
        until(lambda: os.path.exists(h.path("b", "stdout.ndjson.x")), "holes")
        hub.kill()
        hub = h.hub()
        hub.order("adopt", "b", argv=["/bin/true"], stdout_limit=MIB)
        assert hub.gone("b")["bytes"] <= MIB


@tap.test
def a_transcript_cut_short_is_nobody_elses_trouble():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", sh('echo words words words; until [ -e "$2" ]; do :; done;'
                        ' truncate -s 0 "$1"; echo x; printf "%s\\n" "$3"',
                        h.path("a", "stdout.ndjson"), h.path("a", "seen"),
                        RESULT))
        until(lambda: hub.ask("a")["bytes"] > 0, "words")
        open(h.path("a", "seen"), "w").close()
        hub.gone("a")
        is_well(hub, "next")


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""What an agent prints is read to the last byte, and understood."""

import os
import subprocess

from harness import tap
from harness.agents import RESULT, AgentHome, lines, puppet
from harness.programs import acts
from harness.until import contains, equal

FAST = ["KUROMAJUTSU_PUPPET_SPEED=0"]


def check_counts(h, v):
    path = h.path(v["id"], "stdout.ndjson")
    equal((v["lines"], v["bytes"]), (lines(path), os.path.getsize(path)))


@tap.test
def a_result_is_built_from_the_stream():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("edits", files=2), env=FAST,
                       cwd=str(h.top))
        r = v["result"]
        equal((r["status"], r["summary"]),
              ("success", "The files are edited."))
        contains(r["response"], "The files are edited.")
        equal(r["created"], [f"{h.top}/src/{name}.c" for name in
                             ("new_1", "new_2", "written")])
        equal(r["edited"], [f"{h.top}/src/old_{i}.c" for i in (1, 2)])
        equal(r["toolCalls"], v["toolCalls"])
        equal(r["toolCalls"], 7)
        check_counts(h, v)


@tap.test
def a_fragment_is_no_summary():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("crash"), env=FAST)
        equal(v["result"]["summary"], "A complete message.")


@tap.test
def a_report_is_merged_with_what_was_seen():
    with AgentHome() as h:
        hub = h.hub()
        hub.finish("a", puppet("edits", files=1), env=FAST, cwd=str(h.top))
        equal(hub.answer("a", summary="mine", edited=["src/old_1.c", "b.c"],
                         created=["./src/new_1.c", "c.c"]), "taken")
        src, r = f"{h.top}/src", hub.ask("a")["result"]
        equal((r["summary"], r["edited"], r["created"], r["toolCalls"]),
              ("mine", [src + "/old_1.c", "b.c"],
               [src + "/new_1.c", src + "/written.c", "c.c"], 5))


@tap.test
def broken_text_is_mended():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("broken-utf8"))
        equal((v["state"], v["result"]["summary"]),
              ("completed", "壊れた行の後でも続く。"))
        check_counts(h, v)


@tap.test
def a_long_line_is_read():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("giant-line", mb=5))
        equal((v["state"], v["skipped"]), ("completed", 0))
        check_counts(h, v)


@tap.test
def a_line_over_the_limit_is_skipped_and_counted():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("giant-line", mb=2), line_limit=1 << 20)
        equal((v["state"], v["skipped"]), ("completed", 1))
        check_counts(h, v)


@tap.test
def a_flood_is_counted_to_the_line():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("flood", lines=200000, size=100))
        equal(v["state"], "completed")
        assert v["lines"] > 200000, v
        check_counts(h, v)


@tap.test
def floods_side_by_side_are_counted_to_the_line():
    with AgentHome() as h:
        hub = h.hub()
        for i in range(10):
            hub.run(f"a{i}", puppet("flood", lines=20000, size=100))
        for i in range(10):
            v = hub.gone(f"a{i}")
            equal(v["state"], "completed")
            check_counts(h, v)


@tap.test
def a_trickle_is_followed():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("trickle", lines=50, every=5))
        equal(v["state"], "completed")
        check_counts(h, v)


@tap.test
def a_line_is_known_while_the_agent_runs():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        hub.run("a", acts("print", RESULT, "await", go), exit_grace=300)
        # The grace of the result shows that it was read.
        v = hub.news("a", "done")
        equal((v["lines"], v["state"]), (1, "completed"))
        hub.gone("a")


@tap.test
def what_is_said_before_the_first_look_is_read():
    with AgentHome() as h:
        hub = h.hub()
        for i in range(100):
            hub.run(f"a{i}", acts("print", RESULT, "pause"), exit_grace=100)
        for i in range(100):
            equal(hub.gone(f"a{i}")["state"], "completed")


@tap.test
def without_watches_it_is_read_all_the_same():
    few = ["unshare", "-Ur", "sh", "-c",
           'echo 2 > /proc/sys/user/max_inotify_watches && exec "$@"', "sh"]
    if subprocess.run(few + ["true"], stderr=subprocess.DEVNULL).returncode:
        raise tap.Skip("no namespace in which to set the limit")
    with AgentHome() as h:
        hub = h.hub(few)
        for i in range(6):
            hub.run(f"a{i}", puppet("trickle", lines=20, every=20),
                    exit_grace=100)
            hub.run(f"b{i}", puppet("hang-after-result"), exit_grace=100)
        for i in range(6):
            equal(hub.gone(f"a{i}")["state"], "completed")
            equal(hub.gone(f"b{i}")["state"], "completed")


@tap.test
def a_last_line_needs_no_newline():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("copy"), input=RESULT)
        equal((v["state"], v["result"]["response"]), ("completed", "ok"))


if __name__ == "__main__":
    tap.run()

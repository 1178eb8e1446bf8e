# SPDX-License-Identifier: MIT
"""A hub is killed, and the next one finds its agents."""

import os
import signal
import subprocess
import time

from harness import tap
from harness.agents import INIT, RESULT, AgentHome, lines, puppet
from harness.programs import WARDEN, acts
from harness.record import written
from harness.until import equal, until


def adopt(hub, id, argv=("/bin/true",), **more):
    hub.order("adopt", id, argv=list(argv), **more)


def same(a, b):
    """Two views of one agent, but for how they were told."""
    keep = ("state", "lines", "bytes", "toolCalls", "messages", "session",
            "model", "inputTokens", "outputTokens", "unknown", "skipped")
    equal({k: a[k] for k in keep}, {k: b[k] for k in keep})
    for k in ("status", "summary", "response", "error", "edited", "created",
              "toolCalls"):
        equal(a["result"][k], b["result"][k])


@tap.test
def a_running_one_goes_on():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        argv = acts("print", INIT, "await", go, "print", RESULT)
        hub.run("a", argv)
        first = hub.state("a", "running")
        h.until_printed("a", "init")
        hub.kill()
        hub = h.hub()
        adopt(hub, "a", argv)
        v = hub.state("a", "running")
        equal((v["pid"], v["startedAt"]), (first["pid"], first["startedAt"]))
        open(go, "w").close()
        v = hub.gone("a")
        equal((v["state"], v["lines"], v["result"]["response"]),
              ("completed", 2, "ok"))


@tap.test
def the_time_it_ran_before_counts():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"))
        hub.state("a", "running")
        time.sleep(0.5)  # the very thing measured
        hub.kill()
        hub = h.hub()
        adopt(hub, "a", timeout=400)
        v = hub.gone("a")
        equal(v["state"], "timedOut")
        assert v["result"]["duration"] >= 500, v


@tap.test
def one_that_ended_meanwhile_is_closed_by_its_record():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        hub.run("a", acts("print", RESULT, "await", go))
        hub.run("b", acts("await", go, "complain", "bad", "exit", 3))
        hub.state("a", "running")
        hub.state("b", "running")
        hub.kill()
        time.sleep(0.3)
        open(go, "w").close()
        for id in "ab":
            until(lambda: h.record(id), "a record")
        ended = time.time() * 1000
        time.sleep(0.5)  # what must not be counted
        hub = h.hub()
        adopt(hub, "a")
        adopt(hub, "b")
        v = hub.gone("a")
        equal((v["state"], v["lines"]), ("completed", 1))
        assert 300 <= v["result"]["duration"], v
        assert v["startedAt"] > 0, v
        assert v["result"]["finishedAt"] <= ended + 50, (v, ended)
        assert v["startedAt"] + v["result"]["duration"] <= ended + 50, v
        v = hub.gone("b")
        equal((v["state"], v["result"]["error"]), ("failed", "bad"))


@tap.test
def one_whose_warden_has_left_too_is_closed_by_its_record():
    with AgentHome() as h:
        hub = h.hub()
        first = hub.finish("a", puppet("edits"))
        until(lambda: h.of("a") == ([], []), "the warden's leave")
        hub.kill()
        hub = h.hub()
        adopt(hub, "a", puppet("edits"))
        v = hub.gone("a")
        same(v, first)
        assert abs(v["result"]["duration"] -
                   first["result"]["duration"]) <= 200, (v, first)


@tap.test
def read_again_every_stream_is_the_same():
    names = ["default", "edits", "long-output", "thinking", "failure", "crash",
             "no-result", "broken-utf8", "rate-limit",
             "exit-nonzero-after-result"]
    with AgentHome() as h:
        hub = h.hub()
        env = ["KUROMAJUTSU_PUPPET_SPEED=0"]
        for name in names:
            hub.run(name, puppet(name), env=env)
        first = {name: hub.gone(name) for name in names}
        hub.stop()
        hub = h.hub()
        for name in names:
            adopt(hub, name, puppet(name))
        for name in names:
            same(hub.gone(name), first[name])
            equal(first[name]["lines"], lines(h.path(name, "stdout.ndjson")))


@tap.test
def one_that_was_never_started_is_started():
    with AgentHome() as h:
        hub = h.hub()
        adopt(hub, "a", puppet("reply"))
        equal(hub.gone("a")["state"], "completed")
        # Its directory alone is no start.
        os.mkdir(h.path("b", ""), 0o700)
        adopt(hub, "b", puppet("reply"))
        equal(hub.gone("b")["state"], "completed")


@tap.test
def a_cancel_overtakes_the_recovery():
    with AgentHome() as h:
        hub = h.hub()
        for i in range(20):
            id = f"a{i}"
            adopt(hub, id, acts("touch", f"{h.top}/ran-{id}", "pause"))
            hub.order("cancel", id)
        for i in range(20):
            v = hub.gone(f"a{i}")
            equal((v["state"], v["result"]["status"]),
                  ("cancelled", "cancelled"))


@tap.test
def one_whose_warden_was_killed_is_interrupted():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("print", INIT, "daemon", "child", "print", "up",
                          "pause"))
        h.until_printed("a", "up")
        hub.kill()
        os.kill(h.warden("a"), signal.SIGKILL)
        hub = h.hub()
        adopt(hub, "a")
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("failed", "interrupted"))
        equal(h.of("a"), ([], []))


@tap.test
def started_without_anything_is_interrupted():
    with AgentHome() as h:
        hub = h.hub()
        for id, name, bytes in (("a", "warden", written(12345)),
                                ("b", "started", b"")):
            os.mkdir(h.path(id, ""), 0o700)
            with open(h.path(id, name), "wb") as f:
                f.write(bytes)
            adopt(hub, id)
            v = hub.gone(id)
            equal((v["state"], v["result"]["error"]),
                  ("failed", "interrupted"))


@tap.test
def one_that_keeps_three_files_is_adopted():
    """As wardens of earlier versions do, and this one for their hubs."""
    with AgentHome() as h:
        os.mkdir(h.path("a", ""), 0o700)
        go = os.path.join(h.top, "go")
        argv = acts("print", INIT, "await", go, "print", RESULT)
        warden = subprocess.Popen(
            [WARDEN, "--dir", h.path("a", ""), "--socket", h.socket, "--id",
             "a", "--build", "b", "--lease", str(h.lease), "--", *argv],
            env={**h.env, "KUROMAJUTSU_AGENT_ID": "a",
                 "KUROMAJUTSU_SOCKET": h.socket})
        h.until_printed("a", "init")
        hub = h.hub()
        adopt(hub, "a", argv)
        v = hub.state("a", "running")
        assert abs(v["startedAt"] - time.time() * 1000) < 60000, v
        hub.kill()
        hub = h.hub()
        # It runs, so it is not started again.
        hub.run("a", argv)
        equal(hub.state("a", "running")["pid"], v["pid"])
        open(go, "w").close()
        first = hub.gone("a")
        equal((first["state"], first["lines"]), ("completed", 2))
        equal(warden.wait(), 0)
        equal(sorted(os.listdir(h.path("a", ""))),
              ["exit.json", "lock", "started", "stdout.ndjson"])
        hub.kill()
        hub = h.hub()
        adopt(hub, "a")
        same(hub.gone("a"), first)


@tap.test
def half_a_mark_is_none():
    """The CLI is started only after a whole one."""
    with AgentHome() as h:
        hub = h.hub()
        for i, bytes in enumerate((b"", b"started 12", written(1)[:-2],
                                   b"x" + written(1), b"\0" * 100)):
            os.mkdir(h.path(f"a{i}", ""), 0o700)
            with open(h.path(f"a{i}", "warden"), "wb") as f:
                f.write(bytes)
            adopt(hub, f"a{i}", puppet("reply"))
            # A warden starts nothing where something is written already; zeros
            # are what a hub leaves in the place of it.
            equal(hub.gone(f"a{i}")["state"],
                  "failed" if bytes.strip(b"\0") else "completed")


@tap.test
def nothing_is_started_twice():
    with AgentHome() as h:
        hub, ran = h.hub(), os.path.join(h.top, "ran")
        argv = ["/bin/sh", "-c", 'echo x >> "$0"; echo "$1"', ran, RESULT]
        hub.finish("a", argv)
        hub.kill()
        hub = h.hub()
        hub.finish("a", argv)
        equal(lines(ran), 1)
        # And while it runs under a warden of the hub before.
        go = os.path.join(h.top, "go")
        argv = ["/bin/sh", "-c", 'echo x >> "$0"; until [ -e "$1" ]; do '
                'sleep 0.01; done; echo "$2"', ran, go, RESULT]
        hub.run("b", argv)
        hub.state("b", "running")
        until(lambda: lines(ran) == 2, "the second")
        hub.kill()
        hub = h.hub()
        hub.run("b", argv)
        hub.state("b", "running")
        open(go, "w").close()
        equal(hub.gone("b")["state"], "completed")
        equal(lines(ran), 2)


@tap.test
def one_that_stays_after_its_result_is_completed_by_the_next_hub():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang-after-result"), exit_grace=60000)
        h.until_printed("a", '"result"')
        hub.kill()
        # The warden knocks every 250 ms: this grace is over before it comes.
        hub = h.hub()
        adopt(hub, "a", exit_grace=10)
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("completed", ""))


@tap.test
def an_end_ordered_by_the_hub_before_is_understood():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("done", puppet("hang-after-result"), exit_grace=100)
        hub.run("late", puppet("hang"), timeout=300)
        hub.news("done", "done")
        hub.state("late", "timedOut")
        for id in ("done", "late"):
            until(lambda: h.record(id), "a record")
        hub.kill()
        hub = h.hub()
        adopt(hub, "done", exit_grace=100)
        adopt(hub, "late", timeout=300)
        v = hub.gone("done")
        equal((v["state"], v["result"]["error"]), ("completed", ""))
        v = hub.gone("late")
        equal((v["state"], v["result"]["status"]), ("timedOut", "timeout"))


@tap.test
def a_warden_nobody_adopts_is_ended_by_its_lease():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("daemon", "child", "print", "up", "pause"))
        hub.run("b", puppet("hang-after-result"))
        h.until_printed("a", "up")
        h.until_printed("b", '"result"')
        h.orphan(hub, "a", "b", lease=1000)
        hub = h.hub()
        for id in "ab":
            until(lambda: h.of(id) == ([], []), "the lease's end")
        adopt(hub, "a")
        adopt(hub, "b")
        v = hub.gone("a")
        equal((v["state"], v["result"]["error"]), ("failed", "interrupted"))
        equal(hub.gone("b")["state"], "completed")


@tap.test
def two_hubs_may_die():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        argv = acts("print", INIT, "await", go, "print", RESULT)
        for i in range(5):
            hub.run(f"a{i}", argv)
        for i in range(5):
            hub.state(f"a{i}", "running")
        for _ in range(2):
            hub.kill()
            hub = h.hub()
            for i in range(5):
                adopt(hub, f"a{i}", argv)
            hub.state("a0", "running")
        open(go, "w").close()
        for i in range(5):
            v = hub.gone(f"a{i}")
            equal((v["state"], v["lines"]), ("completed", 2))


@tap.test
def a_hub_that_stops_leaves_them_running():
    with AgentHome() as h:
        hub = h.hub()
        for i in range(10):
            hub.run(f"a{i}", puppet("hang"))
        for i in range(10):
            hub.state(f"a{i}", "running")
            h.until_printed(f"a{i}", "for ever")
        hub.stop()
        hub = h.hub()
        for i in range(10):
            adopt(hub, f"a{i}")
        for i in range(10):
            hub.state(f"a{i}", "running")
            hub.order("cancel", f"a{i}")
        for i in range(10):
            equal(hub.gone(f"a{i}")["state"], "cancelled")


if __name__ == "__main__":
    tap.run()

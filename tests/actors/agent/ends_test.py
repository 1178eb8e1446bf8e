# SPDX-License-Identifier: MIT
"""Every end an agent can take, and what it is then said to be."""

import json
import os
import signal
import time

from harness import tap
from harness.agents import RESULT, AgentHome, claude, puppet
from harness.programs import acts
from harness.record import written
from harness.until import contains, equal, patiently, until


def check_times(view, began):
    """Spawn, duration and end are of this test and of one another."""
    now = time.time() * 1000
    duration = view["result"]["duration"]
    assert began - 50 <= view["startedAt"] <= now, (view, began, now)
    assert 0 <= duration <= now - began + 50, (view, began, now)
    equal(view["elapsed"], duration)
    assert view["startedAt"] <= view["result"]["finishedAt"] + 50


@tap.test
def completes():
    with AgentHome() as h:
        began = time.time() * 1000
        hub = h.hub()
        v = hub.finish("a", puppet("reply"))
        equal(hub.states("a"), ["running", "completed"])
        equal((v["done"], v["gone"], v["result"]["status"]),
              (True, True, "success"))
        equal(v["result"]["error"], "")
        equal(v["news"], ["state", "done", "gone"])
        check_times(v, began)
        equal(hub.ask("a"), {**v, "event": "view", "news": []})


@tap.test
def it_begins_no_earlier_than_it_was_asked_for():
    """A file's time is of a coarser clock than an order's."""
    with AgentHome() as h:
        hub = h.hub()
        created = int(time.time() * 1000) + 60000
        v = hub.finish("a", puppet("reply"), created=created)
        equal((v["state"], v["startedAt"]), ("completed", created))
        # One that begins this very moment has all of its time before it.
        v = hub.finish("b", puppet("reply"), created=created, timeout=600000)
        equal(v["state"], "completed")


@tap.test
def an_exit_code_is_a_failure_explained_by_stderr():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("complain", "no such key", "exit", 7))
        equal((v["state"], v["result"]["status"], v["result"]["error"]),
              ("failed", "failure", "no such key"))
        v = hub.finish("b", acts("exit", 7))
        equal((v["state"], v["result"]["error"]), ("failed", "exit code 7"))


@tap.test
def only_the_tail_of_stderr_explains():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("flood-err", 1 << 20, "exit", 1))
        error = v["result"]["error"]
        assert len(error) <= 4096 and error.endswith("line 0000065535"), error


@tap.test
def stderr_that_is_no_text_is_made_one():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", ["/bin/sh", "-c",
                             r"printf 'bad \377\300 end\n' >&2; exit 1"])
        contains(v["result"]["error"], "end")


@tap.test
def an_end_is_told_in_the_hub_s_language():
    with AgentHome() as h:
        hub = h.hub()
        errors = [hub.finish(id, argv, japanese=True, **more)["result"]["error"]
                  for id, argv, more in (
                      ("a", acts("exit", 7), {}),
                      ("b", acts("signal", int(signal.SIGSEGV)), {}),
                      ("c", acts("exit", 0), {}),
                      ("d", puppet("hang"), {"timeout": 500}))]
        equal(errors, ["終了コード 7 で終了しました",
                       "シグナル 11 で終了しました",
                       "結果のないままストリームが終わりました",
                       "タイムアウトしました"])
        hub.order("queue", "e", argv=puppet("reply"), japanese=True)
        hub.order("cancel", "e")
        equal(hub.gone("e")["result"]["error"], "キャンセルされました")


@tap.test
def a_signal_is_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("signal", int(signal.SIGSEGV)))
        equal((v["state"], v["result"]["error"]),
              ("failed", "killed by signal 11"))
        v = hub.finish("b", puppet("crash"))
        equal((v["state"], v["result"]["summary"]),
              ("failed", "A complete message."))


@tap.test
def an_error_result_is_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("failure"))
        equal((v["state"], v["result"]["status"]), ("failed", "failure"))
        contains(v["result"]["error"], "the model gave up")
        line = RESULT.replace('"is_error":false', '"is_error":true').replace(
            '"ok"', '"out of tokens"')
        v = hub.finish("b", acts("print", line))
        equal((v["state"], v["result"]["error"]), ("failed", "out of tokens"))
        v = hub.finish("c", acts("print", line, "exit", 1))
        equal((v["state"], v["result"]["error"]), ("failed", "out of tokens"))


@tap.test
def an_exit_without_a_result_is_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("no-result"))
        equal((v["state"], v["result"]["error"]),
              ("failed", "stream ended without a result"))
        v = hub.finish("b", ["/bin/true"])
        equal((v["state"], v["lines"], v["result"]["error"]),
              ("failed", 0, "stream ended without a result"))


@tap.test
def plain_words_on_stdout_explain_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        limit = "You have hit your usage limit."
        for id, argv in (("a", puppet("usage-limit")),
                         ("b", puppet("usage-limit", code=0)),
                         ("c", acts("print", limit, "signal", 9))):
            v = hub.finish(id, argv)
            equal((v["state"], v["result"]["error"], v["result"]["summary"]),
                  ("failed", limit, limit))
        v = hub.finish("d", acts("print", limit, "complain", "no such key",
                                 "exit", 1))
        equal(v["result"]["error"], "no such key")
        v = hub.finish("e", acts("print", limit, "print", RESULT))
        equal((v["state"], v["result"]["error"]), ("completed", ""))


@tap.test
def a_failure_has_a_summary():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("complain", "no such key", "exit", 7))
        equal(v["result"]["summary"], "no such key")
        v = hub.finish("b", ["/bin/true"])
        equal(v["result"]["summary"], "stream ended without a result")
        v = hub.finish("c", puppet("crash"))
        equal(v["result"]["summary"], "A complete message.")
        hub.run("d", acts("pause"))
        hub.state("d", "running")
        hub.order("cancel", "d")
        equal(hub.gone("d")["result"]["summary"], "cancelled")


@tap.test
def the_response_is_the_last_message_and_no_more():
    """Cursor's result has all that was said on the way, in one."""
    def said(text):
        return json.dumps({"type": "assistant", "session_id": "s", "message": {
            "role": "assistant", "content": [{"type": "text", "text": text}]}})
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts(
            "print", said("I will look."), "print", said("It is mended."),
            "print", RESULT.replace('"ok"', '"I will look.It is mended."')))
        equal((v["state"], v["result"]["response"], v["result"]["summary"]),
              ("completed", "It is mended.", "It is mended."))


@tap.test
def an_exit_code_after_the_result_is_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("exit-nonzero-after-result"))
        equal((v["state"], v["result"]["status"]), ("failed", "failure"))
        contains(v["result"]["error"], "on the way out")


@tap.test
def what_cannot_be_started_says_why():
    with AgentHome() as h:
        hub = h.hub()
        plain = os.path.join(h.top, "plain")
        with open(plain, "w") as f:
            f.write("no program")
        cases = {
            "missing": ([f"{h.top}/missing"], {}, "/missing: No such file"),
            "unknown": (["no-such-program"], {},
                        "no-such-program: No such file"),
            "plain": ([plain], {}, "/plain: Permission denied"),
            "folder": ([str(h.top)], {}, "Permission denied"),
            "cwd": (["/bin/true"], {"cwd": f"{h.top}/nowhere"},
                    "/nowhere: No such file"),
            "file-cwd": (["/bin/true"], {"cwd": plain}, "Not a directory"),
            "long": (["/bin/true", "x" * 3000000], {},
                     "Argument list too long"),
        }
        for id, (argv, more, why) in cases.items():
            v = hub.finish(id, argv, **more)
            equal((id, hub.states(id), v["result"]["status"]),
                  (id, ["failed"], "failure"))
            contains(v["result"]["error"], why)
            equal((v["startedAt"], v["elapsed"], v["result"]["duration"]),
                  (0, 0, 0))


@tap.test
def a_timeout_ends_it():
    with AgentHome() as h:
        hub = h.hub()
        began = time.time() * 1000
        v = hub.finish("a", puppet("hang"), timeout=300)
        equal(hub.states("a"), ["running", "timedOut"])
        equal((v["result"]["status"], v["result"]["error"]),
              ("timeout", "timed out"))
        assert v["result"]["duration"] >= 300, v
        check_times(v, began)
        equal(h.tree("a"), [])


@tap.test
def the_longest_timeout_is_not_over_at_once():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"), timeout=2 ** 53)
        hub.state("a", "running")
        # Another's whole life fits in between.
        hub.finish("b", puppet("hang"), timeout=500)
        equal(hub.ask("a")["state"], "running")
        hub.order("cancel", "a")
        equal(hub.gone("a")["state"], "cancelled")


@tap.test
def a_cancel_in_the_queue_is_the_end():
    with AgentHome() as h:
        hub = h.hub()
        hub.order("queue", "a", argv=puppet("reply"))
        equal(hub.ask("a")["state"], "queued")
        equal(hub.answer("a"), "refused")
        hub.order("cancel", "a")
        v = hub.gone("a")
        equal(v["news"], ["state", "done", "gone"])
        equal((v["state"], v["result"]["status"], v["startedAt"]),
              ("cancelled", "cancelled", 0))
        hub.order("go", "a")
        equal(hub.ask("a")["state"], "cancelled")
        assert not os.path.exists(h.path("a", "")), "it was started"


@tap.test
def a_cancel_ends_a_running_one():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"))
        # What it prints is on disk before the hub hears that it began.
        hub.state("a", "running")
        h.until_printed("a", "for ever")
        hub.order("cancel", "a")
        v = hub.gone("a")
        equal(hub.states("a"), ["running", "cancelled"])
        equal((v["result"]["status"], v["result"]["error"]),
              ("cancelled", "cancelled"))
        equal(hub.answer("a"), "refused")
        equal(h.tree("a"), [])


@tap.test
def a_cancel_overtakes_the_start():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"))
        hub.order("cancel", "a")
        equal(hub.gone("a")["state"], "cancelled")
        equal(hub.answer("a"), "refused")


@tap.test
def a_timeout_is_not_made_a_cancel():
    with AgentHome() as h:
        hub = h.hub()

        def attempt(ms):
            id = f"a{ms}"
            hub.run(id, puppet("ignore-term"), timeout=ms, grace=60000)
            hub.state(id, "timedOut")
            # Else its time was over before it was deaf, and so is it.
            is_deaf = b"SIGTERM" in h.read(id, "stdout.ndjson")
            hub.order("cancel", id)
            v = hub.gone(id)
            equal((v["state"], v["result"]["status"]),
                  ("timedOut", "timeout"))
            return is_deaf
        patiently(attempt, 300)


@tap.test
def a_cancel_hurries_one_that_is_done():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("ignore-term"), grace=60000)
        h.until_printed("a", "SIGTERM")
        equal(hub.answer("a"), "taken")
        hub.order("cancel", "a")
        v = hub.gone("a")
        equal((v["state"], v["result"]["status"]),
              ("resultReported", "success"))


@tap.test
def a_report_is_done_at_once_and_stays():
    with AgentHome() as h:
        hub = h.hub()
        file = os.path.join(h.top, "go")
        hub.run("a", acts("await", file, "complain", "bad", "exit", 1))
        hub.state("a", "running")
        equal(hub.answer("a", summary="did it", response="all of it"), "taken")
        v = hub.news("a", "done")
        equal((v["state"], v["done"], v["gone"]),
              ("resultReported", True, False))
        open(file, "w").close()
        last = hub.gone("a")
        equal(last["news"], ["gone"])
        equal((last["state"], last["result"]["status"],
               last["result"]["summary"], last["result"]["response"],
               last["result"]["error"], last["result"]["reported"]),
              ("resultReported", "success", "did it", "all of it", "", True))
        assert abs(last["elapsed"] - v["elapsed"]) <= 50, (v, last)


@tap.test
def a_report_may_come_before_the_spawn_is_known():
    with AgentHome() as h:
        hub = h.hub()
        for i in range(20):
            hub.run(f"a{i}", puppet("reply"))
            equal(hub.answer(f"a{i}"), "taken")
        for i in range(20):
            v = hub.gone(f"a{i}")
            equal(v["state"], "resultReported")
            assert v["result"]["duration"] < 60000, v


@tap.test
def a_second_report_replaces_the_first():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"))
        hub.state("a", "running")
        equal(hub.answer("a", summary="one", edited=["1.c"]), "taken")
        equal(hub.answer("a", status="failure", summary="two", error="e",
                         edited=["2.c"]), "taken")
        hub.order("cancel", "a")
        v = hub.gone("a")
        equal((v["result"]["status"], v["result"]["summary"],
               v["result"]["error"], v["result"]["edited"]),
              ("failure", "two", "e", ["2.c"]))
        equal(hub.answer("a", summary="three", edited=["3.c"]), "taken")
        v = hub.ask("a")
        equal((v["result"]["status"], v["result"]["summary"],
               v["result"]["error"], v["result"]["edited"]),
              ("success", "three", "", ["3.c"]))


@tap.test
def a_report_after_an_end_is_taken():
    with AgentHome() as h:
        hub = h.hub()
        hub.finish("a", acts("complain", "bad", "exit", 1))
        hub.finish("b", puppet("hang"), timeout=200)
        for id in "ab":
            was = hub.ask(id)
            equal(hub.answer(id, summary="late"), "taken")
            v = hub.ask(id)
            equal((v["state"], v["result"]["status"], v["result"]["summary"],
                   v["result"]["error"]),
                  ("resultReported", "success", "late", ""))
            equal(v["result"]["duration"], was["result"]["duration"])


@tap.test
def an_exit_after_a_report_needs_no_result():
    with AgentHome() as h:
        hub = h.hub()
        file = os.path.join(h.top, "go")
        hub.run("a", acts("await", file))
        hub.state("a", "running")
        hub.answer("a")
        open(file, "w").close()
        equal(hub.gone("a")["state"], "resultReported")


@tap.test
def one_that_stays_after_its_result_is_completed():
    with AgentHome() as h:
        hub, go = h.hub(), os.path.join(h.top, "go")
        hub.run("a", acts("await", go, "print", RESULT, "pause"),
                exit_grace=200)
        # What it prints may be read before the hub hears that it began.
        hub.state("a", "running")
        open(go, "w").close()
        v = hub.gone("a")
        equal(hub.states("a"), ["running", "completed"])
        done = hub.news("a", "done")
        equal((done["gone"], done["result"]["status"],
               done["result"]["error"]), (False, "success", ""))
        equal(v["result"], done["result"])
        equal(h.tree("a"), [])


@tap.test
def an_exit_within_the_grace_is_not_waited_for():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", puppet("reply"), exit_grace=60000)
        equal(v["state"], "completed")
        assert v["elapsed"] < 60000, v


@tap.test
def a_second_result_takes_the_grace_back():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("b", claude("second-result", ms=500),
                       backend="claude", exit_grace=60000)
        equal(v["state"], "completed")
        contains(v["result"]["response"], "this is the answer")
        assert v["elapsed"] >= 500, v


@tap.test
def work_in_the_background_is_waited_for():
    """The grace is over long before it is, and has not begun."""
    with AgentHome() as h:
        hub = h.hub()
        for name in ("background", "second-result"):
            v = hub.finish(name, claude(name, ms=1500), backend="claude",
                           exit_grace=100)
            equal((v["state"], v["unknown"]), ("completed", 0))
            contains(v["result"]["response"], "this is the answer")
            assert v["elapsed"] >= 1500, v


@tap.test
def what_stays_after_the_background_work_is_ended():
    with AgentHome() as h:
        hub = h.hub()
        task = '{"type":"system","subtype":"task_%s","task_id":"t"}'
        hub.run("a", acts("print", task % "started", "print", RESULT,
                          "print", task % "notification", "pause"),
                backend="claude", exit_grace=100)
        equal(hub.gone("a")["state"], "completed")


@tap.test
def a_new_start_disarms_the_grace():
    with AgentHome() as h:
        hub = h.hub()
        init = '{"type":"system","subtype":"init","session_id":"s"}'

        def attempt(ms):
            id, go = f"a{ms}", os.path.join(h.top, f"go{ms}")
            hub.run(id, acts("print", init, "print", RESULT, "await", go,
                             "print", init, "pause"),
                    backend="claude", exit_grace=ms)
            h.until_printed(id, "result")
            open(go, "w").close()
            # The new start is read, or came too late.
            until(lambda: (v := hub.ask(id))["done"] or v["lines"] == 3,
                  "the new start")
            # Longer than the grace would have been.
            hub.finish(f"b{ms}", puppet("hang"), timeout=ms + ms // 4)
            state = hub.ask(id)["state"]
            hub.order("cancel", id)
            hub.gone(id)
            return state == "running"
        patiently(attempt, 1000)


@tap.test
def every_result_has_its_own_grace():
    with AgentHome() as h:
        hub = h.hub()
        init = '{"type":"system","subtype":"init","session_id":"s"}'

        def attempt(ms):
            id, go = f"a{ms}", os.path.join(h.top, f"go{ms}")
            hub.run(id, acts("print", RESULT, "await", go,
                             "print", init + "\n" + RESULT, "pause"),
                    backend="claude", exit_grace=ms)
            h.until_printed(id, "result")
            hub.finish(f"b{ms}", puppet("hang"), timeout=ms // 2)
            open(go, "w").close()
            v = hub.news(id, "done")
            hub.gone(id)
            equal(v["state"], "completed")
            if v["lines"] != 3:  # the second came after the first's grace
                return False
            assert v["elapsed"] >= ms + ms // 2, v
            return True
        patiently(attempt, 1500)


@tap.test
def silence_after_a_report_ends_it():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"), report_grace=200)
        hub.state("a", "running")
        equal(hub.answer("a"), "taken")
        hub.order("kept", "a")
        equal(hub.gone("a")["state"], "resultReported")
        equal(h.tree("a"), [])


@tap.test
def silence_ends_nobody_whose_report_may_yet_be_lost():
    with AgentHome() as h:
        hub = h.hub()
        for id, grace in (("early", 100), ("late", 600)):
            hub.run(id, puppet("hang"), report_grace=grace)
            hub.state(id, "running")
        equal(hub.answer("early"), "taken")
        equal(hub.answer("late"), "taken")
        hub.order("kept", "late")
        hub.gone("late")
        assert not hub.ask("early")["gone"]
        hub.order("kept", "early")
        equal(hub.gone("early")["state"], "resultReported")


@tap.test
def a_stall_is_told_and_so_is_its_end():
    with AgentHome() as h:
        hub = h.hub()
        pipe = os.path.join(h.top, "pipe")
        os.mkfifo(pipe)
        hub.run("a", ["/bin/sh", "-c", 'read x < "$0"; echo "$1"; read x < "$0"',
                      pipe, RESULT], stall=150)
        assert hub.news("a", "stalled")["stalled"]
        open(pipe, "w").close()
        assert not hub.news("a", "revived")["stalled"]
        open(pipe, "w").close()
        equal(hub.gone("a")["state"], "failed")


@tap.test
def a_burning_tree_has_not_stalled():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", ["/bin/sh", "-c", "while :; do :; done & wait"],
                stall=1000)
        # A whole period without the processor would be a stall, so that it
        # is much longer than one who burns waits for his turn.
        hub.run("b", puppet("hang"), stall=1000)
        hub.news("b", "stalled")
        hub.finish("c", puppet("hang"), timeout=1500)
        assert not [e for e in hub.events if e.get("id") == "a" and
                    "stalled" in e.get("news", [])], "it stalled"
        hub.order("cancel", "a")
        hub.order("cancel", "b")
        hub.gone("a")
        hub.gone("b")


@tap.test
def too_much_output_is_a_failure():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("flood"), stdout_limit=1 << 20)
        equal((v["state"], v["result"]["error"]),
              ("failed", "output limit reached (agent.transcriptLimit_bytes)"))
        equal(h.tree("a"), [])


@tap.test
def too_much_memory_is_a_failure_that_names_the_key():
    """As the warden's record has it, which is written for it here."""
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", acts("pause"))
        hub.state("a", "running")
        hub.kill()
        os.kill(h.warden("a"), signal.SIGKILL)
        with open(h.path("a", "warden"), "wb") as f:
            f.write(written(1, {
                "agent": "a", "code": None, "signal": 9, "error": None,
                "stage": None, "reason": "memory limit"}))
        hub = h.hub()
        hub.order("adopt", "a", argv=["/bin/true"])
        v = hub.gone("a")
        equal((v["state"], v["result"]["status"]), ("failed", "failure"))
        contains(v["result"]["error"], "memory limit")
        contains(v["result"]["error"], "agent.memoryMax_bytes")


@tap.test
def an_agent_that_is_forgotten_takes_its_tree_along():
    with AgentHome() as h:
        hub = h.hub()
        hub.run("a", puppet("hang"))
        h.until_printed("a", "for ever")
        hub.order("forget", "a")
        until(lambda: h.of("a") == ([], []), "an empty tree")


@tap.test
def an_id_has_one_process():
    with AgentHome() as h:
        hub = h.hub()
        go = os.path.join(h.top, "go")
        hub.run("a", acts("await", go))
        hub.state("a", "running")
        start = hub.here()
        hub.run("a", puppet("reply"))
        v = hub.news("a", "gone", start)
        equal(v["state"], "failed")
        contains(v["result"]["error"], "File exists")
        until(lambda: len(h.tree("a")) == 1, "the first one's process")
        start = hub.here()
        open(go, "w").close()
        hub.news("a", "gone", start)


@tap.test
def stdin_is_given():
    with AgentHome() as h:
        hub = h.hub()
        v = hub.finish("a", acts("copy"), input=RESULT + "\n")
        equal((v["state"], v["result"]["response"]), ("completed", "ok"))


if __name__ == "__main__":
    tap.run()

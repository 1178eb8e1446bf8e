# SPDX-License-Identifier: MIT
"""A zygote forks wardens that are what any warden is, and is itself nothing to
them."""

import os
import resource
import signal
import subprocess

from harness import tap
from harness.processes import has_gone, is_sanitized, is_zygote, status
from harness.programs import WARDEN, acts
from harness.until import DEADLINE, contains, equal, until
from harness.zygote import BEFORE, ZygoteHome, strings


def variables(pid):
    with open(f"/proc/{pid}/environ", "rb") as f:
        return [v.decode() for v in f.read().split(b"\0") if v]


def words(pid):
    with open(f"/proc/{pid}/cmdline", "rb") as f:
        return [w.decode() for w in f.read().split(b"\0") if w]


@tap.test
def what_it_forks_is_a_warden():
    with ZygoteHome() as y:
        record = y.run(acts("print", "hello", "complain", "oh", "exit", "3"))
        equal([record[k] for k in ("agent", "code", "reason", "stdoutBytes",
                                   "stderrBytes")],
              ["coder-1", 3, "exit", 6, 3])
        equal(y.stdout(), ["hello"])


@tap.test
def a_start_is_news_and_nothing_else_of_a_brief_cli_is():
    """It has no time for more."""
    with ZygoteHome() as y:
        w = y.start(acts("exit", "0"))
        ticket, cli, began = y.told()
        equal(ticket, 1)
        equal(w.wait(), 0)
        assert has_gone(cli)
        record = y.record()
        equal([record["code"], record["startedAt"]], [0, began])
        y.listener.setblocking(False)
        try:
            raise AssertionError(y.listener.accept())
        except BlockingIOError:
            pass


@tap.test
def one_that_lasts_connects_after_a_while():
    with ZygoteHome() as y:
        w = y.start(acts("pause"))
        _, cli, began = y.told()
        link = y.accept()
        link.expect(hello="warden", state="running", warden=w.pid, cli=cli,
                    startedAt=began)
        link.say("end 0")
        y.ended(link)


@tap.test
def a_hub_that_leaves_meanwhile_is_nothing_to_it():
    """The start may be told in vain, or not at all: the next hub hears of it."""
    for _ in range(10):
        with ZygoteHome() as y:
            w = y.start(acts("pause"))
            y.leave()
            link = y.accept()
            link.expect(hello="warden", state="running", warden=w.pid)
            link.say("end 0")
            y.ended(link)


@tap.test
def an_earlier_hub_is_told_what_it_knows():
    """Its programs were replaced while it ran."""
    with ZygoteHome(format=BEFORE) as y:
        w = y.start(acts("pause"))
        link = y.accept()
        cli = link.expect(hello="warden", warden=w.pid)["cli"]
        equal(link.expect(event="started")["cli"], cli)
        link.say("end 0")
        y.ended(link)


@tap.test
def it_shows_whose_it_is():
    """By this it is known as an agent's, by hubs and in ps."""
    with ZygoteHome() as y:
        w = y.start(acts("pause"))
        link = y.accept()
        link.expect(hello="warden", warden=w.pid)
        equal(variables(w.pid)[:2], ["KUROMAJUTSU_AGENT_ID=coder-1",
                                     f"KUROMAJUTSU_SOCKET={y.path}"])
        assert y.mark in variables(w.pid)
        equal(words(w.pid), [WARDEN, "--id", "coder-1"])
        assert is_zygote(y.zygote.pid) and not is_zygote(w.pid)
        equal([v for v in variables(y.zygote.pid) if v.startswith("KURO")], [])
        link.say("end 0")
        y.ended(link)


@tap.test
def longest_names_are_shown():
    name = "x" * 128
    with ZygoteHome(folder="/".join(["d" * 200] * 15)) as y:
        w = y.start(acts("pause"), id=name)
        link = y.accept()
        link.expect(hello="warden", agent=name)
        equal(variables(w.pid)[:2], [f"KUROMAJUTSU_AGENT_ID={name}",
                                     f"KUROMAJUTSU_SOCKET={y.path}"])
        equal(words(w.pid)[1:], ["--id", name])
        link.say("end 0")
        y.ended(link)


@tap.test
def what_cannot_be_shown_is_not_started():
    """A warden that nobody knows as one would make its agent the user."""
    with ZygoteHome() as y:
        ran = y.file("ran")
        y.order(y.words(acts("touch", ran)),
                ["KUROMAJUTSU_AGENT_ID=coder-1",
                 "KUROMAJUTSU_SOCKET=/" + "x" * 5000])
        ticket, pid, error = y.answer()
        equal((ticket, error), (1, 0))
        equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 64)
        equal(os.listdir(y.dir), [])


@tap.test
def wrong_orders_end_as_wrong_command_lines_do():
    with ZygoteHome() as y:
        for count, wrong in ((2, [WARDEN, "--what"]), (1, []), (9, [WARDEN])):
            y.send(strings(wrong), count)
            _, pid, error = y.answer()
            equal(error, 0)
            equal(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), 64)
        equal(y.run(acts("exit", "0"))["code"], 0)


@tap.test
def another_format_is_refused():
    for argv in (["--zygote"], ["--zygote", "0"]):
        done = subprocess.run([WARDEN, *argv], capture_output=True,
                              check=False)
        equal(done.returncode, 64)
        contains(done.stderr.decode(), "format")


@tap.test
def a_large_order_is_carried_out_and_leaves_it_small():
    with ZygoteHome() as y:
        many = {f"V{i}": "x" * 100000 for i in range(15)}
        before = int(status(y.zygote.pid, "RssAnon"))
        y.run(["sh", "-c", 'echo "${#V0} ${#V14}"'],
              env={"PATH": os.environ["PATH"], **many})
        equal(y.stdout(), ["100000 100000"])
        if not is_sanitized(y.zygote.pid):
            assert int(status(y.zygote.pid, "RssAnon")) < before + 512
        # More than any program can be started with: as exec says it.
        os.unlink(y.file("warden"))
        record = y.run(acts("exit", "0"),
                       env={f"V{i}": "x" * 100000 for i in range(100)})
        equal([record[k] for k in ("stage", "error")], ["exec", "E2BIG"])


@tap.test
def they_have_sessions_of_their_own_and_nothing_of_it():
    with ZygoteHome() as y:
        w = y.start(acts("pause"))
        link = y.accept()
        cli = link.expect(hello="warden", warden=w.pid)["cli"]
        equal([os.getsid(p) for p in (w.pid, cli, y.zygote.pid)],
              [w.pid, cli, y.zygote.pid])
        equal(int(status(w.pid, "PPid")), os.getpid())
        ours = {f"socket:[{os.fstat(s.fileno()).st_ino}]"
                for s in (y.hub, y.news)}
        for pid in (w.pid, cli):
            held = {os.readlink(f"/proc/{pid}/fd/{n}")
                    for n in os.listdir(f"/proc/{pid}/fd")}
            assert not ours & held, held
        equal(sorted(os.listdir(f"/proc/{cli}/fd")), ["0", "1", "2"])
        link.say("end 0")
        y.ended(link)


@tap.test
def it_ends_with_its_hub_and_they_do_not():
    with ZygoteHome() as y:
        y.start(acts("pause"))
        link = y.accept()
        cli = link.expect(hello="warden")["cli"]
        y.hub.close()
        equal(y.zygote.wait(DEADLINE), 0)
        assert not has_gone(cli)
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")


@tap.test
def killed_it_takes_nobody_along():
    with ZygoteHome() as y:
        y.start(acts("print", "up", "pause"))
        link = y.accept()
        cli = link.expect(hello="warden")["cli"]
        y.zygote.kill()
        y.zygote.wait()
        equal(y.answer(), None)  # nobody is left who could answer
        equal([y.told() is not None, y.told()], [True, None])
        y.until_printed("up")
        assert not has_gone(cli)
        link.say("end 0")
        equal(y.ended(link)["reason"], "order")


@tap.test
def half_an_order_is_none():
    with ZygoteHome() as y:
        words = y.words(acts("exit", "0"))
        body = strings(words)
        y.send(body[:20], len(words), size=len(body))
        y.hub.close()
        equal(y.zygote.wait(DEADLINE), 0)
        equal(os.listdir(y.dir), [])


@tap.test
def who_cannot_answer_starts_nothing():
    """The hub has given it up: another zygote may have the order by now. Its
    children are stopped before they can answer, and go on when nobody hears
    them any more."""
    with ZygoteHome() as y:
        os.kill(y.zygote.pid, signal.SIGSTOP)
        until(lambda: status(y.zygote.pid, "State") == "T", "a stop")
        y.order(y.words(acts("touch", y.file("ran"))), [])
        y.hub.close()
        os.kill(y.zygote.pid, signal.SIGCONT)
        y.zygote.wait(DEADLINE)
        until(lambda: not y.survivors(), "nobody")
        equal(os.listdir(y.dir), [])


@tap.test
def the_second_of_two_finds_the_first():
    with ZygoteHome() as y:
        for _ in range(2):
            y.order(y.words(acts("print", "once", "pause")), [])
        pids = sorted(y.answer()[1] for _ in range(2))
        link = y.accept()
        first = link.expect(hello="warden")["warden"]
        second, = set(pids) - {first}
        equal(os.waitstatus_to_exitcode(os.waitpid(second, 0)[1]), 75)
        y.until_printed("once")
        link.say("end 0")
        y.ended(link)
        os.waitpid(first, 0)
        equal(y.stdout(), ["once"])


@tap.test
def where_nobody_can_be_forked_it_says_so():
    if os.geteuid() == 0:
        raise tap.Skip("root may have any number of processes")
    with ZygoteHome() as y:
        resource.prlimit(y.zygote.pid, resource.RLIMIT_NPROC, (1, 1))
        y.order(y.words(acts("exit", "0")), [], ticket=9)
        equal(y.answer(), (9, 0, 11))


@tap.test
def a_failure_is_recorded_as_ever():
    with ZygoteHome() as y:
        record = y.run([f"{y.top}/none"])
        equal([record[k] for k in ("stage", "error", "code")],
              ["exec", "ENOENT", None])


if __name__ == "__main__":
    tap.run()

# SPDX-License-Identifier: MIT
"""How a warden starts its CLI, and what it records of it."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import time

from harness import tap
from harness.programs import ACTS, WARDEN, acts
from harness.record import read, written
from harness.until import DEADLINE, equal, until
from harness.warden import WardenHome


@tap.test
def exit_codes_are_recorded():
    for code in (0, 3, 255):
        with WardenHome() as y:
            record = y.run(acts("exit", str(code)))
            equal(record["code"], code)
            equal(record["signal"], None)
            equal(record["reason"], "exit")


@tap.test
def death_by_a_signal_is_recorded():
    for number in (signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM):
        with WardenHome() as y:
            record = y.run(acts("signal", str(int(number))))
            equal(record["code"], None)
            equal(record["signal"], int(number))
            equal(record["reason"], "exit")


@tap.test
def record_has_every_field():
    with WardenHome() as y:
        before = int(time.time() * 1000)
        record = y.run(acts("print", "hello", "complain", "oh", "exit", "0"))
        after = int(time.time() * 1000)
        equal(list(record), [
            "agent", "code", "signal", "error", "stage", "reason", "lingered",
            "left", "startedAt", "endedAt", "elapsed_ms", "stdoutBytes",
            "stderrBytes", "maxrss_kb", "utime_ms", "stime_ms"])
        equal(record["agent"], "coder-1")
        equal(record["error"], None)
        equal(record["stage"], None)
        equal(record["lingered"], False)
        equal(record["left"], 0)
        equal(record["stdoutBytes"], 6)
        equal(record["stderrBytes"], 3)
        assert before <= record["startedAt"] <= record["endedAt"] <= after
        assert 0 <= record["elapsed_ms"] <= after - before + 1
        assert record["maxrss_kb"] > 0
        assert record["utime_ms"] >= 0 and record["stime_ms"] >= 0
        equal(sorted(os.listdir(y.dir)),
              ["stderr.log", "stdout.ndjson", "warden"])


@tap.test
def used_time_is_the_whole_trees():
    with WardenHome() as y:
        # A grandchild spins until the kernel has counted five ticks of it.
        spin = ("while read -r p n s pp g i y t f a b c d u k rest "
                "</proc/self/stat; [ $((u + k)) -lt 5 ]; do :; done")
        record = y.run(["sh", "-c", f"sh -c '{spin}' & wait"])
        used = record["utime_ms"] + record["stime_ms"]
        assert used >= 4000 // os.sysconf("SC_CLK_TCK"), record


def check_name(name):
    with WardenHome() as y:
        y.start(acts("exit", "0"), id=name, build=name)
        link = y.accept()
        link.expect(hello="warden", agent=name, build=name)
        equal(y.ended(link)["agent"], name)


@tap.test
def names_are_escaped():
    check_name('a"b\\c\n\t\x01d\x7fé')


@tap.test
def longest_names_fit():
    check_name("\x01" * 128)


@tap.test
def wrong_usage_is_refused():
    good = ["--dir", "/tmp", "--socket", "/s", "--id", "i", "--build", "b"]
    for argv in ([], good, good + ["--"], good[2:] + ["--", "true"],
                 good + ["--lease"], good + ["--lease", "1s", "--", "true"],
                 good + ["--grace", "-1", "--", "true"],
                 good + ["--lease", "9" * 30, "--", "true"],
                 good + ["--what", "1", "--", "true"],
                 good + ["--id", "x" * 129, "--", "true"],
                 good + ["--record", "other", "--", "true"]):
        done = subprocess.run([WARDEN] + argv, capture_output=True)
        equal(done.returncode, 64)
        assert done.stderr.startswith(b"kuromajutsu-warden: "), done.stderr


@tap.test
def directory_must_exist():
    with WardenHome() as y:
        os.rmdir(y.dir)
        equal(y.start(acts("exit", "0")).wait(DEADLINE), 73)


def failure(y, program, stage, error, **options):
    w = y.start(program, **options)
    link = y.accept()
    link.expect(hello="warden", state="ended", cli=0)
    record = y.ended(link)
    equal(w.wait(DEADLINE), 0)
    equal([record[k] for k in ("stage", "error", "code", "signal")],
          [stage, error, None, None])


def make_file(y, name, content=b"", mode=0o600):
    path = os.path.join(y.top, name)
    with open(path, "wb") as f:
        f.write(content)
    os.chmod(path, mode)
    return path


@tap.test
def missing_program_is_enoent():
    with WardenHome() as y:
        failure(y, [f"{y.top}/none"], "exec", "ENOENT")
    with WardenHome() as y:
        failure(y, ["no-such-program-anywhere"], "exec", "ENOENT")


@tap.test
def forbidden_program_is_eacces():
    with WardenHome() as y:
        failure(y, [make_file(y, "plain")], "exec", "EACCES")


@tap.test
def file_as_folder_is_enotdir():
    with WardenHome() as y:
        path = make_file(y, "plain")
        failure(y, [path + "/x"], "exec", "ENOTDIR")


@tap.test
def unknown_format_is_enoexec():
    with WardenHome() as y:
        path = make_file(y, "script", b"exit 0\n", 0o700)
        failure(y, [path], "exec", "ENOEXEC")
    # Found on PATH it must not go to a shell either.
    with WardenHome() as y:
        make_file(y, "script", b"exit 0\n", 0o700)
        failure(y, ["script"], "exec", "ENOEXEC", env={"PATH": str(y.top)})


@tap.test
def missing_cwd_is_enoent_at_chdir():
    with WardenHome() as y:
        failure(y, acts("exit", "0"), "chdir", "ENOENT", cwd=f"{y.top}/none")


@tap.test
def file_as_cwd_is_enotdir_at_chdir():
    with WardenHome() as y:
        path = make_file(y, "plain")
        failure(y, acts("exit", "0"), "chdir", "ENOTDIR", cwd=path)


@tap.test
def missing_stdin_is_enoent_at_stdin():
    with WardenHome() as y:
        failure(y, acts("exit", "0"), "stdin", "ENOENT", stdin=f"{y.top}/no")


@tap.test
def too_many_arguments_are_e2big():
    """The kernel counts the file's path too: one long enough makes the CLI's
    arguments too many, though they were few enough for the warden's."""
    def small_stack():
        resource.setrlimit(resource.RLIMIT_STACK, (1 << 19, 1 << 19))

    with WardenHome() as y:
        deep = os.path.join(y.top, *["d" * 250] * 14)
        os.makedirs(deep)
        os.symlink(ACTS, deep + "/acts")
        for size in range(131072, 60000, -512):
            filler = ["f" * 60000, "f" * (size - 60000)]
            try:
                w = y.start(["acts", "exit", "0"] + filler,
                            env={"PATH": deep},
                            popen={"preexec_fn": small_stack})
                break
            except OSError as e:
                equal(e.errno, 7)
        link = y.accept()
        link.expect(hello="warden", state="ended")
        record = y.ended(link)
        equal(w.wait(DEADLINE), 0)
        equal([record["stage"], record["error"]], ["exec", "E2BIG"])


@tap.test
def program_is_found_on_path():
    with WardenHome() as y:
        make_file(y, "acts")  # closed to everyone, so the search goes on
        path = f"/none:{y.top}:{os.path.dirname(ACTS)}"
        record = y.run(["acts", "exit", "5"], env={"PATH": path})
        equal(record["code"], 5)
    with WardenHome() as y:
        make_file(y, "acts")
        failure(y, ["acts"], "exec", "EACCES", env={"PATH": f"{y.top}:/none"})


@tap.test
def failure_is_recorded_without_a_hub():
    with WardenHome(listening=False) as y:
        w = y.start([f"{y.top}/none"], lease=1)
        equal(w.wait(DEADLINE), 0)
        equal(y.record()["error"], "ENOENT")


@tap.test
def starts_at_most_once():
    with WardenHome() as y:
        y.run(acts("print", "once", "exit", "0"))
        before = sorted(os.listdir(y.dir))
        equal(y.start(acts("print", "twice")).wait(DEADLINE), 75)
        equal(sorted(os.listdir(y.dir)), before)
        equal(y.stdout(), ["once"])


@tap.test
def held_lock_is_respected():
    with WardenHome() as y:
        for name in ("warden", "lock"):  # of an earlier version
            with open(y.file(name), "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                equal(y.start(acts("print", "x")).wait(DEADLINE), 75)
            equal(os.listdir(y.dir), [name])
            os.unlink(y.file(name))


@tap.test
def what_an_earlier_version_has_started_is_not_started_again():
    with WardenHome() as y:
        open(y.file("started"), "w").close()
        equal(y.start(acts("print", "x")).wait(DEADLINE), 75)
        equal(os.listdir(y.dir), ["started"])


@tap.test
def a_lock_alone_is_no_start():
    """One that was killed before it could mark its start."""
    for name in ("warden", "lock"):
        with WardenHome() as y:
            open(y.file(name), "w").close()
            equal(y.run(acts("exit", "3"))["code"], 3)


@tap.test
def the_mark_is_there_before_the_cli():
    with WardenHome() as y:
        y.run(["sh", "-c", 'cat "$1"', "sh", y.file("warden")])
        equal(y.read("stdout.ndjson"), written(read(y.dir)[0]))


@tap.test
def a_file_cut_or_written_over_is_whole_in_the_end():
    for deed in (': > "$1"', 'printf x > "$1"', 'printf "\n\n" >> "$1"',
                 'rm "$1"', 'rm "$1"; mkfifo "$1"', 'ln -sf /dev/null "$1"',
                 'cp "$1" "$1.x"; mv "$1.x" "$1"', 'truncate -s 1T "$1"'):
        with WardenHome() as y:
            before = int(time.time() * 1000)
            record = y.run(["sh", "-c", deed + "; exit 4", "sh",
                            y.file("warden")])
            equal((deed, record["code"]), (deed, 4))
            assert before <= read(y.dir)[0] <= record["endedAt"]
            equal(y.start(acts("print", "twice")).wait(DEADLINE), 75)


@tap.test
def a_hub_that_knows_three_files_finds_three():
    with WardenHome() as y:
        w = y.start(acts("print", "up", "exit", "3"), record=None)
        link = y.accept()
        link.expect(hello="warden")
        link.expect(event="started")
        ended = link.expect(event="ended", code=3)
        equal({"event": "ended", **json.loads(y.read("exit.json"))}, ended)
        equal(sorted(os.listdir(y.dir)), ["exit.json", "lock", "started",
                                          "stdout.ndjson"])
        equal(w.wait(DEADLINE), 0)
        for record in (None, "warden"):
            equal(y.start(acts("print", "x"), record=record).wait(DEADLINE),
                  75)


@tap.test
def lock_is_held_for_life_and_not_inherited():
    with WardenHome() as y:
        w = y.start(acts("ignore-term", "daemon", "print", "up", "pause"))
        link = y.accept()
        link.expect(hello="warden")
        y.until_printed("up")
        with open(y.file("warden"), "r+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                raise AssertionError("the lock is free")
            except BlockingIOError:
                pass
            w.kill()
            w.wait()
            # The daemon lives, so a copy of the lock would still be held.
            assert y.survivors()
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # The CLI dies of its warden's death, but not within it.
            until(lambda: len(y.survivors()) == 1, "the CLI's end")
            os.kill(y.survivors()[0], signal.SIGKILL)
            until(lambda: not y.survivors(), "the daemon's end")


@tap.test
def stdin_is_empty_by_default():
    with WardenHome() as y:
        equal(y.run(acts("copy", "exit", "0"))["stdoutBytes"], 0)


@tap.test
def stdin_can_be_a_file():
    with WardenHome() as y:
        prompt = b"line\n" * 40000
        path = make_file(y, "prompt", prompt)
        y.run(acts("copy", "exit", "0"), stdin=path)
        equal(y.read("stdout.ndjson"), prompt)


@tap.test
def stdin_that_is_a_fifo_does_not_hold_the_warden():
    with WardenHome() as y:
        os.mkfifo(f"{y.top}/fifo")
        # Nobody writes to it: the CLI finds an end, not the warden a wait.
        record = y.run(acts("copy", "exit", "0"), stdin=f"{y.top}/fifo")
        equal(record["code"], 0)


@tap.test
def files_are_private_and_stdout_is_appended_to():
    with WardenHome() as y:
        with open(y.file("stdout.ndjson"), "w") as f:
            f.write("before\n")
        os.chmod(y.file("stdout.ndjson"), 0o600)
        y.run(acts("print", "after", "complain", "x"), popen={"umask": 0})
        equal(y.stdout(), ["before", "after"])
        for name in ("warden", "stdout.ndjson", "stderr.log"):
            equal(os.stat(y.file(name)).st_mode & 0o777, 0o600)


@tap.test
def cwd_is_as_asked_or_inherited():
    with WardenHome() as y:
        y.run(["/bin/pwd"], cwd=y.dir)
        equal(y.stdout(), [os.path.realpath(y.dir)])
    with WardenHome() as y:
        y.run(["/bin/pwd"], popen={"cwd": y.top})
        equal(y.stdout(), [os.path.realpath(y.top)])


@tap.test
def arguments_and_environment_arrive_as_they_are():
    with WardenHome() as y:
        odd = ["-x", "", "a b", "$HOME", "--", "日本語\n2"]
        y.run(["sh", "-c", 'printf "[%s]" "$@" "$ODD"', "sh"] + odd,
              env={"ODD": "v=1 $x", "PATH": os.environ["PATH"]})
        equal(y.read("stdout.ndjson").decode(),
              "".join(f"[{s}]" for s in odd + ["v=1 $x"]))


@tap.test
def nothing_of_the_hub_is_inherited():
    """The hub ignores and blocks signals and leaks a descriptor: the CLI
    gets none of it."""
    def bad_hub():
        for number in (signal.SIGPIPE, signal.SIGCHLD, signal.SIGTERM,
                       signal.SIGHUP, signal.SIGUSR1, signal.SIGQUIT):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))

    with WardenHome() as y:
        pipe = os.pipe()
        leak = os.readlink(f"/proc/self/fd/{pipe[0]}")
        w = y.start(acts("print", "up", "pause"),
                    popen={"preexec_fn": bad_hub, "pass_fds": pipe,
                           "restore_signals": False})
        for fd in pipe:
            os.close(fd)
        link = y.accept()
        cli = link.expect(hello="warden", state="running")["cli"]
        y.until_printed("up")
        with open(f"/proc/{cli}/status") as f:
            sets = dict(s.strip().split(":\t") for s in f if s[:3] == "Sig")
        equal([int(sets[n], 16) for n in ("SigIgn", "SigBlk", "SigCgt")],
              [0, 0, 0])
        equal(sorted(os.listdir(f"/proc/{cli}/fd")), ["0", "1", "2"])
        held = f"/proc/{w.pid}/fd"
        assert leak not in [os.readlink(f"{held}/{n}")
                            for n in os.listdir(held)]
        link.say("end 0")
        equal(y.ended(link)["signal"], 9)


@tap.test
def cli_and_warden_have_sessions_of_their_own():
    with WardenHome() as y:
        w = y.start(acts("pause"))
        link = y.accept()
        cli = link.expect(hello="warden", warden=w.pid)["cli"]
        equal([os.getsid(w.pid), os.getsid(cli)], [w.pid, cli])
        for fd in "012":
            equal(os.readlink(f"/proc/{w.pid}/fd/{fd}"), "/dev/null")
        link.say("end 0")
        y.ended(link)


if __name__ == "__main__":
    tap.run()

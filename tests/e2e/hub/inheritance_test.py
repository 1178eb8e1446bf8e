# SPDX-License-Identifier: MIT
"""What programs that the hub starts inherit: what the user's session has, and
nothing that the hub or its relay has changed for itself."""

import ctypes
import os
import resource
import struct
import signal
import subprocess

from harness import tap
from harness.hub import HubHome, patient_home, read
from harness.tools import roles_are_judged, start_agents, wait_for
from harness.until import DEADLINE, FOREVER, equal, until

FILES, MOST_FILES = 512, 4096
MASK = 0o027

# Notes what it has from who started it, under the word it was called with;
# then does what it was called for.
PROGRAM = """#!/bin/sh
for word; do
    case $word in models | --trust | --force | --version | tool) break ;; esac
done
noted=$(mktemp -d SEEN/XXXXXX)
for name in limits status stat oom_score_adj timerslack_ns autogroup; do
    cat "/proc/self/$name" >"$noted/$name" 2>&1
done
nice >"$noted/nice"
mv -T "$noted" "SEEN/$word" 2>/dev/null || rm -r "$noted"
[ "$word" = tool ] || exec PUPPET "$@"
"""


def session():
    """A user's session that is like nobody's default. Run in a child."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, MOST_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 1 << 20))
    os.umask(MASK)
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    for number in (signal.SIGUSR1, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})


class Session(HubHome):
    """A home whose CLI and whose role's tool are such programs."""

    def __init__(self, **agent):
        super().__init__()
        self.seen = self.folder("seen")
        self.program = self.top / "cli"
        self.program.write_text(
            PROGRAM.replace("SEEN", str(self.seen)).replace(
                "PUPPET", self.path("kuromajutsu-puppet")))
        self.program.chmod(0o755)
        self.set(KUROMAJUTSU_AGENT_COMMAND=str(self.program))
        self.configure({
            "language": "en", "agent": agent,
            "hub": {"lease_ms": FOREVER, "linger_ms": FOREVER},
            "tools": [{"id": "t", "name": "t", "promptInstructions": "none",
                       "healthCheckCommand": f"{self.program} tool"}],
            "roles": [{"id": "impl-code", "tools": ["t"]}]})
        self.trust()

    def note_session(self):
        """Runs the program there; it is called with --version."""
        argv = [self.program, "--version"]
        subprocess.run(argv, preexec_fn=session, restore_signals=False,
                       env=self.env, cwd=self.project, timeout=DEADLINE,
                       check=True, stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL)

    def noted(self, word, *names):
        """Those that have been noted of one called with that word."""
        until(lambda: (self.seen / word).is_dir(), f"{word} noted")
        return [read(self.seen / word / name) for name in names]


def fields(status, *names):
    said = dict(line.split(":\t", 1) for line in status.splitlines())
    return [said[name] for name in names]


def alike(home, word):
    """That one is as the session has it, and no signal is kept from it."""
    same = ("limits", "oom_score_adj", "timerslack_ns")
    for here, there in zip(home.noted(word, *same),
                           home.noted("--version", *same)):
        equal([line for line in here.splitlines()
               if line not in there.splitlines()], [])
    inside, outside = (home.noted(w, "status")[0] for w in (word, "--version"))
    same = ("Umask", "Cpus_allowed_list", "NoNewPrivs", "Seccomp")
    equal(fields(inside, *same), fields(outside, *same))
    equal([int(mask, 16) for mask in fields(inside, "SigBlk", "SigIgn")],
          [0, 0])
    stat, = home.noted(word, "stat")
    equal(stat.rsplit(") ", 1)[1].split()[4], "0")  # no terminal
    equal(home.noted(word, "nice"), home.noted("--version", "nice"))


def check_all(home, talk):
    id, = start_agents(talk, "reply")
    wait_for(talk, id)
    until(lambda: roles_are_judged(talk), "roles judged")
    for word in ("models", "--trust", "--force", "tool"):
        alike(home, word)


@tap.test
def they_have_what_the_session_of_the_relay_has():
    with Session(nice=0) as home:
        home.note_session()
        contains_limit(home)
        server = home.start("mcp", popen={"preexec_fn": session,
                                          "restore_signals": False})
        server.talk.hello()
        check_all(home, server.talk)
        # And it was not for want of a change: the hub has raised its own.
        equal(files_of(home.hub_pid()), [str(MOST_FILES)] * 2)


@tap.test
def they_have_what_the_session_of_a_lone_hub_has():
    with Session(nice=None) as home:
        home.note_session()
        server = home.start("--standalone", popen={"preexec_fn": session,
                                                   "restore_signals": False})
        server.talk.hello()
        check_all(home, server.talk)


def contains_limit(home):
    """The session is what we say it is."""
    limits, = home.noted("--version", "limits")
    equal(files_in(limits), [str(FILES), str(MOST_FILES)])


def files_in(limits):
    line, = (x for x in limits.splitlines() if x.startswith("Max open files"))
    return line.split()[3:5]


def files_of(pid):
    return files_in(read(f"/proc/{pid}/limits"))


@tap.test
def agents_and_checks_are_nicer_than_the_hub():
    with Session() as home:
        home.note_session()
        talk = home.relay().talk
        talk.hello()
        id, = start_agents(talk, "hang")
        home.until_running(talk, id)
        until(lambda: roles_are_judged(talk), "roles judged")
        for word in ("models", "--trust", "--force", "tool"):
            equal(home.noted(word, "nice"), [f"{os.nice(0) + 5}\n"])
        for pid in (home.hub_pid(), home.warden(id)):
            equal(os.getpriority(os.PRIO_PROCESS, pid), os.nice(0))


def turns(id):
    """How long a thread's turns are, ns; 0: the kernel does not say."""
    attributes = ctypes.create_string_buffer(48)
    libc = ctypes.CDLL(None, use_errno=True)
    sched_getattr = {"x86_64": 315, "aarch64": 275}[os.uname().machine]
    assert libc.syscall(sched_getattr, id, attributes, 48, 0) == 0
    return struct.unpack_from("=IIQiIQ", attributes)[5]


@tap.test
def who_answers_asks_for_short_turns_and_nobody_inherits_them():
    usual = turns(0)
    if not usual:
        raise tap.Skip("this kernel has no turns of one's own")
    with patient_home() as home:
        server = home.relay()
        server.talk.hello()
        id, = start_agents(server.talk, "hang")
        home.until_running(server.talk, id)
        equal(turns(server.proc.pid), 100000)
        front = [turns(int(thread)) for thread in
                 os.listdir(f"/proc/{home.hub_pid()}/task")]
        equal(sorted(set(front)), sorted({100000, usual}))
        equal(turns(home.warden(id)), usual)


@tap.test
def agents_take_long_turns_unless_they_need_not_give_way():
    usual = turns(0)
    if not usual:
        raise tap.Skip("this kernel has no turns of one's own")
    for nice, wanted in ((1, 20000000), (0, usual)):
        with patient_home(agent={"nice": nice}) as home:
            talk = home.relay().talk
            talk.hello()
            id, = start_agents(talk, "hang")
            home.until_running(talk, id)
            equal({turns(pid) for pid in home.tree(id)}, {wanted})


if __name__ == "__main__":
    tap.run()

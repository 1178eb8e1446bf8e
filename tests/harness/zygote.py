# SPDX-License-Identifier: MIT
"""A zygote whose hub the test itself plays: orders go to it as in
runtime/warden/order.h."""

import array
import fcntl
import os
import socket
import struct
import subprocess

from harness import record
from harness.programs import WARDEN
from harness.until import DEADLINE, equal
from harness.warden import WardenHome

HEAD = struct.Struct("=QIIII")
ANSWER = struct.Struct("=Qii")
NEWS = struct.Struct("=QQii")
# Hubs of earlier builds have no socket for news.
FORMAT, BEFORE = "2", "1"
SOCKET, NEWS_SOCKET = 3, 4
RESERVE, PADDING = 4608, 160


def strings(words):
    return b"".join(os.fsencode(word) + b"\0" for word in words)


class Waited:
    """A warden that a zygote has forked, which is our child all the same."""

    def __init__(self, pid):
        self.pid, self.returncode = pid, None

    def wait(self, _=None):
        if self.returncode is None:
            status = os.waitpid(self.pid, 0)[1]
            self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def kill(self):
        if self.returncode is None:
            os.kill(self.pid, 9)


class ZygoteHome(WardenHome):
    """A home of wardens, one zygote for all of them."""

    def __init__(self, env=None, format=FORMAT, **more):
        super().__init__(**more)
        self.hub, theirs = socket.socketpair()
        self.news, telling = socket.socketpair()
        for ours in (self.hub, self.news):
            ours.settimeout(DEADLINE)
        taken = [theirs] if format == BEFORE else [theirs, telling]
        reserve = "KUROMAJUTSU_ZYGOTE=".ljust(RESERVE - 1, "-")

        def take():
            # Above all numbers that they get, lest one takes another's.
            ends = [fcntl.fcntl(s, fcntl.F_DUPFD, 10) for s in taken]
            for number, end in zip((SOCKET, NEWS_SOCKET), ends):
                os.dup2(end, number)
                os.close(end)
            os.setsid()
        name, _, value = reserve.partition("=")
        self.zygote = subprocess.Popen(
            [WARDEN, "--zygote", format, "-" * (PADDING - 1)],
            env={name: value, **self.env, **(env or {})},
            close_fds=False, preexec_fn=take)
        theirs.close()
        telling.close()

    def order(self, words, variables, ticket=1):
        """Sends one, and does not wait for what comes of it."""
        self.send(strings(words) + strings(variables), len(words),
                  len(variables), ticket)

    def send(self, body, words, variables=0, ticket=1, size=None):
        """An order of these bytes, which are said to be so many strings."""
        head = HEAD.pack(ticket, len(body) if size is None else size, words,
                         variables, 0)
        dir = os.open(self.dir, os.O_RDONLY | os.O_DIRECTORY)
        self.hub.sendmsg([head], [(socket.SOL_SOCKET, socket.SCM_RIGHTS,
                                   array.array("i", [dir]))])
        os.close(dir)
        self.hub.sendall(body)

    def answer(self):
        """The next: its ticket, the pid, an errno. None at the end."""
        said = self.hub.recv(ANSWER.size, socket.MSG_WAITALL)
        return ANSWER.unpack(said) if said else None

    def told(self):
        """Of the next start: its ticket, the CLI's pid, when it was. None at
        the end."""
        said = self.news.recv(NEWS.size, socket.MSG_WAITALL)
        if not said:
            return None
        ticket, began, cli, _ = NEWS.unpack(said)
        return ticket, cli, began

    def leave(self):
        """As a hub does that dies."""
        self.hub.close()
        self.news.close()

    def words(self, program, **options):
        words = {"dir": self.dir, "socket": self.path, "id": "coder-1",
                 "build": "b1", "record": record.NAME, **options}
        return [WARDEN, *(str(w) for name, value in words.items() for w in
                          ("--" + name.replace("_", "-"), value)),
                "--", *program]

    def start(self, program, env=None, popen=None, **options):
        variables = {**(self.env if env is None else env),
                     "KUROMAJUTSU_AGENT_ID": options.get("id", "coder-1"),
                     "KUROMAJUTSU_SOCKET": self.path}
        self.order(self.words(program, **options),
                   [f"{k}={v}" for k, v in variables.items()])
        _, pid, error = self.answer()
        assert error == 0, error
        warden = Waited(pid)
        self.wardens.append(warden)
        return warden

    def run(self, program, **options):
        """Who is brief says nothing of it: the record does."""
        equal(self.start(program, **options).wait(), 0)
        return self.record()

    def survivors(self):
        return [pid for pid in super().survivors() if pid != self.zygote.pid]

    def finish(self):
        super().finish()
        self.leave()
        self.zygote.wait(DEADLINE)

    def abandon(self):
        super().abandon()
        self.leave()
        self.zygote.kill()
        self.zygote.wait()
